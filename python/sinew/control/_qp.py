"""Quadratic programs and hierarchies of them on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._arrays import Array, floats, matrix, vector
from .._enums import QpStatus

Level: TypeAlias = Sequence[Any]


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

    x: Array
    y: Array
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
        shape = () if value is None else floats(value, name).shape
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
        same sizes. RuntimeError while another thread uses it.
        """
        n = _qp_size(H, g, A, xlower, xupper)
        rows_of_A = None if A is None else matrix(A, "A", None, n)
        rows = 0 if rows_of_A is None else len(rows_of_A)
        if rows_of_A is None and (lower is not None or upper is not None):
            raise ValueError("lower and upper are bounds of the rows of A, which is not given")
        x, y = np.zeros(n), np.zeros(rows + n)
        members = _core.solveQp(
            self._qp,
            n,
            rows,
            None if H is None else matrix(H, "H", n, n),
            vector(g, "g", n),
            rows_of_A,
            vector(lower, "lower", rows),
            vector(upper, "upper", rows),
            vector(xlower, "xlower", n),
            vector(xupper, "xupper", n),
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
    qp = Qp(n, 0 if A is None else len(matrix(A, "A", None, n)))
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

    x: Array
    states: list[NDArray[np.int8]]
    slacks: list[Array]
    ranks: NDArray[np.int32]
    violations: Array
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
    A = matrix(level[0], f"{name}: A", None, n)
    rows = len(A)
    if len(level) == 2:
        b = vector(level[1], f"{name}: b", rows)
        if b is None:
            raise TypeError(f"{name}: b is None, must be ({rows},) or a number")
        return rows, A, b, b, None
    lower, upper = level[1:3]
    return (
        rows,
        A,
        vector(-np.inf if lower is None else lower, f"{name}: lower", rows),
        vector(np.inf if upper is None else upper, f"{name}: upper", rows),
        vector(level[3], f"{name}: weight", rows) if len(level) == 4 else None,
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
    weight = None if W is None else matrix(W, "W", n, n)
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
        the same sizes, level by level. RuntimeError while another thread uses it.
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

    Scale rows of one level alike: norms more than six decades apart lose what the small rows ask.

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
        A row of which no more than this, relative to its norm, is left outside the levels above and the rows
        before it, takes no direction; negative: 1e-10.
    weighted : bool
        Not a hierarchy: the first level as it is, all others together as one level below it.
    level_weight : float
        With `weighted`: the weights of the levels from the second on, levels[k + 1], are times
        level_weight^-k; 1 or more.

    Returns
    -------
    HqpResult

    Raises
    ------
    ValueError, TypeError
        Shapes, a NaN, an infinite number in A, a lower bound above its upper one, a negative weight, W not
        positive definite: with the level, counted from 1, and its row, from 0.
    MemoryError
        The problem is too large.
    """
    n, given = _levels(levels)
    hqp = _core.makeHqp(n, len(given), sum(level[0] for level in given))
    options = (iterations, tolerance, rank_tolerance, False, weighted, level_weight)
    return _solve_hierarchy(hqp, n, given, W, options)
