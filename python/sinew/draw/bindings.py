"""Which OpenGL context is current in this thread: by each of the interfaces that can make one so."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass, field
from typing import Any

from . import libraries
from .libraries import declare

_P, _UNSIGNED = ctypes.c_void_p, ctypes.c_ulong


@dataclass(frozen=True)
class Binding:
    """A context that is current, with what it takes to make it so again. Two are equal if they are of one context."""

    api: Api = field(compare=False)
    context: int
    rest: tuple = field(compare=False, default=())

    def enter(self) -> None:
        """Make it current in this thread."""
        self.api.enter(self)

    def leave(self) -> None:
        """Let it be current no longer, as some interfaces allow no other context beside theirs."""
        self.api.leave(self)


class Api:
    """An interface that makes contexts current."""

    library = ""

    def __init__(self) -> None:
        self._handle: ctypes.CDLL | None = None

    def there(self) -> bool:
        """Whether this process uses it."""
        if self._handle is None:
            self._handle = libraries.loaded(self.library)
            if self._handle is not None:
                self.declare(self._handle)
        return self._handle is not None

    def declare(self, handle: ctypes.CDLL) -> None:
        """Take its functions."""

    def binding(self) -> Binding | None:
        """Return what is current in this thread."""
        raise NotImplementedError

    def address(self, name: str) -> int:
        """Return the address of a function of OpenGL, 0 if there is none."""
        raise NotImplementedError

    def enter(self, binding: Binding) -> None:
        """Make a context current."""

    def leave(self, binding: Binding) -> None:
        """Let no context be current."""


class Egl(Api):
    """EGL."""

    library = "EGL"

    def declare(self, handle: ctypes.CDLL) -> None:
        self._current = declare(handle, "eglGetCurrentContext", _P)
        self._display = declare(handle, "eglGetCurrentDisplay", _P)
        self._surface = declare(handle, "eglGetCurrentSurface", _P, ctypes.c_int32)
        self._make = declare(handle, "eglMakeCurrent", ctypes.c_uint, _P, _P, _P, _P)
        self._address = declare(handle, "eglGetProcAddress", _P, ctypes.c_char_p)

    def binding(self) -> Binding | None:
        context = self._current()
        if not context:
            return None
        draw, read = 0x3059, 0x305A
        return Binding(self, context, (self._display(), self._surface(draw), self._surface(read)))

    def address(self, name: str) -> int:
        return self._address(name.encode()) or 0

    def enter(self, binding: Binding) -> None:
        self._make(*binding.rest, binding.context)

    def leave(self, binding: Binding) -> None:
        self._make(binding.rest[0], None, None, None)


class Glx(Api):
    """GLX, of X11."""

    library = "GLX"

    def declare(self, handle: ctypes.CDLL) -> None:
        self._current = declare(handle, "glXGetCurrentContext", _P)
        self._display = declare(handle, "glXGetCurrentDisplay", _P)
        self._drawable = declare(handle, "glXGetCurrentDrawable", _UNSIGNED)
        self._reading = declare(handle, "glXGetCurrentReadDrawable", _UNSIGNED)
        self._make = declare(
            handle, "glXMakeContextCurrent", ctypes.c_int, _P, _UNSIGNED, _UNSIGNED, _P
        )
        self._address = declare(handle, "glXGetProcAddressARB", _P, ctypes.c_char_p)

    def binding(self) -> Binding | None:
        context = self._current()
        if not context:
            return None
        return Binding(self, context, (self._display(), self._drawable(), self._reading()))

    def address(self, name: str) -> int:
        return self._address(name.encode()) or 0

    def enter(self, binding: Binding) -> None:
        self._make(*binding.rest, binding.context)

    def leave(self, binding: Binding) -> None:
        self._make(binding.rest[0], 0, 0, None)


class OSMesa(Api):
    """OSMesa, which draws into memory of the caller's."""

    library = "OSMesa"

    def declare(self, handle: ctypes.CDLL) -> None:
        self._current = declare(handle, "OSMesaGetCurrentContext", _P)
        self._make = declare(
            handle, "OSMesaMakeCurrent", ctypes.c_ubyte, _P, _P, ctypes.c_uint, *[ctypes.c_int] * 2
        )
        self._address = declare(handle, "OSMesaGetProcAddress", _P, ctypes.c_char_p)
        ints = ctypes.POINTER(ctypes.c_int)
        self._buffer = declare(
            handle, "OSMesaGetColorBuffer", ctypes.c_ubyte, _P, *[ints] * 3, ctypes.POINTER(_P)
        )

    def binding(self) -> Binding | None:
        context = self._current()
        if not context:
            return None
        width, height, kind, memory = ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), _P()
        self._buffer(context, *map(ctypes.byref, (width, height, kind, memory)))
        return Binding(self, context, (memory.value, width.value, height.value))

    def address(self, name: str) -> int:
        return self._address(name.encode()) or 0

    def enter(self, binding: Binding) -> None:
        memory, width, height = binding.rest
        self._make(binding.context, memory, 0x1401, width, height)

    def leave(self, binding: Binding) -> None:
        self._make(None, None, 0x1401, 0, 0)


class Cgl(Api):
    """CGL, of macOS."""

    library = "OpenGL"

    def declare(self, handle: ctypes.CDLL) -> None:
        self._current = declare(handle, "CGLGetCurrentContext", _P)
        self._make = declare(handle, "CGLSetCurrentContext", ctypes.c_int, _P)

    def binding(self) -> Binding | None:
        context = self._current()
        return Binding(self, context) if context else None

    def address(self, name: str) -> int:
        assert self._handle is not None
        try:
            return ctypes.cast(self._handle[name], _P).value or 0
        except AttributeError:
            return 0

    def enter(self, binding: Binding) -> None:
        self._make(binding.context)

    def leave(self, binding: Binding) -> None:
        self._make(None)


_APIS: tuple[Any, ...] = (Cgl(),) if sys.platform == "darwin" else (Egl(), Glx(), OSMesa())


def current() -> Binding | None:
    """Return the context that is current in this thread."""
    for api in _APIS:
        if api.there():
            found = api.binding()
            if found is not None:
                return found
    return None
