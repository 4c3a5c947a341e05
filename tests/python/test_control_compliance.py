"""Compliance in simulation: impedance and admittance as their equations say, forces at a wall."""

import numpy as np
import pytest

import sinew
from sinew import control
from test_control_objects import ARM, POSE

TIMESTEP = 0.001


def arm(wall=None):
    """One arm with its palm as tool; maybe a ball of 1 cm before the palm and a wall this far away from it."""
    spec = sinew.Spec.from_xml(
        f'<mujoco><option timestep="{TIMESTEP}" integrator="implicitfast" cone="elliptic" impratio="10"/>'
        "<worldbody/></mujoco>"
    )
    spec.attach(sinew.Spec.from_xml(ARM))
    if wall is not None:
        spec.geom("palm").contype = spec.geom("palm").conaffinity = 0
        tip = spec.body("hand").add("geom", "tip", type="sphere", size=0.01, pos=[0.06, 0, 0])
        tip.mass, tip.contype, tip.conaffinity = 0.01, 1, 1
        reach = 0.35 * np.sin(0.2) + 0.3 * np.cos(0.5) + 0.13
        wall_geom = spec.world.add("geom", "wall", type="box", size=[0.1, 1, 1])
        wall_geom.pos = [reach + wall + 0.12, 0, 0.5]
        wall_geom.priority = 1
        wall_geom.condim = 1
        wall_geom.solref = [0.004, 1]
    model = spec.compile()
    data = sinew.Data(model)
    for name, angle in POSE.items():
        data.joint(name).qpos[0] = angle
    sinew.forward(model, data)
    return model, data


def oscillator(mass, damping, stiffness, force, time):
    """m e'' + d e' + k e = f from rest, underdamped."""
    rate = damping / (2 * mass)
    omega = np.sqrt(stiffness / mass - rate * rate)
    decay = np.exp(-rate * time)
    return (
        force
        / stiffness
        * (1 - decay * (np.cos(omega * time) + rate / omega * np.sin(omega * time)))
    )


PUSH = np.array([8.0, -5.0, 6.0])


def pushed(data, wrench):
    """The push at the palm's site, as a load of the hand."""
    com = data.body("hand").xipos
    arm = data.site("palm").xpos - com
    data.body("hand").xfrc_applied[:3] = wrench
    data.body("hand").xfrc_applied[3:] = np.cross(arm, wrench)


def measured(model, data, sense, kind, mass, damping, stiffness, **settings):
    """Deflection of the palm in the world, from when the push begins, step by step."""
    controller = control.Controller(model)
    task = controller.add_task(
        kind(site="palm", level=1, mass=mass, kd=damping, kp=stiffness, **settings)
    )
    posture = controller.add_task(control.PostureTask(level=2, kp=25))
    posture.pos = data.qpos
    start = data.site("palm").xpos.copy()
    task.pos[:3] = start
    deflection = []
    for _ in range(600):
        pushed(data, PUSH)
        loads = data.xfrc_applied.copy()
        sense(data, task)
        controller.solve(data)
        controller.apply(data)
        data.xfrc_applied[:] = loads
        sinew.step(model, data)
        deflection.append(data.site("palm").xpos - start)
    return np.array(deflection)


@pytest.mark.parametrize("kind", [control.ImpedanceTask, control.AdmittanceTask])
def test_deflection_is_that_of_mass_spring_and_damper(kind):
    """A push that a sensor at the wrist tells, and of which the equations of motion know nothing."""
    model, data = arm()
    mass, damping, stiffness = 2.0, 15.0, 150.0

    def sense(data, task):
        task.wrench[:3] = PUSH

    deflection = measured(model, data, sense, kind, mass, damping, stiffness)
    time = TIMESTEP * np.arange(1, len(deflection) + 1)
    expected = np.stack([oscillator(mass, damping, stiffness, f, time) for f in PUSH], 1)
    worst = np.abs(deflection - expected).max() / np.abs(expected).max()
    assert worst < 0.01


def test_push_that_nobody_measures():
    """Without a wrench an impedance is a spring: what the engine pushes with, and the controller is not told, is borne."""
    model, data = arm()
    controller = control.Controller(model)
    task = controller.add_task(control.ImpedanceTask(site="palm", level=1, mass=2, kd=60, kp=450))
    posture = controller.add_task(control.PostureTask(level=2, kp=25))
    posture.pos = data.qpos
    start = data.site("palm").xpos.copy()
    task.pos[:3] = start
    for _ in range(1500):
        data.xfrc_applied[:] = 0
        controller.solve(data)
        controller.apply(data)
        pushed(data, PUSH)
        sinew.step(model, data)
    # at rest J' F = J' L e kp / mass, with the inertia L that the palm has in the task's rows
    site = data.site("palm")
    J = np.concatenate(sinew.jacSite(model, data, site.id))
    M = sinew.fullM(model, data)
    inertia = np.linalg.inv(J @ np.linalg.inv(M) @ J.T)
    error = np.concatenate([start - site.xpos, task.error[3:]])
    np.testing.assert_allclose(
        inertia @ error * 450 / 2, np.concatenate([-PUSH, np.zeros(3)]), atol=0.02
    )


def test_press_on_a_wall_while_sliding():
    """A tip presses with 20 N, the engine's contact says so, and slides along the wall."""
    model, data = arm(wall=0.0)
    controller = control.Controller(model)
    contact = controller.add_contact(
        body="hand", points=[0.07, 0, 0], normal=[-1, 0, 0], world=True, mu=0, kd=20, name="tip"
    )
    contact.motion.weight[1:3] = 0  # free to slide
    press = controller.add_task(control.ForceTask(contact=contact, level=1, name="press"))
    press.pos[2] = 20
    slide = controller.add_task(
        control.PositionTask(body="hand", offset=[0.07, 0, 0], axes="y z", level=1, kp=900)
    )
    posture = controller.add_task(control.PostureTask(level=2, kp=25))
    posture.pos = data.qpos
    start, worst = data.geom("tip").xpos.copy(), 0
    forces = []
    for step in range(1500):
        time = step * TIMESTEP - 0.5
        pos, vel, acc = control.polynomial(time, 0.9, start, start + [0, 0.15, 0.06])
        slide.pos, slide.vel, slide.acc = pos, vel, acc
        controller.solve(data)
        controller.apply(data)
        assert controller.infeasible < 0
        assert contact.wrench[0] == pytest.approx(-20, abs=1e-6)
        sinew.step(model, data)
        forces.append(sum(sinew.contactForce(model, data, i)[0] for i in range(data.ncon)))
        worst = max(worst, np.linalg.norm(slide.error[1:3]))
    forces = np.array(forces[200:])
    assert np.abs(forces - 20).max() < 0.4
    assert worst < 2e-3
    assert np.linalg.norm(slide.error[1:3]) < 1e-3
