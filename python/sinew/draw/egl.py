"""EGL: OpenGL contexts without a window or a surface."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any, NamedTuple

from .libraries import DRIVERS, DrawingError, declare, library

PLATFORM_DEVICE = 0x313F
_NONE, _WIDTH, _HEIGHT = 0x3038, 0x3057, 0x3056
_SURFACE_TYPE, _PBUFFER_BIT = 0x3033, 0x0001
_RENDERABLE_TYPE, _OPENGL_BIT, _OPENGL_API = 0x3040, 0x0008, 0x30A2
_MAJOR, _MINOR, _PROFILE, _COMPATIBLE = 0x3098, 0x30FB, 0x30FD, 0x2
_ERRORS = {
    0x3001: "EGL_NOT_INITIALIZED", 0x3002: "EGL_BAD_ACCESS", 0x3003: "EGL_BAD_ALLOC", 0x3004: "EGL_BAD_ATTRIBUTE",
    0x3005: "EGL_BAD_CONFIG", 0x3006: "EGL_BAD_CONTEXT", 0x3007: "EGL_BAD_CURRENT_SURFACE", 0x3008: "EGL_BAD_DISPLAY",
    0x3009: "EGL_BAD_MATCH", 0x300C: "EGL_BAD_PARAMETER", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST",
}  # fmt: skip
_P, _INT = ctypes.c_void_p, ctypes.c_int32
_INTS = ctypes.POINTER(_INT)


class Functions:
    """The functions of EGL that are called."""

    def __init__(self) -> None:
        handle = library("EGL")
        self.address = declare(handle, "eglGetProcAddress", _P, ctypes.c_char_p)
        self.error = declare(handle, "eglGetError", _INT)
        self.initialize = declare(handle, "eglInitialize", ctypes.c_uint, _P, _INTS, _INTS)
        self.display = declare(handle, "eglGetDisplay", _P, _P)
        self.bind = declare(handle, "eglBindAPI", ctypes.c_uint, ctypes.c_uint)
        self.configs = declare(
            handle, "eglChooseConfig", ctypes.c_uint, _P, _INTS, ctypes.POINTER(_P), _INT, _INTS
        )
        self.create = declare(handle, "eglCreateContext", _P, _P, _P, _P, _INTS)
        self.destroy = declare(handle, "eglDestroyContext", ctypes.c_uint, _P, _P)
        self.make_current = declare(handle, "eglMakeCurrent", ctypes.c_uint, _P, _P, _P, _P)
        self.current = declare(handle, "eglGetCurrentContext", _P)
        self.current_display = declare(handle, "eglGetCurrentDisplay", _P)
        self.current_surface = declare(handle, "eglGetCurrentSurface", _P, _INT)
        self.words = declare(handle, "eglQueryString", ctypes.c_char_p, _P, _INT)

    def extension(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return a function that the library may lack, or None."""
        address = self.address(name.encode())
        return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None

    def failure(self) -> str:
        """Return the name of the last error."""
        code = self.error()
        return _ERRORS.get(code, hex(code))


@functools.cache
def functions() -> Functions:
    """Return the functions of EGL; DrawingError where there is no EGL."""
    return Functions()


def devices(most: int = 10) -> list[int]:
    """Return the addresses of EGL's devices; none where EGL knows of no devices."""
    query = functions().extension(
        "eglQueryDevicesEXT", ctypes.c_uint, _INT, ctypes.POINTER(_P), _INTS
    )
    found, count = (_P * most)(), _INT()
    if query is None or not query(most, found, ctypes.byref(count)):
        return []
    return [address for address in found[: count.value] if address]


def device_display(device: int) -> int | None:
    """Return the display of a device, None where EGL has none for it."""
    get = functions().extension("eglGetPlatformDisplayEXT", _P, ctypes.c_uint, _P, _INTS)
    return get(PLATFORM_DEVICE, device, None) if get else None


def initialized(display: int | None) -> bool:
    """Initialize a display and return whether that is done."""
    return bool(display and functions().initialize(display, None, None))


def chosen_device() -> int | None:
    """Return the number of the device that MUJOCO_EGL_DEVICE_ID asks for, None where it is not set."""
    value = os.environ.get("MUJOCO_EGL_DEVICE_ID")
    if value is None:
        return None
    try:
        return int(value)
    except ValueError:
        raise DrawingError(
            f"MUJOCO_EGL_DEVICE_ID is {value!r}: it is a number of a device, such as 0"
        ) from None


def _candidates() -> list[int]:
    found, chosen = devices(), chosen_device()
    if chosen is None:
        return found
    if not 0 <= chosen < len(found):
        raise DrawingError(
            f"MUJOCO_EGL_DEVICE_ID is {chosen}, but EGL has {len(found)} devices: 0 to {len(found) - 1}"
            if found
            else f"MUJOCO_EGL_DEVICE_ID is {chosen}, but EGL has no devices: {DRIVERS}"
        )
    return [found[chosen]]


def display() -> int:
    """Return an initialized display: of the device that MUJOCO_EGL_DEVICE_ID names, of the first that works, or EGL's own."""
    for device in _candidates():
        found = device_display(device)
        if initialized(found):
            return found  # type: ignore[return-value]
    own = None if chosen_device() is not None else functions().display(None)
    if not initialized(own):
        raise DrawingError(
            f"EGL has no display that works ({functions().failure()}): a driver is missing; {DRIVERS}"
        )
    return own  # type: ignore[return-value]


class Config(NamedTuple):
    """A display and one of its kinds of frame buffer."""

    display: int
    config: int


def _ints(*values: int) -> Any:
    return (_INT * (len(values) + 1))(*values, _NONE)


def config(shown: int) -> Config:
    """Return a config of a display that OpenGL can draw with."""
    found, count = _P(), _INT()
    for attributes in (
        _ints(_SURFACE_TYPE, _PBUFFER_BIT, _RENDERABLE_TYPE, _OPENGL_BIT),
        _ints(_RENDERABLE_TYPE, _OPENGL_BIT),
    ):
        if (
            functions().configs(shown, attributes, ctypes.byref(found), 1, ctypes.byref(count))
            and count.value
        ):
            return Config(shown, found.value or 0)
    raise DrawingError(
        f"the driver of EGL has no OpenGL, only other languages ({functions().failure()}): {DRIVERS}"
    )


class Context:
    """An OpenGL context without a surface, of OpenGL 3.3 or newer with the old functions where the driver has them."""

    def __init__(self) -> None:
        egl = functions()
        self.display, kind = config(display())
        egl.bind(_OPENGL_API)
        wanted = (_MAJOR, 3, _MINOR, 3)
        for attributes in (_ints(*wanted, _PROFILE, _COMPATIBLE), _ints(*wanted)):
            self.handle = egl.create(self.display, kind, None, attributes)
            if self.handle:
                return
        raise DrawingError(
            f"EGL makes no context of OpenGL 3.3 or newer ({egl.failure()}): {DRIVERS}"
        )

    def make_current(self) -> None:
        """Let it be the one that this thread draws into."""
        egl = functions()
        egl.bind(_OPENGL_API)
        if not egl.make_current(self.display, None, None, self.handle):
            raise DrawingError(
                f"EGL does not let the context be current in this thread ({egl.failure()})"
            )

    def free(self) -> None:
        """Destroy it, with all that was made in it."""
        egl = functions()
        if egl.current() == self.handle:
            egl.make_current(self.display, None, None, None)
        if self.handle:
            egl.destroy(self.display, self.handle)
        self.handle = None
