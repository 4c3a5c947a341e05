"""OpenGL in windows of GLFW. `glfw` in it is the package of that name, where it is installed."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import Context

try:
    import glfw
except ImportError:

    class _Glfw:
        """In the place of the package glfw, where that is not installed."""

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("__"):
                raise AttributeError(name)
            raise ImportError(
                f"glfw.{name}: the package glfw is missing: python -m pip install glfw"
            )

    glfw: Any = _Glfw()

__all__ = ["GLContext", "glfw"]


class GLContext(Context):
    """An OpenGL context of an invisible window."""
