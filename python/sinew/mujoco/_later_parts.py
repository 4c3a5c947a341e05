"""What release 4.0 lets programs set of models: their parts as a whole, `opt`, `stat`, `vis` and what is in it, whose numbers
are copied; and flags of what they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .. import _core

_TABLES = _core.tables()
_OPTIONS = tuple(row[0] for row in _TABLES["option"])
_STATISTICS = ("meaninertia", "meanmass", "meansize", "extent", "center")
_GROUPS: dict[str, list[str]] = {}
for _group, _name, *_ in _TABLES["visual"]:
    _GROUPS.setdefault(_group, []).append(_name)


def _replaced(cls: type, name: str, copy: Callable[[Any, Any], None]) -> None:
    """Let the part of this name be set: to one of its own type."""
    member = getattr(cls, name)

    def put(owner: Any, value: Any) -> None:
        part = member.__get__(owner)
        if not isinstance(value, type(part)):
            raise TypeError(f"{name} must be a {type(part).__name__}, not {type(value).__name__}")
        copy(part, value)

    setattr(cls, name, property(member.__get__, put, doc=member.__doc__))


def _members(names: Iterable[str]) -> Callable[[Any, Any], None]:
    def copy(to: Any, of: Any) -> None:
        for name in names:
            setattr(to, name, getattr(of, name))

    return copy


def _member(group: str) -> str:
    return group if hasattr(_core.MjVisual, group) and group != "global" else group + "_"


def _copy_visual(to: Any, of: Any) -> None:
    for group, names in _GROUPS.items():
        here = _member(group)
        _members(names)(getattr(to, here), getattr(of, here))


# Fields of which one number that is not 0 raises a flag.
_FLAGS = {
    "flg_adhesion": ("geom_adhesion", "pair_adhesion"),
    "flg_surfacevel": ("geom_surfacevel",),
}
_raised: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def _flag(name: str, fields: tuple[str, ...]) -> property:
    """A flag that follows from fields, and may be up without them."""

    def there(m: Any) -> bool:
        return any(getattr(m, field).any() for field in fields)

    def get(m: Any) -> bool:
        return there(m) or name in _raised.get(m, ())

    def put(m: Any, value: Any) -> None:
        if not value and there(m):
            raise ValueError(f"{name} follows from {' and '.join(fields)}: set these to 0")
        names = _raised.setdefault(m, set())
        (names.add if value else names.discard)(name)

    return property(get, put, doc=f"whether there is a number in {' or '.join(fields)}")


def _flag_of_gravity() -> property:
    """The flag without which no gravity is compensated."""

    def put(m: Any, value: Any) -> None:
        count = max(1, np.count_nonzero(m.body_gravcomp > 0)) if value else 0
        _core.eachModel(m, (("ngravcomp", np.array([count], np.int32)),), 1, 0)

    doc = "whether gravity of bodies is compensated, as their body_gravcomp says"
    return property(lambda m: m.ngravcomp > 0, put, doc=doc)


def change_parts(model: type) -> None:
    """Let programs set the parts and the flags of models."""
    for name, fields in _FLAGS.items():
        setattr(model, name, _flag(name, fields))
    model.flg_gravcomp = _flag_of_gravity()  # type: ignore[attr-defined]
    _replaced(model, "opt", _members(_OPTIONS))
    _replaced(model, "stat", _members(_STATISTICS))
    _replaced(model, "vis", _copy_visual)
    for group, names in _GROUPS.items():
        _replaced(_core.MjVisual, _member(group), _members(names))
