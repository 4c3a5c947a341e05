"""`sinew.control`: hierarchies of equalities and inequalities, their arguments and their errors."""

import dataclasses

import numpy as np
import pytest

from sinew import HqpState, QpStatus, control

INF = np.inf
I2 = np.eye(2)
X, Y = [[1.0, 0]], [[0, 1.0]]


@pytest.mark.parametrize(
    ("levels", "x"),
    [
        ([([[1, 1]], None, 2), (I2, [3, 1])], [2, 0]),
        ([(X, 1, None), (X, None, 0), ([[-1, 1]], 1)], [1, 2]),
        ([(np.vstack([X, X]), [1, -INF], [INF, 0]), ([[-1, 1]], 1)], [0.5, 1.5]),
        ([(I2, -1, 1), ([[1, 1]], 3), (X, 0)], [1, 1]),
        ([(X, 1), (X, 2), (Y, 3)], [1, 3]),
        ([(X, 1)], [1, 0]),  # what is left gets the least norm
        ([([[1, 1]], 2)], [1, 1]),
        ([(np.zeros((0, 2)), []), (X, 1)], [1, 0]),
        ([(X, -INF, INF)], [0, 0]),
    ],
)
def test_small_hierarchies(levels, x):
    r = control.solve_hqp(levels)
    assert r.solved and r.x == pytest.approx(x, abs=1e-9)
    assert r.level == len(levels)


def test_equalities_are_the_recursion_of_projectors():
    rng = np.random.default_rng(0)
    n, rows = 12, (3, 4, 2)
    levels = [(rng.standard_normal((m, n)), rng.standard_normal(m)) for m in rows]
    x, N = np.zeros(n), np.eye(n)
    for A, b in levels:
        inverse = np.linalg.pinv(A @ N)
        x += N @ inverse @ (b - A @ x)
        N = N @ (np.eye(n) - inverse @ A @ N)
    r = control.solve_hqp(levels)
    assert r.x == pytest.approx(x, abs=1e-10)
    assert r.ranks.tolist() == list(rows) and r.freedom == n - sum(rows)
    assert r.violations == pytest.approx(0, abs=1e-10)


def test_result():
    r = control.solve_hqp([(X, 1, None), (np.vstack([X, Y]), [0, 2])])
    assert dataclasses.is_dataclass(r) and r.status is QpStatus.SOLVED
    assert r.x == pytest.approx([1, 2])
    assert [s.tolist() for s in r.states] == [[HqpState.LOWER], [HqpState.EQUAL, HqpState.EQUAL]]
    assert [s.shape for s in r.slacks] == [(1,), (2,)]
    assert r.slacks[1] == pytest.approx([1, 0], abs=1e-12)
    assert r.violations == pytest.approx([0, 1])
    with pytest.raises(dataclasses.FrozenInstanceError):
        r.x = None
    r = control.solve_hqp([(X, 1, None), (X, None, 0)])
    assert [s.tolist() for s in r.states] == [[HqpState.LOWER], [HqpState.ABOVE]]
    assert r.slacks[1] == pytest.approx([1])


def test_weights_and_norms():
    both = np.vstack([X, X])
    assert control.solve_hqp([(both, [0, 1], [0, 1], [1, 3])]).x == pytest.approx([0.75, 0])
    assert control.solve_hqp([(both, [0, 1], [0, 1], [1, 0])]).x == pytest.approx([0, 0])
    assert control.solve_hqp([(both, [0, 1], [0, 1], 5)]).x == pytest.approx([0.5, 0])
    W = np.diag([1.0, 3])
    assert control.solve_hqp([([[1, 1]], 4)], W).x == pytest.approx([3, 1])


def test_weighted_instead_of_levels():
    levels = [(Y, 1), (X, 1), (X, 0)]
    assert control.solve_hqp(levels).x == pytest.approx([1, 1])
    r = control.solve_hqp(levels, weighted=True, level_weight=4)
    assert r.x == pytest.approx([0.8, 1])


def test_warm_start():
    rng = np.random.default_rng(2)
    n = 20
    A = [rng.standard_normal((m, n)) for m in (8, 12, 10)]
    hqp = control.Hqp(n, 3, 30)

    def levels(shift):
        return [(A[0], -0.1, 0.1 + shift), (A[1], 1 + shift, 2), (A[2], shift)]

    cold = hqp.solve(levels(0), warmstart=False)
    assert cold.solved and cold.iterations > 0
    warm = hqp.solve(levels(1e-6))
    assert warm.solved and warm.iterations < cold.iterations and warm.passes == 1
    assert warm.x == pytest.approx(control.solve_hqp(levels(1e-6)).x, abs=1e-8)
    small = hqp.solve([(X, 1)])
    assert small.x == pytest.approx([1, 0])
    assert hqp.solve(levels(0)).x == pytest.approx(cold.x, abs=1e-8)
    limited = hqp.solve(levels(0), warmstart=False, iterations=1)
    assert limited.status is QpStatus.ITERATIONS and limited.level < 3
    assert np.isfinite(limited.x).all() and not limited.solved


def test_what_is_passed_is_not_written():
    rng = np.random.default_rng(5)
    A, low = rng.standard_normal((4, 3)), rng.standard_normal(4)
    W = np.eye(3) + 0.1
    given = [(A[:2], low[:2]), (A[2:], low[2:], low[2:] + 1, np.ones(2))]
    copies = A.copy(), low.copy(), W.copy()
    A.flags.writeable = low.flags.writeable = W.flags.writeable = False
    r = control.solve_hqp(given, W)
    wide = np.repeat(A, 2, axis=1)[:, ::2]
    again = control.solve_hqp([[wide[:2], low[:2].tolist()], (wide[2:], low[2:], low[2:] + 1)], W)
    assert (r.x == again.x).all()
    assert all((a == b).all() for a, b in zip((A, low, W), copies, strict=True))


@pytest.mark.parametrize(
    ("levels", "options", "error", "text"),
    [
        ([], {}, ValueError, "levels is empty"),
        ([3], {}, TypeError, r"levels\[0\] must be \(A, b\), \(A, lower, upper\)"),
        ([(X,)], {}, TypeError, r"levels\[0\] must be"),
        ([(X, 0), (X, 0, 1, 1, 1)], {}, TypeError, r"levels\[1\] must be"),
        ([(X, None)], {}, TypeError, r"levels\[0\]: b is None, must be \(1,\) or a number"),
        ([([1, 0], 0)], {}, ValueError, r"levels\[0\]: A has shape \(2,\), must be \(rows, n\)"),
        (
            [(X, 0), ([[1, 0, 0]], 0)],
            {},
            ValueError,
            r"levels\[1\]: A has shape \(1, 3\), must be \(rows, 2\)",
        ),
        (
            [(X, [0, 1])],
            {},
            ValueError,
            r"levels\[0\]: b has shape \(2,\), must be \(1,\) or a number",
        ),
        ([(X, 0, [1, 2])], {}, ValueError, r"levels\[0\]: upper has shape \(2,\), must be \(1,\)"),
        ([(X, 0, 1, [1, 2])], {}, ValueError, r"levels\[0\]: weight has shape \(2,\)"),
        ([(X, "a")], {}, ValueError, r"levels\[0\]: b: could not convert"),
        ([(X, 0)], {"W": np.eye(3)}, ValueError, r"W has shape \(3, 3\), must be \(2, 2\)"),
        ([(X, 0)], {"W": -I2}, ValueError, "W is not positive definite: row 0"),
        ([(X, 0), (X, 1, 0)], {}, ValueError, "level 2, row 0: the lower bound 1"),
        ([(X, np.nan)], {}, ValueError, "level 1, row 0: a bound is NaN"),
        ([([[np.nan, 0]], 0)], {}, ValueError, "level 1, row 0: A has a number"),
        ([([[INF, 0]], 0)], {}, ValueError, "level 1, row 0: A has a number"),
        ([(X, 0, 1, -1)], {}, ValueError, "level 1, row 0: the weight is -1"),
        ([(X, 0)], {"iterations": 0.5}, TypeError, "integer"),
        ([(X, 0)], {"iterations": -1}, ValueError, "iterations"),
        ([(X, 0)], {"tolerance": np.nan}, ValueError, "tolerance"),
        ([(X, 0)], {"weighted": True, "level_weight": 0}, ValueError, "level_weight"),
        ([(np.zeros((1, 0)), 0)], {}, ValueError, "n must be 1 to"),
    ],
)
def test_errors(levels, options, error, text):
    with pytest.raises(error, match=text):
        control.solve_hqp(levels, **options)


def test_sizes_of_memory():
    for sizes in [(0, 1, 1), (1, -1, 1), (1, 1, -1), (2**31 - 1, 2**31 - 1, 2**31 - 1)]:
        with pytest.raises((ValueError, MemoryError)):
            control.Hqp(*sizes)
    hqp = control.Hqp(2, 1, 1)
    assert hqp.solve([(X, 1)]).x == pytest.approx([1, 0])
    for levels, text in [
        ([([[1, 0, 0]], 1)], "3 unknowns, 1 levels and 1 rows, there is memory for 2, 1 and 1"),
        ([(X, 1), (Y, 1)], "2 unknowns, 2 levels and 2 rows"),
        ([(I2, 1)], "2 unknowns, 1 levels and 2 rows"),
    ]:
        with pytest.raises(ValueError, match=text):
            hqp.solve(levels)
    assert hqp.solve([(Y, 1)]).x == pytest.approx([0, 1])


def test_the_extension_checks_what_it_is_given():
    """Whoever calls it past the checks in Python gets errors, too."""
    core = control._core
    out = np.zeros(2), np.zeros(1, np.int8), np.zeros(1), np.zeros(1, np.int32), np.zeros(1)
    A, one = np.ones((1, 2)), np.ones(1)

    def solve(hqp=None, level=(1, A, one, one, None), n=2, out=out):
        given = hqp or core.makeHqp(2, 1, 1)
        return core.solveHqp(given, n, (level,), None, 0, 1e-10, -1.0, False, False, 1e3, *out)

    assert solve()[0] == 0 and out[0] == pytest.approx([0.5, 0.5])
    for changed, error in [
        ({"hqp": core.makeQp(2, 1)}, ValueError),
        ({"level": (1, A, one, one)}, TypeError),
        ({"level": (2, A, one, one, None)}, ValueError),
        ({"level": (-1, A, one, one, None)}, ValueError),
        ({"level": 3}, (TypeError, SystemError)),
        ({"n": 1}, ValueError),
        ({"n": 0}, ValueError),
        ({"out": (*out[:1], np.zeros(1, np.int32), *out[2:])}, TypeError),
        ({"out": (*out[:3], np.zeros(1), out[4])}, TypeError),
        ({"out": (np.zeros(3), *out[1:])}, ValueError),
    ]:
        with pytest.raises(error):
            solve(**changed)
