"""Derivatives of steps through flexes against differences of steps."""

import numpy as np
import pytest

import flexes
import sinew

QUIET = '<contact contype="0" conaffinity="0" selfcollide="none"/>'
SHEET = '<elasticity young="2e4" poisson="0.3" thickness="0.02" elastic2d="both" damping="2e-4"/>'
SOLID = '<elasticity young="2e4" poisson="0.3" damping="2e-4"/>'


def wave(places):
    return places + 0.03 * np.sin(7 * places[:, [1, 2, 0]])


STRING = ((5,), '<edge stiffness="30" damping="0.2"/>')
ELASTIC = [((3, 3), SHEET + '<edge damping="0.2"/>'), ((2, 2, 3), SOLID)]


# implicit takes elasticity as explicit, with a warning
@pytest.mark.parametrize(
    "counts, children, integrator",
    [(*flex, i) for i in ("Euler", "RK4") for flex in (STRING, *ELASTIC)] + [(*STRING, "implicit")],
)
def test_steps(counts, children, integrator):
    """Of a flex on a link, a free body and three slides."""
    world = (
        '<body name="link"><joint axis="0 1 0"/><geom size=".05" mass="1"/></body>'
        '<body name="free" pos="0 .1 0"><freejoint/><geom size=".05" mass="1"/></body>'
    )
    text = flexes.grid(
        counts,
        shape=wave,
        children=QUIET + children,
        world=world,
        bodies={0: "link", 1: "free"},
        option=f'integrator="{integrator}" timestep="0.001"',
    )
    model = sinew.Model.from_xml(text)
    model.opt.disableflags |= sinew.DisableBit.CONTACT
    data = sinew.Data(model)
    rng = np.random.default_rng(3)
    step = 0.02 * rng.normal(size=model.nv)
    sinew.integratePos(model, data.qpos, step, 1)
    data.qvel[:] = rng.normal(size=model.nv)
    A = sinew.transitionDerivative(model, data)[0]
    exact = sinew.transitionFD(model, data, 1e-6, True)[0]
    assert np.abs(A - exact).max() < 1e-7 * np.abs(exact).max()


@pytest.mark.parametrize(
    "counts, children",
    [((5,), '<edge stiffness="30"/>'), ((3, 3), SHEET), ((2, 2, 3), SOLID)],
)
def test_energy(counts, children):
    """Its gradient by positions, of vertices on hinges, too."""
    text = flexes.grid(
        counts,
        shape=wave,
        children=QUIET + children,
        joints=lambda i: '<joint axis="1 2 3" pos=".1 -.2 .1"/><joint type="slide" axis="1 .5 0"/>',
    ).replace("<worldbody>", '<option><flag energy="enable"/></option><worldbody>', 1)
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    start = 0.1 * np.random.default_rng(2).normal(size=model.nv)
    data.qpos[:] = start
    sinew.forward(model, data)
    gradient = sinew.energyDerivative(model, data)[0]
    for k in range(model.nv):
        side = []
        for sign in (-1, 1):
            data.qpos[:] = start
            data.qpos[k] += sign * 1e-5
            sinew.forward(model, data)
            side.append(data.energy[0])
        assert abs((side[1] - side[0]) / 2e-5 - gradient[k]) < 1e-6 * np.abs(gradient).max()
