"""qDeriv where controls are clamped and where forces stand at limits: as in the newest engine, not the pinned one."""

import mujoco
import numpy as np
import pytest

import bridge
import newest
from models import fresh, having, random_state
from states import INPUTS, check, copy_state
from test_implicit import dense

INTEGRATORS = {"implicit": 2, "implicitfast": 3}
FIELDS = {"qDeriv": 1e-12, "actuator_force": 1e-12, "qfrc_actuator": 1e-12, "qvel": 1e-11}

# What the newest compiles otherwise from meshes, and what follows from it.
COMPILED = ["body_inertia", "body_iquat", "dof_damping", "jnt_stiffness"]
LIMITS = [
    "actuator_gaintype", "actuator_gainprm", "actuator_biastype", "actuator_biasprm",
    "actuator_ctrllimited", "actuator_ctrlrange", "actuator_forcelimited", "actuator_forcerange",
    "jnt_actfrclimited", "jnt_actfrcrange", "tendon_actfrclimited", "tendon_actfrcrange",
]  # fmt: skip


def states_of(peer, rng, count):
    pdata = mujoco.MjData(peer)
    for _ in range(count):
        random_state(rng, peer, pdata, contact=False)
        pdata.act[:] = rng.normal(size=peer.na)
        pdata.ctrl[:] = rng.normal(0, 1, peer.nu)
        yield pdata


def run(peer, rng, count):
    """Steps of ours from random states: what `newest.step` needs for the same, and what came out."""
    model = bridge.copy_model(peer)
    data = bridge.make_data(model)
    states, ours = [], []
    for pdata in states_of(peer, rng, count):
        copy_state(pdata, data)
        states.append({name: getattr(pdata, name).copy() for name in INPUTS})
        bridge.call("step", model, data)
        ours.append({name: getattr(data, name).flatten() for name in FIELDS})
    fields = {name: getattr(peer, name).copy() for name in [*COMPILED, *LIMITS]}
    fields |= {name: getattr(peer.opt, name) for name in ("integrator", "disableflags")}
    return (fields, states), ours


def compare(path, runs):
    requests, ours = zip(*runs, strict=True)
    got = newest.step(path, requests, list(FIELDS))
    for mine, theirs in zip([step for run in ours for step in run], got, strict=True):
        for name, tolerance in FIELDS.items():
            check(mine[name], theirs[name], name, tolerance)


def limit(rng, peer):
    """Servos of random gains on every actuator, and limits about as often reached as not."""
    muscle = peer.actuator_gaintype == mujoco.mjtGain.mjGAIN_MUSCLE
    peer.actuator_gaintype[~muscle] = mujoco.mjtGain.mjGAIN_AFFINE
    peer.actuator_biastype[~muscle] = mujoco.mjtBias.mjBIAS_AFFINE
    # damping that no control turns round: the newest has no use for an indefinite matrix
    peer.actuator_gainprm[~muscle, :3] = rng.uniform(-0.2, 0.2, ((~muscle).sum(), 3))
    peer.actuator_biasprm[~muscle, :3] = -rng.uniform(1, 2, ((~muscle).sum(), 3))
    peer.actuator_ctrllimited[:] = rng.random(peer.nu) < 0.7
    peer.actuator_ctrlrange[:] = [-0.5, 0.5]
    peer.actuator_forcelimited[:] = rng.random(peer.nu) < 0.5
    peer.actuator_forcerange[:] = rng.uniform(0.3, 2, (peer.nu, 1)) * [-1, 1]
    scalar = peer.jnt_type >= int(mujoco.mjtJoint.mjJNT_SLIDE)
    peer.jnt_actfrclimited[:] = scalar & (rng.random(peer.njnt) < 0.5)
    peer.jnt_actfrcrange[:] = rng.uniform(0.3, 5, (peer.njnt, 1)) * [-1, 1]
    peer.tendon_actfrclimited[:] = rng.random(peer.ntendon) < 0.5
    peer.tendon_actfrcrange[:] = rng.uniform(0.3, 2, (peer.ntendon, 1)) * [-1, 1]


def actuated():
    return having("nu")


@pytest.mark.parametrize("path", actuated(), ids=lambda p: p.stem)
def test_third_party(path):
    """Other people's models with servos, without constraints."""
    peer = fresh(path)
    rng, runs = np.random.default_rng(3), []
    for integrator in INTEGRATORS.values():
        for clamp in (0, mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL):
            peer.opt.integrator = integrator
            peer.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | clamp
            limit(rng, peer)
            runs.append(run(peer, rng, 10))
    compare(path, runs)


# Each kind of limit, alone and with others on one joint or tendon.
MODEL = """
<mujoco>
  <option gravity="0 0 -1" timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body gravcomp="0.5">
      <joint name="a" axis="0 1 0" actuatorfrcrange="-1 1"/><geom size="0.1" pos="0.3 0 0"/>
      <body pos="0.5 0 0" gravcomp="0.8">
        <joint name="b" axis="0 1 0" actuatorfrcrange="-1.5 2" actuatorgravcomp="true"/>
        <geom size="0.1" pos="0.3 0 0"/>
        <body pos="0.5 0 0">
          <joint name="c" axis="0 0 1"/><joint name="d" type="slide" axis="1 0 0"/>
          <geom size="0.1" pos="0.2 0 0"/>
        </body>
      </body>
    </body>
    <body pos="0 1 0"><joint name="e" type="ball"/><geom type="box" size="0.1 0.2 0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="one" actuatorfrclimited="true" actuatorfrcrange="-1 2"><joint joint="c" coef="1"/></fixed>
    <fixed name="two" actuatorfrclimited="true" actuatorfrcrange="-2 0.7">
      <joint joint="c" coef="1"/><joint joint="d" coef="-2"/>
    </fixed>
  </tendon>
  <actuator>
    <velocity joint="a" kv="1"/>
    <general joint="a" gaintype="affine" gainprm="0.3 0 0.4" ctrlrange="-0.5 0.5"/>
    <velocity jointinparent="b" kv="2"/>
    <velocity joint="c" kv="1.3" forcerange="-1 1"/>
    <damper joint="d" kv="2" ctrlrange="0 1"/>
    <velocity tendon="one" kv="1.5"/>
    <velocity tendon="two" kv="0.7"/>
    <velocity tendon="two" kv="0.4"/>
    <motor tendon="two"/>
    <velocity joint="e" gear="1 2 3" kv="0.3" forcerange="-0.5 0.5"/>
    <general joint="d" dyntype="filter" dynprm="0.1" gaintype="affine" gainprm="0.3 0 0.4" forcerange="-1 1"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "limits.xml"
    path.write_text(MODEL)
    return path


def load(path, integrator):
    peer = fresh(path)
    peer.opt.integrator = INTEGRATORS[integrator]
    return peer


def test_each_limit(model_file):
    """Every limit is reached from either side in some of the states and left alone in others."""
    rng = np.random.default_rng(4)
    runs = [run(load(model_file, integrator), rng, 300) for integrator in INTEGRATORS]
    compare(model_file, runs)
    force, total = (
        np.array([step[name] for _, ours in runs for step in ours])
        for name in ("actuator_force", "qfrc_actuator")
    )
    for values, low, high in [
        (force[:, 3], -1, 1),
        (total[:, 0], -1, 1),
        (total[:, 1], -1.5, 2),
        (force[:, 6:9].sum(axis=1), -2, 0.7),
    ]:
        below, above = values < low + 1e-9, values > high - 1e-9
        assert min(below.sum(), above.sum(), (~below & ~above).sum()) > 10


def test_derivative_is_that_of_the_forces(model_file):
    """qDeriv at limits against central differences of the forces."""
    peer = load(model_file, "implicit")
    model = bridge.copy_model(peer)
    data = bridge.make_data(model)
    for pdata in states_of(peer, np.random.default_rng(5), 50):
        copy_state(pdata, data)
        bridge.call("forward", model, data)
        bridge.call("smoothVel", model, data, 1)
        got, v, eps = dense(peer, data.qDeriv), data.qvel.copy(), 1e-6

        def force(velocity):
            data.qvel = velocity
            bridge.call("fwdVelocity", model, data)
            bridge.call("fwdActuation", model, data)
            return (data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias).ravel()

        want = np.zeros_like(got)
        for k in range(peer.nv):
            step = eps * np.eye(peer.nv)[k].reshape(v.shape)
            want[:, k] = (force(v + step) - force(v - step)) / (2 * eps)
        check(got, want, "qDeriv", 1e-8)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_inverse_of_a_step(model_file, integrator):
    """Data that have never gone forward give the force of the step, and keep forces as they were."""
    peer = load(model_file, integrator)
    peer.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    model = bridge.copy_model(peer)
    data, other = bridge.make_data(model), bridge.make_data(model)
    for pdata in states_of(peer, np.random.default_rng(6), 50):
        copy_state(pdata, data)
        copy_state(pdata, other)
        bridge.call("step", model, data)
        other.qacc = (data.qvel.ravel() - pdata.qvel) / peer.opt.timestep
        bridge.call("inverse", model, other)
        applied = data.qfrc_smooth - data.qfrc_passive + data.qfrc_bias
        check(other.qfrc_inverse, applied, "qfrc_inverse", 1e-10)
        assert not np.any(other.actuator_force) and not np.any(other.qfrc_actuator)
