"""Options of a model as pages show them, from the library's table, and what a page wants of them."""

from __future__ import annotations

import copy
import re
from typing import Any

from .. import _core

_TABLES = _core.tables()
_ENUMS = {name: rows for name, _, rows in _TABLES["enums"]}
_GROUPS = 31  # groups of actuators that have a bit
_NO = "; 0: no"  # at the end of what an option means that is yes or no


def _kind(type_: str, meaning: str) -> tuple[str, list[list[Any]]]:
    """Return of what kind an option is, and the values that it has where they have names."""
    found = re.search(r"\bsn\w+", meaning)
    rows = [[value, word, more] for _, value, word, more in _ENUMS.get(found and found[0], [])]
    if meaning.startswith("bits of"):
        rows = rows or [[1 << i, str(i), ""] for i in range(_GROUPS)]
        return "flags", rows
    if rows:
        return "choice", rows
    if meaning.endswith(_NO):
        return "tick", []
    return ("integer" if type_ == "int" else "number"), []


def _option(name: str, type_: str, count: int, meaning: str) -> dict[str, Any]:
    kind, values = _kind(type_, meaning)
    return {"name": name, "count": count, "kind": kind, "values": values, "meaning": meaning}


OPTIONS = [_option(*row) for row in _TABLES["option"]]
_BY_NAME = {option["name"]: option for option in OPTIONS}


# What came with MuJoCo 4.0: words of options, and an option.
_NEWER = {"integrator": ("discrete",), "enableflags": ("sleep", "diagexact", "speculative")}
_NEWER_OPTIONS = ("sleep_tolerance",)


def options_of(model: Any) -> list[dict[str, Any]]:
    """Return the options that a page shows of a model: of one of 3.3.7 what its file can say, or what it has already."""
    if model.physics != "3.3.7":
        return OPTIONS
    return [
        {**option, "values": [v for v in option["values"] if _is_of_3_3_7(model, option, v)]}
        for option in OPTIONS
        if option["name"] not in _NEWER_OPTIONS
    ]


def _is_of_3_3_7(model: Any, option: dict[str, Any], value: list[Any]) -> bool:
    if value[1] not in _NEWER.get(option["name"], ()):
        return True
    now = int(getattr(model.opt, option["name"]))
    return bool(now & value[0]) if option["kind"] == "flags" else now == value[0]


def option_of(name: Any) -> dict[str, Any] | None:
    """Return an option by its name; None: there is none."""
    return _BY_NAME.get(name) if isinstance(name, str) else None


def check(opt: Any, name: str, at: int | None, value: float) -> None:
    """Raise ValueError, which says why, where an option cannot have a value; nothing is set."""
    tried = copy.copy(opt)
    if at is not None:
        row = getattr(tried, name).copy()
        row[at] = value
    setattr(tried, name, value if at is None else row)
