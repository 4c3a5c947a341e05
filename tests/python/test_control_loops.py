"""Controllers of mechanisms with closed loops: motors alone move them, and the engine closes the loop at 1 kHz."""

import copy

import numpy as np
import pytest

import sinew
import sinew.loops
from linkage_models import load, loop_K
from sinew import control

TIMESTEP = 0.001


def robot(name):
    """Model, data and the dofs that have motors."""
    model, data = load(name, timestep=TIMESTEP)
    sinew.forward(model, data)
    return model, data, model.jnt_dofadr[model.actuator_trnid[:, 0]]


def check_motion(model, data, controller):
    """The step that the engine takes from here is what was asked for, forces of loops and implicit damping included."""
    copied = copy.copy(data)
    project, model.opt.loop_project = model.opt.loop_project, 0
    sinew.step(model, copied)
    model.opt.loop_project = project
    achieved = (copied.qvel - data.qvel) / model.opt.timestep
    scale = 1 + np.abs(controller.qacc).max()
    np.testing.assert_allclose(achieved, controller.qacc, rtol=0, atol=1e-8 * scale)


def check_motors_alone(data, controller, driven):
    """No passive joint gets a torque; the motors give all."""
    passive = np.setdiff1d(np.arange(len(controller.tau)), driven)
    assert np.flatnonzero(controller.actuated).tolist() == np.sort(driven).tolist()
    np.testing.assert_array_equal(controller.tau[passive], 0)
    np.testing.assert_array_equal(data.qfrc_applied, 0)


def circle(center, radius, time, duration=0.8):
    """A point goes round once in `duration`, from rest to rest, in the xy plane and up."""
    s, v, a = control.polynomial(time, duration, [0.0], [2 * np.pi])
    s, v, a = s[0], v[0], a[0]
    pos = radius * np.array([np.sin(s), 1 - np.cos(s), 0.5 * np.sin(s)])
    d1 = radius * np.array([np.cos(s), np.sin(s), 0.5 * np.cos(s)])
    d2 = radius * np.array([-np.sin(s), np.cos(s), -0.5 * np.sin(s)])
    return center + pos, d1 * v, d2 * v * v + d1 * a


# body, radius of the circle (m), rows of its motion that the mechanism has
PLATFORMS = {
    "delta": ("platform", 0.08, "x y z"),
    "stewart": ("platform", 0.1, "x y z rx ry rz"),
    "excavator": ("bucket", 0.4, "x z ry"),
}


@pytest.mark.parametrize("name", PLATFORMS)
def test_platform_follows_a_circle(name):
    model, data, driven = robot(name)
    body, radius, axes = PLATFORMS[name]
    controller = control.Controller(model)
    task = controller.add_task(control.PoseTask(body=body, level=1, kp=400, axes=axes))
    rows = [i for i, word in enumerate("x y z rx ry rz".split()) if word in axes.split()]
    start = data.body(body).xpos.copy()
    worst = fastest = 0
    for step in range(900):
        pos, vel, acc = circle(start, radius, step * TIMESTEP)
        fastest = max(fastest, np.abs(vel).max())
        for to, linear in ((task.pos, pos), (task.vel, vel), (task.acc, acc)):
            to[:3] = linear
        controller.solve(data)
        assert controller.apply(data) == sinew.ControlOutput.CTRL
        assert controller.violation[0] < 1e-9
        worst = max(worst, np.abs(task.error[rows[:3]]).max())
        if step % 50 == 0:
            check_motion(model, data, controller)
            check_motors_alone(data, controller, driven)
        sinew.step(model, data)
    # a step of the reference is what a cycle does not see
    assert worst < 0.6 * TIMESTEP * fastest
    assert np.abs(task.error[rows]).max() < 1e-3 * radius


@pytest.mark.parametrize("name", [*PLATFORMS, "excavator_boom"])
def test_forward_dynamics_agree(name):
    """With tau the engine's forward dynamics come to the controller's qacc, from any state on the loops."""
    model, data, driven = robot(name)
    controller = control.Controller(model, integrator=False)
    task = controller.add_task(control.PostureTask(level=1, kp=100))
    rng = np.random.default_rng(1)
    for _ in range(5):
        data.ctrl[:] = data.qpos[model.jnt_qposadr[model.actuator_trnid[:, 0]]]
        data.ctrl[:] += rng.uniform(-0.05, 0.05, model.nu)
        sinew.step(model, data, nstep=20)
        task.vel = rng.normal(size=model.nv)
        controller.solve(data)
        controller.apply(data)
        check_motors_alone(data, controller, driven)
        sinew.forward(model, data)
        scale = 1 + np.abs(controller.qacc).max()
        np.testing.assert_allclose(data.qacc, controller.qacc, rtol=0, atol=1e-8 * scale)
        tau = np.abs(controller.tau).max()
        np.testing.assert_allclose(data.qfrc_actuator, controller.tau, rtol=0, atol=1e-9 * tau)
        # M qacc + bias - passive - tau is what loops bear: nothing that moves with them feels it
        K = loop_K(model, data)
        lam = data.qfrc_constraint
        residual = lam - K.T @ np.linalg.lstsq(K.T, lam, rcond=1e-9)[0]
        np.testing.assert_allclose(residual, 0, atol=1e-8 * (1 + np.abs(lam).max()))


def test_crank_without_actuators():
    """`actuated` chooses who drives: the crank alone turns the four-bar at a constant rate."""
    model, data = load("four_bar", timestep=TIMESTEP)
    controller = control.Controller(model)
    controller.actuated[:] = [1, 0, 0]
    task = controller.add_task(control.JointVelocityTask(joints="crank", level=1, kp=50))
    task.vel[0] = 6.0
    for _ in range(800):
        controller.solve(data)
        assert controller.apply(data) == sinew.ControlOutput.APPLIED
        np.testing.assert_array_equal(data.qfrc_applied[1:], 0)
        sinew.step(model, data)
    assert data.qvel[0] == pytest.approx(6, abs=4e-3)
    assert np.abs(controller.tau[1:]).max() == 0


FIVE_BAR = """
<mujoco>
  <option timestep="0.001" integrator="implicitfast"/>
  <default><geom contype="0" conaffinity="0" type="capsule" size=".01" mass=".3"/><joint axis="0 -1 0"/></default>
  <worldbody>
    <body pos="-.1 0 0" euler="0 -120 0">
      <joint name="left"/><geom fromto="0 0 0 .2 0 0"/>
      <body pos=".2 0 0" euler="0 80 0"><joint/><geom fromto="0 0 0 .3128689 0 0"/>
        <site name="tip" pos=".3128689 0 0"/><body name="pen" pos=".3128689 0 0"><geom size=".02" type="sphere"/></body>
      </body>
    </body>
    <body pos=".1 0 0" euler="0 -60 0">
      <joint name="right"/><geom fromto="0 0 0 .2 0 0"/>
      <body name="forearm" pos=".2 0 0" euler="0 -80 0"><joint/><geom fromto="0 0 0 .3128689 0 0"/></body>
    </body>
  </worldbody>
  <equality>
    <connect name="close" body1="pen" body2="forearm" anchor="0 0 0" solref=".002 1" solimp=".999 .9999 .001"/>
  </equality>
  <actuator><motor joint="left"/><motor joint="right"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize("loops", ["EXACT", "SOFT"])
def test_equality_soft_and_exact(loops):
    """The pen of a five-bar, whose loop an equality closes, goes round a circle; soft ones give way a little."""
    model = sinew.Model.from_xml(FIVE_BAR)
    model.opt.loops = sinew.Loops[loops]
    data = sinew.Data(model)
    sinew.forward(model, data)
    controller = control.Controller(model)
    task = controller.add_task(control.PositionTask(site="tip", level=1, kp=900, axes="x z"))
    start, worst, fastest = data.site("tip").xpos.copy(), 0, 0
    for step in range(900):
        task.pos, task.vel, task.acc = circle(start, 0.05, step * TIMESTEP)
        fastest = max(fastest, np.abs(task.vel).max())
        controller.solve(data)
        controller.apply(data)
        np.testing.assert_array_equal(controller.tau[[1, 3]], 0)
        if loops == "EXACT" and step % 50 == 0:
            check_motion(model, data, controller)
        worst = max(worst, np.abs(task.error[[0, 2]]).max())
        sinew.step(model, data)
    assert worst < 0.6 * TIMESTEP * fastest
    assert np.abs(task.error[[0, 2]]).max() < {"EXACT": 2e-5, "SOFT": 1e-3}[loops]


def test_light_rods_of_legs_count():
    """Two legs like Cassie's in the air: rods that turn about themselves have a thousandth of the inertia of others."""
    model, data, driven = robot("cassie_legs")
    data.qpos[2] = 1.5
    sinew.forward(model, data)
    controller = control.Controller(model)
    task = controller.add_task(control.PostureTask(level=1, kp=100))
    task.pos = data.qpos
    rng = np.random.default_rng(2)
    for step in range(200):
        if step % 20 == 0:
            task.vel = rng.normal(size=model.nv)
        controller.solve(data)
        controller.apply(data)
        assert controller.infeasible < 0, controller.diagnostics()
        if step % 20 == 0:
            check_motors_alone(data, controller, driven)
            check_motion(model, data, controller)
        sinew.step(model, data)
    assert max(sinew.loops.error(model, data).values()) < 1e-9


@pytest.mark.parametrize("integrator", ["EULER", "IMPLICIT", "IMPLICITFAST"])
def test_servos_at_their_limit(integrator):
    """A servo's damping, which is in the integrator's matrix, counts as long as its force is not beyond its range."""
    model = sinew.Model.from_xml(
        """<mujoco><option timestep="0.001"/><worldbody><body><joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body></worldbody>
        <actuator><position joint="hinge" kp="100" kv="30" forcerange="-2 2"/></actuator></mujoco>"""
    )
    model.opt.integrator = sinew.Integrator[integrator]
    data = sinew.Data(model)
    data.qvel[0] = 1
    controller = control.Controller(model)
    task = controller.add_task(control.JointVelocityTask(joints="hinge", level=1))
    for acc in (1e6, -1e6):
        task.acc = acc
        controller.solve(data)
        controller.apply(data)
        assert controller.tau[0] == pytest.approx(np.copysign(2, acc), abs=1e-8)
        before = data.qvel[0]
        sinew.step(model, data)
        achieved = (data.qvel[0] - before) / TIMESTEP
        assert achieved == pytest.approx(controller.qacc[0], rel=1e-9)
