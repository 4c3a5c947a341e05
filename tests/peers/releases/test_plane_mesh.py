"""PLANE_MESH: corners of the side of a mesh that looks most against a plane."""

import numpy as np
import pytest

import sinew
from meetings import Meeting, gap, gap_of_sets

ANGLES = np.arange(12) * np.pi / 6
MESHES = {
    "cube": [[x, y, z] for z in (-0.1, 0.1) for y in (-0.1, 0.1) for x in (-0.1, 0.1)],
    "tent": [[0, 0, 0.15], [0.15, 0, -0.1], [-0.1, 0.12, -0.1], [-0.1, -0.12, -0.1]],
    "drum": [[0.1 * np.cos(a), 0.08 * np.sin(a), z] for z in (-0.05, 0.05) for a in ANGLES],
    "coin": [
        [0.1 * np.cos(a), 0.1 * np.sin(a), z]
        for z in (-0.02, 0.02)
        for a in np.arange(200) * np.pi / 100
    ],
    "rock": 0.1 * np.random.default_rng(3).normal(size=(30, 3)),
}


def text(mesh, margin=0.0):
    vertex = " ".join(f"{x:.9g}" for x in np.ravel(MESHES[mesh]))
    return f"""<mujoco><asset><mesh name="m" vertex="{vertex}"/></asset><worldbody>
      <geom type="plane" size="1 1 1" margin="{margin}" euler="5 10 0"/>
      <body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("mesh", MESHES)
def test_any_pose(mesh, margin):
    """The same corners in the same order; a side that is nearly flat may be one polygon here and two there."""
    meeting = Meeting(text(mesh, margin))
    rng = np.random.default_rng(0)
    poses = []
    for _ in range(500):
        q = rng.normal(size=4)
        place = [*rng.uniform(-0.1, 0.1, 2), rng.uniform(-0.02, 0.14)]
        poses.append([*place, *(q / np.linalg.norm(q))])
    found = [(len(o.dist), gap(t, o)) for t, o in meeting.collide(poses)]
    assert sum(count > 1 for count, _ in found) > 100
    assert sum(not error < 1e-7 for _, error in found) <= 2


@pytest.mark.parametrize("mesh", ["cube", "tent"])
def test_flat(mesh):
    """A side that lies on the plane: all its corners. Which is the lowest, and so the first, rounding decides."""
    meeting = Meeting(text(mesh).replace(' euler="5 10 0"', ""))
    for height in (0.09, 0.0999):
        ((theirs, ours),) = meeting.collide([[0, 0, height, 1, 0, 0, 0]])
        if mesh == "cube":
            assert len(ours.dist) == 4
        assert gap_of_sets(theirs, ours) < 1e-7


def test_above_the_centre():
    """Corners above the mesh's centre are left out; 3.3.7 has three of the cube's four at most."""
    counts = {}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(text("cube").replace(' euler="5 10 0"', ""), physics=physics)
        d = sinew.Data(m)
        for angle in (0.0, 0.5, 1.0):
            d.qpos[:] = [0, 0, -0.5, np.cos(angle / 2), np.sin(angle / 2), 0, 0]
            sinew.fwdPosition(m, d)
            counts[physics, angle] = len(d.contact)
    assert [counts["4.0", a] for a in (0.0, 0.5, 1.0)] == [4, 4, 4]
    assert [counts["3.3.7", a] for a in (0.0, 0.5, 1.0)] == [3, 3, 3]
