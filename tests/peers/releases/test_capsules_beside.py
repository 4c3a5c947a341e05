"""CAPSULES_BESIDE: capsules that are parallel, nearly so, or end to end, against both peers; lanes too."""

import mujoco
import numpy as np
import pytest

import sinew
from meetings import Meeting, gap, points

TEXT = """<mujoco><worldbody>
  <body><freejoint/><geom type="capsule" size=".05 .12"/></body>
  <body><freejoint/><geom type="capsule" size=".04 .1"/></body></worldbody></mujoco>"""
ONE = np.r_[1.0, 0, 0, 0]


def turn(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.r_[np.cos(angle / 2), np.sin(angle / 2) * axis]


def pose(x, y, z, quat=ONE):
    return np.r_[0, 0, 0, ONE, x, y, z, quat]


PLACES = {
    "beside": pose(0.08, 0, 0.03),
    "partly": pose(0.05, 0.05, 0.2),
    "against each other": pose(0.08, 0, -0.03, turn((1, 0, 0), np.pi)),
    "end by end": pose(0.06, 0, 0.23),
    "end to end": pose(0, 0, 0.28),
    "one axis": pose(0, 0, 0.03),
    "one place": pose(0, 0, 0),
    "turned by 9e-5": pose(0.08, 0, 0.03, turn((1, 0.5, 0), 9e-5)),
    "turned by 1.1e-4": pose(0.08, 0, 0.03, turn((1, 0.5, 0), 1.1e-4)),
    "one end too far": pose(0.089995, 0, 0.03, turn((0, 1, 0), 9.9e-5)),
    "across": pose(0.05, 0, 0.03, turn((1, 0, 0), 0.7)),
}


@pytest.mark.parametrize("place", PLACES)
def test_place(place):
    ((theirs, ours),) = Meeting(TEXT).collide([PLACES[place]])
    assert gap(theirs, ours) < 1e-9  # in their order


def test_random_parallels():
    """Parallel to rounding, anywhere; the first capsule turned, too."""
    rng = np.random.default_rng(0)
    poses = []
    for _ in range(200):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        poses.append(np.r_[rng.normal(size=3), quat, np.zeros(3), quat])
        poses[-1][7:10] = poses[-1][:3] + rng.uniform(-0.12, 0.12, 3)
    found = Meeting(TEXT).collide(poses)
    assert max(gap(*both) for both in found) < 1e-7
    assert sum(len(theirs.dist) == 2 for theirs, _ in found) > 50


def test_before():
    """3.3.7 has other points; ours under that name are its."""
    m, older = sinew.Model.from_xml(TEXT, physics="3.3.7"), mujoco.MjModel.from_xml_string(TEXT)
    d, theirs = sinew.Data(m), mujoco.MjData(older)
    for data, forward in ((d, sinew.fwdPosition), (theirs, mujoco.mj_fwdPosition)):
        data.qpos[:] = PLACES["beside"]
        forward(m if data is d else older, data)
    assert gap(theirs.contact, d.contact) < 1e-12
    ((_, new),) = Meeting(TEXT).collide([PLACES["beside"]])
    assert gap(new, d.contact) > 0.01
    assert points(new)[:, 3].tolist() == pytest.approx([-0.07, 0.12])


def test_lanes():
    m = sinew.Model.from_xml(TEXT, physics="4.0")
    batch = sinew.Batch(m, len(PLACES))
    assert not batch.scalar_features
    batch.qpos[:] = list(PLACES.values())
    batch.step()
    for k, place in enumerate(PLACES.values()):
        d = sinew.Data(m)
        d.qpos[:] = place
        sinew.step(m, d)
        np.testing.assert_allclose(batch.qvel[k], d.qvel, atol=1e-9)
