"""Spherical and fixed loop joints against Pinocchio's constraintDynamics, which closes loops by 3D and 6D contacts."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest

import maximal
import opened
import sinew
from mechanisms import mechanism, relative
from test_maximal import FLOATING, consistent

CHAINS = ([0, 1, 2, 3, 0, 5, 6, 7], ["ball", "hinge", "ball", "slide"] * 2)
TREE = (
    [0, 1, 2, 2, 1, 5, 6, 5],
    ["ball", "hinge", "ball", "hinge", "slide", "ball", "ball", "hinge"],
)


def se3(pos, quat):
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, np.asarray(quat, float))
    return pin.SE3(R.reshape(3, 3), np.asarray(pos, float))


class Twin:
    """A pinocchio model of a tree of mujoco's, one joint a body, and how their coordinates correspond."""

    def __init__(self, m):
        self.m, self.model = m, pin.Model()
        self.joint, self.inside = (
            [0],
            [pin.SE3.Identity()],
        )  # of each body: its joint, its frame in the joint's
        self.model.gravity.linear = m.opt.gravity.copy()
        for b in range(1, m.nbody):
            self.add(b)

    def add(self, b):
        m, parent = self.m, int(self.m.body_parentid[b])
        frame = self.inside[parent] * se3(m.body_pos[b], m.body_quat[b])
        if m.body_jntnum[b] == 0:
            self.joint.append(self.joint[parent])
            self.inside.append(frame)
        else:
            j = int(m.body_jntadr[b])
            anchor = pin.SE3(np.eye(3), m.jnt_pos[j].copy())
            kind = [
                pin.JointModelFreeFlyer,
                pin.JointModelSpherical,
                lambda: pin.JointModelPrismaticUnaligned(m.jnt_axis[j].copy()),
                lambda: pin.JointModelRevoluteUnaligned(m.jnt_axis[j].copy()),
            ][int(m.jnt_type[j])]()
            place = pin.SE3.Identity() if m.jnt_type[j] == 0 else frame * anchor
            self.joint.append(self.model.addJoint(self.joint[parent], kind, place, f"j{b}"))
            self.inside.append(anchor.inverse())
        R = se3(np.zeros(3), m.body_iquat[b]).rotation
        inertia = pin.Inertia(m.body_mass[b], m.body_ipos[b], R @ np.diag(m.body_inertia[b]) @ R.T)
        self.model.appendBodyToJoint(self.joint[b], inertia, self.inside[b])

    def each(self):
        """(type, place in mujoco's q and v, place in pinocchio's) of each joint."""
        m = self.m
        for b in range(1, m.nbody):
            if m.body_jntnum[b]:
                j = int(m.body_jntadr[b])
                joint = self.model.joints[self.joint[b]]
                yield (
                    int(m.jnt_type[j]),
                    m.jnt_qposadr[j],
                    m.jnt_dofadr[j],
                    joint.idx_q,
                    joint.idx_v,
                )

    def q(self, qpos):
        q = np.zeros(self.model.nq)
        for kind, a, _, i, _ in self.each():
            at = a + 3 if kind == 0 else a
            if kind == 0:
                q[i : i + 3] = qpos[a : a + 3]
                i += 3
            if kind < 2:
                q[i : i + 4] = qpos[[at + 1, at + 2, at + 3, at]]
            else:
                q[i] = qpos[a]
        return q

    def to(self, qpos, x, force=False):
        """Velocity or force in pinocchio's coordinates: linear ones of floating bases are local there."""
        result = np.zeros(self.model.nv)
        for kind, a, d, _, i in self.each():
            n = (6, 3, 1, 1)[kind]
            result[i : i + n] = x[d : d + n]
            if kind == 0:
                result[i : i + 3] = se3(np.zeros(3), qpos[a + 3 : a + 7]).rotation.T @ x[d : d + 3]
        return result

    def acceleration(self, qpos, v, a):
        """qacc from pinocchio's accelerations a at its velocities v."""
        result = np.zeros(self.m.nv)
        for kind, at, d, _, i in self.each():
            n = (6, 3, 1, 1)[kind]
            result[d : d + n] = a[i : i + n]
            if kind == 0:
                R = se3(np.zeros(3), qpos[at + 3 : at + 7]).rotation
                result[d : d + 3] = R @ (a[i : i + 3] + np.cross(v[i + 3 : i + 6], v[i : i + 3]))
        return result

    def contact(self, loop):
        ends = []
        for body, (pos, axes) in zip(loop.bodies, loop.sites, strict=True):
            ends += [
                self.joint[body],
                self.inside[body] * pin.SE3(np.asarray(axes), np.asarray(pos)),
            ]
        kind = (
            pin.ContactType.CONTACT_3D if loop.kind == "spherical" else pin.ContactType.CONTACT_6D
        )
        return pin.RigidConstraintModel(kind, self.model, *ends, pin.ReferenceFrame.LOCAL)


def peer_acceleration(mech, qvel, tau):
    twin = Twin(mech.peer)
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in mech.loops:
        contacts.append(twin.contact(loop))
        datas.append(contacts[-1].createData())
    data = twin.model.createData()
    q, v = twin.q(mech.qpos), twin.to(mech.qpos, qvel)
    pin.initConstraintDynamics(twin.model, data, contacts, datas)
    a = pin.constraintDynamics(
        twin.model,
        data,
        q,
        v,
        twin.to(mech.qpos, tau),
        contacts,
        datas,
        pin.ProximalSettings(1e-14, 1e-9, 50),
    )
    return twin.acceleration(mech.qpos, v, a)


CASES = {
    "spherical": (CHAINS, [("spherical", 4, 8)]),
    "fixed": (CHAINS, [("fixed", 4, 8)]),
    "branches": (TREE, [("spherical", 3, 7), ("spherical", 4, 8)]),
    "both": (TREE, [("fixed", 3, 7), ("spherical", 0, 8)]),
    "world": (CHAINS, [("fixed", 0, 4), ("spherical", 8, 0)]),
    "floating": (FLOATING, [("spherical", 4, 8), ("spherical", 0, 3)]),
    "floating-fixed": (FLOATING, [("fixed", 4, 8)]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("speed", [0, 10])
def test_against_constraint_dynamics(case, seed, speed):
    tree, loops = CASES[case]
    mech = mechanism(*tree, loops, seed)
    rng = np.random.default_rng([seed, 8])
    qvel = consistent(maximal.loop_K(mech.peer, mech.qpos, mech.loops), rng, speed)
    tau = rng.normal(size=mech.model.nv)
    wanted = peer_acceleration(mech, qvel, tau)
    for solution in (1, 2, 3):
        mech.model.opt.loop_solution = solution
        d = opened.data(mech.model)
        d.qpos, d.qvel, d.qfrc_applied = mech.qpos, qvel, tau
        sinew.forward(mech.model, d)
        assert relative(d.qacc, wanted) < 1e-8


def test_the_twin_is_the_same_tree():
    """Without loops."""
    mech = mechanism(*FLOATING, [], 1)
    rng = np.random.default_rng(0)
    qvel, tau = rng.normal(size=mech.peer.nv), rng.normal(size=mech.peer.nv)
    d = maximal.state(mech.peer, mech.qpos, qvel)
    d.qfrc_applied = tau
    mujoco.mj_forward(mech.peer, d)
    twin = Twin(mech.peer)
    v = twin.to(mech.qpos, qvel)
    a = pin.aba(twin.model, twin.model.createData(), twin.q(mech.qpos), v, twin.to(mech.qpos, tau))
    assert relative(twin.acceleration(mech.qpos, v, a), d.qacc) < 1e-10
