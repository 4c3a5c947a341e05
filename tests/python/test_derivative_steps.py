"""Derivatives of steps in Python: shapes, products against matrices, gradients against their chain, equilibria."""

import copy

import numpy as np
import pytest

import sinew

LEG = """
<mujoco>
  <option timestep="0.004" integrator="{integrator}"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .45">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
      <geom size=".1"/>
      <joint name="hip" axis="0 1 0" damping=".2"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .1 0 -.2"/>
      <body pos=".1 0 -.2">
        <joint name="knee" axis="0 1 0" damping=".2"/>
        <geom type="capsule" size=".04" fromto="0 0 0 -.1 0 -.2"/>
        <site name="foot" pos="-.1 0 -.2"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hip" gear="5"/>
    <general joint="knee" dyntype="filter" dynprm=".02" gainprm="5"/>
  </actuator>
  <sensor><framepos objtype="site" objname="foot"/><jointvel joint="knee"/><accelerometer site="foot"/></sensor>
</mujoco>
"""
ARM = """
<mujoco>
  <option integrator="{integrator}"/>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/></body>
    </body>
  </worldbody>
  <actuator>{actuators}</actuator>
</mujoco>
"""


def _leg(integrator="Euler", steps=60):
    model = sinew.Model.from_xml(LEG.format(integrator=integrator))
    data = sinew.Data(model)
    data.ctrl[:] = 0.3, -0.2
    sinew.step(model, data, steps)
    return model, data


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_against_differences(integrator):
    model, data = _leg(integrator)
    assert data.ncon > 0
    exact = sinew.transitionDerivative(model, data)
    rough = sinew.transitionFD(model, data, 1e-6, centered=True)
    for a, b in zip(exact, rough, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6 * max(1, np.abs(b).max()))


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit"])
def test_products(integrator):
    model, data = _leg(integrator)
    A, B, C, D = sinew.transitionDerivative(model, data)
    rng = np.random.default_rng(1)
    x, u, y, s = (rng.normal(size=n) for n in (len(A), model.nu, len(A), model.nsensordata))
    along = sinew.stepJVP(model, data, x, u)
    np.testing.assert_allclose(along.next, A @ x + B @ u, atol=1e-10)
    np.testing.assert_allclose(along.sensor, C @ x + D @ u, atol=1e-8)
    back = sinew.stepVJP(model, data, y, s)
    np.testing.assert_allclose(back.x, A.T @ y + C.T @ s, atol=1e-8)
    np.testing.assert_allclose(back.u, B.T @ y + D.T @ s, atol=1e-8)
    forces = rng.normal(size=model.nv), rng.normal(size=(model.nbody, 6))
    forces[1][0] = 0
    along = sinew.stepJVP(model, data, qfrc=forces[0], xfrc=forces[1])
    expected = along.next @ y + along.sensor @ s
    assert back.qfrc @ forces[0] + np.sum(back.xfrc * forces[1]) == pytest.approx(
        expected, abs=1e-9
    )


def test_rollout_is_the_chain_of_its_steps():
    model, data = _leg()
    rng = np.random.default_rng(2)
    steps, nx = 12, 2 * model.nv + model.na
    ctrl = rng.uniform(-0.5, 0.5, (steps, model.nu))
    by_x, by_s = rng.normal(size=(steps + 1, nx)), rng.normal(size=(steps, model.nsensordata))
    before = data.qpos.copy()
    found = sinew.rolloutGradient(model, data, ctrl, by_x, by_s)
    np.testing.assert_array_equal(data.qpos, before)
    for checkpoints in (1, 3, steps):
        again = sinew.rolloutGradient(model, data, ctrl, by_x, by_s, checkpoints=checkpoints)
        for a, b in zip(found, again, strict=True):
            np.testing.assert_array_equal(a, b)
    states = []
    other = copy.copy(data)
    for u in ctrl:
        other.ctrl[:] = u
        states.append(copy.copy(other))
        sinew.step(model, other)
    gradient = by_x[-1]
    for t in reversed(range(steps)):
        back = sinew.stepVJP(model, states[t], gradient, by_s[t])
        np.testing.assert_allclose(found.ctrl[t], back.u, rtol=1e-12, atol=1e-12)
        gradient = back.x + by_x[t]
    np.testing.assert_allclose(found.x, gradient, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "actuators",
    [
        '<motor joint="a" gear="4"/><motor joint="b" gear="2"/>',
        '<position joint="a" kp="30" kv="2"/><motor joint="b" gear="2"/>',
        '<general joint="a" dyntype="filter" dynprm=".1" gainprm="5"/><intvelocity joint="b" kp="20" actrange="-9 9"/>',
    ],
)
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_an_equilibrium(actuators, integrator):
    model = sinew.Model.from_xml(ARM.format(actuators=actuators, integrator=integrator))
    data = sinew.Data(model)
    data.qpos[:] = 0.4, -0.7
    data.qvel[:] = 1, 2
    point = sinew.linearize(model, data, hold=True)
    assert point.rest < 1e-12
    np.testing.assert_array_equal(data.qpos, [0.4, -0.7])
    np.testing.assert_array_equal(point.ctrl0, data.ctrl)
    start = copy.copy(data)
    sinew.step(model, data, 20)
    np.testing.assert_allclose(data.qpos, [0.4, -0.7], atol=1e-10)
    # dx+ = A dx + B du, to second order
    rng = np.random.default_rng(3)
    dx, du = 1e-6 * rng.normal(size=len(point.A)), 1e-6 * rng.normal(size=model.nu)
    nv = model.nv
    other = copy.copy(start)
    other.qpos[:] += dx[:nv]
    other.qvel[:] += dx[nv : 2 * nv]
    other.act[:] += dx[2 * nv :]
    other.ctrl[:] += du
    sinew.step(model, other)
    moved = np.concatenate(
        [other.qpos - start.qpos, other.qvel - start.qvel, other.act - start.act]
    )
    np.testing.assert_allclose(moved, point.A @ dx + point.B @ du, rtol=0, atol=1e-10)


def test_what_cannot_hold():
    model = sinew.Model.from_xml(
        ARM.format(actuators='<motor joint="b" ctrlrange="-.1 .1"/>', integrator="Euler")
    )
    point = sinew.linearize(model, sinew.Data(model), hold=True)
    assert point.rest > 1e-3
    assert abs(point.ctrl0[0]) <= 0.1


def test_refusals():
    model, data = _leg()
    model.opt.noslip_iterations = 2
    for call in (
        sinew.transitionDerivative,
        sinew.linearize,
        sinew.stepJVP,
        sinew.stepVJP,
        lambda m, d: sinew.rolloutGradient(m, d, np.zeros((2, m.nu))),
    ):
        with pytest.raises(sinew.NotSupportedError, match="noslip.*transitionFD"):
            call(model, data)
    model.opt.noslip_iterations = 0
    with pytest.raises(ValueError, match=r"\(3, 9\)"):
        sinew.rolloutGradient(model, data, np.zeros((2, 2)), np.zeros((2, 9)))
    data.qvel[0] = np.nan
    with pytest.raises(ValueError, match="qvel"):
        sinew.transitionDerivative(model, data)
