"""OpenGL without a screen or a graphics card, by OSMesa."""

from __future__ import annotations

import os
import sys
from typing import Any

from sinew.draw import osmesa as _osmesa

# The program's own PyOpenGL asks the same library, where nobody has said which; contexts here do not need PyOpenGL.
PYOPENGL_PLATFORM = os.environ.setdefault("PYOPENGL_PLATFORM", "osmesa")
__all__ = ["GLContext"]


class GLContext:
    """An OpenGL context of OSMesa, with a window in memory."""

    _context: _osmesa.Context | None = None

    def __init__(self, max_width: int, max_height: int) -> None:
        self._width, self._height = int(max_width), int(max_height)
        self._context = _osmesa.Context(self._width, self._height)

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; freed, it does nothing."""
        if self._context:
            self._context.make_current()

    def free(self) -> None:
        """Destroy it."""
        context, self._context = self._context, None
        if context:
            context.free()

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if not ends():
            self.free()
