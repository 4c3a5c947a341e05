"""Controllers of mechanisms with closed loops: motors alone move them, and the engine closes the loop at 1 kHz."""

import os

import numpy as np
import pytest

import sinew
from linkage_models import load, loop_K
from sinew import control

LONG = bool(os.environ.get("SINEW_LONG"))
TIMESTEP = 0.001


def robot(name, soft=False):
    """Model, data and the dofs that have motors."""
    model, data = load(name, timestep=TIMESTEP)
    if soft:
        model.opt.loops = sinew.Loops.SOFT
    sinew.forward(model, data)
    driven = model.actuator_trnid[:, 0]
    return model, data, model.jnt_dofadr[driven]


def check_motors_alone(model, data, controller, driven):
    """What the controller found is what the engine does, and no passive joint gets a torque."""
    passive = np.setdiff1d(np.arange(model.nv), driven)
    assert np.flatnonzero(controller.actuated).tolist() == np.sort(driven).tolist()
    np.testing.assert_array_equal(controller.tau[passive], 0)
    np.testing.assert_array_equal(data.qfrc_applied, 0)
    np.testing.assert_allclose(data.qfrc_actuator, controller.tau, atol=1e-9 * (1 + np.abs(controller.tau).max()))


def circle(center, radius, time, duration=0.5):
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
    worst = 0
    for step in range(500):
        pos, vel, acc = circle(start, radius, step * TIMESTEP)
        for to, linear in ((task.pos, pos), (task.vel, vel), (task.acc, acc)):
            to[:3] = linear
        controller.solve(data)
        assert controller.apply(data) == sinew.ControlOutput.CTRL
        assert controller.violation[0] < 1e-9
        worst = max(worst, np.abs(task.error[rows[:3]]).max())
        before = data.qvel.copy()
        sinew.step(model, data)
        # exactly what was asked for, loops and damping of the integrator included
        achieved = (data.qvel - before) / TIMESTEP
        if step % 50 == 0:
            scale = 1 + np.abs(controller.qacc).max()
            np.testing.assert_allclose(achieved, controller.qacc, atol=1e-8 * scale)
            check_motors_alone(model, data, controller, driven)
    print(name, worst)
    assert worst < 1e-3 * radius
