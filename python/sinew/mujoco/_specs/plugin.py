"""Structs of what Sinew has not: plugins. They hold values, as parts of other structs."""

from __future__ import annotations

from typing import Any

from ... import _core
from .members import Members


def refuse(what: str) -> Exception:
    """What is raised where one is to be used."""
    return _core.NotSupportedError(f"{what} are not supported")


class MjsPlugin(Members):
    """What would name a plugin; active ones are refused when the spec is compiled."""

    __slots__ = ()
    _own: dict[str, Any] = {"name": "", "plugin_name": "", "active": 0, "info": "", "config": {}}
    id = -1
    signature = 0
