"""EGL with the extensions that choose a device. What EGL has beside them comes from PyOpenGL, where that is installed."""

from __future__ import annotations

import importlib
from typing import Any

from sinew.draw import egl as _egl

EGL_PLATFORM_DEVICE_EXT = _egl.PLATFORM_DEVICE
__all__ = ["EGL_PLATFORM_DEVICE_EXT", "eglGetPlatformDisplayEXT", "eglQueryDevicesEXT"]


def eglQueryDevicesEXT(max_devices: int = 10) -> list[int]:
    """The devices that EGL has, by address."""
    return _egl.devices(max_devices)


def eglGetPlatformDisplayEXT(
    platform: int, native_display: int, attrib_list: object = None
) -> int | None:
    """The display of a device, by address; None where there is none."""
    if platform != EGL_PLATFORM_DEVICE_EXT or attrib_list:
        raise ValueError("platform is EGL_PLATFORM_DEVICE_EXT, and attrib_list None")
    return _egl.device_display(native_display)


def PFNEGLQUERYDEVICESEXTPROC(max_devices: int, devices: Any, num_devices: Any) -> int:
    """EGL's own function: write devices into an array, and return whether that worked."""
    return _egl.extension("eglQueryDevicesEXT")(max_devices, devices, num_devices)


def PFNEGLGETPLATFORMDISPLAYEXTPROC(platform: int, native_display: Any, attrib_list: Any) -> int:
    """EGL's own function: return the display of a device."""
    return _egl.extension("eglGetPlatformDisplayEXT")(platform, native_display, attrib_list)


def __getattr__(name: str) -> Any:
    if not name.startswith(("egl", "EGL")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        everything = importlib.import_module("OpenGL.EGL")
    except ImportError:
        raise AttributeError(
            f"{name}: EGL beside its devices is in PyOpenGL, which is missing: python -m pip install PyOpenGL"
        ) from None
    return getattr(everything, name)
