"""Nonlinear least squares within bounds: the peer's module `mujoco.minimize`.

Levenberg-Marquardt (Madsen, Nielsen, Tingleff: Methods for non-linear least squares problems, 2004, 3.2):
each step minimises the quadratic model 1/2 d'(H + mu I)d + g'd within the bounds, H = J'J of the residual's
Jacobian, or what a norm of the user's own makes of it. mu grows until the objective falls, and shrinks, the
faster the longer, while the model foretells well how much.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import inspect
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, TextIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..control import Qp
from ._release import IS_LATER

_Array = NDArray[np.float64]
_Residual = Callable[[_Array], _Array]

__all__ = [
    "IterLog",
    "Norm",
    "Quadratic",
    "Status",
    "Verbosity",
    "check_jacobian",
    "check_norm",
    "jacobian_fd",
    "least_squares",
]


class Verbosity(enum.Enum):
    """How much `least_squares` tells; FULLITER also logs arrays."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why a minimisation ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_STATUS_MESSAGE = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration: where it began, the objective there, by how much it fell, and mu. The rest, with
    `Verbosity.FULLITER`: residual (nr, 1), its Jacobian (nr, n), gradient and step (n, 1)."""

    candidate: _Array
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: _Array | None = None
    jacobian: _Array | None = None
    grad: _Array | None = None
    step: _Array | None = None


class Norm(abc.ABC):
    """A function of the residual to be minimised."""

    @abc.abstractmethod
    def value(self, r: _Array) -> np.float64:
        """Its value at a residual (nr, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r: _Array, proj: _Array) -> tuple[_Array, _Array]:
        """Gradient proj' y_r and Hessian proj' y_rr proj of it, of derivatives y_r (nr, 1) and
        y_rr (nr, nr) at r, positive semi-definite; proj is (nr, n)."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: _Array) -> np.float64:
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: _Array, proj: _Array) -> tuple[_Array, _Array]:
        return proj.T @ r, proj.T @ proj


def jacobian_fd(
    residual: _Residual,
    x: _Array,
    r: _Array,
    eps: np.float64,
    n_res: int,
    bounds: list[_Array] | None = None,
) -> tuple[_Array, int]:
    """Jacobian (nr, n) of a residual by differences of size eps max(1, |x|), forwards or, from above the middle of the
    bounds, backwards; within the bounds.

    Parameters
    ----------
    residual : function
        Of the columns of an (n, k) array, (nr, k).
    x, r : array (n, 1), array (nr, 1)
        Where, and the residual there.
    eps : float
        Size of the differences.
    n_res : int
        Residuals evaluated so far.
    bounds : list of two arrays (n, 1), optional
        Lower and upper.

    Returns
    -------
    jacobian, n_res
        The Jacobian, and the residuals evaluated with it.
    """
    step = eps * np.maximum(1, np.abs(np.ravel(x)))
    if bounds is not None:
        lower, upper = (np.ravel(bound) for bound in bounds)
        # the middle of neighbouring numbers may be the upper one
        step[(np.ravel(x) > 0.5 * lower + 0.5 * upper) | (np.ravel(x) == upper)] *= -1
    places = x + np.diag(step)
    places = places if bounds is None else np.clip(places, *bounds)
    step = places.diagonal() - np.ravel(x)  # that there is, by rounding and the bounds
    return (residual(places) - r) / step, n_res + x.size


def _differs(given: _Array, differences: _Array) -> bool:
    """Whether a derivative is not what differences say, to 1e-5 of its size or their rounding."""
    tolerance = 1e-5 * np.linalg.norm(differences) + 1e-7
    return not np.linalg.norm(given - differences) <= tolerance


def _tell(output: TextIO | None, text: str) -> None:
    print(text, file=output)


def check_jacobian(
    residual: _Residual,
    x: _Array,
    r: _Array,
    jac: _Array,
    eps: np.float64,
    n_res: int,
    bounds: list[_Array] | None = None,
    output: TextIO | None = None,
    name: str | None = "Jacobian",
) -> int:
    """Hold a Jacobian of the user's against differences: ValueError when it is another. Returns the
    residuals evaluated; see `jacobian_fd`."""
    if not np.all(np.isfinite(jac)):
        raise ValueError(f"User-provided {name} must contain only finite values.")
    differences, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    if not np.all(np.isfinite(differences)):
        raise ValueError(f"Finite-difference {name} must contain only finite values.")
    if _differs(jac, differences):
        raise ValueError(
            f"User-provided {name} does not match finite-differences to a relative tolerance of 1e-5."
        )
    _tell(output, f"User-provided {name} matches finite-differences.")
    return n_res


def check_norm(r: _Array, norm: Norm, eps: np.float64, output: TextIO | None = None) -> None:
    """Hold gradient and Hessian of a norm against differences at r: ValueError when they are others, or the
    Hessian is not symmetric or not positive definite."""
    whole = np.eye(r.size)
    grad, hess = norm.grad_hess(r, whole)

    def value(columns: _Array) -> _Array:
        return np.array([[norm.value(c[:, None]) for c in columns.T]])

    def gradient(columns: _Array) -> _Array:
        return np.hstack([norm.grad_hess(c[:, None], whole)[0] for c in columns.T])

    check_jacobian(value, r, value(r), grad.T, eps, 0, None, output, "norm gradient")
    if not np.all(np.isfinite(hess)):
        raise ValueError("User-provided norm Hessian must contain only finite values.")
    if not np.allclose(hess, hess.T, rtol=1e-8, atol=1e-12):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    smallest = np.linalg.eigvalsh(hess).min()
    if not smallest > -1e-12 * np.abs(hess).max():
        raise ValueError("User-provided norm Hessian is not positive definite.")
    check_jacobian(gradient, r, grad, hess, eps, 0, None, output, "norm Hessian")


class _Counter:
    """A function with how often and how long it has run."""

    def __init__(self, function: Callable[..., _Array]) -> None:
        self.function, self.evaluations, self.seconds = function, 0, 0.0

    def __call__(self, x: _Array, *rest: _Array) -> _Array:
        begin = time.perf_counter()
        try:
            return self.function(x, *rest)
        finally:
            self.seconds += time.perf_counter() - begin
            self.evaluations += x.shape[1]


def _column_bounds(bounds: Sequence[_Array] | None, size: int) -> list[_Array] | None:
    """Bounds as columns, checked."""
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    lower, upper = (np.asarray(b, np.float64).reshape(-1, 1) for b in bounds)
    if lower.size != size or upper.size != size:
        raise ValueError("bounds must have the same size as x0.")
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
        raise ValueError("bounds must be finite.")
    if not np.all(lower < upper):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [lower, upper]


def _check_settings(mu_min: float, mu_factor: float) -> None:
    if not mu_min > 0:
        raise ValueError("mu_min must be > 0.")
    if not mu_factor > 1:
        raise ValueError("mu_factor must be > 1.")


class _Model:
    """The quadratic model of z = x / scale at a point, and its minimum for some mu."""

    def __init__(
        self, x: _Array, grad: _Array, hess: _Array, bounds: list[_Array] | None, scale: _Array
    ) -> None:
        self.grad, self.hess, self.scale = grad, hess, scale
        self.room = None if bounds is None else ((bounds[0] - x) / scale, (bounds[1] - x) / scale)
        self.qp = None if bounds is None else Qp(x.size)

    def free_gradient(self) -> float:
        """Norm of the gradient without what pushes against bounds."""
        grad = self.grad
        if self.room is not None:
            held = ((self.room[0] >= 0) & (grad > 0)) | ((self.room[1] <= 0) & (grad < 0))
            grad = np.where(held, 0, grad)
        return float(np.linalg.norm(grad))

    def step(self, mu: float) -> _Array | None:
        """The minimum; None: the model has none that can be found."""
        matrix = self.hess + mu * np.eye(self.grad.size)
        if not (np.all(np.isfinite(matrix)) and np.all(np.isfinite(self.grad))):
            return None
        if self.room is not None:
            result = self.qp.solve(
                matrix, self.grad[:, 0], xlower=self.room[0][:, 0], xupper=self.room[1][:, 0]
            )
            return result.x[:, None] if result.solved else None
        try:
            factor = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            return None
        step = -np.linalg.solve(factor.T, np.linalg.solve(factor, self.grad))
        return step if np.all(np.isfinite(step)) else None

    def reduction(self, step: _Array) -> float:
        """By how much the model falls."""
        return -(self.grad.T @ step + 0.5 * step.T @ self.hess @ step).item()


class _Scale:
    """Scales (n, 1) of the unknowns: all 1, the user's own, or what makes columns of the Jacobian of length 1."""

    def __init__(self, given: Any, size: int, eps: float) -> None:
        self.least, self.value = eps, np.ones((size, 1))
        self.adapts = isinstance(given, str)
        if self.adapts and given != "jac":
            raise ValueError(f"x_scale is {given!r}, must be None, 'jac', a number or an array")
        if given is None or self.adapts:
            return
        array = np.asarray(given, np.float64)
        if array.shape not in ((), (size,)):
            raise ValueError(f"x_scale has shape {array.shape}, must be a number or ({size},)")
        if not np.all(np.isfinite(array) & (array > 0)):
            raise ValueError("x_scale must be positive and finite.")
        self.value = self.value * array.reshape(-1, 1)

    def at(self, jac: _Array) -> _Array:
        """Those for a Jacobian."""
        if self.adapts:
            lengths = np.linalg.norm(jac, axis=0)
            self.value = (1 / np.maximum(lengths, self.least)).reshape(-1, 1)
        return self.value


class _Regularizer:
    """mu: 0 or in [mu_min, mu_max]. Changes in a row grow, as powers of the factor; those that were taken
    back by the objective grow one by one."""

    def __init__(self, mu_min: float, mu_max: float, factor: float) -> None:
        self.value, self.min, self.max, self.factor = 0.0, mu_min, mu_max, factor
        self.power = 1

    def grow(self) -> bool:
        """A larger mu; False when it is as large as may be."""
        self.value = max(self.min, self.value * self.factor)
        self.power = 1
        return self.value <= self.max

    def learn(self, ratio: float) -> None:
        """What follows from the reduction over that of the model."""
        if ratio > 0.75:
            self.value *= self.factor**-self.power
            self.power *= 2
            if self.value < self.min:
                self.value = 0.0
        elif ratio < 0.25:
            self.grow()


@dataclasses.dataclass
class _Step:
    """What one iteration found; x None: nothing better."""

    status: Status | None
    x: _Array | None = None
    r: _Array | None = None
    y: float = 0.0
    dx: _Array | None = None
    ratio: float = 0.0


def _improve(
    model: _Model,
    mu: _Regularizer,
    x: _Array,
    y: float,
    residual: _Residual,
    norm: Norm,
    bounds: list[_Array] | None,
) -> _Step:
    """The first step that lowers the objective, mu growing until there is one."""
    while True:
        dz = model.step(mu.value)
        status = Status.FACTORIZATION_FAILED
        if dz is not None:
            dx = model.scale * dz
            new = x + dx if bounds is None else np.clip(x + dx, *bounds)
            r = residual(new)
            fall = y - norm.value(r)
            if 0 < fall < np.inf:
                expected = model.reduction(dz)
                return _Step(None, new, r, y - fall, dx, fall / expected if expected > 0 else 1.0)
            status = Status.NO_IMPROVEMENT
        if not mu.grow():
            return _Step(status)


def _tell_iteration(output: TextIO | None, number: int, log: IterLog, step: _Step) -> None:
    with np.errstate(divide="ignore"):
        mu = np.log10(log.regularizer)
    size = np.linalg.norm(step.dx)
    _tell(
        output,
        f"iter: {number:<4d} y: {log.objective:<9.4g}  log10mu: {mu:>4.1f}  ratio: {step.ratio:<7.2g}  "
        f"dx: {size:<7.2g}  reduction: {log.reduction:<7.2g}",
    )


def least_squares(
    x0: _Array,
    residual: _Residual,
    bounds: Sequence[_Array] | None = None,
    jacobian: Callable[[_Array, _Array], _Array] | None = None,
    norm: Norm = Quadratic(),
    eps: float = np.finfo(np.float64).eps ** 0.5,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
    x_scale: ArrayLike | Literal["jac"] | None = None,
) -> tuple[_Array, list[IterLog]]:
    """Minimise a norm of a residual of x, by default half the sum of its squares, within bounds.

    Parameters
    ----------
    x0 : array (n,) or (n, 1)
        Where to begin.
    residual : function
        Of the columns of an (n, k) array, (nr, k).
    bounds : two arrays of n, optional
        Lower and upper, finite.
    jacobian : function, optional
        Of x (n, 1) and the residual there (nr, 1): (nr, n). By default `jacobian_fd`.
    norm : Norm
        What is minimised of the residual.
    eps : float
        Size of finite differences.
    mu_min, mu_max, mu_factor : float
        The regularizer: its range, besides 0, and by how much it changes.
    xtol, gtol : float
        It ends where a step is shorter than xtol (xtol + |x|), or the gradient but for what pushes against bounds not
        longer than gtol.
    max_iter : int
        Iterations at most.
    verbose : Verbosity
        What is printed; with FULLITER all arrays are logged, too.
    output : file, optional
        Where it is printed, by default standard output.
    iter_callback : function, optional
        Called after each iteration with the list of logs.
    check_derivatives : bool
        First hold `jacobian` and a `norm` of the user's own against finite differences.
    x_scale : number, array (n,) or "jac", optional
        Of release 4.0: what is solved for is x / x_scale, which mu, gtol and their like then belong to; "jac": 1 over
        the length of each column of the Jacobian, anew in each iteration.

    Returns
    -------
    x, trace
        The best x, of the shape of x0, and a log for each iteration and for the end.
    """
    begin = time.perf_counter()
    _check_settings(mu_min, mu_factor)
    if x_scale is not None and not IS_LATER:
        raise TypeError("least_squares has x_scale from release 4.0 on")
    verbose = Verbosity(verbose)
    x0 = np.asarray(x0, np.float64)
    x = x0.reshape(-1, 1)
    scale = _Scale(x_scale, x.size, eps)
    limits = _column_bounds(bounds, x.size)
    if limits is not None:
        x = np.clip(x, *limits)
    if not np.all(np.isfinite(x)):
        raise ValueError("x0 must be finite.")
    residual = _Counter(residual)
    derivative = None if jacobian is None else _Counter(jacobian)
    r = residual(x)
    if r.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")
    y = norm.value(r)
    mu = _Regularizer(mu_min, mu_max, mu_factor)
    trace: list[IterLog] = []
    status, grad, jac = Status.MAX_ITER, None, None
    full = verbose == Verbosity.FULLITER

    def evaluate() -> _Model:
        nonlocal jac, grad
        if derivative is None:
            jac, _ = jacobian_fd(residual, x, r, eps, 0, limits)
        else:
            jac = derivative(x, r)
        sizes = scale.at(jac)
        scaled, hess = norm.grad_hess(r, jac * sizes.T)
        grad = scaled / sizes
        return _Model(x, scaled, hess, limits, sizes)

    def log(regularizer: float, reduction: float, dx: _Array | None) -> IterLog:
        arrays = {"residual": r, "jacobian": jac, "grad": grad, "step": dx} if full else {}
        trace.append(IterLog(x, y, np.float64(reduction), np.float64(regularizer), **arrays))
        return trace[-1]

    for iteration in range(max_iter):
        model = evaluate()
        if check_derivatives and iteration == 0:
            if derivative is not None:
                check_jacobian(residual, x, r, jac, eps, 0, limits, output)
            if type(norm) is not Quadratic:
                check_norm(r, norm, eps, output)
        size = model.free_gradient()
        if size <= gtol:
            if size == 0 and verbose != Verbosity.SILENT:
                _tell(output, "Zero gradient norm: exact minimum found?")
            status = Status.G_TOL
            break
        step = _improve(model, mu, x, y, residual, norm, limits)
        if step.status is not None:
            status = step.status
            break
        entry = log(mu.value, y - step.y, step.dx)
        if verbose.value >= Verbosity.ITER.value:
            _tell_iteration(output, iteration, entry, step)
        if iter_callback is not None:
            iter_callback(trace)
        shortest = xtol * (xtol + np.linalg.norm(x))
        x, r, y = step.x, step.r, step.y
        mu.learn(step.ratio)
        if np.linalg.norm(step.dx) < shortest:
            status = Status.DX_TOL
            break
    if status in (Status.MAX_ITER, Status.DX_TOL) and full:
        evaluate()
    log(mu.value, 0.0, None)
    if iter_callback is not None:
        iter_callback(trace)
    if verbose != Verbosity.SILENT:
        _tell_end(output, status, trace, residual, derivative, time.perf_counter() - begin)
    return x.reshape(x0.shape), trace


if not IS_LATER:
    _SIGNATURE = inspect.signature(least_squares)
    least_squares.__signature__ = _SIGNATURE.replace(  # type: ignore[attr-defined]
        parameters=[p for p in _SIGNATURE.parameters.values() if p.name != "x_scale"]
    )


def _tell_end(
    output: TextIO | None,
    status: Status,
    trace: list[IterLog],
    residual: _Counter,
    jacobian: _Counter | None,
    seconds: float,
) -> None:
    share = 100 / max(seconds, 1e-12)
    counts = f"Residual evals: {residual.evaluations}"
    times = f"residual {residual.seconds * share:.1f}%"
    if jacobian is not None:
        counts += f", Jacobian evals: {jacobian.evaluations}"
        times += f" Jacobian {jacobian.seconds * share:.1f}%"
    _tell(
        output,
        f"Terminated after {len(trace) - 1} iterations: {_STATUS_MESSAGE[status]} "
        f"y: {trace[-1].objective:.4g}, {counts}\n"
        f"total time {1e3 * seconds:.1f}ms of which {times}",
    )
