"""Hierarchies of equalities and inequalities: random ones of many kinds, and what tells their lexicographic optimum.

A hierarchy is a list of levels (A, lower, upper), rows of unit norm or zero, as `sinew.control.solve_hqp` takes them.
"""

import numpy as np
from scipy.optimize import nnls


def unit(A, lower, upper):
    """The level with rows of unit norm; rows that are zero stay."""
    norm = np.linalg.norm(A, axis=1)
    norm = np.where(norm > 0, norm, 1)
    return A / norm[:, None], lower / norm, upper / norm


def bounds(rng, values, margin, kinds=(0, 1, 2, 3)):
    """Bounds that hold at `values` with a random margin: equalities (0), upper (1), lower (2) and both (3)."""
    lower, upper = values - rng.uniform(0, margin, len(values)), values + rng.uniform(0, margin, len(values))  # fmt: skip
    kind = rng.choice(kinds, len(values))
    lower, upper = np.where(kind == 0, values, lower), np.where(kind == 0, values, upper)
    return np.where(kind == 1, -np.inf, lower), np.where(kind == 2, np.inf, upper)


def shape(rng, largest):
    """Unknowns and rows of each level."""
    n = int(rng.integers(1, largest + 1))
    return n, rng.integers(1, max(2, n // 2 + 2), rng.integers(1, 6))


def feasible(rng, largest=20):
    """All levels can be met together, some of them in a single point."""
    n, sizes = shape(rng, largest)
    x, margin = rng.standard_normal(n), rng.choice([0.0, 0.1, 1.0])
    return [
        unit(A, *bounds(rng, A @ x, margin)) for A in (rng.standard_normal((m, n)) for m in sizes)
    ]


def infeasible(rng, largest=20):
    """Levels that contradict themselves and each other."""
    n, sizes = shape(rng, largest)
    return [
        unit(rng.standard_normal((m, n)), *bounds(rng, rng.standard_normal(m), 0.5))
        for m in 2 * sizes
    ]


def boxed(rng, largest=20):
    """A box, then equalities that pull out of it, the last of them over-determined."""
    n, sizes = shape(rng, largest)
    levels = [(np.eye(n), -rng.uniform(0, 1, n), rng.uniform(0, 1, n))]
    for m in (*sizes, 2 * n):
        b = 2 * rng.standard_normal(m)
        levels.append(unit(rng.standard_normal((m, n)), b, b))
    return levels


def deficient(rng, largest=20):
    """Rows that repeat or combine those of their own and of upper levels, with bounds that agree or do not."""
    n, sizes = shape(rng, largest)
    rank = int(rng.integers(1, n + 1))
    basis, x = rng.standard_normal((rank, n)), rng.standard_normal(n)
    levels = []
    for m in 2 * sizes:
        A = rng.standard_normal((m, rank)) @ basis
        if levels:
            upper = np.vstack([level[0] for level in levels])
            copies = rng.random(m) < 0.3
            A[copies] = upper[rng.integers(0, len(upper), copies.sum())]
        A[rng.random(m) < 0.05] = 0
        noise = rng.choice([0.0, 1.0]) * rng.standard_normal(m)
        levels.append(unit(A, *bounds(rng, A @ x + noise, rng.choice([0.0, 0.5]))))
    return levels


def integers(rng, largest=6):
    """Small whole numbers: bounds that meet in corners, ties and multipliers of zero all over."""
    n, sizes = shape(rng, largest)
    levels = []
    for m in 2 * sizes:
        A = rng.integers(-1, 2, (m, n)).astype(float)
        lower, upper = np.sort(rng.integers(-2, 3, (2, m)), axis=0).astype(float)
        kind = rng.integers(0, 4, m)
        lower[kind == 1], upper[kind == 2] = -np.inf, np.inf
        lower = np.where(kind == 0, upper, lower)
        levels.append(unit(A, lower, upper))
    return levels


def opposed(rng, largest=12):
    """Inequalities that leave a point or a face: x <= b in some level against x >= b below and above it."""
    n, sizes = shape(rng, largest)
    x, levels, above = rng.integers(-1, 2, n).astype(float), [], []
    for m in sizes:
        A = rng.standard_normal((m, n))
        for k in range(m):
            if above and rng.random() < 0.5:
                A[k] = -above[rng.integers(len(above))]
        above += list(A)
        levels.append(unit(A, np.full(m, -np.inf), A @ x + rng.choice([0.0, 0.0, -0.3], m)))
    return levels


def sized(rng, n, sizes, infeasible=0.3):
    """Levels of given sizes, half of the rows equalities; some rows cannot be met."""
    levels, x = [], rng.standard_normal(n)
    for m in sizes:
        A = rng.standard_normal((m, n))
        values = A @ x + (rng.random(m) < infeasible) * rng.standard_normal(m)
        levels.append(unit(A, *bounds(rng, values, 0.5, (0, 0, 0, 1, 2, 3))))
    return levels


KINDS = [feasible, infeasible, boxed, deficient, integers, opposed]


def slack(level, x):
    """Distances of a level's rows from their intervals, with sign."""
    A, lower, upper = level
    y = A @ x
    return np.maximum(y - upper, 0) + np.minimum(y - lower, 0)


def violations(levels, x):
    return np.array([np.linalg.norm(slack(level, x)) for level in levels])


def _pressing(level, v, x, tolerance):
    """Directions +-a of active rows, a row of -a for each lower bound, of both for equalities."""
    A, lower, upper = level
    y = A @ x
    scale = tolerance * (1 + np.abs(y))
    at_upper = y >= upper + np.maximum(v, 0) - scale
    at_lower = y <= lower + np.minimum(v, 0) + scale
    return np.vstack([A[at_upper], -A[at_lower]])


def dual_residual(gradient, above, x, tolerance=1e-9):
    """How far `gradient` is from being held by rows of the levels `above` that are active at x: 0 at an optimum.

    A level's slacks at its optimum are unique, so the x that keep it optimal are a polyhedron; Farkas's multipliers of
    its active rows are found by non-negative least squares.
    """
    rows = [_pressing(level, slack(level, x), x, tolerance) for level in above]
    G = np.vstack(rows) if rows else np.zeros((0, len(x)))
    if not len(G):
        return np.linalg.norm(gradient)
    # an exact solution exists at an optimum; the scale is that of the gradient
    scale = np.linalg.norm(gradient)
    if scale == 0:
        return 0.0
    return scale * nnls(G.T, -gradient / scale, maxiter=100 * G.size + 100)[1]


def level_residual(levels, x, tolerance=1e-9):
    """The largest dual residual of all levels: 0 where x is the lexicographic optimum."""
    gradients = (level[0].T @ slack(level, x) for level in levels)
    return max(dual_residual(g, levels[:k], x, tolerance) for k, g in enumerate(gradients))


def certificate(levels, x, W=None, tolerance=1e-9):
    """That of the levels, and of the least norm in W of what they leave."""
    gradient = x if W is None else W @ x
    return max(level_residual(levels, x, tolerance), dual_residual(gradient, levels, x, tolerance))


def recursive(levels, tolerance=1e-10):
    """The least-norm optimum of equalities by the recursive pseudo-inverse, and the ranks of levels."""
    n = levels[0][0].shape[1]
    x, Z, ranks = np.zeros(n), np.eye(n), []
    for A, b, _ in levels:
        U, s, Vt = np.linalg.svd(A @ Z)
        rank = int((s > tolerance).sum())
        x = x + Z @ (Vt[:rank].T @ ((U.T @ (b - A @ x))[:rank] / s[:rank]))
        Z = Z @ Vt[rank:].T
        ranks.append(rank)
    return x, ranks


def polished(levels, x, tolerance=1e-6):
    """The optimum on the rows that are violated or at a bound at x, which rows of an optimum are enough to give all digits.

    A row at its bound in its own level presses on nothing there, so that equalities of all these have the same optimum.
    """
    Z = np.eye(len(x))
    for A, lower, upper in levels:
        y = A @ x
        above, below = y > upper - tolerance, y < lower + tolerance
        J, b = A[above | below], np.where(above, upper, lower)[above | below]
        U, s, Vt = np.linalg.svd(J @ Z)
        rank = int((s > tolerance).sum())
        x = x + Z @ (Vt[:rank].T @ ((U.T @ (b - J @ x))[:rank] / s[:rank]))
        Z = Z @ Vt[rank:].T
    return x


def by_daqp(levels):
    """The optimum that daqp finds, to all digits; None where none of its settings leads to one."""
    import ctypes

    import daqp

    n = levels[0][0].shape[1]
    A, lower, upper = (np.concatenate([level[i] for level in levels]) for i in range(3))
    sense = np.where(lower == upper, 5, 0).astype(ctypes.c_int)
    ends = np.cumsum([0, *(len(level[1]) for level in levels)]).astype(ctypes.c_int)
    for rho in (1e-4, 1e-5, 1e-3, 1e-6):
        x, _, status, _ = daqp.solve(
            np.eye(n), np.zeros(n), A, np.minimum(upper, 1e30), np.maximum(lower, -1e30), sense,
            break_points=ends, rho_soft=rho, primal_tol=1e-10,
        )  # fmt: skip
        if status in (1, 2):
            x = polished(levels, x)
            if level_residual(levels, x) < 1e-10:
                return x
    return None
