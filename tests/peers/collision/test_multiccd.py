"""Several contacts a pair (flag multiccd) against the pinned peer.

Where two sides overlap in a polygon of more than four corners the peer keeps some four; ours span at least as
large an area. Where it has to choose nothing the points are the same.
"""

import mujoco
import numpy as np
import pytest

import bridge
from test_mesh import asset, exact, run

FLAG = '<option><flag multiccd="enable"/></option>'


CUBE, BOX = 'type="mesh" mesh="cube"', 'type="box" size=".08 .09 .1"'


def scene(geom, euler, height, margin=0.0, slide="0.01 0.02", base=CUBE):
    m = exact(
        mujoco.MjModel.from_xml_string(
            f"""<mujoco>{FLAG}<asset>{asset("cube")}</asset><worldbody>
            <geom {base} margin="{margin}"/>
            <body pos="{slide} {height}" euler="{euler}"><freejoint/><geom {geom}/></body>
            </worldbody></mujoco>"""
        )
    )
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m, narena=1 << 20)
    theirs, found = run(m, d, ours, bridge.make_data(ours))
    return theirs, found.copy()


def matched(theirs, found):
    """Whether the places are the same seen from above, in any order."""
    gap = np.abs(theirs.pos[:, None, :2] - found["pos"][None, :, :2]).max(2)
    return len(theirs.pos) == len(found) and gap.min(0).max() < 1e-6 and gap.min(1).max() < 1e-6


@pytest.mark.parametrize("geom", [CUBE, BOX])
@pytest.mark.parametrize(
    "euler,height",
    [
        ("0 0 0", 0.19),
        ("0.5 0 0", 0.19),
        ("1 0 90", 0.19),
        ("5 0 0", 0.19),
        ("40 0 0", 0.22),
        ("30 20 0", 0.22),
    ],
)
def test_sides(geom, euler, height):
    theirs, found = scene(geom, euler, height)
    assert len(found) > 0
    assert matched(theirs, found)
    # midway between the upper side of the cube and the other shape, as deep below it
    np.testing.assert_allclose(np.abs(found["frame"][:, 2]), 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["pos"][:, 2], 0.1 + found["dist"] / 2, rtol=0, atol=1e-8)
    # the peer puts contacts of a box and an edge of a mesh a depth too low
    low = found["dist"][0] if geom is BOX and len(found) == 2 else 0
    np.testing.assert_allclose(theirs.pos[:, 2] - low, found["pos"][:, 2], rtol=0, atol=1e-8)
    np.testing.assert_allclose(found["dist"], theirs.dist[0], rtol=0, atol=1e-8)


def area(pos):
    x = pos[:, :2] - pos[:, :2].mean(0)
    x = x[np.argsort(np.arctan2(x[:, 1], x[:, 0]))]
    y = np.roll(x, -1, 0)
    return np.abs((x[:, 0] * y[:, 1] - x[:, 1] * y[:, 0]).sum()) / 2


@pytest.mark.parametrize("geom", [CUBE, BOX])
@pytest.mark.parametrize("angle", [10, 20, 30, 45, 70])
def test_four_of_eight(geom, angle):
    """Four corners of what two sides share, midway between the surfaces."""
    theirs, found = scene(geom, f"0 0 {angle}", 0.19)
    assert len(found) == len(theirs.dist) == 4
    assert area(found["pos"]) > area(theirs.pos) - 1e-6
    np.testing.assert_allclose(found["dist"], theirs.dist, rtol=0, atol=1e-8)
    half = [0.1, 0.1] if geom is CUBE else [0.08, 0.09]
    for pos in found["pos"]:
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turned = np.array([[c, s], [-s, c]]) @ (pos[:2] - [0.01, 0.02])
        inside = np.append(0.1 - np.abs(pos[:2]), half - np.abs(turned))
        assert inside.min() > -1e-8
        # a corner of what they share: on two of the eight sides
        assert np.sum(np.abs(inside) < 1e-8) == 2
        top = 0.1  # of the lower one; the bottom of the other is half its depth above or below
        assert pos[2] == pytest.approx(top + found["dist"][0] / 2, abs=1e-8)


ROUND = [
    ('type="cylinder" size=".07 .1"', 0.19),
    ('type="capsule" size=".05 .12" euler="90 0 0"', 0.14),
    ('type="sphere" size=".1"', 0.19),
    ('type="ellipsoid" size=".1 .08 .1"', 0.19),
]


@pytest.mark.parametrize(
    "geom,height,margin",
    [(*r, margin) for r in ROUND for margin in (0, 0.02)] + [(BOX, 0.19, 0.02)],
)
def test_turned(geom, height, margin):
    """Other shapes, and margins: the ends of what they share."""
    theirs, found = scene(geom, "0 0 10", height, margin)
    assert abs(len(found) - len(theirs.dist)) <= 1  # whether the first is one of the ends is open
    np.testing.assert_allclose(found["dist"], theirs.dist[0], rtol=0, atol=1e-6)
    ends = [np.ptp(x[:, :2], axis=0) for x in (theirs.pos, found["pos"])]
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=2e-3)


def points(contacts, fields):
    pos, frame, dist = (
        np.asarray(contacts[f] if fields else getattr(contacts, f))
        for f in ("pos", "frame", "dist")
    )
    return np.column_stack([pos, frame[:, :3], dist])


@pytest.mark.parametrize("margin", [0, 0.02])
@pytest.mark.parametrize(
    "base", [BOX, CUBE, 'type="cylinder" size=".3 .1"', 'type="ellipsoid" size=".3 .3 .1"']
)
@pytest.mark.parametrize(
    "geom,lying",
    [
        ('type="cylinder" size=".05 .06"', 0.145),
        ('type="cylinder" size=".05 .3"', 0.145),
        ('type="capsule" size=".05 .06"', 0.145),
    ],
)
def test_tilted(geom, lying, base, margin):
    """Where one point is deepest all contacts are the peer's, in its order, once its search goes on to 1e-12."""
    rng = np.random.default_rng(0)
    for _ in range(6):
        tilt, yaw = rng.choice([-1, 1]) * 10 ** rng.uniform(-2, 0), rng.uniform(-180, 180)
        theirs, found = scene(geom, f"{90 + tilt} {yaw} 0", lying, margin, base=base)
        assert len(found) == len(theirs.dist) > 0
        np.testing.assert_allclose(points(found, True), points(theirs, False), rtol=0, atol=1e-5)


@pytest.mark.parametrize("base", ['type="box" size=".3 .3 .1"', CUBE])
def test_lying(base):
    """A cylinder on its side rests on both ends of the line: turns by 1e-3 rad take 1e-5 off, and 9e-5 across."""
    _, found = scene('type="cylinder" size=".05 .06"', "90 0 0", 0.14, base=base)
    ends = found["pos"][[found["pos"][:, 1].argmin(), found["pos"][:, 1].argmax()]]
    np.testing.assert_allclose(ends[:, 1:], [[-0.04, 0.095], [0.08, 0.095]], rtol=0, atol=2e-5)
    np.testing.assert_allclose(ends[:, 0], 0.01, rtol=0, atol=1e-4)
