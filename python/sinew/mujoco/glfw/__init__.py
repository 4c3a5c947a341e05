"""OpenGL in windows of GLFW. `glfw` in it is the package of that name, where it is installed."""

from __future__ import annotations

import importlib
import sys
from typing import Any, NoReturn


class _Missing:
    """In the place of the package glfw, where that is not installed."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"glfw.{name}: the package glfw is missing: python -m pip install glfw")


def __getattr__(name: str) -> Any:
    """`glfw`, which takes long to import, when it is asked for."""
    if name != "glfw":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found: Any = importlib.import_module("glfw")
    except ImportError:
        found = _Missing()
    globals()["glfw"] = found
    return found


__all__ = ["GLContext", "glfw"]  # noqa: F822


def _window(glfw: Any, width: int, height: int) -> Any:
    """Return a new window that does not show, None if GLFW makes none."""
    if not glfw.init():
        return None
    glfw.window_hint(glfw.VISIBLE, 0)
    if sys.platform == "darwin":  # where old OpenGL ends at 2.1
        for hint, value in (
            (glfw.CONTEXT_VERSION_MAJOR, 3),
            (glfw.CONTEXT_VERSION_MINOR, 3),
            (glfw.OPENGL_FORWARD_COMPAT, 1),
            (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
        ):
            glfw.window_hint(hint, value)
    try:
        return glfw.create_window(width, height, "Invisible window", None, None)
    finally:
        glfw.default_window_hints()  # those that the program opens later show


class GLContext:
    """An OpenGL context of an invisible window of a size."""

    _context: Any = None

    def __init__(self, max_width: int, max_height: int) -> None:
        glfw = __getattr__("glfw")
        width, height = int(max_width), int(max_height)
        if width < 1 or height < 1:
            raise ValueError(f"a window of {width} x {height}: it has at least one pixel")
        self._glfw = glfw
        self._context = _window(glfw, width, height)
        if not self._context:
            said = glfw.get_error()[1] or b"no reason given"
            raise RuntimeError(
                f"GLFW opens no window: {said.decode(errors='replace')}. Without a screen, set MUJOCO_GL=egl, or start "
                "the program by xvfb-run"
            )

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; freed, it lets none be."""
        self._glfw.make_context_current(self._context)

    def free(self) -> None:
        """Close the window."""
        context, self._context = self._context, None
        if context:
            if self._glfw.get_current_context() == context:
                self._glfw.make_context_current(None)
            self._glfw.destroy_window(context)

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if not ends():
            self.free()
