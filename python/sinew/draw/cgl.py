"""CGL: OpenGL contexts of macOS without a window."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from .libraries import DrawingError, declare, library

COLOUR_SIZE, ALPHA_SIZE, DEPTH_SIZE, OFFLINE, PROFILE, CORE_3_2 = 8, 11, 12, 96, 99, 0x3200
_P, _INT = ctypes.c_void_p, ctypes.c_int
_PP = ctypes.POINTER(_P)
_SIGNATURES = {
    "CGLChoosePixelFormat": (ctypes.POINTER(_INT), _PP, ctypes.POINTER(_INT)),
    "CGLCreateContext": (_P, _P, _PP),
    "CGLLockContext": (_P,),
    "CGLReleaseContext": (_P,),
    "CGLReleasePixelFormat": (_P,),
    "CGLSetCurrentContext": (_P,),
    "CGLUnlockContext": (_P,),
}


class CGLError(DrawingError):
    """What one of the functions returned."""


class Functions:
    """The functions of CGL that are called."""

    def __init__(self) -> None:
        handle = library("OpenGL")
        self._words = declare(handle, "CGLErrorString", ctypes.c_char_p, _INT)
        for name, arguments in _SIGNATURES.items():
            setattr(self, name, self._checked(declare(handle, name, _INT, *arguments)))
        self.current = declare(handle, "CGLGetCurrentContext", _P)

    def _checked(self, function: Any) -> Any:
        """Return a function whose failure is an exception; those that return nothing never fail."""

        def call(*arguments: Any) -> None:
            code = function(*arguments)
            if code:
                raise CGLError(f"{function.__name__}: {self._words(code).decode(errors='replace')}")

        return call


@functools.cache
def functions() -> Any:
    """Return the functions of CGL; DrawingError where this is no macOS."""
    return Functions()


class Context:
    """An OpenGL context of the core profile, 3.3 to 4.1."""

    handle: int | None = None

    def __init__(self) -> None:
        cgl = functions()
        asked = (PROFILE, CORE_3_2, COLOUR_SIZE, 24, ALPHA_SIZE, 8, DEPTH_SIZE, 24, OFFLINE, 0)
        form, count, made = _P(), _INT(), _P()
        cgl.CGLChoosePixelFormat(
            (_INT * len(asked))(*asked), ctypes.byref(form), ctypes.byref(count)
        )
        if not form.value:
            raise CGLError("macOS has no graphics card or software that draws OpenGL 3.3")
        try:
            cgl.CGLCreateContext(form, None, ctypes.byref(made))
        finally:
            cgl.CGLReleasePixelFormat(form)
        self.handle = made.value

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; one that was freed lets none be."""
        functions().CGLSetCurrentContext(self.handle)

    def free(self) -> None:
        """Destroy it, with all that was made in it."""
        handle, self.handle = self.handle, None
        if handle:
            cgl = functions()
            if cgl.current() == handle:
                cgl.CGLSetCurrentContext(None)
            cgl.CGLReleaseContext(handle)
