"""What all structs of the peer share: values that are kept here until they reach their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .fields import Field, fields_of, keep, same
from .orientation import FORMS, ORIENTATION


class Struct:
    """Members over an element. Subclasses say which of them are `_own`: kept here under a default value, read
    all at once by `_load` and set all at once by `_store`."""

    __slots__ = ("_element", "_saved", "_spec", "_values")
    _own: dict[str, Any] = {}
    _element: Any
    _saved: dict[str, Any]
    _spec: Any
    _values: dict[str, Any]

    def __init__(self, spec: Any, element: Any) -> None:
        put = object.__setattr__
        put(self, "_spec", spec)
        put(self, "_element", element)
        put(self, "_values", {})
        put(self, "_saved", {})

    def _fields(self) -> dict[str, Field]:
        return fields_of(self._element)

    def _load(self) -> dict[str, Any]:
        """The own members as the element has them."""
        return {}

    def _store(self, values: dict[str, Any]) -> None:
        """Set the element's attributes from the own members."""

    def _get(self, name: str) -> Any:
        if name not in self._values:
            if name in self._own:
                loaded = {**{k: keep(v) for k, v in self._own.items()}, **self._load()}
                for key, value in loaded.items():
                    self._values.setdefault(key, value)
                    self._saved.setdefault(key, keep(value))
            else:
                value = self._fields()[name].read(self._element)
                self._values[name], self._saved[name] = value, keep(value)
        return self._values[name]

    def _has(self, name: str) -> bool:
        return name in self._own or name in self._fields()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not self._has(name):
            raise AttributeError(f"{type(self).__name__}.{name} is not in Sinew yet")
        value = self._get(name)
        # a view: its shape and its flags are the caller's, the numbers are ours
        return value[...] if isinstance(value, np.ndarray) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)  # a property, or a slot
            return
        if not self._has(name):
            raise AttributeError(f"{type(self).__name__}.{name} is not in Sinew yet")
        old = self._get(name)
        self._values[name] = (
            self._cast(name, value, old) if name in self._own else self._fields()[name].cast(value)
        )

    def _cast(self, name: str, value: Any, old: Any) -> Any:
        if isinstance(self._own[name], np.ndarray):
            array = np.array(value, self._own[name].dtype).ravel()
            if array.size > old.size or (array.size < old.size and name != "data"):
                raise ValueError(f"{name} should be a list/array of size {old.size}.")
            result = np.zeros_like(self._own[name])
            result[: array.size] = array
            return result
        if isinstance(self._own[name], list):
            return list(value)
        return type(self._own[name])(value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._own, *self._fields()})

    def _flush(self) -> None:
        """Set what has changed at the element."""
        own = {k: v for k, v in self._values.items() if k in self._own}
        if any(not same(v, self._saved[k]) for k, v in own.items()):
            self._store(own)
        for name, value in self._values.items():
            if name not in self._own and not same(value, self._saved[name]):
                field = self._fields().get(name)
                if field is not None:
                    field.write(self._element, value)
        for name, value in self._values.items():
            self._saved[name] = keep(value)

    def _refresh(self, name: str, old: Any) -> None:
        """After a change of a default class: hold the value that this had before."""
        value = self._values.setdefault(name, old)
        if not same(self._fields()[name].read(self._element), value):
            self._fields()[name].write(self._element, value)
        self._saved[name] = keep(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self._element == other._element

    def __hash__(self) -> int:
        return hash(self._element)


class Named(Struct):
    """A struct with a name."""

    __slots__ = ()
    _infos: dict[Any, str] = {}

    @property
    def name(self) -> str:
        """Its name, "" when it has none."""
        return _core.elementGetText(self._element, "name") or ""

    @name.setter
    def name(self, value: str) -> None:
        _core.elementSetText(self._element, "name", value or None)

    @property
    def info(self) -> str:
        """A note of the program; it has no effect."""
        return self._spec._infos.get(self._element, "")

    @info.setter
    def info(self, value: str) -> None:
        self._spec._infos[self._element] = str(value)

    @property
    def id(self) -> int:
        """Its id in the model of the last compilation, -1 before."""
        return _core.elementInfo(self._element)[2]

    def _apply(self, given: dict[str, Any]) -> None:
        """Set members from the keywords of an add function."""
        for prefix, alt in (("", "alt"), ("i", "ialt")):
            forms = [f for f in FORMS if prefix + f in given]
            if not forms or alt not in self._own:
                continue
            if len(forms) > 1:
                names = ", ".join(prefix + f for f in FORMS)
                raise ValueError(f"Only one of: {names} can be set.")
            orientation = getattr(self, alt)
            setattr(orientation, forms[0], given.pop(prefix + forms[0]))
            orientation.type = ORIENTATION["mjORIENTATION_" + forms[0].upper()]
        for name, value in given.items():
            known = name in ("name", "info", "childclass") or self._has(name)
            if not known:
                options = ", ".join(["name", *self._own, *self._fields(), "info"])
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {options}.")
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<sinew.mujoco.{type(self).__name__} '{self.name}'>"


class Classed(Named):
    """A struct that takes its first values from a default class."""

    __slots__ = ()
    _class_attribute = "class"

    @property
    def classname(self) -> Any:
        """Its default class."""
        name = _core.elementGetText(self._element, self._class_attribute)
        body = self._element
        while not name and body is not None:
            if _core.elementInfo(body)[0] in ("body", "frame"):
                name = _core.elementGetText(body, "childclass")
            body = _core.elementInfo(body)[3]
        return self._spec.find_default(name or "main") or self._spec.default

    @classname.setter
    def classname(self, value: Any) -> None:
        if _core.elementInfo(self._element)[0] == "freejoint":
            return  # nothing of it comes from a class
        self._hold_all()
        _core.elementSetText(self._element, self._class_attribute, value.name)
        self._release_all()

    def _hold_all(self) -> None:
        """Keep all values of now, before a change of classes."""
        for name in (*self._fields(), *self._own):
            self._get(name)

    def _release_all(self) -> None:
        for name in self._fields():
            self._refresh(name, self._values[name])
        if self._own:
            self._store({k: self._values[k] for k in self._own})
            for name in self._own:
                self._saved[name] = keep(self._values[name])
