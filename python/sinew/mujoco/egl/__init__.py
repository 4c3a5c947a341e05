"""OpenGL without a screen, by EGL."""

from __future__ import annotations

import os

from sinew.draw import egl as _egl
from sinew.mujoco._held import Held
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


class GLContext(Held):
    """An OpenGL context of EGL without a surface; sizes are those of what is drawn into it."""

    def __init__(self, max_width: int, max_height: int) -> None:
        global EGL_DISPLAY
        del max_width, max_height
        self._context = _egl.Context()
        EGL_DISPLAY = self._context.display

    def _leave(self) -> None:
        _egl.leave()
