"""Arrays of colours and depths drawn into a frame buffer."""

from __future__ import annotations

import ctypes
from importlib import resources
from typing import Any

import moderngl
import numpy as np

from .context import Context


class Pixels:
    """What replaces pixels of a frame buffer; one a context."""

    def __init__(self, context: Context) -> None:
        self.gl = gl = context.gl
        self._function = context.function
        sources = [
            (resources.files(__package__) / "shaders" / f"pixels.{kind}").read_text("utf-8")
            for kind in ("vert", "frag")
        ]
        self._program = gl.program(*sources)
        self._array = gl.vertex_array(self._program, [])
        self._program["colours"], self._program["depths"] = 0, 1

    @staticmethod
    def of(context: Context) -> Pixels:
        """Return that of a context, made when it is asked for first."""
        held = getattr(context.gl, "_sinew_pixels", None)
        if held is None:
            held = context.gl._sinew_pixels = Pixels(context)
        return held

    def _write(self, colours: bool, depths: bool) -> None:
        """Let colours and depths be written, or stay; moderngl does not for windows."""
        self._function("glColorMask", None, *[ctypes.c_ubyte] * 4)(*[colours] * 4)
        self._function("glDepthMask", None, ctypes.c_ubyte)(depths)

    def draw(
        self,
        buffer: moderngl.Framebuffer,
        colours: Any,
        depths: Any,
        rect: tuple[int, int, int, int],
    ) -> None:
        """Replace colours [height, width, 3] of uint8 and depths [height, width] of float32; None: not these."""
        width, height = rect[2:]
        if width <= 0 or height <= 0 or (colours is None and depths is None):
            return
        textures = self._texture(colours, width, height, 3), self._texture(depths, width, height, 1)
        for place, texture in enumerate(textures):
            texture.use(place)
        self._program["corner"] = rect[:2]
        buffer.use()
        buffer.viewport, buffer.scissor = rect, None
        self._write(colours is not None, depths is not None)
        self.gl.enable_only(moderngl.DEPTH_TEST)
        self.gl.depth_func = "1"
        self.gl.wireframe = False
        self._array.render(moderngl.TRIANGLES, vertices=3)
        self._write(True, True)
        for texture in textures:
            texture.release()

    def _texture(self, values: Any, width: int, height: int, components: int) -> moderngl.Texture:
        dtype = np.uint8 if components == 3 else np.float32
        if values is None:
            values, width, height = np.zeros(components, dtype), 1, 1
        data = np.ascontiguousarray(values, dtype)
        return self.gl.texture(
            (width, height), components, data, alignment=1, dtype="f1" if components == 3 else "f4"
        )
