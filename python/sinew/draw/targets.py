"""What is drawn into: the picture off screen, buffers beside it, the caller's window; their pixels."""

from __future__ import annotations

import ctypes
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from .context import Context
from .libraries import DrawingError
from .pixels import Pixels

Rect = tuple[int, int, int, int]  # left, bottom, width, height

_READ, _DRAW, _BOTH, _RENDERBUFFER = 0x8CA8, 0x8CA9, 0x8D40, 0x8D41
_COLOUR_BIT, _DEPTH_BIT = 0x4000, 0x0100
_NEAREST, _LINEAR = 0x2600, 0x2601
_COMPLETE, _DEPTH32F, _RENDERBUFFER_SAMPLES = 0x8CD5, 0x8CAC, 0x8CAB
_RGB, _BGR, _DEPTH, _BYTE, _FLOAT, _PACK_ALIGNMENT = 0x1907, 0x80E0, 0x1902, 0x1401, 0x1406, 0x0D05
_LARGEST, _SAMPLES, _DOUBLE, _STEREO = 0x84E8, 0x80A9, 0x0C32, 0x0C33
_UINT, _INT = ctypes.c_uint, ctypes.c_int


class Target:
    """A frame buffer and its size.

    Attributes
    ----------
    drawn : moderngl.Framebuffer
        What is drawn into.
    resolved : moderngl.Framebuffer
        What is read, with one value a pixel; the same where there are no samples.
    samples : int
        Samples a pixel, 0 for none beside the pixel itself.
    """

    drawn: moderngl.Framebuffer
    resolved: moderngl.Framebuffer

    def __init__(self, context: Context, width: int, height: int, samples: int) -> None:
        self.context, self.gl = context, context.gl
        self.width, self.height, self.samples = width, height, samples
        self._single: Offscreen | None = None

    def use(self) -> None:
        """Draw into it from now on, all of it."""
        self.drawn.use()
        self.drawn.viewport = 0, 0, self.width, self.height
        self.drawn.scissor = None

    def bind(self) -> None:
        """Let OpenGL draw into it and read it, and change nothing else."""
        self._bind(_BOTH, self.drawn.glo)

    def _bind(self, which: int, name: int) -> None:
        self.context.function("glBindFramebuffer", None, _UINT, _UINT)(which, name)

    # ---- copies on the graphics card

    def _copy(
        self, source: int, target: int, part: Rect, to: Rect, how: tuple[bool, bool, bool]
    ) -> None:
        """Copy a rectangle of a frame buffer into one of another: colours, depths, smooth."""
        colour, depth, smooth = how
        self._bind(_READ, source)
        self._bind(_DRAW, target)
        ends = [(x, y, x + width, y + height) for x, y, width, height in (part, to)]
        bits = _COLOUR_BIT * bool(colour) | _DEPTH_BIT * bool(depth)
        copy = self.context.function("glBlitFramebuffer", None, *[_INT] * 8, _UINT, _UINT)
        copy(*ends[0], *ends[1], bits, _LINEAR if smooth else _NEAREST)

    def resolve(self, part: Rect, colour: bool, depth: bool) -> int:
        """Make one value of the samples of each pixel of a rectangle, and return the name of what has them."""
        if self.resolved is not self.drawn and (colour or depth):
            self._copy(self.drawn.glo, self.resolved.glo, part, part, (colour, depth, False))
        return self.resolved.glo

    def copy_to(self, other: Target, part: Rect, to: Rect, colour: bool, depth: bool) -> None:
        """Copy a rectangle into one of another target, scaled if they differ.

        Colours that are scaled alone are smooth; depths, and colours with depths, are those of the nearest pixel.
        """
        smooth = not depth and part[2:] != to[2:]
        if part[2:] == to[2:]:
            part, to = self._inside(part, to)
        same = isinstance(self, Window) == isinstance(other, Window)
        if part[2:] == to[2:] or not other.samples:
            self._copy_flat(other, part, to, (colour, depth and same, smooth))
        else:  # nothing is scaled into samples
            between = other.single()
            self._copy_flat(between, part, to, (colour, depth and same, smooth))
            between._copy_flat(other, to, to, (colour, depth and same, False))
        if depth and not same:  # windows have another kind of depths, which OpenGL does not copy
            self._redraw_depths(other, part, to)
        self.bind()

    def _inside(self, part: Rect, to: Rect) -> tuple[Rect, Rect]:
        """Cut off what is outside of the buffer: some drivers copy there what nobody has drawn."""
        left, bottom = max(0, -part[0]), max(0, -part[1])
        width = min(part[2], self.width - part[0]) - left
        height = min(part[3], self.height - part[1]) - bottom
        size = max(0, width), max(0, height)
        return (part[0] + left, part[1] + bottom, *size), (to[0] + left, to[1] + bottom, *size)

    def _copy_flat(self, other: Target, part: Rect, to: Rect, how: tuple[bool, bool, bool]) -> None:
        """Copy into a target without samples, or of the same size: colours, depths, smooth."""
        self._copy(self.resolve(part, how[0], how[1]), other.drawn.glo, part, to, how)

    def single(self) -> Offscreen:
        """Return a buffer of the same size with one sample a pixel and other contents, made when first asked for."""
        size = self.width, self.height
        if self._single is None or (self._single.width, self._single.height) != size:
            if self._single is not None:
                self._single.release()
            self._single = Offscreen(self.context, *size, 0)
        return self._single

    def _redraw_depths(self, other: Target, part: Rect, to: Rect) -> None:
        if min(*part[2:], *to[2:]) <= 0:
            return
        depths = self.depths(*part)
        rows = (np.arange(to[3]) + 0.5) * part[3] / to[3]
        columns = (np.arange(to[2]) + 0.5) * part[2] / to[2]
        other.draw_pixels(None, depths[rows.astype(int)][:, columns.astype(int)], to)

    # ---- pixels in arrays

    def _read(self, source: int, out: NDArray, rect: Rect, form: int, kind: int) -> None:
        """Write pixels straight into an array; those outside of the buffer stay."""
        read = self.context.function(
            "glReadPixels", None, *[_INT] * 4, _UINT, _UINT, ctypes.c_void_p
        )
        self.context.function("glPixelStorei", None, _UINT, _INT)(_PACK_ALIGNMENT, 1)
        self._bind(_BOTH, source)
        read(*rect, form, kind, out.ctypes.data)
        self.bind()

    def read_colours(self, out: NDArray[np.uint8], rect: Rect, reversed_: bool = False) -> None:
        """Write the colours of a rectangle into an array, three numbers a pixel, the lowest row first.

        What lies outside of the buffer stays as it is in the array, which is contiguous. `reversed_`: blue comes first.
        """
        source = self.resolve(rect, True, False)
        self._read(source, out, rect, _BGR if reversed_ else _RGB, _BYTE)

    def read_depths(self, out: NDArray[np.float32], rect: Rect) -> None:
        """Write the depths of a rectangle as they stand in the buffer, 1 near and 0 far, into an array."""
        self._read(self.resolve(rect, False, True), out, rect, _DEPTH, _FLOAT)

    def colours(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.uint8]:
        """Return the colours of a rectangle, [height, width, 3], the lowest row first; black outside of the buffer."""
        out = np.zeros((height, width, 3), np.uint8)
        self.read_colours(out, (left, bottom, width, height))
        return out

    def depths(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.float32]:
        """Return the depths of a rectangle as they stand in the buffer, [height, width]; 0 outside of it."""
        out = np.zeros((height, width), np.float32)
        self.read_depths(out, (left, bottom, width, height))
        return out

    def draw_pixels(self, colours: Any, depths: Any, rect: Rect) -> None:
        """Replace colours [height, width, 3] and depths [height, width] of a rectangle, None: not these."""
        Pixels.of(self.context).draw(self.drawn, colours, depths, rect)

    def release(self) -> None:
        """Free the buffers."""
        single, self._single = self._single, None
        if single is not None:
            single.release()


class Offscreen(Target):
    """A picture off screen; drawn into with samples, then resolved to one value a pixel."""

    def __init__(
        self, context: Context, width: int, height: int, samples: int, depth: bool = True
    ) -> None:
        gl, most = context.gl, context.integer(_LARGEST)
        if not (0 < width <= most and 0 < height <= most):
            raise DrawingError(
                f"a picture of {width} x {height} pixels: this OpenGL draws 1 x 1 to {most} x {most}"
            )
        super().__init__(context, width, height, min(max(0, samples), gl.max_samples))
        self.drawn = self._framebuffer(self.samples, depth)
        self.resolved = self._framebuffer(0, depth) if self.samples else self.drawn
        if self.samples:  # the driver may give more than were asked for
            self.samples = self._samples()

    def _framebuffer(self, samples: int, depth: bool) -> moderngl.Framebuffer:
        size = self.width, self.height
        try:
            colours = self.gl.renderbuffer(size, 4, samples=samples)
            depths = self.gl.depth_renderbuffer(size, samples=samples) if depth else None
            if depths is not None:
                self._make_float(depths, samples)
            return self.gl.framebuffer(colours, depths)
        except moderngl.Error as error:
            raise DrawingError(
                f"OpenGL has no room for a picture of {self.width} x {self.height} pixels with "
                f"{max(1, samples)} samples: {error}"
            ) from None

    def _make_float(self, buffer: moderngl.Renderbuffer, samples: int) -> None:
        """Give a buffer of depths 32 bits of float: reversed ones (1 near, 0 far) are exact far away only so."""
        bind = self.context.function("glBindRenderbuffer", None, _UINT, _UINT)
        bind(_RENDERBUFFER, buffer.glo)
        name = "glRenderbufferStorageMultisample"
        storage = self.context.function(name, None, _UINT, _INT, _UINT, _INT, _INT)
        storage(_RENDERBUFFER, samples, _DEPTH32F, self.width, self.height)

    def _samples(self) -> int:
        answer = _INT()
        self.context.function("glBindRenderbuffer", None, _UINT, _UINT)(
            _RENDERBUFFER, self.drawn.color_attachments[0].glo
        )
        name = "glGetRenderbufferParameteriv"
        ask = self.context.function(name, None, _UINT, _UINT, ctypes.POINTER(_INT))
        ask(_RENDERBUFFER, _RENDERBUFFER_SAMPLES, ctypes.byref(answer))
        return answer.value

    def names(self) -> dict[str, int]:
        """Return OpenGL's names of its parts: FBO, Color, DepthStencil, and of what is read as ..._r."""
        found = {}
        for end, buffer in (("", self.drawn), ("_r", self.resolved if self.samples else None)):
            found["FBO" + end] = buffer.glo if buffer else 0
            found["Color" + end] = buffer.color_attachments[0].glo if buffer else 0
            depths = buffer.depth_attachment if buffer else None
            found["DepthStencil" + end] = depths.glo if depths else 0
        return found

    def release(self) -> None:
        super().release()
        for buffer in {id(b): b for b in (self.drawn, self.resolved)}.values():
            attached = (*(buffer.color_attachments or ()), buffer.depth_attachment)
            buffer.release()
            for part in attached:
                if part is not None:
                    part.release()


class Window(Target):
    """The window of a caller's context, its frame buffer 0.

    Attributes
    ----------
    doublebuffer, stereo : int
        Whether it has two buffers, and two eyes.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, 0, 0, context.integer(_SAMPLES))
        self.doublebuffer, self.stereo = context.integer(_DOUBLE), context.integer(_STEREO)
        self.drawn = self.resolved = context.gl.detect_framebuffer(0)
        self.measure()

    @classmethod
    def of(cls, context: Context) -> Window | None:
        """Return the window of a context, None where it has none."""
        if context.owned:
            return None
        bind = context.function("glBindFramebuffer", None, _UINT, _UINT)
        bind(_BOTH, 0)
        there = context.function("glCheckFramebufferStatus", _UINT, _UINT)(_BOTH) == _COMPLETE
        return cls(context) if there else None

    def resolve(self, part: Rect, colour: bool, depth: bool) -> int:
        """Colours are resolved into a buffer without samples: reading a window's gives some drivers' first sample."""
        if not (self.samples and colour):
            return self.drawn.glo
        single = self.single().drawn.glo
        self._copy(self.drawn.glo, single, part, part, (True, False, False))
        return single

    def measure(self) -> None:
        """Take over the size of the window, which OpenGL tells by the rectangle that is not cut off."""
        self.width, self.height = self.context.window_size()


class Targets:
    """The frame buffers of a drawing.

    Attributes
    ----------
    offscreen : Offscreen
        The picture off screen.
    window : Window or None
        The window of the caller's context, None where it has none.
    aux : dict of int to Offscreen
        Buffers beside the picture, without depths.
    current : Target
        The one that is drawn into and read.
    """

    def __init__(self, context: Context, width: int, height: int, samples: int) -> None:
        self.context = context
        self.window = Window.of(context)
        self.offscreen = Offscreen(context, width, height, samples)
        self.aux: dict[int, Offscreen] = {}
        self.current: Target = self.window or self.offscreen
        self.current.bind()

    def resize(self, width: int, height: int) -> None:
        """Give the picture off screen another size; what was drawn is gone."""
        before = self.offscreen
        if (width, height) == (before.width, before.height):
            return
        self.offscreen = Offscreen(self.context, width, height, before.samples)
        if self.current is before:
            self.current = self.offscreen
        before.release()
        self.current.bind()

    def add(self, index: int, width: int, height: int, samples: int) -> None:
        """Make a buffer beside the picture anew; of no size: remove it."""
        before = self.aux.pop(index, None)
        if before is not None:
            before.release()
        if width > 0 and height > 0:
            self.aux[index] = Offscreen(self.context, width, height, samples, depth=False)
        self.current.bind()

    def release(self) -> None:
        """Free the buffers."""
        for target in (self.offscreen, self.window, *self.aux.values()):
            if target is not None:
                target.release()
