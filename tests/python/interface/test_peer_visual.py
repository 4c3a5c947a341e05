"""What a view is made of, mjv_..., against the pinned peer: types, defaults, and the functions that compute."""

import copy
import inspect
import pathlib
import pickle

import gymnasium
import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco

ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"
MODELS = sorted(str(path) for path in ASSETS.glob("*.xml"))
TYPES = ("MjvCamera", "MjvFigure", "MjvGeom", "MjvGLCamera", "MjvLight", "MjvOption", "MjvPerturb")
BOTH = (mujoco, peer)
CLOSE = {"rtol": 1e-11, "atol": 1e-12}  # some hundred operations on doubles
FLOAT = {"rtol": 4e-7, "atol": 4e-7}  # rounding to float, of numbers around 1

XML = """<mujoco><statistic center="1 2 3" extent="2.5"/>
<visual><global fovy="50" ipd=".1" azimuth="20" elevation="-10"/><map znear=".02" zfar="40" stiffness="70"/></visual>
<worldbody>
  <camera name="a" pos="1 0 1" euler="20 30 40" fovy="40"/>
  <camera name="o" pos="1 0 1" euler="20 30 40" fovy="2" orthographic="true"/>
  <camera name="i" pos="0 1 1" euler="20 30 40" focalpixel="100 120" principalpixel="5 7"
    sensorsize=".01 .02" resolution="100 200" ipd=".2"/>
  <light pos="1 1 1" dir="0 .2 -1" castshadow="false" active="false"/>
  <light type="directional" pos="0 0 3" ambient=".1 .2 .3" diffuse=".4 .5 .6" specular=".7 .8 .9"
    attenuation="1 2 3" cutoff="50" exponent="5" bulbradius=".3" intensity="4" range="7"/>
  <light type="point"/><light attenuation="1 2 3" cutoff="50" exponent="5"/>
  <body name="mocap" mocap="true" pos="1 0 1"><geom type="box" size=".1 .2 .3" pos=".1 0 .2" euler="10 20 30"/></body>
  <body name="fixed" pos="0 1 1"><geom size=".1" pos=".1 0 0"/></body>
  <body name="free" pos="0 2 1"><freejoint/><light mode="track"/>
    <geom size=".1 .2" type="capsule" pos=".1 0 0" euler="10 20 30"/>
    <body name="child" pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1 .1 .3" type="box" euler="40 5 6"/></body></body>
  <body name="hinge" pos="0 3 1"><joint/><geom size=".1" pos=".3 0 0"/></body>
</worldbody></mujoco>"""


def members(struct):
    return [n for n in dir(struct) if n[0] != "_" and not callable(getattr(struct, n))]


def same(mine, theirs, close=None):
    """Two structs have the same members, of equal types, shapes and values; floats may be `close`."""
    assert members(mine) == members(theirs)
    for name in members(theirs):
        a, b = getattr(mine, name), getattr(theirs, name)
        assert type(a) is type(b), name
        if isinstance(b, tuple):
            assert len(a) == len(b)
        elif close and np.asarray(b).dtype.kind == "f":
            assert np.asarray(a).dtype == np.asarray(b).dtype
            np.testing.assert_allclose(a, b, **close, err_msg=name)
        else:
            assert np.asarray(a).dtype == np.asarray(b).dtype and np.shape(a) == np.shape(b), name
            assert np.array_equal(a, b), name


def unit(rng, n):
    x = rng.normal(size=n)
    return x / np.linalg.norm(x)


def matrix(quat):
    result = np.zeros(9)
    peer.mju_quat2Mat(result, quat)
    return result.reshape(3, 3)


def fill(rng, structs, **given):
    """Random numbers into members of both structs."""
    for name in members(structs[1]):
        value = getattr(structs[1], name)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            value = rng.normal(size=value.shape)
        elif isinstance(value, float):
            value = rng.uniform(0.1, 2)
        elif not isinstance(value, int):
            continue
        for struct in structs:
            setattr(struct, name, given.get(name, value))


class World:
    """A model, its data in some state, and a scene with random cameras, here and at the peer."""

    def __init__(self, path, seed, orthographic=0, transform=0, alike=False):
        rng = self.rng = np.random.default_rng(seed)
        load = "from_xml_path" if path.endswith(".xml") else "from_xml_string"
        self.m = [getattr(module.MjModel, load)(path) for module in BOTH]
        self.d = [module.MjData(m) for module, m in zip(BOTH, self.m, strict=True)]
        qpos, qvel = rng.normal(size=self.m[0].nq) * 0.3, rng.normal(size=self.m[0].nv)
        for module, m, d in zip(BOTH, self.m, self.d, strict=True):
            d.qpos += qpos
            d.qvel[:] = qvel
            module.mj_forward(m, d)
        self.s = [module.MjvScene(m, 5) for module, m in zip(BOTH, self.m, strict=True)]
        for eye in range(2):
            if eye == 0 or not alike:
                frame = matrix(unit(rng, 4))
            fill(
                rng,
                [s.camera[eye] for s in self.s],
                orthographic=orthographic,
                forward=frame[0],
                up=frame[1],
            )
        translate, rotate, scale = rng.normal(size=3), unit(rng, 4), rng.uniform(0.5, 2)
        for s in self.s:
            s.enabletransform, s.translate, s.rotate, s.scale = transform, translate, rotate, scale

    def struct(self, name, **given):
        pair = [getattr(module, name)() for module in BOTH]
        fill(self.rng, pair, **given)
        return pair

    def call(self, name, *args):
        """Calls a function here and there; arguments that are lists of two are one for each."""
        results = []
        for i, module in enumerate(BOTH):
            own = [a[i] if isinstance(a, list) else a for a in args]
            try:
                results.append(getattr(module, name)(*own))
            except module.FatalError as error:
                results.append(type(error).__name__)
        if isinstance(results[1], float):
            np.testing.assert_allclose(results[0], results[1], **CLOSE)
        elif not isinstance(results[1], peer.MjvGLCamera):
            assert results[0] == results[1]
        return results


def zeros(*sizes):
    return [[np.zeros(n) for _ in BOTH] for n in sizes]


def equal(*pairs, close=CLOSE):
    for mine, theirs in pairs:
        np.testing.assert_allclose(mine, theirs, **close)


@pytest.mark.parametrize("name", TYPES)
def test_types(name):
    theirs, mine = getattr(peer, name)(), getattr(mujoco, name)()
    same(mine, theirs)
    assert name == "MjvFigure" or repr(mine) == repr(theirs)  # the peer shows no figure
    assert mine == getattr(mujoco, name)() and mine.__class__.__name__ == name
    fill(np.random.default_rng(1), (mine, theirs))
    same(mine, theirs)
    assert name == "MjvOption" or mine != getattr(mujoco, name)()  # it has no floats
    for copied in (copy.copy(mine), copy.deepcopy(mine), pickle.loads(pickle.dumps(mine))):
        assert copied == mine and copied is not mine
        same(copied, theirs)
    with pytest.raises(TypeError):
        getattr(mujoco, name)(3)
    with pytest.raises(AttributeError):
        mine.nothing = 3


def test_texts():
    for module in BOTH:
        geom, figure = module.MjvGeom(), module.MjvFigure()
        geom.label, figure.title = "grün", "a" * 999
        assert geom.label == "grün" and len(figure.title) == 999
        geom.label = b"bytes"
        assert geom.label == "bytes"
        with pytest.raises(ValueError, match="99"):
            geom.label = "x" * 100
        with pytest.raises(TypeError):
            geom.label = 3
        figure.linename[3] = "name"
        assert figure.linename[3] == b"name" and figure.linename.dtype == "S100"
        assert figure.linename.shape == (100,) and figure.linedata.shape == (100, 2002)


def test_members_refuse_what_they_cannot_hold():
    for module in BOTH:
        geom = module.MjvGeom()
        geom.pos, geom.mat, geom.type = [1, 2, 3], np.eye(3), module.mjtGeom.mjGEOM_BOX
        with pytest.raises(ValueError):
            geom.pos = [1, 2]
        with pytest.raises((TypeError, OverflowError)):
            geom.transparent = 300
        with pytest.raises(TypeError):
            geom.type = 2.5
        with pytest.raises(TypeError):
            geom.emission = "a"
        held = geom.pos
        assert held is geom.pos and geom.type == 6


@pytest.mark.parametrize("path", [XML, *MODELS])
def test_scene(path):
    world = World(path, 0)
    mine, theirs = (module.MjvScene(m, 7) for module, m in zip(BOTH, world.m, strict=True))
    theirs.geomorder[:] = 0  # nothing has set it
    same(mine, theirs)
    same(mujoco.MjvScene(), peer.MjvScene())
    assert (len(mine.geoms), len(mine.lights), len(mine.camera)) == (7, 100, 2)
    for name in ("geoms", "lights", "camera", "geomorder", "flags"):
        assert getattr(mine, name) is getattr(mine, name)
    same(mine.lights[99], peer.MjvLight())
    assert isinstance(mine.geoms[1:3], tuple) and mine.geoms[-1] is mine.geoms[6]
    for index in (7, -8):
        with pytest.raises(IndexError):
            mine.geoms[index]


def test_scenes_are_made_and_kept():
    m = mujoco.MjModel.from_xml_string(XML)
    for arguments in ({}, {"model": m, "maxgeom": 5}):
        assert mujoco.MjvScene(**arguments).maxgeom == arguments.get("maxgeom", 0)
    for wrong in ((m,), (None, 5), (5, 5), (m, "a"), (m, 5, 5)):
        with pytest.raises(TypeError):
            mujoco.MjvScene(*wrong)
    with pytest.raises(ValueError, match="maxgeom is -1"):
        mujoco.MjvScene(m, -1)
    with pytest.raises(MemoryError):
        mujoco.MjvScene(m, 2**31 - 1)
    geom = mujoco.MjvScene(m, 5).geoms[4]
    geom.pos = [1, 2, 3]
    assert list(geom.pos) == [1, 2, 3]  # the geom keeps the scene's memory
    scene = mujoco.MjvScene(m, 5)
    scene.geoms[2].label, scene.maxgeom = "two", 2000
    for copied in (copy.copy(scene), copy.deepcopy(scene)):
        assert copied.geoms[2].label == "two" and len(copied.geoms) == 5 and copied.maxgeom == 2000
        copied.geoms[2].label = "other"
        assert scene.geoms[2].label == "two"
    with pytest.raises(AttributeError):
        scene.geoms = []
    with pytest.raises(TypeError):
        pickle.dumps(scene)


def test_rect():
    for module in BOTH:
        rect = module.MjrRect(1, 2, width=3, height=4)
        assert (rect.left, rect.bottom, rect.width, rect.height) == (1, 2, 3, 4)
        assert copy.copy(rect) == rect == copy.deepcopy(rect) != module.MjrRect(0, 2, 3, 4)
        for wrong in ((), (1,), (1, 2, 3, "a")):
            with pytest.raises(TypeError):
                module.MjrRect(*wrong)
    assert repr(mujoco.MjrRect(1, 2, 3, 4)) == repr(peer.MjrRect(1, 2, 3, 4))
    assert pickle.loads(pickle.dumps(mujoco.MjrRect(1, 2, 3, 4))).height == 4


@pytest.mark.parametrize("path", [XML, *MODELS])
def test_defaults(path):
    world = World(path, 1)
    for name, function in (
        ("MjvCamera", "mjv_defaultCamera"),
        ("MjvPerturb", "mjv_defaultPerturb"),
        ("MjvOption", "mjv_defaultOption"),
        ("MjvFigure", "mjv_defaultFigure"),
    ):
        pair = world.struct(name)
        world.call(function, pair)
        same(*pair)
    pair = world.struct("MjvCamera")
    world.call("mjv_defaultFreeCamera", world.m, pair)
    same(*pair, CLOSE)


@pytest.mark.parametrize("transform", [0, 1])
@pytest.mark.parametrize("orthographic", [0, 1])
@pytest.mark.parametrize("seed", range(8))
def test_room(seed, orthographic, transform):
    world = World(XML, seed, orthographic, transform)
    rng = world.rng
    for name in ("mjv_cameraInModel", "mjv_cameraInRoom"):
        out = zeros(3, 3, 3)
        world.call(name, *out, world.s)
        equal(*out)
    pos, quat = rng.normal(size=3), unit(rng, 4)
    for name in ("mjv_room2model", "mjv_model2room"):
        out = zeros(3, 4)
        world.call(name, *out, pos, quat, world.s)
        equal(*out)
    height = world.call("mjv_frustumHeight", world.s)
    assert height[0] == height[1]
    (out,) = zeros(3)
    world.call("mjv_alignToCamera", out, rng.normal(size=3), rng.normal(size=3))
    equal(out)
    world.call("mjv_alignToCamera", out, pos, np.array([0, 0, 1.0]))
    equal(out)
    cameras = [[s.camera[eye] for s in world.s] for eye in range(2)]
    same(*world.call("mjv_averageCamera", *cameras), FLOAT)


def test_cameras_that_are_no_frames():
    """forward and up may have any angle and length."""
    for seed in range(20):
        world = World(XML, seed, transform=seed % 2)
        for eye in range(2):
            fill(world.rng, [s.camera[eye] for s in world.s], orthographic=0)
        for name in ("mjv_cameraInModel", "mjv_cameraInRoom"):
            out = zeros(3, 3, 3)
            world.call(name, *out, world.s)
            equal(*out)
        cameras = [[s.camera[eye] for s in world.s] for eye in range(2)]
        same(*world.call("mjv_averageCamera", *cameras), FLOAT)


def test_scenes_without_cameras_are_fatal():
    world = World(XML, 0, transform=1)
    camera = world.struct("MjvCamera", type=0)
    pert = world.struct("MjvPerturb", select=4)
    empty = [module.MjvScene() for module in BOTH]
    out = zeros(3, 3, 3)
    calls = [
        ("mjv_frustumHeight", empty),
        ("mjv_cameraInRoom", *out, empty),
        ("mjv_cameraInModel", *out, empty),
        ("mjv_moveCamera", world.m, 3, 0.1, 0.1, empty, camera),
        ("mjv_movePerturb", world.m, world.d, 3, 0.1, 0.1, empty, pert),
        ("mjv_initPerturb", world.m, world.d, empty, pert),
        ("mjv_makeLights", world.m, world.d, empty),
    ]
    for name, *args in calls:
        assert world.call(name, *args)[0] == "FatalError", name
    for s in world.s:
        s.scale = 0
    out = zeros(3, 4)
    for name in ("mjv_room2model", "mjv_model2room"):
        assert world.call(name, *out, np.zeros(3), np.ones(4), world.s)[0] == "FatalError"
    for s in world.s:
        s.camera[0].orthographic = 1
    assert world.call("mjv_frustumHeight", world.s)[0] == "FatalError"
    cameras = [[s.camera[eye] for s in world.s] for eye in range(2)]
    assert world.call("mjv_averageCamera", *cameras)[0] == "FatalError"


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("action", range(-1, 9))
@pytest.mark.parametrize("seed", range(4))
def test_move_camera(seed, action, kind):
    world = World(XML, seed, seed % 2, seed // 2, alike=seed == 3)
    given = {
        "type": kind,
        "orthographic": (seed + action) % 2,
        "azimuth": 170.0,
        "elevation": -60.0,
    }
    camera = world.struct("MjvCamera", **given)
    for size in (0.01, 0.3, 3.0):
        dx, dy = world.rng.normal(size=2) * size
        world.call("mjv_moveCamera", world.m, action, dx, dy, world.s, camera)
        same(*camera, CLOSE)


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("action", range(1, 8))
def test_moves_from_views_out_of_range(action, kind):
    world = World(XML, 1)
    for angle in (-500.0, -89.5, 95.0):
        for distance in (1e-9, 1e9):
            camera = world.struct(
                "MjvCamera", type=kind, elevation=angle, azimuth=angle, distance=distance
            )
            world.call("mjv_moveCamera", world.m, action, 0.01, 0, world.s, camera)
            same(*camera, CLOSE)


@pytest.mark.parametrize("action", range(-1, 9))
@pytest.mark.parametrize("seed", range(6))
def test_move_model(seed, action):
    world = World(XML, seed, transform=seed > 0, alike=seed < 3)
    up = unit(world.rng, 3) if seed % 2 else world.rng.normal(size=3)
    for size in (0.01, 0.3, 3.0):
        dx, dy = world.rng.normal(size=2) * size
        world.call("mjv_moveModel", world.m, action, dx, dy, up, world.s)
        for name in ("translate", "rotate", "scale"):
            equal([getattr(s, name) for s in world.s], close=FLOAT)


@pytest.mark.parametrize("path", [XML, *MODELS])
@pytest.mark.parametrize("seed", range(3))
def test_perturb(path, seed):
    world = World(path, seed, seed == 2, seed % 2)
    rng, m, d = world.rng, world.m, world.d
    bodies = [-1, 0, 99, *range(1, m[0].nbody)]
    for body in bodies if path == XML else rng.permutation(bodies)[:4]:
        pert = world.struct("MjvPerturb", select=int(body), refquat=unit(rng, 4))
        world.call("mjv_initPerturb", m, d, world.s, pert)
        same(*pert, {"rtol": 1e-9, "atol": 1e-11})  # a mass by way of M^-1
        for p in pert:
            p.localmass = pert[1].localmass
        for action in range(-1, 9):
            if action in (6, 7) and not 0 <= body < m[0].nbody:
                continue  # the peer reads outside its memory
            for size in (0.01, 0.3):
                dx, dy = rng.normal(size=2) * size
                if body < 0 and action in (1, 2):
                    continue
                world.call("mjv_movePerturb", m, d, action, dx, dy, world.s, pert)
                same(*pert, CLOSE)
        for active, active2 in ((0, 0), (1, 0), (0, 2), (3, 0)):
            for p in pert:
                p.active, p.active2 = active, active2
            for x in d:
                x.xfrc_applied[:] = 7
            world.call("mjv_applyPerturbForce", m, d, pert)
            equal([x.xfrc_applied for x in d], close={"rtol": 1e-8, "atol": 1e-8})
            for paused in (0, 1):
                world.call("mjv_applyPerturbPose", m, d, pert, paused)
                equal([x.qpos for x in d], [x.mocap_pos for x in d], [x.mocap_quat for x in d])


@pytest.mark.parametrize("kind", [*range(9), *range(99, 110), 1001])
def test_geoms(kind):
    rng = np.random.default_rng(kind)
    world = World(XML, kind)
    for _ in range(3):
        geom = world.struct("MjvGeom", transparent=3)
        for g in geom:
            g.label = "label"
        size, pos, mat, rgba = (rng.normal(size=n) for n in (3, 3, 9, 4))
        world.call("mjv_initGeom", geom, kind, size, pos, mat, rgba.astype(np.float32))
        same(*geom)
        world.call("mjv_connector", geom, kind, 0.1, pos, rng.normal(size=3))
        same(*geom, FLOAT)
        for to in (pos, pos - [0, 0, 1], pos + [0, 0, 1], pos + [1, 0, 0]):
            world.call("mjv_connector", geom, kind, 0.1, pos, to)
            same(*geom, FLOAT)


@pytest.mark.parametrize("path", [XML, *MODELS])
def test_update_camera_and_lights(path):
    world = World(path, 3)
    cases = [(0, 0, 0), (3, 0, 0), (4, 0, 0)]
    cases += [(1, body, 0) for body in (-1, 0, 1, world.m[0].nbody)]
    cases += [(2, 0, cam) for cam in range(-1, world.m[0].ncam + 1)]
    for kind, body, fixed in cases:
        for orthographic in (0, 1):
            given = {
                "type": kind, "trackbodyid": body, "fixedcamid": fixed, "orthographic": orthographic
            }  # fmt: skip
            camera = world.struct("MjvCamera", **given)
            world.call("mjv_updateCamera", world.m, world.d, camera, world.s)
            same(*camera, CLOSE)
            for eye in range(2):
                same(*(s.camera[eye] for s in world.s), FLOAT)
    for headlight, transform in ((1, 0), (1, 1), (0, 0)):
        for m, s in zip(world.m, world.s, strict=True):
            m.vis.headlight.active = headlight
            s.enabletransform = transform
        world.call("mjv_makeLights", world.m, world.d, world.s)
        assert world.s[0].nlight == world.s[1].nlight
        for i in range(world.s[0].nlight):
            same(*(s.lights[i] for s in world.s), FLOAT)


def test_a_camera_of_the_model_in_parallel():
    """visual/global/orthographic is the default of the free camera."""
    world = World(XML.replace("<global ", '<global orthographic="true" '), 0)
    camera = world.struct("MjvCamera")
    world.call("mjv_defaultFreeCamera", world.m, camera)
    same(*camera, CLOSE)
    world.call("mjv_updateCamera", world.m, world.d, camera, world.s)
    for eye in range(2):
        same(*(s.camera[eye] for s in world.s), FLOAT)


def test_pulling_brings_a_body_where_it_is_wanted():
    """Without gravity the pulled point of a free body comes close to its reference."""
    m = mujoco.MjModel.from_xml_string(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>"
        "<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>"
    )
    d, pert, scene = mujoco.MjData(m), mujoco.MjvPerturb(), mujoco.MjvScene(m, 1)
    camera = mujoco.MjvCamera()
    mujoco.mj_forward(m, d)
    mujoco.mjv_updateCamera(m, d, camera, scene)
    pert.select, pert.localpos = 1, [0.1, 0, 0.3]
    mujoco.mjv_initPerturb(m, d, scene, pert)
    pert.active, pert.refselpos = 1, pert.refselpos + [0.3, 0.2, 0.1]
    for _ in range(3000):
        mujoco.mjv_applyPerturbForce(m, d, pert)
        mujoco.mj_step(m, d)
    point = d.xpos[1] + d.xmat[1].reshape(3, 3) @ pert.localpos
    assert np.linalg.norm(point - pert.refselpos) < 0.1 * np.linalg.norm([0.3, 0.2, 0.1])


@pytest.mark.parametrize("name", sorted(n for n in dir(peer) if n.startswith("mjv_")))
def test_wrong_arguments(name):
    function = getattr(mujoco, name)
    count = len(inspect.signature(function).parameters)
    for args in (
        (),
        [None] * count,
        [3] * count,
        [object()] * (count + 1),
        [mujoco.MjvGeom()] * count,
    ):
        with pytest.raises((TypeError, ValueError)):
            function(*args)
