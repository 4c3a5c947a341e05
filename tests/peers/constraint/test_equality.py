"""Equality constraints against the peer: compiled fields, rows, forces, whole steps, errors.

The rows are products of few smooth quantities, 1e-10 of their scale; accelerations are a solver's answer, run
to the last digit by both, 1e-6 of their scale by the conditioning of stiff rows against light bodies.
"""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import models
import rows

# Two trees, a mocap body, a static body; hinges, slides, a ball, tendons of each kind.
BODY = """<mujoco>{extra}<worldbody><site name="w" pos=".4 .2 .3" euler="10 20 30"/>
<geom name="pole" type="cylinder" size=".05 1" pos="0 .3 0" contype="0" conaffinity="0"/>
<body name="a" pos=".1 .2 .3" euler="10 20 30"><freejoint/>
  <geom type="box" size=".1 .2 .15" contype="0" conaffinity="0"/>
  <site name="sa" pos=".1 .2 .3" euler="5 60 7"/><site name="side" pos="0 .5 0"/>
  <body name="a2" pos=".2 0 .1"><joint name="j" axis="1 0 0"/>
    <geom size=".1" pos=".1 .1 0" contype="0" conaffinity="0"/><site name="sa2" pos="0 .1 0" euler="40 0 50"/>
    <body name="a3" pos=".1 .1 .1"><geom size=".1" contype="0" conaffinity="0"/></body></body>
  <body name="a4" pos="-.2 0 .1"><joint name="l" type="ball"/>
    <geom size=".1" pos=".1 .1 0" contype="0" conaffinity="0"/></body></body>
<body name="b" pos="1 .2 .3" euler="40 20 30"><joint name="k" type="slide" ref=".1"/><joint name="h" ref="20"/>
  <geom type="box" size=".1 .2 .3" pos=".1 0 .1" contype="0" conaffinity="0"/>
  <site name="sb" pos=".1 .1 0" euler="70 20 0"/></body>
<body name="m" mocap="true" pos="0 0 1" euler="0 10 20"><site name="sm" pos=".1 0 0"/></body>
<body name="still" pos="1 1 1"><geom size=".1" contype="0" conaffinity="0"/></body>
</worldbody><tendon>
<fixed name="fix1"><joint joint="k" coef="1.5"/><joint joint="j" coef="-.4"/></fixed>
<fixed name="fix2"><joint joint="h" coef=".7"/></fixed>
<spatial name="path1"><site site="w"/><geom geom="pole"/><site site="sa2"/></spatial>
<spatial name="path2"><site site="sa"/><site site="sb"/></spatial>
</tendon><equality>{equality}</equality>{rest}</mujoco>"""

SOFT = 'solref=".05 .7" solimp=".6 .9 .3 .4 3"'
FORMS = {
    "connect_world": f'<connect body1="a2" anchor=".1 .2 .3" {SOFT}/>',
    "connect_bodies": f'<connect body1="a2" body2="b" anchor=".1 .2 .3" {SOFT}/>',
    "connect_parent": f'<connect body1="a" body2="a2" anchor=".1 .2 .3" {SOFT}/>',
    "connect_branches": f'<connect body1="a4" body2="a3" anchor=".1 .2 .3" {SOFT}/>',
    "connect_sites": f'<connect site1="sa2" site2="sb" {SOFT}/>',
    "connect_mocap": '<connect body1="m" body2="b" anchor=".1 .2 .3"/>',
    "connect_world_first": '<connect body1="world" body2="b" anchor=".1 .2 .3"/>',
    "weld_world": f'<weld body1="a2" {SOFT}/>',
    "weld_bodies": f'<weld body1="a2" body2="b" anchor=".1 0 .2" torquescale=".3" {SOFT}/>',
    "weld_parent": f'<weld body1="a" body2="a3" {SOFT}/>',
    "weld_relpose": f'<weld body1="b" body2="a" relpose=".1 .2 .3 1 2 0 .5" anchor="0 .1 0" {SOFT}/>',
    "weld_relpos_alone": f'<weld body1="b" body2="a" relpose=".1 .2 .3 0 0 0 0" anchor="0 .1 0" {SOFT}/>',
    "weld_sites": f'<weld site1="sa" site2="sb" torquescale="2" {SOFT}/>',
    "weld_mocap": f'<weld body1="m" body2="a" torquescale="0.02" {SOFT}/>',
    "weld_mocap_sites": f'<weld site1="sm" site2="sa2" {SOFT}/>',
    "joint_lock": f'<joint joint1="j" polycoef=".2" {SOFT}/>',
    "joint_pair": f'<joint joint1="k" joint2="j" polycoef=".1 -2 .3 .4 -.5" {SOFT}/>',
    "joint_default": '<joint joint1="h" joint2="k"/>',
    "tendon_hold": f'<tendon tendon1="fix1" polycoef="-.1" {SOFT}/>',
    "tendon_fixed": f'<tendon tendon1="fix1" tendon2="fix2" polycoef=".1 .2 .3 .4 .5" {SOFT}/>',
    "tendon_spatial": f'<tendon tendon1="path1" tendon2="path2" polycoef="0 .5 .2" {SOFT}/>',
    "tendon_mixed": f'<tendon tendon1="path2" tendon2="fix1" {SOFT}/>',
    "direct": '<weld body1="a" body2="b" solref="-300 -20" solimp=".5 .9 .2"/>',
}
FORMS["off"] = (
    '<weld name="x" body1="a" active="false"/><connect name="y" body1="a" anchor="0 0 0"/>'
)
FORMS["all"] = "".join(
    v for k, v in FORMS.items() if k in ("connect_bodies", "joint_pair", "tendon_fixed", "off")
)
REST = """<sensor><force site="sb"/><torque site="sb"/><accelerometer site="sa2"/><jointpos joint="j"/></sensor>
<actuator><motor joint="j"/><position joint="h" kp="3"/></actuator>"""


def text(equality, extra="", rest=REST):
    return BODY.format(equality=FORMS.get(equality, equality), extra=extra, rest=rest)


def load(source):
    """The model as our compiler makes it, and as the peer's does, with rows dense."""
    error, raw = bridge.Error(), source.encode()
    pointer = bridge.lib.sn_loadModelText(
        raw, len(raw), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    assert pointer, error.message.decode()
    peer = mujoco.MjModel.from_xml_string(source)
    peer.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return bridge.Struct(pointer), peer


def close(ours, theirs, what, tolerance):
    ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    assert ours.shape == theirs.shape, what
    error = np.abs(ours - theirs).max(initial=0) / (1e-3 + np.abs(theirs).max(initial=0))
    assert error <= tolerance, f"{what}: {error}"


def copy_state(d, pd):
    for name in "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat qacc_warmstart eq_active".split():
        setattr(d, name, getattr(pd, name))
    d.time = pd.time


def tighten(m, pm):
    rows.tighten(pm)
    for name in ("tolerance", "ls_tolerance", "iterations", "ls_iterations"):
        bridge.set_option(m, name, getattr(pm.opt, name))


EQ_FIELDS = "type obj1id obj2id objtype active0 solref solimp data".split()


@pytest.mark.parametrize("form", FORMS)
def test_compiled_fields(form):
    m, pm = load(text(form))
    for name in EQ_FIELDS:
        close(getattr(m, "eq_" + name), getattr(pm, "eq_" + name), name, 1e-12)
    close(m.name_eqadr, pm.name_eqadr, "name_eqadr", 0)
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    np.testing.assert_array_equal(d.eq_active.ravel(), pd.eq_active)


def test_defaults():
    default = """<default><equality active="false" solref=".1"/>
    <default class="c"><equality active="true" solimp=".5 .6"/></default></default>"""
    m, pm = load(
        text(FORMS["joint_default"] + '<weld class="c" body1="a" solref=".2 .3"/>', default)
    )
    for name in EQ_FIELDS:
        close(getattr(m, "eq_" + name), getattr(pm, "eq_" + name), name, 1e-12)


def compare_forward(m, pm, d, pd, torque_differs):
    assert [d.scalar(n) for n in ("ne", "nf", "nl", "nefc")] == [pd.ne, pd.nf, pd.nl, pd.nefc]
    for name in rows.FIELDS:
        close(getattr(d, name), getattr(pd, name), name, 1e-10)
    for name in ("qacc", "qfrc_constraint", "efc_force"):
        close(getattr(d, name), getattr(pd, name), name, 1e-6)
    close(d.cacc, pd.cacc, "cacc", 1e-6)
    if not torque_differs:
        for name in ("cfrc_ext", "cfrc_int", "sensordata"):
            close(getattr(d, name), getattr(pd, name), name, 1e-6)
    # the force of the first three components is the same either way
    close(d.cfrc_ext[:, 3:], pd.cfrc_ext[:, 3:], "force of cfrc_ext", 1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_rows_forces_and_step(form):
    """Our torque of a weld in cfrc_ext is not the peer's, see docs/differences.md and test_weld_torque."""
    m, pm = load(text(form))
    tighten(m, pm)
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    rng = np.random.default_rng(3)
    torque_differs = mujoco.mjtEq.mjEQ_WELD in pm.eq_type
    for _ in range(30 if form != "all" else 200):
        models.random_state(rng, pm, pd, False)
        if form == "all":
            pd.eq_active[:] = rng.integers(0, 2, pm.neq)
        copy_state(d, pd)
        mujoco.mj_forward(pm, pd)
        bridge.call("forward", m, d)
        compare_forward(m, pm, d, pd, torque_differs)
        bridge.call("inverse", m, d)
        applied = pd.qfrc_smooth + pd.qfrc_bias - pd.qfrc_passive
        close(d.qfrc_inverse, applied, "qfrc_inverse", 1e-6)
        mujoco.mj_step(pm, pd)
        bridge.call("step", m, d)
        close(d.qvel, pd.qvel, "qvel after a step", 1e-6)
        close(d.qpos, pd.qpos, "qpos after a step", 1e-8)


@pytest.mark.parametrize("integrator", ["RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("form", ["all", "weld_sites", "tendon_spatial"])
def test_integrators(form, integrator):
    m, pm = load(text(form, f'<option integrator="{integrator}" timestep=".001"/>'))
    tighten(m, pm)
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    rng = np.random.default_rng(4)
    for _ in range(10):
        models.random_state(rng, pm, pd, False)
        copy_state(d, pd)
        mujoco.mj_step(pm, pd)
        bridge.call("step", m, d)
        close(d.qvel, pd.qvel, "qvel", 1e-6)


@pytest.mark.parametrize("flag", ["equality", "constraint", "island", "refsafe"])
def test_flags(flag):
    m, pm = load(text("all", f'<option timestep=".05"><flag {flag}="disable"/></option>'))
    tighten(m, pm)
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    rng = np.random.default_rng(5)
    for _ in range(10):
        models.random_state(rng, pm, pd, False)
        copy_state(d, pd)
        mujoco.mj_forward(pm, pd)
        bridge.call("forward", m, d)
        compare_forward(m, pm, d, pd, False)
        assert (pd.ne > 0) == (flag not in ("equality", "constraint"))


@pytest.mark.parametrize("form", [f for f in FORMS if f.startswith("weld")])
def test_weld_torque(form):
    """Forces of a body that only a weld and gravity act on: none come from its parent, the world."""
    m, pm = load(text(form, rest=""))
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    rng = np.random.default_rng(6)
    for _ in range(10):
        models.random_state(rng, pm, pd, False)
        pd.qfrc_applied[:] = 0
        copy_state(d, pd)
        bridge.call("forward", m, d)
        bridge.call("rnePostConstraint", m, d)
        free = 1  # body a has a free joint
        scale = 1 + np.abs(d.cfrc_ext).max()
        assert np.abs(d.cfrc_int[free]).max() < 1e-7 * scale


def test_same_body_has_no_rows():
    """Two bodies that move as one cannot be held by force; the peer has rows of zeros, by its rounding."""
    m, _ = load(
        text('<weld body1="a2" body2="a3"/><connect body1="m" body2="still" anchor="0 0 0"/>')
    )
    d = bridge.make_data(m)
    bridge.call("forward", m, d)
    assert d.scalar("nefc") == 0


def third_party():
    return models.having("neq")


@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_third_party(path):
    """Other people's models with equalities, copied from the peer: rows and accelerations of 200 random states."""
    pm = rows.compile_peer(path)
    rows.tighten(pm)
    m, pd = bridge.copy_model(pm), mujoco.MjData(pm)
    d = bridge.make_data(m)
    rng = np.random.default_rng(7)
    for _ in range(200):
        models.random_state(rng, pm, pd, False)
        pd.eq_active[:] = rng.random(pm.neq) < 0.8
        mujoco.mj_forward(pm, pd)
        d.eq_active = pd.eq_active
        rows.make_rows(m, d, pd)
        assert d.scalar("ne") == pd.ne and d.scalar("nefc") == pd.nefc
        for name in rows.FIELDS:
            close(getattr(d, name), getattr(pd, name), name, 1e-8)
        bridge.call("fwdConstraint", m, d)
        close(d.qacc, pd.qacc, "qacc", 1e-6)


ERRORS = {
    '<connect body1="a"/>': "'anchor' is missing",
    '<connect body1="a" anchor=""/>': "'anchor' is missing",
    "<connect/>": "'body1' is missing",
    '<connect body2="a" anchor="0 0 0"/>': "'body1' is missing",
    '<connect site1="sa"/>': "'site2' is missing",
    '<weld site2="sa"/>': "'site1' is missing",
    '<weld site1="sa" site2="sb" anchor="0 0 0"/>': "sites do not go with bodies",
    '<weld site1="sa" site2="sb" relpose="0 0 0 1 0 0 0"/>': "sites do not go with bodies",
    '<weld site1="sa" site2="sb" body1=""/>': "sites do not go with bodies",
    '<connect site1="sa" body2="b"/>': "sites do not go with bodies",
    '<weld body1="a" relpose="0 0 0"/>': "expected 7 numbers",
    '<weld body1="a" body2="a"/>': "must differ",
    '<connect body1="world" anchor="0 0 0"/>': "must differ",
    '<joint joint1="k" joint2="k"/>': "must differ",
    '<tendon tendon1="fix1" tendon2="fix1"/>': "must differ",
    '<joint joint1="l"/>': "only a hinge or slide",
    '<joint joint2="k"/>': "'joint1' is missing",
    '<joint joint1="kk"/>': 'did you mean "k"',
    '<joint joint1="k" polycoef="1 2 3 4 5 6"/>': "expected 1 to 5 numbers",
    "<tendon/>": "'tendon1' is missing",
    '<tendon tendon1="fix9"/>': "there is no such tendon",
    '<weld body1="sa"/>': "there is no such body",
    '<weld name="x" body1="a"/><joint name="x" joint1="k"/>': "names must differ",
    '<joint class="x" joint1="k"/>': "default class",
    '<joint joint1="k" torquescale="1"/>': "unknown attribute 'torquescale'",
    '<distance geom1="pole"/>': "unknown element",
    '<flex flex="f"/>': "there is no such flex",
}


@pytest.mark.parametrize("equality", ERRORS)
def test_errors(equality):
    source = text(equality)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(source)
    error, raw = bridge.Error(), source.encode()
    assert not bridge.lib.sn_loadModelText(
        raw, len(raw), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    message = error.message.decode()
    assert ERRORS[equality] in message and "text:" in message, message
