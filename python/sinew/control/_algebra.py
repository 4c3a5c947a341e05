"""Pseudo-inverses, null spaces, tasks by priority on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._arrays import Array, matrix, vector


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

    s: Array
    rank: int
    U: Array
    V: Array


def _tolerance(value: float | None) -> float:
    """A tolerance as the library takes it."""
    if value is None:
        return -1.0
    if not value >= 0:
        raise ValueError(f"tolerance is {value}, must be 0 or more, or None")
    return float(value)


def _finite(value: ArrayLike, name: str) -> Array:
    """A matrix without NaN or infinite numbers."""
    given = matrix(value, name, None, None)
    wrong = np.argwhere(~np.isfinite(given))
    if len(wrong):
        raise ValueError(f"{name}[{wrong[0][0]}, {wrong[0][1]}] is {given[tuple(wrong[0])]}")
    return given


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
) -> Array:
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
    M = None if weight is None else matrix(weight, "weight", n, n)
    out = np.empty((n, m))
    if _core.pseudoInverse(m, n, A, _tolerance(tolerance), damping or 0.0, M, out) < 0:
        raise ValueError("weight is not positive definite")
    return out


def null_projector(A: ArrayLike, tolerance: float | None = None) -> Array:
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


def null_basis(A: ArrayLike, tolerance: float | None = None) -> Array:
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
) -> tuple[Array, NDArray[np.int32]]:
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
        J = matrix(task[0], f"{name}: J", None, n)
        rows, n = J.shape
        b = vector(task[1], f"{name}: b", rows)
        if b is None:
            raise TypeError(f"{name}: b is None, must be ({rows},) or a number")
        given.append((rows, J, b, float(task[2] if len(task) == 3 else damping)))
    if n is None:
        raise ValueError("tasks is empty")
    x, ranks = np.empty(n), np.empty(len(given), np.int32)
    _core.solvePriorities(n, tuple(given), forms.index(form), _tolerance(tolerance), x, ranks)
    return x, ranks
