"""OpenGL of macOS without a window, by CGL."""

from __future__ import annotations

from sinew.draw import cgl as _cgl
from sinew.mujoco._held import Held

__all__ = ["GLContext"]


class GLContext(Held):
    """An OpenGL context of macOS; sizes are those of what is drawn into it."""

    def __init__(self, max_width: int, max_height: int) -> None:
        del max_width, max_height
        self._context = _cgl.Context()

    def _leave(self) -> None:
        _cgl.functions().CGLSetCurrentContext(None)
