"""OSMesa: OpenGL contexts that draw into memory, without a driver or a screen."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from .libraries import DrawingError, declare, library

_RGBA, _UNSIGNED_BYTE = 0x1908, 0x1401
_FORMAT, _DEPTH_BITS, _STENCIL_BITS = 0x22, 0x30, 0x31
_PROFILE, _CORE, _COMPATIBLE, _MAJOR, _MINOR = 0x33, 0x34, 0x35, 0x36, 0x37
_P, _INT = ctypes.c_void_p, ctypes.c_int


class Functions:
    """The functions of OSMesa that are called."""

    def __init__(self) -> None:
        handle = library("OSMesa")
        self.create = declare(handle, "OSMesaCreateContextAttribs", _P, ctypes.POINTER(_INT), _P)
        self.destroy = declare(handle, "OSMesaDestroyContext", None, _P)
        self.current = declare(handle, "OSMesaGetCurrentContext", _P)
        self.make_current = declare(
            handle, "OSMesaMakeCurrent", ctypes.c_ubyte, _P, _P, ctypes.c_uint, _INT, _INT
        )


@functools.cache
def functions() -> Functions:
    """Return the functions of OSMesa; DrawingError where there is none."""
    return Functions()


class Context:
    """An OpenGL context with a picture of a size in memory, which is its window."""

    handle: int | None = None

    def __init__(self, width: int, height: int) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"a picture of {width} x {height}: it has at least one pixel")
        self.width, self.height = width, height
        self._memory: Any = ctypes.create_string_buffer(4 * width * height)
        buffers = (_FORMAT, _RGBA, _DEPTH_BITS, 24, _STENCIL_BITS, 8)
        for profile in (_COMPATIBLE, _CORE):
            asked = (*buffers, _PROFILE, profile, _MAJOR, 3, _MINOR, 3, 0)
            self.handle = functions().create((_INT * len(asked))(*asked), None)
            if self.handle:
                return
        raise DrawingError("OSMesa makes no context of OpenGL 3.3 or newer: it is too old")

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; one that was freed lets none be."""
        if not self.handle:
            functions().make_current(None, None, _UNSIGNED_BYTE, 0, 0)
        elif not functions().make_current(
            self.handle, self._memory, _UNSIGNED_BYTE, self.width, self.height
        ):
            raise DrawingError("OSMesa does not let the context be current in this thread")

    def free(self) -> None:
        """Destroy it, with all that was made in it."""
        handle, self.handle = self.handle, None
        if handle:
            if functions().current() == handle:
                functions().make_current(None, None, _UNSIGNED_BYTE, 0, 0)
            functions().destroy(handle)
            self._memory = None
