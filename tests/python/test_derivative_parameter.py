"""Gradients by arrays of the model: whole models against differences, rollouts, what is refused."""

import importlib.util
import pathlib

import numpy as np
import pytest

import sinew

SUITE = pathlib.Path(importlib.util.find_spec("dm_control").origin).parent / "suite"
GYMNASIUM = pathlib.Path(importlib.util.find_spec("gymnasium").origin).parent / "envs/mujoco/assets"

NAMES = (
    "body_mass",
    "body_inertia",
    "dof_armature",
    "dof_damping",
    "jnt_stiffness",
    "actuator_gainprm",
    "actuator_gear",
    "geom_friction",
    "geom_size",
    "geom_pos",
)


def _scalar(model, state, steps, weights, setconst):
    """The weighted last state, with fresh data."""
    data = sinew.Data(model)
    if setconst:
        sinew.setConst(model, data)
    start, end = state
    sinew.setState(model, data, start, sinew.StateBit.INTEGRATION)
    sinew.step(model, data, steps)
    dq = sinew.differentiatePos(model, 1, end, data.qpos)
    return np.concatenate([dq, data.qvel, data.act]) @ weights


def _difference(model, name, index, scalar, h):
    array = getattr(model, name)
    value = array[index]
    weights, total = (1 / 12, -2 / 3, 2 / 3, -1 / 12), 0.0
    for k, weight in zip((-2, -1, 1, 2), weights, strict=True):
        array[index] = value + k * h
        total += weight / h * scalar()
    array[index] = value
    return total


def _check(path, settle, steps, setconst, count, tolerance):
    model = sinew.Model.from_path(path)
    model.opt.tolerance, model.opt.iterations = 0, 100
    model.opt.ls_tolerance = 1e-6
    data = sinew.Data(model)
    rng = np.random.default_rng(4)
    data.ctrl[:] = 0.2 * rng.standard_normal(model.nu)
    sinew.step(model, data, settle)
    if setconst:
        copy = sinew.Data(model)
        sinew.setConst(model, copy)
    assert data.ncon > 0
    start = sinew.getState(model, data, sinew.StateBit.INTEGRATION)
    nx = 2 * model.nv + model.na
    by_x = np.zeros((steps + 1, nx))
    by_x[-1] = rng.standard_normal(nx)
    ctrl = np.tile(data.ctrl, (steps, 1))
    found = sinew.rolloutGradient(model, data, ctrl, by_x, model=NAMES, setconst=setconst).model
    end = sinew.Data(model)
    sinew.setState(model, end, start, sinew.StateBit.INTEGRATION)
    sinew.step(model, end, steps)
    state = start, end.qpos.copy()
    for name in NAMES:
        ours = found[name]
        assert ours.shape == getattr(model, name).shape
        largest = np.argsort(-np.abs(ours), axis=None)[:count]
        others = rng.choice(ours.size, min(count, ours.size), replace=False)
        for flat in {*largest.tolist(), *others.tolist()}:
            index = np.unravel_index(flat, ours.shape)
            if not getattr(model, name)[index] and not ours[index]:
                continue
            h = 1e-5 * max(abs(getattr(model, name)[index]), 0.03)
            theirs = _difference(
                model, name, index, lambda: _scalar(model, state, steps, by_x[-1], setconst), h
            )
            scale = max(1, np.abs(ours).max())
            assert abs(ours[index] - theirs) < tolerance * scale, (name, index, ours[index], theirs)


@pytest.mark.parametrize("setconst", [False, True])
@pytest.mark.parametrize("steps", [1, 20])
def test_humanoid_on_the_ground(steps, setconst):
    _check(SUITE / "humanoid.xml", 250, steps, setconst, 3, 1e-6)


@pytest.mark.parametrize("setconst", [False, True])
@pytest.mark.parametrize("steps", [1, 20])
def test_ant(steps, setconst):
    _check(GYMNASIUM / "ant.xml", 130, steps, setconst, 3, 1e-6)


BALL = """
<mujoco>
  <option density="{density}"/>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .09"><freejoint/><geom name="ball" size=".1"/><site name="s"/></body>
  </worldbody>
  <sensor><force site="s"/><subtreecom body="world"/></sensor>
</mujoco>
"""


def test_a_rollout_is_the_sum_of_its_steps():
    model = sinew.Model.from_xml(BALL.format(density=0))
    data = sinew.Data(model)
    names = ("gravity", "body_mass", "geom_size")
    by_x = np.random.default_rng(1).standard_normal((6, 12))
    found = sinew.rolloutGradient(model, data, np.zeros((5, 0)), by_x, model=names)
    total, states = dict.fromkeys(names, 0), [sinew.Data(model)]
    for _ in range(5):
        following = sinew.Data(model)
        start = sinew.getState(model, states[-1], sinew.StateBit.INTEGRATION)
        sinew.setState(model, following, start, sinew.StateBit.INTEGRATION)
        sinew.step(model, following)
        states.append(following)
    x = by_x[-1]
    for t in range(4, -1, -1):
        back = sinew.stepVJP(model, states[t], x, model=names)
        for name in names:
            total[name] = total[name] + back.model[name]
        x = back.x + by_x[t]
    for name in names:
        np.testing.assert_allclose(found.model[name], total[name], rtol=1e-12, atol=1e-12)
    for checkpoints in (1, 5):
        again = sinew.rolloutGradient(
            model, data, np.zeros((5, 0)), by_x, checkpoints=checkpoints, model=names
        )
        assert all(again.model[name].tobytes() == found.model[name].tobytes() for name in names)


def test_equal_frictions_share_and_the_prior_has_all():
    model = sinew.Model.from_xml(BALL.format(density=0))
    data = sinew.Data(model)
    data.qvel[:] = 1, 0, 0, 0, 0, 0
    sinew.step(model, data, 20)
    by = np.ones(12)
    shared = sinew.stepVJP(model, data, by, model=["geom_friction"]).model["geom_friction"]
    assert shared[0, 0] == shared[1, 0] != 0
    model.geom_priority[1] = 1
    own = sinew.stepVJP(model, data, by, model=["geom_friction"]).model["geom_friction"]
    assert own[0, 0] == 0
    np.testing.assert_allclose(own[1, 0], 2 * shared[1, 0])


def test_what_is_refused():
    model = sinew.Model.from_xml(BALL.format(density=1))
    data = sinew.Data(model)
    before = np.zeros(12)
    with pytest.raises(sinew.NotSupportedError, match="body_mass: body 1 .*fluid"):
        sinew.stepVJP(model, data, before, model=["body_mass"])
    model = sinew.Model.from_xml(BALL.format(density=0))
    data = sinew.Data(model)
    with pytest.raises(sinew.NotSupportedError, match="body_mass: sensor 0"):
        sinew.stepVJP(model, data, before, np.ones(6), model=["body_mass"])
    loop = pathlib.Path(__file__).parents[2] / "examples/models/four_bar.xml"
    closed = sinew.Model.from_path(loop)
    with pytest.raises(sinew.NotSupportedError, match="gradient by dof_damping: loops"):
        sinew.stepVJP(
            closed, sinew.Data(closed), np.ones(2 * closed.nv + closed.na), model=["dof_damping"]
        )
    with pytest.raises(ValueError, match="no gradients by body_pos, but by body_mass"):
        sinew.stepVJP(model, data, before, model=["body_pos"])
