"""Implicit steps whose matrix is indefinite, as forces that grow with velocity make it: M - hD, M + hB."""

import mujoco
import numpy as np
import pytest

import bridge
from models import fresh, having, random_state
from states import INPUTS, check, copy_state
from test_implicit import dense

EULER, IMPLICIT, FAST = 0, 2, 3
INTEGRATORS = {"Euler": EULER, "implicit": IMPLICIT, "implicitfast": FAST}

# Inertias below what a step takes away, h times the negative damping: 0.002 of 1, 0.004 of 2.
HINGE = '<joint axis="0 1 0" damping="-1"/><geom size="0.05" pos="0.02 0 0"/>'
SERVO = '<joint axis="0 1 0" name="j"/><geom size="0.05" pos="0.02 0 0"/>'
MODEL = """
<mujoco>
  <option integrator="{integrator}"/>
  <worldbody>
    <body>{joint}</body>
    <body pos="1 0 0"><joint axis="0 1 0" damping="0.01"/><geom size="0.05" pos="0.02 0 0"/></body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>
"""
ACTUATOR = '<general joint="j" biastype="affine" biasprm="0.01 -0.2 2" gainprm="0.1"/>'
CASES = {"damping": (HINGE, ""), "actuator": (SERVO, ACTUATOR)}


# Not the actuator under Euler: explicit forces that grow with velocity are unstable.
@pytest.mark.parametrize(
    "integrator,case",
    [(i, c) for i in INTEGRATORS for c in CASES if (i, c) != ("Euler", "actuator")],
)
def test_pendulum(integrator, case):
    """A thousand steps of both engines from one state, neither knowing of the other."""
    joint, actuator = CASES[case]
    text = MODEL.format(integrator=integrator, joint=joint, actuator=actuator)
    peer = mujoco.MjModel.from_xml_string(text)
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    data.qvel = pdata.qvel[:] = [1, -1]
    pdata.ctrl[:] = 0.3
    data.ctrl = pdata.ctrl
    for _ in range(1000):
        bridge.call("step", model, data)
        mujoco.mj_step(peer, pdata)
    assert np.abs(pdata.qvel).max() < 10
    check(data.qvel, pdata.qvel, "qvel", 1e-11)
    check(data.qpos, pdata.qpos, "qpos", 1e-11)


def negative_damping(rng, peer):
    """Takes more from the diagonal of the step's matrix than the inertia at some of the dofs."""
    pdata = mujoco.MjData(peer)
    mujoco.mj_forward(peer, pdata)
    M = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, M, pdata.qM)
    damping = np.maximum(peer.dof_damping, 1e-3)  # without a positive one Euler's step is explicit
    some = rng.random(peer.nv) < 0.5
    some[rng.integers(peer.nv)] = True
    factor = rng.uniform(1.5, 10, peer.nv)
    damping[some] = -(factor * np.diag(M) / peer.opt.timestep)[some]
    peer.dof_damping[:] = damping


def third_party():
    return having("nv")


def indefinite(path, integrator, seed):
    """Without constraints: the peer's solver stops early."""
    peer = fresh(path)
    peer.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    peer.opt.integrator = INTEGRATORS[integrator]
    negative_damping(np.random.default_rng(seed), peer)
    return peer


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_steps(path, integrator):
    """One step from random states, for several choices of joints."""
    rng = np.random.default_rng(5)
    for seed in range(3):
        peer = indefinite(path, integrator, seed)
        model = bridge.copy_model(peer)
        data, pdata = bridge.make_data(model), mujoco.MjData(peer)
        for _ in range(5):
            random_state(rng, peer, pdata, contact=False)
            pdata.act[:] = rng.normal(size=peer.na)
            copy_state(pdata, data)
            bridge.call("step", model, data)
            mujoco.mj_step(peer, pdata)
            # factors without pivoting lose some digits to growth
            check(data.qvel, pdata.qvel, "qvel", 1e-11)
            check(data.qpos, pdata.qpos, "qpos", 1e-11)


def amplification(peer, pdata):
    """What rounding grows by when the step's matrix is factored without pivoting: condition times growth."""
    H = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, H, pdata.qM)
    if peer.opt.integrator == EULER:
        H += peer.opt.timestep * np.diag(peer.dof_damping)
    else:
        H -= peer.opt.timestep * dense(peer, pdata.qDeriv)
    condition, largest = np.linalg.cond(H), np.abs(H).max()
    growth = 1
    for k in range(peer.nv - 1, 0, -1):
        H[:k, :k] -= np.outer(H[:k, k], H[k, :k]) / H[k, k]
        growth = max(growth, np.abs(H[:k, :k]).max() / largest)
    return condition * growth


def check_step(data, peer, pdata):
    """The next state to double precision; to what the matrix leaves of it where that is less."""
    tolerance = 1e-11
    if np.abs(data["qvel"] - pdata.qvel).max() > tolerance * max(1, np.abs(pdata.qvel).max()):
        tolerance = 1e-16 * amplification(peer, pdata)
    assert tolerance < 1e-6
    check(data["qvel"], pdata.qvel, "qvel", tolerance)
    check(data["qpos"], pdata.qpos, "qpos", tolerance)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
@pytest.mark.parametrize("path", third_party(), ids=lambda p: p.stem)
def test_run(path, integrator):
    """A thousand steps, anew where the growing forces have thrown all away; the peer takes each from where we are."""
    peer = indefinite(path, integrator, 3)
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(6)
    mine = {name: getattr(data, name).reshape(-1) for name in INPUTS}
    theirs = {name: getattr(pdata, name).reshape(-1) for name in INPUTS}
    mine["qvel"][:] = np.inf
    for _ in range(1000):
        if np.abs(mine["qvel"]).max() > 1e3:
            random_state(rng, peer, pdata, contact=False)
            copy_state(pdata, data)
        for name in INPUTS:
            theirs[name][:] = mine[name]
        bridge.call("step", model, data)
        mujoco.mj_step(peer, pdata)
        check_step(mine, peer, pdata)
