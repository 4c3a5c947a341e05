"""Derivatives of the smooth dynamics against Pinocchio, on the robots of example-robot-data.

Pinocchio's free joint has the twist of the body in the body's axes, ours the velocity of its origin in the world's:
v' = T v with T = diag(R', 1), and its acceleration is T a + dT/dt v. As T turns with the base, each derivative by
position goes through the derivative of this map, too.
"""

import pathlib
import re

import numpy as np
import pinocchio as pin
import pytest

import models
import sinew

ROBOTS = pathlib.Path(pin.__file__).parents[4] / "share/example-robot-data/robots"
SHAPES = re.compile(r"<(visual|collision)\b.*?</\1\s*>", re.DOTALL)
CASES = [
    (path, base)
    for path, bases in {
        "panda_description/urdf/panda.urdf": (False, True),
        "ur_description/urdf/ur5_robot.urdf": (False,),
        "double_pendulum_description/urdf/double_pendulum.urdf": (False,),
        "anymal_b_simple_description/robots/anymal.urdf": (True,),
        "solo_description/robots/solo12.urdf": (False, True),
        "hyq_description/robots/hyq_no_sensors.urdf": (True,),
        "talos_data/robots/talos_full_v2.urdf": (False, True),
        "simple_humanoid_description/urdf/simple_humanoid.urdf": (True,),
        "tiago_description/robots/tiago.urdf": (False,),
        "icub_description/robots/icub.urdf": (True,),
    }.items()
    for base in bases
]
TOLERANCE = 1e-9
# Pinocchio's order of a symmetric 3x3 matrix, xx xy yy xz yz zz, in ours, xx yy zz xy xz yz
PARAMETERS = [0, 1, 2, 3, 4, 7, 5, 8, 9, 6]
ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def close(ours, theirs, tolerance=TOLERANCE):
    scale = np.abs(theirs).max(initial=1)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale)


class Pair:
    """A robot of ours and Pinocchio's, in the same random state."""

    def __init__(self, path, floating, tmp_path, seed):
        text = SHAPES.sub("", (ROBOTS / path).read_text())  # shapes have no part in this
        file = tmp_path / "robot.urdf"
        file.write_text(text)
        self.m = sinew.Spec.from_urdf(file, floating_base=floating).compile()
        self.m.opt.disableflags |= sinew.DisableBit.CONSTRAINT
        self.d = sinew.Data(self.m)
        self.model = (
            pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
            if floating
            else pin.buildModelFromXML(text)
        )
        self.data = self.model.createData()
        assert self.model.nv == self.m.nv
        # what Pinocchio's coordinates are not: rotors
        self.m.dof_armature[:] = 0
        self.floating = floating
        self.match()
        self.draw(np.random.default_rng(seed))

    def match(self):
        """order[i]: Pinocchio's place of our dof i; parts: (our joint, its place in Pinocchio's q)."""
        self.order, self.parts, self.joint_of = [], [], {}
        for j in range(self.m.njnt):
            free = self.m.jnt_type[j] == sinew.JointType.FREE
            name = self.m.joint(j).name
            id = 1 if free else self.model.getJointId(name)
            part = self.model.joints[id]
            self.order += range(part.idx_v, part.idx_v + part.nv)
            self.parts.append((j, part, free))
            self.joint_of[int(self.m.jnt_bodyid[j])] = id
        self.order = np.array(self.order)

    def draw(self, rng):
        m, d = self.m, self.d
        self.q = pin.neutral(self.model)
        for j, part, free in self.parts:
            a = m.jnt_qposadr[j]
            if free:
                d.qpos[a : a + 3] = rng.uniform(-1, 1, 3)
                quat = rng.normal(0, 1, 4)
                d.qpos[a + 3 : a + 7] = quat / np.linalg.norm(quat)
                self.q[:3] = d.qpos[a : a + 3]
                self.q[3:7] = d.qpos[[a + 4, a + 5, a + 6, a + 3]]
            else:
                angle = d.qpos[a] = rng.uniform(-1, 1)
                self.q[part.idx_q : part.idx_q + part.nq] = (
                    [angle] if part.nq == 1 else [np.cos(angle), np.sin(angle)]
                )
        d.qvel[:] = rng.uniform(-1, 1, m.nv)
        sinew.forward(m, d)
        self.a = rng.uniform(-1, 1, m.nv)  # ours, its order
        self.to_pinocchio()

    def to_pinocchio(self):
        """T, its derivatives along positions, and velocity and acceleration in Pinocchio's coordinates."""
        d, n = self.d, self.m.nv
        P = np.zeros((n, n))
        P[self.order, np.arange(n)] = 1
        T, v, a = np.eye(n), d.qvel.copy(), self.a
        v_q, a_q, a_v = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
        rate = np.zeros(n)
        self.R = np.eye(3)
        if self.floating:
            R = self.R = d.xmat[1].reshape(3, 3)
            T[:3, :3] = R.T
            w, u = v[3:6], R.T @ v[:3]
            rate[:3] = -np.cross(w, u)
            v_q[:3, 3:6] = skew(u)
            a_q[:3, 3:6] = skew(R.T @ a[:3]) - skew(w) @ skew(u)
            a_v[:3, :3] = -skew(w) @ R.T
            a_v[:3, 3:6] = skew(u)
        self.v, self.acc = P @ T @ v, P @ (T @ a + rate)
        self.rate = P @ rate
        self.T, self.v_q, self.a_q, self.a_v = P @ T, P @ v_q, P @ a_q, P @ a_v

    def turned(self, force):
        """Derivative by our positions of T' force, the force of Pinocchio's held."""
        result = np.zeros((self.m.nv, self.m.nv))
        if self.floating:
            result[:3, 3:6] = -self.R @ skew(force[:3])
        return result


@pytest.fixture(
    params=range(len(CASES)), ids=lambda k: f"{CASES[k][0].split('/')[-1][:-5]}-{CASES[k][1]}"
)
def pair(request, tmp_path):
    path, base = CASES[request.param]
    return Pair(path, base, tmp_path, request.param)


def test_inverse_dynamics(pair):
    p = pair
    tau = pin.rnea(p.model, p.data, p.q, p.v, p.acc)
    bias = p.d.qfrc_bias + sinew.mulM(p.m, p.d, p.a)
    close(bias, p.T.T @ tau)
    pin.computeRNEADerivatives(p.model, p.data, p.q, p.v, p.acc)
    M = np.triu(p.data.M) + np.triu(p.data.M, 1).T
    q = p.T.T @ (p.data.dtau_dq @ p.T + p.data.dtau_dv @ p.v_q + M @ p.a_q) + p.turned(tau)
    v = p.T.T @ (p.data.dtau_dv @ p.T + M @ p.a_v)
    Dq, Dv, Da = sinew.rneDerivative(p.m, p.d, p.a)
    close(Dq, q)
    close(Dv, v)
    close(Da, p.T.T @ M @ p.T)


def test_forward_dynamics(pair):
    p = pair
    tau = pin.rnea(p.model, p.data, p.q, p.v, p.acc)
    pin.computeABADerivatives(p.model, p.data, p.q, p.v, tau)
    Minv = np.triu(p.data.Minv) + np.triu(p.data.Minv, 1).T
    # Its recursion loses digits with the condition of M, which is 1e9 for the iCub and below 2e7 for the others: there
    # it has an error of 8e-9, ours one of 1e-12, against 40 digits.
    tolerance = max(TOLERANCE, np.finfo(float).eps / 8 * np.linalg.cond(sinew.fullM(p.m, p.d)))
    # Our force is T' tau: with it held, tau = T force turns with the base.
    force_q = np.zeros((p.m.nv, p.m.nv))
    if p.floating:
        force_q[:3, 3:6] = skew(tau[:3])
    q = p.T.T @ (p.data.ddq_dq @ p.T + p.data.ddq_dv @ p.v_q + Minv @ force_q - p.a_q)
    v = p.T.T @ (p.data.ddq_dv @ p.T - p.a_v)
    Dq, Dv, Dtau = sinew.forwardDynamicsDerivative(p.m, p.d, p.a)
    close(Dq, q, tolerance)
    close(Dv, v, tolerance)
    close(Dtau, p.T.T @ Minv @ p.T, tolerance)
    np.testing.assert_array_equal(sinew.inverseInertia(p.m, p.d), Dtau)


def test_gravity(pair):
    p = pair
    g = pin.computeGeneralizedGravity(p.model, p.data, p.q)
    dg = pin.computeGeneralizedGravityDerivatives(p.model, p.data, p.q)
    close(sinew.gravityDerivative(p.m, p.d), p.T.T @ dg @ p.T + p.turned(g))


def test_regressors(pair):
    p = pair
    theirs = p.T.T @ pin.computeJointTorqueRegressor(p.model, p.data, p.q, p.v, p.acc)
    ours, pi = sinew.rneRegressor(p.m, p.d, p.a), sinew.inertialParameters(p.m)
    kinetic, potential = sinew.energyRegressor(p.m, p.d)
    T = pin.computeKineticEnergyRegressor(p.model, p.data, p.q, p.v)
    V = pin.computePotentialEnergyRegressor(p.model, p.data, p.q)
    for body, joint in p.joint_of.items():
        place = slice(10 * (joint - 1), 10 * joint)
        parameters = p.model.inertias[joint].toDynamicParameters()
        close(pi[body, PARAMETERS], parameters)
        close(ours[:, body, PARAMETERS], theirs[:, place])
        close(kinetic[body, PARAMETERS], np.ravel(T)[place])
        close(potential[body, PARAMETERS], np.ravel(V)[place])


def test_centroidal(pair):
    p = pair
    h_q, hdot_q, hdot_v, hdot_a = pin.computeCentroidalDynamicsDerivatives(
        p.model, p.data, p.q, p.v, p.acc
    )
    A, h = sinew.centroidalMomentum(p.m, p.d)
    close(h, np.array(p.data.hg)[ANGULAR_FIRST])
    close(A, (hdot_a @ p.T)[ANGULAR_FIRST])
    ours = sinew.centroidalDerivative(p.m, p.d, 0, p.a)
    close(ours[0], (h_q @ p.T + hdot_a @ p.v_q)[ANGULAR_FIRST])
    close(ours[1], (hdot_q @ p.T + hdot_v @ p.v_q + hdot_a @ p.a_q)[ANGULAR_FIRST])
    close(ours[2], (hdot_v @ p.T + hdot_a @ p.a_v)[ANGULAR_FIRST])
    close(ours[3], np.array(p.data.dhg)[ANGULAR_FIRST])


def test_energy(pair):
    p = pair
    potential_q, kinetic_q, kinetic_v = sinew.energyDerivative(p.m, p.d)
    close(potential_q, p.T.T @ pin.computeGeneralizedGravity(p.model, p.data, p.q))
    close(kinetic_v, p.T.T @ pin.crba(p.model, p.data, p.q) @ p.v)
    # by position: half of v' dM/dq v
    zero = np.zeros(p.m.nv)
    pin.computeRNEADerivatives(p.model, p.data, p.q, zero, p.v)
    with_v = p.data.dtau_dq.copy()
    pin.computeRNEADerivatives(p.model, p.data, p.q, zero, zero)
    M = np.triu(p.data.M) + np.triu(p.data.M, 1).T
    by_q = 0.5 * p.v @ (with_v - p.data.dtau_dq) @ p.T + (M @ p.v) @ p.v_q
    close(kinetic_q, by_q)


WEIGHTS = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}


def along(function, array, move, step=2e-4):
    """Central difference of sixth order of function() as the array goes to move(t)."""
    start = array.copy()
    total = 0
    for k, weight in WEIGHTS.items():
        for t in (k * step, -k * step):
            array[:] = move(start, t)
            total = total + weight * np.sign(t) / step * function()
    array[:] = start
    return total


def inverse(m, d, a):
    sinew.fwdPosition(m, d)
    sinew.fwdVelocity(m, d)
    return sinew.mulM(m, d, a) + d.qfrc_bias


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("path", models.everything(), ids=lambda p: p.stem)
def test_models_of_others(path):
    """Every joint, tendon and tree of them against differences, along random directions."""
    m = sinew.Model.from_path(path)
    d = sinew.Data(m)
    rng = np.random.default_rng(3)
    d.qpos[:] = sinew.integratePos(m, m.qpos0, rng.normal(0, 0.3, m.nv), 1)
    d.qvel[:] = rng.normal(0, 1, m.nv)
    a, x = rng.normal(0, 1, m.nv), rng.normal(0, 1, m.nv)
    tau = inverse(m, d, a)
    Dq, Dv, M = sinew.rneDerivative(m, d, a)
    Aq, Av, Z = sinew.forwardDynamicsDerivative(m, d, a)
    gravity = sinew.gravityDerivative(m, d)
    close(Z @ M, np.eye(m.nv), 1e-9)
    close(Aq, -Z @ Dq)
    close(Av, -Z @ Dv)
    close(M @ a + d.qfrc_bias, tau)

    def position(q, t):
        return sinew.integratePos(m, q, x, t)

    close(Dq @ x, along(lambda: inverse(m, d, a), d.qpos, position))
    close(Dv @ x, along(lambda: inverse(m, d, a), d.qvel, lambda v, t: v + t * x))
    d.qvel[:] = 0
    close(gravity @ x, along(lambda: inverse(m, d, 0 * a), d.qpos, position))
