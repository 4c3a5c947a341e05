"""sinew.mujoco.minimize: known minima, the conditions of a minimum within bounds, and the peer's results."""

import io

import numpy as np
import pytest

from sinew.mujoco import minimize

peer = pytest.importorskip("mujoco.minimize")


def rosenbrock(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def wood(x):
    """More, Garbow, Hillstrom (1981), problem 14: minimum 0 at 1."""
    a, b, c, d = x
    return np.stack(
        [
            10 * (b - a**2),
            1 - a,
            np.sqrt(90) * (d - c**2),
            1 - c,
            np.sqrt(10) * (b + d - 2),
            (b - d) / np.sqrt(10),
        ]
    )


def powell(x):
    """The same, problem 13: minimum 0 at 0, where the Jacobian is singular."""
    a, b, c, d = x
    return np.stack(
        [a + 10 * b, np.sqrt(5) * (c - d), (b - 2 * c) ** 2, np.sqrt(10) * (a - d) ** 2]
    )


def misfit(x):
    """A decay through points that it does not meet: the minimum is not 0."""
    t = np.arange(8.0)[:, None]
    return x[0] * np.exp(-x[1] * t) - (3 * np.exp(-0.4 * t) + 0.1 * np.cos(5 * t))


PROBLEMS = {
    "rosenbrock": (rosenbrock, [-1.2, 1.0]),
    "wood": (wood, [-3.0, -1.0, -3.0, -1.0]),
    "powell": (powell, [3.0, -1.0, 0.0, 1.0]),
    "misfit": (misfit, [1.0, 1.0]),
}
BOXES = {"free": None, "inside": (-5.0, 5.0), "low": (-4.0, 0.3), "high": (0.5, 4.0)}


def gradient(residual, x):
    """Of half the sum of squares, by central differences."""
    x = x.reshape(-1, 1)
    step = 1e-6 * np.eye(x.size)
    jacobian = (residual(x + step) - residual(x - step)) / 2e-6
    return (jacobian.T @ residual(x))[:, 0]


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_minimum_within_bounds(name, box):
    residual, x0 = PROBLEMS[name]
    x0 = np.array(x0)
    bounds = None
    if BOXES[box]:
        bounds = [np.full(x0.size, b) for b in BOXES[box]]
    x, trace = minimize.least_squares(x0, residual, bounds, verbose=0, max_iter=300)
    slope = gradient(residual, x)
    if bounds:
        assert np.all((bounds[0] <= x) & (x <= bounds[1]))
        slope[(x == bounds[0][0]) & (slope > 0)] = 0
        slope[(x == bounds[1][0]) & (slope < 0)] = 0
    assert np.abs(slope).max() < 1e-5
    objectives = [entry.objective for entry in trace]
    assert np.all(np.diff(objectives) < 0)
    falls = [entry.reduction for entry in trace]
    assert falls[-1] == 0 and np.allclose(falls[:-1], -np.diff(objectives), rtol=1e-6, atol=1e-15)
    theirs, _ = peer.least_squares(x0, residual, bounds, verbose=0, max_iter=300)
    best = 0.5 * (residual(theirs[:, None]) ** 2).sum()
    assert trace[-1].objective <= best * (1 + 1e-6) + 1e-12
    if name != "powell":  # flat there
        np.testing.assert_allclose(x, theirs, atol=1e-5)


def test_how_the_residual_is_called():
    """Columns, within bounds; as many as are counted."""
    columns = 0
    bounds = [np.array([-2.0, -2.0]), np.array([0.5, 2.0])]

    def residual(x):
        nonlocal columns
        assert x.ndim == 2 and len(x) == 2
        assert np.all((x >= bounds[0][:, None]) & (x <= bounds[1][:, None]))
        columns += x.shape[1]
        return rosenbrock(x)

    out = io.StringIO()
    x, _ = minimize.least_squares(np.array([0.0, 7.0]), residual, bounds, output=out)
    np.testing.assert_allclose(x, [0.5, 0.25], atol=1e-8)
    assert f"Residual evals: {columns}\n" in out.getvalue()


@pytest.mark.parametrize("shape", [(2,), (2, 1)])
def test_the_log(shape):
    calls, out = [], io.StringIO()
    x, trace = minimize.least_squares(
        np.zeros(shape),
        rosenbrock,
        verbose=minimize.Verbosity.FULLITER,
        output=out,
        iter_callback=lambda log: calls.append(len(log)),
    )
    assert x.shape == shape
    assert calls == list(range(1, len(trace) + 1))
    for k, entry in enumerate(trace):
        assert entry.candidate.shape == entry.grad.shape == (2, 1)
        np.testing.assert_array_equal(entry.residual, rosenbrock(entry.candidate))
        np.testing.assert_allclose(entry.grad, entry.jacobian.T @ entry.residual)
        if k + 1 < len(trace):
            np.testing.assert_allclose(
                entry.candidate + entry.step, trace[k + 1].candidate, rtol=1e-12, atol=1e-15
            )
    assert trace[-1].step is None and trace[-1].regularizer >= 0
    lines = [line for line in out.getvalue().splitlines() if not line.startswith("Zero")]
    assert [line.split()[:2] for line in lines[:-2]] == [
        ["iter:", str(k)] for k in range(len(trace) - 1)
    ]
    assert lines[-2].startswith(f"Terminated after {len(trace) - 1} iterations: norm(gradient)")
    assert lines[-1].startswith("total time ")
    out = io.StringIO()
    _, brief = minimize.least_squares(np.zeros(shape), rosenbrock, verbose=0, output=out)
    assert out.getvalue() == "" and len(brief) == len(trace)
    assert brief[0].grad is brief[0].step is brief[0].residual is brief[0].jacobian is None


def test_why_it_ends():
    def run(residual=rosenbrock, x0=(0.0, 0.0), **options):
        out = io.StringIO()
        x, trace = minimize.least_squares(np.array(x0), residual, output=out, **options)
        return x, len(trace) - 1, out.getvalue()

    assert "exact minimum found" in run(x0=(1.0, 1.0))[2]
    x, count, text = run(max_iter=3)
    assert count == 3 and "Terminated after 3 iterations: maximum iterations reached." in text
    assert run(max_iter=0)[1] == 0
    assert "norm(dx) < tol." in run(xtol=0.5)[2]
    assert "norm(gradient) < tol." in run(gtol=0.1)[2]
    x, _, text = run(lambda x: np.full(x.shape, np.nan))
    assert "factorization failed." in text and list(x) == [0, 0]
    # the residual grows whichever way it goes, which its Jacobian does not say
    x, _, text = run(lambda x: 1 + np.abs(x), jacobian=lambda x, r: np.eye(2))
    assert "insufficient reduction." in text and list(x) == [0, 0]


def test_norms_and_their_derivatives():
    class Charbonnier(minimize.Norm):
        """Quadratic for small residuals, nearly linear for large ones."""

        def value(self, r):
            return (np.sqrt(1 + r**2) - 1).sum()

        def grad_hess(self, r, proj):
            s = np.sqrt(1 + r**2)
            return proj.T @ (r / s), proj.T @ (proj / s**3)

    with pytest.raises(TypeError, match="abstract"):
        minimize.Norm()
    t = np.linspace(0, 1, 30)[:, None]
    data = 2 * t - 0.5
    data[5] += 100  # an outlier, that must not count
    out = io.StringIO()
    x, _ = minimize.least_squares(
        np.array([2.1, -0.4]),
        lambda x: (x[0] * t + x[1] - data) * 10,
        norm=Charbonnier(),
        check_derivatives=True,
        output=out,
    )
    np.testing.assert_allclose(x, [2, -0.5], atol=0.1)
    for what in ("gradient", "Hessian"):
        assert f"User-provided norm {what} matches" in out.getvalue()
    assert np.array_equal(minimize.Quadratic().grad_hess(t, np.eye(30))[0], t)


def test_differences():
    x = np.array([[0.3], [0.4]])
    r = rosenbrock(x)
    exact = np.array([[-1, 0], [-6, 10]])
    forwards, count = minimize.jacobian_fd(rosenbrock, x, r, 1e-6, 5)
    assert count == 7 and np.allclose(forwards - exact, [[0, 0], [-1e-5, 0]], atol=1e-9)
    bounds = [np.zeros((2, 1)), np.array([[0.3], [1.0]])]
    backwards, _ = minimize.jacobian_fd(rosenbrock, x, r, 1e-6, 5, bounds)
    assert np.allclose(backwards - exact, [[0, 0], [1e-5, 0]], atol=1e-9)
    out = io.StringIO()
    assert minimize.check_jacobian(rosenbrock, x, r, forwards, 1e-8, 0, output=out, name="J") == 2
    assert out.getvalue() == "User-provided J matches finite-differences.\n"
    with pytest.raises(ValueError, match="J does not match finite-differences"):
        minimize.check_jacobian(rosenbrock, x, r, exact * (1 + 1e-4), 1e-8, 0, name="J")
    with pytest.raises(ValueError, match="User-provided Jacobian must contain only finite"):
        minimize.check_jacobian(rosenbrock, x, r, exact * np.nan, 1e-8, 0)


@pytest.mark.parametrize("middle", [1e-9, 1e6])
def test_differences_stay_within_bounds(middle):
    """Also where these are nearer to each other than a difference is long."""
    bounds = [np.full((2, 1), middle * (1 - 1e-14)), np.full((2, 1), middle * (1 + 1e-14))]

    def linear(x):
        assert np.all((bounds[0] <= x) & (x <= bounds[1]))
        return 2 * x

    for x in bounds:
        assert np.array_equal(
            minimize.jacobian_fd(linear, x, 2 * x, 1e-8, 0, bounds)[0], 2 * np.eye(2)
        )


def test_what_is_not_finite_is_no_improvement():
    """Neither NaN nor minus infinity."""
    for bad in (np.nan, -np.inf):

        class Bad(minimize.Quadratic):
            def value(self, r):
                return super().value(r) if r[0, 0] > 0 else bad  # noqa: B023 used at once

        x, _ = minimize.least_squares(np.array([3.0]), lambda x: x - 1, norm=Bad(), verbose=0)
        assert 1 <= x[0] < 3


def test_wrong_arguments():
    two = np.ones(2)
    with pytest.raises(TypeError, match=r"x_scale from release 4\.0"):
        minimize.least_squares(two, rosenbrock, x_scale=1.0)
    with pytest.raises(ValueError, match="x0 must be finite"):
        minimize.least_squares(two * np.nan, rosenbrock)
    with pytest.raises(ValueError, match="float64"):
        minimize.least_squares(two, lambda x: x.astype(np.float32))
    for text, options in [
        ("bounds must have 2 elements.", {"bounds": [0, 1, 2]}),
        ("bounds must have the same size as x0.", {"bounds": [np.zeros(3), np.ones(3)]}),
        ("bounds must be finite.", {"bounds": [-two, two * np.inf]}),
        ("bounds\\[0\\] must be smaller than bounds\\[1\\].", {"bounds": [two, two]}),
        ("mu_min must be > 0.", {"mu_min": 0.0}),
        ("mu_factor must be > 1.", {"mu_factor": 1.0}),
        ("4 is not a valid Verbosity", {"verbose": 4}),
    ]:
        with pytest.raises(ValueError, match=text):
            minimize.least_squares(0 * two, rosenbrock, **options)
