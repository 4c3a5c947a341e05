"""A cycle of whole-body control on Talos beside TSID's, and hierarchies beside daqp's, in one process in turns.

    control.py LIBRARY [--quick]

Talos stands on two feet and sways: 62 unknowns, 18 equalities, 104 inequalities with both bounds, tasks of the centre of
mass, a hand and the posture (tests/peers/control/tsid_peer.py). A cycle of ours goes from qpos and qvel to torques, all
stages of kinematics and dynamics included; TSID's is computeProblemData and solve, by eiquadprog, from q and v to torques.
Both are called from Python, which costs each some microseconds. daqp gets the matrices of the problem as they are, its
times are those that it takes itself, set-up and solution. Ours of hierarchies are those of sn_solveHqp in LIBRARY.

cold: without the active sets of the cycle before, in warm caches. Figures are medians, and the 99.9th of 100 percents.
Where TSID is not installed its rows are missing.
"""

import ctypes
import os
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/peers/control"))
import hierarchies  # noqa: E402
import talos  # noqa: E402
import tsid_peer  # noqa: E402

STATES = 200  # of a second of swaying
SIZES = [(20, (6, 6, 6)), (38, (6, 12, 18, 10)), (40, (12, 6, 12, 20))]


def line(name, times, first=None):
    """Prints times in us, and how many of them go into the first line's."""
    times = 1e6 * np.array(times)
    ratio = "" if first is None else f"{np.median(times) / np.median(1e6 * np.array(first)):8.2f}"
    print(f"{name:52}{np.median(times):9.1f}{np.percentile(times, 99.9):9.1f}{ratio}", flush=True)


def head(text, last):
    print(f"\n{text:52}{'median':>9}{'99.9 %':>9}{last:>8}")


# ---- Talos


def swaying(problem):
    """q and v of Pinocchio along a motion from the problem's state that hardly moves the feet."""
    rng = np.random.default_rng(0)
    amplitude, phase = 0.01 * rng.standard_normal(32), rng.uniform(0, 2 * np.pi, 32)
    amplitude[:12] = 0
    states = []
    for t in np.arange(STATES) / STATES:
        q, v = problem["q"].copy(), np.zeros(38)
        q[7:] += amplitude * np.sin(2 * np.pi * t + phase)
        v[6:] = 2 * np.pi * amplitude * np.cos(2 * np.pi * t + phase)
        states.append((q, v))
    return states


class Cycle:
    """Our controller with its states."""

    def __init__(self, problem, states, **options):
        self.ours, self.states = talos.Ours(problem, **options), []
        for q, v in states:
            self.ours.place(q, v)
            self.states.append((self.ours.data.qpos.copy(), self.ours.data.qvel.copy()))
        self.rows, self.solution = [], []

    def __call__(self, k):
        data, controller = self.ours.data, self.ours.controller
        start = time.perf_counter()
        data.qpos[:], data.qvel[:] = self.states[k]
        controller.solve(data)
        controller.apply(data)
        elapsed = time.perf_counter() - start
        self.rows.append(controller.time_rows)
        self.solution.append(controller.time_solve)
        return elapsed


class Theirs:
    """TSID with the same states."""

    def __init__(self, states):
        self.formulation, self.states = (
            tsid_peer.Formulation(talos.ROBOTS, tsid_peer.STANDING),
            states,
        )

    def __call__(self, k):
        f = self.formulation
        f.q, f.v = self.states[k]
        start = time.perf_counter()
        f.problem.getActuatorForces(f.cycle())
        return time.perf_counter() - start


def daqp_time(H, g, A, lower, upper, **options):
    """What daqp says of its own time."""
    import daqp

    sense = np.where(lower == upper, 5, 0).astype(np.int32)
    *_, status, info = daqp.solve(
        H, g, A, np.minimum(upper, 1e30), np.maximum(lower, -1e30), sense, **options
    )
    assert status > 0, status
    return info["setup_time"] + info["solve_time"]


def bench_talos(rounds, with_tsid):
    problem = tsid_peer.read()[0]
    states = swaying(problem)
    three = {"levels": (1, 1, 2)}
    ours = {
        "three levels, warm": Cycle(problem, states, **three),
        "three levels, cold": Cycle(problem, states, **three, warmstart=False),
        "TSID's problem, two levels, warm": Cycle(problem, states),
        "TSID's problem, two levels, cold": Cycle(problem, states, warmstart=False),
    }
    peers = {"TSID: problem and solution, cold": Theirs(states)} if with_tsid else {}
    program = (
        problem["H"],
        problem["g"],
        *(
            np.concatenate([problem[a], problem[b]])
            for a, b in (("E", "A"), ("e", "lower"), ("e", "upper"))
        ),
    )
    times = {name: [] for name in (*ours, *peers)}
    alone = []
    for run in (*ours.values(), *peers.values()):
        run(0)  # the first cycle allocates
    for run in ours.values():
        run.rows.clear(), run.solution.clear()
    for _ in range(rounds):
        for k in range(STATES):
            for name, run in (*ours.items(), *peers.items()):
                times[name].append(run(k))
            alone.append(daqp_time(*program))
    head("Talos, a cycle, us", "of TSID")
    reference = times[next(iter(peers))] if peers else None
    for name in times:
        line(name, times[name], reference)
        if name in ours:
            line("    its rows", ours[name].rows)
            line("    its hierarchy", ours[name].solution)
    line("daqp: the solution alone, cold", alone)
    if not with_tsid:
        print("TSID is not installed: ./dev bench control does it where there is a wheel")


# ---- hierarchies


class Level(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_int)] + [(n, ctypes.c_void_p) for n in "A lower upper weight".split()]  # fmt: skip


class Option(ctypes.Structure):
    _fields_ = [
        ("iterations", ctypes.c_int),
        ("tolerance", ctypes.c_double),
        ("rank_tolerance", ctypes.c_double),
        ("first_tolerance", ctypes.c_double),
        ("warmstart", ctypes.c_bool),
        ("weighted", ctypes.c_bool),
        ("level_weight", ctypes.c_double),
    ]


class Problem(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_int),
        ("nlevel", ctypes.c_int),
        ("level", ctypes.c_void_p),
        ("W", ctypes.c_void_p),
    ]


class Hierarchy:
    """sn_solveHqp on one hierarchy."""

    def __init__(self, library, levels, warmstart):
        n, rows = levels[0][0].shape[1], sum(len(level[1]) for level in levels)
        self.library, self.kept = library, [[np.ascontiguousarray(a) for a in level] for level in levels]  # fmt: skip
        self.levels = (Level * len(levels))(
            *(Level(len(a[1]), *(x.ctypes.data for x in a), None) for a in self.kept)
        )
        self.option = Option()
        library.sn_defaultHqpOption(ctypes.byref(self.option))
        self.option.warmstart = warmstart
        library.sn_makeHqp.restype = ctypes.c_void_p
        self.hqp = ctypes.c_void_p(library.sn_makeHqp(n, len(levels), rows, None))
        self.x = np.zeros(n)
        self.problem = Problem(n, len(levels), ctypes.addressof(self.levels), None)
        self.arguments = (
            self.hqp, ctypes.byref(self.problem), ctypes.byref(self.option),
            ctypes.c_void_p(self.x.ctypes.data), None, None, None, None, None, None,
        )  # fmt: skip

    def __call__(self):
        start = time.perf_counter()
        status = self.library.sn_solveHqp(*self.arguments)
        elapsed = time.perf_counter() - start
        assert status == 0
        return elapsed

    def free(self):
        self.library.sn_freeHqp(self.hqp)


def bench_hierarchies(library, rounds):
    for n, sizes in SIZES:
        times = {"ours, warm": [], "ours, cold": [], "daqp, cold": []}
        for seed in range(20):
            levels = hierarchies.sized(np.random.default_rng(seed), n, sizes)
            warm, cold = (Hierarchy(library, levels, w) for w in (True, False))
            warm()
            stacked = [np.concatenate([level[i] for level in levels]) for i in range(3)]
            ends = np.cumsum([0, *sizes]).astype(np.int32)
            for _ in range(rounds):
                times["ours, warm"].append(warm())
                times["ours, cold"].append(cold())
                times["daqp, cold"].append(
                    daqp_time(np.eye(n), np.zeros(n), *stacked, break_points=ends, rho_soft=1e-4, primal_tol=1e-10)
                )  # fmt: skip
            warm.free()
            cold.free()
        head(f"n = {n}, levels of {', '.join(map(str, sizes))} rows, us", "of daqp")
        for name, values in times.items():
            line(name, values, times["daqp, cold"])


if __name__ == "__main__":
    installed = (tsid_peer.FOLDER / "cmeel.prefix").is_dir()
    if installed and "SINEW_BENCH_TSID" not in os.environ:  # once more, with what TSID needs
        variables = dict(tsid_peer.environment(), SINEW_BENCH_TSID="1")
        os.execve(sys.executable, [sys.executable, *sys.argv], variables)
    library = str(pathlib.Path(sys.argv[1]).resolve())
    count = 1 if "--quick" in sys.argv else 5
    bench_talos(count, installed)
    bench_hierarchies(ctypes.CDLL(library), 50 * count)
