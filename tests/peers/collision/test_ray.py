"""Rays against the pinned peer: the same geom at the same distance, to rounding."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import models
from test_mesh import asset

AT = ctypes.POINTER(ctypes.c_double)
for name in ("ray", "rayMesh", "rayHfield", "rayGeom"):
    getattr(bridge.lib, "sn_" + name).restype = ctypes.c_double

SCENE = f"""<mujoco><asset>{asset("many")}{asset("cube")}{asset("tetrahedron")}
  <hfield name="h" nrow="7" ncol="9" size="1 .8 .4 .2"/>
  <material name="clear" rgba="1 1 1 0"/><material name="solid" rgba="1 1 1 1"/></asset>
  <worldbody>
    <geom type="plane" size="3 2 1" pos="0 0 -1"/> <geom type="plane" size="0 0 1" pos="0 -2 0" euler="-80 0 0"/>
    <geom type="hfield" hfield="h" pos="-1 .5 -.5" euler="5 10 20"/>
    <geom type="box" size=".2 .3 .1" pos="1 1 0" euler="10 20 30" group="3"/>
    <body pos="0 1 .3" euler="10 40 20"><freejoint/>
      <geom type="sphere" size=".2" material="clear"/> <geom type="sphere" size=".15" pos=".3 0 0"/>
      <geom type="capsule" size=".1 .2" pos="0 .5 0" rgba="1 1 1 0"/>
      <geom type="capsule" size=".1 .2" pos="0 .5 .2" rgba="1 1 1 0" material="solid" group="5"/></body>
    <body pos="1 0 .3" euler="80 40 20"><freejoint/>
      <geom type="ellipsoid" size=".1 .2 .3"/> <geom type="cylinder" size=".2 .1" pos=".5 0 0" group="1"/>
      <geom type="mesh" mesh="many" pos="0 .5 0"/> <geom type="mesh" mesh="cube" pos="0 -.5 0" group="2"/></body>
    <body pos="-.5 -1 .3"><geom type="mesh" mesh="tetrahedron"/></body>
  </worldbody></mujoco>"""


class World:
    def __init__(self, m):
        self.m, self.d = m, mujoco.MjData(m)
        self.ours = bridge.copy_model(m)
        self.data = bridge.make_data(self.ours)
        self.place(self.d.qpos.copy())

    def place(self, qpos):
        self.d.qpos[:] = qpos
        mujoco.mj_forward(self.m, self.d)
        self.data.geom_xpos = self.d.geom_xpos
        self.data.geom_xmat = self.d.geom_xmat

    def both(self, pnt, vec, group=None, flg_static=1, exclude=-1):
        geom = np.zeros(1, np.int32)
        mine = ctypes.c_int()
        theirs = mujoco.mj_ray(self.m, self.d, pnt, vec, group, flg_static, exclude, geom)
        got = bridge.lib.sn_ray(
            self.ours.pointer,
            self.data.pointer,
            pnt.ctypes.data_as(AT),
            vec.ctypes.data_as(AT),
            None if group is None else group.ctypes.data_as(ctypes.c_void_p),
            flg_static,
            exclude,
            ctypes.byref(mine),
        )
        return (theirs, int(geom[0])), (got, mine.value)


def agree(theirs, ours):
    """Distances to 1e-10 of coordinates of order 1, in units of vec; geoms too but at equal distances."""
    return theirs[0] == pytest.approx(ours[0], abs=1e-10, rel=1e-10) and theirs[1] == ours[1]


@pytest.fixture(scope="module")
def world():
    m = mujoco.MjModel.from_xml_string(SCENE)
    m.hfield_data[:] = np.random.default_rng(7).uniform(0, 1, m.nhfielddata)
    return World(m)


def test_scene(world):
    """Every shape from outside and from inside, with every way to leave geoms out."""
    rng = np.random.default_rng(0)
    hit = np.zeros(world.m.ngeom, int)
    for k in range(3000):
        pnt = rng.uniform(-2, 2, 3)
        if k % 3 == 0:  # in or about a geom
            pnt = world.d.geom_xpos[rng.integers(world.m.ngeom)] + rng.normal(0, 0.1, 3)
        vec = rng.normal(size=3) * rng.choice([0.1, 1, 10])
        if k % 5 == 0:
            vec = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        group = rng.integers(0, 2, 6).astype(np.uint8) if k % 7 == 0 else None
        result = world.both(pnt, vec, group, k % 4 != 0, k % 6 - 2)
        assert agree(*result), (k, *result)
        hit[result[1][1]] += result[1][1] >= 0
    clear = [4, 6]
    assert not hit[clear].any()
    assert (np.delete(hit, clear) > 5).all()


def test_hfield(world):
    """Under, beside and along the field; cells and edges met exactly."""
    rng = np.random.default_rng(1)
    frame = world.d.geom_xmat[2].reshape(3, 3)
    size = world.m.hfield_size[0]
    met = 0
    for k in range(3000):
        local = rng.uniform(-1.3, 1.3, 3) * [size[0], size[1], 0.5]
        v = rng.normal(size=3) * [1, 1, rng.choice([0, 0.1, 1])]
        if k % 4 == 0:
            v[rng.integers(2)] = 0
        if not v.any():
            continue
        pnt, vec = world.d.geom_xpos[2] + frame @ local, frame @ v
        theirs = mujoco.mj_rayHfield(world.m, world.d, 2, pnt, vec)
        ours = bridge.lib.sn_rayHfield(
            world.ours.pointer,
            world.data.pointer,
            2,
            pnt.ctypes.data_as(AT),
            vec.ctypes.data_as(AT),
        )
        met += ours >= 0
        assert ours == pytest.approx(theirs, abs=1e-9, rel=1e-9), (k, local, v)
    assert met > 900


def test_multi(world):
    rng = np.random.default_rng(2)
    for cutoff in (1e10, 1.0):
        pnt, vec = rng.uniform(-1, 1, 3), rng.normal(size=(200, 3))
        vec /= np.linalg.norm(vec, axis=1)[:, None]
        theirs, ours = (
            (np.zeros(200, np.int32), np.zeros(200)),
            (np.zeros(200, np.int32), np.zeros(200)),
        )
        mujoco.mj_multiRay(world.m, world.d, pnt, vec.ravel(), None, 1, -1, *theirs, 200, cutoff)
        bridge.lib.sn_multiRay(
            world.ours.pointer,
            world.data.pointer,
            pnt.ctypes.data_as(AT),
            vec.ctypes.data_as(AT),
            None,
            1,
            -1,
            ours[0].ctypes.data_as(ctypes.c_void_p),
            ours[1].ctypes.data_as(AT),
            200,
            ctypes.c_double(cutoff),
        )
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-10, atol=1e-10)
        assert np.array_equal(ours[0], theirs[0])
        assert (ours[0] >= 0).sum() > 20


@pytest.mark.parametrize("name", ["dog.xml", "quadruped.xml", "humanoid_CMU.xml"])
def test_models(name):
    """Models of other people, meshes of dog among them."""
    path = next(p for p in models.suite() if p.name == name)
    world = World(mujoco.MjModel.from_xml_path(str(path)))
    rng = np.random.default_rng(3)
    centre = world.d.subtree_com[1]
    met = 0
    for k in range(300):
        pnt = centre + rng.normal(0, 0.3, 3)
        result = world.both(pnt, centre + rng.normal(0, 0.2, 3) - pnt)
        met += result[1][0] >= 0
        assert agree(*result), (k, *result)
    assert met > 100


def test_nothing(world):
    """A ray without direction, geoms of other kinds and ids out of range: no hit."""
    p, z, v = np.zeros(3), np.zeros(3), np.array([0, 0, -1.0])
    call = (world.ours.pointer, world.data.pointer)
    at = [x.ctypes.data_as(AT) for x in (p, z, v)]
    assert bridge.lib.sn_ray(*call, at[0], at[1], None, 1, -1, None) == -1
    for g in (-1, 0, world.m.ngeom):
        assert bridge.lib.sn_rayMesh(*call, g, at[0], at[2]) == -1
        assert bridge.lib.sn_rayHfield(*call, g, at[0], at[2]) == -1


def test_normals(world):
    """Of unit length, of a plane that touches there: a ray that goes along it meets nothing new. Nothing is met: zeros."""
    rng = np.random.default_rng(4)
    call, normal, geomid = (world.ours.pointer, world.data.pointer), np.zeros(3), ctypes.c_int()
    n = normal.ctypes.data_as(AT)
    met = set()
    for _ in range(600):
        pnt, vec = rng.uniform(-2, 2, 3), rng.normal(size=3)
        at = [x.ctypes.data_as(AT) for x in (pnt, vec)]
        x = bridge.lib.sn_ray(*call, *at, None, 1, -1, ctypes.byref(geomid))
        bridge.lib.sn_rayNormal(*call, geomid.value, *at, ctypes.c_double(x), n)
        if x < 0:
            assert not normal.any()
            continue
        met.add(int(world.m.geom_type[geomid.value]))
        assert np.linalg.norm(normal) == pytest.approx(1)
        # the surface beside the hit is in the plane: a ray a little aside meets it at a distance that follows
        aside = np.cross(normal, vec)
        if np.linalg.norm(aside) < 0.1 or abs(normal @ vec) < 0.1:
            continue
        small = 1e-5 * aside / np.linalg.norm(aside)
        beside = pnt + small
        y = bridge.lib.sn_ray(
            *call,
            beside.ctypes.data_as(AT),
            at[1],
            None,
            1,
            -1,
            ctypes.byref(other := ctypes.c_int()),
        )
        if other.value == geomid.value and abs(x - y) < 1e-4:
            assert abs(normal @ (small + (y - x) * vec)) < 2e-8
    assert len(met) >= 5
    for g, x in ((-1, 1.0), (world.m.ngeom, 1.0), (0, -1.0), (0, np.nan)):
        normal[:] = 7
        bridge.lib.sn_rayNormal(*call, g, *at, ctypes.c_double(x), n)
        assert not normal.any()
