"""What is drawn into: frame buffers off screen, with samples, beside the picture, and the window's; pixels of them."""

from __future__ import annotations

import ctypes
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from .context import Context
from .libraries import DrawingError

Rect = tuple[int, int, int, int]  # left, bottom, width, height

_READ, _DRAW, _BOTH, _RENDERBUFFER = 0x8CA8, 0x8CA9, 0x8D40, 0x8D41
_COLOUR_BIT, _DEPTH_BIT = 0x4000, 0x0100
_NEAREST, _LINEAR = 0x2600, 0x2601
_DEPTH32F = 0x8CAC
_COMPLETE = 0x8CD5
_GLUINT, _GLENUM, _GLINT, _GLBITS = ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_uint


def blit(
    context: Context, source: int, target: int, from_: Rect, to: Rect, colour: bool, depth: bool
) -> None:
    """Copy a rectangle of one frame buffer into one of another, by their names; colours alone are smooth when scaled."""
    bind = context.function("glBindFramebuffer", None, _GLENUM, _GLUINT)
    copy = context.function("glBlitFramebuffer", None, *[_GLINT] * 8, _GLBITS, _GLENUM)
    bind(_READ, source)
    bind(_DRAW, target)
    corners = [
        (left, bottom, left + width, bottom + height) for left, bottom, width, height in (from_, to)
    ]
    smooth = not depth and from_[2:] != to[2:]
    bits = _COLOUR_BIT * bool(colour) | _DEPTH_BIT * bool(depth)
    copy(*corners[0], *corners[1], bits, _LINEAR if smooth else _NEAREST)


class Target:
    """A frame buffer and its size.

    Attributes
    ----------
    drawn : moderngl.Framebuffer
        What is drawn into.
    resolved : moderngl.Framebuffer
        What is read, with one value a pixel; the same where there are no samples.
    """

    def __init__(self, context: Context, width: int, height: int, samples: int) -> None:
        self.context, self.gl = context, context.gl
        self.width, self.height, self.samples = width, height, samples
        self.drawn: moderngl.Framebuffer
        self.resolved: moderngl.Framebuffer

    @property
    def rect(self) -> Rect:
        """The whole of it."""
        return 0, 0, self.width, self.height

    def use(self) -> None:
        """Draw into it from now on, all of it."""
        self.drawn.use()
        self.drawn.viewport = self.rect
        self.drawn.scissor = None

    def resolve(self, rect: Rect, colour: bool, depth: bool) -> None:
        """Make one value of the samples of each pixel of a rectangle."""
        if self.resolved is not self.drawn:
            blit(self.context, self.drawn.glo, self.resolved.glo, rect, rect, colour, depth)
            self.drawn.use()

    def read_colours(self, out: NDArray[np.uint8], rect: Rect) -> None:
        """Write the colours of a rectangle into an array, three numbers a pixel, the lowest row first.

        What lies outside of the buffer stays as it is in the array.
        """
        self.resolve(rect, True, False)
        self.resolved.read_into(out, rect, components=3, alignment=1)

    def read_depths(self, out: NDArray[np.float32], rect: Rect) -> None:
        """Write the depths of a rectangle as they stand in the buffer, 1 near and 0 far, into an array."""
        self.resolve(rect, False, True)
        self.resolved.read_into(out, rect, components=1, attachment=-1, alignment=1, dtype="f4")

    def colours(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.uint8]:
        """Return the colours of a rectangle, [height, width, 3], the lowest row first; black outside of the buffer."""
        out = np.zeros((height, width, 3), np.uint8)
        self.read_colours(out, (left, bottom, width, height))
        return out

    def depths(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.float32]:
        """Return the depths of a rectangle as they stand in the buffer, [height, width]."""
        out = np.zeros((height, width), np.float32)
        self.read_depths(out, (left, bottom, width, height))
        return out

    def release(self) -> None:
        """Free the buffers."""


class Offscreen(Target):
    """A picture off screen; drawn into with samples, then resolved to one value a pixel."""

    def __init__(
        self, context: Context, width: int, height: int, samples: int, depth: bool = True
    ) -> None:
        gl = context.gl
        most = _integer(context, 0x84E8)  # GL_MAX_RENDERBUFFER_SIZE
        if not (0 < width <= most and 0 < height <= most):
            raise DrawingError(
                f"a picture of {width} x {height}: this OpenGL draws 1 x 1 to {most} x {most} pixels"
            )
        super().__init__(context, width, height, min(samples, gl.max_samples) if samples > 1 else 0)
        self.drawn = self._framebuffer(self.samples, depth)
        self.resolved = self._framebuffer(0, depth) if self.samples else self.drawn

    def _framebuffer(self, samples: int, depth: bool) -> moderngl.Framebuffer:
        gl, size = self.gl, (self.width, self.height)
        try:
            colours = gl.renderbuffer(size, 4, samples=samples)
            depths = (
                self._float_depths(gl.depth_renderbuffer(size, samples=samples), samples)
                if depth
                else None
            )
            made = gl.framebuffer(colours, depths)
        except moderngl.Error as error:
            raise DrawingError(
                f"OpenGL has no memory for a picture of {self.width} x {self.height}: {error}"
            ) from None
        return made

    def _float_depths(self, buffer: moderngl.Renderbuffer, samples: int) -> moderngl.Renderbuffer:
        """Give a buffer of depths 32 bits of float, which reversed depths (1 near, 0 far) need far away."""
        bind = self.context.function("glBindRenderbuffer", None, _GLENUM, _GLUINT)
        storage = self.context.function(
            "glRenderbufferStorageMultisample", None, _GLENUM, _GLINT, _GLENUM, _GLINT, _GLINT
        )
        bind(_RENDERBUFFER, buffer.glo)
        storage(_RENDERBUFFER, samples, _DEPTH32F, self.width, self.height)
        return buffer

    def release(self) -> None:
        for buffer in {id(b): b for b in (self.drawn, self.resolved)}.values():
            attached = (*(buffer.color_attachments or ()), buffer.depth_attachment)
            buffer.release()
            for part in attached:
                if part is not None:
                    part.release()


def _integer(context: Context, name: int) -> int:
    get = context.function("glGetIntegerv", None, _GLENUM, ctypes.POINTER(_GLINT))
    value = _GLINT()
    get(name, ctypes.byref(value))
    return value.value


class Targets:
    """The frame buffers of a drawing.

    Attributes
    ----------
    offscreen : Offscreen
        The picture off screen.
    window : Target or None
        The window of the caller's context, None where it has none.
    aux : dict of int to Offscreen
        Buffers beside the picture, without depths.
    current : Target
        The one that is drawn into and read.
    """

    def __init__(self, context: Context, width: int, height: int, samples: int) -> None:
        self.context = context
        self.offscreen = Offscreen(context, width, height, samples)
        self.window: Any = None
        self.aux: dict[int, Offscreen] = {}
        self.current: Target = self.offscreen

    def resize(self, width: int, height: int) -> None:
        """Give the picture off screen another size; what was drawn is gone."""
        before = self.offscreen
        if (width, height) == (before.width, before.height):
            return
        self.offscreen = Offscreen(self.context, width, height, before.samples)
        if self.current is before:
            self.current = self.offscreen
        before.release()
        self.current.use()

    def release(self) -> None:
        """Free the buffers."""
        for target in (self.offscreen, *self.aux.values()):
            target.release()
