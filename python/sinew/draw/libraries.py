"""Shared libraries of OpenGL, opened with ctypes; one that is missing is an error that names its package."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Any

# library: names that its file may have, the package of Debian and Ubuntu that has it
_FILES: dict[str, tuple[tuple[str, ...], str]] = {
    "EGL": (("libEGL.so.1",), "libegl1"),
    "GLX": (("libGLX.so.0", "libGL.so.1"), "libgl1"),
    "OSMesa": (("libOSMesa.so.8", "libOSMesa.so.6"), "libosmesa6"),
    "OpenGL": (("/System/Library/Frameworks/OpenGL.framework/OpenGL",), ""),
}
DRIVERS = (
    "On macOS it is a part of the system."
    if sys.platform == "darwin"
    else "On Debian and Ubuntu: sudo apt-get install libegl1 libgl1-mesa-dri"
)


class DrawingError(RuntimeError):
    """Nothing can be drawn: something of the machine, or of the program's OpenGL, is not as it must be."""


def _open(name: str, mode: int) -> ctypes.CDLL | None:
    for file in _FILES[name][0]:
        try:
            return ctypes.CDLL(file, mode=mode)
        except OSError:
            pass
    return None


def library(name: str) -> ctypes.CDLL:
    """Return an open library, EGL, OSMesa or OpenGL (of macOS).

    Raises
    ------
    DrawingError
        It is not there; the text names the package that has it.
    """
    (file, *_), package = _FILES[name]
    found = _open(name, ctypes.DEFAULT_MODE)
    if found is None and package:
        other = ctypes.util.find_library(
            name
        )  # under another version's name; slow, as it starts programs
        found = ctypes.CDLL(other) if other else None
    if found is not None:
        return found
    if not package:
        raise DrawingError(f"CGL draws on macOS alone: {file} is missing")
    raise DrawingError(
        f"drawing needs the library {file}, which is missing. On Debian and Ubuntu: "
        f"sudo apt-get install {package} libgl1-mesa-dri"
    )


def loaded(name: str) -> ctypes.CDLL | None:
    """Return a library if this process has it open already; a context of its can be current only then."""
    if sys.platform == "win32":
        return None  # nothing here asks a context of Windows
    return _open(name, os.RTLD_NOLOAD | os.RTLD_LAZY)


def declare(handle: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of a library with the types of its result and arguments."""
    function = handle[
        name
    ]  # an object of its own: others' declarations of the same function stay as they are
    function.restype, function.argtypes = result, arguments
    return function
