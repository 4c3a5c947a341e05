"""Whole-body controllers in closed loop with the engine, and what a run leaves behind."""

import numpy as np

import sinew
import walkers
from sinew import QpStatus, control


class Run:
    """A robot, its controller and all that a cycle shows: one row a cycle in each list of `log`."""

    def __init__(self, model, qpos, **settings):
        self.model, self.data = model, sinew.Data(model)
        self.data.qpos[:] = qpos
        sinew.forward(model, self.data)
        self.controller = control.Controller(model, **settings)
        self.feet, self.log = {}, []

    def body(self, name):
        return self.model.body(name).id

    def com(self):
        return self.data.subtree_com[0].copy()

    def cycle(self, push=None):
        """Solves, applies and steps; push: (body, force) that the controller does not know."""
        data = self.data
        status = self.controller.solve(data)
        self.controller.apply(data)
        if push:
            data.xfrc_applied[self.body(push[0]), :3] = push[1]
        sinew.step(self.model, data)
        data.xfrc_applied[:] = 0
        self.log.append(self.row(status))

    def row(self, status):
        c = self.controller
        return {
            "status": status,
            "infeasible": c.infeasible,
            "missed": c.violation[1],
            "power": c.tau @ self.data.qvel,
            "com": self.com(),
            "feet": np.array([self.data.xpos[self.body(f)] for f in self.feet]),
            "finite": bool(np.isfinite(c.tau).all() and np.isfinite(c.qacc).all()),
            "excess": np.max([c.tau - c.torque_upper, c.torque_lower - c.tau], initial=-np.inf),
        }

    def go(self, seconds, each=None, push=None):
        for _ in range(round(seconds / self.model.opt.timestep)):
            if each:
                each(self.data.time)
            self.cycle(push)
        return self

    def column(self, name):
        return np.array([row[name] for row in self.log])

    def check(self):
        """No cycle failed, no limit was broken, no warning was counted."""
        assert all(row["status"] is QpStatus.SOLVED and row["finite"] for row in self.log)
        assert all(row["infeasible"] < 0 for row in self.log), self.controller.diagnostics()
        assert self.column("excess").max() < 1e-8
        assert not any(self.data.warning["number"])

    def slip(self):
        """How far each foot went at most from where it was first."""
        feet = self.column("feet")
        return np.linalg.norm(feet - feet[0], axis=2).max(0)


class Talos(Run):
    """Talos on both feet: centre of mass and torso at level 1, posture at level 2."""

    def __init__(self, kp=30.0, contact=None, pose=None, **settings):
        model, qpos = walkers.talos()
        for joint, angle in (pose or {}).items():
            qpos[model.joint(joint).qposadr] = angle
        super().__init__(model, qpos, **settings)
        qpos = self.data.qpos.copy()
        options = {"mu": 0.6, "kd": 20.0} | (contact or {})
        for foot in walkers.TALOS_FEET:
            self.feet[foot] = self.controller.add_contact(
                body=foot, points=walkers.TALOS_SOLE_POINTS, **options
            )
        add = self.controller.add_task
        self.balance = add(control.ComTask(level=1, kp=kp))
        self.balance.pos = self.com0 = self.com()
        self.torso = add(control.OrientationTask(body="torso_2_link", level=1, kp=kp))
        self.torso.pos = self.data.xquat[self.body("torso_2_link")]
        self.posture = add(control.PostureTask(level=2, kp=20))
        self.posture.pos = qpos
