"""A caller's OpenGL context while it is drawn into: its state is kept, set as drawing expects it, and given back.

The frame buffer that is bound is not: programs draw into it after mjr_setBuffer and mjr_setAux.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .context import Context

_INT, _UNSIGNED, _FLOAT = ctypes.c_int, ctypes.c_uint, ctypes.c_float
_BLEND, _DEPTH_TEST, _CULL_FACE, _STENCIL_TEST, _SCISSOR_TEST = (
    0x0BE2,
    0x0B71,
    0x0B44,
    0x0B90,
    0x0C11,
)
_MULTISAMPLE, _SRGB, _POINT_SIZE, _RESTART, _OFFSET = 0x809D, 0x8DB9, 0x8642, 0x8F9D, 0x8037
_COVERAGE, _DISCARD = 0x809E, 0x8C89
_SWITCHES = (
    _BLEND, _DEPTH_TEST, _CULL_FACE, _STENCIL_TEST, _SCISSOR_TEST, _MULTISAMPLE, _SRGB, _POINT_SIZE, _RESTART,
    _OFFSET, _COVERAGE, _DISCARD,
)  # fmt: skip
_OFF = (
    _STENCIL_TEST,
    _SCISSOR_TEST,
    _SRGB,
    _OFFSET,
    _COVERAGE,
    _DISCARD,
)  # what drawing never wants
_FRONT_AND_BACK, _FILL, _TEXTURE_2D, _TEXTURE0, _ARRAY_BUFFER, _RENDERBUFFER = (
    0x0408,
    0x1B02,
    0x0DE1,
    0x84C0,
    0x8892,
    0x8D41,
)
_PACK_BUFFER, _UNPACK_BUFFER = 0x88EB, 0x88EC
_TEXTURE_BINDING = 0x8069
# a function that sets, what comes before its numbers, the name that glGetIntegerv knows, how many numbers that has
_NUMBERS = (
    ("glViewport", (), 0x0BA2, 4),
    ("glScissor", (), 0x0C10, 4),
    ("glDepthFunc", (), 0x0B74, 1),
    ("glDepthMask", (), 0x0B72, 1),
    ("glColorMask", (), 0x0C23, 4),
    ("glFrontFace", (), 0x0B46, 1),
    ("glCullFace", (), 0x0B45, 1),
    ("glUseProgram", (), 0x8B8D, 1),
    ("glBindVertexArray", (), 0x85B5, 1),
    ("glBindBuffer", (_ARRAY_BUFFER,), 0x8894, 1),
    ("glBindBuffer", (_PACK_BUFFER,), 0x88ED, 1),
    ("glBindBuffer", (_UNPACK_BUFFER,), 0x88EF, 1),
    ("glBindRenderbuffer", (_RENDERBUFFER,), 0x8CA7, 1),
    ("glPixelStorei", (0x0D05,), 0x0D05, 1),
    ("glPixelStorei", (0x0CF5,), 0x0CF5, 1),
)
_BLENDS = (0x80C9, 0x80C8, 0x80CB, 0x80CA)  # source and destination of colours, then of opacity
_EQUATIONS = (0x8009, 0x883D)
_POLYGON_MODE, _ACTIVE_TEXTURE, _CLEAR_COLOUR, _CLEAR_DEPTH = 0x0B40, 0x84E0, 0x0C22, 0x0B73


class CallerState:
    """The state of a caller's context.

    Parameters
    ----------
    context : Context
        The context, which is current.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._kept: dict[str, Any] = {}
        # The caller's: that of the window, where the program has not set one.
        self.scissor: tuple[int, ...] = (0, 0, 0, 0)

    def _call(self, name: str, *numbers: int) -> None:
        self._context.function(name, None, *[_INT] * len(numbers))(*numbers)

    def _enabled(self, switch: int) -> bool:
        return bool(self._context.function("glIsEnabled", ctypes.c_ubyte, _UNSIGNED)(switch))

    def _floats(self, name: int) -> tuple[float, ...]:
        answer = (_FLOAT * 16)()
        get = self._context.function("glGetFloatv", None, _UNSIGNED, ctypes.POINTER(_FLOAT))
        get(name, answer)
        return tuple(answer[:4])

    def keep(self) -> None:
        """Keep the state, and set what drawing expects."""
        ask = self._context.integers
        self._kept = {
            "switches": [self._enabled(switch) for switch in _SWITCHES],
            "numbers": [ask(name, count) for _, _, name, count in _NUMBERS],
            "blend": [ask(name)[0] for name in _BLENDS],
            "equation": [ask(name)[0] for name in _EQUATIONS],
            "polygon": ask(_POLYGON_MODE)[0],
            "texture": (ask(_ACTIVE_TEXTURE)[0], self._first_texture()),
            "colour": self._floats(_CLEAR_COLOUR),
            "depth": self._floats(_CLEAR_DEPTH)[0],
        }
        self.scissor = self._kept["numbers"][1]
        self._expected()

    def _first_texture(self) -> int:
        self._call("glActiveTexture", _TEXTURE0)
        return self._context.integer(_TEXTURE_BINDING)

    def _expected(self) -> None:
        for switch in _OFF:
            self._call("glDisable", switch)
        self._call("glEnable", _MULTISAMPLE)
        self._call("glPolygonMode", _FRONT_AND_BACK, _FILL)
        self._call("glFrontFace", 0x0901)
        self._call("glCullFace", 0x0405)
        self._call("glColorMask", 1, 1, 1, 1)
        self._call("glDepthMask", 1)
        self._call("glBlendEquationSeparate", 0x8006, 0x8006)
        for target in (_PACK_BUFFER, _UNPACK_BUFFER):
            self._call("glBindBuffer", target, 0)

    def give_back(self) -> None:
        """Set the state as it was kept."""
        kept = self._kept
        for switch, on in zip(_SWITCHES, kept["switches"], strict=True):
            self._call("glEnable" if on else "glDisable", switch)
        for (name, first, _, _), numbers in zip(_NUMBERS, kept["numbers"], strict=True):
            self._call(name, *first, *numbers)
        self._call("glBlendFuncSeparate", *kept["blend"])
        self._call("glBlendEquationSeparate", *kept["equation"])
        self._call("glPolygonMode", _FRONT_AND_BACK, kept["polygon"])
        active, first = kept["texture"]
        self._call("glActiveTexture", _TEXTURE0)
        self._call("glBindTexture", _TEXTURE_2D, first)
        self._call("glActiveTexture", active)
        self._context.function("glClearColor", None, *[_FLOAT] * 4)(*kept["colour"])
        self._context.function("glClearDepth", None, ctypes.c_double)(kept["depth"])
        self._kept = {}
