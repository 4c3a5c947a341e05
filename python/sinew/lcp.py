"""Rigid contact as a boxed linear complementarity problem, on its own: seed letters A, b, lambda, w.

LCP(A, b, lo, hi): find x (lambda) and w = A x + b such that for every row

    x = lo  =>  w >= 0,    x = hi  =>  w <= 0,    lo < x < hi  =>  w = 0.

Rows of friction are bounded by mu times the x of their normal in the same solution: each for itself (box), or
the rows of one normal together, sum of (x / mu)^2 <= (x of the normal)^2 (cone, exact Coulomb friction).

>>> import numpy as np
>>> import sinew.lcp
>>> result = sinew.lcp.solve(np.eye(3), [-1, 0.3, 0.4], **sinew.lcp.contacts(0.1, 1))
>>> result.status, result.x.round(6).tolist()
(<LcpStatus.SOLVED: 0>, [1.0, -0.06, -0.08])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._enums import LcpMethod, LcpRow, LcpStatus

__all__ = ["Result", "contacts", "residual", "solve"]

_Array = NDArray[np.float64]
_Rows = tuple[NDArray[np.int32], NDArray[np.int32], _Array]  # addresses, columns, values
_NONE = (None, None, None)
_METHODS = {member.name.lower(): member for member in LcpMethod}


@dataclass(frozen=True)
class Result:
    """What came out of an LCP.

    The conditions `symmetric`, `definite` and `split` are None where they are not known. Where all hold and
    bounds are fixed the method converges; of bounds that move with a normal they say nothing.

    Attributes
    ----------
    x : ndarray
        lambda (n,): the solution, or the best iterate that was found; finite in any case.
    w : ndarray
        A x + b (n,).
    status : LcpStatus
        SOLVED, or how it failed.
    residual : float
        Natural residual of x in the unit of w.
    sweeps : int
        All that were made, with the pivots of the direct method.
    omega : float
        Relaxation that was used.
    method : LcpMethod
        That found x: another than was asked for after a fallback.
    radius : float
        Where Jacobi's method was asked for an estimate of the spectral radius of D^-1 A, else 0.
    symmetric : bool or None
        A is symmetric.
    definite : bool or None
        A is positive definite; not known of more than 500 rows.
    split : bool or None
        B - C of the splitting A = B + C that `method` is, is positive definite.
    """

    x: _Array
    w: _Array
    status: LcpStatus
    residual: float
    sweeps: int
    omega: float
    method: LcpMethod
    radius: float
    symmetric: bool | None
    definite: bool | None
    split: bool | None

    @property
    def solved(self) -> bool:
        """Whether the residual is within the tolerance."""
        return self.status == LcpStatus.SOLVED


# ---- arrays


def _doubles(value: ArrayLike, name: str, n: int) -> _Array:
    """An array (n,) of float64, from one, or from a number for all rows."""
    array = np.asarray(value, np.float64)
    if array.shape not in ((), (n,)):
        raise ValueError(f"{name} has shape {array.shape}, must be ({n},) or a number")
    return np.ascontiguousarray(np.broadcast_to(array, (n,)))


def _ints(value: ArrayLike, name: str) -> NDArray[np.int32]:
    """An array of int32, from integers that fit."""
    array = np.asarray(value)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} must be a list of integers")
    limit = np.iinfo(np.int32)
    if array.size and not (limit.min <= array.min() and array.max() <= limit.max):
        raise ValueError(f"{name} has numbers beyond 32 bits")
    return np.ascontiguousarray(array, np.int32)


def _rows_of_dense(matrix: _Array) -> _Rows:
    """Compressed rows of what is not zero."""
    rows, columns = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(matrix.shape[0] + 1))
    return _ints(starts, "rows"), _ints(columns, "columns"), matrix[rows, columns]


def _compressed(matrix: Any, name: str, n: int, by_columns: bool) -> tuple[_Rows, int | None]:
    """Compressed rows, or columns, n of them, and the other extent, None where the matrix has no shape."""
    convert = getattr(matrix, "tocsc" if by_columns else "tocsr", None)
    if convert is not None:
        matrix = convert()
    shape = getattr(matrix, "shape", None)
    if hasattr(matrix, "indptr"):
        parts = matrix.data, matrix.indices, matrix.indptr
    elif isinstance(matrix, tuple) and len(matrix) == 3:
        parts = matrix
    else:
        dense = np.asarray(matrix, np.float64)
        if dense.ndim != 2:
            raise ValueError(f"{name} has {dense.ndim} dimensions, must be a matrix")
        shape = dense.shape
        parts = _rows_of_dense(dense.T if by_columns else dense)[::-1]
    value, columns, starts = parts
    starts = _ints(starts, f"indptr of {name}")
    if starts.size != n + 1 or (shape is not None and shape[1 if by_columns else 0] != n):
        what = "columns" if by_columns else "rows"
        raise ValueError(f"{name} has {starts.size - 1} {what}, must have {n}, as b has rows")
    count = max(int(starts[-1]), 0)
    columns = _ints(columns, f"indices of {name}")
    value = np.ascontiguousarray(value, np.float64)
    if columns.size < count or value.shape != columns.shape:
        raise ValueError(
            f"{name} has {value.size} numbers and {columns.size} indices, indptr asks for {count}"
        )
    other = None if shape is None else int(shape[0 if by_columns else 1])
    return (starts, columns[:count], value[:count]), other


def _matrix(A: Any, n: int) -> tuple:
    """ncolumn, A, J and T as the extension takes them."""
    if isinstance(A, tuple) and len(A) == 2:
        J, J_extent = _compressed(A[0], "J", n, False)
        T, T_extent = _compressed(A[1], "T", n, True)
        if None not in (J_extent, T_extent) and J_extent != T_extent:
            raise ValueError(
                f"J has {J_extent} columns, T has {T_extent} rows: they must be as many"
            )
        most = max((int(part[1].max()) + 1 for part in (J, T) if part[1].size), default=0)
        extents = [extent for extent in (J_extent, T_extent) if extent is not None]
        return max(extents, default=most), None, *J, *T
    if isinstance(A, tuple) or hasattr(A, "indptr") or hasattr(A, "tocsr"):
        rows, extent = _compressed(A, "A", n, False)
        if extent not in (None, n):
            raise ValueError(f"A has shape ({n}, {extent}), must be ({n}, {n})")
        return n, None, *rows, *_NONE
    dense = np.ascontiguousarray(A, np.float64)
    if dense.shape != (n, n):
        raise ValueError(f"A has shape {dense.shape}, must be ({n}, {n}), as b has {n} rows")
    return n, dense, *_NONE, *_NONE


def _problem(
    A: Any,
    b: ArrayLike,
    lo: ArrayLike | None,
    hi: ArrayLike | None,
    kind: ArrayLike | None,
    normal: ArrayLike | None,
    mu: ArrayLike | None,
    block: ArrayLike | None,
) -> tuple:
    """The problem as the extension takes it."""
    right = np.ascontiguousarray(b, np.float64)
    if right.ndim != 1:
        raise ValueError(f"b has {right.ndim} dimensions, must have one")
    n = right.size
    bounds = (None if v is None else _doubles(v, k, n) for k, v in (("lo", lo), ("hi", hi)))
    lower, upper = bounds
    kinds, normals, blocks = (
        None if v is None else _ints(v, k)
        for k, v in (("kind", kind), ("normal", normal), ("block", block))
    )
    ncolumn, *matrix = _matrix(A, n)
    friction = None if mu is None else _doubles(mu, "mu", n)
    return n, ncolumn, *matrix, right, lower, upper, kinds, normals, friction, blocks


def _method(method: str | int) -> int:
    if not isinstance(method, str):
        return int(method)
    if method not in _METHODS:
        raise ValueError(f"method is {method!r}, must be one of {', '.join(_METHODS)}")
    return int(_METHODS[method])


# ---- functions


def solve(
    A: Any,
    b: ArrayLike,
    lo: ArrayLike | None = None,
    hi: ArrayLike | None = None,
    *,
    kind: ArrayLike | None = None,
    normal: ArrayLike | None = None,
    mu: ArrayLike | None = None,
    block: ArrayLike | None = None,
    method: str | int = "blockgs",
    omega: float = 1.0,
    sweeps: int = 1000,
    tolerance: float = 1e-10,
    symmetric: bool = False,
    accelerate: bool = False,
    fallback: bool = True,
    x0: ArrayLike | None = None,
) -> Result:
    """Solve LCP(A, b, lo, hi).

    Parameters
    ----------
    A : array_like, sparse matrix or tuple
        Dense (n, n); a sparse matrix, as of scipy.sparse, or its compressed rows (data, indices, indptr); or a
        pair (J, T) of J (n, m) and T = M^-1 J' (m, n), each dense, sparse, or compressed, J by rows, T by
        columns: A = J T is then never made.
    b : array_like
        (n,)
    lo, hi : array_like, optional
        Bounds (n,) or one for all; may be infinite. Without them 0 and infinity. Not read of rows of friction.
    kind : array_like of int, optional
        `sinew.LcpRow` of each row (n,); BOX without it.
    normal : array_like of int, optional
        (n,), of rows of friction: the row of their normal, which has bounds 0 and infinity.
    mu : array_like, optional
        (n,) or one for all, of rows of friction: coefficient, above 0.
    block : array_like of int, optional
        (n,): rows of one number are one block of block methods, a normal with its friction or at most 8 rows
        without. Without it each normal with its friction, else each row alone.
    method : str or LcpMethod
        "jacobi", "gs", "sor", "blockjacobi", "blockgs", "blocksor" or "direct".
    omega : float
        Relaxation, before projection, of SOR and Jacobi. Jacobi: 0 for one from the spectral radius.
    sweeps : int
        At most.
    tolerance : float
        Of the natural residual, in the unit of w.
    symmetric : bool
        Every second sweep goes from the last row to the first.
    accelerate : bool
        Anderson acceleration on top of the sweeps.
    fallback : bool
        Answer divergence and cycles by sweeps without acceleration, then a smaller omega, then block Gauss-Seidel, and what is not solved then, up
        to 300 rows, by pivoting.
    x0 : array_like, optional
        Where to start (n,); 0 without it.

    Raises
    ------
    ValueError
        Shapes, indices, a NaN, crossed bounds, a diagonal or a mu that is not positive, a normal that is none:
        with the row and the mend.
    """
    problem = _problem(A, b, lo, hi, kind, normal, mu, block)
    n = problem[0]
    x = np.zeros(n) if x0 is None else np.array(_doubles(x0, "x0", n))
    w = np.empty(n)
    status, found, used, count, size, radius, *conditions = _core.solveLcp(
        problem, _method(method), omega, sweeps, tolerance, symmetric, accelerate, fallback, x, w
    )
    known = (None if condition < 0 else bool(condition) for condition in conditions)
    return Result(x, w, LcpStatus(status), size, count, used, LcpMethod(found), radius, *known)


def residual(
    A: Any,
    b: ArrayLike,
    x: ArrayLike,
    lo: ArrayLike | None = None,
    hi: ArrayLike | None = None,
    *,
    kind: ArrayLike | None = None,
    normal: ArrayLike | None = None,
    mu: ArrayLike | None = None,
) -> float:
    """Natural residual of x, the largest |x - P(x - D^-1 (A x + b))| A_ii: 0 if and only if x solves the LCP.

    Parameters are those of `solve`; P projects on the bounds, those of friction by the normal of the same x.
    """
    problem = _problem(A, b, lo, hi, kind, normal, mu, None)
    start = np.array(_doubles(x, "x", problem[0]))
    size = _core.lcpResidual(problem, start)
    if np.isnan(size):  # says why
        _core.solveLcp(problem, 0, 1.0, 0, 0.0, False, False, False, start, np.empty(problem[0]))
    return size


def contacts(
    mu: ArrayLike, ncontact: int, condim: int = 3, cone: bool = True
) -> dict[str, NDArray]:
    """Rows of contacts, one after the other, each its normal and then its friction: `kind`, `normal`, `mu`.

    Parameters
    ----------
    mu : array_like
        Coefficients of friction, (ncontact, condim - 1) or what broadcasts to it.
    ncontact : int
        How many contacts.
    condim : int
        Rows of each: 1, 3, 4 or 6.
    cone : bool
        Friction of a contact is a cone; else a box.

    Returns
    -------
    dict of str to ndarray
        Arguments for `solve`, each (ncontact condim,).
    """
    if condim not in (1, 3, 4, 6):
        raise ValueError(f"condim is {condim}, must be 1, 3, 4 or 6")
    if ncontact < 0:
        raise ValueError(f"ncontact is {ncontact}, must be 0 or more")
    kind = np.full((ncontact, condim), LcpRow.CONE if cone else LcpRow.FRICTION, np.int32)
    kind[:, 0] = LcpRow.BOX
    first = np.arange(ncontact, dtype=np.int32)[:, None] * condim
    coefficient = np.zeros((ncontact, condim))
    coefficient[:, 1:] = mu if condim > 1 else 0
    normal = np.broadcast_to(first, kind.shape)
    return {"kind": kind.ravel(), "normal": normal.ravel(), "mu": coefficient.ravel()}
