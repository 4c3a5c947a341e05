"""The state of OpenGL that drawing over a picture changes, kept and given back.

Others draw into the same context, through moderngl and without it; so what is kept is what OpenGL has, not what moderngl
knows of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

_ARRAY_BUFFER = 0x8892
_BLEND, _DEPTH_TEST, _CULL_FACE, _STENCIL_TEST = 0x0BE2, 0x0B71, 0x0B44, 0x0B90
_FRONT_AND_BACK, _FILL, _TEXTURE0, _TEXTURE_2D = 0x0408, 0x1B02, 0x84C0, 0x0DE1
_SRC_ALPHA, _ONE_MINUS_SRC_ALPHA, _ONE, _FUNC_ADD = 0x0302, 0x0303, 1, 0x8006

# what glGetIntegerv is asked: name, numbers that it answers with
_ASKED = {
    "viewport": (0x0BA2, 4),
    "blend_src_rgb": (0x80C9, 1),
    "blend_dst_rgb": (0x80C8, 1),
    "blend_src_alpha": (0x80CB, 1),
    "blend_dst_alpha": (0x80CA, 1),
    "blend_equation_rgb": (0x8009, 1),
    "blend_equation_alpha": (0x883D, 1),
    "polygon_mode": (0x0B40, 2),
    "program": (0x8B8D, 1),
    "vertex_array": (0x85B5, 1),
    "array_buffer": (0x8894, 1),
    "active_texture": (0x84E0, 1),
    "viewport_limits": (0x0D3A, 2),
}
_TEXTURE_BINDING_2D = 0x8069

# functions of OpenGL: number of arguments, all of them integers
_CALLED = {
    "glEnable": 1,
    "glDisable": 1,
    "glViewport": 4,
    "glBlendFuncSeparate": 4,
    "glBlendEquationSeparate": 2,
    "glPolygonMode": 2,
    "glUseProgram": 1,
    "glBindVertexArray": 1,
    "glBindBuffer": 2,
    "glActiveTexture": 1,
    "glBindTexture": 2,
}


class Finder:
    """Finds functions of OpenGL that moderngl does not have, where it found its own.

    Parameters
    ----------
    gl : moderngl.Context
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self._load = _loader(gl)
        self._kind = ctypes.WINFUNCTYPE if hasattr(ctypes, "WINFUNCTYPE") else ctypes.CFUNCTYPE

    def __call__(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return a function by its name, with the types of its result and arguments."""
        return self._kind(result, *arguments)(self._load(name))


class State:
    """The state of one OpenGL context.

    Parameters
    ----------
    gl : moderngl.Context
        The context, which is current.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        find = Finder(gl)
        self._get = find("glGetIntegerv", None, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))
        self._is_enabled = find("glIsEnabled", ctypes.c_ubyte, ctypes.c_uint)
        self._is_program = find("glIsProgram", ctypes.c_ubyte, ctypes.c_uint)
        for name, count in _CALLED.items():
            setattr(self, name, find(name, None, *[ctypes.c_int] * count))
        self.surface = min(self._ask("viewport_limits"))

    def _ask(self, name: str) -> tuple[int, ...]:
        code, count = _ASKED[name]
        answer = (ctypes.c_int * 16)()  # room for the state of any driver
        self._get(code, answer)
        return tuple(answer[:count])

    def _texture(self) -> int:
        answer = (ctypes.c_int * 16)()
        self._get(_TEXTURE_BINDING_2D, answer)
        return answer[0]

    @contextmanager
    def over(self) -> Iterator[None]:
        """Draw over a picture meanwhile: no depth, mixed by opacity, pixels `surface` wide and high from the corner."""
        gl: Any = self
        found = {name: self._ask(name) for name in _ASKED}
        switches = {
            s: bool(self._is_enabled(s)) for s in (_BLEND, _DEPTH_TEST, _CULL_FACE, _STENCIL_TEST)
        }
        gl.glActiveTexture(_TEXTURE0)
        texture = self._texture()
        try:
            gl.glViewport(0, 0, self.surface, self.surface)
            for switch in (_DEPTH_TEST, _CULL_FACE, _STENCIL_TEST):
                gl.glDisable(switch)
            gl.glEnable(_BLEND)
            # the picture's own opacity stays: what is drawn over an opaque picture leaves it opaque
            gl.glBlendFuncSeparate(_SRC_ALPHA, _ONE_MINUS_SRC_ALPHA, _ONE, _ONE_MINUS_SRC_ALPHA)
            gl.glBlendEquationSeparate(_FUNC_ADD, _FUNC_ADD)
            gl.glPolygonMode(_FRONT_AND_BACK, _FILL)
            yield
        finally:
            self._give_back(found, switches, texture)

    def _give_back(self, found: dict, switches: dict[int, bool], texture: int) -> None:
        gl: Any = self
        gl.glBindTexture(_TEXTURE_2D, texture)
        gl.glActiveTexture(*found["active_texture"])
        gl.glBindVertexArray(*found["vertex_array"])
        gl.glBindBuffer(_ARRAY_BUFFER, *found["array_buffer"])
        # a program that was thrown away while it was in use is gone now
        gl.glUseProgram(found["program"][0] if self._is_program(*found["program"]) else 0)
        gl.glPolygonMode(_FRONT_AND_BACK, found["polygon_mode"][0])
        gl.glBlendEquationSeparate(*found["blend_equation_rgb"], *found["blend_equation_alpha"])
        gl.glBlendFuncSeparate(
            *(found[f"blend_{k}"][0] for k in ("src_rgb", "dst_rgb", "src_alpha", "dst_alpha"))
        )
        for switch, on in switches.items():
            (gl.glEnable if on else gl.glDisable)(switch)
        gl.glViewport(*found["viewport"])


def _loader(gl: moderngl.Context) -> Callable[[str], int]:
    """The function that finds functions of OpenGL, which moderngl found its own by."""
    context = getattr(gl.mglo, "_context", None)
    for name in ("load_opengl_function", "load"):
        if hasattr(context, name):
            return getattr(context, name)
    raise RuntimeError(
        f"moderngl {moderngl.__version__} does not say how it finds functions of OpenGL; "
        "pip install 'moderngl>=5.12'"
    )
