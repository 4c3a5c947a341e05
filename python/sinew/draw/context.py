"""The OpenGL context that is drawn into: the one that is current, else one of ours."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from typing import Any

import moderngl

from . import bindings
from .libraries import DrawingError

_OLDEST = 330


class _Loader:
    """What moderngl asks for OpenGL's functions: of the context that is current, whoever made it."""

    def __init__(self, api: bindings.Api) -> None:
        self._api = api

    def load_opengl_function(self, name: str) -> int:
        return self._api.address(name)

    load = load_opengl_function

    def __enter__(self) -> _Loader:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def release(self) -> None:
        """Leave the context to whoever made it."""


def _moderngl_on(api: bindings.Api) -> moderngl.Context:
    """Return moderngl's view of the context that is current, and leave its default context as it was."""
    before = getattr(getattr(moderngl, "_store", None), "default_context", None)
    try:
        return moderngl.create_context(require=_OLDEST, context=_Loader(api))
    except ValueError as error:
        raise DrawingError(f"drawing needs OpenGL 3.3 or newer: {error}") from None
    finally:
        if hasattr(moderngl, "_store"):
            moderngl._store.default_context = before


class Context:
    """An OpenGL context of the caller's, or one of ours, which the drawings of a thread share.

    Attributes
    ----------
    gl : moderngl.Context
        What is drawn with.
    owned : bool
        Whether it is one of ours.
    """

    def __init__(self, binding: bindings.Binding, made: Any = None) -> None:
        self.binding, self.made = binding, made
        self.owned = made is not None
        self.users = 0
        self.thread, self.process = threading.get_ident(), os.getpid()
        self.gl = _moderngl_on(binding.api)
        self.gl.gc_mode = (
            "context_gc"  # what is no longer used is freed at the next drawing, in this context
        )
        self._functions: dict[str, Any] = {}
        self._before: list[bindings.Binding | None] = []

    # ---- being current

    def usable(self) -> bool:
        """Whether it is current in this thread, or can be made so."""
        if self.process != os.getpid() or self.gl is None:
            return False
        if self.owned:
            return self.thread == threading.get_ident()
        return bindings.current() == self.binding

    def _refusal(self) -> str:
        if self.gl is None:
            return "the OpenGL context of this drawing has been freed"
        if self.process != os.getpid():
            return (
                "this drawing was made in another process: OpenGL does not outlive a fork. Make a Renderer or "
                "MjrContext in each process, and start processes by multiprocessing's 'spawn' or 'forkserver'"
            )
        if self.owned:
            return (
                "this drawing was made in another thread, whose OpenGL context it draws into: make a Renderer or "
                "MjrContext in each thread"
            )
        return (
            "the OpenGL context in which MjrContext was made is not current in this thread: call its make_current() "
            "before drawing"
        )

    def __enter__(self) -> moderngl.Context:
        if not self.usable():
            raise DrawingError(self._refusal())
        before = bindings.current()
        if before != self.binding:
            if before is not None:
                before.leave()
            self.made.make_current()
        self._before.append(before)
        self._collect()
        return self.gl

    def __exit__(self, *_: object) -> None:
        before = self._before.pop()
        if before is not None and before != self.binding:
            self.binding.leave()
            before.enter()

    def _collect(self) -> None:
        """Free what nobody holds any longer; moderngl's own `gc` stumbles over what was released before."""
        objects = self.gl.objects
        while objects:
            release = getattr(objects.popleft(), "release", None)
            if release is not None:
                release()

    # ---- functions of OpenGL that moderngl lacks

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return a function of OpenGL, or None where the context has none of that name."""
        if name not in self._functions:
            address = self.binding.api.address(name)
            self._functions[name] = (
                ctypes.CFUNCTYPE(result, *arguments)(address) if address else None
            )
        return self._functions[name]

    # ---- users

    def use(self) -> Context:
        """Count one more drawing."""
        self.users += 1
        return self

    def leave(self) -> None:
        """Count one drawing less; the last one frees a context of ours."""
        self.users -= 1
        if self.users == 0 and self.owned and self.process == os.getpid():
            _own.forget(self)
            self.made.free()
            self.gl = None  # type: ignore[assignment]


class _Own(threading.local):
    """The context of ours that this thread has."""

    context: Context | None = None

    def forget(self, context: Context) -> None:
        if self.context is context:
            self.context = None


_own = _Own()
_forked = False  # in a child of a process that had drawn
_ever = False


def _after_fork() -> None:
    global _forked
    _forked = _ever
    _own.context = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _make() -> Any:
    if sys.platform == "darwin":
        from . import cgl

        return cgl.Context()
    from . import egl

    return egl.Context()


def own() -> Context:
    """Return this thread's context of ours, made if there is none, counted once more.

    Raises
    ------
    DrawingError
        None can be made; the text says what is missing.
    """
    global _ever
    if _own.context is None:
        if _forked:
            raise DrawingError(
                "this process was forked from one that had drawn, and OpenGL does not outlive a fork: start it by "
                "multiprocessing's 'spawn' or 'forkserver', or draw in children only"
            )
        before = bindings.current()
        if before is not None:
            before.leave()
        made = _make()
        made.make_current()
        _own.context = Context(bindings.current(), made)
        _ever = True
        if before is not None:
            _own.context.binding.leave()
            before.enter()
    return _own.context.use()


def current() -> Context:
    """Return the context that is current in this thread, counted once more; where there is none, one of ours.

    Raises
    ------
    DrawingError
        There is none and none can be made; the text says what is missing.
    """
    binding = bindings.current()
    if binding is None or (_own.context is not None and binding == _own.context.binding):
        return own()
    return Context(binding).use()


_LOWER_LEFT, _ZERO_TO_ONE, _NEGATIVE_ONE_TO_ONE = 0x8CA1, 0x935F, 0x935E


class ClipControl:
    """Depth from 0 to 1 before division, as OpenGL 4.5 has it, while it is entered.

    `there` says whether the context has it; without it pictures are the same with less exact depth.
    """

    def __init__(self, context: Context) -> None:
        gl = context.gl
        has = gl.version_code >= 450 or "GL_ARB_clip_control" in gl.extensions
        function = context.function("glClipControl", None, ctypes.c_uint, ctypes.c_uint)
        self._function: Any = function if has else None
        self.there = bool(self._function)

    def __enter__(self) -> None:
        if self.there:
            self._function(_LOWER_LEFT, _ZERO_TO_ONE)

    def __exit__(self, *_: object) -> None:
        if self.there:
            self._function(_LOWER_LEFT, _NEGATIVE_ONE_TO_ONE)
