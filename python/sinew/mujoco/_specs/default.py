"""Default classes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ... import _core
from .._release import IS_LATER
from .flex import DefaultFlex, MjsFlex
from .members import cast

# All tags of actuators have one default: what the last one in a class says, over what it does not say of others.
ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion",
    *(("pid", "orientation", "dcmotor") if IS_LATER else ()),
)  # fmt: skip


def children(element: Any) -> Iterator[Any]:
    """What an element holds."""
    child = _core.elementInfo(element)[4]
    while child is not None:
        yield child
        child = _core.elementInfo(child)[5]


def outward(default: Any) -> Iterator[Any]:
    """A default class and those that it starts from: those around it, and the sections before."""
    while default is not None:
        yield default
        above = _core.elementInfo(default)[3]
        if _core.elementInfo(above)[0] == "default":
            default = above
            continue
        before = itertools.takewhile(lambda e: e != default, children(above))
        default = next((e for e in [*before][::-1] if _core.elementInfo(e)[0] == "default"), None)


def is_in(element: Any, other: Any) -> bool:
    """Whether an element is another one, or inside it."""
    while element is not None and element != other:
        element = _core.elementInfo(element)[3]
    return element is not None


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
        **({"texture": ("texture", "textures")} if IS_LATER else {}),
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
        flexes = self._spec._flexes
        if self._element not in flexes:
            flexes[self._element] = DefaultFlex(self._spec)
        return flexes[self._element]

    def _member(self, name: str) -> Any:
        tag, plural = self._members[name]
        tags = ACTUATORS if name == "actuator" else (tag,)
        found = [e for e in children(self._element) if _core.elementInfo(e)[0] in tags]
        child = found[-1] if found else _core.elementAdd(self._element, tag, None)
        return self._spec._default_struct(child, name, plural)

    def _is_in(self, other: MjsDefault) -> bool:
        """Whether it is another class, or inside it."""
        return is_in(self._element, other._element)

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
