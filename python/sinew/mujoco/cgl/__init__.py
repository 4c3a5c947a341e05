"""OpenGL of macOS without a window, by CGL."""

from __future__ import annotations

import sys
from typing import Any

from sinew.draw import cgl as _cgl

__all__ = ["GLContext"]


class GLContext:
    """An OpenGL context of macOS; sizes are those of what is drawn into it."""

    _context: _cgl.Context | None = None

    def __init__(self, max_width: int, max_height: int) -> None:
        del max_width, max_height
        self._context = _cgl.Context()

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; freed, it lets none be."""
        if self._context:
            self._context.make_current()
        else:
            _cgl.functions().CGLSetCurrentContext(None)

    def free(self) -> None:
        """Destroy it."""
        context, self._context = self._context, None
        if context:
            context.free()

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if not ends():
            self.free()
