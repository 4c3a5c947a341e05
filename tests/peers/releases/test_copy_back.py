"""copy_back: numbers changed in a compiled model, in the frames, units and words of its spec."""

import numpy as np
import pytest

import compiled
import sinew

TEXT = """<mujoco><compiler eulerseq="zyx"/><option gravity="0 0 -1"/><asset><material name="mat"/>
<mesh name="mm" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 .5 .2 .3 .4"/></asset>
<worldbody><light name="l" pos="0 0 3" dir="0 1 -1"/><camera name="c" pos="1 2 3" euler="10 20 30"/><geom type="hfield" hfield="h" pos="0 0 -9"/>
<frame pos="1 0 0" euler="0 0 90"><body name="body" pos="1 0 0" euler="10 0 0"><joint name="joint" range="-90 90" stiffness="1" ref="10"/>
  <geom name="geom" size="1" material="mat"/><frame pos="0 1 0" euler="30 0 0"><geom name="rod" type="capsule" fromto="0 0 0 0 0 1" size=".1"/>
  <geom name="mesh" type="mesh" mesh="mm" pos="1 1 1" euler="0 20 0"/><site name="site" pos="1 1 1" zaxis="1 1 0"/></frame>
  <body name="in"><joint name="slide" type="slide" axis="1 1 0" range="0 1"/><inertial pos="0 .1 0" mass="2" diaginertia="1 1 1"/></body></body></frame>
<body name="free" pos="0 0 5"><freejoint name="fj"/><geom name="fg" size=".2"/></body>
<body name="ball" pos="0 5 0"><joint name="bj" type="ball" damping="1"/><geom size=".2"/></body></worldbody>
<contact><pair name="pair" geom1="geom" geom2="fg"/></contact><tendon><fixed name="t" range="0 1" limited="true"><joint joint="slide" coef="1"/></fixed></tendon>
<equality><connect name="con" body1="body" body2="free" anchor="0 0 0"/><joint name="eq" joint1="slide" joint2="joint"/></equality>
<actuator><position name="p" joint="joint" kp="3" dampratio="1" inheritrange="1"/><general name="g" joint="slide" gainprm="2" ctrlrange="0 1"/><motor name="m" joint="joint"/></actuator>
<sensor><gyro name="s" site="site" noise=".1"/></sensor><custom><numeric name="n" data="1 2"/><tuple name="tp"><element objtype="geom" objname="geom" prm="3"/></tuple></custom>
<keyframe><key name="k" qpos="0 0 0 0 5 1 0 0 0 1 0 0 0"/></keyframe></mujoco>"""

CHANGES = {
    "body_pos": ("body", [4, 5, 6]),
    "body_quat": ("body", [0.5, 0.5, 0.5, 0.5]),
    "body_mass": ("body", 7.0),
    "body_gravcomp": ("body", 0.5),
    "jnt_range": ("joint", [-1, 2]),
    "jnt_axis": ("joint", [0, 1, 0]),
    "jnt_pos": ("slide", [1, 2, 3]),
    "jnt_stiffness": ("joint", 5.0),
    "jnt_solref": ("joint", [0.01, 2]),
    "geom_size": ("geom", [2, 0, 0]),
    "geom_pos": ("mesh", [3, 4, 5]),
    "geom_quat": ("mesh", [0.5, 0.5, -0.5, 0.5]),
    "geom_friction": ("geom", [0.3, 0.2, 0.1]),
    "geom_rgba": ("geom", [0.25, 0.5, 0.75, 1]),
    "site_pos": ("site", [0, 1, 2]),
    "site_quat": ("site", [0, 1, 0, 0]),
    "site_size": ("site", [0.25, 0.125, 0.5]),
    "cam_pos": ("c", [1, 1, 1]),
    "cam_quat": ("c", [0, 0, 1, 0]),
    "cam_fovy": ("c", 30.0),
    "light_dir": ("l", [1, 0, 0]),
    "light_cutoff": ("l", 30.0),
    "mat_specular": ("mat", 0.25),
    "pair_margin": ("pair", 0.5),
    "tendon_range": ("t", [0.5, 2]),
    "tendon_stiffness": ("t", 4.0),
    "eq_solref": ("eq", [0.1, 0.2]),
    "actuator_forcerange": ("g", [-3, 3]),
    "actuator_gear": ("m", [3, 0, 0, 0, 0, 0]),
    "actuator_gainprm": ("g", [5, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "sensor_noise": ("s", 0.5),
}
KINDS = {"jnt": "joint", "cam": "camera", "mat": "material", "eq": "equality"}


@pytest.mark.parametrize("field", CHANGES)
def test_one_field(field):
    """What is changed comes out of the spec again, and nothing else of the spec is touched."""
    spec = sinew.Spec.from_xml(TEXT)
    m, before = spec.compile(), spec.to_xml()
    name, value = CHANGES[field]
    kind = field.split("_")[0]
    row = spec.find(KINDS.get(kind, kind), name).id
    getattr(m, field)[row] = value
    spec.copy_back(m)
    again = spec.compile()
    scale = np.abs(getattr(m, field)[row]).max()
    np.testing.assert_allclose(
        getattr(again, field)[row], getattr(m, field)[row], atol=1e-14 * scale
    )
    lines = zip(before.splitlines(), spec.to_xml().splitlines(), strict=False)
    assert sum(a != b for a, b in lines) == 1 or field == "body_mass"
    spec.copy_back(again)  # of which nothing was changed
    assert compiled.differences(again, spec.compile()) == set()


def test_many_fields():
    spec = sinew.Spec.from_xml(TEXT)
    m = spec.compile()
    random = np.random.default_rng(3)
    for field in CHANGES:
        if field not in (
            "body_mass",
            "actuator_gear",
            "actuator_gainprm",
            "tendon_range",
            "jnt_range",
            "jnt_axis",
        ):
            row = spec.find(
                KINDS.get(field.split("_")[0], field.split("_")[0]), CHANGES[field][0]
            ).id
            getattr(m, field)[row] += random.uniform(0.1, 0.2, np.shape(getattr(m, field)[row]))
    for quat in (m.body_quat, m.geom_quat, m.site_quat, m.cam_quat):
        quat /= np.linalg.norm(quat, axis=1)[:, None]
    m.light_dir /= np.linalg.norm(m.light_dir, axis=1)[:, None]
    spec.copy_back(m)
    again = spec.compile()
    for field in CHANGES.keys() - {"body_mass"}:  # which follows from sizes
        same = np.minimum(
            abs(getattr(m, field) - getattr(again, field)),
            abs(getattr(m, field) + getattr(again, field)),
        )
        assert same.max() < 1e-6 if same.dtype == np.float32 else same.max() < 1e-12, field


def test_units_and_words():
    spec = sinew.Spec.from_xml(TEXT)
    m = spec.compile()
    m.jnt_range[0, 1] /= 2
    m.opt.gravity[:] = [1, 2, 3]
    m.opt.timestep = 0.001
    m.opt.disableflags |= int(sinew.DisableBit.CONTACT)
    m.vis.map.znear = 0.5
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1], m.actuator_biasprm[0, 2] = 8, -8, -2
    m.actuator_ctrlrange[0] = [-0.5, 0.25]
    m.numeric_data[1] = 5
    m.tuple_objprm[0] = 6
    m.key_qpos[0, 0] = 0.75
    m.qpos0[0] = 0.5
    m.hfield_data[:] = [0, 0.25, 1, 0.5, 0.125, 0.75]
    m.stat.extent = 12
    spec.copy_back(m)
    joint, position, option = spec.joint("joint"), spec.actuator("p"), spec.section("option")
    np.testing.assert_allclose(joint.range, [-90, 45])
    np.testing.assert_allclose(joint.ref, np.degrees(0.5))
    assert list(option.gravity) == [1, 2, 3] and option.timestep == 0.001
    assert (
        spec.section("option/flag").contact == "disable" and spec.section("visual/map").znear == 0.5
    )
    assert (position.kp, position.kv, position.inheritrange) == (8, 2, 0) and not position.given(
        "dampratio"
    )
    assert list(spec.numeric("n").data) == [1, 5] and spec.tuple("tp").children[0].prm == 6
    assert spec.key("k").qpos[0] == 0.75 and spec.section("statistic").extent == 12
    again = spec.compile()
    for field in "hfield_data actuator_ctrlrange key_qpos qpos0".split():
        np.testing.assert_allclose(getattr(again, field), getattr(m, field), atol=1e-15)
    assert not again.tendon_limited[0] or m.tendon_limited[0]


def test_inertias_and_poses():
    spec = sinew.Spec.from_xml(TEXT)
    m = spec.compile()
    m.body_mass[spec.body("in").id] = 9
    m.body_inertia[spec.body("free").id] *= 2
    adr = m.jnt_qposadr[spec.joint("fj").id]
    m.qpos0[adr : adr + 3] = [7, 8, 9]
    m.geom_size[spec.geom("rod").id, 0] = 0.25
    spec.copy_back(m)
    (inertial,) = [e for e in spec.body("in") if e.tag == "inertial"]
    assert (
        inertial.mass == 9
        and list(inertial.diaginertia) == [1, 1, 1]
        and spec.geom("rod").given("fromto")
    )
    again = spec.compile()
    for field in ("body_mass", "body_inertia", "body_ipos"):  # but of the body of the rod
        np.testing.assert_allclose(getattr(again, field)[2:], getattr(m, field)[2:], rtol=1e-13)
    for field in ("qpos0", "geom_size"):
        np.testing.assert_allclose(getattr(again, field), getattr(m, field), rtol=1e-13)
    m = spec.compile()
    m.geom_pos[spec.geom("rod").id] = [0, 0, 1]
    spec.copy_back(m)
    assert not spec.geom("rod").given("fromto")
    np.testing.assert_allclose(spec.compile().geom_pos, m.geom_pos, atol=1e-14)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda m, s: m.body_pos.__setitem__((0, 0), 1), "world"),
        (lambda m, s: m.geom_size.__setitem__((s.geom("mesh").id, 0), 1), "asset"),
        (lambda m, s: m.actuator_gainprm.__setitem__((2, 0), 4), "general"),
        (
            lambda m, s: m.dof_damping.__setitem__(m.jnt_dofadr[s.joint("bj").id], 4),
            "degrees of freedom",
        ),
        (lambda m, s: m.jnt_axis.__setitem__(s.joint("bj").id, 4), "none of"),
        (lambda m, s: m.hfield_data.__setitem__(0, 4), "0 to 1"),
        (lambda m, s: m.eq_data.__setitem__((0, 4), 4), "qpos0"),
    ],
)
def test_what_cannot_be_said(change, words):
    spec = sinew.Spec.from_xml(TEXT)
    m, before = spec.compile(), spec.to_xml()
    m.opt.timestep = 0.5
    m.geom_friction[:] = 0.25
    change(m, spec)
    with pytest.raises(sinew.ModelError, match=f"was changed in the model.*{words}"):
        spec.copy_back(m)
    assert spec.to_xml() == before


def test_other_models():
    spec = sinew.Spec.from_xml(TEXT)
    m = spec.compile()
    spec.world.add("geom", size=1)
    with pytest.raises(sinew.ModelError, match="not compiled from this spec"):
        spec.copy_back(m)
    scaled = sinew.Spec.from_xml(TEXT.replace('<frame pos="1 0 0"', '<frame scale="2" pos="1 0 0"'))
    model = scaled.compile()
    model.geom_friction[1] = 0.5
    model.body_pos[1] = 3
    with pytest.raises(sinew.ModelError, match="scaled frame"):
        scaled.copy_back(model)
    model = scaled.compile()
    size, friction = model.geom_size.copy(), model.geom_friction.copy()
    model.geom_friction[scaled.geom("geom").id, 1:] *= 3
    model.site_rgba[0] = 0.25
    model.key_qpos[0, 1] = 0.5
    with pytest.raises(sinew.ModelError, match="from 0"):
        scaled.copy_back(model)
    model.key_qpos[0, 1] = 0
    scaled.copy_back(model)
    again = scaled.compile()
    np.testing.assert_allclose(again.geom_friction, model.geom_friction, rtol=1e-14)
    np.testing.assert_allclose(again.geom_size, size)
    assert (again.geom_friction != friction).any() and scaled.geom("geom").friction[
        1
    ] == pytest.approx(0.015)
    model.jnt_range[0, 1] = 1
    with pytest.raises(sinew.ModelError, match="range was changed in the model.*scale"):
        scaled.copy_back(model)
    for more in ('inertiafromgeom="true"', 'settotalmass="3"'):
        spec = sinew.Spec.from_xml(TEXT.replace("<compiler ", f"<compiler {more} "))
        model = spec.compile()
        model.body_mass[1] = 3
        with pytest.raises(sinew.ModelError, match=more.split("=")[0]):
            spec.copy_back(model)
