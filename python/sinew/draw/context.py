"""The OpenGL context that is drawn into: the one that is current, else one of ours.

A context of ours is current only while it is drawn into. So it hides no context of the caller's, and any thread may
draw into it, one after the other.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import weakref
from typing import Any

import moderngl

from . import bindings, maker
from .caller import CallerState
from .libraries import DRIVERS, DrawingError

_OLDEST = (3, 3)
_VERSION = 0x1F02


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


def _refuse_older(api: bindings.Api) -> None:
    """Refuse a context that is current and cannot draw."""
    address = api.address("glGetString")
    said = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(address)(_VERSION) if address else None
    words = (said or b"none").decode(errors="replace")
    numbers = words.split()[0].split(".")
    if not all(part.isdigit() for part in numbers[:2]) or tuple(map(int, numbers[:2])) < _OLDEST:
        raise DrawingError(
            f"drawing needs OpenGL 3.3 or newer; the context that is current has {words}. Ask for a newer one where "
            "it is made (glfw: window_hint(CONTEXT_VERSION_MAJOR, 3), ..._MINOR, 3), or install a newer driver. "
            f"{DRIVERS}"
        )


def _moderngl_on(api: bindings.Api) -> moderngl.Context:
    """Return moderngl's view of the context that is current, and leave its default context as it was."""
    _refuse_older(api)
    store: Any = getattr(moderngl, "_store", None)
    before = getattr(store, "default_context", None)
    try:
        return moderngl.create_context(require=330, context=_Loader(api))
    finally:
        if store is not None:
            store.default_context = before


class Context:
    """An OpenGL context of the caller's, or one of ours, which drawings share; entered while something is drawn.

    Attributes
    ----------
    gl : moderngl.Context
        What is drawn with; None when a context of ours has been freed.
    owned : bool
        Whether it is one of ours.
    """

    def __init__(self, binding: bindings.Binding, ours: maker.Made | None = None) -> None:
        global _drawn
        _drawn = True
        self.binding = binding
        self.owned = ours is not None
        self.users = 0
        self.process = os.getpid()
        self.gl: Any = _moderngl_on(binding.api)
        self.gl.gc_mode = "context_gc"  # what nobody holds any longer is freed at the next drawing
        self._made = ours
        self._functions: dict[str, Any] = {}
        self._lock, self._counting = threading.RLock(), threading.RLock()
        self._entered = 0
        self._before: bindings.Binding | None = None
        self._state = None if self.owned else CallerState(self)

    # ---- being current

    def usable(self) -> bool:
        """Whether it is current in this thread, or can be made so."""
        if self.process != os.getpid() or self.gl is None:
            return False
        return self.owned or bindings.current() == self.binding

    def _refusal(self) -> str:
        if self.gl is None:
            return "the OpenGL context of this drawing has been freed"
        if self.process != os.getpid():
            return _FORKED
        return (
            "the OpenGL context in which MjrContext was made is not current in this thread: call its make_current() "
            "before drawing"
        )

    def __enter__(self) -> moderngl.Context:
        if not self.usable():
            raise DrawingError(self._refusal())
        self._lock.acquire()
        try:
            if self._entered == 0:
                self._begin()
        except BaseException:
            self._lock.release()
            raise
        self._entered += 1
        _latest.context = weakref.ref(self)
        return self.gl

    def __exit__(self, *_: object) -> None:
        self._entered -= 1
        try:
            if self._entered == 0:
                self._end()
        finally:
            self._lock.release()

    def _begin(self) -> None:
        if self._made is not None:
            self._before = bindings.current()
            if self._before is not None:
                self._before.leave()  # some interfaces refuse a second context beside theirs
            self._made.make_current()
        elif self._state is not None:
            self._state.keep()
        self._collect()

    def _end(self) -> None:
        if self._made is not None:
            self.binding.leave()
            before, self._before = self._before, None
            if before is not None:
                before.enter()
        elif self._state is not None:
            self._state.give_back()

    def _collect(self) -> None:
        """Free what nobody holds any longer; moderngl's own `gc` stumbles over what was released before."""
        objects = self.gl.objects
        while objects:
            release = getattr(objects.popleft(), "release", None)
            if release is not None:
                release()

    def forget(self) -> None:
        """Free what is kept for all drawings of a context, as the last one of a caller's goes."""
        for name in [name for name in vars(self.gl) if name.startswith("_sinew_")]:
            delattr(self.gl, name)
        self._collect()

    # ---- functions of OpenGL that moderngl lacks

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return a function of OpenGL, or None where the context has none of that name."""
        if name not in self._functions:
            address = self.binding.api.address(name)
            kind = ctypes.CFUNCTYPE(result, *arguments)
            self._functions[name] = kind(address) if address else None
        return self._functions[name]

    def integers(self, name: int, count: int = 1) -> tuple[int, ...]:
        """Return what glGetIntegerv answers."""
        get = self.function("glGetIntegerv", None, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))
        answer = (ctypes.c_int * 16)()  # room for whatever a driver writes
        get(name, answer)
        return tuple(answer[:count])

    def integer(self, name: int) -> int:
        """Return a number of glGetIntegerv."""
        return self.integers(name)[0]

    def window_size(self) -> tuple[int, int]:
        """Return width and height of the window of a caller's context, which is entered."""
        return (0, 0) if self._state is None else self._state.scissor[2:]

    def draws_indirect(self) -> bool:
        """Whether OpenGL takes what it draws from a buffer, many shapes in one call, from any instance on."""
        wanted = {"GL_ARB_multi_draw_indirect", "GL_ARB_base_instance"}
        there = self.gl.version_code >= 430 or wanted <= self.gl.extensions
        return there and self.function("glMultiDrawElementsIndirect", None) is not None

    # ---- users

    def use(self) -> Context:
        """Count one more drawing."""
        with self._counting:
            self.users += 1
        return self

    def leave(self) -> None:
        """Count one drawing less; the last one frees a context of ours."""
        with self._counting:
            self.users -= 1
            last = self.users == 0
        if last:
            self.free()

    def free(self) -> None:
        """Free a context of ours; one of the caller's is left alone."""
        ours, self._made = self._made, None
        if ours is not None:
            self.gl = None
            if self.process == os.getpid():
                ours.free()


_FORKED = (
    "this process was forked from one that had drawn, and OpenGL does not outlive a fork: start processes by "
    "multiprocessing's 'spawn' or 'forkserver', and make a Renderer or MjrContext in each"
)


class _Latest(threading.local):
    """What this thread has drawn into last."""

    context: weakref.ref[Context] | None = None


class _Own(threading.local):
    """The context of ours that this thread has made."""

    context: Context | None = None


_latest, _own = _Latest(), _Own()
_owned: weakref.WeakSet[Context] = weakref.WeakSet()  # all of ours
_drawn = False  # this process has had an OpenGL context
_forked = False  # it was forked from one that had


def _before_fork() -> None:
    global _drawn
    _drawn = _drawn or bindings.current() is not None


def _after_fork() -> None:
    global _forked
    _forked = _drawn
    _own.context = None


def _at_exit() -> None:
    """Free all of ours while there still is a Python; what is drawn or freed later finds them gone."""
    for context in list(_owned):
        context.free()


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)


def _made_current() -> Context:
    """Return a new context of ours; what was current before is so again."""
    before = bindings.current()
    if before is not None:
        before.leave()
    try:
        ours = maker.make()
        ours.make_current()
        binding = bindings.current()
        if binding is None:
            raise DrawingError("the OpenGL context that was made is not current")
        context = Context(binding, ours)
        binding.leave()
    finally:
        if before is not None:
            before.enter()
    _owned.add(context)
    return context


def own() -> Context:
    """Return this thread's context of ours, made if there is none, counted once more.

    Raises
    ------
    DrawingError
        None can be made; the text says what is missing.
    """
    if _forked:
        raise DrawingError(_FORKED)
    if _own.context is None or _own.context.gl is None:
        _own.context = _made_current()
    return _own.context.use()


def current() -> Context:
    """Return the context that is current in this thread, counted once more; where there is none, one of ours.

    Raises
    ------
    DrawingError
        There is none and none can be made; the text says what is missing.
    """
    binding = bindings.current()
    if binding is None:
        return own()
    return Context(binding).use()


def latest() -> Context:
    """Return what this thread has drawn into last.

    Raises
    ------
    DrawingError
        It has drawn nothing, or that context is gone.
    """
    context = _latest.context() if _latest.context else None
    if context is None or context.gl is None:
        raise DrawingError("there is no OpenGL context to draw into: make a MjrContext first")
    return context


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
