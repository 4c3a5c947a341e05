"""MULTICCD_DEPTHS: contacts that sides and edges share, each as deep as it is.

Contacts are compared as sets: polygons of meshes begin at other vertices in the peer. Of more than four corners the peer
keeps some four, we the four of largest area. Where an edge is over a side with one end alone the peer lists the same
contact twice; we have it once.
"""

import numpy as np
import pytest

import sinew
from meetings import Meeting, gap_of_sets, points

CUBE, TENT = 'type="mesh" mesh="cube"', 'type="mesh" mesh="tent"'
BOX, CYLINDER = 'type="box" size=".08 .09 .1"', 'type="cylinder" size=".07 .1"'
CAPSULE = 'type="capsule" size=".05 .12"'
FLAT = [(CUBE, CUBE), (BOX, CUBE), (BOX, TENT), (CUBE, TENT)]
ROUND = [
    (CYLINDER, BOX),
    (CYLINDER, CUBE),
    (CAPSULE, CUBE),
    (CYLINDER, CYLINDER),
    (CAPSULE, CYLINDER),
]
EXACT = {"ccd_tolerance": 1e-12, "ccd_iterations": 500}


def text(first, second, margin=0.0, flag="enable"):
    return f"""<mujoco><option><flag multiccd="{flag}"/></option><asset>
      <mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/>
      <mesh name="tent" vertex="0 0 .15 .15 0 -.1 -.1 .12 -.1 -.1 -.12 -.1"/></asset><worldbody>
      <body><freejoint/><geom {first} margin="{margin}"/></body><body><freejoint/><geom {second}/></body>
    </worldbody></mujoco>"""


def turn(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.r_[np.cos(angle / 2), np.sin(angle / 2) * axis]


def product(a, b):
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.r_[w, v]


def poses(count, seed=0):
    """The second geom above the first on a side, an edge or a side laid down, tilted by 1e-3 to 0.5 rad."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        stand = [turn((0, 0, 1), 0), turn((1, 0, 0), np.pi / 4), turn((1, 0, 0), np.pi / 2)][k % 3]
        first = turn((1, 0, 0), np.pi / 2 * (k // 3 % 2))
        second = product(turn((0, 0, 1), rng.uniform(0, 2 * np.pi)), stand)
        second = product(turn(rng.normal(size=3), 10 ** rng.uniform(-3, -0.3)), second)
        yield np.r_[0, 0, 0, first, rng.uniform(-0.05, 0.05, 2), rng.uniform(0.1, 0.27), second]


def distinct(contacts):
    """Rows of contacts, one for those that the peer has twice."""
    rows = points(contacts)
    return [r for i, r in enumerate(rows) if not any(np.abs(r - s).max() < 1e-9 for s in rows[:i])]


def verdict(theirs, ours, tolerance):
    if gap_of_sets(theirs, ours) < tolerance:
        return "same"
    if len(distinct(theirs)) == len(ours.dist) == 1 < len(theirs.dist):
        return "twice"
    normals = points(theirs)[0, 4:], points(ours)[0, 4:]
    if normals[0] @ normals[1] < 0.7:
        return "turned"
    if len(theirs.dist) == len(ours.dist) == 4:
        return "some four" if np.abs(normals[0] - normals[1]).max() < tolerance else "normal"
    return "other"


def tally(first, second, margin, tolerance, count=450):
    meeting = Meeting(text(first, second, margin), **EXACT)
    found = {"same": 0, "some four": 0, "twice": 0, "normal": 0, "other": 0, "turned": 0}
    for theirs, ours in meeting.collide(poses(count)):
        if len(theirs.dist) or len(ours.dist):
            found[verdict(theirs, ours, tolerance)] += 1
    return found


@pytest.mark.parametrize("margin", [0, 0.03])
@pytest.mark.parametrize(("first", "second"), FLAT)
def test_flat(first, second, margin):
    """Boxes and meshes: all but one pose in a hundred, where a corner is on the rim of a side."""
    found = tally(first, second, margin, 1e-6)
    total = sum(found.values())
    assert total > 200
    assert found["same"] > 0.6 * total
    assert found["twice"] <= 0.02 * total
    assert found["other"] + found["normal"] <= 0.01 * total, found


@pytest.mark.parametrize(("first", "second"), ROUND)
def test_round(first, second):
    """Cylinders and capsules; the peer's search leaves 1e-5 in the normals of rims."""
    found = tally(first, second, 0, 1e-5)
    total = sum(found.values())
    assert total > 200
    assert found["other"] + found["normal"] <= 0.005 * total, found
    assert found["turned"] <= 0.1 * total


def test_turned_away():
    """An edge of a box on the end of a cylinder: 4.0.1 lays the cylinder's line along another side of the box, across the
    contact, 11 cm deep where they overlap by 7 mm. Ours are two points of the edge."""
    on, off = (Meeting(text(CYLINDER, BOX, 0, flag), **EXACT) for flag in ("enable", "disable"))
    pose = [-0.042773, 0, 0.226497, -0.323812, -0.155345, 0.442779, 0.82156]
    qpos = [np.r_[0, 0, 0, 1, 0, 0, 0, pose]]
    ((theirs, ours),), ((single, _),) = on.collide(qpos), off.collide(qpos)
    assert gap_of_sets(single, ours) > 0 and len(ours.dist) == len(theirs.dist) == 2
    np.testing.assert_allclose(
        points(ours)[:, 4:], np.tile(points(single)[0, 4:], (2, 1)), atol=1e-9
    )
    assert ours.dist.min() == pytest.approx(single.dist[0], abs=1e-9)
    assert single.dist[0] > -0.007 and np.max(theirs.dist) < -0.11
    assert abs(points(theirs)[0, 4:] @ points(single)[0, 4:]) < 0.05


@pytest.mark.parametrize(
    ("angle", "count"), [(1e-3, 4), (0.05, 4), (0.089, 4), (0.09, 2), (0.2, 2), (0.27, 1)]
)
def test_limits(angle, count):
    """Sides count up to a cosine of .996 between them, edges up to a sine of .0888 to the side."""
    meeting = Meeting(text(BOX, CUBE), **EXACT)
    tilted = product(turn((1, 0, 0), angle), turn((0, 0, 1), np.radians(20)))
    ((theirs, ours),) = meeting.collide([np.r_[0, 0, 0, 1, 0, 0, 0, 0.01, 0.02, 0.19, tilted]])
    assert len(theirs.dist) == len(ours.dist) == count
    # the sides share eight corners, so that places may differ; how deep a place is does not
    np.testing.assert_allclose(points(theirs)[0, 4:], points(ours)[0, 4:], rtol=0, atol=1e-8)


def test_depths_differ():
    """A tilted cube on a box, exactly: under 4.0 each corner has its own depth, under 3.3.7 the sides do not meet."""
    tilted = turn((1, 0, 0), 0.03)
    depth = {}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(text(BOX, CUBE), physics=physics)
        d = sinew.Data(m)
        d.qpos[:] = np.r_[0, 0, 0, 1, 0, 0, 0, 0.01, 0.0, 0.19, tilted]
        sinew.fwdPosition(m, d)
        depth[physics] = np.sort(d.contact.dist)
    assert len(depth["3.3.7"]) == 2
    assert len(depth["4.0"]) == 4
    # along the cube's normal, from y = -.09 to .09 on the box
    wide = depth["4.0"][2:].mean() - depth["4.0"][:2].mean()
    assert wide == pytest.approx(2 * 0.09 * np.sin(0.03), rel=1e-2)


def prism(corners):
    angles = np.arange(corners) * 2 * np.pi / corners
    vertex = [[0.1 * np.cos(a), 0.1 * np.sin(a), z] for z in (-0.05, 0.05) for a in angles]
    return " ".join(f"{x:.9g}" for x in np.ravel(vertex))


def spanned(contacts):
    """The area between four points, seen from above."""
    p = points(contacts)[:, 1:3]
    x, y = p[np.argsort(np.arctan2(*(p - p.mean(0)).T))].T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.parametrize("other", ["prism", "cube"])
@pytest.mark.parametrize("corners", [12, 32, 33, 64, 65, 100, 500])
def test_sides_of_many_corners(corners, other):
    """Prisms on prisms and on a cube, nearly level: four contacts however many corners there are, as deep as the peer's,
    and as wide apart but for a hundredth, by which 32 corners, those farthest in as many directions, are inside of all."""
    mesh = f'<mesh name="prism" vertex="{prism(corners)}"/>'
    scene = text('type="mesh" mesh="prism"', f'type="mesh" mesh="{other}"')
    meeting = Meeting(scene.replace("<asset>", f"<asset>{mesh}"), **EXACT)
    rng = np.random.default_rng(corners)
    height = 0.099 if other == "prism" else 0.149
    poses = []
    for _ in range(40):
        tilted = turn(rng.normal(size=3), 10 ** rng.uniform(-6, -3))
        turned = product(turn((0, 0, 1), rng.uniform(0, 6)), tilted)
        poses.append(np.r_[0, 0, 0, 1, 0, 0, 0, rng.uniform(-0.04, 0.04, 2), height, turned])
    for theirs, ours in meeting.collide(poses):
        assert len(theirs.dist) == len(ours.dist) == 4
        np.testing.assert_allclose(points(ours)[:, 4:], points(theirs)[:, 4:], atol=1e-6)
        assert spanned(ours) > 0.99 * spanned(theirs)
        assert abs(ours.dist.mean() - theirs.dist.mean()) < 2e-5


def test_discs_stand_on_each_other():
    """Five discs of a hundred corners, half an axis apart, keep their places."""
    bodies = "".join(
        f'<body pos="{0.005 * (k % 2)} 0 {0.1 + 0.1 * k}"><freejoint/><geom type="mesh" mesh="prism"/></body>'
        for k in range(5)
    )
    m = sinew.Model.from_xml(
        f"""<mujoco><asset><mesh name="prism" vertex="{prism(100)}"/></asset><worldbody>
        <geom type="mesh" mesh="prism"/>{bodies}</worldbody></mujoco>"""
    )
    d = sinew.Data(m)
    start = d.qpos.copy()
    sinew.step(m, d, nstep=1500)
    assert len(d.contact) == 20
    assert np.abs(d.qpos - start).max() < 3e-3
    assert np.abs(d.qvel).max() < 1e-3


def test_off():
    """Without the flag one contact."""
    meeting = Meeting(text(BOX, CUBE, 0, "disable"), **EXACT)
    for theirs, ours in meeting.collide(poses(60)):
        assert len(theirs.dist) == len(ours.dist) <= 1
        assert gap_of_sets(theirs, ours) < 1e-8 or abs(points(theirs)[0, 0] - ours.dist[0]) < 1e-8
