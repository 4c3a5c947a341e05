"""Parts of models, `opt`, `stat`, `vis` and what is in it, which release 4.0 lets programs replace as a whole: numbers are copied."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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


def change_parts(model: type) -> None:
    """Let programs set the parts of models."""
    _replaced(model, "opt", _members(_OPTIONS))
    _replaced(model, "stat", _members(_STATISTICS))
    _replaced(model, "vis", _copy_visual)
    for group, names in _GROUPS.items():
        _replaced(_core.MjVisual, _member(group), _members(names))
