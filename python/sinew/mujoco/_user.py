"""What the user lends the engine: functions for warnings and memory, libraries of plugins; and a cache, of which it has none."""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable
from typing import Any

from .. import _core
from ._callbacks import reset_callbacks
from ._errors import FatalError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADERS_DIR = os.path.join(_PACKAGE, "include", "sinew")  # Sinew's own C headers
PLUGINS_DIR = os.path.join(_PACKAGE, "plugin")  # there is none
PLUGIN_HANDLES: list[Any] = []

_POINTER = type(ctypes.CFUNCTYPE(None))  # the type of ctypes' types of functions
_memory: dict[str, Any] = {"malloc": None, "free": None}


class _CFunction:
    """Gives a C function of ctypes, which takes a `char*`, the text as it wants it."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, text: str) -> None:
        self.function(text.encode())


def warn(text: str) -> None:
    """Tell a warning to the user's function, or where there is none as a Python warning."""
    user = _core.getUserWarning()
    if user:
        user(text)
    else:
        warnings.warn(text, stacklevel=3)


def set_mju_user_warning(arg0: Callable[[str], Any] | None) -> None:
    """Let a function take the texts of warnings of MjData and of loading; None: they are Python's warnings.

    A C function of ctypes gets them as bytes.
    """
    if arg0 is not None and not callable(arg0):
        raise TypeError("callback is not an Optional[Callable]")
    _core.setUserWarning(_CFunction(arg0) if isinstance(type(arg0), _POINTER) else arg0)


def get_mju_user_warning() -> Callable[[str], Any] | None:
    """The function that takes the texts of warnings."""
    function = _core.getUserWarning()
    return function.function if isinstance(function, _CFunction) else function


def _set_memory(name: str, callback: Any) -> None:
    if callback is not None and not isinstance(type(callback), _POINTER):
        raise TypeError(f"mju_user_{name} must be a C function pointer of ctypes or None")
    _memory[name] = callback


def set_mju_user_malloc(arg0: Any) -> None:
    """Keep a C function for memory; Sinew does not call it, its memory comes from the system."""
    _set_memory("malloc", arg0)


def get_mju_user_malloc() -> Any:
    """What set_mju_user_malloc was given."""
    return _memory["malloc"]


def set_mju_user_free(arg0: Any) -> None:
    """Keep a C function that frees memory; Sinew does not call it."""
    _set_memory("free", arg0)


def get_mju_user_free() -> Any:
    """What set_mju_user_free was given."""
    return _memory["free"]


def mj_resetCallbacks() -> None:
    """Take all default callbacks away, and the user's functions for warnings and memory."""
    reset_callbacks()
    set_mju_user_warning(None)
    _memory.update(malloc=None, free=None)


class _Cache:
    """Stands for the peer's cache of assets: Sinew keeps none, a file is read when a model is compiled."""

    capacity = 524288000


_cache = _Cache()


def _checked(cache: Any) -> _Cache:
    if not isinstance(cache, _Cache):
        raise TypeError("not the cache that mj_getCache gives")
    return cache


def mj_getCache() -> Any:
    """The cache of assets, in which there never is anything."""
    return _cache


def mj_getCacheSize(cache: Any) -> int:
    """Bytes in the cache of assets: 0."""
    _checked(cache)
    return 0


def mj_getCacheCapacity(cache: Any) -> int:
    """Bytes that the cache of assets may hold."""
    return _checked(cache).capacity


def mj_setCacheCapacity(cache: Any, size: int) -> int:
    """Set how many bytes the cache of assets may hold; returns it."""
    if size < 0:
        raise TypeError("size must be 0 or more")
    _checked(cache).capacity = int(size)
    return _cache.capacity


def mj_clearCache(cache: Any) -> None:
    """Empty the cache of assets."""
    _checked(cache)


def mj_loadAllPluginLibraries(directory: str) -> None:
    """Load the libraries of plugins in a folder; those that cannot be loaded, as MuJoCo's own, are warned of."""
    for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else ():
        if not name.endswith((".so", ".dylib", ".dll")):
            continue
        try:
            _core.loadPluginLibrary(os.path.join(directory, name))
        except (OSError, ValueError) as error:
            warn(str(error))


def mj_loadPluginLibrary(path: str) -> None:
    """Load a library of plugins that is written for Sinew. FatalError: it cannot be loaded, or is one of MuJoCo's."""
    try:
        _core.loadPluginLibrary(path)
    except (OSError, ValueError) as error:
        raise FatalError(f"cannot load the plugin library '{path}': {error}") from None


__all__ = [
    "HEADERS_DIR",
    "PLUGINS_DIR",
    "PLUGIN_HANDLES",
    "get_mju_user_free",
    "get_mju_user_malloc",
    "get_mju_user_warning",
    "mj_clearCache",
    "mj_getCache",
    "mj_getCacheCapacity",
    "mj_getCacheSize",
    "mj_loadAllPluginLibraries",
    "mj_loadPluginLibrary",
    "mj_resetCallbacks",
    "mj_setCacheCapacity",
    "set_mju_user_free",
    "set_mju_user_malloc",
    "set_mju_user_warning",
]
