"""What all structs over elements of a spec share: values that are kept until they reach their elements."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ... import _core
from .._release import IS_LATER, SILENT
from . import later
from .faults import explain
from .fields import Field, fields_of
from .members import Members, cast, keep, same
from .orientation import FORMS, ORIENTATION
from .plugin import MjsPlugin, children
from .vectors import MemberError

# Sections whose elements have an id from the first.
_LISTS = {
    "asset",
    "deformable",
    "contact",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "custom",
    "keyframe",
}
_NO_FIELDS: dict[str, Field] = {}


@functools.cache
def _plain(path: str, tag: str) -> Any:
    """An element of a tag without attributes."""
    return _core.elementAdd(_core.specSection(_core.specMake(SILENT), path), tag, None)


class MjsElement:
    """The peer's handle of an element; specs here give structs alone."""

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("MjsElement: No constructor defined!")


class Struct(Members):
    """Members over an element. Those that are `_own` are read all at once by `_load` and set all at once by
    `_store`; those in `_unused` are kept without any effect."""

    __slots__ = ("_element", "_saved", "_spec")
    _unused: dict[str, Any] = {}
    _home = ("", "")  # section and tag of an element that has all members
    _element: Any
    _saved: dict[str, Any]
    _spec: Any

    def __init__(self, spec: Any, element: Any) -> None:
        super().__init__()
        self._spec, self._element, self._saved = spec, element, {}

    def _fields(self) -> dict[str, Field]:
        return fields_of(self._element)

    def _plain_fields(self) -> dict[str, Field]:
        return fields_of(_plain(*self._home)) if self._home[0] else _NO_FIELDS

    def _load(self) -> dict[str, Any]:
        """The own members as the element has them."""
        return {}

    def _store(self, values: dict[str, Any]) -> None:
        """Set the element's attributes from the own members."""

    def _like(self, name: str) -> Any:
        if name in self._own:
            return self._own[name]
        if name in self._unused:
            return self._unused[name]
        field = self._fields().get(name) or self._plain_fields()[name]
        return field.like

    def _read(self, name: str) -> None:
        if name in self._own:
            loaded = {**{k: keep(v) for k, v in self._own.items()}, **self._load()}
            for key, value in loaded.items():
                self._values.setdefault(key, value)
                self._saved.setdefault(key, keep(value))
            return
        field = self._fields().get(name)
        if field is not None:
            value = field.read(self._element)
        elif name in self._unused:
            value = keep(self._unused[name])
        else:
            value = self._plain_fields()[name].read(_plain(*self._home))
        self._values[name], self._saved[name] = value, keep(value)

    def _changed(self) -> list[str]:
        return [n for n, v in self._values.items() if not same(v, self._saved[n])]

    def _flush(self) -> None:
        """Set what has changed at the element."""
        changed = self._changed()
        if any(name in self._own for name in changed):
            self._store({k: v for k, v in self._values.items() if k in self._own})
        for name in changed:
            field = None if name in self._own else self._fields().get(name)
            if field is not None:
                field.write(self._element, self._values[name])
        for name in changed:
            self._saved[name] = keep(self._values[name])

    def _forget(self) -> None:
        """Read the members anew, but for those without an element behind them."""
        kept = {n: v for n, v in self._values.items() if n in self._unused}
        self._values, self._saved = kept, {n: keep(v) for n, v in kept.items()}

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

    __slots__ = ("_last_name", "_plugin")  # the name that it had until it was deleted
    _plugin: MjsPlugin

    @property
    def name(self) -> str:
        """Its name, "" when it has none."""
        pending = self._spec._pending.get(self._element)
        text = pending or _core.elementGetText(self._element, "name")
        return text or getattr(self, "_last_name", "")

    @name.setter
    def name(self, value: str) -> None:
        value = cast("name", value, "")
        self._spec._pending.pop(self._element, None)
        try:
            _core.elementSetText(self._element, "name", value or None)
        except ValueError as error:
            raise explain(self._spec, error, self._element) from None

    @property
    def info(self) -> str:
        """A note of the program, which errors show; it has no effect."""
        return self._spec._infos.get(self._element, "")

    @info.setter
    def info(self, value: str) -> None:
        self._spec._infos[self._element] = cast("info", value, "")

    @property
    def id(self) -> int:
        """Its id in the model of the last compilation; before, -1 of what stands in bodies, else its place."""
        _, _, number, parent, _, _ = _core.elementInfo(self._element)
        if IS_LATER and not self._spec._is_here(self._element):
            return -1
        listed = number < 0 and parent is not None and _core.elementInfo(parent)[0] in _LISTS
        return self._spec._place(self._element) if listed else number

    @property
    def signature(self) -> int:
        """A number that the model has, too, when it was compiled from the spec as it is."""
        return self._spec._signature()

    def _compiler(self) -> Any:
        """Settings of the compiler that hold for it: of the spec that it came from."""
        return self._spec._compilers.get(self._element, self._spec).compiler

    def _given_orientation(self, given: dict[str, Any]) -> None:
        """Takes orientations in other forms than quaternions out of the keywords of an add function."""
        for prefix, alt in (("", "alt"), ("i", "ialt")):
            forms = [f for f in FORMS if prefix + f in given]
            if not forms or alt not in self._own:
                continue
            if len(forms) > 1:
                *first, last = (prefix + f for f in FORMS)
                raise ValueError(f"Only one of: {', '.join(first)}, or{last} can be set.")
            orientation = getattr(self, alt)
            orientation._put(forms[0], given.pop(prefix + forms[0]))
            orientation.type = ORIENTATION["mjORIENTATION_" + forms[0].upper()]

    def _apply(self, given: dict[str, Any], options: str | None = None) -> None:
        """Set members from the keywords of an add function."""
        options = self._keywords() if options is None else options
        for name in given:
            if name not in options.split():
                valid = f"Valid options are: {options.replace(' ', ', ')}."
                fault = "incompatible function arguments: " if IS_LATER else ""
                raise TypeError(f"{fault}Invalid {name} keyword argument. {valid}")
        given = dict(given)
        self._given_orientation(given)
        if "name" in given:
            self._name_later(cast("name", given.pop("name"), ""))
        for name, value in given.items():
            if later.is_partial(type(self).__name__, name):
                value = self._filled(name, value)
            setattr(self, name, value)

    def _filled(self, name: str, value: Any) -> Any:
        """A member's value of which a keyword gives the first numbers: the others are 0."""
        first = np.atleast_1d(np.asarray(value, np.float64))
        whole = np.zeros_like(self._get(name))
        if first.ndim != 1 or not 0 < first.size <= whole.size:
            raise MemberError(f"{name} should be a list/array of size 1 to {whole.size}.")
        whole[: first.size] = first
        return whole

    def _name_later(self, name: str) -> None:
        """A name that another one has is for 3.3.7 an error only when the spec is compiled and both have it still."""
        try:
            self.name = name
        except ValueError:
            if IS_LATER:
                raise
            self._spec._pending[self._element] = name

    def _keywords(self) -> str:
        return " ".join(_with_forms(self._options.split(), "ialt" in self._own, "alt" in self._own))

    def __repr__(self) -> str:
        return f"<sinew.mujoco.{type(self).__name__} '{self.name}'>"


if IS_LATER:
    Named.compiler = property(Named._compiler, doc=Named._compiler.__doc__)  # type: ignore[attr-defined]


def _with_forms(names: list[str], inertial: bool, oriented: bool) -> list[str]:
    """The names with the other forms of an orientation after a quaternion."""
    result = []
    for name in names:
        result.append(name)
        if name == "quat" and oriented:
            result += FORMS
        if name == "inertia" and inertial:
            result += ["i" + form for form in FORMS]
    return result


class Plugged(Named):
    """A struct that can have a plugin."""

    __slots__ = ()
    _is_plugin = False  # its element itself becomes a <plugin>, else one stands in it

    def _plugin_element(self) -> Any:
        if self._is_plugin:
            return self._element if _core.elementInfo(self._element)[0] == "plugin" else None
        found = children(self._element, "plugin")
        return found[0] if found else None

    @property
    def plugin(self) -> MjsPlugin:
        """What it says of its plugin."""
        if not hasattr(self, "_plugin"):
            self._plugin = MjsPlugin._of_element(self._plugin_element())
            self._plugin._told = self._plugin.copy()
        return self._plugin

    @plugin.setter
    def plugin(self, value: MjsPlugin) -> None:
        if not isinstance(value, MjsPlugin):
            raise TypeError("plugin is the wrong type.")
        self._plugin = value.copy()

    def _make_plugin(self) -> Any:
        """What holds an active plugin, made where there is nothing."""
        found = self._plugin_element()
        if found is not None:
            return found
        if not self._is_plugin:
            return _core.elementAdd(self._element, "plugin", None)
        _core.elementChangeTag(self._element, "plugin")
        return self._element

    def _flush(self) -> None:
        own = getattr(self, "_plugin", None)
        if own is None or own == own._told:
            super()._flush()
            return
        if own.active:
            element = self._make_plugin()
            super()._flush()
            own._write(element)
        else:
            super()._flush()
            if not self._is_plugin and (element := self._plugin_element()) is not None:
                _core.elementRemove(element)
        own._told = own.copy()


class Classed(Named):
    """A struct that takes its first values from a default class."""

    __slots__ = ()
    _class_attribute = "class"

    @property
    def classname(self) -> Any:
        """Its default class."""
        return self._spec.find_default(_core.elementClass(self._element)) or self._spec.default

    @classname.setter
    def classname(self, value: Any) -> None:
        if not hasattr(value, "_members"):
            raise TypeError("classname is the wrong type.")
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
