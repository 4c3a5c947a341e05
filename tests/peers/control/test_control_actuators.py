"""Torques of a controller through the actuators of models that nobody here wrote: what the peer makes of them."""

import mujoco
import numpy as np
import pytest

import models
import sinew
from sinew import ControlOutput, control

CYCLES = 20
APPLIED = {"dog", "quadruped", "swimmer"}  # filters, or no actuators


def controllers():
    """Models with something to control, but dm_control's swimmer, whose actuators its task makes."""
    return [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in models.everything() if path.stem != "lqr"]


class Robot:
    """A model in both engines, without contacts and limits, and a controller that holds a posture."""

    def __init__(self, path, seed):
        self.rng = np.random.default_rng(seed)
        self.peer = mujoco.MjModel.from_xml_path(str(path))
        self.m = sinew.Model.from_path(path)
        for m in (self.peer, self.m):
            m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.d, self.state = sinew.Data(self.m), mujoco.MjData(self.peer)
        self.c = control.Controller(self.m, position_limits=False, friction_velocity=0)
        self.posture = self.c.add_task(control.PostureTask(level=1, kp=30))

    def cycle(self):
        """A random state, the controller's torques, and its controls in the peer."""
        models.random_state(self.rng, self.peer, self.state, contact=False)
        self.state.xfrc_applied[:] = 0
        self.state.qfrc_applied[:] = 0
        for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied"):
            getattr(self.d, name)[:] = getattr(self.state, name)
        self.posture.pos[:] = self.m.qpos0
        assert self.c.solve(self.d) == sinew.QpStatus.SOLVED
        output = self.c.apply(self.d)
        for name in ("ctrl", "qfrc_applied"):
            getattr(self.state, name)[:] = getattr(self.d, name)
        mujoco.mj_forward(self.peer, self.state)
        return output

    def scale(self):
        """Of the forces that cancel in a dof: those of the bias of servos."""
        return 1 + np.abs(self.state.actuator_bias_scale if False else self.c.tau).max(initial=0)


@pytest.mark.parametrize("path", controllers())
def test_the_peer_has_the_torques(path):
    robot = Robot(path, 1)
    for _ in range(CYCLES):
        output = robot.cycle()
        got = robot.state.qfrc_actuator
        if output != ControlOutput.CTRL:
            assert path.stem in APPLIED
            got = got + robot.state.qfrc_applied
        np.testing.assert_allclose(got, robot.c.tau, rtol=0, atol=1e-12 * robot.scale())


@pytest.mark.parametrize("path", controllers())
def test_clamps_are_needless(path):
    """The peer without its clamp of controls has the same torques."""
    robot = Robot(path, 2)
    for _ in range(CYCLES):
        robot.cycle()
        before = robot.state.qfrc_actuator.copy()
        robot.peer.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL
        mujoco.mj_forward(robot.peer, robot.state)
        robot.peer.opt.disableflags &= ~mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL
        np.testing.assert_array_equal(robot.state.qfrc_actuator, before)
