"""OpenGL without a screen or a graphics card, by OSMesa."""

from sinew.mujoco._drawing import Context

__all__ = ["GLContext"]


class GLContext(Context):
    """An OpenGL context of OSMesa."""
