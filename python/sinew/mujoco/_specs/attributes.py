"""Attributes and parts of an element, read and set."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core


def numbers(element: Any, name: str, default: Any) -> Any:
    found = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
    if np.ndim(default) == 0:
        return float(found[0]) if found.size else default
    result = default.copy()
    result[: found.size] = found
    return result


def set_numbers(element: Any, name: str, value: Any) -> None:
    numbers = np.atleast_1d(np.asarray(value, np.float64))
    has = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
    if np.array_equal(has, numbers) or (has.size == 0 and not numbers.any()):
        return
    _core.elementSetNumbers(element, name, numbers.tobytes())


def set_text(element: Any, name: str, value: str | None) -> None:
    if (_core.elementGetText(element, name) or None) == (value or None):
        return
    _core.elementSetText(element, name, value or None)


def attribute_names(element: Any) -> set[str]:
    return {row[0] for row in _core.elementAttributes(element)}


def parts(element: Any) -> list[Any]:
    """The core elements that one holds."""
    parts, part = [], _core.elementInfo(element)[4]
    while part is not None:
        parts.append(part)
        part = _core.elementInfo(part)[5]
    return parts
