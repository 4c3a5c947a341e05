"""OpenGL without a screen, by EGL."""

from typing import NoReturn

from sinew.mujoco._drawing import Context, no_drawing
from sinew.mujoco.egl import egl_ext as EGL

EGL_DISPLAY = None
EGL_ATTRIBUTES = ()  # those of a frame buffer; none, as nothing draws into one
__all__ = ["EGL", "EGL_ATTRIBUTES", "EGL_DISPLAY", "GLContext"]


def create_initialized_egl_device_display() -> NoReturn:
    """A display of EGL's device MUJOCO_EGL_DEVICE_ID, or of the first that works."""
    raise no_drawing("egl.create_initialized_egl_device_display")


class GLContext(Context):
    """An OpenGL context of EGL."""
