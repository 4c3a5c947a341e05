"""Integrators, flags and checks against the peer, on a smooth model that the peer compiled."""

import mujoco
import numpy as np
import pytest

import bridge
from models import random_state


def compare_step(model, peer, data, pdata, step, peer_step):
    """Runs both and returns the largest errors of the next qpos, qvel and of qacc, relative."""
    data.qacc_warmstart = pdata.qacc_warmstart
    for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat"):
        setattr(data, name, getattr(pdata, name))
    data.time = pdata.time
    step()
    peer_step()
    errors = []
    for name in ("qacc", "qvel", "qpos"):
        want = getattr(pdata, name)
        got = getattr(data, name).ravel()
        errors.append(np.linalg.norm(got - want) / max(1.0, np.linalg.norm(want)))
    return errors


XML = """
<mujoco>
  <option integrator="{integrator}" timestep="0.01"><flag {flag}="{value}"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom size="0.1 0.2 0.3" type="box"/>
      <body pos="0 0 -0.5"><joint type="ball" damping="0.3" stiffness="2"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0 -0.2"/>
        <body pos="0 0 -0.5"><joint axis="0 1 0" damping="2" armature="0.01"/>
          <joint type="slide" axis="1 0 0" damping="0.5"/><geom size="0.1" pos="0 0 -0.1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("flag", ["eulerdamp", "damper", "spring", "gravity", "energy"])
@pytest.mark.parametrize("value", ["enable", "disable"])
def test_integrators_and_flags(integrator, flag, value):
    """Smooth systems: the step agrees to rounding."""
    peer = mujoco.MjModel.from_xml_string(XML.format(integrator=integrator, flag=flag, value=value))
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    rng = np.random.default_rng(5)
    for _ in range(5):
        random_state(rng, peer, pdata, contact=False)
        errors = compare_step(
            model, peer, data, pdata,
            lambda: bridge.call("step", model, data), lambda: mujoco.mj_step(peer, pdata),
        )  # fmt: skip
        assert max(errors) < 1e-12
        np.testing.assert_allclose(data.energy, pdata.energy, rtol=1e-12)


@pytest.mark.parametrize("integrator", ["Euler"])
def test_step_is_step1_step2(integrator):
    """The two halves give the same bits as the whole."""
    peer = mujoco.MjModel.from_xml_string(
        XML.format(integrator=integrator, flag="energy", value="enable")
    )
    model = bridge.copy_model(peer)
    whole, halves = bridge.make_data(model), bridge.make_data(model)
    for _ in range(50):
        bridge.call("step", model, whole)
        bridge.call("step1", model, halves)
        bridge.call("step2", model, halves)
    assert np.array_equal(whole.qpos, halves.qpos) and np.array_equal(whole.qvel, halves.qvel)


@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_bad_numbers_reset(field, bad):
    """Bad numbers in state and acceleration: warned once, then reset, as the peer does."""
    peer = mujoco.MjModel.from_xml_string(
        XML.format(integrator="Euler", flag="energy", value="enable")
    )
    model = bridge.copy_model(peer)
    data, pdata = bridge.make_data(model), mujoco.MjData(peer)
    getattr(data, field)[2] = bad
    getattr(pdata, field)[2] = bad
    data.time = pdata.time = 5
    bridge.call("step", model, data)
    mujoco.mj_step(peer, pdata)
    assert data.time == pdata.time == 0.01
    np.testing.assert_allclose(data.qpos.ravel(), pdata.qpos, rtol=1e-12)
    assert data.warnings().sum() == 1
    theirs = [
        warning.number for warning in pdata.warning
    ]  # none of loops, rigid contact, sleep, flexes and plugins
    assert data.warnings().tolist() == theirs + [0, 0, 0, 0, 0, 0]
