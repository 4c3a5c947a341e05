"""The OpenGL context that is drawn into: the one that is current, else one of ours."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

import moderngl


def current() -> moderngl.Context:
    """Return the context that is current in this thread, or make one without a window and let it be current.

    Raises
    ------
    RuntimeError
        There is none and none can be made; the text names the packages that are missing.
    """
    try:
        return moderngl.create_context(require=330)
    except Exception:
        return moderngl.create_context(standalone=True, backend="egl", require=330)


_LOWER_LEFT, _ZERO_TO_ONE, _NEGATIVE_ONE_TO_ONE = 0x8CA1, 0x935F, 0x935E


class ClipControl:
    """Depth from 0 to 1 before division, as OpenGL 4.5 has it, while it is entered.

    `there` says whether the context has it; without it pictures are the same with less exact depth.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self.there = gl.version_code >= 450 or "GL_ARB_clip_control" in gl.extensions
        self._function: Any = _load("glClipControl") if self.there else None
        self.there = bool(self._function)

    def __enter__(self) -> None:
        if self.there:
            self._function(_LOWER_LEFT, _ZERO_TO_ONE)

    def __exit__(self, *_: object) -> None:
        if self.there:
            self._function(_LOWER_LEFT, _NEGATIVE_ONE_TO_ONE)


def _load(name: str) -> Any:
    """Return a function of OpenGL with two enumerators, or None."""
    for library, finder in (("EGL", "eglGetProcAddress"), ("GL", "glXGetProcAddressARB")):
        path = ctypes.util.find_library(library)
        if path is None:
            continue
        find = getattr(ctypes.CDLL(path), finder)
        find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        address = find(name.encode())
        if address:
            return ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_uint)(address)
    return None
