"""Derivatives of frames against Pinocchio, on the robots of example-robot-data.

Pinocchio's columns are by its own tangent and velocities, T times ours; T turns with a floating base, which the map of
velocities and accelerations brings in (see test_dynamics). Its acceleration of a frame is the spatial one, that of the
point is w x v more. In axes of the world its derivatives of velocities hold the point, which ours move.
"""

import numpy as np
import pinocchio as pin
import pytest

import sinew
from test_dynamics import ANGULAR_FIRST, Pair, close, pair, skew  # noqa: F401  (a fixture)

FRAMES = [(pin.LOCAL_WORLD_ALIGNED, 0), (pin.LOCAL, 1)]
XBODY = int(sinew.ObjType.XBODY)


def frame_of(p: Pair, body):
    """Pinocchio's joint that moves a body, and where the body is in its frame."""
    joint = p.joint_of[body]
    world = pin.SE3(p.d.xmat[body].reshape(3, 3).copy(), p.d.xpos[body].copy())
    return joint, p.data.oMi[joint].actInv(world)


def bodies(p: Pair):
    """The first that moves, one in the middle and the last."""
    moving = sorted(p.joint_of)
    return {moving[0], moving[len(moving) // 2], moving[-1]}


def cross(a, b):
    """Of columns."""
    return np.cross(a, b, axis=0)


@pytest.mark.parametrize("frame, local", FRAMES)
def test_velocity(pair, frame, local):  # noqa: F811
    p = pair
    pin.computeForwardKinematicsDerivatives(p.model, p.data, p.q, p.v, p.acc)
    for body in bodies(p):
        joint, place = frame_of(p, body)
        q, v = sinew.objectVelocityDerivative(p.m, p.d, XBODY, body, local=local)
        by_q, by_v = pin.getFrameVelocityDerivatives(p.model, p.data, joint, place, frame)
        if not local:
            q[3:] -= cross(sinew.objectVelocity(p.m, p.d, XBODY, body)[:3, None], v[3:])
        close(v, (by_v @ p.T)[ANGULAR_FIRST])
        close(q, (by_q @ p.T + by_v @ p.v_q)[ANGULAR_FIRST])


@pytest.mark.parametrize("frame, local", FRAMES)
def test_acceleration(pair, frame, local):  # noqa: F811
    p = pair
    p.d.qacc[:] = p.a
    pin.computeForwardKinematicsDerivatives(p.model, p.data, p.q, p.v, p.acc)
    for body in bodies(p):
        joint, place = frame_of(p, body)
        q, v, a = sinew.objectAccelerationDerivative(
            p.m, p.d, XBODY, body, local=local, gravity=False
        )
        vq, vv = sinew.objectVelocityDerivative(p.m, p.d, XBODY, body, local=local)
        _, by_q, by_v, by_a = pin.getFrameAccelerationDerivatives(
            p.model, p.data, joint, place, frame
        )
        twist = sinew.objectVelocity(p.m, p.d, XBODY, body, local)[:, None]
        for ours, rate in ((q, vq), (v, vv)):
            ours[3:] -= cross(rate[:3], twist[3:]) + cross(twist[:3], rate[3:])
        if not local:
            sinew.rnePostConstraint(p.m, p.d)
            q[3:] -= cross(sinew.objectAcceleration(p.m, p.d, XBODY, body)[:3, None], a[3:])
        close(a, (by_a @ p.T)[ANGULAR_FIRST])
        close(v, (by_v @ p.T + by_a @ p.a_v)[ANGULAR_FIRST])
        close(q, (by_q @ p.T + by_v @ p.v_q + by_a @ p.a_q)[ANGULAR_FIRST])


def turning(p: Pair, J):
    """J dT/dq: the first columns of T are R', which the rotations of the base turn."""
    result = np.zeros((3, p.m.nv, p.m.nv))
    for k in range(3 if p.floating else 0):
        result[:, :3, 3 + k] = -J[:, :3] @ skew(np.eye(3)[k]) @ p.R.T
    return result


def test_second_derivatives(pair):  # noqa: F811
    p, frame = pair, pin.LOCAL_WORLD_ALIGNED
    pin.computeJointJacobians(p.model, p.data, p.q)
    pin.computeJointKinematicHessians(p.model, p.data, p.q)
    for body in bodies(p):
        joint = p.joint_of[body]
        point = p.data.oMi[joint].translation.copy()
        _, _, Hp, Hr = sinew.objectPoseDerivative(p.m, p.d, XBODY, body, point)
        theirs = pin.getJointKinematicHessian(p.model, p.data, joint, frame)
        # says that it is by rows, and is by columns
        theirs = np.ravel(theirs, "K").reshape(theirs.shape, order="F")
        theirs = np.einsum("rkl,ki,lj->rij", theirs, p.T, p.T)[ANGULAR_FIRST]
        J = pin.getJointJacobian(p.model, p.data, joint, frame)[ANGULAR_FIRST]
        close(Hr, theirs[:3] + turning(p, J[:3]))
        close(Hp, theirs[3:] + turning(p, J[3:]))
