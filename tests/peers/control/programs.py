"""Random quadratic programs of many kinds, as keyword arguments of `sinew.control.solve_qp`, and residuals of answers."""

import numpy as np


def strict(rng, n, condition=1e2):
    """H of full rank."""
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return (Q * np.geomspace(1, condition, n)) @ Q.T


def around(rng, values, margin=1.0, kinds=(0, 1, 2, 3)):
    """Bounds that hold at `values`: equalities (0), upper (1), lower (2), both (3)."""
    kind = rng.choice(kinds, len(values))
    lower = values - rng.uniform(0, margin, len(values))
    upper = values + rng.uniform(0, margin, len(values))
    lower, upper = np.where(kind == 0, values, lower), np.where(kind == 0, values, upper)
    return np.where(kind == 1, -np.inf, lower), np.where(kind == 2, np.inf, upper)


def problem(rng, n, rows, kinds=(1, 2, 3), H=None):
    """A feasible problem whose unconstrained minimum is far outside."""
    A, x = rng.standard_normal((rows, n)), rng.standard_normal(n)
    lower, upper = around(rng, A @ x, kinds=kinds)
    H = strict(rng, n) if H is None else H
    return {"H": H, "g": 5 * rng.standard_normal(n), "A": A, "lower": lower, "upper": upper}


def inequalities(rng, n):
    return problem(rng, n, int(rng.integers(0, 3 * n + 1)))


def equalities(rng, n):
    return problem(rng, n, int(rng.integers(0, n + 1)), kinds=(0,))


def mixed(rng, n):
    """Some of everything; equalities only as many as leave freedom."""
    p = problem(rng, n, n, kinds=(0, 0, 1, 2, 3))
    x = np.linalg.lstsq(p["A"], np.clip(0, p["lower"], p["upper"]), rcond=None)[0]
    p["xlower"], p["xupper"] = around(rng, x, kinds=(1, 2, 3))
    return p


def bounds(rng, n):
    """A box."""
    lower, upper = np.sort(rng.standard_normal((2, n)), axis=0)
    return {
        "H": strict(rng, n),
        "g": 5 * rng.standard_normal(n),
        "xlower": lower,
        "xupper": upper,
    }


def corner(rng, n):
    """Many rows through one point, some twice, to which the objective pulls."""
    rows = int(rng.integers(n, 3 * n + 1))
    A, x = rng.standard_normal((rows, n)), rng.standard_normal(n)
    A[rng.random(rows) < 0.3] = A[0]
    H, y = strict(rng, n), rng.uniform(0, 1, rows) * (rng.random(rows) < 0.5)
    return {"H": H, "g": -H @ x - A.T @ y, "A": A, "lower": -np.inf, "upper": A @ x}


def stiff(rng, n):
    """H of condition 1e8, rows of norms from 1e-3 to 1e3."""
    p = problem(rng, n, n, H=strict(rng, n, 1e8))
    scale = 10.0 ** rng.uniform(-3, 3, n)
    return {**p, "A": scale[:, None] * p["A"], "lower": scale * p["lower"], "upper": scale * p["upper"]}  # fmt: skip


def semidefinite(rng, n):
    """H of any rank in a box."""
    J = rng.standard_normal((int(rng.integers(0, n + 1)), n))
    p = problem(rng, n, n, H=J.T @ J)
    x = np.zeros(n)
    p["lower"], p["upper"] = around(rng, p["A"] @ x, kinds=(1, 2, 3))
    p["xlower"], p["xupper"] = -rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, n)
    return p


def least_squares(rng, n):
    """H = J'J without full rank, g in its range: a whole face of minimisers, no bounds."""
    J = rng.standard_normal((int(rng.integers(1, n + 1)), n))
    p = problem(rng, n, n // 2, kinds=(0, 1, 2, 3), H=J.T @ J)
    return {**p, "g": J.T @ rng.standard_normal(len(J))}


STRICT = [inequalities, equalities, mixed, bounds, corner, stiff]
SINGULAR = [semidefinite, least_squares]


def infeasible(rng, n):
    """A sum of rows that is below and above a number."""
    p = problem(rng, n, n)
    count = int(rng.integers(1, n + 1))
    weights = rng.uniform(0.5, 1.5, count)
    A = np.vstack([p["A"], -weights @ p["A"][:count]])
    upper = np.where(np.arange(n) < count, p["A"] @ np.ones(n), p["upper"])
    lower = np.where(np.arange(n) < count, -np.inf, p["lower"])
    beyond = -weights @ upper[:count] - rng.uniform(
        0.01, 1
    )  # the last row is at least the sum less this
    return {
        **p,
        "A": A,
        "lower": np.append(lower, -np.inf),
        "upper": np.append(upper, beyond),
    }


def unbounded(rng, n):
    """A direction along which nothing holds: H d = 0, A d <= 0, g'd < 0."""
    d = rng.standard_normal(n)
    P = np.eye(n) - np.outer(d, d) / (d @ d)
    A = rng.standard_normal((n, n)) @ P - rng.uniform(0, 1, (n, 1)) * d
    return {
        "H": P @ strict(rng, n) @ P,
        "g": rng.standard_normal(n) @ P - d,
        "A": A,
        "lower": -np.inf,
        "upper": A @ rng.standard_normal(n) + 1,
    }


def parts(p):
    """H, g, A with the rows of bounds below it, lower, upper."""
    n = len(p["g"])
    A = p.get("A", np.zeros((0, n)))
    lower, upper = (np.broadcast_to(p.get(k, 0), len(A)) for k in ("lower", "upper"))
    xlower = np.broadcast_to(p.get("xlower", -np.inf), n)
    xupper = np.broadcast_to(p.get("xupper", np.inf), n)
    return (
        p["H"],
        p["g"],
        np.vstack([A, np.eye(n)]),
        np.append(lower, xlower),
        np.append(upper, xupper),
    )


def residuals(p, x, y):
    """Of rows (relative to their norm and 1 + |bound|), of the gradient, and of signs and complementarity of y."""
    H, g, A, lower, upper = parts(p)
    norm, value = np.linalg.norm(A, axis=1), A @ x
    scale = norm * (1 + np.abs(x).max()) + 1e-300
    violation = np.maximum(np.maximum(lower - value, value - upper), 0) / scale
    gradient = H @ x + g + A.T @ y
    size = 1 + np.abs(g).max() + (np.abs(H) @ np.abs(x)).max() + (np.abs(A.T) @ np.abs(y)).max()
    gap = np.where(y > 0, upper - value, value - lower)
    gap = np.abs(np.where(y == 0, 0, y * np.where(y == 0, 0, gap)))
    return violation.max(initial=0), np.abs(gradient).max() / size, gap.max(initial=0) / size
