"""OpenGL without a screen, by EGL."""

from __future__ import annotations

import os
import sys
from typing import Any

from sinew.draw import egl as _egl
from sinew.mujoco.egl import egl_ext as EGL

# The program's own PyOpenGL asks the same library, where nobody has said which; contexts here do not need PyOpenGL.
PYOPENGL_PLATFORM = os.environ.setdefault("PYOPENGL_PLATFORM", "egl")

EGL_DISPLAY: int | None = None  # that of the first context
EGL_ATTRIBUTES = (
    0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8,  # bits of red, green, blue, alpha
    0x3025, 24, 0x3026, 8,  # of depth and stencil
    0x303F, 0x308E,  # colours are RGB
    0x3033, 0x0001,  # for surfaces off screen
    0x3040, 0x0008,  # drawn into by OpenGL
    0x3038,
)  # fmt: skip
__all__ = ["EGL", "EGL_ATTRIBUTES", "EGL_DISPLAY", "GLContext"]


def create_initialized_egl_device_display() -> int:
    """A display of EGL's device MUJOCO_EGL_DEVICE_ID, or of the first that works; its address."""
    return _egl.display()


class GLContext:
    """An OpenGL context of EGL without a surface; sizes are those of what is drawn into it."""

    _context: _egl.Context | None = None

    def __init__(self, max_width: int, max_height: int) -> None:
        global EGL_DISPLAY
        del max_width, max_height
        self._context = _egl.Context()
        EGL_DISPLAY = self._context.display

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; freed, it lets none be."""
        if self._context:
            self._context.make_current()
        else:
            _egl.leave()

    def free(self) -> None:
        """Destroy it."""
        context, self._context = self._context, None
        if context:
            context.free()

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if not ends():
            self.free()
