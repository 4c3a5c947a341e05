"""Pose trajectories against Pinocchio's interpolation in SE(3) and its slerp."""

import numpy as np
import pinocchio as pin
import pytest

from sinew import control

DURATION = 0.8


def random_pose(rng):
    q = rng.normal(size=4)
    return np.concatenate([rng.normal(size=3), q / np.linalg.norm(q)])


def se3(pose):
    w, x, y, z = pose[3:]
    return pin.SE3(pin.Quaternion(w, x, y, z), pose[:3])


def progress(t):
    x = t / DURATION
    return (
        x**3 * (10 - 15 * x + 6 * x * x),
        30 * x**2 * (1 - x) ** 2 / DURATION,
        60 * x * (1 - x) * (1 - 2 * x) / DURATION**2,
    )


def near(a, b, tolerance=1e-13):
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1, np.abs(b).max()))


@pytest.mark.parametrize("seed", range(10))
def test_screw(seed):
    rng = np.random.default_rng(seed)
    first, last = random_pose(rng), random_pose(rng)
    start, end = se3(first), se3(last)
    twist = pin.log6(start.actInv(end))
    times = np.linspace(0, DURATION, 23)
    pose, vel, acc = control.pose_trajectory(times, DURATION, first, last, screw=True)
    for i, t in enumerate(times):
        s, rate, rate2 = progress(t)
        now = pin.SE3.Interpolate(start, end, s)
        near(se3(pose[i]).homogeneous, now.homogeneous)
        linear, angular = now.rotation @ twist.linear, now.rotation @ twist.angular
        near(vel[i], np.concatenate([linear, angular]) * rate)
        near(acc[i, :3], linear * rate2 + np.cross(angular, linear) * rate**2)
        near(acc[i, 3:], angular * rate2)


@pytest.mark.parametrize("seed", range(10))
def test_straight(seed):
    rng = np.random.default_rng(100 + seed)
    first, last = random_pose(rng), random_pose(rng)
    start, end = se3(first), se3(last)
    turn = start.rotation @ pin.log3(start.rotation.T @ end.rotation)
    times = np.linspace(0, DURATION, 23)
    pose, vel, acc = control.pose_trajectory(times, DURATION, first, last)
    for i, t in enumerate(times):
        s, rate, rate2 = progress(t)
        turned = pin.Quaternion(start.rotation).slerp(s, pin.Quaternion(end.rotation))
        near(se3(pose[i]).rotation, turned.toRotationMatrix())
        near(pose[i, :3], first[:3] + s * (last[:3] - first[:3]))
        near(vel[i], np.concatenate([last[:3] - first[:3], turn]) * rate)
        near(acc[i], np.concatenate([last[:3] - first[:3], turn]) * rate2)
