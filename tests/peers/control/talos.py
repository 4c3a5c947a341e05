"""Our controller for the problems of tsid_peer, on the same URDF, with the same tasks, weights and limits.

Unknowns differ: the free joint's qacc is the rate of the velocity in world axes, TSID's (Pinocchio's) that of the
velocity in the body's own axes, a = R' qacc - omega x v; joints are numbered otherwise. Forces have the same axes. TSID's
two levels are ours: what must hold, then all tasks by weight, its regularisation of H among them.
"""

import importlib.metadata

import numpy as np

import sinew
import tsid_peer
from sinew import control

ROBOTS = importlib.metadata.distribution("example-robot-data").locate_file(
    "cmeel.prefix/share/example-robot-data/robots"
)
URDF = ROBOTS / "talos_data/robots/talos_reduced.urdf"


def body(joint):
    """The link behind a joint of Talos."""
    return joint.replace("_joint", "_link")


def rotation(quat):
    w, x, y, z = quat
    u = np.array([x, y, z])
    return (w * w - u @ u) * np.eye(3) + 2 * (np.outer(u, u) - w * np.cross(u, np.eye(3)))


class Ours:
    """A problem of tsid_peer in a controller of ours.

    `levels`: of the centre of mass, the hand and the posture; where they are not all 1, what is left gets our least norm
    instead of TSID's regularisation, and the unknowns are ours. Other options are the controller's.
    """

    def __init__(self, problem, levels=(1, 1, 1), **options):
        self.problem, self.case = problem, problem["case"]
        self.model = sinew.Spec.from_urdf(URDF, floating_base=True).compile()
        # the URDF has them, Pinocchio leaves them out
        self.model.dof_damping[:] = self.model.dof_frictionloss[:] = 0
        joints = [self.model.joint(name) for name in problem["joints"]]
        self.dof = np.array([j.dofadr for j in joints]).ravel()
        self.qposadr = np.array([j.qposadr for j in joints]).ravel()
        self.data = sinew.Data(self.model)
        self.place(problem["q"], problem["v"])
        self.controller = control.Controller(
            self.model, dt=self.case["dt"], position_limits=False, integrator=False, **options
        )
        self.limit()
        for name in tsid_peer.FEET:
            self.add_foot(name)
        self.add_tasks(dict(zip(("com", "hand", "posture"), levels, strict=True)))
        if levels == (1, 1, 1):
            self.add_regularisation()

    def place(self, q, v):
        """qpos and qvel from Pinocchio's; R and omega x v of the free joint."""
        quat = q[[6, 3, 4, 5]]
        self.R = rotation(quat)
        self.turning = np.cross(v[3:6], v[:3])
        self.data.qpos[:7] = [*q[:3], *quat]
        self.data.qpos[self.qposadr] = q[7:]
        self.data.qvel[:6] = [*(self.R @ v[:3]), *v[3:6]]
        self.data.qvel[self.dof] = v[6:]
        sinew.forward(self.model, self.data)  # for the pose of the hand

    def limit(self):
        c = self.controller
        c.velocity_max[self.dof] = self.problem["speed"]
        c.torque_upper[self.dof] = self.problem["torque"]
        c.torque_lower[self.dof] = -self.problem["torque"]

    def add_foot(self, name):
        low, high = self.case["force"]
        self.controller.add_contact(
            body=body(name), points=tsid_peer.SOLE, mu=self.case["mu"], force_min=low, force_max=high,
            kp=self.case["contact_gain"], name=name,
        )  # fmt: skip

    def add_tasks(self, levels):
        def common(name):
            return {
                "kp": self.case[name]["gain"],
                "weight": self.case[name]["weight"],
                "level": levels[name],
                "name": name,
            }

        com = self.controller.add_task(control.ComTask(**common("com")))
        com.pos = self.problem["com_reference"]
        posture = self.controller.add_task(
            control.PostureTask(joints=self.problem["joints"], **common("posture"))
        )
        posture.pos[self.qposadr] = self.problem["posture_reference"]
        hand = self.controller.add_task(
            control.PoseTask(body=body(tsid_peer.HAND), **common("hand"))
        )
        hand.pos[:3] = self.problem["hand_reference"]
        hand.pos[3:] = self.data.xquat[self.model.body(body(tsid_peer.HAND)).id]

    def add_regularisation(self):
        """Forces of each foot, and TSID's multiple of the identity."""
        nv, nx = self.model.nv, len(self.problem["x"])
        wrench = np.zeros((12, nx))
        wrench[:, nv:] = self.problem["J"][:12, 38:]
        self.controller.add_task(
            control.LinearTask(
                A=wrench, lower=0, upper=0, weight=self.case["force_weight"], name="forces"
            )
        )
        self.change = np.eye(nx)  # of ours to TSID's unknowns, less `turning`
        self.change[:38, :38] = 0
        self.change[:3, :3] = self.R.T
        self.change[3:6, 3:6] = np.eye(3)
        self.change[np.arange(6, 38), self.dof] = 1
        b = np.zeros(nx)
        b[:3] = self.turning
        self.controller.add_task(
            control.LinearTask(
                A=self.change, lower=b, upper=b, weight=tsid_peer.REGULARISATION, name="identity"
            )
        )

    def solve(self):
        """TSID's unknowns and torques."""
        status = self.controller.solve(self.data)
        assert status == sinew.QpStatus.SOLVED, self.controller.diagnostics()
        x = self.change @ self.controller.x
        x[:3] -= self.turning
        return x, self.controller.tau[self.dof]
