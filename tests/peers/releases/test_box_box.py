"""BOX_BOX: two boxes by faces that are clipped, or by one point of two edges."""

import mujoco
import numpy as np
import pytest

import sinew
from meetings import Meeting, gap, gap_of_sets, points

SIZES = [(".3 .2 .4", ".2 .35 .25"), (".05 .4 .3", ".3 .3 .02"), (".1 .1 .1", ".1 .1 .1")]


def text(sizes, margin):
    return f"""<mujoco><worldbody>
      <body><freejoint/><geom type="box" size="{sizes[0]}" margin="{margin}"/></body>
      <body><freejoint/><geom type="box" size="{sizes[1]}"/></body></worldbody></mujoco>"""


def turned(rng, kind):
    """A quaternion, 0: any; 1: nearly that of the axes, by an angle from 1e-4 to 1."""
    q = rng.normal(size=4)
    if kind:
        q = np.array([1, 0, 0, 0]) + q * 10 ** rng.uniform(-4, 0)
    return q / np.linalg.norm(q)


def poses(rng, sizes, count):
    reach = sum(np.linalg.norm(np.array(s.split(), float)) for s in sizes)
    for k in range(count):
        first, second = rng.uniform(-0.35, 0.35, (2, 3)) * reach
        yield np.hstack([first, turned(rng, k % 2), second, turned(rng, k % 2)])


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("margin", [0, 0.1])
def test_any_pose(sizes, margin):
    """The same contacts in the same order. Two boxes lie flat on each other in the next test."""
    meeting = Meeting(text(sizes, margin))
    kinds = {}
    for theirs, ours in meeting.collide(poses(np.random.default_rng(0), sizes, 600)):
        assert gap(theirs, ours) < 1e-10
        kinds[len(ours.dist)] = kinds.get(len(ours.dist), 0) + 1
    assert sum(kinds.values()) - kinds.get(0, 0) > 200
    assert {1, 4} <= set(kinds)


@pytest.mark.parametrize("sizes", SIZES)
def test_one_on_the_other(sizes):
    """Flat, turned about the vertical by any angle, 0 and 90 degrees among them: four to eight points, as a set."""
    meeting = Meeting(text(sizes, 0))
    height = sum(float(s.split()[2]) for s in sizes)
    rng = np.random.default_rng(1)
    angles = [0, np.pi / 2, np.pi / 4, 1e-9, 1e-5, *rng.uniform(0, np.pi, 40)]
    states = [
        [0, 0, 0, 1, 0, 0, 0, x, y, height - depth, np.cos(a / 2), 0, 0, np.sin(a / 2)]
        for a in angles
        for depth in (1e-3, 1e-6)
        for x, y in ((0, 0), (0.01, 0.02))
    ]
    for theirs, ours in meeting.collide(states):
        assert gap_of_sets(theirs, ours) < 1e-10
        assert len(ours.dist) >= 4


def test_corners_in_one_place():
    """Of corners nearer than 1e-7 of the face's half diagonal one counts."""
    sizes = ("1 .7 .1", ".5 .3 .1")
    meeting = Meeting(text(sizes, 0.1))
    least = 1e-7 * np.hypot(1, 0.7)
    states = [[0, 0, 0, 1, 0, 0, 0, 0.1, 1 - least * s, 0.25, 1, 0, 0, 0] for s in (0.9, 1.1, 1e3)]
    counts = []
    for theirs, ours in meeting.collide(states):
        assert gap(theirs, ours) < 1e-10
        counts.append(len(ours.dist))
    assert counts == [2, 4, 4]


def test_faces_are_deep_as_they_are():
    """3.3.7 counts half of the depth below a face; each physics has its peer's."""
    pose = [0, 0, 0, 1, 0, 0, 0, 0.05, 0.03, 0.63, 1, 0, 0, 0]
    depth = {}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(text(SIZES[0], 0), physics=physics)
        d = sinew.Data(m)
        d.qpos[:] = pose
        sinew.fwdPosition(m, d)
        depth[physics] = np.array(d.contact.dist)
    peer = mujoco.MjModel.from_xml_string(text(SIZES[0], 0))
    data = mujoco.MjData(peer)
    data.qpos[:] = pose
    mujoco.mj_fwdPosition(peer, data)
    np.testing.assert_allclose(depth["3.3.7"], data.contact.dist, rtol=0, atol=1e-12)
    np.testing.assert_allclose(depth["4.0"], -0.02, rtol=0, atol=1e-12)
    np.testing.assert_allclose(depth["3.3.7"], -0.01, rtol=0, atol=1e-12)


def test_lanes():
    """Batches in double precision have the contacts of the scalar engine, and step alike."""
    m = sinew.Model.from_xml(text(SIZES[0], 0.01), physics="4.0")
    rng = np.random.default_rng(2)
    states = np.array(list(poses(rng, SIZES[0], 16)))
    batch = sinew.Batch(m, len(states))
    batch.qpos[:] = states
    batch.step()
    d = sinew.Data(m)
    for k, q in enumerate(states):
        sinew.resetData(m, d)
        d.qpos[:] = q
        sinew.step(m, d)
        np.testing.assert_allclose(batch.qvel[k], d.qvel, rtol=1e-9, atol=1e-9)
    assert points(d.contact).shape[1] == 7
