"""Arguments that are arrays: their shapes and types are checked here, in words that name them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def floats(value: ArrayLike, name: str) -> Array:
    """An array of float64; what is none is an error that names it."""
    try:
        return np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def vector(value: ArrayLike | None, name: str, n: int) -> Array | None:
    """An array (n,), from one, or from a number for all; None stays."""
    if value is None:
        return None
    array = floats(value, name)
    if array.shape == (n,):
        return np.ascontiguousarray(array)
    if array.shape != ():
        raise ValueError(f"{name} has shape {array.shape}, must be ({n},) or a number")
    return np.full(n, array)


def matrix(value: ArrayLike, name: str, rows: int | None, columns: int | None) -> Array:
    """An array (rows, columns); None: any number of them."""
    array = floats(value, name)
    want = rows, columns
    if array.ndim != 2 or any(w not in (None, s) for s, w in zip(array.shape, want, strict=True)):
        words = ["rows" if rows is None else str(rows), "n" if columns is None else str(columns)]
        raise ValueError(f"{name} has shape {array.shape}, must be ({', '.join(words)})")
    return np.ascontiguousarray(array)
