"""What pages say, taken apart: each number in its bounds."""

from __future__ import annotations

import math
from typing import Any

Message = dict[str, Any]


class Wrong(ValueError):
    """A page said what none of ours says."""


def number(message: Message, name: str, low: float, high: float) -> float:
    """Return a number of a message, from low to high.

    Raises
    ------
    Wrong
        It has none there.
    """
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Wrong(f"{name} is {value!r}")
    if not low <= value <= high:
        raise Wrong(f"{name} is {value!r}, from {low} to {high}")
    return value


def index(message: Message, name: str, count: int) -> int:
    """Return a whole number of a message, from 0 and below count; errors as of `number`."""
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise Wrong(f"{name} is {value!r}, of {count}")
    return value
