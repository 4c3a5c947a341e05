"""Contexts of ours: without a window, by what the system has for that."""

from __future__ import annotations

import os
import sys
from typing import Protocol

from .libraries import DrawingError

_OFF = ("disable", "disabled", "off", "false", "0")


class Made(Protocol):
    """A context that has been made."""

    def make_current(self) -> None:
        """Let it be the one that this thread draws into."""

    def free(self) -> None:
        """Destroy it, with all that was made in it."""


def make() -> Made:
    """Return a new context: of CGL on macOS, of OSMesa where MUJOCO_GL asks for that, else of EGL.

    Raises
    ------
    DrawingError
        None can be made; the text says what is missing.
    """
    choice = os.environ.get("MUJOCO_GL", "").lower().strip()
    if choice in _OFF:
        raise DrawingError(
            f"MUJOCO_GL={choice} disables drawing: unset it, or make an OpenGL context current before drawing"
        )
    if sys.platform == "win32":
        raise DrawingError(
            "Sinew draws by EGL, OSMesa or CGL, of which Windows has none: pictures, films and viewers need Linux or "
            "macOS so far"
        )
    if sys.platform == "darwin":
        from . import cgl

        return cgl.Context()
    if choice == "osmesa":
        from . import osmesa

        return osmesa.Context(1, 1)
    from . import egl

    return egl.Context()
