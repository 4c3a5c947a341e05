"""sinew.torch and sinew.jax: gradients over 50 steps of contacts by the frameworks' own checks, batches, refusals.

`./dev test-long` installs the frameworks and sets SINEW_LONG.
"""

import doctest
import os
import threading

import numpy as np
import pytest

import sinew
from resting import STEPS, pieces, robot, turned

LONG = bool(os.environ.get("SINEW_LONG"))
pytestmark = pytest.mark.skipif(not LONG, reason="SINEW_LONG asks for PyTorch and JAX")
if LONG:
    import jax
    import jax.numpy as jnp
    import torch
    from jax.test_util import check_grads

    import sinew.jax
    import sinew.torch

    jax.config.update("jax_enable_x64", True)

SETTINGS = [("pyramidal", "Euler"), ("elliptic", "implicitfast"), ("elliptic", "RK4")]


def _tensors(arrays):
    return [torch.tensor(a, requires_grad=True) for a in arrays]


def _perturbed(inputs, eps=1e-6):
    """Inputs moved along a random direction by what differences move them."""
    rng = np.random.default_rng(7)
    return [a + eps * rng.uniform(-1, 1, a.shape) for a in inputs]


@pytest.mark.parametrize("cone, integrator", SETTINGS)
def test_torch_gradcheck(cone, integrator):
    model, _, (state, *drive) = robot(cone, integrator)
    inputs = turned(model, state), *drive
    assert pieces(model, *inputs) == pieces(model, *_perturbed(inputs))

    def some(*tensors):
        states, sensors = sinew.torch.rollout(model, *tensors)
        return states[[0, 9, STEPS - 1]], sensors[[0, 9, STEPS - 1]]

    assert torch.autograd.gradcheck(some, _tensors(inputs), eps=1e-6, atol=1e-5, rtol=1e-6)
    first = [a[0] if a.ndim == 2 else a for a in inputs]
    assert torch.autograd.gradcheck(
        lambda *tensors: sinew.torch.step(model, *tensors),
        _tensors(first),
        eps=1e-6,
        atol=1e-6,
        rtol=1e-6,
    )


def test_torch_steps_are_a_rollout():
    """Chained through quaternions; a step has no warm start, so that they agree as far as the solver does."""
    model, data, (state, ctrl, _) = robot()
    gradients = []
    for chained in (True, False):
        x, u = _tensors((state, ctrl))
        if chained:
            end = x
            for t in range(STEPS):
                end, _ = sinew.torch.step(model, end, u[t])
        else:
            end = sinew.torch.rollout(model, x, u)[0][-1]
        (end**2).sum().backward()
        gradients.append((end, x.grad, u.grad))
    for a, b in zip(*gradients, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-7, atol=1e-9)


def test_torch_batches():
    model, _, (state, ctrl, force) = robot()
    x, u, f = (torch.tensor(a) for a in (state, ctrl[:5], force[:5]))
    states = torch.stack([x, x + 1e-3, x])[:, None]

    def loss(x, u, f):
        states, sensors = sinew.torch.rollout(model, x, u, f)
        return states[..., -1, :].sum() + sensors.sum()

    whole = torch.func.grad(loss, argnums=(0, 1, 2))(states, torch.stack([u, 2 * u]), f)
    mapped = torch.vmap(torch.func.grad(loss), in_dims=(0, None, None))
    for k, scale in enumerate((1, 2)):
        torch.testing.assert_close(
            whole[0][:, 0], sum(mapped(states[:, 0], s * u, f) for s in (1, 2))
        )
        alone = sum(torch.func.grad(loss, argnums=1)(s, scale * u, f) for s in states[:, 0])
        torch.testing.assert_close(whole[1][k], alone)
    assert whole[2].shape == f.shape
    jacobian = torch.func.jacrev(lambda x: sinew.torch.step(model, x, u[0])[0])(x)
    expected = torch.autograd.functional.jacobian(lambda x: sinew.torch.step(model, x, u[0])[0], x)
    torch.testing.assert_close(jacobian, expected)


def test_torch_threads():
    model, _, inputs = robot()
    found = [None] * 4

    def work(i):
        tensors = _tensors(inputs)
        sinew.torch.rollout(model, *tensors)[0].sum().backward()
        found[i] = [t.grad.numpy() for t in tensors]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_torch_refusals():
    model, _, inputs = robot()
    x, u, f = _tensors(inputs)
    with pytest.raises(TypeError, match=r"ctrl is torch.float32, .*ctrl.double\(\)"):
        sinew.torch.rollout(model, x, u.float())
    with pytest.raises(ValueError, match=r"state is on meta.*state.cpu\(\)"):
        sinew.torch.rollout(model, x.to("meta"), u)
    (gradient,) = torch.autograd.grad(
        sinew.torch.rollout(model, x, u, f)[0].sum(), x, create_graph=True
    )
    with pytest.raises(sinew.NotSupportedError, match="first derivatives only"):
        gradient.sum().backward()
    states, _ = sinew.torch.rollout(model, x, u, f)
    model.opt.noslip_iterations = 2
    with pytest.raises(sinew.NotSupportedError, match="noslip"):
        states.sum().backward()


@pytest.mark.parametrize("cone, integrator", SETTINGS)
def test_jax_check_grads(cone, integrator):
    model, _, (state, *drive) = robot(cone, integrator)
    inputs = turned(model, state), *drive
    assert pieces(model, *inputs) == pieces(model, *_perturbed(inputs))
    for function, args in (
        (sinew.jax.rollout, inputs),
        (sinew.jax.step, [a[0] if a.ndim == 2 else a for a in inputs]),
    ):
        args = [jnp.asarray(a) for a in args]
        check_grads(
            lambda *a, f=function: f(model, *a), args, 1, ["rev"], atol=1e-5, rtol=1e-6, eps=1e-6
        )


def test_jax_is_torch():
    model, data, inputs = robot()
    data.xfrc_applied[1, 0] = 1

    def loss(*arrays):
        states, sensors = sinew.jax.rollout(model, *arrays, data=data)
        return (states**2).sum() + sensors.sum()

    tensors = _tensors(inputs)
    states, sensors = sinew.torch.rollout(model, *tensors, data=data)
    ((states**2).sum() + sensors.sum()).backward()
    for find in (jax.grad(loss, (0, 1, 2)), jax.jit(jax.grad(loss, (0, 1, 2)))):
        for a, b in zip(find(*inputs), tensors, strict=True):
            np.testing.assert_allclose(a, b.grad, rtol=1e-12, atol=1e-12)


def test_jax_batches():
    model, _, (state, ctrl, _) = robot()

    def loss(x, u):
        return sinew.jax.rollout(model, x, u)[0][..., -1, :].sum()

    states = jnp.stack([state, state + 1e-3, state])
    ctrls = jnp.stack([ctrl, ctrl, 2 * ctrl])[:, :5]
    whole = jax.grad(loss)(states, ctrls)
    np.testing.assert_array_equal(jax.vmap(jax.grad(loss))(states, ctrls), whole)
    np.testing.assert_array_equal(jax.grad(loss)(states[1], ctrls[1]), whole[1])
    same = jax.vmap(jax.grad(loss), (0, None))(states, ctrls[0])
    np.testing.assert_array_equal(same[1], whole[1])


def test_jax_compiles_once():
    model, _, (state, ctrl, _) = robot()
    find = jax.grad(lambda x: sinew.jax.rollout(model, x, ctrl[:2])[0].sum())
    find(state)
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, *_, **__: compiled.append(event)
    )
    find(state)
    assert not [event for event in compiled if "compile" in event]
    jax.jit(lambda x: 3 * x)(state)
    assert [event for event in compiled if "compile" in event]


def test_jax_refusals():
    model, _, inputs = robot()
    x, u, f = map(jnp.asarray, inputs)
    with pytest.raises(TypeError, match=r"ctrl is float32, .*ctrl.astype\(float\)"):
        sinew.jax.rollout(model, x, u.astype(jnp.float32))
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(TypeError, match="jax_enable_x64"):
        sinew.jax.rollout(model, *inputs)
    jax.config.update("jax_enable_x64", True)
    find = jax.grad(lambda x: sinew.jax.rollout(model, x, u, f)[0].sum())
    with pytest.raises(sinew.NotSupportedError, match="first derivatives only"):
        jax.grad(lambda x: find(x).sum())(x)
    with pytest.raises(TypeError, match="custom_vjp"):
        jax.jvp(lambda x: sinew.jax.rollout(model, x, u, f)[0], (x,), (x,))
    model.opt.noslip_iterations = 2
    with pytest.raises(Exception, match="noslip.*sn_transitionFD"):
        find(x)


def test_the_samples():
    for module in (sinew.torch, sinew.jax):
        assert doctest.testmod(module).failed == 0
