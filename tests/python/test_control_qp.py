"""`sinew.control`: quadratic programs, their arguments and their errors."""

import dataclasses
import gc
import sys
import threading

import numpy as np
import pytest

from sinew import QpStatus, control

INF = np.inf


def kkt(r, H, g, A, lower, upper, xlower, xupper):
    """Largest violation of the conditions of optimality."""
    rows, n = len(A), len(g)
    y, z = r.y[:rows], r.y[rows:]
    values = np.concatenate([A @ r.x, r.x])
    low, high = np.concatenate([lower, xlower]), np.concatenate([upper, xupper])
    both = np.concatenate([y, z])
    outside = np.maximum(low - values, values - high).max(initial=0)
    at_upper = np.where(both > 1e-9, np.abs(np.where(np.isinf(high), 1e9, high - values)), 0)
    at_lower = np.where(both < -1e-9, np.abs(np.where(np.isinf(low), 1e9, values - low)), 0)
    stationary = H @ r.x + g + A.T @ y + z
    assert stationary.shape == (n,)
    return max(outside, at_upper.max(initial=0), at_lower.max(initial=0), np.abs(stationary).max())


def random_problem(rng, n, rows):
    L = rng.standard_normal((n, n))
    A = rng.standard_normal((rows, n))
    middle = A @ rng.standard_normal(n)
    lower = np.where(rng.random(rows) < 0.3, -INF, middle - rng.random(rows))
    upper = np.where(rng.random(rows) < 0.3, INF, middle + rng.random(rows))
    equal = rng.random(rows) < 0.15
    lower, upper = np.where(equal, middle, lower), np.where(equal, middle, upper)
    g = 3 * rng.standard_normal(n)
    return L @ L.T + np.eye(n), g, A, lower, upper, np.full(n, -9.0), np.full(n, 9.0)


@pytest.mark.parametrize("seed", range(30))
def test_conditions_of_optimality(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, int(rng.integers(1, 20)), int(rng.integers(0, 20)))
    r = control.solve_qp(*problem)
    if r.solved:
        assert kkt(r, *problem) < 1e-8
        assert r.objective == pytest.approx(0.5 * r.x @ problem[0] @ r.x + problem[1] @ r.x)
    else:
        assert r.status == QpStatus.INFEASIBLE and r.row >= 0


def test_result():
    r = control.solve_qp(np.eye(2), [-3, -1], A=[[1, 1]], upper=2)
    assert dataclasses.is_dataclass(r) and r.solved and r.status is QpStatus.SOLVED
    assert r.x == pytest.approx([2, 0]) and r.y == pytest.approx([1, 0, 0])
    assert r.objective == pytest.approx(-4) and r.active == 1 and r.row == -1
    with pytest.raises(dataclasses.FrozenInstanceError):
        r.x = None


def test_defaults():
    assert control.solve_qp(g=[-1, 2]).x == pytest.approx([1, -2])  # H is the identity
    assert control.solve_qp(2 * np.eye(3)).x == pytest.approx([0, 0, 0])
    assert control.solve_qp(A=[[1, 1]], lower=2, upper=2).x == pytest.approx([1, 1])
    assert control.solve_qp(xlower=[1, -1]).x == pytest.approx([1, 0])
    assert control.solve_qp(xupper=[1, -1]).x == pytest.approx([0, -1])
    r = control.solve_qp(g=[-5, -5], xlower=-1, xupper=2)
    assert r.x == pytest.approx([2, 2]) and r.y == pytest.approx([3, 3])


def test_infeasible_and_unbounded():
    r = control.solve_qp(A=[[1, 0], [1, 0]], lower=[1, -INF], upper=[INF, 0])
    assert r.status is QpStatus.INFEASIBLE and r.row in (0, 1) and not r.solved
    r = control.solve_qp(A=[[1, 0]], lower=1, xupper=0)
    assert r.status is QpStatus.INFEASIBLE and r.row in (0, 1)
    r = control.solve_qp(np.diag([1.0, 0]), [0, 1])
    assert r.status is QpStatus.UNBOUNDED and np.isfinite(r.x).all()
    r = control.solve_qp(np.diag([1.0, 0]), [0, 1], xlower=-4)
    assert r.solved and r.x == pytest.approx([0, -4], abs=1e-8)
    rng = np.random.default_rng(0)
    r = control.solve_qp(*random_problem(rng, 15, 30), iterations=1)
    assert r.status is QpStatus.ITERATIONS and np.isfinite(r.x).all()


def test_warm_start():
    rng = np.random.default_rng(4)
    qp = control.Qp(20, 40)
    H, g, A, lower, upper, xlower, xupper = random_problem(rng, 20, 40)
    lower, upper = A @ np.zeros(20) - 0.2, A @ np.zeros(20) + 0.2
    cold = qp.solve(H, g, A, lower, upper, warmstart=False)
    assert cold.solved and cold.active > 2
    warm = qp.solve(H, g, A, lower, upper)
    assert warm.solved and warm.x == pytest.approx(cold.x, abs=1e-10)
    assert warm.iterations < cold.iterations
    small = qp.solve(np.eye(3), [1, 2, 3])  # smaller than there is room for
    assert small.x == pytest.approx([-1, -2, -3])
    for _ in range(3):  # a warm start of other sizes, and of none
        assert qp.solve(H, g, A, lower, upper).x == pytest.approx(cold.x, abs=1e-9)


def test_what_is_passed_is_not_written():
    problem = [np.asarray(a) for a in random_problem(np.random.default_rng(3), 6, 4)]
    copies = [a.copy() for a in problem]
    for a in problem:
        a.flags.writeable = False
    r = control.solve_qp(*problem)
    again = control.solve_qp(*(np.repeat(a, 2, axis=-1)[..., ::2] for a in problem))  # strided
    lists = control.solve_qp(*(a.tolist() for a in problem))
    assert (r.x == again.x).all() and (r.x == lists.x).all()
    assert all((a == b).all() for a, b in zip(problem, copies, strict=True))


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({}, ValueError, "give H, g, A or arrays of bounds"),
        ({"xlower": 3}, ValueError, "give H, g, A or arrays of bounds"),
        ({"H": [[1, 0]]}, ValueError, r"H has shape \(1, 2\), must be \(2, 2\)"),
        ({"H": np.eye(2), "g": [1, 2, 3]}, ValueError, r"g has shape \(3,\), must be \(2,\)"),
        ({"g": [[1, 2]]}, ValueError, r"g has shape \(1, 2\), must be \(2,\)"),
        ({"A": [1, 2]}, ValueError, r"A has shape \(2,\), must be \(rows, 2\)"),
        ({"A": np.ones((2, 3)), "g": [1, 1]}, ValueError, r"g has shape \(2,\), must be \(3,\)"),
        (
            {"A": np.ones((2, 3)), "lower": [1, 2, 3]},
            ValueError,
            r"lower has shape \(3,\), must be \(2,\) or a number",
        ),
        ({"g": [1, 1], "lower": 0}, ValueError, "lower and upper are bounds of the rows of A"),
        ({"g": [1, 1], "xlower": [0]}, ValueError, r"xlower has shape \(1,\), must be \(2,\)"),
        ({"g": ["a", 1]}, ValueError, "g: could not convert"),
        ({"g": [1, object()]}, TypeError, "g: float"),
        ({"g": [1, 1j]}, TypeError, "g: "),
        ({"g": [1, np.nan]}, ValueError, r"g\[1\] is nan"),
        ({"H": [[1, 0], [np.nan, 1]]}, ValueError, r"H\[1, 0\] is nan"),
        ({"H": [[1, 0], [0, -1]]}, ValueError, "H is not positive semidefinite: row 1"),
        ({"A": [[1, np.nan]]}, ValueError, r"A\[0, 1\] is nan"),
        ({"A": [[1, np.inf]]}, ValueError, r"A\[0, 1\] is inf"),
        ({"A": [[1, 1]], "lower": 1, "upper": 0}, ValueError, "row 0"),
        ({"A": [[1, 1]], "lower": np.nan}, ValueError, "row 0: a bound is NaN"),
        ({"g": [0, 0], "xlower": 1, "xupper": 0}, ValueError, "bound of x 0: the lower bound 1"),
        ({"g": [0, 0], "tolerance": "x"}, TypeError, "real number|float"),
        ({"g": [0, 0], "iterations": 1.5}, TypeError, "integer"),
        ({"g": [0, 0], "iterations": -1}, ValueError, "iterations = -1"),
        ({"g": [0, 0], "tolerance": np.nan}, ValueError, "tolerance = nan"),
        ({"g": np.zeros(0)}, ValueError, "n must be 1 to"),
    ],
)
def test_errors(given, error, text):
    with pytest.raises(error, match=text):
        control.solve_qp(**given)


def test_sizes_of_memory():
    for n, rows in [(0, 0), (-1, 0), (1, -1), (2**31 - 1, 2**31 - 1)]:
        with pytest.raises((ValueError, MemoryError)):
            control.Qp(n, rows)
    with pytest.raises(OverflowError):
        control.Qp(2**40)
    qp = control.Qp(3, 2)
    with pytest.raises(ValueError, match="4 unknowns and 0 rows, there is memory for 3 and 2"):
        qp.solve(np.eye(4))
    with pytest.raises(ValueError, match="3 unknowns and 3 rows, there is memory for 3 and 2"):
        qp.solve(np.eye(3), A=np.eye(3), upper=1)
    assert qp.solve(np.eye(3), A=np.eye(3)[:2], lower=1).x == pytest.approx([1, 1, 0])


def test_the_extension_checks_what_it_is_given():
    """Whoever calls it past the checks in Python gets errors, too."""
    core = control._core
    qp, x, y = core.makeQp(2, 1), np.zeros(2), np.zeros(3)
    A, one = np.ones((1, 2)), np.ones(1)

    def solve(**changed):
        given = {"H": None, "g": None, "A": A, "lower": one, "upper": None, "x": x, "y": y, "n": 2}
        g = given | changed
        arrays = g["H"], g["g"], g["A"], g["lower"], g["upper"], None, None
        return core.solveQp(g.get("qp", qp), g["n"], 1, *arrays, 0, 1e-10, False, g["x"], g["y"])

    assert solve()[0] == 0 and x == pytest.approx([0.5, 0.5])
    for changed, error in [
        ({"x": np.zeros(3)}, ValueError),
        ({"x": np.zeros(2, np.float32)}, TypeError),
        ({"y": np.zeros(2)}, ValueError),
        ({"A": np.ones(1)}, ValueError),
        ({"lower": np.ones(1, np.int64)}, TypeError),
        ({"n": 5}, ValueError),
        ({"n": -1}, ValueError),
        ({"qp": core.makeHqp(2, 1, 1)}, ValueError),
        ({"qp": 3}, (TypeError, ValueError)),
    ]:
        with pytest.raises(error):
            solve(**changed)
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        solve(x=frozen)
    assert solve()[0] == 0


def test_one_thread_at_a_time():
    rng = np.random.default_rng(1)
    problem = random_problem(rng, 300, 400)[:2]
    A = rng.standard_normal((400, 300))
    qp = control.Qp(300, 400)
    seen = []

    def work():
        for _ in range(5):
            try:
                seen.append(qp.solve(*problem, A, lower=-0.1, upper=0.1, warmstart=False).status)
            except RuntimeError as error:
                seen.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert QpStatus.SOLVED in seen
    assert {s for s in seen if isinstance(s, str)} <= {
        "this solver is in use by another thread; give each its own"
    }
    assert qp.solve(*problem).solved


def test_no_references_are_lost():
    problem = random_problem(np.random.default_rng(3), 6, 4)

    def use():
        control.solve_qp(*problem)
        with pytest.raises(ValueError, match="row 0"):
            control.solve_qp(problem[0], A=problem[2], lower=1, upper=0)

    use()
    gc.collect()
    before = [sys.getrefcount(x) for x in (*problem, None, QpStatus.SOLVED)]
    for _ in range(100):
        use()
    gc.collect()
    after = [sys.getrefcount(x) for x in (*problem, None, QpStatus.SOLVED)]
    assert all(abs(a - b) < 50 for a, b in zip(after, before, strict=True)), (before, after)
