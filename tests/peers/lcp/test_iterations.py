"""Iterations of the LCP against the exact solution of each splitting, and run to convergence.

One sweep of a splitting A = B + C from z is the solution of LCP(B, b + C z), here by enumeration, or, of cones,
by its conditions (exact.py).
"""

import numpy as np
import pytest

import exact
from exact import CONE, FRICTION, Problem
from sinew import LcpMethod, LcpStatus, lcp

SCALAR = ("jacobi", "gs", "sor")
BLOCK = ("blockjacobi", "blockgs", "blocksor")


def definite(rng, n, skew=0.0):
    """A positive definite matrix, not symmetric where `skew` is not 0."""
    G, S = rng.standard_normal((2, n, n))
    return G @ G.T / n + 0.3 * np.eye(n) + skew * (S - S.T) / n


def boxes(rng, n, skew=0.0):
    lo = np.where(rng.random(n) < 0.2, -np.inf, -rng.random(n))
    hi = np.where(rng.random(n) < 0.2, np.inf, rng.random(n))
    return Problem(definite(rng, n, skew), rng.standard_normal(n), lo, hi)


def contacts(rng, kind, dims=(3, 3), skew=0.0, mu=(0.2, 0.7), mixed=False):
    """Contacts of given sizes, a row between; `mixed`: a friction row stands before its normal."""
    n = sum(dims) + 1
    kinds, normals = np.zeros(n, int), np.zeros(n, int)
    row = 0
    for k, dim in enumerate(dims):
        kinds[row + 1 : row + dim] = kind
        normals[row + 1 : row + dim] = row
        row += dim + (k == 0)
    lo, hi = np.zeros(n), np.full(n, np.inf)
    lo[dims[0]], hi[dims[0]] = -0.3, 0.4
    if mixed:
        order = rng.permutation(n)
        inverse = np.argsort(order)
        kinds, normals, lo, hi = kinds[order], inverse[normals[order]], lo[order], hi[order]
    b = rng.standard_normal(n) - (kinds == 0)
    return Problem(definite(rng, n, skew), b, lo, hi, kinds, normals, rng.uniform(*mu, n))


def joints(rng, skew=0.0):
    p = boxes(rng, 6, skew)
    return Problem(p.A, p.b, p.lo, p.hi, block=np.array([7, 7, -2, 7, -2, 0]))


def start(rng, p):
    """Some lambda within the bounds."""
    x = np.clip(0.3 * rng.standard_normal(len(p.b)), p.lo, p.hi)
    friction = p.kind != 0
    x[friction] = (0.5 * p.mu * x[p.normal] * rng.uniform(-1, 1, len(x)))[friction]
    return x


def sweep(p, method, omega, z):
    arguments, rows = p.arguments()
    return lcp.solve(
        *arguments, **rows, method=method, omega=omega, sweeps=1, tolerance=0, fallback=False, x0=z
    )


def omega_of(method, rng):
    return 1.0 if method.endswith("gs") else float(rng.uniform(0.4, 1.6))


# ---- one sweep


@pytest.mark.parametrize("skew", [0, 0.7])
@pytest.mark.parametrize("method", SCALAR + BLOCK)
@pytest.mark.parametrize("make", [boxes, joints, FRICTION, "mixed"])
def test_one_sweep_is_the_solution_of_its_splitting(make, method, skew):
    rng = np.random.default_rng(1)
    for _ in range(6):
        if make is boxes:
            p = boxes(rng, 6, skew)
        elif make is joints:
            p = joints(rng, skew)
        else:
            p = contacts(rng, FRICTION, (3, 2), skew, mixed=make == "mixed")
        omega, z = omega_of(method, rng), start(rng, p)
        B = exact.splitting(p, method, omega)
        q = p.b + (p.A - B) @ z
        solutions = exact.enumerate_solutions(B, q, p)
        x = sweep(p, method, omega, z).x
        assert len(solutions) and np.abs(solutions - x).max(axis=1).min() < 1e-10


@pytest.mark.parametrize("method", SCALAR + BLOCK)
@pytest.mark.parametrize("dims", [(3, 3), (4, 3), (6, 4)])
def test_one_sweep_of_cones_is_the_solution_of_its_splitting(dims, method):
    rng = np.random.default_rng(2)
    states = set()
    for _ in range(30):
        p = contacts(rng, CONE, dims, mu=(0.2, 3))
        omega, z = omega_of(method, rng), start(rng, p)
        B = exact.splitting(p, method, omega)
        q = p.b + (p.A - B) @ z
        x = sweep(p, method, omega, z).x
        assert exact.violation(B, q, p, x) < 1e-8
        for rows in p.blocks:
            if p.kind[rows[-1]] == CONE:
                slack = x[rows[0]] - np.linalg.norm(x[rows[1:]] / p.mu[rows[1:]])
                states.add("apart" if x[rows[0]] == 0 else "slides" if slack < 1e-9 else "sticks")
    assert states == {"apart", "slides", "sticks"}


def test_sweeps_back_and_forth():
    rng = np.random.default_rng(3)
    p = boxes(rng, 7)
    arguments, rows = p.arguments()
    options = {"method": "gs", "tolerance": 0, "fallback": False}
    first = lcp.solve(*arguments, **rows, sweeps=1, **options).x
    both = lcp.solve(*arguments, **rows, sweeps=2, symmetric=True, **options).x
    turned = Problem(p.A[::-1, ::-1], p.b[::-1], p.lo[::-1], p.hi[::-1])
    again = lcp.solve(*turned.arguments()[0], sweeps=1, x0=first[::-1], **options).x[::-1]
    assert np.abs(both - again).max() < 1e-14


# ---- to convergence


def conditioned(rng, n, condition):
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    A = Q @ np.diag(np.logspace(0, -np.log10(condition), n)) @ Q.T
    return (A + A.T) / 2


@pytest.mark.parametrize("condition", [1e1, 1e2, 1e4])
@pytest.mark.parametrize(
    ("method", "omega"),
    [("gs", 1), ("sor", 1.5), ("jacobi", 0), ("blockgs", 1), ("blocksor", 1.3), ("blockjacobi", 0)],
)
def test_fixed_bounds_converge_where_theory_says_so(method, omega, condition):
    rng = np.random.default_rng(4)
    for _ in range(5):
        p = Problem(
            conditioned(rng, 30, condition),
            rng.standard_normal(30),
            np.where(rng.random(30) < 0.3, -np.inf, -rng.random(30)),
            np.where(rng.random(30) < 0.3, np.inf, rng.random(30)),
            block=np.arange(30) // 4,
        )
        arguments, rows = p.arguments()
        r = lcp.solve(
            *arguments, **rows, method=method, omega=omega, sweeps=2_000_000, fallback=False
        )
        assert r.solved and r.residual <= 1e-10 and r.method == LcpMethod[method.upper()]
        assert r.symmetric and r.definite and r.split
        assert exact.natural_residual(p, r.x) < 1.1e-10
        assert np.abs(r.w - p.A @ r.x - p.b).max() < 1e-12


@pytest.mark.parametrize("kind", [FRICTION, CONE])
@pytest.mark.parametrize("method", SCALAR + BLOCK)
def test_friction_converges_to_the_coupled_problem(method, kind):
    rng = np.random.default_rng(5)
    for dims in [(3, 3), (4, 3), (6, 4), (3, 6)]:
        p = contacts(rng, kind, dims, mu=(0.2, 0.9))
        arguments, rows = p.arguments()
        omega = 0 if method.endswith("jacobi") else 1
        r = lcp.solve(
            *arguments, **rows, method=method, omega=omega, sweeps=100_000, fallback=False
        )
        assert r.solved
        assert exact.natural_residual(p, r.x) < 1.1e-10
        assert exact.violation(p.A, p.b, p, r.x) < 1e-8
        again = lcp.solve(*arguments, **rows, method=method, omega=r.omega, sweeps=1, x0=r.x)
        assert np.abs(again.x - r.x).max() < 1e-8  # a fixed point
        assert abs(lcp.residual(*arguments[:2], r.x, *arguments[2:], kind=p.kind, normal=p.normal,
                                mu=p.mu) - r.residual) < 1e-15  # fmt: skip


def test_residual_is_that_of_the_coupled_problem():
    rng = np.random.default_rng(6)
    for kind, dims in [(0, ()), (FRICTION, (3, 3)), (CONE, (3, 3)), (CONE, (6, 4))]:
        p = contacts(rng, kind, dims) if dims else boxes(rng, 8)
        for _ in range(20):
            x = start(rng, p) + 0.2 * rng.standard_normal(len(p.b))
            arguments = p.arguments()[0]
            size = lcp.residual(
                *arguments[:2], x, *arguments[2:], kind=p.kind, normal=p.normal, mu=p.mu
            )
            assert size == pytest.approx(exact.natural_residual(p, x), rel=1e-9)


def test_frozen_bounds_are_no_solution():
    """As Dantzig's method of ODE and DART has them: friction bounded by a normal of another iterate."""
    A = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    b = np.array([-1.0, 2.0, 0.0])
    rows = {"kind": [0, 1, 1], "normal": [0, 0, 0], "mu": 0.5}
    r = lcp.solve(A, b, **rows)
    assert r.solved and r.x[1] == pytest.approx(-0.5 * r.x[0], abs=1e-12)
    frozen = lcp.solve(A, b, [0, -0.5, -0.5], [np.inf, 0.5, 0.5])
    assert frozen.solved and lcp.residual(A, b, frozen.x, **rows) > 0.05


def chain(masses):
    """A tower of balls: A and b of the normals of touching neighbours, gravity and 1 ms."""
    n = len(masses)
    J = np.eye(n)
    J[np.arange(1, n), np.arange(n - 1)] = -1
    return J, J @ np.diag(1 / masses), J @ np.full(n, -9.81e-3)


def test_heavy_on_light_is_not_called_solved():
    """Mass ratio 1e6: what is not converged says so, and is what it says."""
    J, JM, b = chain(np.array([1e-3, 1e-3, 1e-3, 1e3]))
    for method in SCALAR + BLOCK:
        omega = 0 if method.endswith("jacobi") else 1
        r = lcp.solve(JM @ J.T, b, method=method, omega=omega, sweeps=1000, fallback=False)
        assert r.status == LcpStatus.SWEEPS and r.residual > 1e-10 and r.sweeps == 1000
        assert np.isfinite(r.x).all()


def test_redundant_contacts():
    """Eight contacts below one box: lambda is not unique, w and J' lambda are."""
    rng = np.random.default_rng(7)
    J = np.zeros((24, 6))
    for k in range(8):
        arm = np.array([np.cos(k * np.pi / 4), np.sin(k * np.pi / 4), -0.5])
        for axis, direction in enumerate(np.eye(3)[[2, 0, 1]]):
            J[3 * k + axis] = [*direction, *np.cross(arm, direction)]
    T = np.diag([1, 1, 1, 3, 2.5, 4]) @ J.T
    for cone in (True, False):
        rows = lcp.contacts(0.4, 8, cone=cone)
        b = J @ np.array([0.002, -0.003, -0.01, 0.001, 0.002, 0])
        results = []
        for method in ("gs", "blockgs", "blocksor"):
            for _ in range(2):
                r = lcp.solve((J, T), b, **rows, method=method, omega=1.0, sweeps=200_000,
                              tolerance=1e-12, fallback=False, x0=1e-3 * rng.random(24))  # fmt: skip
                assert r.solved and not r.definite
                results.append((r.w, J.T @ r.x))
        for w, force in results[1:]:
            assert np.abs(w - results[0][0]).max() < 1e-10
            assert np.abs(force - results[0][1]).max() < 1e-10


# ---- known cases


CYCLIC = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1.0]])


@pytest.mark.parametrize("method", SCALAR + BLOCK)
def test_cyclic_p_matrix(method):
    options = {"method": method, "omega": 1}
    r = lcp.solve(CYCLIC, [-1, -1, -1], fallback=False, **options)
    assert r.status in (LcpStatus.CYCLED, LcpStatus.DIVERGED) and not r.solved and r.residual > 0.1
    assert r.sweeps < 100 and r.symmetric is False and r.definite is False
    r = lcp.solve(CYCLIC, [-1, -1, -1], **options)
    assert r.solved and np.abs(r.x - 1 / 3).max() < 1e-10


def test_sweeps_to_convergence():
    """Of the order of the peers' 19, 28 and 31, on a random box problem of 60."""
    rng = np.random.default_rng(0)
    Q = rng.standard_normal((60, 60))
    A, b = Q @ Q.T / 60 + 6 * np.eye(60), rng.standard_normal(60)
    for method, omega, most in [("gs", 1, 25), ("sor", 1.3, 40), ("jacobi", 1, 45)]:
        r = lcp.solve(A, b, -0.5, 0.5, method=method, omega=omega, tolerance=1e-13, fallback=False)
        assert r.solved and 5 < r.sweeps < most


@pytest.mark.parametrize("method", SCALAR + BLOCK)
def test_sliding_on_the_exact_cone(method):
    """W = I: friction is opposite to the velocity, and does not lift."""
    r = lcp.solve(np.eye(3), [-1, 0.3, 0.4], **lcp.contacts(0.1, 1), method=method)
    assert r.solved and np.abs(r.x - [1, -0.06, -0.08]).max() < 1e-15


@pytest.mark.parametrize("method", ["jacobi", "blockjacobi"])
def test_jacobi_takes_omega_from_the_radius(method):
    n = 12
    A, b = np.full((n, n), 0.9) + 0.1 * np.eye(n), -np.arange(1.0, n + 1)
    radius = np.abs(np.linalg.eigvals(A)).max()
    free = {"lo": -np.inf, "hi": np.inf, "method": method, "fallback": False, "sweeps": 20_000}
    r = lcp.solve(A, b, omega=1, **free)
    assert r.status == LcpStatus.DIVERGED and r.split is False and np.isfinite(r.x).all()
    assert r.residual <= np.abs(b).max()  # the best iterate, no worse than the start
    r = lcp.solve(A, b, omega=0, **free)
    assert r.solved and r.split and r.omega == pytest.approx(1.8 / radius, rel=0.05)
    assert r.radius == pytest.approx(radius, rel=0.05) and r.radius <= radius * (1 + 1e-12)
    assert np.abs(r.x - np.linalg.solve(A, -b)).max() < 1e-8


def test_fallback_says_what_it_did():
    n = 12
    A, b = np.full((n, n), 0.9) + 0.1 * np.eye(n), -np.arange(1.0, n + 1)
    r = lcp.solve(A, b, -np.inf, np.inf, method="jacobi", omega=1, sweeps=20_000)
    assert r.solved and r.method == LcpMethod.JACOBI and r.omega < 2 / r.radius
    r = lcp.solve(A, b, -np.inf, np.inf, method="sor", omega=2.5, sweeps=20_000)
    assert r.solved and r.method == LcpMethod.SOR and r.omega == 1


def test_acceleration_reaches_the_same():
    rng = np.random.default_rng(8)
    p = Problem(conditioned(rng, 40, 1e4), rng.standard_normal(40), -np.full(40, 5), np.full(40, 5))
    plain = lcp.solve(*p.arguments()[0], method="gs", sweeps=1_000_000, fallback=False)
    faster = lcp.solve(
        *p.arguments()[0], method="gs", sweeps=1_000_000, fallback=False, accelerate=True
    )
    assert plain.solved and faster.solved and np.abs(plain.x - faster.x).max() < 1e-5
    assert exact.natural_residual(p, faster.x) < 1.1e-10


@pytest.mark.parametrize("method", (*SCALAR, *BLOCK))
@pytest.mark.parametrize("accelerate", [False, True])
def test_numbers_that_overflow(method, accelerate):
    """x stays finite and no status lies."""
    rng = np.random.default_rng(9)
    for scale in (1e100, 1e150):
        A = scale * (np.eye(5) + 3 * rng.random((5, 5)))
        for fallback in (False, True):
            r = lcp.solve(A, -scale * rng.random(5), -np.inf, np.inf, method=method, sweeps=3000,
                          accelerate=accelerate, fallback=fallback)  # fmt: skip
            assert np.isfinite(r.x).all() and np.isfinite(r.w).all()
            assert not r.solved or r.residual <= 1e-10


def test_same_bits():
    rng = np.random.default_rng(10)
    p = contacts(rng, CONE, (3, 6))
    arguments, rows = p.arguments()
    for method in SCALAR + BLOCK:
        first, second = (lcp.solve(*arguments, **rows, method=method, sweeps=37) for _ in range(2))
        assert np.array_equal(first.x, second.x) and first.sweeps == second.sweeps
