"""EGL: OpenGL contexts without a window or a surface."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any, NamedTuple

from .._in_place import LATER, chosen
from .libraries import DRIVERS, DrawingError, declare, library

PLATFORM_DEVICE = 0x313F
_CUDA_DEVICE = 0x323A
_NONE = 0x3038
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
    try:
        query = extension("eglQueryDevicesEXT")
    except DrawingError:
        return []
    found, count = (_P * most)(), _INT()
    if not query(most, found, ctypes.byref(count)):
        return []
    return [address for address in found[: count.value] if address]


def device_display(device: int) -> int | None:
    """Return the display of a device, None where EGL has none for it."""
    return extension("eglGetPlatformDisplayEXT")(PLATFORM_DEVICE, device, None)


def initialized(display: int) -> bool:
    """Initialize a display and return whether that is done."""
    return bool(functions().initialize(display, None, None))


def _cuda_number(device: int) -> int | None:
    """Return CUDA's number of a device; None: it has none, or EGL does not tell."""
    number = ctypes.c_ssize_t()
    query = functions().extension(
        "eglQueryDeviceAttribEXT", ctypes.c_uint, _P, _INT, ctypes.POINTER(ctypes.c_ssize_t)
    )
    if query and query(device, _CUDA_DEVICE, ctypes.byref(number)):
        return number.value
    functions().error()  # which no call after this one is to find
    return None


def by_cuda(numbers: dict[int, int], visible: str, wanted: int | None) -> list[int]:
    """Return devices in CUDA's order, or the one that is wanted; none: CUDA has no such number.

    Parameters
    ----------
    numbers : dict
        CUDA's number of each device: among those that it may see, or among all.
    visible : str
        CUDA_VISIBLE_DEVICES: which of all it may see, or "".
    wanted : int, optional
        A place in `visible`, or where that has no such place one of its numbers.
    """
    words = [word.strip() for word in visible.split(",")]
    seen = [int(word) for word in words] if all(word.isdigit() for word in words) else []
    if seen and not set(numbers.values()) <= set(range(len(seen))):
        numbers = {d: seen.index(number) for d, number in numbers.items() if number in seen}
    if seen and wanted is not None and wanted >= len(seen) and wanted in seen:
        wanted = seen.index(wanted)
    ordered = sorted(numbers, key=lambda device: numbers[device])
    return [device for device in ordered if wanted in (None, numbers[device])]


def _known_to_cuda(found: list[int], wanted: int | None) -> list[int]:
    """Devices as release 4.0 of MuJoCo chooses them; none: as they come."""
    if chosen() != LATER:
        return []
    numbers = {device: number for device in found if (number := _cuda_number(device)) is not None}
    return by_cuda(numbers, os.environ.get("CUDA_VISIBLE_DEVICES", ""), wanted) if numbers else []


def _chosen(found: list[int]) -> list[int]:
    """Return the device that MUJOCO_EGL_DEVICE_ID asks for, all where it is not set.

    With the interface of MuJoCo 4.0 it is CUDA's number where CUDA has the devices, else as ever the place in EGL's list.
    """
    value = os.environ.get("MUJOCO_EGL_DEVICE_ID", "")
    if not value:
        first = _known_to_cuda(found, None)
        return [*first, *(device for device in found if device not in first)]
    said = "The MUJOCO_EGL_DEVICE_ID environment variable must be an integer"
    try:
        number = int(value)
    except ValueError:
        raise DrawingError(f"{said}, got {value!r}.") from None
    if not found:
        raise DrawingError(f"MUJOCO_EGL_DEVICE_ID is {value}, but EGL has no devices. {DRIVERS}")
    by_number = _known_to_cuda(found, number)
    if by_number:
        return by_number
    if not 0 <= number < len(found):
        raise DrawingError(f"{said} between 0 and {len(found) - 1} (inclusive), got {number}.")
    return [found[number]]


def display() -> int:
    """Return an initialized display: of the device that MUJOCO_EGL_DEVICE_ID asks for, or the first that works."""
    found = devices()
    tried = _chosen(found)
    all_of_them = len(tried) == len(found)
    for device in tried:
        shown = device_display(device)
        if shown and initialized(shown):
            return shown
    own = functions().display(None) if all_of_them else None
    if own and initialized(own):
        return own
    raise DrawingError(
        f"EGL finds no device that draws ({functions().failure()}): a driver is missing. {DRIVERS}"
    )


def extension(name: str) -> Any:
    """Return a function that chooses devices, eglQueryDevicesEXT or eglGetPlatformDisplayEXT."""
    kinds = {
        "eglQueryDevicesEXT": (ctypes.c_uint, _INT, ctypes.POINTER(_P), _INTS),
        "eglGetPlatformDisplayEXT": (_P, ctypes.c_uint, _P, _INTS),
    }
    found = functions().extension(name, *kinds[name])
    if found is None:
        raise DrawingError(f"this EGL has no {name}. {DRIVERS}")
    return found


def leave() -> None:
    """Let no context be current in this thread."""
    egl = functions()
    shown = egl.current_display()
    if shown:
        egl.make_current(shown, None, None, None)


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
        f"the driver of EGL has no OpenGL, only other languages ({functions().failure()}). {DRIVERS}"
    )


class Context:
    """An OpenGL context without a surface, of OpenGL 3.3 or newer with the old functions where the driver has them."""

    handle: int | None = None

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
            f"EGL makes no context of OpenGL 3.3 or newer ({egl.failure()}). {DRIVERS}"
        )

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; one that was freed lets none be."""
        egl = functions()
        egl.bind(_OPENGL_API)
        if not egl.make_current(self.display, None, None, self.handle):
            raise DrawingError(
                f"EGL does not let the context be current in this thread ({egl.failure()})"
            )

    def free(self) -> None:
        """Destroy it, with all that was made in it; while another thread draws into it, when that is done."""
        handle, self.handle = self.handle, None
        if handle:
            egl = functions()
            if egl.current() == handle:
                egl.make_current(self.display, None, None, None)
            egl.destroy(self.display, handle)
