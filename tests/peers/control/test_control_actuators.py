"""Torques of a controller through the actuators of models that nobody here wrote: what the peer makes of them."""

import mujoco
import numpy as np
import pytest

import models
import sinew
from sinew import ControlOutput, control

CYCLES = 20
APPLIED = {"suite-dog", "suite-quadruped", "suite-swimmer"}  # filters, or no actuators


# What has dofs.
MODELS = [
    pytest.param(path, id=f"{path.parent.name}-{path.stem}")
    for path in models.everything()
    if path.stem != "lqr"
]


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

    def tolerance(self):
        """Rounding of what cancels in a dof, and how far the torques are outside of what the actuators can."""
        m, d, rows = self.peer, self.state, np.asarray(self.c.row)
        bias = np.abs(m.actuator_biasprm[:, 1] * d.actuator_length).max(initial=0)
        outside = np.abs(self.c.slack[rows[:, 3] == 0]).max(initial=0)
        assert outside < 1e-9
        return 1e-12 * (np.abs(self.c.tau).max(initial=0) + bias) + outside


@pytest.mark.parametrize("path", MODELS)
def test_the_peer_has_the_torques(path):
    robot = Robot(path, 1)
    for _ in range(CYCLES):
        output = robot.cycle()
        got, m = robot.state.qfrc_actuator, robot.peer
        limited = m.actuator_ctrllimited & (m.actuator_dyntype == mujoco.mjtDyn.mjDYN_NONE)
        low, high = m.actuator_ctrlrange.T
        ctrl = robot.state.ctrl
        assert ((ctrl >= low) & (ctrl <= high) | (limited == 0)).all()
        if output != ControlOutput.CTRL:
            assert f"{path.parent.name}-{path.stem}" in APPLIED
            got = got + robot.state.qfrc_applied
        np.testing.assert_allclose(got, robot.c.tau, rtol=0, atol=robot.tolerance())
        assert np.abs(got).max(initial=0) > 0
