"""STRUCTS: options, statistics, models, data and their parts."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from .ast_nodes import (
    AnonymousStructDecl,
    ArrayType,
    PointerType,
    StructDecl,
    StructFieldDecl,
    ValueType,
)

STRUCTS: Mapping[str, StructDecl]

_TYPES = {"double": "mjtNum", "uint8_t": "mjtByte", "size_t": "size_t", "snContact": "mjContact"}
_FORMATS = {
    "d": "mjtNum",
    "f": "float",
    "i": "int",
    "B": "mjtByte",
    "b": "mjtByte",
    "p": "size_t",
    "s": "char",
}


def _value(ctype: str) -> ValueType:
    return ValueType(_TYPES.get(ctype, ctype))


def _field(name: str, inner: ValueType, extents: Sequence[int], doc: str) -> StructFieldDecl:
    return StructFieldDecl(name, ArrayType(inner, tuple(extents)) if extents else inner, doc)


def _pointer(row: tuple, known: Any) -> StructFieldDecl | None:
    """An array of a table of fields; None: the interface has it not."""
    name, ctype, rows, columns, _, doc = row
    if not hasattr(known, name):
        return None
    extents: list[str | int] = [rows]
    if columns != "1":
        extents.append(int(columns) if columns.isdigit() else columns)
    return StructFieldDecl(name, PointerType(_value(ctype)), doc, tuple(extents))


def _struct(name: str, fields: Sequence[StructFieldDecl | None]) -> StructDecl:
    return StructDecl(name, f"struct {name}_", [field for field in fields if field])


def _scalars(rows: Sequence[tuple], known: Any) -> list[StructFieldDecl]:
    return [StructFieldDecl(n, _value(t), doc) for n, t, doc in rows if hasattr(known, n)]


def _visual(rows: Sequence[tuple]) -> StructDecl:
    groups: dict[str, list[StructFieldDecl]] = {}
    for group, name, ctype, count, doc in rows:
        extents = [count] if count > 1 else []
        groups.setdefault(group, []).append(_field(name, _value(ctype), extents, doc))
    parts = [
        StructFieldDecl(group, AnonymousStructDecl(rows), "") for group, rows in groups.items()
    ]
    return _struct("mjVisual", parts)


def _record(name: str, rows: Sequence[tuple]) -> StructDecl:
    fields = []
    for member, form, *shape, _, doc in rows:
        extents = [extent for extent in shape if extent > 1]
        fields.append(_field(member, ValueType(_FORMATS[form]), extents, doc))
    return _struct(name, fields)


# Parts of mjData that stand in no table: type and how many.
_PARTS = {
    "solver": ("mjSolverStat", 200),
    "warning": ("mjWarningStat", 8),
    "timer": ("mjTimerStat", 15),
    "solver_fwdinv": ("mjtNum", 2),
    "energy": ("mjtNum", 2),
}


@functools.cache
def _make() -> dict[str, StructDecl]:
    from sinew import _core
    from sinew.mujoco import MjData, MjModel, MjOption

    tables = _core.tables()
    option = [
        _field(name, _value(ctype), [count] if count > 1 else [], doc)
        for name, ctype, count, doc in tables["option"]
        if hasattr(MjOption, name)
    ]
    parts = [
        StructFieldDecl("opt", ValueType("mjOption"), "options"),
        StructFieldDecl("vis", ValueType("mjVisual"), "visual settings"),
        StructFieldDecl("stat", ValueType("mjStatistic"), "statistics"),
    ]
    data_parts = [
        _field(name, ValueType(ctype), [count], "")
        for name, (ctype, count) in _PARTS.items()
        if hasattr(MjData, name)
    ]
    sizes = [(name, "int", doc) for name, doc in tables["sizes"]]
    structs = [
        _struct("mjOption", option),
        _visual(tables["visual"]),
        *[
            _record("mj" + name.removeprefix("sn"), rows)
            for name, (_, rows) in tables["records"].items()
            if name != "snImpulse"
        ],
        _struct(
            "mjModel",
            [*_scalars(sizes, MjModel), *parts, *(_pointer(r, MjModel) for r in tables["model"])],
        ),
        _struct(
            "mjData",
            [
                *_scalars(tables["scalars"], MjData),
                *data_parts,
                *(_pointer(r, MjData) for r in tables["data"]),
            ],
        ),
    ]
    return {struct.name: struct for struct in structs}


def __getattr__(name: str) -> Mapping[str, StructDecl]:
    if name == "STRUCTS":
        return _make()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
