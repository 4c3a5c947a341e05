"""Derivatives of steps with loops held exactly: products, gradients over many steps, motions that loops allow."""

import copy

import numpy as np
import pytest

import linkage_models
import sinew


def _moving(name, integrator, steps=30, **options):
    model, data = linkage_models.load(name, **options)
    model.opt.integrator = getattr(sinew.Integrator, integrator.upper())
    data.ctrl[:] += 0.1 * np.sin(np.arange(model.nu))
    data.qfrc_applied[:] = 0.1 * np.cos(np.arange(model.nv))
    sinew.step(model, data, steps)
    assert data.nclosure > 0
    return model, data


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("name", ["slider_crank", "excavator", "stewart"])
def test_next_states_keep_the_loops(name, integrator):
    model, data = _moving(name, integrator)
    A, B, _, _ = sinew.transitionDerivative(model, data)
    nv = model.nv
    after = copy.copy(data)
    sinew.step(model, after)
    sinew.forward(model, after)
    K = linkage_models.loop_K(model, after)
    size = np.abs(K).max() * max(1, np.abs(A).max())
    # whatever the change, where it leads to is closed: K dq = 0
    assert np.abs(K @ A[:nv]).max() < 1e-9 * size
    if B.size:
        assert np.abs(K @ B[:nv]).max() < 1e-9 * size
        # and velocities are consistent: K dv + dK v = 0, of which K dv alone where positions do not change
    still = A[nv : 2 * nv] @ np.linalg.lstsq(A[:nv], np.zeros(nv), rcond=None)[0]
    assert np.abs(K @ still).max() < 1e-9 * size


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit"])
def test_products(integrator):
    model, data = _moving("stewart", integrator)
    A, B, _, _ = sinew.transitionDerivative(model, data)
    rng = np.random.default_rng(1)
    x, u, y = (rng.normal(size=n) for n in (len(A), model.nu, len(A)))
    size = np.abs(A).max()
    along = sinew.stepJVP(model, data, x, u)
    np.testing.assert_allclose(along.next, A @ x + B @ u, atol=1e-12 * size * len(A))
    back = sinew.stepVJP(model, data, y)
    np.testing.assert_allclose(back.x, A.T @ y, atol=1e-12 * size * len(A))
    np.testing.assert_allclose(back.u, B.T @ y, atol=1e-12 * size * len(A))


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("name", ["excavator", "stewart"])
def test_rollouts(name, integrator):
    model, data = _moving(name, integrator)
    rng = np.random.default_rng(2)
    steps, nx = 15, 2 * model.nv + model.na
    ctrl = data.ctrl + rng.uniform(-0.1, 0.1, (steps, model.nu))
    by_x = np.zeros((steps + 1, nx))
    by_x[-1] = rng.normal(size=nx)
    found = sinew.rolloutGradient(model, data, ctrl, by_x)
    end = copy.copy(data)
    for u in ctrl:
        end.ctrl[:] = u
        sinew.step(model, end)

    def loss(controls):
        other = copy.copy(data)
        for u in controls:
            other.ctrl[:] = u
            sinew.step(model, other)
        dq = sinew.differentiatePos(model, 1, end.qpos, other.qpos)
        x = np.concatenate([dq, other.qvel, other.act])
        return by_x[-1] @ x

    for t, i in ((0, 0), (7, model.nu - 1), (steps - 1, 1)):
        h = 1e-2 * max(1, abs(ctrl[t, i]))
        moved = []
        for k in (-2, -1, 1, 2):
            other = ctrl.copy()
            other[t, i] += k * h
            moved.append(loss(other))
        slope = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / (12 * h)
        scale = max(np.abs(found.ctrl).max(), 1e-6)
        assert abs(found.ctrl[t, i] - slope) < 1e-6 * scale


def test_linear_system_of_a_platform():
    """A step of the linear system is a step of the mechanism, to second order."""
    model, data = _moving("stewart", "Euler")
    point = sinew.linearize(model, data)
    du = 1e-4 * np.sin(np.arange(model.nu) + 1)
    steps = []
    for sign in (1, -1):
        other = copy.copy(data)
        other.ctrl[:] += sign * du
        sinew.step(model, other)
        steps.append(other.qvel.copy())
    np.testing.assert_allclose(
        (steps[0] - steps[1]) / 2, (point.B @ du)[model.nv : 2 * model.nv], rtol=1e-7, atol=1e-13
    )


def test_what_is_refused():
    model, data = linkage_models.load("swinging_atwood")
    sinew.step(model, data, 5)
    with pytest.raises(sinew.NotSupportedError, match="cable.*transitionFD"):
        sinew.transitionDerivative(model, data)
