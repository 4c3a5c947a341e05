"""Members of structs: what values they take and how they are kept."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .._release import IS_LATER
from . import later
from .vectors import Listed, MemberError, Vector, listed


def vector(n: int, first: float = 0.0) -> np.ndarray:
    """Zeros but for the first number."""
    result = np.zeros(n)
    result[0] = first
    return result


def _array(name: str, value: Any, like: np.ndarray) -> np.ndarray:
    try:
        array = None if isinstance(value, str | bytes) else np.array(value, np.float64)
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim not in (1, 2) or (array.ndim == 2 and array.shape[1] != 1):
        raise MemberError(f"{name} should be a list/array.")
    if array.size != like.size:
        raise MemberError(f"{name} should be a list/array of size {like.size}.")
    return array.ravel().astype(like.dtype)


def _integer(value: Any) -> int:
    number = int(value) if isinstance(value, bool | np.bool_) else operator.index(value)
    if not -(2**31) <= number < 2**64:
        raise OverflowError
    return number


def _number(value: Any) -> float:
    if isinstance(value, str | bytes | bytearray) or np.ndim(value):
        raise TypeError
    return float(value)


def _rows(value: Any) -> list[list[Any]]:
    return [np.asarray(row).tolist() if np.ndim(row) else _refuse() for row in value]


def _texts(value: Any) -> dict[str, str]:
    return {k: v if isinstance(v, str) else _refuse() for k, v in dict(value).items()}


def _refuse() -> Any:
    raise TypeError


def cast(name: str, value: Any, like: Any) -> Any:
    """A value that a program gives to a member, in the form that it has by default."""
    if isinstance(like, np.ndarray):
        return _array(name, value, like)
    if isinstance(like, Vector):
        return type(like).of(value, name)
    if isinstance(like, str):
        if isinstance(value, bytes):
            value = value.decode()
        if not isinstance(value, str):
            raise MemberError(f"{name} should be a string.")
        return value
    try:
        if hasattr(type(like), "__members__") and IS_LATER:
            return type(like)(_integer(value))
        if hasattr(type(like), "__members__") or isinstance(like, Members):
            if not isinstance(value, type(like)):
                raise TypeError
            return keep(value)
        if isinstance(like, int):
            return _integer(value)
        if isinstance(like, float):
            return _number(value)
        return _texts(value) if isinstance(like, dict) else _rows(value)
    except (TypeError, ValueError, OverflowError):
        raise MemberError(f"{name} is the wrong type.") from None


def same(a: Any, b: Any) -> bool:
    """Whether two values of a member are the same, NaN equal to NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if type(a) is type(b) and a.shape == b.shape and a.tobytes() == b.tobytes():
            return True  # at once, since all that programs hold is compared
        return np.array_equal(a, b, equal_nan=True)
    if isinstance(a, Vector):
        return a.same(b)
    return a == b or (a != a and b != b)


def keep(value: Any) -> Any:
    """A copy that later changes of the value do not reach."""
    return value.copy() if hasattr(value, "copy") else value


class Member:
    """A member in the class of its struct."""

    __slots__ = ("form", "name")

    def __init__(self, name: str, form: Callable[[Any], Any] | None) -> None:
        self.name, self.form = name, form

    def __get__(self, struct: Any, owner: Any = None) -> Any:
        if struct is None:
            return self
        value = struct._get(self.name)
        if self.form is not None:
            return self.form(value)
        # a view: its shape and its flags are the caller's, the numbers are ours
        return value[...] if isinstance(value, np.ndarray) else value

    def __set__(self, struct: Any, value: Any) -> None:
        if hasattr(self.form, "__members__"):
            value = self._number(value)
        struct._put(self.name, value)

    def _number(self, value: Any) -> int:
        """That of a member of an enumeration."""
        try:
            return int(self.form(_integer(value)))  # type: ignore[misc]
        except (TypeError, ValueError, OverflowError):
            raise MemberError(f"{self.name} is the wrong type: {value!r}") from None


class Members(metaclass=Listed):
    """A struct. Subclasses say in `_own` what their members are, with default values."""

    __slots__ = ("_values",)
    _unlisted = "copy"
    _own: dict[str, Any] = {}
    _options = ""  # members in the order in which errors name them, where not all are own ones
    _values: dict[str, Any]

    def __init_subclass__(cls) -> None:
        cls._options = later.options(cls.__name__, cls._options)
        for name in (*cls._own, *cls._options.split()):
            if not hasattr(cls, name):
                setattr(cls, name, Member(name, later.form(cls.__name__, name)))

    def __init__(self) -> None:
        self._values = {}

    def __dir__(self) -> list[str]:
        return listed(type(self), super().__dir__())

    def _like(self, name: str) -> Any:
        """A value of the form that a member takes."""
        return self._own[name]

    def _read(self, name: str) -> None:
        """Bring the value of a member into `_values`."""
        self._values[name] = keep(self._own[name])

    def _get(self, name: str) -> Any:
        if name not in self._values:
            self._read(name)
        return self._values[name]

    def _put(self, name: str, value: Any) -> None:
        new, old = cast(name, value, self._like(name)), self._get(name)
        if isinstance(old, np.ndarray):
            old[...] = new
        elif isinstance(old, Vector):
            old.check(name, new)
            old.assign(new)
        else:
            self._values[name] = new

    def copy(self) -> Any:
        """A copy."""
        result = type(self)()
        for name, value in self._values.items():
            result._values[name] = keep(value)
        return result

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            same(self._get(name), other._get(name)) for name in self._own
        )

    __hash__ = None  # type: ignore[assignment]
