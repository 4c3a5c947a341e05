"""The examples that use derivatives of steps reach what they are for, in short forms."""

import contextlib
import io
import pathlib

import numpy as np
import pytest

import sinew

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True)
def _examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))


def costs(printed):
    """Costs of the iterations, from what `ilqr.optimise` prints."""
    lines = [line.split() for line in printed.splitlines()]
    return np.array([float(x[1]) for x in lines if len(x) == 4 and x[3] == "ms"])


def test_the_pole_swings_up_and_stays():
    import swing_up

    with contextlib.redirect_stdout(io.StringIO()) as out:
        model, rows = swing_up.main(most=40)
    assert (np.diff(costs(out.getvalue())) < 0).all()
    after = rows[rows[:, 0] >= swing_up.SECONDS]
    assert np.abs(after[:, 2] - np.pi).max() < 0.1
    assert np.abs(rows[:, 3]).max() <= model.actuator_ctrlrange[0, 1]
    # the motor cannot lift the pole at once: it swings past the other side first
    assert rows[:, 2].min() < -1


def test_the_leg_hops_and_lands():
    import hop

    with contextlib.redirect_stdout(io.StringIO()) as out:
        model, path, rows = hop.main(most=60)
    assert (np.diff(costs(out.getvalue())) < 0).all()
    _, trunk, foot, force = rows.T
    assert trunk.max() > 0.2 and foot.max() > 0.15
    assert abs(path.qpos[-1, 0] - hop.FAR) < 0.1 and abs(path.qpos[-1, 2]) < 0.3
    assert force[-1] > 0 and foot[-1] < 0
    # no force in mid-air, and the impulse of all forces is that of gravity: it rests before and after
    assert force[np.argmax(foot)] == 0
    step = model.opt.timestep
    weight = model.body_mass.sum() * hop.GRAVITY
    assert abs(step * force.sum() / (weight * step * len(force)) - 1) < 0.1


def test_a_small_problem_is_solved_at_once():
    """A mass that slides is linear: one iteration is the optimum, that of least squares over all controls."""
    import ilqr

    model = sinew.Model.from_xml(
        "<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>"
        "<actuator><motor joint='x'/></actuator></mujoco>"
    )
    T, h = 30, model.opt.timestep
    goal = np.ones((T + 1, 1)), np.zeros((T + 1, 1))
    Q, R = np.tile([1.0, 0.3], (T + 1, 1)), np.full((T, 1), 1e-6)
    cost = ilqr.Cost(*goal, Q=Q, R=R)
    path, _ = ilqr.optimise(
        model, np.zeros(1), np.zeros(1), np.zeros((T, 1)), cost, 5, report=lambda _: None
    )
    # semi-implicit: v after t steps is h/m sum u_k, x is h sum v
    V = np.tril(np.ones((T + 1, T)), -1) * h / 2
    X = h * np.cumsum(V, 0)
    rows = np.vstack([X, np.sqrt(0.3) * V, np.sqrt(1e-6) * np.eye(T)])
    best = np.linalg.lstsq(rows, np.append(np.ones(T + 1), np.zeros(2 * T + 1)), rcond=None)[0]
    np.testing.assert_allclose(path.ctrl[:, 0], best, rtol=1e-4, atol=1e-4 * np.abs(best).max())


def test_bounds_hold_in_the_small_problems_of_a_step():
    """`bounded` against enumeration of what may stand at a bound."""
    import itertools

    import ilqr

    rng = np.random.default_rng(3)
    for _ in range(50):
        G = rng.normal(size=(3, 3))
        H, g = G @ G.T + 0.1 * np.eye(3), 3 * rng.normal(size=3)
        low, high = -rng.random(3), rng.random(3)
        du, free = ilqr.bounded(H, g, low, high)
        best = np.inf
        for where in itertools.product((-1, 0, 1), repeat=3):
            w = np.array(where)
            x = np.where(w < 0, low, high)
            k = w == 0
            x[k] = np.linalg.solve(H[np.ix_(k, k)], -(g + H @ np.where(k, 0, x))[k])
            if (x >= low - 1e-12).all() and (x <= high + 1e-12).all():
                best = min(best, 0.5 * x @ H @ x + g @ x)
        assert (du >= low).all() and (du <= high).all()
        assert 0.5 * du @ H @ du + g @ du < best + 1e-9
        assert np.abs((g + H @ du)[free]).max(initial=0) < 1e-8


def impedance(r, d0, d1=0.95, width=1e-3):
    """d of `solimp` with midpoint 1/2 and power 2, and its derivative by depth r."""
    x = min(r / width, 1.0)
    y, dy = (2 * x * x, 4 * x) if x < 0.5 else (1 - 2 * (1 - x) ** 2, 4 * (1 - x))
    return d0 + (d1 - d0) * y, (d1 - d0) * dy / width


@pytest.mark.parametrize(("name", "d0"), [("default", 0.9), ("d0 = 0", 1e-4)])
def test_the_force_of_a_contact_and_its_derivative(name, d0):
    """At rest f = d m (g + k d r), with k = 1 / (d1 timeconst)^2: force, derivative, differences; 0 outside."""
    import contact_derivative

    k, g = 1 / (0.95 * 0.02) ** 2, 9.81
    depths = np.array([1e-9, 1e-5, 1.3e-4, 3.1e-4, 7.7e-4, 1.5e-3])
    rows = contact_derivative.curves(contact_derivative.SOLIMPS[name], -depths)
    for r, (force, exact, differences) in zip(depths, rows, strict=True):
        d, slope = impedance(r, d0)
        assert force == pytest.approx(d * (g + k * d * r), rel=1e-9)
        by_depth = slope * (g + 2 * k * d * r) + k * d * d
        assert exact == pytest.approx(-by_depth, rel=1e-9)
        if r > contact_derivative.EPS:
            assert differences == pytest.approx(-by_depth, rel=1e-2)
    # just outside nothing is felt, whatever is inside; differences see the jump
    outside = contact_derivative.curves(contact_derivative.SOLIMPS[name], [1e-9])[0]
    assert (outside[:2] == 0).all()
    assert outside[2] * 2 * contact_derivative.EPS < -d0 * g
