"""ENUMS: every enumeration of the interface."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from .ast_nodes import EnumDecl

ENUMS: Mapping[str, EnumDecl]


@functools.cache
def _make() -> dict[str, EnumDecl]:
    from sinew.mujoco import _enums

    return {
        name: EnumDecl(name, f"enum {name}_", {key: int(v) for key, v in enum.__members__.items()})
        for name, enum in _enums.ENUMS.items()
    }


def __getattr__(name: str) -> Mapping[str, EnumDecl]:
    if name == "ENUMS":
        return _make()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
