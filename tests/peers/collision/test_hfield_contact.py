"""Contacts of height fields against the pinned peer.

Each triangle of the grid is the top of a prism, and a contact belongs to a prism. With margin 0 the contacts
are the peer's, in its order, as far as its search goes (see test_convex.py). With a margin the peer reports
distances that are too low by 1.5 margins; ours do not depend on the margin, and show all that is within it.
"""

import mujoco
import numpy as np
import pytest

import bridge
from test_convex import AGREE, SIZES, exact
from test_mesh import asset, run

NROW, NCOL = 7, 9
OTHERS = [*SIZES, "cube", "round"]


def scene(kind, margin=0.0, heights=None):
    """A turned height field and a free geom."""
    mesh = kind not in SIZES
    geom = f'type="mesh" mesh="{kind}"' if mesh else f'type="{kind}" size="{SIZES[kind]}"'
    m = mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset>{asset(kind) if mesh else ""}
        <hfield name="h" nrow="{NROW}" ncol="{NCOL}" size=".6 .5 .3 .1"/></asset><worldbody>
        <geom type="hfield" hfield="h" margin="{margin}" pos=".1 .2 .3" euler="10 -15 40"/>
        <body><freejoint/><geom {geom}/></body></worldbody></mujoco>"""
    )
    m.hfield_data[:] = (
        np.random.default_rng(7).uniform(0, 1, NROW * NCOL) if heights is None else heights
    )
    return exact(m)


def place(m, d, rng):
    """Over, in and beside the field, seldom under it."""
    q = rng.normal(size=4)
    d.qpos[3:] = q / np.linalg.norm(q)
    local = rng.uniform([-0.75, -0.65, -0.2], [0.75, 0.65, 0.5])
    d.qpos[:3] = m.geom_pos[0] + d.geom_xmat[0].reshape(3, 3) @ local


def start(kind, margin=0.0):
    m = scene(kind, margin)
    d = mujoco.MjData(m)
    mujoco.mj_kinematics(m, d)
    ours = bridge.copy_model(m, narena=1 << 20)
    return m, d, ours, bridge.make_data(ours)


@pytest.mark.parametrize("kind", OTHERS)
def test_contacts(kind):
    """The same prisms in the same order; distances of round shapes agree, others are never less deep."""
    m, d, ours, data = start(kind)
    rng = np.random.default_rng(1)
    difference, same_normal = [], []
    for _ in range(80):
        place(m, d, rng)
        theirs, found = run(m, d, ours, data)
        assert len(theirs.dist) == len(found)
        for i, f in enumerate(found):
            assert tuple(f["geom"]) == (0, 1)
            difference.append(theirs.dist[i] - f["dist"])
            same_normal.append(f["frame"][:3] @ theirs.frame[i][:3] > 1 - 1e-8)
    assert len(difference) > 150
    # against a prism the peer's search ends anywhere above the depth of boxes and meshes (see test_box)
    assert min(difference) > -AGREE
    if kind in ("sphere", "capsule", "ellipsoid", "cylinder"):
        assert np.max(difference) < AGREE
    # the peer then puts in the normal of the round shape's surface, where that is not the contact's
    if kind in ("sphere", "capsule", "ellipsoid"):
        assert np.mean(same_normal) > 0.98


def prisms(m, d):
    """Corners of all prisms in the world, in the order of contacts."""
    x, y, top, base = m.hfield_size[0]
    heights = m.hfield_data.reshape(NROW, NCOL) * top

    def point(r, c):
        return [c * 2 * x / (NCOL - 1) - x, r * 2 * y / (NROW - 1) - y, heights[r, c]]

    for r in range(NROW - 1):
        for c in range(NCOL - 1):
            for third in (point(r + 1, c), point(r, c + 1)):
                upper = np.array([point(r, c), point(r + 1, c + 1), third])
                lower = upper * [1, 1, 0] - [0, 0, base]
                yield np.vstack([upper, lower]) @ d.geom_xmat[0].reshape(3, 3).T + d.geom_xpos[0]


def overlap(prism, centre, axes, size):
    """Signed distance, when negative, of a prism and a box: the best of all normals of faces and edges."""
    edges = [
        prism[b] - prism[a] for a, b in ((0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (0, 3))
    ]
    normals = [np.cross(edges[0], edges[1]), *(np.cross(e, edges[6]) for e in edges[:3])]
    normals += [np.cross(edges[3], edges[4]), *axes.T]
    normals += [np.cross(e, a) for e in edges for a in axes.T]
    best = -np.inf
    for n in normals:
        length = np.linalg.norm(n)
        for unit in (n / length, -n / length) if length > 1e-9 else ():
            gap = centre @ unit - np.abs(axes.T @ unit) @ size - (prism @ unit).max()
            best = max(best, gap)
    return best


def test_box():
    """Depths of a box in each prism, by hand."""
    m, d, ours, data = start("box")
    rng = np.random.default_rng(4)
    compared = 0
    for _ in range(12):
        place(m, d, rng)
        _, found = run(m, d, ours, data)
        axes = d.geom_xmat[1].reshape(3, 3)
        depths = [overlap(p, d.geom_xpos[1], axes, m.geom_size[1]) for p in prisms(m, d)]
        depths = [x for x in depths if x <= 0]
        np.testing.assert_allclose(found["dist"], depths, rtol=0, atol=1e-12)
        compared += len(depths)
    assert compared > 40


@pytest.mark.parametrize("kind", OTHERS)
def test_margin(kind):
    """A margin adds contacts and moves none."""
    plain, wide = start(kind), start(kind, 0.05)
    rng = np.random.default_rng(2)
    more = 0
    for _ in range(20):
        place(*plain[:2], rng)
        wide[1].qpos[:] = plain[1].qpos
        found, wider = run(*plain)[1].copy(), run(*wide)[1]
        inside = wider[wider["dist"] <= 0]
        assert len(inside) == len(found)
        np.testing.assert_allclose(inside["dist"], found["dist"], rtol=0, atol=1e-10)
        assert (wider["dist"] <= 0.05).all()
        more += len(wider) > len(found)
    assert more > 3


def test_many():
    """No more than 50 contacts of a pair."""
    m, d, ours, data = start("ellipsoid")
    m.geom_size[1] = m.geom_size[1] * 4
    m.geom_rbound[1] = m.geom_rbound[1] * 4
    ours.geom_size = m.geom_size
    ours.geom_rbound = m.geom_rbound
    d.qpos[:3] = m.geom_pos[0]
    theirs, found = run(m, d, ours, data)
    assert len(theirs.dist) == len(found) == 50
    np.testing.assert_allclose(found["dist"], theirs.dist, rtol=0, atol=AGREE)
