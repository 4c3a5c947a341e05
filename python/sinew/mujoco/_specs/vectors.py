"""Lists of any length as members of structs: MjDoubleVec and its kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .._release import IS_LATER


class MemberError(TypeError, ValueError):
    """A value that a member of a struct cannot have."""


class Listed(type):
    """The class of classes whose `dir` leaves out `_unlisted`, which the peer's do not have."""

    _unlisted: str

    def __dir__(cls) -> list[str]:
        return listed(cls, super().__dir__())


def listed(cls: Any, names: Iterable[str]) -> list[str]:
    """The names but those that a class does not list."""
    hidden = cls._unlisted.split()
    return [name for name in names if name not in hidden]


class Vector(metaclass=Listed):
    """Values of one type. Indices count from 0; a new list for the member changes this one."""

    __slots__ = ("_items",)
    _unlisted = "assign check copy of same"
    _items: Any

    def __init__(self, *_: Any) -> None:
        raise TypeError(f"{type(self).__name__}: No constructor defined!")

    @classmethod
    def of(cls, values: Any, name: str = "") -> Any:
        """One with these values, the member `name`."""
        result = object.__new__(cls)
        result._items = cls._convert(values, name)
        return result

    @classmethod
    def _convert(cls, values: Any, name: str) -> Any:
        raise NotImplementedError

    def _place(self, index: Any) -> int:
        place = index.__index__()
        if not 0 <= place < len(self._items):
            raise IndexError("Index out of range.")
        return place

    def __dir__(self) -> list[str]:
        return listed(type(self), super().__dir__())

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items.tolist() if isinstance(self._items, np.ndarray) else self._items)

    def __getitem__(self, index: Any) -> Any:
        value = self._items[self._place(index)]
        return value.item() if isinstance(value, np.generic) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[self._place(index)] = self._convert([value], "an item")[0]

    def assign(self, other: Vector) -> None:
        """Take the values of another one."""
        self._items = other.copy()._items

    def check(self, name: str, other: Vector) -> None:
        """Refuse values that cannot be those of this one, the member `name`."""

    def copy(self) -> Any:
        """A copy."""
        result = object.__new__(type(self))
        result._items = self._items.copy()
        return result

    def same(self, other: Any) -> bool:
        """Whether the values are the same."""
        if not isinstance(other, Vector) or len(self) != len(other):
            return False
        if isinstance(self._items, np.ndarray):
            return np.array_equal(
                self._items, other._items, equal_nan=self._items.dtype.kind == "f"
            )
        return self._items == other._items


class Numbers(Vector):
    __slots__ = ()
    _type: Any

    @classmethod
    def _convert(cls, values: Any, name: str) -> np.ndarray:
        items = values if isinstance(values, Vector | np.ndarray) else _listed(values)
        try:
            array = np.asarray(items)
            fits = array.ndim == 1 and (array.size == 0 or array.dtype.kind in cls._kinds())
            if not fits:
                raise ValueError
            return array.astype(cls._type)
        except (TypeError, ValueError):
            raise MemberError(f"{name} has the wrong type.") from None

    @classmethod
    def _kinds(cls) -> str:
        return "biuf" if np.dtype(cls._type).kind == "f" else "biu"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._items.astype(dtype or self._type)


def _listed(values: Any) -> Any:
    """A list of the values, None where there is none."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else None


class MjDoubleVec(Numbers):
    """Double precision numbers."""

    __slots__ = ()
    _type = np.float64


class MjFloatVec(Numbers):
    """Single precision numbers."""

    __slots__ = ()
    _type = np.float32


class MjIntVec(Numbers):
    """Whole numbers."""

    __slots__ = ()
    _type = np.int32


class MjByteVec(Vector):
    """Bytes."""

    __slots__ = ()

    @classmethod
    def _convert(cls, values: Any, name: str) -> bytearray:
        try:
            if isinstance(values, str):
                raise TypeError
            return bytearray(values)
        except (TypeError, ValueError):
            raise MemberError(f"{name} has the wrong type.") from None

    def __bytes__(self) -> bytes:
        return bytes(self._items)


class MjStringVec(Vector):
    """Texts."""

    __slots__ = ()

    @classmethod
    def _convert(cls, values: Any, name: str) -> list[str]:
        items = list(values) if isinstance(values, Iterable) else [None]
        if not all(isinstance(item, str) for item in items):
            raise MemberError(f"{name} has the wrong type.")
        return items


class MjCharVec(MjStringVec):
    """Characters; how many there are stays."""

    __slots__ = ()

    @classmethod
    def _convert(cls, values: Any, name: str) -> list[str]:
        items = super()._convert(values, name)
        if not all(len(item) == 1 for item in items):
            raise MemberError(f"{name} has the wrong type.")
        return items

    def assign(self, other: Vector) -> None:
        """Take the values of another one, as many as there is room for."""
        items = list(other)[: len(self)]
        self._items[: len(items)] = items
        if IS_LATER:
            self._items[len(items) :] = ["\0"] * (len(self) - len(items))

    def check(self, name: str, other: Vector) -> None:
        """Refuse more characters than there is room for, which 3.3.7 passes over."""
        if IS_LATER and len(other) > len(self):
            raise MemberError(f"{name} may have at most {len(self)} characters")
