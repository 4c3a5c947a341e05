"""Tendons against the peer: compiled fields, paths, moment arms, forces, rows, sensors, whole steps, errors."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import models
import sinew
from sinew import mujoco as ours

# A finger of three links with a sphere, a cylinder and sites all over it; what is pulled differs by model.
BODY = """<mujoco>{extra}<worldbody>
<site name="w0" pos=".02 .01 .3"/><site name="w1" pos="0 -.15 .3"/>
<geom name="fix" type="sphere" size=".04" pos=".05 .02 .18" contype="0" conaffinity="0"/>
<body name="upper" pos="0 0 .1"><joint name="a" axis="1 .2 0"/><joint name="b" axis="0 1 .1"/>
<geom name="ball" type="sphere" size=".05" pos="0 .01 -.02" contype="0" conaffinity="0"/>
<geom name="roll" type="cylinder" size=".03 .1" pos=".01 0 -.12" euler="80 20 10" contype="0" conaffinity="0"/>
<site name="u0" pos=".01 .08 .05"/><site name="u1" pos=".02 -.07 -.06"/>
<site name="side_out" pos="0 .12 -.1"/><site name="in_ball" pos="0 .01 .01"/>
<site name="in_roll" pos=".01 .005 -.12"/>
<body name="lower" pos="0 0 -.25"><joint name="c" axis="1 0 0" range="-60 60" damping=".1"/>
<joint name="d" type="slide" axis="0 0 1" stiffness="3"/>
<geom type="capsule" fromto="0 0 0 0 0 -.15" size=".02" contype="0" conaffinity="0"/>
<site name="l0" pos=".01 .06 -.03"/><site name="l1" pos="-.02 -.04 -.12"/></body></body>
<body name="other" pos=".3 .2 0"><freejoint name="f"/>
<geom type="box" size=".05 .04 .03" contype="0" conaffinity="0"/><site name="o" pos=".02 .01 .03"/></body>
</worldbody><tendon>{tendon}</tendon>{rest}</mujoco>"""

FIXED = '<joint joint="a" coef="1.5"/><joint joint="d" coef="-2"/><joint joint="c" coef=".3"/>'
SITES = '<site site="w0"/><site site="u0"/><site site="l0"/><site site="o"/>'


def around(geom, side="", ends=("w0", "l0")):
    side = f'sidesite="{side}"' if side else ""
    return f'<site site="{ends[0]}"/><geom geom="{geom}" {side}/><site site="{ends[1]}"/>'


PATHS = {
    "fixed": f'<fixed name="t" {{v}}>{FIXED}</fixed>',
    "sites": f'<spatial name="t" {{v}}>{SITES}</spatial>',
    "sphere": f'<spatial name="t" {{v}}>{around("ball")}</spatial>',
    "world_sphere": f'<spatial name="t" {{v}}>{around("fix", ends=("w0", "u1"))}</spatial>',
    "cylinder": f'<spatial name="t" {{v}}>{around("roll", ends=("u0", "l1"))}</spatial>',
    "sphere_side": f'<spatial name="t" {{v}}>{around("ball", "side_out")}</spatial>',
    "cylinder_side": f'<spatial name="t" {{v}}>{around("roll", "side_out", ("u0", "l1"))}</spatial>',
    "sphere_inside": f'<spatial name="t" {{v}}>{around("ball", "in_ball", ("w1", "l1"))}</spatial>',
    "cylinder_inside": f'<spatial name="t" {{v}}>{around("roll", "in_roll", ("u0", "l0"))}</spatial>',
    "two_geoms": '<spatial name="t" {v}><site site="w0"/><geom geom="ball"/><site site="u1"/>'
    '<geom geom="roll" sidesite="side_out"/><site site="l1"/><site site="o"/></spatial>',
    "pulley": f'<spatial name="t" {{v}}><pulley divisor="2"/>{around("ball")}<pulley divisor="3"/>'
    '<site site="l1"/><site site="o"/></spatial>',
}
VALUES = (
    'stiffness="30" springlength=".1 .25" damping=".7" frictionloss=".4" range=".15 .3" margin=".01" '
    'solreffriction=".03 1.1" solimplimit=".8 .9 .01"'
)
REST = """<actuator><motor name="m" tendon="t" gear="1.7"/>
<position tendon="t" kp="20" dampratio="1" inheritrange=".8"/></actuator><sensor>
<tendonpos tendon="t"/><tendonvel tendon="t"/><tendonactuatorfrc tendon="t"/><tendonlimitpos tendon="t"/>
<tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/></sensor>"""


def text(path, values=VALUES, rest=REST, extra=""):
    return BODY.format(tendon=PATHS[path].format(v=values), rest=rest, extra=extra)


def load(source):
    """The model as our compiler makes it, and as the peer's does."""
    error = bridge.Error()
    raw = source.encode()
    pointer = bridge.lib.sn_loadModelText(
        raw, len(raw), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    assert pointer, error.message.decode()
    return bridge.Struct(pointer), mujoco.MjModel.from_xml_string(source)


def close(ours, theirs, what, tolerance=1e-10):
    ours, theirs = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    assert ours.shape == theirs.shape, what
    scale = 1 + np.abs(theirs).max(initial=0)
    error = np.abs(ours - theirs).max(initial=0)
    assert error <= tolerance * scale, f"{what}: {error}"


def moments(m, d):
    """The moment arms as a dense matrix."""
    dense = np.zeros((m.nu, m.nv))
    nnz, adr, col = (
        np.asarray(x).ravel() for x in (d.moment_rownnz, d.moment_rowadr, d.moment_colind)
    )
    arms = np.asarray(d.actuator_moment).ravel()
    for i in range(m.nu):
        row = slice(adr[i], adr[i] + nnz[i])
        dense[i, col[row]] = arms[row]
    return dense


def copy_state(d, pd):
    for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart"):
        setattr(d, name, getattr(pd, name))
    d.time = pd.time


STAGES = (
    "ten_length ten_J ten_velocity ten_wrapadr ten_wrapnum wrap_obj wrap_xpos qM actuator_length "
    "actuator_velocity qfrc_spring qfrc_damper qfrc_passive qfrc_bias actuator_force qfrc_actuator "
    "qfrc_smooth qacc_smooth"
).split()
ROWS = "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_D efc_aref efc_J".split()


INPUTS = ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart")
STATES = 200


def compare_stages(m, d, pm, pd):
    for name in STAGES:
        theirs = getattr(pd, name)
        close(getattr(d, name), theirs, name)
    close(moments(pm, d), moments(pm, pd), "actuator_moment")


@pytest.mark.parametrize("path", PATHS)
def test_compiled_fields(path):
    m, pm = load(text(path))
    for name in m.fields:
        if hasattr(pm, name) and name not in ("names_map", "names") and not name.endswith("adr"):
            theirs = getattr(pm, name)
            if isinstance(theirs, np.ndarray):
                close(getattr(m, name), theirs, name, 1e-9 if name.startswith("stat") else 1e-10)
    for name in ("tendon_adr", "name_tendonadr"):
        close(getattr(m, name), getattr(pm, name), name)


@pytest.mark.parametrize("path", PATHS)
def test_stages_rows_and_step(path):
    """All stages, rows, sensors, and one step of each integrator in turn."""
    m, pm = load(text(path))
    pm.opt.tolerance = 0  # the peer's solver goes on to the end, as ours does
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    # views of arrays of constant size, made once
    mine = {n: getattr(d, n) for n in {*STAGES, *INPUTS, "qacc", "sensordata"}}
    theirs = {n: getattr(pd, n) for n in mine}
    rng = np.random.default_rng(7)
    kinds = set()
    for k in range(STATES):
        pm.opt.integrator = k % 4
        bridge.set_option(m, "integrator", k % 4)
        models.random_state(rng, pm, pd, False)
        pd.qpos[pm.jnt_qposadr[2] :][:2] *= 0.3
        for name in INPUTS:
            mine[name][...] = theirs[name].reshape(mine[name].shape)
        d.time = pd.time
        mujoco.mj_forward(pm, pd)
        bridge.call("forward", m, d)
        mine["ten_J"] = d.ten_J  # a copy
        for name in STAGES:
            close(mine[name], theirs[name], name)
        close(moments(pm, d), moments(pm, pd), "actuator_moment")
        assert d.scalar("nefc") == pd.nefc and d.scalar("nf") == pd.nf and d.scalar("nl") == pd.nl
        for name in ROWS:
            close(getattr(d, name), getattr(pd, name), name)
        close(mine["qacc"], theirs["qacc"], "qacc", 1e-9)
        close(mine["sensordata"], theirs["sensordata"], "sensordata", 1e-9)
        kinds.update(pd.efc_type.tolist())
        mujoco.mj_step(pm, pd)
        bridge.call("step", m, d)
        for name in ("qpos", "qvel"):
            close(mine[name], theirs[name], f"{name} after a step", 1e-9)
    assert {2, 4} <= kinds  # friction and limit rows of the tendon were there


@pytest.mark.parametrize("path", ["fixed", "sites"])
def test_armature(path):
    m, pm = load(text(path, 'armature=".3"', rest=""))
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    for name in ("dof_M0", "dof_invweight0", "tendon_invweight0", "body_invweight0"):
        close(getattr(m, name), getattr(pm, name), name)
    rng = np.random.default_rng(8)
    for _ in range(20):
        models.random_state(rng, pm, pd, False)
        copy_state(d, pd)
        mujoco.mj_forward(pm, pd)
        bridge.call("forward", m, d)
        compare_stages(m, d, pm, pd)
        # inverse dynamics gives the applied force back
        bridge.call("inverse", m, d)
        applied = np.asarray(pd.qfrc_smooth + pd.qfrc_bias - pd.qfrc_passive)
        close(d.qfrc_inverse, applied, "qfrc_inverse", 1e-8)


def test_energy_and_limits_of_actuator_force():
    rest = """<actuator><motor tendon="t" forcerange="-5 5"/><motor tendon="t"/><motor tendon="t" gear="2"/>
    <motor joint="a" gear="2"/></actuator><sensor><tendonactuatorfrc tendon="t"/></sensor>"""
    values = (
        'stiffness="30" springlength=".1 .12" actuatorfrclimited="true" actuatorfrcrange="-1 2"'
    )
    flags = '<option><flag energy="enable"/></option>'
    m, pm = load(text("two_geoms", values, rest, flags))
    d, pd = bridge.make_data(m), mujoco.MjData(pm)
    rng = np.random.default_rng(9)
    for _ in range(20):
        models.random_state(rng, pm, pd, False)
        pd.ctrl[:] *= 10
        copy_state(d, pd)
        mujoco.mj_forward(pm, pd)
        bridge.call("forward", m, d)
        compare_stages(m, d, pm, pd)
        close(d.energy, pd.energy, "energy")
        close(d.sensordata, pd.sensordata, "sensordata")


def with_tendons():
    return models.having("ntendon")


@pytest.mark.parametrize("path", with_tendons(), ids=lambda p: p.stem)
def test_third_party_tendons(path):
    """Tendons of other people's models, copied from the peer, in the stages that tendons write."""
    pm = models.fresh(path)
    m, pd = bridge.copy_model(pm), mujoco.MjData(pm)
    d = bridge.make_data(m)
    rng = np.random.default_rng(10)
    sparse = mujoco.mj_isSparse(pm)
    for _ in range(5):
        models.random_state(rng, pm, pd, False)
        copy_state(d, pd)
        mujoco.mj_fwdPosition(pm, pd)
        mujoco.mj_fwdVelocity(pm, pd)
        for stage in ("kinematics", "comPos", "tendon", "makeM", "tendonVelocity"):
            bridge.call(stage, m, d)
        names = ["ten_length", "ten_velocity", "wrap_xpos", "qM", "ten_wrapadr", "ten_wrapnum"]
        for name in names if sparse else [*names, "ten_J"]:
            close(getattr(d, name), getattr(pd, name), name)


def dofs_of_tendons(m):
    """What a model has for tendon_dofs of the peer's."""
    start, num = m.tendon_dofadr.ravel(), m.tendon_dofnum.ravel()
    return [m.tendon_dofid.ravel()[a : a + n].tolist() for a, n in zip(start, num, strict=True)]


@pytest.mark.parametrize("path", PATHS)
def test_dofs(path):
    m, pm = load(text(path))
    assert dofs_of_tendons(m) == bridge.tendon_dofs(pm)


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("path", with_tendons(), ids=lambda p: p.stem)
def test_layout(path, jacobian):
    """Compact in the library; at the peer's module dense or by rows, without zeros, in arrays of its shapes."""
    pm, m = models.fresh(path), models.fresh(path, ours.MjModel.from_xml_path)
    assert dofs_of_tendons(m) == bridge.tendon_dofs(pm)
    assert m.nJten == m.tendon_dofnum.sum()
    pm.opt.jacobian = m.opt.jacobian = jacobian
    pd, d = mujoco.MjData(pm), ours.MjData(m)
    rng = np.random.default_rng(11)
    for _ in range(3):
        models.random_state(rng, pm, pd, False)
        d.qpos = pd.qpos
        mujoco.mj_fwdPosition(pm, pd)
        ours.mj_fwdPosition(m, d)
        for name in ("ten_J", "ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"):
            mine, theirs = getattr(d, name), getattr(pd, name)
            assert mine.shape == theirs.shape and mine.dtype == theirs.dtype, name
        close(dense_arms(d, jacobian), dense_arms(pd, jacobian), "ten_J")
        close(sinew.Data.ten_J.fget(d), dense_arms(pd, jacobian), "dense ten_J")
        if not jacobian:
            for name in ("ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"):
                np.testing.assert_array_equal(getattr(d, name), getattr(pd, name), name)
        else:
            assert (d.ten_J_rownnz <= pd.ten_J_rownnz).all()
            for i in range(m.ntendon):
                first, num = d.ten_J_rowadr[i], d.ten_J_rownnz[i]
                assert d.ten_J.ravel()[first : first + num].all(), "a zero is kept"


def dense_arms(d, sparse):
    """ten_J of a data of mujoco, or of ours in its place, as (ntendon x nv)."""
    J = np.zeros_like(d.ten_J)
    if not sparse:
        J[...] = d.ten_J
        return J
    for i, (start, num) in enumerate(zip(d.ten_J_rowadr, d.ten_J_rownnz, strict=True)):
        J[i, d.ten_J_colind.ravel()[start : start + num]] = d.ten_J.ravel()[start : start + num]
    return J


S2 = '<site site="w0"/><site site="l0"/>'
ERRORS = {
    '<spatial name="t"/>': "path is empty",
    '<fixed name="t"/>': "path is empty",
    '<spatial><site site="u0"/></spatial>': "at least two sites",
    f'<spatial><geom geom="ball"/>{S2}</spatial>': "must stand between two sites",
    f'<spatial>{S2}<geom geom="ball"/></spatial>': "must stand between two sites",
    '<spatial><site site="w0"/><geom geom="ball"/><geom geom="roll"/><site site="l0"/></spatial>': "between",
    f'<spatial>{S2}<pulley divisor="2"/></spatial>': "cannot end with a pulley",
    f'<spatial>{S2}<pulley divisor="2"/><pulley divisor="2"/>{S2}</spatial>': "two pulleys in a row",
    f'<spatial>{S2}<pulley divisor="2"/><site site="l1"/></spatial>': "neighbour",
    f'<spatial>{S2}<pulley divisor="-1"/>{S2}</spatial>': "divisor is -1, must be positive",
    f"<spatial>{S2}<pulley/>{S2}</spatial>": "'divisor' is missing",
    '<spatial><site site="w0"/><site site="l9"/></spatial>': 'site="l9": there is no such site, did you mean',
    '<spatial><site site="w0"/><geom geom="ball" sidesite="x"/><site site="l0"/></spatial>': 'sidesite="x"',
    '<spatial armature="1"><site site="w0"/><geom geom="ball"/><site site="l0"/></spatial>': "exclude",
    f'<spatial armature="-1">{S2}</spatial>': "armature is negative",
    '<fixed><joint joint="a"/></fixed>': "'coef' is missing",
    '<fixed><site site="w0"/></fixed>': "unknown element",
    f'<spatial limited="true" range="1 0">{S2}</spatial>': "must be smaller",
    f'<spatial actuatorfrclimited="true" actuatorfrcrange="1 2">{S2}</spatial>': "interval around 0",
    f'<spatial springlength=".2 .1">{S2}</spatial>': "springlength",
    f'<spatial width="0">{S2}</spatial>': "width must be positive",
    f'<spatial material="x">{S2}</spatial>': "material",
    '<fixed width="1"><joint joint="a" coef="1"/></fixed>': "unknown attribute 'width'",
    '<fixed class="x"><joint joint="a" coef="1"/></fixed>': "default class",
}


@pytest.mark.parametrize("tendon", ERRORS)
def test_errors(tendon):
    source = BODY.format(tendon=tendon, rest="", extra="")
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(source)
    error, raw = bridge.Error(), source.encode()
    assert not bridge.lib.sn_loadModelText(
        raw, len(raw), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    message = error.message.decode()
    assert ERRORS[tendon] in message and "text:" in message, message
