"""Elements by name or id beside the peer's: kinds, attributes, identity, errors, life."""

import copy
import gc
import re
import weakref

import mujoco
import numpy as np
import pytest

import models
import sinew
import sinew.mujoco

EVERYTHING = """<mujoco><size nuser_body="2"/>
<asset><mesh name="mesh" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
<hfield name="hills" nrow="3" ncol="4" size="1 1 1 1" elevation="1 2 3 4 5 6 7 8 9 10 11 12"/>
<texture name="flat" type="2d" builtin="flat" width="5" height="7" rgb1="1 1 1"/>
<texture name="cube" type="cube" builtin="flat" width="4" height="4" rgb1="1 0 1"/>
<material name="paint" texture="flat"/></asset>
<worldbody><camera name="eye"/><light name="sun"/><site name="here"/>
<body name="a"><joint name="ball" type="ball"/><geom name="g" size=".1"/><site name="there" pos="1 0 0"/></body>
<body name="b" pos="3 1 1"><joint name="hinge" axis="0 1 0"/><geom name="h" size=".2" pos=".1 0 0"/></body>
<body name="c" pos="6 0 0"><freejoint name="free"/><geom size=".1 .2 .3" type="box"/></body></worldbody>
<tendon><spatial name="rope"><site site="here"/><site site="there"/></spatial>
<fixed name="gear"><joint joint="hinge" coef="2"/></fixed></tendon>
<actuator><motor name="motor" joint="hinge"/></actuator>
<sensor><jointpos joint="hinge" name="angle"/><subtreecom body="a" name="com"/></sensor>
<custom><numeric name="numbers" data="1 2 3"/><text name="words" data="abc"/>
<tuple name="pair"><element objtype="body" objname="a" prm="2"/><element objtype="site" objname="here"/></tuple></custom>
<equality><connect name="hold" body1="a" anchor="0 0 0"/></equality>
<keyframe><key name="up" time="2" ctrl="1"/></keyframe>
<contact><exclude name="apart" body1="a" body2="b"/><pair name="touch" geom1="g" geom2="h"/></contact></mujoco>"""

# What the peer gives and we do otherwise: its tendon.lengthspring has half of the numbers, its rows of moment arms are
# cut from the sparse array as if that were dense.
OTHERWISE = {
    ("tendon", "_lengthspring"),
    ("actuator", "moment"),
    ("ten", "J_rownnz"),
    ("tendon", "J_rownnz"),
}


def kinds(holder):
    """The kinds of element of a peer's model or data."""
    names = [n for n in dir(type(holder)) if not n.startswith(("_", "bind", "from"))]
    return [n for n in names if callable(getattr(holder, n))]


def count(holder, kind):
    """How many of a kind there are."""
    try:
        getattr(holder, kind)(-1)
    except IndexError as error:
        return int(str(error).rsplit(" ", 1)[1]) + 1


def attributes(element):
    return [n for n in dir(element) if not n.startswith(("__", "_pybind"))]


def named_in(text):
    """Attributes that a repr lists."""
    return set(re.findall(r"^  (\w+): ", text, re.MULTILINE))


def compare(ours, theirs, values):
    """Every kind, element and attribute that the peer has."""
    for kind in kinds(theirs):
        assert count(ours, kind) == count(theirs, kind), kind
        for i in range(min(count(theirs, kind), 8)):
            a, b = getattr(ours, kind)(i), getattr(theirs, kind)(i)
            for name in attributes(b):
                x, y = getattr(a, name), getattr(b, name)
                if (kind, name) in OTHERWISE:
                    continue
                if not isinstance(y, np.ndarray):
                    assert x == y, (kind, name)
                    continue
                assert (x.shape, x.dtype) == (y.shape, y.dtype), (kind, i, name)
                assert getattr(a, name) is x or name.startswith("J"), (kind, name)
                if values and not (kind == "mesh" and name == "graphadr"):
                    np.testing.assert_allclose(
                        x, y, rtol=1e-9, atol=1e-12, err_msg=f"{kind} {name}"
                    )
            assert named_in(repr(b)) <= named_in(repr(a))


def both(text):
    pair = []
    for module in (sinew.mujoco, mujoco):
        m = module.MjModel.from_xml_string(text)
        d = module.MjData(m)
        module.mj_forward(m, d)
        pair.append((m, d))
    return pair


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_all_kinds_and_attributes(jacobian):
    text = EVERYTHING.replace("<size", f'<option jacobian="{jacobian}"/><size')
    (m, d), (pm, pd) = both(text)
    compare(m, pm, True)
    compare(d, pd, False)
    for kind in ("body", "geom", "site", "camera", "light"):
        for i in range(count(pd, kind)):
            a, b = getattr(d, kind)(i), getattr(pd, kind)(i)
            for name in attributes(b):
                if name.startswith("x") and name != "xfrc_applied":
                    np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-12)


@pytest.mark.parametrize("path", models.everything()[::7], ids=lambda p: p.name)
def test_models_of_others(path):
    m, pm = sinew.mujoco.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_path(str(path))
    compare(sinew.mujoco.MjData(m), mujoco.MjData(pm), False)
    for kind in kinds(pm):
        assert count(m, kind) == count(pm, kind)


@pytest.mark.parametrize("api", [sinew, sinew.mujoco])
def test_elements_are_kept(api):
    m = (
        sinew.Model.from_xml(EVERYTHING)
        if api is sinew
        else sinew.mujoco.MjModel.from_xml_string(EVERYTHING)
    )
    d = sinew.Data(m) if api is sinew else sinew.mujoco.MjData(m)
    for holder in (m, d):
        body = holder.body("b")
        assert holder.body(2) is body and holder.body("b") is body and holder.body(name="b") is body
        assert holder.body(np.int32(2)) is body and holder.body(np.str_("b")) is body
        assert holder.body(b"b") is body and holder.body(True) is holder.body("a")
        assert holder.body("b") != holder.body("a") and holder.jnt("hinge") is holder.joint(1)
    assert d.body("b").xpos is d.body(2).xpos and d.body("b") is not m.body("b")
    assert d.body("b") is not type(d)(m).body("b")
    assert m.hfield().data.shape == (3, 4) and m.hfield() is m.hfield("hills")
    assert m.texture("flat").data.shape == (7, 5, 3) and m.texture("cube").data.shape == (24, 4, 3)
    assert m.tuple("pair").objid.tolist() == [1, 0] and m.text("words").data == "abc"
    assert d.ten("gear") is d.tendon(1) and d.tendon("gear").J.tolist() == [0, 0, 0, 0] + 6 * [0]


def test_assignment():
    m = sinew.Model.from_xml(EVERYTHING)
    d = sinew.Data(m)
    d.joint("free").qpos = np.arange(7)
    d.joint("ball").qvel[1] = 3
    assert d.qpos[5:].tolist() == list(range(7)) and d.qvel[1] == 3
    m.hfield("hills").data[1, 2] = 0.5
    assert m.hfield_data[6] == 0.5
    for name, value in [("id", 3), ("name", "x"), ("colour", 1)]:
        with pytest.raises(AttributeError):
            setattr(m.body("a"), name, value)
    with pytest.raises(AttributeError):
        del d.body("a").xpos
    with pytest.raises(ValueError):
        d.body("a").xpos = [1, 2]
    for broken in (copy.copy, type):
        with pytest.raises(TypeError):
            type(m.body("a"))() if broken is type else broken(m.body("a"))


def test_errors_say_what_there_is():
    for m in (sinew.Model.from_xml(EVERYTHING), sinew.mujoco.MjModel.from_xml_string(EVERYTHING)):
        for wrong in ("x", "", "a\0", "\ud800", b"x"):
            with pytest.raises(KeyError, match="Valid names: |did you mean"):
                m.body(wrong)
        for wrong in (-1, 4, 1 << 70, np.int64(9)):
            with pytest.raises(IndexError, match="3"):
                m.body(wrong)
        for wrong in (1.0, None, [], ("a",)):
            with pytest.raises(TypeError):
                m.body(wrong)
        for call in (
            lambda m=m: m.body("a", "b"),
            lambda m=m: m.body(nme="a"),
            lambda m=m: m.body("a", name="a"),
        ):
            with pytest.raises(TypeError):
                call()
    with pytest.raises(
        KeyError,
        match=r"Invalid name 'bal'\. Valid names: \['ball', 'free', 'hinge'\]; did you mean",
    ):
        m.joint("bal")
    with pytest.raises(
        KeyError, match=r"Invalid name ''\. Valid names: \['ball', 'free', 'hinge'\]"
    ):
        m.joint()
    with pytest.raises(IndexError, match=r"Invalid index 3\. Valid indices from 0 to 2"):
        m.joint(3)


def test_addresses_that_leave_the_arrays():
    m = sinew.Model.from_xml(EVERYTHING)
    d = sinew.Data(m)
    m.hfield_nrow[0], m.tex_width[0], m.tuple_adr[0], m.numeric_size[0] = (
        1 << 30,
        1 << 30,
        -1,
        1 << 30,
    )
    m.sensor_adr[1], m.text_size[0], m.jnt_dofadr[1], m.jnt_qposadr[2] = 99, -5, 70, -70
    for element, name in [(m.hfield(0), "data"), (m.texture(0), "data"), (m.tuple(0), "objid"), (m.numeric(0), "data"),
                          (d.sensor(1), "data"), (m.text(0), "data"), (d.joint(1), "qvel"), (d.joint(2), "qpos")]:  # fmt: skip
        with pytest.raises(ValueError, match="leave its arrays"):
            getattr(element, name)
    sinew.forward(m2 := sinew.Model.from_xml(EVERYTHING), d2 := sinew.Data(m2))
    d2.moment_colind[:] = 99
    with pytest.raises(ValueError):
        _ = d2.actuator(0).moment


@pytest.mark.parametrize("cls", [sinew.Data, sinew.mujoco.MjData])
def test_data_dies_with_its_elements_held(cls):
    """No cycle: the data goes with its last name, without the collector; its elements live on."""
    m = (sinew.Model.from_xml if cls is sinew.Data else sinew.mujoco.MjModel.from_xml_string)(
        EVERYTHING
    )
    gc.disable()
    try:
        d = cls(m)
        body, xpos = d.body("b"), d.body("b").xpos
        dead, dead_model = weakref.ref(d), weakref.ref(m)
        del d, m
        assert dead() is None and dead_model() is None
    finally:
        gc.enable()
    body.xpos = 4
    assert xpos.tolist() == [4, 4, 4] and body.name == "b" and body.xipos.shape == (3,)


def test_bound_elements_are_those_of_the_model():
    spec = sinew.mujoco.MjSpec.from_string(EVERYTHING)
    m = spec.compile()
    d = sinew.mujoco.MjData(m)
    assert m.bind(spec.body("a")) is m.body("a") and d.bind_scalar(spec.joint("ball")) is d.joint(
        "ball"
    )
    for wrong in (None, "a", spec.bodies):
        with pytest.raises(TypeError):
            m.bind_scalar(wrong)
    with pytest.raises(TypeError):
        d.bind_scalar(spec.material("paint"))


def test_flexes_have_names_too():
    """The peer has no such elements: only its ids go by name."""
    text = (
        '<mujoco><worldbody><body name="a"/></worldbody><deformable><flex name="g" dim="1" body="a" vertex="0 0 0 1 0 0" '
        'element="0 1"/><flex name="cloth" dim="2" body="a" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2"/></deformable></mujoco>'
    )
    model = sinew.Model.from_xml(text)
    cloth = model.flex("cloth")
    assert (cloth.id, cloth.edgenum[0], cloth.dim[0]) == (1, 3, 2)
    cloth.radius = 0.1
    assert model.flex_radius[1] == 0.1
    assert model.flex(1) is cloth
    with pytest.raises(KeyError, match="did you mean 'cloth'"):
        model.flex("cloht")
    assert "flex" not in dir(sinew.mujoco.MjModel)
