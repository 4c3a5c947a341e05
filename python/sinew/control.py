"""Whole-body control: quadratic programs, hierarchies of them, tasks with priorities, controllers.

A quadratic program and a hierarchy need no model:

>>> import numpy as np
>>> import sinew.control as control
>>> control.solve_qp(np.eye(2), [-3, -1], A=[[1, 1]], upper=2).x.round(6).tolist()
[2.0, 0.0]
>>> first = ([[1, 1]], None, 2)  # x + y <= 2 before
>>> second = (np.eye(2), [3, 1])  # x = 3, y = 1
>>> control.solve_hqp([first, second]).x.round(6).tolist()
[2.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._enums import QpStatus

__all__ = [
    "Hqp",
    "HqpResult",
    "Qp",
    "QpResult",
    "SingularValues",
    "null_basis",
    "null_projector",
    "pseudo_inverse",
    "singular_values",
    "solve_hqp",
    "solve_priorities",
    "solve_qp",
]

_Array = NDArray[np.float64]
Level: TypeAlias = Sequence[Any]


# ---- arrays


def _floats(value: ArrayLike, name: str) -> _Array:
    """An array of float64; what is none is an error that names it."""
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def _vector(value: ArrayLike | None, name: str, n: int) -> _Array | None:
    """An array (n,), from one, or from a number for all; None stays."""
    if value is None:
        return None
    array = _floats(value, name)
    if array.shape == (n,):
        return np.ascontiguousarray(array)
    if array.shape != ():
        raise ValueError(f"{name} has shape {array.shape}, must be ({n},) or a number")
    return np.full(n, array)


def _matrix(value: ArrayLike, name: str, rows: int | None, columns: int | None) -> _Array:
    """An array (rows, columns); None: any number of them."""
    array = _floats(value, name)
    want = rows, columns
    if array.ndim != 2 or any(w not in (None, s) for s, w in zip(array.shape, want, strict=True)):
        words = ["rows" if rows is None else str(rows), "n" if columns is None else str(columns)]
        raise ValueError(f"{name} has shape {array.shape}, must be ({', '.join(words)})")
    return np.ascontiguousarray(array)


# ---- pseudo-inverses, null spaces, priorities by projection


class SingularValues(NamedTuple):
    """A = U diag(s) V' and the rank.

    Attributes
    ----------
    s : ndarray
        (k,), k = min(m, n): descending.
    rank : int
        How many are above the tolerance.
    U, V : ndarray
        (m, k) and (n, k), with orthonormal columns at any rank.
    """

    s: _Array
    rank: int
    U: _Array
    V: _Array


def _tolerance(value: float | None) -> float:
    """A tolerance as the library takes it."""
    if value is None:
        return -1.0
    if not value >= 0:
        raise ValueError(f"tolerance is {value}, must be 0 or more, or None")
    return float(value)


def _finite(value: ArrayLike, name: str) -> _Array:
    """A matrix without NaN or infinite numbers."""
    matrix = _matrix(value, name, None, None)
    wrong = np.argwhere(~np.isfinite(matrix))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0][0]}, {wrong[0][1]}] is {matrix[tuple(wrong[0])]}")
    return matrix


def singular_values(A: ArrayLike, tolerance: float | None = None) -> SingularValues:
    """Singular values, the rank and the vectors of a matrix.

    Parameters
    ----------
    A : array_like
        (m, n)
    tolerance : float, optional
        Singular values above it count, in the unit of A; max(m, n) eps s[0] without it.
    """
    A = _finite(A, "A")
    (m, n), k = A.shape, min(A.shape)
    s, U, V = np.empty(k), np.empty((m, k)), np.empty((n, k))
    rank = _core.singularValues(m, n, A, _tolerance(tolerance), s, U, V)
    return SingularValues(s, rank, U, V)


def pseudo_inverse(
    A: ArrayLike,
    tolerance: float | None = None,
    damping: float | None = None,
    weight: ArrayLike | None = None,
) -> _Array:
    """The pseudo-inverse (n, m) of Moore and Penrose, or a damped or weighted one.

    Of full column rank it is the left inverse, of full row rank the right inverse.

    Parameters
    ----------
    A : array_like
        (m, n)
    tolerance : float, optional
        Singular values above it count, in the unit of A; max(m, n) eps s[0] without it. With `weight` they
        are those of A weight^-1/2.
    damping : float, optional
        A'(A A' + damping^2 I)^-1, bounded by 1 / (2 damping); in the unit of A. For a task's own solution,
        not for projectors.
    weight : array_like, optional
        (n, n) symmetric positive definite, of which the lower triangle is read: of all x that minimise
        |A x - b| the one with the least x' weight x. With the joint-space inertia and full row rank the
        dynamically consistent inverse.

    Raises
    ------
    ValueError
        Numbers that are not finite, a weight that is not positive definite, damping together with another
        option.

    Examples
    --------
    >>> import sinew.control as control
    >>> control.pseudo_inverse([[3, 0, 4]]).round(6).tolist()
    [[0.12], [0.0], [0.16]]
    """
    A = _finite(A, "A")
    m, n = A.shape
    if damping is not None and (tolerance is not None or weight is not None):
        raise ValueError("damping goes with neither tolerance nor weight")
    if damping is not None and not 0 <= damping < np.inf:
        raise ValueError(f"damping is {damping}, must be 0 or more and finite")
    M = None if weight is None else _matrix(weight, "weight", n, n)
    out = np.empty((n, m))
    if _core.pseudoInverse(m, n, A, _tolerance(tolerance), damping or 0.0, M, out) < 0:
        raise ValueError("weight is not positive definite")
    return out


def null_projector(A: ArrayLike, tolerance: float | None = None) -> _Array:
    """The projector N = I - A+ A (n, n) onto the null space of A (m, n): N N = N, N' = N.

    Parameters
    ----------
    A : array_like
        (m, n)
    tolerance : float, optional
        Singular values above it count, in the unit of A; max(m, n) eps s[0] without it.
    """
    A = _finite(A, "A")
    m, n = A.shape
    N = np.empty((n, n))
    _core.nullProjector(m, n, A, _tolerance(tolerance), N)
    return N


def null_basis(A: ArrayLike, tolerance: float | None = None) -> _Array:
    """An orthonormal basis Z (n, n - rank) of the null space of A (m, n): A Z = 0, Z'Z = I.

    Parameters
    ----------
    A : array_like
        (m, n)
    tolerance : float, optional
        Singular values above it count, in the unit of A; max(m, n) eps s[0] without it.
    """
    A = _finite(A, "A")
    m, n = A.shape
    Z = np.empty(n * n)
    rank = _core.nullBasis(m, n, A, _tolerance(tolerance), Z)
    return Z[: n * (n - rank)].reshape(n, n - rank).copy()


def solve_priorities(
    tasks: Sequence[Sequence[Any]],
    form: str = "sum",
    damping: float = 0.0,
    tolerance: float | None = None,
) -> tuple[_Array, NDArray[np.int32]]:
    """Tasks J x = b by priority, each projected into the null space of those above it.

    x is the least-norm vector that minimises |J_1 x - b_1|, then, among all those, |J_2 x - b_2|, and so on.
    A lower task is reached exactly where J_i N_i has full row rank. Velocities: J qvel = b. Accelerations:
    J qacc = b with b the wanted acceleration less Jdot qvel.

    Parameters
    ----------
    tasks : sequence of tuple
        The first has priority. Each is (J, b) or (J, b, damping): J (rows, n), b (rows,) or a number for all.
    form : str
        "sum", N_i from all tasks above at once, or "recursive", from the level before; x is the same.
    damping : float
        Of tasks that have none of their own. It acts on a task's own solution, never on projectors.
    tolerance : float, optional
        Directions whose singular value of J_i N_i is above it are kept from lower tasks; the rounding of
        J_i N_i without it, and at least.

    Returns
    -------
    x : ndarray
        (n,)
    ranks : ndarray
        (len(tasks),): of J_i N_i.

    Raises
    ------
    ValueError
        Shapes and numbers that are not finite, with the task.

    Examples
    --------
    >>> import sinew.control as control
    >>> x, ranks = control.solve_priorities([([[1, 0]], 1), ([[1, 0], [0, 1]], [3, 4])])
    >>> x.round(6).tolist(), ranks.tolist()  # the second task has x[1] alone
    ([1.0, 4.0], [1, 1])
    """
    forms = ("sum", "recursive")
    if form not in forms:
        raise ValueError(f"form is {form!r}, must be 'sum' or 'recursive'")
    given, n = [], None
    for i, task in enumerate(tasks):
        name = f"tasks[{i}]"
        if not isinstance(task, tuple | list) or len(task) not in (2, 3):
            raise TypeError(f"{name} must be (J, b) or (J, b, damping)")
        J = _matrix(task[0], f"{name}: J", None, n)
        rows, n = J.shape
        b = _vector(task[1], f"{name}: b", rows)
        if b is None:
            raise TypeError(f"{name}: b is None, must be ({rows},) or a number")
        given.append((rows, J, b, float(task[2] if len(task) == 3 else damping)))
    if n is None:
        raise ValueError("tasks is empty")
    x, ranks = np.empty(n), np.empty(len(given), np.int32)
    _core.solvePriorities(n, tuple(given), forms.index(form), _tolerance(tolerance), x, ranks)
    return x, ranks


# ---- quadratic programs


@dataclass(frozen=True)
class QpResult:
    """What came out of a quadratic program.

    Attributes
    ----------
    x : ndarray
        (n,): the minimiser, or the last iterate; finite in any case.
    y : ndarray
        Multipliers (rows + n,) of the rows of A, then of the bounds of x, positive at an upper bound:
        H x + g + A' y[:rows] + y[rows:] = 0.
    status : sinew.QpStatus
        SOLVED, or how it failed.
    iterations : int
        Changes of the active set.
    active : int
        Rows and bounds in it at the end.
    row : int
        Where nothing satisfies all rows, one that cannot be met with those active; from `rows` on, the
        bound of x[row - rows]; else -1.
    objective : float
        1/2 x'Hx + g'x.
    """

    x: _Array
    y: _Array
    status: QpStatus
    iterations: int
    active: int
    row: int
    objective: float

    @property
    def solved(self) -> bool:
        """Whether x is a minimiser."""
        return self.status == QpStatus.SOLVED


def _qp_size(H: Any, g: Any, A: Any, xlower: Any, xupper: Any) -> int:
    """How many unknowns, from the first argument that tells."""
    for value, name in ((H, "H"), (A, "A"), (g, "g"), (xlower, "xlower"), (xupper, "xupper")):
        shape = () if value is None else _floats(value, name).shape
        if shape:
            return shape[-1]
    raise ValueError("the number of unknowns is not known: give H, g, A or arrays of bounds")


class Qp:
    """Memory for quadratic programs up to a size, and the active set of the last one.

    Parameters
    ----------
    n : int
        Unknowns, at most.
    rows : int
        Of A, at most; bounds of x are counted apart.

    Notes
    -----
    One thread at a time; a second one gets RuntimeError.
    """

    __slots__ = ("_qp",)

    def __init__(self, n: int, rows: int = 0) -> None:
        self._qp = _core.makeQp(n, rows)

    def solve(
        self,
        H: ArrayLike | None = None,
        g: ArrayLike | None = None,
        A: ArrayLike | None = None,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        xlower: ArrayLike | None = None,
        xupper: ArrayLike | None = None,
        *,
        warmstart: bool = True,
        iterations: int = 0,
        tolerance: float = 1e-10,
    ) -> QpResult:
        """Minimise 1/2 x'Hx + g'x subject to lower <= A x <= upper, xlower <= x <= xupper.

        As `solve_qp`; with `warmstart` it begins with the active set of the last problem, if that had the
        same sizes.
        """
        n = _qp_size(H, g, A, xlower, xupper)
        rows_of_A = None if A is None else _matrix(A, "A", None, n)
        rows = 0 if rows_of_A is None else len(rows_of_A)
        if rows_of_A is None and (lower is not None or upper is not None):
            raise ValueError("lower and upper are bounds of the rows of A, which is not given")
        x, y = np.zeros(n), np.zeros(rows + n)
        members = _core.solveQp(
            self._qp,
            n,
            rows,
            None if H is None else _matrix(H, "H", n, n),
            _vector(g, "g", n),
            rows_of_A,
            _vector(lower, "lower", rows),
            _vector(upper, "upper", rows),
            _vector(xlower, "xlower", n),
            _vector(xupper, "xupper", n),
            iterations,
            tolerance,
            warmstart,
            x,
            y,
        )
        return QpResult(x, y, QpStatus(members[0]), *members[1:])


def solve_qp(
    H: ArrayLike | None = None,
    g: ArrayLike | None = None,
    A: ArrayLike | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    xlower: ArrayLike | None = None,
    xupper: ArrayLike | None = None,
    *,
    iterations: int = 0,
    tolerance: float = 1e-10,
) -> QpResult:
    """Minimise 1/2 x'Hx + g'x subject to lower <= A x <= upper, xlower <= x <= xupper.

    Parameters
    ----------
    H : array_like, optional
        (n, n) symmetric, positive semidefinite, of which the lower triangle is read; the identity without it.
    g : array_like, optional
        (n,); 0 without it.
    A : array_like, optional
        (rows, n)
    lower, upper : array_like, optional
        Bounds (rows,) of A x, or one for all; may be infinite, equal ones make an equality.
    xlower, xupper : array_like, optional
        Bounds (n,) of x, or one for all.
    iterations : int
        Changes of the active set, at most; 0: 10 (n + rows) + 100.
    tolerance : float
        Of a row's violation, relative to 1 + |bound|, the row at unit norm.

    Returns
    -------
    QpResult
        A status other than SOLVED is no exception.

    Raises
    ------
    ValueError
        Shapes, a NaN, a lower bound above its upper one, H not semidefinite: with the argument and the row.
    """
    n = _qp_size(H, g, A, xlower, xupper)
    qp = Qp(n, 0 if A is None else len(_matrix(A, "A", None, n)))
    return qp.solve(
        H, g, A, lower, upper, xlower, xupper, iterations=iterations, tolerance=tolerance
    )


# ---- hierarchies


@dataclass(frozen=True)
class HqpResult:
    """What came out of a hierarchy.

    Attributes
    ----------
    x : ndarray
        (n,): the lexicographic optimum; at the limit of iterations the answer of the last level solved.
    states : list of ndarray
        Of each level (rows,) int8: `sinew.HqpState` of each row.
    slacks : list of ndarray
        Of each level (rows,): A x - upper of rows above, A x - lower of rows below, else 0.
    ranks : ndarray
        Directions (levels,) that each level took.
    violations : ndarray
        sqrt(sum w v^2) of each level (levels,).
    status : sinew.QpStatus
        SOLVED or ITERATIONS.
    level : int
        Levels that are solved.
    iterations : int
        Changes of active sets.
    passes : int
        1: the active sets of the warm start were right.
    freedom : int
        Dimension of what the least norm decided.
    """

    x: _Array
    states: list[NDArray[np.int8]]
    slacks: list[_Array]
    ranks: NDArray[np.int32]
    violations: _Array
    status: QpStatus
    level: int
    iterations: int
    passes: int
    freedom: int

    @property
    def solved(self) -> bool:
        """Whether all levels are solved."""
        return self.status == QpStatus.SOLVED


def _level(level: Level, k: int, n: int | None) -> tuple:
    """A level as the extension takes it: rows, A, lower, upper, weight."""
    name = f"levels[{k}]"
    if not isinstance(level, tuple | list) or not 2 <= len(level) <= 4:
        raise TypeError(f"{name} must be (A, b), (A, lower, upper) or (A, lower, upper, weight)")
    A = _matrix(level[0], f"{name}: A", None, n)
    rows = len(A)
    if len(level) == 2:
        b = _vector(level[1], f"{name}: b", rows)
        if b is None:
            raise TypeError(f"{name}: b is None, must be ({rows},) or a number")
        return rows, A, b, b, None
    lower, upper = level[1:3]
    return (
        rows,
        A,
        _vector(-np.inf if lower is None else lower, f"{name}: lower", rows),
        _vector(np.inf if upper is None else upper, f"{name}: upper", rows),
        _vector(level[3], f"{name}: weight", rows) if len(level) == 4 else None,
    )


def _levels(levels: Sequence[Level]) -> tuple[int, tuple]:
    """How many unknowns, and the levels as the extension takes them."""
    given: list[tuple] = []
    n = None
    for k, level in enumerate(levels):
        given.append(_level(level, k, n))
        n = given[-1][1].shape[1]
    if n is None:
        raise ValueError("levels is empty, there must be one")
    return n, tuple(given)


def _solve_hierarchy(
    hqp: Any, n: int, given: tuple, W: ArrayLike | None, options: tuple
) -> HqpResult:
    total = sum(level[0] for level in given)
    x, slack = np.zeros(n), np.zeros(total)
    state = np.zeros(total, np.int8)
    rank, violation = np.zeros(len(given), np.int32), np.zeros(len(given))
    weight = None if W is None else _matrix(W, "W", n, n)
    members = _core.solveHqp(hqp, n, given, weight, *options, x, state, slack, rank, violation)
    ends = np.cumsum([level[0] for level in given])[:-1]
    states, slacks = np.split(state, ends), np.split(slack, ends)
    return HqpResult(x, states, slacks, rank, violation, QpStatus(members[0]), *members[1:])


class Hqp:
    """Memory for hierarchies up to a size, and the active sets of the last one.

    Parameters
    ----------
    n : int
        Unknowns, at most.
    levels : int
        At most.
    rows : int
        Of all levels together, at most.

    Notes
    -----
    One thread at a time; a second one gets RuntimeError.
    """

    __slots__ = ("_hqp",)

    def __init__(self, n: int, levels: int, rows: int) -> None:
        self._hqp = _core.makeHqp(n, levels, rows)

    def solve(
        self,
        levels: Sequence[Level],
        W: ArrayLike | None = None,
        *,
        warmstart: bool = True,
        iterations: int = 0,
        tolerance: float = 1e-10,
        rank_tolerance: float = -1.0,
        weighted: bool = False,
        level_weight: float = 1e3,
    ) -> HqpResult:
        """Solve a hierarchy.

        As `solve_hqp`; with `warmstart` it begins with the active sets of the last hierarchy, if that had
        the same sizes.
        """
        n, given = _levels(levels)
        options = (iterations, tolerance, rank_tolerance, warmstart, weighted, level_weight)
        return _solve_hierarchy(self._hqp, n, given, W, options)


def solve_hqp(
    levels: Sequence[Level],
    W: ArrayLike | None = None,
    *,
    iterations: int = 0,
    tolerance: float = 1e-10,
    rank_tolerance: float = -1.0,
    weighted: bool = False,
    level_weight: float = 1e3,
) -> HqpResult:
    """Minimise the violation of levels of equalities and inequalities in strict order.

    The violation of a level is 1/2 sum w v^2 of the distances v of its rows from their bounds. Among all x
    that minimise that of the first level the second one's is minimised, and so on; what freedom is left gets
    the least x'Wx.

    Parameters
    ----------
    levels : sequence of tuple
        The first has priority. Each is (A, b), equalities A x = b; (A, lower, upper), bounds on A x, of which
        None and infinite numbers are none and equal ones make an equality; or (A, lower, upper, weight). A is
        (rows, n); the others are (rows,) or a number for all. A weight of 0 leaves a row out.
    W : array_like, optional
        (n, n) symmetric positive definite, of which the lower triangle is read; the identity without it.
    iterations : int
        Changes of active sets, all levels together, at most; 0: 10 (n + rows) + 100.
    tolerance : float
        Of a row's violation and of the signs of multipliers, relative to 1 + |bound| and the row's norm.
    rank_tolerance : float
        Singular values below it, relative to the level's largest row norm, are 0; negative: max(rows, n) eps.
    weighted : bool
        Not a hierarchy: the first level as it is, all others together as one level below it.
    level_weight : float
        Of it the weights are then those of the rows times level_weight^-k, k = 0 the second level.

    Returns
    -------
    HqpResult

    Raises
    ------
    ValueError, TypeError
        Shapes, a NaN, an infinite number in A, a lower bound above its upper one, a negative weight, W not
        positive definite: with the level and the row.
    """
    n, given = _levels(levels)
    hqp = _core.makeHqp(n, len(given), sum(level[0] for level in given))
    options = (iterations, tolerance, rank_tolerance, False, weighted, level_weight)
    return _solve_hierarchy(hqp, n, given, W, options)
