"""MjByteVec and its like: lists of one type whose length stays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any


class _Vector:
    """A list of values of one type; its items can be set, its length stays."""

    __slots__ = ("_items",)
    _convert: Callable[[Any], Any] = staticmethod(lambda value: value)

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._items = [self._convert(item) for item in items]

    def __getitem__(self, index: int) -> Any:
        return self._items[operator.index(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self._items[operator.index(index)] = self._convert(value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, _Vector) else other)

    __hash__ = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._items!r})"


def _byte(value: Any) -> int:
    number = operator.index(value)
    if not 0 <= number <= 255:
        raise ValueError(f"{number} is no byte, 0 to 255")
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"must be str, not {type(value)}")
    return value


def _character(value: Any) -> str:
    if len(_text(value)) != 1:
        raise ValueError(f"must be one character, not {value!r}")
    return value


class MjByteVec(_Vector):
    """Bytes, as int from 0 to 255."""

    __slots__ = ()
    _convert = staticmethod(_byte)


class MjCharVec(_Vector):
    """Characters."""

    __slots__ = ()
    _convert = staticmethod(_character)


class MjDoubleVec(_Vector):
    """Numbers."""

    __slots__ = ()
    _convert = staticmethod(float)


class MjFloatVec(_Vector):
    """Numbers."""

    __slots__ = ()
    _convert = staticmethod(float)


class MjIntVec(_Vector):
    """Integers."""

    __slots__ = ()
    _convert = staticmethod(operator.index)


class MjStringVec(_Vector):
    """Texts."""

    __slots__ = ()
    _convert = staticmethod(_text)


__all__ = ["MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec"]
