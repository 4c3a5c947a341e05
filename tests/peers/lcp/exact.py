"""An LCP and its splittings by routes of their own: enumeration, dense matrices, projections by bisection."""

from dataclasses import dataclass, field
from itertools import product

import numpy as np

BOX, FRICTION, CONE = 0, 1, 2


@dataclass
class Problem:
    """A dense problem; `order` is that in which scalar methods visit the rows, `blocks` what blocks are."""

    A: np.ndarray
    b: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    kind: np.ndarray = None
    normal: np.ndarray = None
    mu: np.ndarray = None
    block: np.ndarray = None
    order: list = field(default_factory=list)
    blocks: list = field(default_factory=list)

    def __post_init__(self):
        n = len(self.b)
        self.kind = np.zeros(n, int) if self.kind is None else np.asarray(self.kind)
        self.normal = np.zeros(n, int) if self.normal is None else np.asarray(self.normal)
        self.mu = np.ones(n) if self.mu is None else np.asarray(self.mu, float)
        for i in range(n):
            if self.kind[i] or i in self.order:
                continue
            rows = [i, *(j for j in range(n) if self.kind[j] and self.normal[j] == i)]
            if self.block is not None and len(rows) == 1:
                rows = [j for j in range(n) if self.block[j] == self.block[i]]
            self.order += rows
            self.blocks.append(rows)

    def arguments(self):
        """Positional and keyword arguments of `sinew.lcp.solve`."""
        rows = {"kind": self.kind, "normal": self.normal, "mu": self.mu, "block": self.block}
        return (self.A, self.b, self.lo, self.hi), rows


def coupling(p, rows):
    """How much rows of a cone move each other: what divides omega in scalar methods."""
    block = np.abs(p.A[np.ix_(rows, rows)])
    scale = np.sqrt(np.diag(block))
    return (block / np.outer(scale, scale)).sum(1).max()


def splitting(p, method, omega):
    """B of A = B + C of a method."""
    n = len(p.b)
    diagonal = np.diag(p.A) / omega
    if not method.startswith("block"):
        for rows in p.blocks:
            if p.kind[rows[-1]] == CONE:
                diagonal[rows[1:]] *= coupling(p, rows[1:])
    B = np.diag(diagonal)
    if method.startswith("block"):
        for rows in p.blocks:
            B[np.ix_(rows, rows)] = p.A[np.ix_(rows, rows)] / omega
    if method.endswith("jacobi"):
        return B
    block_of = {row: k for k, rows in enumerate(p.blocks) for row in rows}
    place = {row: k for k, row in enumerate(p.order)}
    for i, j in product(range(n), range(n)):
        same = block_of[i] == block_of[j]
        joint = same and (method.startswith("block") or (p.kind[i] == CONE and p.kind[j] == CONE))
        if place[j] < place[i] and not joint:
            B[i, j] = p.A[i, j]
    return B


def enumerate_solutions(B, q, p):
    """All solutions of LCP(B, q) with the bounds of p, boxes of friction among them: (m, n)."""
    n = len(q)
    found = []
    states = [
        (0, *([-1] if p.kind[i] or np.isfinite(p.lo[i]) else []))
        + ((1,) if p.kind[i] or np.isfinite(p.hi[i]) else ())
        for i in range(n)
    ]
    for state in product(*states):
        M, right = np.zeros((n, n)), np.zeros(n)
        for i, s in enumerate(state):
            if s == 0:
                M[i], right[i] = B[i], -q[i]
            else:
                M[i, i] = 1
                if p.kind[i]:
                    M[i, p.normal[i]] = -s * p.mu[i]
                else:
                    right[i] = p.lo[i] if s < 0 else p.hi[i]
        if abs(np.linalg.det(M)) < 1e-12:
            continue
        x = np.linalg.solve(M, right)
        if violation(B, q, p, x) < 1e-9:
            found.append(x)
    return np.array(found)


def bounds(p, x):
    """Of rows that are no cone, by the normals of x."""
    lo, hi = p.lo.copy(), p.hi.copy()
    friction = p.kind != BOX
    hi[friction] = (p.mu * np.maximum(x[p.normal], 0))[friction]
    lo[friction] = -hi[friction]
    return lo, hi


def violation(B, q, p, x, scale=1e-7):
    """How far x is from the conditions of LCP(B, q): bounds, and the sign of w at them."""
    w = B @ x + q
    lo, hi = bounds(p, x)
    box = p.kind != CONE
    worst = [0, *(lo - x)[box], *(x - hi)[box]]
    near_lo, near_hi = x - lo < scale, hi - x < scale
    for i in np.flatnonzero(box):
        worst.append(0 if near_lo[i] else w[i])
        worst.append(0 if near_hi[i] else -w[i])
    for rows in p.blocks:
        if p.kind[rows[-1]] == CONE:
            worst += cone_violation(p, rows, x, w, scale)
    return max(worst)


def cone_violation(p, rows, x, w, scale):
    """Of one cone: the section, and w opposite to x in the metric of its ellipse."""
    n, t, v, mu = max(x[rows[0]], 0), x[rows[1:]], w[rows[1:]], p.mu[rows[1:]]
    size = np.sqrt(((t / mu) ** 2).sum())
    if n < scale:
        return [np.abs(t).max()]
    if size < n - scale:
        return [np.abs(v).max()]
    direction = t / mu**2
    along = -v @ direction / (direction @ direction)
    return [size - n, -along, np.abs(v + along * direction).max()]


def project_section(y, mu, n, metric):
    """The point of sum (t/mu)^2 <= n^2 nearest to y in a diagonal metric."""
    if ((y / mu) ** 2).sum() <= n * n:
        return y
    if n <= 0:
        return np.zeros_like(y)
    low, high = 0.0, (metric * mu * np.abs(y)).max() * len(y) / n + 1
    for _ in range(300):
        s = (low + high) / 2
        t = metric * y / (metric + s / mu**2)
        low, high = (s, high) if ((t / mu) ** 2).sum() > n * n else (low, s)
    return metric * y / (metric + high / mu**2)


def natural_residual(p, x):
    """The largest |x - P(x - D^-1 (A x + b))| D."""
    D, w = np.diag(p.A), p.A @ x + p.b
    y = x - w / D
    lo, hi = bounds(p, x)
    to = np.clip(y, lo, hi)
    for rows in p.blocks:
        if p.kind[rows[-1]] == CONE:
            t = rows[1:]
            to[t] = project_section(y[t], p.mu[t], max(x[rows[0]], 0), D[t])
    return np.abs((x - to) * D).max()
