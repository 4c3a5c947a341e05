"""Hierarchies of equalities and inequalities: daqp, the recursive pseudo-inverse, and optimality by multipliers.

daqp minimises the slacks of rows at unit norm, so rows are scaled first. It misses the optimum of some of these (it
finds slack where all levels can be met together), with one setting or another: its values count where its answer, too,
passes as an optimum. Ours must always.
"""

import os

import numpy as np
import pytest

import hierarchies as h
from sinew import HqpState, control

LONG = bool(os.environ.get("SINEW_LONG"))
COUNT = 1000 if LONG else 60


def solve(levels, W=None, **options):
    """Our optimum, after what it says of itself has been held against x."""
    r = control.solve_hqp(levels, W, **options)
    assert r.solved and r.level == len(levels) and np.isfinite(r.x).all()
    for k, level in enumerate(levels):
        weight = level[3] if len(level) == 4 else np.ones(len(level[1]))
        v = h.slack(level[:3], r.x)
        assert np.allclose(r.slacks[k], v, rtol=0, atol=1e-12 * (1 + np.abs(v).max(initial=0)))
        assert np.isclose(r.violations[k], np.sqrt(weight @ v**2), rtol=1e-12, atol=1e-12)
        check_states(level, r.states[k], r.x)
    assert 0 <= r.freedom == len(r.x) - r.ranks.sum() or len(levels) > 0
    return r


def check_states(level, states, x, tolerance=1e-8):
    A, lower, upper = level[:3]
    y = A @ x
    scale = tolerance * (1 + np.abs(y))
    assert ((states == HqpState.EQUAL) == (lower == upper)).all()
    assert (y < lower + scale)[states == HqpState.BELOW].all()
    assert (y > upper - scale)[states == HqpState.ABOVE].all()
    assert (np.abs(y - lower) < scale)[states == HqpState.LOWER].all()
    assert (np.abs(y - upper) < scale)[states == HqpState.UPPER].all()
    free = states == HqpState.FREE
    assert ((lower - scale < y) & (y < upper + scale))[free].all()


def size(levels):
    """Of the numbers in the bounds: what residuals are relative to."""
    b = np.concatenate([np.concatenate(level[1:3]) for level in levels])
    return max(1.0, np.abs(b[np.isfinite(b)]).max(initial=0))


@pytest.mark.parametrize(
    "levels, x",
    [
        ([([[1, 1]], None, 2), (np.eye(2), [3, 1])], [2, 0]),
        ([([[1, 0], [1, 0]], [1, -np.inf], [np.inf, 0]), ([[-1, 1]], [1])], [0.5, 1.5]),
        ([(np.eye(2), -1, 1), ([[1, 1]], [3]), ([[1, 0]], [0])], [1, 1]),
        ([([[1, 0]], [1]), ([[1, 0]], [2]), ([[0, 1]], [3])], [1, 3]),
        ([([[1, 1], [0, 0]], [2, 5])], [1, 1]),
        ([(np.zeros((0, 3)), [])], [0, 0, 0]),
    ],
)
def test_toys(levels, x):
    """By hand."""
    assert np.abs(control.solve_hqp(levels).x - x).max() < 1e-12


@pytest.mark.parametrize("equal", [False, True])
@pytest.mark.parametrize("angle", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
def test_nearly_parallel(angle, equal):
    """x >= 1 and x + angle y <= 0 can be met, far out."""
    lower, upper = ([1, 0], [1, 0]) if equal else ([1, -np.inf], [np.inf, 0])
    level = h.unit(np.array([[1, 0], [1, angle]]), np.array(lower), np.array(upper))
    r = solve([level])
    assert r.violations[0] < 1e-12 / angle  # rounding of x
    assert np.abs(r.x / [1, -1 / angle] - 1).max() < max(1e-8, 1e-13 / angle)


@pytest.mark.parametrize("kind", h.KINDS)
def test_optimum(kind):
    """Every level has multipliers of the levels above that hold its gradient, and so has the least norm."""
    for seed in range(COUNT):
        levels = kind(np.random.default_rng(seed))
        r = solve(levels)
        assert h.certificate(levels, r.x) < 1e-8 * size(levels), seed


@pytest.mark.parametrize("kind", h.KINDS)
def test_daqp(kind):
    """Optimal values of all levels."""
    compared = 0
    for seed in range(COUNT):
        levels = kind(np.random.default_rng(seed))
        x = h.by_daqp(levels)
        if x is None:
            continue
        theirs, ours = h.violations(levels, x), h.violations(levels, solve(levels).x)
        assert np.abs(ours - theirs).max() < 1e-8 * size(levels), (seed, ours, theirs)
        compared += 1
    assert compared > COUNT / 2


@pytest.mark.parametrize(
    "n, sizes", [(20, (6, 6, 6)), (38, (6, 12, 18, 10)), (40, (12, 6, 12, 20))]
)
def test_robot_sizes(n, sizes):
    """Hierarchies of the bench."""
    for seed in range(COUNT // 3):
        levels = h.sized(np.random.default_rng(seed), n, sizes)
        x = h.by_daqp(levels)
        ours = solve(levels)
        assert h.certificate(levels, ours.x) < 1e-8 * size(levels)
        if x is not None:
            assert np.abs(h.violations(levels, x) - ours.violations).max() < 1e-8 * size(levels)


@pytest.mark.parametrize("rank", [0.3, 1.0])
def test_equalities(rank):
    """The recursive pseudo-inverse, with ranks that fall as they may."""
    for seed in range(COUNT):
        rng = np.random.default_rng(seed)
        n, sizes = h.shape(rng, 30)
        basis = rng.standard_normal((max(1, int(rank * n)), n))
        levels = []
        for m in sizes:
            A, b = rng.standard_normal((m, len(basis))) @ basis, rng.standard_normal(m)
            levels.append(h.unit(A, b, b))
        r, (x, ranks) = solve(levels), h.recursive(levels)
        assert r.ranks.tolist() == ranks and r.freedom == n - sum(ranks)
        assert np.abs(h.violations(levels, x) - r.violations).max() < 1e-8 * size(levels), seed
        assert np.abs(x - r.x).max() < 1e-8 * (1 + np.abs(x).max()), seed


@pytest.mark.parametrize("kind", h.KINDS)
def test_metric(kind):
    """What is left gets the least norm in W."""
    for seed in range(COUNT // 2):
        rng = np.random.default_rng(seed)
        levels = kind(rng)
        L = np.tril(rng.standard_normal((levels[0][0].shape[1],) * 2)) + 3 * np.eye(levels[0][0].shape[1])  # fmt: skip
        W = L @ L.T
        r = solve(levels, W)
        assert h.certificate(levels, r.x, W) < 1e-8 * size(levels) * np.linalg.norm(W, 2), seed


@pytest.mark.parametrize("kind", h.KINDS)
def test_weights(kind):
    """A weight w is a row times sqrt(w); of 0, no row."""
    for seed in range(COUNT // 2):
        rng = np.random.default_rng(seed)
        levels = kind(rng)
        weighted, scaled = [], []
        for A, lower, upper in levels:
            w = rng.choice([0.0, 0.01, 1.0, 4.0, 100.0], len(lower))
            s, kept = np.sqrt(w), w > 0
            weighted.append((A, lower, upper, w))
            scaled.append(
                ((s[:, None] * A)[kept], (s[kept] * lower[kept]), (s[kept] * upper[kept]))
            )
        r = solve(weighted)
        # rows up to ten times as long, beside others a tenth
        assert h.certificate(scaled, r.x, tolerance=1e-7) < 1e-7 * size(scaled), seed
        assert np.abs(h.violations(scaled, r.x) - r.violations).max() < 1e-12 * size(scaled)


@pytest.mark.parametrize("kind", h.KINDS)
def test_warm_start(kind):
    """From the active sets of a neighbour, as from none; from its own, at once."""
    for seed in range(COUNT // 2):
        rng = np.random.default_rng(seed)
        levels = kind(rng)
        n, rows = levels[0][0].shape[1], sum(len(level[1]) for level in levels)
        hqp = control.Hqp(n, len(levels), rows)
        for _ in range(4):
            warm = hqp.solve(levels)
            again = hqp.solve(levels)
            assert warm.solved and h.certificate(levels, warm.x) < 1e-8 * size(levels), seed
            assert np.abs(again.x - warm.x).max() < 1e-8 * (1 + np.abs(warm.x).max())
            move = 0.1 * rng.standard_normal(n)
            levels = [(A, lower + A @ move, upper + A @ move) for A, lower, upper in levels]
            k = int(rng.integers(len(levels)))
            A, lower, upper = levels[k]
            shift = 0.1 * rng.standard_normal(len(lower))
            levels[k] = (A, lower + shift, upper + shift)


@pytest.mark.parametrize("kind", h.KINDS)
def test_order_of_rows(kind):
    """Rows of a level in another order, or turned around: the same optimum."""
    for seed in range(COUNT // 3):
        rng = np.random.default_rng(seed)
        levels = kind(rng)
        turned = []
        for A, lower, upper in levels:
            order = rng.permutation(len(lower))
            sign = rng.choice([-1.0, 1.0], len(lower))
            A, lower, upper = A[order], lower[order], upper[order]
            turned.append(
                (
                    sign[:, None] * A,
                    np.where(sign > 0, lower, -upper),
                    np.where(sign > 0, upper, -lower),
                )
            )
        x, y = solve(levels).x, solve(turned).x
        assert np.abs(h.violations(levels, x) - h.violations(levels, y)).max() < 1e-8 * size(levels)
        assert np.abs(x - y).max() < 1e-6 * (1 + np.abs(x).max()), seed


@pytest.mark.parametrize("kind", h.KINDS)
def test_no_priority_is_disturbed(kind):
    """Levels above have the same values with and without those below."""
    for seed in range(COUNT // 2):
        levels = kind(np.random.default_rng(seed))
        whole = solve(levels).violations
        for k in range(1, len(levels)):
            part = solve(levels[:k]).violations
            assert np.abs(part - whole[:k]).max() < 1e-9 * size(levels), seed


def test_small_rows_beside_large_ones():
    """A row that only lies at its bound is not violated, however small its norm; reduced from Talos."""
    A = np.array([[-0.014, -0.003, 0.013], [204.774, -0.015, 0.004], [-0.002, 0.002, -0.001]])
    lower, upper = np.array([-1.625, -1992.327, -0.557]), np.array([2.584, -1992.327, 0.569])
    J, b = np.array([[0.292, 0, 0], [0, 0.309, 0.063]]), np.array([2.389, 2.727])
    r = solve([(A, lower, upper), (J, b, b)])
    scaled = solve([h.unit(A, lower, upper), (J, b, b)])
    # what sums of such size are rounded to
    assert r.violations[0] < 8 * np.finfo(float).eps * 1992.327
    assert abs(r.violations[1] - scaled.violations[1]) < 1e-9
    assert np.abs(r.x - scaled.x).max() < 1e-8


def test_scale_of_rows_that_can_be_met():
    """It does not matter to the levels below."""
    for seed in range(COUNT):
        rng = np.random.default_rng(seed)
        levels = h.feasible(rng)
        n = levels[0][0].shape[1]
        last = h.unit(rng.standard_normal((n, n)), *2 * [3 * rng.standard_normal(n)])
        scaled = []
        for A, lower, upper in levels:
            s = 10.0 ** rng.uniform(-3, 3, len(lower))
            scaled.append((s[:, None] * A, s * lower, s * upper))
        plain, r = solve([*levels, last]), solve([*scaled, last])
        assert abs(r.violations[-1] - plain.violations[-1]) < 1e-8 * size([last]), seed
        assert np.abs(r.x - plain.x).max() < 1e-6 * (1 + np.abs(plain.x).max()), seed


def test_weighted():
    """As one level below the first: its weights are powers of the ratio."""
    for seed in range(COUNT // 3):
        levels = h.feasible(np.random.default_rng(seed))[:1] + h.infeasible(
            np.random.default_rng(seed + 1)
        )
        n = levels[0][0].shape[1]
        levels = [level for level in levels if level[0].shape[1] == n]
        r = control.solve_hqp(levels, weighted=True, level_weight=10.0)
        merged = [levels[0]]
        if len(levels) > 1:
            scale = [np.full(len(level[1]), 10.0 ** (-k / 2)) for k, level in enumerate(levels[1:])]
            s = np.concatenate(scale)
            A, lower, upper = (np.concatenate([level[i] for level in levels[1:]]) for i in range(3))
            merged.append((s[:, None] * A, s * lower, s * upper))
        assert r.solved and h.certificate(merged, r.x) < 1e-8 * size(levels), seed


def test_limit_of_iterations():
    """The levels that are solved have their values, and x is finite."""
    for seed in range(COUNT // 3):
        levels = h.infeasible(np.random.default_rng(seed))
        whole = solve(levels)
        for limit in (1, 3, 8):
            r = control.solve_hqp(levels, iterations=limit)
            assert np.isfinite(r.x).all() and r.iterations <= limit
            if not r.solved:
                ours = h.violations(levels, r.x)[: r.level]
                assert np.abs(ours - whole.violations[: r.level]).max(initial=0) < 1e-8 * size(levels)  # fmt: skip
