"""OpenGL of macOS."""

from sinew.mujoco._drawing import Context

__all__ = ["GLContext"]


class GLContext(Context):
    """An OpenGL context of macOS."""
