"""Callbacks of every MjData that has none of its own: set_mjcb_passive, get_mjcb_passive, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from ._names import CALLBACKS

__all__ = []  # filled below


def _callback_access(kind: str) -> None:
    """Make set_mjcb_KIND and get_mjcb_KIND: a callback of every MjData that has none of its own."""

    def set_callback(arg0: Callable[..., Any] | None) -> None:
        if arg0 is not None and not callable(arg0):
            raise TypeError("callback is not an Optional[Callable]")
        _core.setCallback(None, kind, arg0)

    def get_callback() -> Callable[..., Any] | None:
        return _core.getCallback(None, kind)

    for function, verb in ((set_callback, "set"), (get_callback, "get")):
        function.__name__ = function.__qualname__ = f"{verb}_mjcb_{kind}"
        function.__doc__ = (
            f"{verb.capitalize()} the callback {kind} of all MjData; None: there is none."
        )
        globals()[function.__name__] = function
        __all__.append(function.__name__)


def reset_callbacks() -> None:
    """Take the callbacks of all MjData away."""
    for name in CALLBACKS:
        _core.setCallback(None, name, None)


for _name in CALLBACKS:
    _callback_access(_name)
