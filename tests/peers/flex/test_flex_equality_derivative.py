"""Derivatives of steps through edges of flexes that are held; what is refused.

Against differences of sixth order of whole steps, which agree to 1e-7 of the largest entry.
"""

import numpy as np
import pytest

import flexes
import sinew

NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
HINGES = '<joint axis="1 2 3" pos=".1 -.2 .1"/><joint type="slide" axis="1 .5 0"/>'


def dome(places):
    return places + 0.5 * (places[:, :1] * places[:, 1:2]) * np.array([0, 0, 1])


MODELS = {
    "held": flexes.grid(
        (3, 3), children=NONE + '<edge damping=".2"/>', pinned=(0, 1), rest=flexes.held()
    ),
    "held on one axis": flexes.grid(
        (3, 2),
        children=NONE,
        joints=lambda i: HINGES.split("/>", 1)[1] * 1,
        shape=dome,
        rest=flexes.held(),
    ),
}


def state(text, seed=1, **options):
    model = sinew.Model.from_xml(text)
    model.opt.tolerance, model.opt.iterations, model.opt.ls_tolerance = 0, 100, 1e-10
    for name, value in options.items():
        setattr(model.opt, name, value)
    data, rng = sinew.Data(model), np.random.default_rng(seed)
    data.qpos = 0.02 * rng.normal(size=model.nq)
    data.qvel = 0.3 * rng.normal(size=model.nv)
    return model, data


def differences(model, data):
    """The derivative of (qpos, qvel) after a step by those before it."""
    n, x = 2 * model.nv, np.concatenate([data.qpos, data.qvel])
    A, at, e = np.zeros((n, n)), sinew.Data(model), 1e-5

    def after(y):
        at.qpos, at.qvel = y[: model.nv], y[model.nv :]
        at.qacc_warmstart[:] = 0
        sinew.step(model, at)
        return np.concatenate([at.qpos, at.qvel])

    for k, direction in enumerate(np.eye(n)):
        for weight, step in ((45, 1), (-9, 2), (1, 3)):
            d = step * e * direction
            A[:, k] += weight * (after(x + d) - after(x - d)) / (60 * e)
    return A


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("name", MODELS)
def test_step(name, integrator):
    model, data = state(MODELS[name].replace("<option ", f'<option integrator="{integrator}" '))
    want = differences(model, data)
    A, _, _, _ = sinew.transitionDerivative(model, data)
    np.testing.assert_allclose(A, want, atol=1e-7 * np.abs(want).max())


def test_bodies_that_turn_are_refused():
    text = flexes.grid(
        (3, 3), children=NONE, joints=lambda i: HINGES, shape=dome, rest=flexes.held()
    )
    model, data = state(text)
    with pytest.raises(sinew.NotSupportedError, match="equality 0 holds edges of flex 0"):
        sinew.transitionDerivative(model, data)
