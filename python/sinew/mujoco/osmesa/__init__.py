"""OpenGL without a screen or a graphics card, by OSMesa."""

from __future__ import annotations

import os

from sinew.draw import osmesa as _osmesa
from sinew.mujoco._held import Held

# The program's own PyOpenGL asks the same library, where nobody has said which; contexts here do not need PyOpenGL.
PYOPENGL_PLATFORM = os.environ.setdefault("PYOPENGL_PLATFORM", "osmesa")
__all__ = ["GLContext"]


class GLContext(Held):
    """An OpenGL context of OSMesa, with a window in memory."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self._width, self._height = int(max_width), int(max_height)
        self._context = _osmesa.Context(self._width, self._height)
