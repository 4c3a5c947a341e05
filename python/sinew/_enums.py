"""Enumerations, made from the library's tables: `JointType.HINGE`, `StateBit.FULLPHYSICS`."""

import enum

from . import _core

__all__ = []  # filled below


for _type, _prefix, _items in _core.tables()["enums"]:
    _name = _type.removeprefix("sn")
    _members = {item[0]: item[1] for item in _items}
    globals()[_name] = enum.IntEnum(_name, _members, module=__name__)
    __all__.append(_name)  # noqa: PYI056
