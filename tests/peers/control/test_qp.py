"""Quadratic programs against quadprog and ProxQP: by objective, multipliers and residuals."""

import os

import numpy as np
import proxsuite
import pytest
import quadprog

import programs
import tsid_peer
from sinew import QpStatus, control

LONG = bool(os.environ.get("SINEW_LONG"))
SIZES = [1, 2, 3, 5, 10, 20, 40, 60, 100]
COUNT = 100 if LONG else 6


def cases(kind):
    """Problems of all sizes, the small ones more often."""
    for n in SIZES:
        for k in range(max(1, COUNT * 5 // (5 + n // 4))):
            yield (n, k), kind(np.random.default_rng([n, k]), n)


def objective(p, x):
    return 0.5 * x @ p["H"] @ x + p["g"] @ x


def terms(p, x):
    """Of the objective without their signs: its rounding is relative to them."""
    x = np.abs(x)
    return x @ np.abs(p["H"]) @ x + np.abs(p["g"]) @ x


def check(p, r, name, tolerance=1e-9):
    """A solved problem satisfies the conditions of Karush, Kuhn and Tucker."""
    assert r.status == QpStatus.SOLVED, (name, r.status)
    assert abs(r.objective - objective(p, r.x)) < 1e-14 * (1 + terms(p, r.x)), name
    found = programs.residuals(p, r.x, r.y)
    assert max(found) < tolerance, (name, found)


def by_quadprog(p):
    H, g, A, lower, upper = programs.parts(p)
    equal = lower == upper
    below, above = ~equal & np.isfinite(lower), ~equal & np.isfinite(upper)
    C = np.vstack([A[equal], A[below], -A[above]])
    b = np.concatenate([lower[equal], lower[below], -upper[above]])
    if not len(b):
        return np.linalg.solve(H, -g)
    try:
        return quadprog.solve_qp(H, -g, C.T, b, int(equal.sum()))[0]
    except ValueError:  # it calls some problems inconsistent whose rows meet in a point
        return None


def by_proxqp(p):
    H, g, A, lower, upper = programs.parts(p)
    equal = lower == upper
    qp = proxsuite.proxqp.dense.QP(len(g), int(equal.sum()), int((~equal).sum()))
    qp.settings.eps_abs, qp.settings.eps_rel, qp.settings.max_iter = 1e-11, 0, 20000
    # without it objectives are off by 1e-7
    qp.settings.check_duality_gap, qp.settings.eps_duality_gap_abs = True, 1e-10
    qp.settings.eps_duality_gap_rel = 0
    qp.init(H, g, A[equal], lower[equal], A[~equal], lower[~equal], upper[~equal])
    qp.solve()
    # some feasible problems it calls infeasible
    return qp.results.x if qp.results.info.status == proxsuite.proxqp.PROXQP_SOLVED else None


@pytest.mark.parametrize("kind", programs.STRICT)
def test_strictly_convex(kind):
    """The minimiser is quadprog's."""
    compared, total = 0, 0
    for name, p in cases(kind):
        r = control.solve_qp(**p)
        check(p, r, name)
        x, total = by_quadprog(p), total + 1
        if x is None:
            continue
        value, compared = objective(p, x), compared + 1
        scale = 1 + abs(value)
        assert r.objective - value < 1e-8 * scale + 1e-14 * terms(p, x), name
        if (
            kind is not programs.stiff
        ):  # quadprog loses digits there, ours are those of rational arithmetic
            assert value - r.objective < 1e-8 * scale, name
            assert np.abs(r.x - x).max() < 1e-9 * (1 + np.abs(x).max()), name
    assert compared > 0.9 * total


@pytest.mark.parametrize("kind", programs.SINGULAR)
def test_semidefinite(kind):
    """The objective is ProxQP's; the minimiser need not be."""
    compared = 0
    for name, p in cases(kind):
        r = control.solve_qp(**p)
        check(p, r, name)
        x = by_proxqp(p)
        if x is not None:
            value, compared = objective(p, x), compared + 1
            assert abs(r.objective - value) < 1e-9 * (1 + abs(value)), name
    assert compared > 0.9 * len(list(cases(kind)))


@pytest.mark.parametrize("kind", [programs.inequalities, programs.mixed])
def test_proxqp(kind):
    """Strictly convex ones, too."""
    compared = 0
    for name, p in cases(kind):
        x = by_proxqp(p)
        if x is not None:
            value, compared = objective(p, x), compared + 1
            assert abs(control.solve_qp(**p).objective - value) < 1e-9 * (1 + abs(value)), name
    assert compared > 0.9 * len(list(cases(kind)))


def test_identity():
    """Without H the nearest point to -g."""
    for name, p in cases(programs.mixed):
        nearest = {**p, "H": np.eye(len(p["g"]))}
        given = {key: value for key, value in p.items() if key != "H"}
        check(nearest, control.solve_qp(**given), name)


def test_infeasible():
    """With a row that cannot be met, of those that make it so."""
    for name, p in cases(programs.infeasible):
        r = control.solve_qp(**p)
        assert r.status == QpStatus.INFEASIBLE, name
        assert 0 <= r.row < len(p["A"]) and np.isfinite(r.x).all(), name


def test_unbounded():
    for name, p in cases(programs.unbounded):
        r = control.solve_qp(**p)
        assert r.status == QpStatus.UNBOUNDED, name
        assert np.isfinite(r.x).all(), name


@pytest.mark.parametrize("kind", [*programs.STRICT, *programs.SINGULAR])
def test_warm_start(kind):
    """From the active set of a neighbour as from none."""
    for name, p in cases(kind):
        if name[1]:
            continue
        rng = np.random.default_rng(name)
        qp = control.Qp(len(p["g"]), len(p.get("A", ())))
        for _ in range(5):
            r = qp.solve(**p)
            check(p, r, name)
            again = qp.solve(**p)
            check(p, again, name)
            # of a whole face of minimisers another may be found
            assert again.iterations <= r.iterations or kind is programs.least_squares
            p = {**p, "g": p["g"] + 0.3 * rng.standard_normal(len(p["g"]))}
            if kind is programs.least_squares:
                p["g"] = p["H"] @ np.linalg.lstsq(p["H"], p["g"], rcond=None)[0]


@pytest.mark.parametrize("number", [0, 1])
def test_talos(number):
    """TSID's problems: standing, no inequality presses; moving, some twenty do."""
    t = tsid_peer.read()[number]
    p = {
        "H": t["H"],
        "g": t["g"],
        "A": np.vstack([t["E"], t["A"]]),
        "lower": np.append(t["e"], t["lower"]),
        "upper": np.append(t["e"], t["upper"]),
    }
    r = control.solve_qp(**p)
    check(p, r, number)
    assert abs(r.objective - t["objective"]) < 1e-8 * max(1, abs(t["objective"]))
    assert np.abs(r.x - t["x"]).max() < 1e-5 * np.abs(t["x"]).max()
    # what the tasks see is the same to more digits
    assert np.abs(np.sqrt(t["w"]) * (t["J"] @ (r.x - t["x"]))).max() < 1e-6
