"""EGL with the extensions that choose a device."""

from typing import NoReturn

from sinew.mujoco._drawing import no_drawing

EGL_PLATFORM_DEVICE_EXT = 0x313F  # EGL_EXT_platform_device
__all__ = ["EGL_PLATFORM_DEVICE_EXT", "eglGetPlatformDisplayEXT", "eglQueryDevicesEXT"]


def eglQueryDevicesEXT(max_devices: int = 10) -> NoReturn:
    """The devices that EGL has."""
    raise no_drawing("egl.egl_ext.eglQueryDevicesEXT")


def eglGetPlatformDisplayEXT(*args: object) -> NoReturn:
    """The display of a device."""
    raise no_drawing("egl.egl_ext.eglGetPlatformDisplayEXT")
