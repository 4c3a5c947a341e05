"""Tasks of frames against Pinocchio, on the robots of example-robot-data: what velocities and accelerations meet them.

Relative motion is made of Pinocchio's absolute ones: seen from B, the point p of F moves with u = v_F - v_B - w_B x r,
r = p - p_B, in B's axes. Our free joints have their velocity in world axes: see test_dynamics.
"""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
import pytest

from sinew.control import Controller, OrientationTask, PoseTask, PositionTask
from test_dynamics import Pair, close, pair, skew  # noqa: F401  (a fixture)

KP, KD = 7.0, 3.0
OFFSET = np.array([0.1, -0.2, 0.05])


@dataclass
class Moving:
    """A frame: velocity and acceleration at qacc = 0, linear and angular, and the Jacobian of both."""

    pose: pin.SE3
    v: np.ndarray
    w: np.ndarray
    a: np.ndarray
    alpha: np.ndarray
    J: np.ndarray


def of_body(p: Pair, body, offset):
    """A point of a body in Pinocchio's world."""
    pose = pin.SE3(p.d.xmat[body].reshape(3, 3).copy(), p.d.xpos[body].copy())
    pose.translation += pose.rotation @ offset
    joint, R = p.joint_of[body], pose.rotation
    place = p.data.oMi[joint].actInv(pose)
    v, a = place.actInv(p.data.v[joint]), place.actInv(p.data.a[joint])
    J = place.toActionMatrixInverse() @ pin.getJointJacobian(p.model, p.data, joint, pin.LOCAL)
    turned = np.kron(np.eye(2), R) @ J @ p.T
    point = a.linear + np.cross(v.angular, v.linear)
    return Moving(pose, R @ v.linear, R @ v.angular, R @ point, R @ a.angular, turned)


def seen(F: Moving, B: Moving | None):
    """F in B's axes with B's motion taken off; world without B."""
    if B is None:
        return F
    r = F.pose.translation - B.pose.translation
    u = F.v - B.v - np.cross(B.w, r)
    a = F.a - B.a - np.cross(B.alpha, r) - np.cross(B.w, np.cross(B.w, r)) - 2 * np.cross(B.w, u)
    alpha = F.alpha - B.alpha - np.cross(B.w, F.w)
    R = B.pose.rotation.T
    J = np.vstack([F.J[:3] - B.J[:3] + skew(r) @ B.J[3:], F.J[3:] - B.J[3:]])
    w = F.w - B.w
    turned = np.kron(np.eye(2), R) @ J
    return Moving(B.pose.actInv(F.pose), R @ u, R @ w, R @ a, R @ alpha, turned)


def cases(p: Pair):
    """Bodies and references: two in the world, two relative, in one tree from either end."""
    moving = sorted(p.joint_of)
    last, middle = moving[-1], moving[len(moving) // 2]
    return [
        (last, None),
        (middle, None),
        *([(last, middle), (moving[0], last)] if last != middle else []),
    ]


def start(p: Pair):
    """Pinocchio's kinematics at qacc = 0."""
    p.a = np.zeros(p.m.nv)
    p.to_pinocchio()
    pin.forwardKinematics(p.model, p.data, p.q, p.v, p.acc)
    pin.computeJointJacobians(p.model, p.data, p.q)


def wanted(kind, frame: Moving, task, mode):
    """Jacobian and right-hand side of the task's rows, and its error."""
    rows = (
        slice(3, 6)
        if kind is OrientationTask
        else slice(0, 3)
        if kind is PositionTask
        else slice(0, 6)
    )
    position, quaternion = task.pos[:3], task.pos[-4:]
    e = np.zeros(6)
    if kind is not OrientationTask:
        e[:3] = position - frame.pose.translation
    if kind is not PositionTask:
        w, x, y, z = quaternion / np.linalg.norm(quaternion)
        e[3:] = pin.log3(pin.Quaternion(w, x, y, z).matrix() @ frame.pose.rotation.T)
    v, drift = np.r_[frame.v, frame.w][rows], np.r_[frame.a, frame.alpha][rows]
    e = e[rows]
    if mode == "velocity":
        return frame.J[rows], task.vel + KP * e, e
    return frame.J[rows], task.acc + KD * (task.vel - v) + KP * e - drift, e


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
@pytest.mark.parametrize("kind", [PositionTask, OrientationTask, PoseTask])
def test_rows_are_met(pair, kind, mode):  # noqa: F811
    p, rng = pair, np.random.default_rng(1)
    start(p)
    for body, reference in cases(p):
        # references lie metres away: the rows are asked for as they are, not the way to the nearest point
        controller = Controller(p.m, mode, position_limits=False, torque_limits=False, singular=0)
        controller.actuated[:] = 1
        task = controller.add_task(kind(body=body, ref_body=reference, offset=OFFSET, kp=KP, kd=KD))
        for name in ("pos", "vel", "acc"):
            getattr(task, name)[:] = rng.normal(0, 1, getattr(task, name).shape)
        controller.solve(p.d)
        frame = seen(
            of_body(p, body, OFFSET),
            None if reference is None else of_body(p, reference, np.zeros(3)),
        )
        J, b, e = wanted(kind, frame, task, mode)
        close(task.error, e)
        least = np.linalg.lstsq(J, b, rcond=1e-9)[0]
        if mode == "velocity":
            close(controller.qvel, least)
        close(J @ (controller.qvel if mode == "velocity" else controller.qacc), J @ least)
