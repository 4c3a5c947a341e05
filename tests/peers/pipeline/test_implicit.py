"""The integrators implicit and implicitfast, their velocity derivatives, and inverse dynamics."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
from models import fresh, having, random_state
from states import INPUTS, check, copy_state

IMPLICIT, FAST = 2, 3
INTEGRATORS = [("implicit", IMPLICIT), ("implicitfast", FAST)]

# Every joint type, axes that do not meet, asymmetric inertia, all transmissions and gains that know velocity, a fluid with wind on
# boxes and on ellipsoids of every shape. No limits of control and force: test_saturated_actuators.py.
ZOO = """
<mujoco>
  <option density="{density}" viscosity="{viscosity}" wind="0.5 -0.3 0.2" timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>
      <body pos="0.2 0 -0.5"><joint type="ball" damping="0.3" stiffness="2" pos="0.1 0 0"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0 -0.2" {fluid}/>
        <geom type="cylinder" size="0.1 0.2" pos="0.3 0.1 -0.2" euler="30 20 10" {fluid}/>
        <body pos="0 0 -0.5"><joint axis="0 1 0.3" damping="2" armature="0.01" name="h"/>
          <joint type="slide" axis="1 0.2 0" damping="0.5" name="s" pos="0 0 0.1"/>
          <geom size="0.1" pos="0 0.05 -0.1"/>
          <site name="tip" pos="0.1 0 0"/></body>
        <body pos="0 0.3 -0.5"><joint axis="1 0 0" armature="0.1" name="g"/>
          <geom type="ellipsoid" size="0.1 0.3 0.2" pos="0 0.05 -0.1" euler="10 50 0" {fluid}/>
          <site name="base" pos="0.1 0.2 0"/><geom type="box" size="0.1 0.1 0.2" pos="0.3 0.05 -0.1" euler="10 50 0" {fluid}
            fluidcoef="0.8 0.3 1.2 0.7 1.4"/></body>
      </body>
    </body>
    <body pos="3 0 1"><joint type="ball" name="b"/><geom type="ellipsoid" size="0.3 0.02 0.1" {fluid}/>
    </body>
    <body pos="5 0 1"><freejoint/><geom size="0.2" {fluid}/></body>
  </worldbody>
  <tendon>
    <fixed damping="0.7"><joint joint="h" coef="1"/><joint joint="s" coef="-2"/></fixed>
    <spatial damping="1.5" armature="0.3"><site site="tip"/><site site="base"/></spatial>
  </tendon>
  <actuator>
    <velocity joint="h" kv="3"/>
    <position joint="s" kp="10" kv="1"/>
    <general joint="g" gaintype="affine" gainprm="0 0 -4"/>
    <general joint="b" gear="1 2 3" biastype="affine" biasprm="0 -1 -2" gaintype="affine"
      gainprm="1 0 0.5" group="1"/>
    <general joint="b" gear="3 -1 1" biastype="affine" biasprm="0 -1 -2"/>
    <general joint="g" dyntype="filterexact" dynprm="0.1" gaintype="affine" gainprm="1 2 -0.7"/>
    <general joint="s" dyntype="integrator" gaintype="affine" gainprm="1 2 -0.7" actearly="true"
      group="2"/>
    <muscle joint="g" lengthrange="-3 3" force="20"/>
    <muscle joint="h" lengthrange="-2 3" gear="0.5" range="0.5 1.3" scale="100"/>
    <general site="tip" refsite="base" gear="1 2 3 0.1 0.2 0.3" biastype="affine" biasprm="0 0 -3"
      group="2"/>
    <general site="tip" gear="0 2 3 0.1 0.2 0.3" biastype="affine" biasprm="0 0 -2"/>
  </actuator>
</mujoco>
"""
ELLIPSOID = 'fluidshape="ellipsoid"'
FLUIDS = {
    "vacuum": {"density": 0, "viscosity": 0, "fluid": ""},
    "box": {"density": 30, "viscosity": 0.5, "fluid": ""},
    "ellipsoid": {"density": 30, "viscosity": 0.5, "fluid": ELLIPSOID},
    "thin": {"density": 0, "viscosity": 2, "fluid": ELLIPSOID},
    "dense": {"density": 1000, "viscosity": 0, "fluid": ELLIPSOID},
}


def zoo(fluid, integrator=IMPLICIT):
    peer = mujoco.MjModel.from_xml_string(ZOO.format(**FLUIDS[fluid]))
    peer.opt.integrator = integrator
    return peer


def randomise(rng, peer, data):
    random_state(rng, peer, data, contact=False)
    data.act[:] = rng.normal(size=peer.na)


def dense(peer, values):
    full = np.zeros((peer.nv, peer.nv))
    for i in range(peer.nv):
        row = slice(peer.D_rowadr[i], peer.D_rowadr[i] + peer.D_rownnz[i])
        full[i, peer.D_colind[row]] = np.ravel(values)[row]
    return full


@pytest.mark.parametrize("name,integrator", INTEGRATORS)
@pytest.mark.parametrize("fluid", FLUIDS)
def test_one_step(fluid, name, integrator):
    """qDeriv, the factor, fluid forces and the next state."""
    peer = zoo(fluid, integrator)
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(7)
    tolerances = {"qfrc_fluid": 1e-12, "qDeriv": 1e-11, "qvel": 1e-10, "qpos": 1e-11}
    if integrator == IMPLICIT:
        tolerances["qLU"] = 1e-11
    # views of arrays of constant size, made once
    mine = {name: getattr(data, name).reshape(-1) for name in {*tolerances, *INPUTS}}
    for _ in range(200):
        randomise(rng, peer, pdata)
        for name in INPUTS:
            mine[name][:] = getattr(pdata, name).ravel()
        bridge.call("step", model, data)
        mujoco.mj_step(peer, pdata)
        for name, tolerance in tolerances.items():
            check(mine[name], getattr(pdata, name), name, tolerance)


@pytest.mark.parametrize("fluid", FLUIDS)
def test_derivative_is_that_of_the_forces(fluid):
    """qDeriv with the bias force against central differences of passive + actuator - bias."""
    peer = zoo(fluid)
    # not exact, as at the peer: the force of actearly, what couples two branches, the bias of a tendon's armature
    peer.opt.disableactuator = 1 << 2
    peer.tendon_damping[1] = peer.tendon_armature[1] = 0
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(8)

    def force():
        bridge.call("fwdVelocity", model, data)
        bridge.call("fwdActuation", model, data)
        return (data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias).ravel()

    for _ in range(5):
        randomise(rng, peer, pdata)
        copy_state(pdata, data)
        bridge.call("forward", model, data)
        bridge.call("smoothVel", model, data, 1)
        got, v, eps = dense(peer, data.qDeriv), data.qvel.copy(), 1e-5
        want = np.zeros_like(got)
        for k in range(peer.nv):
            step = np.zeros_like(v)
            step[k] = eps
            data.qvel = v + step
            plus = force().copy()
            data.qvel = v - step
            want[:, k] = (plus - force()) / (2 * eps)
        # central differences: rounding 1e-16/eps and eps^2 of the curvature
        check(got, want, fluid, 1e-8)


def third_party():
    """Every model of other people that moves and that the engine can simulate."""
    return having("nv")


@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_third_party_steps(path):
    """qDeriv and one step, without constraints: the peer's solver stops early."""
    peer = fresh(path)
    peer.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    rng = np.random.default_rng(9)
    for integrator in (IMPLICIT, FAST):
        peer.opt.integrator = integrator
        model = bridge.copy_model(peer)
        data, pdata = bridge.make_data(model), mujoco.MjData(peer)
        for _ in range(30):
            randomise(rng, peer, pdata)
            copy_state(pdata, data)
            bridge.call("step", model, data)
            mujoco.mj_step(peer, pdata)
            check(data.qDeriv, pdata.qDeriv, "qDeriv", 1e-10)
            check(data.qvel, pdata.qvel, "qvel", 1e-9)
            check(data.qpos, pdata.qpos, "qpos", 1e-9)
            check(data.qacc_warmstart, pdata.qacc_warmstart, "qacc_warmstart", 1e-9)


@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_inverse(path):
    """Inverse dynamics of a random acceleration, with limits and dry friction."""
    peer = fresh(path)
    peer.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    rng = np.random.default_rng(10)
    for integrator, discrete in [(0, 0), (0, 1), (IMPLICIT, 1), (FAST, 1)]:
        peer.opt.integrator = integrator
        peer.opt.enableflags = mujoco.mjtEnableBit.mjENBL_INVDISCRETE if discrete else 0
        model = bridge.copy_model(peer)
        data, pdata = bridge.make_data(model), mujoco.MjData(peer)
        for _ in range(3):
            randomise(rng, peer, pdata)
            copy_state(pdata, data)
            pdata.qacc[:] = rng.normal(size=peer.nv)
            data.qacc = pdata.qacc
            bridge.call("inverse", model, data)
            mujoco.mj_inverse(peer, pdata)
            check(data.qacc, pdata.qacc, "qacc", 0)
            check(data.qfrc_inverse, pdata.qfrc_inverse, "qfrc_inverse", 1e-9)
            check(data.qfrc_constraint, pdata.qfrc_constraint, "qfrc_constraint", 1e-9)
            check(data.sensordata, pdata.sensordata, "sensordata", 1e-9)


@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_step_then_inverse(path):
    """The applied force comes back from the discrete acceleration of a step, contacts and all."""
    peer = fresh(path)
    peer.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    peer.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON  # others stop short of the minimum
    peer.opt.noslip_iterations = 0  # they leave forces that no acceleration has
    pdata = mujoco.MjData(peer)
    rng = np.random.default_rng(11)
    for integrator in (0, IMPLICIT, FAST):
        peer.opt.integrator = integrator
        model = bridge.copy_model(peer)
        data = bridge.make_data(model)
        for _ in range(3):
            random_state(rng, peer, pdata, contact=True)
            copy_state(pdata, data)
            bridge.call("forward", model, data)
            qpos, qvel = data.qpos.copy(), data.qvel.copy()
            applied = (data.qfrc_smooth - data.qfrc_passive + data.qfrc_bias).copy()
            force = np.abs(data.qfrc_constraint).max()
            bridge.call("Euler" if integrator == 0 else "implicit", model, data)
            data.qacc = (data.qvel - qvel) / peer.opt.timestep
            data.qpos, data.qvel = qpos, qvel
            bridge.call("inverse", model, data)
            # (v' - v)/h has an error of 1e-16 |v|/h, which stiff contacts multiply
            check(
                data.qfrc_inverse, applied, path.stem, 1e-8 * max(1, force / np.abs(applied).max())
            )


def test_fwdinv():
    """The flag compares inverse with forward dynamics in every step."""
    xml = ZOO.format(**FLUIDS["box"]).replace('name="h"', 'name="h" frictionloss="1"')
    peer = mujoco.MjModel.from_xml_string(xml.replace("<flag", '<flag fwdinv="enable"'))
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    randomise(np.random.default_rng(12), peer, pdata)
    copy_state(pdata, data)
    bridge.call("step", model, data)
    # Our solver ends exactly, so the difference is rounding alone.
    got = fwdinv(data)
    assert np.all(got < 1e-9) and np.any(got > 0)
    before = data.qfrc_constraint.copy(), data.efc_force.copy(), data.efc_state.copy()
    data.efc_force = 0.5 * data.efc_force  # a fault of known size
    data.qfrc_constraint = 0.5 * data.qfrc_constraint
    half = np.linalg.norm(data.qfrc_constraint)
    bridge.call("compareFwdInv", model, data)
    assert abs(fwdinv(data)[0] - half) < 1e-9 * half
    assert np.array_equal(data.efc_state, before[2])
    np.testing.assert_allclose(2 * data.efc_force, before[1], rtol=1e-15)


def fwdinv(data):
    """solver_fwdinv stands before five sizes, which stand before the first array."""
    behind = 2 * bridge.ctypes.sizeof(bridge.ctypes.c_double)
    behind += 5 * bridge.ctypes.sizeof(bridge.ctypes.c_size_t)
    fields = bridge.lib.sn_dataFields(bridge.ctypes.byref(bridge.ctypes.c_int()), None)
    offset = fields[0].offset - behind
    return np.array((bridge.ctypes.c_double * 2).from_address(data.pointer.value + offset))


@pytest.mark.parametrize("body", range(7))
def test_rates_and_momentum(body):
    """jacDot, angmomMat and mulM2 against the peer; the first against differences of the Jacobian too."""
    peer = zoo("vacuum")
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(13)
    nv, pointer = peer.nv, lambda a: a.ctypes.data_as(bridge.ctypes.c_void_p)
    for _ in range(5):
        randomise(rng, peer, pdata)
        copy_state(pdata, data)
        bridge.call("forward", model, data)
        mujoco.mj_forward(peer, pdata)
        bridge.call("subtreeVel", model, data)
        point = pdata.xpos[body] + [0.1, 0.2, 0.3]
        ours, theirs = np.ones((8, nv)), np.ones((8, nv))
        bridge.call(
            "jacDot", model, data, pointer(ours[:3]), pointer(ours[3:6]), pointer(point), body
        )
        mujoco.mj_jacDot(peer, pdata, theirs[:3], theirs[3:6], point, body)
        check(ours, theirs, "jacDot", 1e-12)
        ours, theirs = np.ones((3, nv)), np.ones((3, nv))
        bridge.call("angmomMat", model, data, pointer(ours), body)
        mujoco.mj_angmomMat(peer, pdata, theirs, body)
        check(ours, theirs, "angmomMat", 1e-12)
        check(ours @ pdata.qvel, data.subtree_angmom[body], "momentum", 1e-12)
        vec, ours, theirs = rng.normal(size=nv), np.ones(nv), np.ones(nv)
        bridge.call("mulM2", model, data, pointer(ours), pointer(vec))
        mujoco.mj_mulM2(peer, pdata, theirs, vec)
        check(ours, theirs, "mulM2", 1e-12)


SHAPES = [
    ("sphere", ".1"),
    ("capsule", ".1 .3"),
    ("cylinder", ".1 .3"),
    ("cylinder", ".3 .05"),
    ("ellipsoid", ".1 .2 .3"),
    ("ellipsoid", ".01 .5 .3"),
    ("ellipsoid", ".2 .2 .1"),
    ("box", ".4 .2 .1"),
]


@pytest.mark.parametrize("kind,size", SHAPES)
def test_geom_fluid(kind, size):
    """The coefficients that our compiler makes."""
    xml = (
        f'<mujoco><worldbody><body><freejoint/><geom type="{kind}" size="{size}" '
        'fluidshape="ellipsoid" fluidcoef="1 2 3 4 5"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    peer = mujoco.MjModel.from_xml_string(xml)
    pointer = bridge.lib.sn_loadModelText(xml.encode(), len(xml), None, 0, bridge.AS_PINNED, None)
    assert pointer
    np.testing.assert_allclose(bridge.Struct(pointer).geom_fluid, peer.geom_fluid, rtol=1e-12)


PENDULUM = """
<mujoco>
  <option integrator="{integrator}" timestep="{step!r}"><flag contact="disable"/></option>
  <worldbody>
    <body><joint axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/>
      <body pos="0 0 -1"><joint axis="0 1 0.5" damping="0.2"/>
        <geom type="box" size="0.1 0.2 0.3" pos="0 0.1 -0.3"/>
        <body pos="0 0 -0.6">{joint}<geom size="0.1" pos="0.2 0 -0.2"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


HINGE, BALL = '<joint axis="1 0 0.2" stiffness="3"/>', '<joint type="ball" stiffness="3"/>'


@pytest.mark.parametrize(
    "integrator,order,joint",
    [
        ("Euler", 1, BALL),
        ("implicit", 1, BALL),
        ("implicitfast", 1, BALL),
        ("RK4", 4, HINGE),
        ("RK4", 2, BALL),  # orientations are advanced by a mean velocity, which is not more exact
    ],
)
def test_order(integrator, order, joint):
    """Halving the step divides the error by 2^order."""

    def end(step, scheme):
        xml = PENDULUM.format(integrator=scheme, step=step, joint=joint)
        model = bridge.copy_model(mujoco.MjModel.from_xml_string(xml))
        data = bridge.make_data(model)
        data.qvel = [1, -2, 0.5, 1, 2][: data.qvel.size]
        for _ in range(round(0.5 / step)):
            bridge.call("step", model, data)
        return data.qpos.copy()

    exact = end(2**-12, "RK4")
    first = 2**-7 if order == 4 else 2**-8
    errors = [np.linalg.norm(end(first / 2**k, integrator) - exact) for k in range(2)]
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.15, errors


TENDONS = """
<mujoco>
  <option integrator="{integrator}" timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <site name="w" pos="0 0 1"/>
    <geom name="wrap" type="cylinder" size="0.05 0.2" pos="0.2 0 0.5" euler="90 0 0"/>
    <body>
      <joint name="a" axis="0 1 0" damping="0.1"/><geom size="0.1" pos="0.3 0 0"/>
      <body pos="0.5 0 0">
        <joint name="b" axis="0 1 0"/><joint type="slide" axis="1 0 0" stiffness="20"/>
        <geom size="0.1" pos="0.3 0 0"/><site name="s2" pos="0.3 0 0.1"/>
      </body>
      <body pos="0.1 0.5 0">
        <joint type="ball"/><geom type="box" size="0.1 0.05 0.2" pos="0.3 0 0"/>
        <site name="s3" pos="0.3 0 0.1"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="f" damping="2" stiffness="3" armature="{armature}">
      <joint joint="a" coef="1"/><joint joint="b" coef="-1"/>
    </fixed>
    <spatial name="s" damping="3" stiffness="30"><site site="w"/><geom geom="wrap"/><site site="s2"/></spatial>
    <spatial name="across" damping="1"><site site="s2"/><site site="s3"/></spatial>
  </tendon>
  <actuator>
    <position tendon="f" kp="5" kv="0.5"/>
    <general tendon="s" gaintype="affine" gainprm="1 0.2 0.3" biastype="affine" biasprm="0 -1 -0.4"/>
    <motor tendon="across"/>
  </actuator>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast", "Euler"])
@pytest.mark.parametrize("armature", [0, 0.2])
def test_step_with_tendons(integrator, armature):
    """Dampers, armature and servos on tendons in one branch and across branches, read by both, one step."""
    text = TENDONS.format(integrator=integrator, armature=armature).encode()
    error = bridge.Error()
    pointer = bridge.lib.sn_loadModelText(
        text, ctypes.c_size_t(len(text)), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    assert pointer, error.message.decode()
    model, peer = bridge.Struct(pointer), mujoco.MjModel.from_xml_string(text.decode())
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(7)
    for _ in range(200):
        mujoco.mj_resetData(peer, pdata)
        mujoco.mj_integratePos(peer, pdata.qpos, rng.normal(0, 0.4, peer.nv), 1)
        pdata.qvel[:] = rng.normal(0, 1, peer.nv)
        pdata.ctrl[:] = rng.normal(0, 1, peer.nu)
        for name in ("qpos", "qvel", "ctrl"):
            setattr(data, name, getattr(pdata, name))
        bridge.call("step", model, data)
        mujoco.mj_step(peer, pdata)
        for name in ("qpos", "qvel"):
            np.testing.assert_allclose(
                getattr(data, name).ravel(), getattr(pdata, name), atol=1e-12, rtol=1e-12
            )
