"""Gradients of 50 steps of third-party robots through lasting contacts, against differences that switch none."""

import os

import numpy as np
import pytest

import sinew
from models import folder
from sinew._autodiff import Rollouts

SUITE, GYMNASIUM = ("dm_control", "suite"), ("gymnasium", "envs", "mujoco", "assets")
ROBOTS = [
    (*SUITE, "fish.xml"),
    (*SUITE, "humanoid.xml"),
    (*SUITE, "quadruped.xml"),
    (*GYMNASIUM, "ant.xml"),
    (*GYMNASIUM, "humanoidstandup.xml"),
]
STEPS = 50
CHECKED = 30 if os.environ.get("SINEW_LONG") else 8  # numbers of the state, and of the controls
EPS = 1e-6
# Fourth order: solimp bends within 1e-3 m.
FOURTH = [(-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12)]


def _pieces(model, state, ctrl):
    """Which contacts and rows act in each step."""
    data, found = sinew.Data(model), []
    sinew.setState(model, data, state, sinew.StateBit.PHYSICS)
    for u in ctrl:
        data.ctrl[:] = u
        sinew.step(model, data)
        found.append((data.contact.geom.tolist(), data.efc_state.tolist()))
    return found


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path[-1])
def test_by_differences(path):
    model = sinew.Model.from_path(folder(*path), physics="3.3.7")
    model.opt.tolerance, model.opt.iterations = 0, 200
    data = sinew.Data(model)
    sinew.step(model, data, 1500)
    rng = np.random.default_rng(0)
    state = sinew.getState(model, data, sinew.StateBit.PHYSICS)
    ctrl, force = 0.01 * rng.normal(size=(STEPS, model.nu)), np.zeros((STEPS, model.nv))
    rollouts = Rollouts(model, None)
    start = rollouts.start()[0]
    states, sensors = rollouts.run(start, state, ctrl, force)
    by = rng.normal(size=states.shape)
    found = rollouts.gradient(start, state, ctrl, force, states, by, np.zeros_like(sensors))
    same = _pieces(model, state, ctrl)
    size = max(np.abs(g).max() for g in found)
    for k in range(2):
        for i in rng.permutation(found[k].size)[:CHECKED]:
            slope = 0
            for shift, weight in FOURTH:
                at = [state.copy(), ctrl.copy()]
                at[k].flat[i] += shift * EPS
                assert _pieces(model, *at) == same
                slope += weight * np.sum(rollouts.run(start, *at, force)[0] * by) / EPS
            assert found[k].flat[i] == pytest.approx(slope, abs=1e-7 * size)
