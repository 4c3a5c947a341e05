"""Gradients of rollouts through lasting contacts: adjoint against forward mode and differences, quaternions, batches."""

import copy
import sys
import threading

import numpy as np
import pytest

import sinew
from resting import STEPS, pieces, robot, turned
from sinew._autodiff import Rollouts

SETTINGS = [("pyramidal", "Euler"), ("elliptic", "implicitfast"), ("elliptic", "RK4")]


def _inputs(rollouts, inputs):
    return rollouts.start()[0], *inputs


def _losses(rng, outputs):
    return tuple(rng.normal(size=a.shape) for a in outputs)


@pytest.mark.parametrize("cone, integrator", SETTINGS)
def test_the_adjoint_is_forward_mode(cone, integrator):
    model, data, (_, ctrl, force) = robot(cone, integrator)
    rng = np.random.default_rng(1)
    nx = 2 * model.nv + model.na
    by_x, by_s = rng.normal(size=(STEPS + 1, nx)), rng.normal(size=(STEPS, model.nsensordata))
    back = sinew.rolloutGradient(model, data, ctrl, by_x, by_s, force)
    for _ in range(5):
        x, u, f = rng.normal(size=nx), rng.normal(size=ctrl.shape), rng.normal(size=force.shape)
        expected = back.x @ x + np.sum(back.ctrl * u) + np.sum(back.qfrc * f)
        other, change, terms = copy.copy(data), x, [by_x[0] @ x]
        for t in range(STEPS):
            other.ctrl[:], other.qfrc_applied[:] = ctrl[t], force[t]
            along = sinew.stepJVP(model, copy.copy(other), change, u[t], f[t])
            change = along.next
            terms += [by_x[t + 1] @ change, by_s[t] @ along.sensor]
            sinew.step(model, other)
        assert other.ncon >= 4
        assert sum(terms) == pytest.approx(expected, abs=1e-10 * np.abs(terms).sum())


@pytest.mark.parametrize("cone, integrator", SETTINGS)
def test_by_differences(cone, integrator):
    """By every component of quaternions of any length, too."""
    model, _, (state, *drive) = robot(cone, integrator)
    inputs = turned(model, state), *drive
    rollouts = Rollouts(model, None)
    start = rollouts.start()[0]
    outputs = rollouts.run(start, *inputs)
    by = _losses(np.random.default_rng(2), outputs)
    found = rollouts.gradient(start, *inputs, outputs[0], *by)

    def loss(*at):
        return sum(np.sum(a * b) for a, b in zip(rollouts.run(start, *at), by, strict=True))

    eps, same = 1e-6, pieces(model, *inputs)
    size = max(np.abs(g).max() for g in found)
    for k, gradient in enumerate(found):
        for i in np.random.default_rng(3).permutation(gradient.size)[:60]:
            ends = []
            for sign in (1, -1):
                at = [a.copy() for a in inputs]
                at[k].flat[i] += sign * eps
                assert pieces(model, *at) == same
                ends.append(loss(*at))
            assert gradient.flat[i] == pytest.approx(
                (ends[0] - ends[1]) / (2 * eps), abs=1e-7 * size
            )


def test_a_rollout_is_its_steps():
    model, data, (state, ctrl, force) = robot()
    rollouts = Rollouts(model, data)
    start = rollouts.start()[0]
    states, sensors = rollouts.run(start, state, ctrl, force)
    for t in range(STEPS):
        data.ctrl[:], data.qfrc_applied[:] = ctrl[t], force[t]
        sinew.step(model, data)
        np.testing.assert_array_equal(
            states[t], sinew.getState(model, data, sinew.StateBit.PHYSICS)
        )
        np.testing.assert_array_equal(sensors[t], data.sensordata)


def test_a_batch_is_its_rollouts():
    model, _, inputs = robot()
    rollouts = Rollouts(model, None)
    rng = np.random.default_rng(4)
    many = [
        np.stack([a, a + 1e-4 * rng.normal(size=a.shape), a]) for a in _inputs(rollouts, inputs)
    ]
    many[0][:] = many[0][0]
    many = [a.reshape(3, 1, *a.shape[1:]) for a in many]
    outputs = rollouts.run(*many)
    by = _losses(rng, outputs)
    gradients = rollouts.gradient(*many, outputs[0], *by)
    for i in range(3):
        one = [a[i, 0] for a in many]
        alone = rollouts.run(*one)
        back = rollouts.gradient(*one, alone[0], *(b[i, 0] for b in by))
        for whole, part in zip((*outputs, *gradients), (*alone, *back), strict=True):
            np.testing.assert_array_equal(whole[i, 0], part)


def test_threads_have_the_same_bits():
    model, data, inputs = robot()
    rollouts = Rollouts(model, data)
    inputs = _inputs(rollouts, inputs)
    outputs = rollouts.run(*inputs)
    by = _losses(np.random.default_rng(5), outputs)
    expected = rollouts.gradient(*inputs, outputs[0], *by)
    found = [None] * 4

    def work(i):
        found[i] = rollouts.gradient(*inputs, outputs[0], *by)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for got in found:
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_array_equal(a, b)


def test_all_else_is_that_of_the_data():
    """Forces on bodies, and what calls a function of the user is refused."""
    model, data, inputs = robot()
    pushed = copy.copy(data)
    pushed.xfrc_applied[1, 0] = 5
    ends = []
    for some in (data, pushed):
        rollouts = Rollouts(model, some)
        states, _ = rollouts.run(*_inputs(rollouts, inputs))
        ends.append(states[-1, 0])
    assert ends[1] > ends[0] + 1e-6
    pushed.set_callback("passive", lambda m, d: None)
    with pytest.raises(sinew.NotSupportedError, match="callback.passive"):
        rollouts.gradient(
            *_inputs(rollouts, inputs), states, states, np.zeros((STEPS, model.nsensordata))
        )


def test_shapes():
    model, _, (state, ctrl, force) = robot()
    rollouts = Rollouts(model, None)
    n = len(state)
    assert rollouts.batch((3, 1, n), (4, STEPS, 2), force.shape) == (3, 4)
    with pytest.raises(ValueError, match=rf"state has the shape \(5,\), must be \(..., {n}\)"):
        rollouts.batch((5,), ctrl.shape, force.shape)
    with pytest.raises(ValueError, match=r"ctrl has the shape \(2,\), must be \(..., T, 2\)"):
        rollouts.batch((n,), (2,), force.shape)
    with pytest.raises(ValueError, match="qfrc_applied has the shape"):
        rollouts.batch((n,), ctrl.shape, (STEPS + 1, model.nv))
    none = np.zeros((0, 2)), np.zeros((0, model.nv))
    states, sensors = rollouts.run(rollouts.start()[0], state, *none)
    gradient = rollouts.gradient(rollouts.start()[0], state, *none, states, states, sensors)
    assert states.shape == (0, n) and not gradient[0].any()


@pytest.mark.parametrize("name, package", [("torch", "PyTorch"), ("jax", "JAX")])
def test_a_missing_framework_names_the_extra(name, package, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"sinew.{name}", raising=False)
    with pytest.raises(
        ImportError, match=rf"{package}: .* -m pip install '\.\[{name}\]' in the folder"
    ):
        __import__(f"sinew.{name}")
