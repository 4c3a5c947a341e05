"""Derivatives of frames against Pinocchio, on the robots of example-robot-data.

Pinocchio's columns are by its own tangent and velocities, ours by T^-1 of them; T turns with a floating base, which the
map of velocities and accelerations brings in (see test_dynamics). Its frames' accelerations are spatial.
"""

import numpy as np
import pinocchio as pin
import pytest

import sinew
from test_dynamics import ANGULAR_FIRST, Pair, close, pair  # noqa: F401  (a fixture)

FRAMES = [(pin.LOCAL_WORLD_ALIGNED, 0), (pin.LOCAL, 1)]


def frame_of(p: Pair, body):
    """Pinocchio's frame that stands where the body does: its joint's, moved by what was fused into it."""
    joint = p.joint_of[int(body)]
    world = pin.SE3(p.d.xmat[body].reshape(3, 3), p.d.xpos[body])
    return joint, p.data.oMi[joint].actInv(world)


def bodies(p: Pair):
    """Those with a joint: the first, one in the middle and the last."""
    moving = [b for b in range(1, p.m.nbody) if b in p.joint_of]
    return {moving[0], moving[len(moving) // 2], moving[-1]}


@pytest.mark.parametrize("frame, local", FRAMES)
def test_velocity(pair, frame, local):  # noqa: F811
    p = pair
    pin.computeForwardKinematicsDerivatives(p.model, p.data, p.q, p.v, p.acc)
    for body in bodies(p):
        joint, place = frame_of(p, body)
        q, v = np.zeros((6, p.m.nv)), np.zeros((6, p.m.nv))
        sinew.objectVelocityDerivative(p.m, p.d, sinew.Obj.XBODY, body, None, local, q, v)
        by_q, by_v = pin.getFrameVelocityDerivatives(p.model, p.data, joint, place, frame)
        close(v, (by_v @ p.T)[ANGULAR_FIRST])
        close(q, (by_q @ p.T + by_v @ p.v_q)[ANGULAR_FIRST])


@pytest.mark.parametrize("frame, local", FRAMES)
def test_acceleration(pair, frame, local):  # noqa: F811
    p = pair
    p.d.qacc[:] = p.a
    pin.computeForwardKinematicsDerivatives(p.model, p.data, p.q, p.v, p.acc)
    for body in bodies(p):
        joint, place = frame_of(p, body)
        n = p.m.nv
        q, v, a = np.zeros((6, n)), np.zeros((6, n)), np.zeros((6, n))
        vq, vv = np.zeros((6, n)), np.zeros((6, n))
        sinew.objectAccelerationDerivative(
            p.m, p.d, sinew.Obj.XBODY, body, None, local, 0, q, v, a
        )
        sinew.objectVelocityDerivative(p.m, p.d, sinew.Obj.XBODY, body, None, local, vq, vv)
        _, by_q, by_v, by_a = pin.getFrameAccelerationDerivatives(
            p.model, p.data, joint, place, frame
        )
        twist = np.zeros(6)
        sinew.objectVelocity(p.m, p.d, sinew.Obj.XBODY, body, twist, local)
        # the point's acceleration is the spatial one + w x v
        for ours, rate in ((q, vq), (v, vv)):
            ours[3:] -= np.cross(rate[:3], twist[3:], axis=0, axisb=0, axisc=0)
            ours[3:] -= np.cross(twist[:3], rate[3:], axisa=0, axisb=0, axisc=0)
        close(a, (by_a @ p.T)[ANGULAR_FIRST])
        close(v, (by_v @ p.T + by_a @ p.a_v)[ANGULAR_FIRST])
        close(q, (by_q @ p.T + by_v @ p.v_q + by_a @ p.a_q)[ANGULAR_FIRST])
