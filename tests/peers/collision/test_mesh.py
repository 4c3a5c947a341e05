"""Contacts of meshes against the pinned peer.

A mesh collides as its convex hull. Its signed distance to a convex shape is the widest gap over all directions;
the peer's search (tolerance here 1e-12) mostly finds the same to 1e-11. Where it does not, the gap along both
normals, computed here from the vertices, decides. Against planes the points are the peer's, one by one.
"""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import models
from test_collision import Scene, difference, orientation
from test_convex import AGREE, SIZES, exact, support

bridge.lib.sn_geomDistance.restype = ctypes.c_double
MESHES = ["tetrahedron", "cube", "round", "flake", "many"]


def vertices(name):
    rng = np.random.default_rng(len(name))
    if name == "cube":
        return 0.1 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    count = {"tetrahedron": 4, "round": 40, "flake": 15, "many": 300}[name]
    v = rng.normal(size=(count, 3))
    v /= np.linalg.norm(v, axis=1)[:, None]
    return v * [0.15, 0.1, 0.01 if name == "flake" else 0.12]


def asset(name, key=None):
    text = " ".join(f"{x:.17g}" for x in vertices(name).ravel())
    return f'<mesh name="{key or name}" vertex="{text}"/>'


def pair_scene(one, two, margin=0.0, option=""):
    """Two free bodies; a name of a mesh or of a primitive each."""

    def geom(kind):
        if kind in MESHES:
            return f'<geom type="mesh" mesh="{kind}" margin="{margin}"/>'
        return f'<geom type="{kind}" size="{SIZES.get(kind, "1 1 1")}" margin="{margin}"/>'

    assets = "".join(asset(k) for k in {one, two} & set(MESHES))
    bodies = f"<body>{geom(one)}{'' if one == 'plane' else '<freejoint/>'}</body>"
    bodies += f"<body>{geom(two)}<freejoint/></body>"
    return mujoco.MjModel.from_xml_string(
        f"<mujoco>{option}<asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>"
    )


def farthest(m, d, geom, n):
    """Support value of a geom about its centre along n, meshes too."""
    if m.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
        return support(m, d, geom, n)
    mesh = m.geom_dataid[geom]
    v = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)
    return (v @ (d.geom_xmat[geom].reshape(3, 3).T @ n)).max()


def gap(m, d, geoms, n):
    """Gap of two geoms along n."""
    g1, g2 = geoms
    between = d.geom_xpos[g2] - d.geom_xpos[g1]
    return between @ n - farthest(m, d, g1, n) - farthest(m, d, g2, -n)


def run(m, d, ours, data):
    """Contacts of both engines at d.qpos."""
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_collision(m, d)
    data.geom_xpos = d.geom_xpos
    data.geom_xmat = d.geom_xmat
    bridge.call("collision", ours, data)
    return d.contact, data.contact[:, 0]


def place(d, rng, reach):
    q = rng.normal(size=14)
    q[3:7] /= np.linalg.norm(q[3:7])
    q[10:14] /= np.linalg.norm(q[10:14])
    q[:3] = rng.uniform(-1, 1, 3)
    q[7:10] = q[:3] + q[7:10] / np.linalg.norm(q[7:10]) * rng.uniform(0.05, reach)
    d.qpos[:] = q


@pytest.mark.parametrize("margin", [0, 0.1])
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("other", [*SIZES, "cube", "many"])
def test_pairs(mesh, other, margin):
    """Random poses, deep to apart."""
    m = exact(pair_scene(other, mesh, margin))
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m, narena=1 << 20)
    data = bridge.make_data(ours)
    rng = np.random.default_rng(1)
    differences = []
    for k in range(60):
        place(d, rng, 0.25 + margin)
        theirs, found = run(m, d, ours, data)
        if len(theirs.dist) != len(found):
            # one touches by what the other's rounding leaves out
            near = np.concatenate([theirs.dist, found["dist"]])
            assert np.abs(near - margin).max() < 1e-6, k
            continue
        for i, f in enumerate(found):
            n = f["frame"][:3]
            assert tuple(theirs.geom[i]) == tuple(f["geom"])
            # 1e-12: a few roundings of coordinates of order 1
            assert f["dist"] == pytest.approx(gap(m, d, f["geom"], n), abs=1e-11), k
            assert f["dist"] >= gap(m, d, f["geom"], theirs.frame[i][:3]) - 1e-11, k
            differences.append(
                (abs(f["dist"] - theirs.dist[i]), np.linalg.norm(f["pos"] - theirs.pos[i]))
            )
    dist, pos = np.array(differences).T
    assert len(differences) > 15
    assert np.mean(dist < AGREE) > 0.9
    assert (
        np.mean(pos[dist < AGREE] < 1e-5) > 0.9
    )  # the peer's point is now and then off its surfaces


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("mesh", MESHES)
def test_plane(mesh, margin):
    """Any pose, and poses aligned with the plane, where several vertices are equally low."""
    scene = Scene(pair_scene("plane", mesh, margin))
    rng = np.random.default_rng(0)
    touching = 0
    for k in range(200):
        q = scene.d.qpos
        q[:3] = rng.uniform(-0.15, 0.15, 3)
        q[3:] = orientation(rng, k % 3)
        theirs, ours = scene.collide()
        touching += len(ours) > 1
        # a tie of rounding decides which of equally low vertices is first
        if k % 3 != 1:
            assert difference(theirs, ours, 1e-12) is None, k
        elif len(ours):
            assert abs(ours["dist"][0] - theirs.dist[0]) < 1e-12
    assert touching > 10


def distance(model, data, one, two, segment):
    return bridge.lib.sn_geomDistance(
        model.pointer,
        data.pointer,
        int(one),
        int(two),
        ctypes.c_double(10),
        segment.ctypes.data_as(ctypes.c_void_p),
    )


def check_stalled(m, d, geoms, got, expected, segment, tolerance):
    """The peer is wrong where we differ: ours is a gap, which no distance is below; one above ours is no gap."""
    if expected > got:
        normal = (segment[3:] - segment[:3]) / expected
        assert gap(m, d, geoms, normal / np.linalg.norm(normal)) < got + tolerance


@pytest.mark.parametrize("pair", [("sphere", "many"), ("cube", "round"), ("plane", "many")])
def test_distance(pair):
    """geomDistance with meshes: the peer's distance and segment."""
    m = pair_scene(*pair)  # more iterations make the peer's geomDistance crash
    m.opt.ccd_tolerance = 1e-12
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m)
    data = bridge.make_data(ours)
    rng = np.random.default_rng(3)
    apart = stalled = 0
    for _ in range(100):
        d.qpos[:] = np.concatenate([rng.normal(size=7) for _ in range(m.nq // 7)])
        if m.nq == 7:
            d.qpos[2] = rng.uniform(0, 1)
        mujoco.mj_kinematics(m, d)
        data.geom_xpos = d.geom_xpos
        data.geom_xmat = d.geom_xmat
        theirs, found = np.zeros(6), np.zeros(6)
        expected = mujoco.mj_geomDistance(m, d, 0, 1, 10, theirs)
        got = distance(ours, data, 0, 1, found)
        n = (found[3:] - found[:3]) / got
        assert np.linalg.norm(n) == pytest.approx(1, abs=1e-9)
        if m.geom_type[0] != mujoco.mjtGeom.mjGEOM_PLANE:
            assert got == pytest.approx(gap(m, d, (0, 1), n), abs=1e-9)
        apart += got > 0
        if abs(got - expected) > 1e-9:
            stalled += 1
            check_stalled(m, d, (0, 1), got, expected, theirs, 1e-9)
            continue
        np.testing.assert_allclose(found, theirs, rtol=0, atol=1e-5)
    assert apart > 50
    assert stalled <= 5


MODELS = [
    ("third_party", "kinova", "jaco_arm.xml"),
    ("third_party", "kinova", "jaco_hand.xml"),
    ("locomotion", "walkers", "assets", "build_fruitfly", "assets", "drosophila_fused.xml"),
]


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p[-1])
def test_models(path):
    """Models of other people: all geoms of one body against those of another, each moved by a random pose."""
    spec = mujoco.MjSpec.from_file(str(models.folder("dm_control", *path)))
    m = spec.compile()
    m.opt.ccd_tolerance = 1e-12
    m.opt.disableflags = (
        0  # one of them asks for the peer's old search, which is off by millimetres
    )
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m)
    data = bridge.make_data(ours)
    meshes = [g for g in range(m.ngeom) if m.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH]
    rng = np.random.default_rng(5)
    mujoco.mj_kinematics(m, d)
    touching = stalled = 0
    for _ in range(150):
        one, two = rng.choice(meshes, 2, replace=False)
        for g in (one, two):
            q = rng.normal(size=4)
            mat = np.zeros(9)
            mujoco.mju_quat2Mat(mat, q / np.linalg.norm(q))
            d.geom_xmat[g] = mat
            d.geom_xpos[g] = 0
        away = rng.normal(size=3)
        away *= rng.uniform(0.1, 0.6) / np.linalg.norm(away)
        d.geom_xpos[two] = away * (m.geom_rbound[one] + m.geom_rbound[two])
        data.geom_xpos = d.geom_xpos
        data.geom_xmat = d.geom_xmat
        theirs, found = np.zeros(6), np.zeros(6)
        expected = mujoco.mj_geomDistance(m, d, one, two, 10, theirs)
        got = distance(ours, data, one, two, found)
        n = (found[3:] - found[:3]) / got
        # the hull leaves out vertices that are inside it but for the rounding of floats
        rounding = 1e-7 * (m.geom_rbound[one] + m.geom_rbound[two])
        assert got == pytest.approx(gap(m, d, (one, two), n), abs=rounding)
        touching += got < 0
        if abs(got - expected) > rounding:
            stalled += 1
            check_stalled(m, d, (one, two), got, expected, theirs, rounding)
    assert touching > 20
    assert stalled <= 10
