"""Shared libraries of OpenGL, opened with ctypes; one that is missing is an error that names its package."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Any

# library: the names of its file, the package of Debian and Ubuntu that has it
_FILES = {
    "EGL": ("libEGL.so.1", "libegl1"),
    "GL": ("libGL.so.1", "libgl1"),
    "OSMesa": ("libOSMesa.so.8", "libosmesa6"),
}
_FRAMEWORK = "/System/Library/Frameworks/OpenGL.framework/OpenGL"
DRIVERS = (
    "sudo apt-get install libegl1 libgl1-mesa-dri"
    if sys.platform != "darwin"
    else "use macOS 10.9 or newer"
)


class DrawingError(RuntimeError):
    """Nothing can be drawn, as something of the machine or of the program's OpenGL is not as it must be."""


def _path(name: str) -> str:
    if sys.platform == "darwin":
        return ctypes.util.find_library("OpenGL") or _FRAMEWORK
    return ctypes.util.find_library(name) or _FILES[name][0]


def library(name: str) -> ctypes.CDLL:
    """Return an open library, EGL, GL or OSMesa.

    Raises
    ------
    DrawingError
        It is not there; the text names the package that has it.
    """
    path = _path(name)
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        package = _FILES[name][1]
        mend = f"install it, on Debian and Ubuntu with `sudo apt-get install {package}`"
        raise DrawingError(f"the library {path} for OpenGL is missing ({error}): {mend}") from None


def loaded(name: str) -> ctypes.CDLL | None:
    """Return a library if this process has it open already; a context of its can be current only then."""
    try:
        return ctypes.CDLL(_path(name), mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except (OSError, KeyError):
        return None


def declare(handle: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of a library with the types of its result and arguments."""
    function = handle[
        name
    ]  # an object of its own: others' declarations of the same function stay as they are
    function.restype, function.argtypes = result, arguments
    return function
