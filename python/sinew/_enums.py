"""Enumerations, made from the library's tables: `JointType.HINGE`, `StateBit.FULLPHYSICS`."""

import enum

from . import _core

__all__ = []  # filled below


def make_enum(name: str, items: list, prefix: str = "") -> type[enum.IntEnum]:
    """An IntEnum from the items of a table; names get a prefix.

    Parameters
    ----------
    name : str
        Name of the class.
    items : list of (name, value, keyword, meaning)
        Rows of the table.
    prefix : str
        Stands before each name.
    """
    members = {prefix + item[0]: item[1] for item in items}
    return enum.IntEnum(name, members, module=__name__ if not prefix else "sinew.mujoco")


for _type, _prefix, _items in _core.tables()["enums"]:
    _name = _type.removeprefix("sn")
    globals()[_name] = make_enum(_name, _items)
    __all__.append(_name)  # noqa: PYI056
