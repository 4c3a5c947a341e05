"""The options of a model as one row of numbers, in the order of the library's table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core

_TABLE = [(name, type_, count) for name, type_, count, _ in _core.tables()["option"]]


def numbers_of(opt: Any) -> NDArray[np.float64]:
    """Return all options."""
    return np.hstack([getattr(opt, name) for name, _, _ in _TABLE]).astype(float)


def take_numbers(opt: Any, numbers: NDArray[np.float64]) -> None:
    """Set options to numbers of others; what this one refuses stays."""
    words = words_of_numbers(numbers)
    for _ in range(2):  # one may not go with another that comes later
        for name, value in words.items():
            try:
                setattr(opt, name, value)
            except (ValueError, OverflowError):
                pass


def words_of_numbers(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """Return options by their names."""
    out: dict[str, Any] = {}
    at = 0
    for name, type_, count in _TABLE:
        row = numbers[at : at + count].tolist()
        at += count
        out[name] = row if count > 1 else int(row[0]) if type_ == "int" else row[0]
    return out
