"""Warnings of loading and compiling models, as Python has them."""

from __future__ import annotations

import sys
import warnings

from . import _core


class ModelWarning(UserWarning):
    """A model file says what cannot be meant, though a model was made of it.

    Attributes
    ----------
    file : str
        File or asset, empty if there is none.
    line : int
        Line in the file, from 1; 0 if there is none.
    """

    def __init__(self, message: str = "", file: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.line = line


def level() -> int:
    """How far up the first caller outside of this package is, as `stacklevel` of a warning of who asks."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "sinew":
        level, frame = level + 1, frame.f_back
    return level


def tell(found: list[tuple[str, str, int]]) -> None:
    """Warn of each (message, file, line); the extension calls it after a load that succeeded.

    A function that `sinew.mujoco.set_mju_user_warning` set takes their texts instead.
    """
    up, user = level(), _core.getUserWarning()
    for message, file, line in found:
        if user:
            user(message)
            continue
        warnings.warn(ModelWarning(message, file, line), stacklevel=up)
