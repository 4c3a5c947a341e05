"""The peer's enumerations, and the words of MJCF for their members."""

from __future__ import annotations

import operator
from typing import Any, ClassVar, SupportsIndex

from .. import _core
from . import _later
from ._names import enum_name, member_prefix, peer_enums, table_enums
from ._release import IS_LATER


class Enumeration(int):
    """A member of an enumeration: a number that knows its name.

    `mjtObj(5)` is the member of that value, `mjtObj["mjOBJ_GEOM"]` that of the name. As at the peer a member is true whatever its value, and text made
    of it has its name.
    """

    __members__: ClassVar[dict[str, Any]]
    _by_value: ClassVar[dict[int, Any]]

    def __new__(cls, value: SupportsIndex) -> Any:
        """Return the member of a value."""
        member = cls._by_value.get(operator.index(value))
        if member is None:
            raise ValueError(f"{value} is no value of {cls.__name__}")
        return member

    def __class_getitem__(cls, name: str) -> Any:
        return cls.__members__[name]

    @property
    def name(self) -> str:
        """Name of the member."""
        return self.__dict__["_name"]

    @property
    def value(self) -> int:
        """The number."""
        return int(self)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{self}: {int(self)}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __reduce__(self) -> Any:
        return type(self), (int(self),)


def _make(name: str, rows: list[tuple[str, int, str]]) -> type[Enumeration]:
    """An enumeration of members (name, value, meaning)."""
    lines = [f"  {member}" + (f" : {meaning}" if meaning else "") for member, _, meaning in rows]
    doc = "Members:\n\n" + "\n\n".join(lines)
    space = {"__doc__": doc, "__module__": __name__, "__members__": {}, "_by_value": {}}
    cls: Any = type(name, (Enumeration,), space)
    for member_name, value, _ in rows:
        member = int.__new__(cls, value)
        member._name = member_name
        setattr(cls, member_name, member)
        cls.__members__[member_name] = cls._by_value[value] = member
    return cls


_TABLES = _core.tables()
ENUMS: dict[str, Any] = {
    name: _make(name, rows)
    for name, rows in peer_enums(_TABLES, _later if IS_LATER else None).items()
}
WORDS: dict[str, dict[int, str]] = {}  # by the peer's name, or by ours


def _words(type_: str, prefix: str, items: list[tuple]) -> dict[int, str]:
    """Words of an enumeration of ours by the peer's values."""
    theirs = ENUMS.get(enum_name(type_))
    members = theirs.__members__ if theirs else {}
    return {int(members.get(member_prefix(prefix) + row[0], row[1])): row[2] for row in items}


for _type, _prefix, _items in table_enums(_TABLES, IS_LATER):
    WORDS[_type] = WORDS[enum_name(_type)] = _words(_type, _prefix, _items)
for _type, _, _items in _TABLES["words"]:
    WORDS[_type] = {row[1]: row[2] for row in _items}
for _type, _, _items in _TABLES["enums"]:  # of those that the peer has as numbers
    WORDS.setdefault(_type, {row[1]: row[2] for row in _items})
if IS_LATER:
    WORDS["FALSE_AUTO"] = {0: "false", 1: "auto"}
globals().update(ENUMS)
