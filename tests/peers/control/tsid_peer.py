"""TSID 1.7.1 on Talos: 62 unknowns, two feet flat on the ground, tasks of the centre of mass, posture and a hand.

TSID runs in a process of its own, beside the Pinocchio that it was built for: `./dev test-long` and
`./dev bench control` install both into .venv/tsid. As a script this writes data/talos.json, two problems for tests
without TSID.
"""

import json
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np

FOLDER = pathlib.Path(sys.prefix, "tsid")
DATA = pathlib.Path(__file__).parent / "data" / "talos.json"
FEET = ("leg_right_6_joint", "leg_left_6_joint")
HAND = "arm_right_7_joint"
SOLE = [[x, y, -0.107] for x in (-0.11, 0.1) for y in (-0.07, 0.069)]
REGULARISATION = 1e-8  # that TSID adds to the diagonal of H
INFINITE = 1e9  # bounds from here on mean none

# What a problem is made of. Offsets of references are from where the robot is; gains kp go with kd = 2 sqrt(kp).
STANDING = {
    "step": [0.0] * 38,  # of q from half_sitting, in the tangent space of Pinocchio
    "v": [0.0] * 38,  # the part of it that moves the feet is taken out
    "dt": 0.001,
    "mu": 0.3,
    "force": [5.0, 1000.0],
    "force_weight": 1e-5,
    "contact_gain": 10.0,
    "com": {"weight": 1.0, "gain": 10.0, "offset": [0.02, 0.0, -0.01]},
    "posture": {"weight": 1e-3, "gain": 10.0, "offset": [0.0] * 32},
    "hand": {"weight": 1e-1, "gain": 10.0, "offset": [0.1, 0.0, 0.05]},
    "torque_scale": 1.0,
    "velocity_scale": 1.0,
}


def moving(seed):
    """A case in motion that asks for more than friction, torques and velocities give."""
    rng = np.random.default_rng(seed)
    return {
        **STANDING,
        "step": (0.05 * rng.standard_normal(38)).tolist(),
        "v": (0.2 * rng.standard_normal(38)).tolist(),
        "mu": float(rng.uniform(0.2, 0.6)),
        "com": {"weight": 1.0, "gain": 30.0, "offset": (0.1 * rng.standard_normal(3)).tolist()},
        "posture": {
            "weight": 1e-3,
            "gain": 50.0,
            "offset": (0.3 * rng.standard_normal(32)).tolist(),
        },
        "hand": {"weight": 1e-1, "gain": 50.0, "offset": (0.2 * rng.standard_normal(3)).tolist()},
        "torque_scale": 0.8,
        "velocity_scale": 0.15,
    }


def environment():
    """Variables with which a Python finds TSID, whose wheel has its extension where none is looked for."""
    site = next(FOLDER.glob("cmeel.prefix/lib/python*/site-packages"), None)
    if site is None:
        raise ModuleNotFoundError(f"TSID is missing in {FOLDER}: ./dev test-long installs it")
    paths = [site / "tsid", site, FOLDER]
    libraries = str(FOLDER / "cmeel.prefix/lib")
    return dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, paths)), LD_LIBRARY_PATH=libraries)


def solve(robots, cases):
    """TSID's problems and solutions, a dictionary a case; `robots`: folder of example-robot-data."""
    done = subprocess.run(
        [sys.executable, __file__, "--serve"],
        input=pickle.dumps((str(robots), cases)),
        stdout=subprocess.PIPE,
        check=True,
        env=environment(),
    )
    return pickle.loads(done.stdout)


class Formulation:
    """A case in TSID. It keeps what TSID only points at."""

    def __init__(self, robots, case):
        import pinocchio as pin
        import tsid_pywrap as tsid

        self.tsid, self.case = tsid, case
        folder = pathlib.Path(robots, "talos_data")
        urdf = str(folder / "robots" / "talos_reduced.urdf")
        self.robot = tsid.RobotWrapper(urdf, [str(folder)], pin.JointModelFreeFlyer(), False)
        self.model = self.robot.model()
        pin.loadReferenceConfigurations(self.model, str(folder / "srdf" / "talos.srdf"), False)
        start = self.model.referenceConfigurations["half_sitting"]
        self.q = pin.integrate(self.model, start, np.array(case["step"]))
        self.v = self.on_feet(np.array(case["v"]))
        self.problem = tsid.InverseDynamicsFormulationAccForce("talos", self.robot, False)
        self.problem.computeProblemData(0.0, self.q, self.v)
        self.contacts = [self.add_foot(name) for name in FEET]
        self.add_tasks()
        self.add_bounds()
        self.solver = tsid.SolverHQuadProgFast("eiquadprog")
        self.solver.resize(self.problem.nVar, self.problem.nEq, self.problem.nIn)

    def on_feet(self, v):
        """The velocity next to v that keeps both feet where they are."""
        import pinocchio as pin

        data = self.model.createData()
        J = [
            pin.computeFrameJacobian(self.model, data, self.q, self.model.getFrameId(name))
            for name in FEET
        ]
        return v - np.linalg.pinv(np.vstack(J)) @ (np.vstack(J) @ v)

    def frame(self, name):
        return self.robot.framePosition(self.problem.data(), self.model.getFrameId(name))

    def gains(self, task, gain, size):
        task.setKp(np.full(size, gain))
        task.setKd(np.full(size, 2 * np.sqrt(gain)))

    def add_foot(self, name):
        case = self.case
        foot = self.tsid.Contact6d(
            name, self.robot, name, np.array(SOLE).T, np.array([0, 0, 1.0]), case["mu"], *case["force"]
        )  # fmt: skip
        self.gains(foot, case["contact_gain"], 6)
        foot.setReference(self.frame(name))
        self.problem.addRigidContact(foot, case["force_weight"])
        return foot

    def add_tasks(self):
        tsid, case = self.tsid, self.case
        self.com = tsid.TaskComEquality("com", self.robot)
        self.com_reference = self.robot.com(self.problem.data()) + case["com"]["offset"]
        self.refer(self.com, tsid.TrajectorySample(3), self.com_reference, case["com"])
        self.posture = tsid.TaskJointPosture("posture", self.robot)
        self.posture_reference = self.q[7:] + case["posture"]["offset"]
        self.refer(self.posture, tsid.TrajectorySample(32), self.posture_reference, case["posture"])
        self.hand = tsid.TaskSE3Equality("hand", self.robot, HAND)
        self.hand_reference = self.frame(HAND).copy()
        self.hand_reference.translation += case["hand"]["offset"]
        self.refer(self.hand, tsid.TrajectorySample(12, 6), self.hand_reference, case["hand"])

    def refer(self, task, sample, reference, case):
        self.gains(task, case["gain"], task.dim)
        sample.value(reference)
        task.setReference(sample)
        self.problem.addMotionTask(task, case["weight"], 1, 0.0)

    def add_bounds(self):
        torque = self.case["torque_scale"] * self.model.effortLimit[6:]
        self.torques = self.tsid.TaskActuationBounds("torques", self.robot)
        self.torques.setBounds(-torque, torque)
        self.problem.addActuationTask(self.torques, 1.0, 0, 0.0)
        # none is exceeded already: how a joint is led back is a matter of taste
        speed = self.case["velocity_scale"] * self.model.velocityLimit[6:]
        speed = np.maximum(speed, 1.01 * np.abs(self.v[6:]))
        self.speeds = self.tsid.TaskJointBounds("speeds", self.robot, self.case["dt"])
        self.speeds.setVelocityBounds(-speed, speed)
        self.problem.addMotionTask(self.speeds, 1.0, 0, 0.0)

    def cycle(self):
        """From q and v to accelerations and forces."""
        return self.solver.solve(self.problem.computeProblemData(0.0, self.q, self.v))

    def rows(self):
        """Rows A, b of the tasks' errors with their weights: the objective is 1/2 sum w (A x - b)^2."""
        n, case, data = self.problem.nVar, self.case, self.problem.data()
        A, b, w = [], [], []
        for i, foot in enumerate(self.contacts):
            part = foot.computeForceRegularizationTask(0.0, self.q, self.v, data)
            A.append(np.zeros((6, n)))
            A[-1][:, 38 + 12 * i : 50 + 12 * i] = part.matrix
            b.append(part.vector)
            w.append(np.full(6, case["force_weight"]))
        for name in ("com", "posture", "hand"):
            part = getattr(self, name).compute(0.0, self.q, self.v, data)
            A.append(np.hstack([part.matrix, np.zeros((len(part.vector), n - 38))]))
            b.append(part.vector)
            w.append(np.full(len(part.vector), case[name]["weight"]))
        return np.vstack(A), np.concatenate(b), np.concatenate(w)

    def constraints(self):
        """Equalities, and inequalities with both bounds."""
        self.solver.retrieveQPData(self.problem.computeProblemData(0.0, self.q, self.v))
        qp, first = self.solver.qpData, 0
        A, lower, upper = [], [], []
        for size in (
            17,
            17,
            32,
            38,
        ):  # cones of both feet, torques, speeds: lower bounds, upper bounds
            below, above = (slice(first + k * size, first + (k + 1) * size) for k in (0, 1))
            assert not (qp.CI[below] + qp.CI[above]).any()
            A.append(qp.CI[below])
            lower.append(-qp.ci0[below])
            upper.append(qp.ci0[above])
            first += 2 * size
        return qp, np.vstack(A), np.concatenate(lower), np.concatenate(upper)

    def result(self):
        """Everything about the problem and its solution, as arrays."""
        found = self.cycle()
        assert found.status == 0, found.status
        x = found.x.copy()
        torque = self.problem.getActuatorForces(found).copy()
        objective = self.solver.ObjVal
        qp, A, lower, upper = self.constraints()
        J, b, w = self.rows()
        scale = np.abs(qp.H).max()
        assert np.abs(J.T * w @ J + REGULARISATION * np.eye(len(x)) - qp.H).max() < 1e-14 * scale
        assert np.abs(J.T @ (w * b) + qp.g).max() < 1e-14 * max(1, np.abs(qp.g).max())
        return {
            "case": self.case,
            "joints": list(self.model.names)[2:],
            "q": self.q,
            "v": self.v,
            "com_reference": self.com_reference,
            "posture_reference": self.posture_reference,
            "hand_reference": self.hand_reference.translation,
            "torque": self.torques.getUpperBounds.copy(),
            "speed": self.speeds.getVelocityUpperBounds.copy(),
            "H": qp.H.copy(),
            "g": qp.g.copy(),
            "E": qp.CE.copy(),
            "e": -qp.ce0,
            "A": A,
            "lower": np.where(lower < -INFINITE, -np.inf, lower),
            "upper": np.where(upper > INFINITE, np.inf, upper),
            "J": J,
            "b": b,
            "w": w,
            "x": x,
            "tau": torque,
            "objective": objective,
        }


def text(value):
    """Numbers as JSON with all their digits; rows of a matrix each in a line, infinite ones as null."""
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return "[\n" + ",\n".join(map(text, value)) + "]"
    if isinstance(value, np.ndarray):
        return "[" + ",".join(map(text, value)) + "]"
    if isinstance(value, float):
        return "null" if np.isinf(value) else "0" if value == 0 else repr(float(value))
    return json.dumps(value)


def write(robots):
    """Writes data/talos.json; H and g follow from the rows of the tasks."""
    problems = solve(robots, [STANDING, moving(1)])
    parts = [
        ",\n".join(f'"{k}": {text(v)}' for k, v in problem.items() if k not in ("H", "g"))
        for problem in problems
    ]
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text("[{\n" + "\n}, {\n".join(parts) + "\n}]\n")


def read():
    """The problems of data/talos.json."""
    problems = json.loads(DATA.read_text())
    infinite = {"lower": -np.inf, "upper": np.inf}
    for problem in problems:
        for name, value in problem.items():
            if isinstance(value, list) and name != "joints":
                none = infinite.get(name)
                problem[name] = np.array([none if x is None else x for x in value], float)
        J, b, w = problem["J"], problem["b"], problem["w"]
        problem["H"] = J.T * w @ J + REGULARISATION * np.eye(J.shape[1])
        problem["g"] = -J.T @ (w * b)
    return problems


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        where, wanted = pickle.load(sys.stdin.buffer)
        sys.stdout.buffer.write(
            pickle.dumps([Formulation(where, case).result() for case in wanted])
        )
    else:
        write(sys.argv[1])
