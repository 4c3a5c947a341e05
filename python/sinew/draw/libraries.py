"""Shared libraries of OpenGL, opened with ctypes; one that is missing is an error that names its package."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Any

# library: the name of its file, the package of Debian and Ubuntu that has it
_FILES = {
    "EGL": ("libEGL.so.1", "libegl1"),
    "GL": ("libGL.so.1", "libgl1"),
    "OSMesa": ("libOSMesa.so.8", "libosmesa6"),
    "OpenGL": ("/System/Library/Frameworks/OpenGL.framework/OpenGL", ""),
}
DRIVERS = (
    "macOS has OpenGL of its own; is there a graphics card?"
    if sys.platform == "darwin"
    else "on Debian and Ubuntu: sudo apt-get install libegl1 libgl1-mesa-dri"
)


class DrawingError(RuntimeError):
    """Nothing can be drawn: something of the machine, or of the program's OpenGL, is not as it must be."""


def library(name: str) -> ctypes.CDLL:
    """Return an open library, EGL, GL, OSMesa or OpenGL (of macOS).

    Raises
    ------
    DrawingError
        It is not there; the text names the package that has it.
    """
    file, package = _FILES[name]
    try:
        return ctypes.CDLL(file)
    except OSError as error:
        other = ctypes.util.find_library(
            name
        )  # under another version's name; slow, as it starts programs
        if other is not None and other != file:
            return ctypes.CDLL(other)
        if not package:
            raise DrawingError(f"this is no macOS, whose OpenGL is in {file}: {error}") from None
        raise DrawingError(
            f"drawing needs the library {file}, which is missing ({error}). On Debian and Ubuntu: "
            f"sudo apt-get install {package} libgl1-mesa-dri"
        ) from None


def loaded(name: str) -> ctypes.CDLL | None:
    """Return a library if this process has it open already; a context of its can be current only then."""
    try:
        return ctypes.CDLL(_FILES[name][0], mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None


def declare(handle: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of a library with the types of its result and arguments."""
    function = handle[
        name
    ]  # an object of its own: others' declarations of the same function stay as they are
    function.restype, function.argtypes = result, arguments
    return function
