"""Default classes."""

from __future__ import annotations

from typing import Any

from ... import _core
from .members import cast
from .plugin import MjsFlex


class MjsDefault:
    """A default class: a struct for each kind of element."""

    __slots__ = ("_element", "_spec")
    _members = {
        "geom": ("geom", "geoms"),
        "joint": ("joint", "joints"),
        "site": ("site", "sites"),
        "camera": ("camera", "cameras"),
        "light": ("light", "lights"),
        "mesh": ("mesh", "meshes"),
        "material": ("material", "materials"),
        "pair": ("pair", "pairs"),
        "equality": ("equality", "equalities"),
        "tendon": ("tendon", "tendons"),
        "actuator": ("general", "actuators"),
    }

    def __init__(self, spec: Any, element: Any) -> None:
        self._spec, self._element = spec, element

    @property
    def name(self) -> str:
        """Its name."""
        return _core.elementGetText(self._element, "class") or "main"

    @name.setter
    def name(self, value: str) -> None:
        _core.elementSetText(self._element, "class", cast("name", value, ""))

    @property
    def flex(self) -> MjsFlex:
        """Values of a flex; they have no effect."""
        return self._spec._flexes.setdefault(self._element, MjsFlex())

    def _member(self, name: str) -> Any:
        tag, plural = self._members[name]
        child = _core.elementInfo(self._element)[4]
        while child is not None and _core.elementInfo(child)[0] != tag:
            child = _core.elementInfo(child)[5]
        if child is None:
            child = _core.elementAdd(self._element, tag, None)
        return self._spec._default_struct(child, name, plural)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsDefault) and self._element == other._element

    def __hash__(self) -> int:
        return hash(self._element)


def _member(name: str) -> None:
    def get(self: MjsDefault) -> Any:
        return self._member(name)

    setattr(MjsDefault, name, property(get, doc=f"What a new {name} of this class is like."))


for _name in MjsDefault._members:
    _member(_name)
