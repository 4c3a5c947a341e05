"""The peer's functions of plain vectors and matrices (mju_add3 ...), by NumPy.

Results go into the first argument, an array of the caller, as at the peer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array = NDArray[np.float64]


def mju_zero(res: _Array) -> None:
    """res = 0."""
    res[...] = 0


def mju_fill(res: _Array, val: float) -> None:
    """res = val."""
    res[...] = val


def mju_copy(res: _Array, vec: ArrayLike) -> None:
    """res = vec."""
    res[...] = vec


def mju_scl(res: _Array, vec: ArrayLike, scl: float) -> None:
    """res = vec * scl."""
    res[...] = np.asarray(vec) * scl


def mju_add(res: _Array, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """res = vec1 + vec2."""
    res[...] = np.add(vec1, vec2)


def mju_sub(res: _Array, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """res = vec1 - vec2."""
    res[...] = np.subtract(vec1, vec2)


def mju_addTo(res: _Array, vec: ArrayLike) -> None:
    """res += vec."""
    res += np.asarray(vec)


def mju_subFrom(res: _Array, vec: ArrayLike) -> None:
    """res -= vec."""
    res -= np.asarray(vec)


def mju_addToScl(res: _Array, vec: ArrayLike, scl: float) -> None:
    """res += vec * scl."""
    res += np.asarray(vec) * scl


def mju_addScl(res: _Array, vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """res = vec1 + vec2 * scl."""
    res[...] = np.asarray(vec1) + np.asarray(vec2) * scl


def mju_norm(res: ArrayLike) -> float:
    """Length of a vector."""
    return float(np.linalg.norm(res))


def mju_normalize(res: _Array) -> float:
    """Make a vector unit; one that is too short becomes the first axis. Returns its length."""
    length = mju_norm(res)
    if length < 1e-15:
        res[...] = 0
        res[0] = 1
    else:
        res /= length
    return length


def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Scalar product."""
    return float(np.dot(vec1, vec2))


def mju_sum(vec: ArrayLike) -> float:
    """Sum of the numbers."""
    return float(np.sum(vec))


def mju_L1(vec: ArrayLike) -> float:
    """Sum of the absolute values."""
    return float(np.sum(np.abs(vec)))


def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float:
    """Distance of two points."""
    return mju_norm(np.subtract(pos1, pos2))


def mju_cross(res: _Array, a: ArrayLike, b: ArrayLike) -> None:
    """res = a x b."""
    res[...] = np.cross(a, b)


def mju_unit4(res: _Array) -> None:
    """res = (1, 0, 0, 0)."""
    res[...] = 1, 0, 0, 0


def mju_mulMatVec3(res: _Array, mat: ArrayLike, vec: ArrayLike) -> None:
    """res = mat vec, with a matrix (9)."""
    res[...] = np.reshape(mat, (3, 3)) @ np.asarray(vec)


def mju_mulMatTVec3(res: _Array, mat: ArrayLike, vec: ArrayLike) -> None:
    """res = mat' vec, with a matrix (9)."""
    res[...] = np.reshape(mat, (3, 3)).T @ np.asarray(vec)


def mju_mulMatVec(res: _Array, mat: ArrayLike, vec: ArrayLike) -> None:
    """res = mat vec."""
    res[...] = np.asarray(mat) @ np.asarray(vec)


def mju_mulMatTVec(res: _Array, mat: ArrayLike, vec: ArrayLike) -> None:
    """res = mat' vec."""
    res[...] = np.asarray(mat).T @ np.asarray(vec)


def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """vec1' mat vec2."""
    return float(np.asarray(vec1) @ np.asarray(mat) @ np.asarray(vec2))


def mju_transpose(res: _Array, mat: ArrayLike) -> None:
    """res = mat'."""
    res[...] = np.array(mat).T


def mju_symmetrize(res: _Array, mat: ArrayLike) -> None:
    """res = (mat + mat')/2."""
    mat = np.asarray(mat)
    res[...] = 0.5 * (mat + mat.T)


def mju_eye(mat: _Array) -> None:
    """mat = identity."""
    mat[...] = np.eye(len(mat))


def mju_mulMatMat(res: _Array, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """res = mat1 mat2."""
    res[...] = np.asarray(mat1) @ np.asarray(mat2)


def mju_mulMatMatT(res: _Array, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """res = mat1 mat2'."""
    res[...] = np.asarray(mat1) @ np.asarray(mat2).T


def mju_mulMatTMat(res: _Array, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """res = mat1' mat2."""
    res[...] = np.asarray(mat1).T @ np.asarray(mat2)


def mju_sqrMatTD(res: _Array, mat: ArrayLike, diag: ArrayLike | None) -> None:
    """res = mat' diag mat; no diag: the identity."""
    mat = np.asarray(mat)
    res[...] = mat.T @ (mat if diag is None else np.reshape(diag, (-1, 1)) * mat)


def mju_min(a: float, b: float) -> float:
    """The lesser."""
    return min(a, b)


def mju_max(a: float, b: float) -> float:
    """The greater."""
    return max(a, b)


def mju_clip(x: float, min: float, max: float) -> float:
    """x within min and max."""
    return min if x < min else max if x > max else x


def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
    return float(np.sign(x))


def mju_round(x: float) -> int:
    """The nearest integer, halves up."""
    return int(np.floor(x + 0.5))


def mju_isBad(x: float) -> int:
    """1: NaN, or above 1e10."""
    return int(not abs(x) <= 1e10)


def mju_isZero(vec: ArrayLike) -> int:
    """1: all numbers are 0."""
    return int(not np.any(vec))


def mju_copy3(res: _Array, data: ArrayLike) -> None:
    """res = data."""
    res[...] = data


def mju_normalize3(vec: _Array) -> float:
    """Make a vector unit; one that is too short becomes the x axis. Returns its length."""
    return mju_normalize(vec)


def mju_norm3(vec: ArrayLike) -> float:
    """Length of a vector."""
    return mju_norm(vec)


def mju_zero3(res: _Array) -> None:
    """res = 0."""
    mju_zero(res)


def mju_zero4(res: _Array) -> None:
    """res = 0."""
    mju_zero(res)


def mju_copy4(res: _Array, data: ArrayLike) -> None:
    """res = data."""
    mju_copy3(res, data)


def mju_scl3(res: _Array, vec: ArrayLike, scl: float) -> None:
    """res = vec * scl."""
    mju_scl(res, vec, scl)


def mju_add3(res: _Array, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """res = vec1 + vec2."""
    mju_add(res, vec1, vec2)


def mju_sub3(res: _Array, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """res = vec1 - vec2."""
    mju_sub(res, vec1, vec2)


def mju_addTo3(res: _Array, vec: ArrayLike) -> None:
    """res += vec."""
    mju_addTo(res, vec)


def mju_subFrom3(res: _Array, vec: ArrayLike) -> None:
    """res -= vec."""
    mju_subFrom(res, vec)


def mju_addToScl3(res: _Array, vec: ArrayLike, scl: float) -> None:
    """res += vec * scl."""
    mju_addToScl(res, vec, scl)


def mju_addScl3(res: _Array, vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """res = vec1 + vec2 * scl."""
    mju_addScl(res, vec1, vec2, scl)


def mju_normalize4(vec: _Array) -> float:
    """Make a vector unit; one that is too short becomes the first axis. Returns its length."""
    return mju_normalize3(vec)


def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Scalar product."""
    return mju_dot(vec1, vec2)


__all__ = [name for name in dir() if name.startswith("mju_")]
