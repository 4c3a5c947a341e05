"""OpenGL in windows of GLFW. `glfw` in it is the package of that name, where it is installed."""

from __future__ import annotations

import importlib
from typing import Any, NoReturn

from sinew.mujoco._drawing import Context


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


class GLContext(Context):
    """An OpenGL context of an invisible window."""
