"""sinew.mujoco: members of a spec's structs, what they take and refuse, against the pinned peer."""

import typing

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

ADDED = (
    "actuator", "equality", "exclude", "hfield", "key", "material", "mesh", "numeric", "pair", "sensor",
    "skin", "flex", "tendon", "text", "texture", "tuple",
)  # fmt: skip
IN_BODIES = ("body", "camera", "frame", "geom", "joint", "light", "site")
# A body that no body holds is none; what these are of is not here.
OWN = {
    "parent",
    "plugin",
    "plugins",
    "visual",
    "option",
    "stat",
    "compiler",
    "default",
}


def structs(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    found = {"spec": spec, "body": body, "world": spec.worldbody, "default": spec.default}
    found |= {kind: getattr(body, "add_" + kind)() for kind in IN_BODIES if kind != "body"}
    found |= {kind: getattr(spec, "add_" + kind)() for kind in ADDED}
    found["freejoint"] = spec.worldbody.add_body().add_freejoint()
    found |= {"compiler": spec.compiler, "alt": body.alt, "LRopt": spec.compiler.LRopt}
    defaults = (
        "actuator",
        "camera",
        "equality",
        "geom",
        "joint",
        "light",
        "material",
        "mesh",
        "pair",
        "site",
    )
    found |= {"default " + kind: getattr(spec.default, kind) for kind in defaults}
    return found


# What a struct of a default class has not at the peer: reading it ends the process.
NOT_IN_DEFAULTS = {"classname", "frame", "parent", "id", "signature", "plugin", "info", "name"}


def values(struct, default):
    names = (n for n in dir(type(struct)) if not n.startswith("_"))
    names = [n for n in names if not (default and n in NOT_IN_DEFAULTS)]
    result = {}
    for name in names:
        try:
            value = getattr(struct, name)
        except ValueError as error:
            value = str(error)
        if not callable(value):
            result[name] = value
    return result


@pytest.mark.parametrize("kind", structs(ours))
def test_members_and_their_first_values(kind):
    all_mine, all_theirs = structs(ours), structs(peer)  # the peer's live as long as their spec
    mine, theirs = all_mine[kind], all_theirs[kind]
    for name, value in values(theirs, kind.startswith("default ")).items():
        assert name in dir(type(mine)), f"{kind}.{name}"
        if name in OWN:
            continue
        own = getattr(mine, name) if name != "copy_during_attach" else value
        if isinstance(value, np.ndarray):
            assert own.dtype == value.dtype and own.shape == value.shape, f"{kind}.{name}"
            np.testing.assert_array_equal(own, value, err_msg=f"{kind}.{name}")
        elif type(value).__name__.endswith("Vec"):
            assert type(own).__name__ == type(value).__name__, f"{kind}.{name}"
            if not type(value).__name__.startswith("MjByte"):
                assert list(own) == list(value), f"{kind}.{name}"
        elif hasattr(value, "name") and hasattr(type(value), "__members__"):
            assert own.name == value.name, f"{kind}.{name}"
        elif isinstance(value, str | int | float) and name != "signature":
            assert own == value or (own != own and value != value), f"{kind}.{name}"
        elif isinstance(value, list):
            assert len(own) == len(value), f"{kind}.{name}"


def test_methods_of_the_peer():
    kinds = [n for n in dir(peer) if n.startswith("Mjs")] + ["MjSpec"]
    kinds += ["MjDoubleVec", "MjIntVec", "MjFloatVec", "MjStringVec", "MjCharVec", "MjByteVec"]
    for kind in kinds:
        missing = {n for n in dir(getattr(peer, kind)) if not n.startswith("_")}
        missing -= set(dir(getattr(ours, kind)))
        assert not missing, f"{kind}: {missing}"
    assert len(typing.get_args(ours.MjStruct)) == len(typing.get_args(peer.MjStruct))
    assert isinstance(ours.MjSpec().worldbody, typing.get_args(ours.MjStruct))


@pytest.mark.parametrize("kind", [*ADDED, *IN_BODIES])
def test_keywords_are_listed_as_at_the_peer(kind):
    texts = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        holder = spec if kind in ADDED else spec.worldbody
        with pytest.raises(TypeError) as caught:
            getattr(holder, "add_" + kind)(nothing=1)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pos", [1, 2]), ("pos", [1, 2, 3, 4]), ("pos", "abc"), ("pos", 5), ("pos", None),
        ("pos", np.array([[1, 2, 3]])), ("pos", ["a", "b", "c"]), ("mass", "x"), ("mass", None),
        ("mass", np.array([3.0])), ("contype", 1.5), ("contype", "x"), ("contype", None), ("type", "x"),
        ("type", 99), ("name", 3), ("name", None), ("userdata", "x"), ("userdata", 5), ("userdata", None),
        ("userdata", [[1, 2], [3]]), ("rgba", [1, 2, 3]), ("classname", None), ("plugin", None),
    ],
)  # fmt: skip
def test_refused_values(name, value):
    for mj in (ours, peer):
        spec = mj.MjSpec()
        geom = spec.worldbody.add_geom(pos=[1, 2, 3])
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            setattr(geom, name, value)
        np.testing.assert_array_equal(geom.pos, [1, 2, 3])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pos", (1, 2, 3)), ("pos", np.array([1, 2, 3], np.float32)), ("pos", np.array([[1], [2], [3]])),
        ("pos", np.arange(6.0)[::2]), ("mass", np.float32(2)), ("mass", np.array(3.0)), ("mass", True),
        ("contype", np.int64(2)), ("contype", np.array(3)), ("contype", True), ("name", "x"), ("name", b"x"),
        ("userdata", [1, 2]), ("userdata", np.array([1, 2, 3.5])), ("userdata", ()), ("rgba", [1, 2, 3, 4]),
    ],
)  # fmt: skip
def test_taken_values(name, value):
    results = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        geom = spec.worldbody.add_geom()
        setattr(geom, name, value)
        results.append(np.array(getattr(geom, name)).tolist())
    assert results[0] == results[1]


def test_no_other_attributes():
    spec = ours.MjSpec()
    holders = (spec, spec.compiler, spec.worldbody, spec.worldbody.add_geom(), spec.worldbody.alt)
    for holder in (*holders, spec.add_key(), spec.default.geom):
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            holder.nothing = 1
        with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
            holder.nothing  # noqa: B018
    with pytest.raises(AttributeError):
        spec.worldbody.add_geom().id = 3


def test_arrays_keep_their_memory():
    spec = ours.MjSpec()
    geom = spec.worldbody.add_geom(size=[1, 1, 1])
    pos, user = geom.pos, geom.userdata
    geom.pos, geom.userdata = [1, 2, 3], [4, 5]
    assert pos.tolist() == [1, 2, 3] and list(user) == [4, 5]
    pos[0], user[1] = 7, 6
    assert geom.pos[0] == 7 and list(geom.userdata) == [4, 6]
    model = spec.compile()
    assert model.geom_pos[0, 0] == 7 and model.geom_user[0].tolist() == [4, 6]


def test_lists():
    spec = ours.MjSpec()
    material = spec.add_material()
    assert isinstance(material.textures, ours.MjStringVec) and len(material.textures) == 10
    for index in (10, -1):
        with pytest.raises(IndexError):
            material.textures[index]
        with pytest.raises(IndexError):
            material.textures[index] = "x"
    with pytest.raises(TypeError):
        material.textures[0] = 3
    key = spec.add_key(qpos=[1, 2])
    assert isinstance(key.qpos, ours.MjDoubleVec)
    np.testing.assert_array_equal(key.qpos, [1, 2])
    assert np.asarray(key.qpos, np.float32).dtype == np.float32
    mesh = spec.add_mesh(uservert=[0.1, 0, 0], userface=[0, 1, 2])
    assert mesh.uservert[0] == np.float32(0.1) and type(mesh.userface[2]) is int
    with pytest.raises(ValueError, match="userface has the wrong type"):
        mesh.userface = [0.5]
    with pytest.raises(TypeError):
        ours.MjDoubleVec()


def test_compiler():
    spec = ours.MjSpec()
    compiler = spec.compiler
    assert compiler is spec.compiler and isinstance(compiler, ours.MjsCompiler)
    compiler.eulerseq = ["z", "y", "x"]
    compiler.eulerseq[0] = "y"
    assert "".join(compiler.eulerseq) == "yyx"
    with pytest.raises(IndexError):
        compiler.eulerseq[3] = "x"
    with pytest.raises(ValueError, match="size 2"):
        compiler.inertiagrouprange = [1]
    spec.meshdir = "shapes"
    assert compiler.meshdir == "shapes"
    compiler.LRopt.inttotal = 4
    assert 'inttotal="4"' in spec.to_xml()


def test_settings_reach_the_model():
    models = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        spec.option.timestep = 0.01
        spec.option.gravity[2] = -1
        spec.option.wind = [1, 2, 3]
        spec.option.disableflags = 5
        spec.option.enableflags |= 2
        spec.option.disableactuator = 6
        spec.visual.map.znear = 0.5
        spec.visual.rgba.haze = [0.1, 0.2, 0.3, 0.4]
        spec.visual.global_.offwidth = 77
        spec.stat.extent = 3
        spec.stat.center = [1, 2, 3]
        models.append(spec.compile())
    for part in ("opt", "stat"):
        for name in (n for n in dir(getattr(models[1], part)) if not n.startswith("_")):
            mine, theirs = (getattr(getattr(m, part), name) for m in models)
            np.testing.assert_allclose(mine, theirs, err_msg=name)
    for model in models:
        assert model.vis.map.znear == 0.5 and model.vis.global_.offwidth == 77
        np.testing.assert_allclose(model.vis.rgba.haze, [0.1, 0.2, 0.3, 0.4], rtol=1e-7)


def test_a_free_joint_takes_what_a_joint_has():
    models = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        spec.default.joint.stiffness = 7
        body = spec.worldbody.add_body()
        body.add_geom(size=[0.1, 0, 0])
        joint = body.add_freejoint(name="root")
        joint.damping, joint.armature = 0.5, 0.25
        models.append(spec.compile())
    for name in ("dof_damping", "dof_armature", "jnt_stiffness", "jnt_type"):
        np.testing.assert_array_equal(getattr(models[0], name), getattr(models[1], name), name)


def test_size_of_sensors():
    sizes: list[list[int]] = [[], []]
    for mj, found in zip((ours, peer), sizes, strict=True):
        spec = mj.MjSpec()
        for name, type_ in mj.mjtSensor.__members__.items():
            if not name.endswith(
                ("PLUGIN", "TACTILE", "USER")
            ):  # asking for these ends the peer's process
                found.append(spec.add_sensor(type=type_, intprm=[7, 0, 3]).get_data_size())
    assert sizes[0] == sizes[1] and len(sizes[0]) > 40
    spec = ours.MjSpec()
    assert spec.add_sensor(type=ours.mjtSensor.mjSENS_USER, dim=5).get_data_size() == 5


def test_tactile_sensors():
    models = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        spec.add_mesh(name="m").make_plate([3, 3])
        pad = spec.worldbody.add_geom(name="pad", size=[0.1, 0, 0])
        sensor = spec.add_sensor(type=mj.mjtSensor.mjSENS_TACTILE, objtype=mj.mjtObj.mjOBJ_MESH, objname="m",
                                 reftype=mj.mjtObj.mjOBJ_GEOM, refname=pad.name)  # fmt: skip
        assert (sensor.refname, sensor.objname) == ("pad", "m")
        models.append(spec.compile())
        again = mj.MjSpec.from_string(spec.to_xml()).sensors[0]
        assert (again.type, again.objname, again.refname) == (sensor.type, "m", "pad")
    for name in ("type", "dim", "objtype", "objid", "reftype", "refid", "needstage", "datatype"):
        assert getattr(models[0], "sensor_" + name) == getattr(models[1], "sensor_" + name), name


def test_pixels_of_textures():
    models = []
    for mj in (ours, peer):
        spec = mj.MjSpec()
        flat = spec.add_texture(name="flat", type=mj.mjtTexture.mjTEXTURE_2D, width=4, height=3)
        flat.data = bytes(range(36))
        cube = spec.add_texture(name="cube", width=2, height=12, nchannel=4, hflip=1)
        cube.data = bytes(range(96))
        drawn = spec.add_texture(name="drawn", width=2, height=2, builtin=1)
        drawn.data = bytes(range(12))
        models.append(spec.compile())
        assert len(flat.data) == 36 and flat.file == "" and flat.content_type == ""
    for name in ("tex_data", "tex_adr", "tex_width", "tex_height", "tex_nchannel", "tex_pathadr"):
        np.testing.assert_array_equal(getattr(models[0], name), getattr(models[1], name), name)
    for mj in (ours, peer):
        spec = mj.MjSpec()
        spec.add_texture(name="t", width=3, height=3).data = b"abc"
        with pytest.raises(ValueError, match="incorrect size, given 3 expected 27"):
            spec.compile()
        with pytest.raises((ValueError, TypeError)):
            spec.textures[0].data = [1, 2]


def test_pixels_stay_with_copies_and_attachments():
    spec = ours.MjSpec()
    texture = spec.add_texture(name="t", type=ours.mjtTexture.mjTEXTURE_2D, width=2, height=2)
    texture.data = bytes(range(12))
    assert spec.copy().compile().tex_data.tolist() == list(range(12))
    holder = ours.MjSpec()
    holder.attach(spec, prefix="x-", frame=holder.worldbody.add_frame())
    assert holder.compile().tex_data.tolist() == list(range(12))
    texture.data = bytes(12)
    assert holder.compile().tex_data.tolist() == [0] * 12
