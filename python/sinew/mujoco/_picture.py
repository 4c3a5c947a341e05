"""The peer's functions that draw, mjr_...: thin calls of what an MjrContext holds."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._types import Model
from ..picture import view
from ._context import FAR_IS_ZERO, NAUX, OFFSCREEN, WINDOW, MjrContext
from ._errors import FatalError
from ._release import IS_LATER
from ._visual import MjrRect, MjvFigure, MjvScene

_Rect = tuple[int, int, int, int]
_BGR = 0x80E0
_LARGEST = 0x84E8  # GL_MAX_RENDERBUFFER_SIZE
_SCALES = (50, 100, 150, 200, 250, 300)


# ---- arguments


def _is(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{name} is a {kind.__name__}, not {type(value).__name__}")
    return value


def _pixels(name: str, rect: MjrRect) -> _Rect:
    _is(name, rect, MjrRect)
    return rect.left, rect.bottom, rect.width, rect.height


def _area(name: str, rect: MjrRect) -> _Rect:
    """The same of a rectangle whose pixels are read or written, which release 4.0 refuses if it is less than empty."""
    area = _pixels(name, rect)
    if IS_LATER and min(area[2:]) < 0:
        raise ValueError(f"{name} must have non-negative width and height, not {area[2:]}")
    return area


def _drawing(con: MjrContext) -> Any:
    return _is("con", con, MjrContext)._live()


def _text(name: str, value: Any) -> str:
    """Return a text; bytes are one, too, as at the peer."""
    return value.decode(errors="replace") if isinstance(value, bytes) else _is(name, value, str)


def _font(font: int) -> int:
    """Return a font of mjtFont. All other numbers are the normal one at the peer: gymnasium gives a font scale."""
    found = operator.index(font)
    return found if 0 <= found <= 2 else 0


def _index(index: int) -> int:
    found = operator.index(index)
    if not 0 <= found < NAUX:
        raise FatalError(f"Invalid aux buffer index {found}: there are {NAUX}, from 0")
    return found


def _writable(name: str, array: Any, dtype: Any, least: int) -> NDArray:
    """Return what can be written into straight; all else is refused, as what is written would be lost."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = f"one of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError(f"{name} is an array of {np.dtype(dtype)}, not {kind}")
    if not (array.flags.writeable and array.flags.c_contiguous):
        raise ValueError(f"{name} buffer must be C-contiguous and writeable: it is written into")
    if array.size < least:
        raise ValueError(
            f"{name} buffer is too small: it has {array.size} elements, the viewport {least}"
        )
    return array


def _readable(name: str, array: Any, dtype: Any, count: int) -> NDArray:
    """Return the numbers of an array of one column."""
    found = np.asarray(array)
    if found.ndim > 2 or (found.ndim == 2 and found.shape[1] != 1):
        raise TypeError(f"{name} has the shape {found.shape}: it is one column; flatten it")
    if found.size < count:
        raise ValueError(
            f"{name} buffer is too small: it has {found.size} elements, the viewport {count}"
        )
    return found.reshape(-1)[:count].astype(dtype, copy=False)


# ---- buffers


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Draw into the window, mjFB_WINDOW, or off screen, mjFB_OFFSCREEN; where only one is there, into that."""
    drawing, wanted = _drawing(con), operator.index(framebuffer)
    if wanted not in (WINDOW, OFFSCREEN):
        raise ValueError(f"framebuffer is {wanted}: it is mjFB_WINDOW (0) or mjFB_OFFSCREEN (1)")
    with drawing.context:
        con.currentBuffer = OFFSCREEN if drawing.targets.window is None else wanted
        con._current()


def mjr_restoreBuffer(con: MjrContext) -> None:
    """Draw into `con.currentBuffer` again."""
    with _drawing(con).context:
        con._current()


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Change the size of pictures off screen."""
    drawing = _drawing(con)
    with drawing.context:
        drawing.targets.resize(operator.index(width), operator.index(height))
        con._frames()


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """Return the whole buffer that is drawn into as a rectangle, of no size where there is none."""
    if _is("con", con, MjrContext)._drawing is None:
        return MjrRect(0, 0, 0, 0)
    drawing = _drawing(con)
    window = drawing.targets.window
    if window is None or con.currentBuffer != WINDOW:
        picture = drawing.targets.offscreen
        return MjrRect(0, 0, picture.width, picture.height)
    with drawing.context:
        window.measure()
    return MjrRect(0, 0, window.width, window.height)


def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:
    """Make a buffer beside the picture, instead of the one of that index; of no size: remove that."""
    drawing, place = _drawing(con), _index(index)
    width, height, samples = map(operator.index, (width, height, samples))
    if samples < 0:
        raise FatalError(f"Auxiliary framebuffer with {samples} samples: 0 for none, or more")
    with drawing.context:
        most = drawing.context.integer(_LARGEST)
        for name, size in (("width", width), ("height", height)):
            if size > most:
                raise FatalError(
                    f"Auxiliary buffer {name} exceeds maximum allowed by OpenGL implementation: {size} > {most}"
                )
        drawing.targets.add(place, width, height, samples)
        con._frames()


def mjr_setAux(index: int, con: MjrContext) -> None:
    """Let OpenGL draw into a buffer beside the picture, until mjr_restoreBuffer or the next mjr_ that draws."""
    drawing, place = _drawing(con), _index(index)
    buffer = drawing.targets.aux.get(place)
    if buffer is None:
        raise FatalError(f"auxFBO {place} does not exist")
    with drawing.context:
        buffer.bind()


def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:
    """Copy a rectangle of a buffer beside the picture into the one that is drawn into."""
    drawing, place, part = _drawing(con), _index(index), _pixels("src", src)
    to = (operator.index(left), operator.index(bottom), *part[2:])
    buffer = drawing.targets.aux.get(place)
    if buffer is None:
        raise FatalError(f"auxFBO {place} does not exist")
    with drawing.context:
        current = con._current()
        if part[2] > 0 and part[3] > 0:
            buffer.copy_to(current, part, to, True, False)
        current.bind()


def mjr_blitBuffer(
    src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext
) -> None:
    """Copy a rectangle of the buffer that is drawn into to one of the other: window or off screen.

    Colours alone are smooth when the sizes differ. Where there is no window, nothing is copied.
    """
    drawing = _drawing(con)
    part, to = _pixels("src", src), _pixels("dst", dst)
    colour, depth = bool(operator.index(flg_color)), bool(operator.index(flg_depth))
    with drawing.context:
        current, targets = con._current(), drawing.targets
        other = targets.offscreen if current is targets.window else targets.window
        if other is not None and min(*part[2:], *to[2:]) > 0:
            current.copy_to(other, part, to, colour, depth)


# ---- pixels


def mjr_readPixels(
    rgb: NDArray | None, depth: NDArray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Copy colours and depths of a rectangle into arrays, the lowest row first; those outside of the buffer stay."""
    rect, drawing = _area("viewport", viewport), _drawing(con)
    count = max(0, rect[2]) * max(0, rect[3])
    if rgb is not None:
        rgb = _writable("rgb", rgb, np.uint8, 3 * count)
    if depth is not None:
        depth = _writable("depth", depth, np.float32, count).reshape(-1)[:count]
    if not count:
        return
    with drawing.context:
        source = con._current()
        if rgb is not None:
            source.read_colours(rgb, rect, con.readPixelFormat == _BGR)
        if depth is not None:
            _read_depths(source, depth, rect, con.readDepthMap == FAR_IS_ZERO)


def _inside(source: Any, rect: _Rect) -> tuple[slice, slice]:
    """Rows and columns of a rectangle that the buffer has."""
    left, bottom, width, height = rect
    rows = slice(max(0, -bottom), max(0, min(height, source.height - bottom)))
    return rows, slice(max(0, -left), max(0, min(width, source.width - left)))


def _read_depths(source: Any, depth: NDArray, rect: _Rect, far_is_zero: bool) -> None:
    source.read_depths(depth, rect)
    if not far_is_zero:
        part = depth.reshape(rect[3], rect[2])[_inside(source, rect)]
        np.subtract(1, part, out=part)


def mjr_drawPixels(
    rgb: NDArray | None, depth: NDArray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Replace colours and depths of a rectangle by those of arrays of one column, the lowest row first.

    Each replaces its own alone: the peer draws depths as white where they pass the test against those that are there.
    """
    rect, drawing = _area("viewport", viewport), _drawing(con)
    width, height = max(0, rect[2]), max(0, rect[3])
    if rgb is not None:
        rgb = _readable("rgb", rgb, np.uint8, 3 * width * height).reshape(height, width, 3)
    if depth is not None:
        depth = _readable("depth", depth, np.float32, width * height).reshape(height, width)
        depth = depth if con.readDepthMap == FAR_IS_ZERO else 1 - depth
    if width and height:
        with drawing.context:
            current = con._current()
            current.draw_pixels(rgb, depth, rect)
            current.use()


# ---- scenes, text, figures


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene into a rectangle of the buffer that is drawn into."""
    rect, drawing = _pixels("viewport", viewport), _drawing(con)
    _is("scn", scn, MjvScene)
    scn._take_flags()
    if rect[2] > 0 and rect[3] > 0:
        with drawing.context:
            con._current()
            drawing.render(rect, scn)


def mjr_text(
    font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, b: float
) -> None:
    """Draw a line of text at (x, y) of the buffer, from 0 to 1; font is of mjtFont."""
    drawing, txt = _drawing(con), _text("txt", txt)
    with drawing.context:
        current = con._current()
        whole = (0, 0, current.width, current.height)
        con._letters().draw(_font(font), txt, whole, float(x), float(y), _colour(r, g, b))


def _colour(*numbers: float) -> tuple[float, ...]:
    return tuple(map(float, numbers))


def mjr_overlay(
    font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext
) -> None:
    """Draw a box of text, of one or two columns, at a place of mjtGridPos in a rectangle."""
    rect, drawing = _pixels("viewport", viewport), _drawing(con)
    right = None if overlay2 is None else _text("overlay2", overlay2)
    arguments = _font(font), operator.index(gridpos), rect, _text("overlay", overlay)
    with drawing.context:
        con._current()
        view.drawing("overlay").overlay(con._letters(), *arguments, right)


def mjr_label(
    viewport: MjrRect,
    font: int,
    txt: str,
    r: float,
    g: float,
    b: float,
    a: float,
    rt: float,
    gt: float,
    bt: float,
    con: MjrContext,
) -> None:
    """Draw a rectangle, of colour and opacity r, g, b, a, with a line of text in its middle."""
    rect, drawing = _pixels("viewport", viewport), _drawing(con)
    ground, ink = _colour(r, g, b, a), _colour(rt, gt, bt)
    with drawing.context:
        con._current()
        view.drawing("overlay").label(
            con._letters(), rect, _font(font), _text("txt", txt), ground, ink
        )


def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draw a figure into a rectangle."""
    rect, drawing = _pixels("viewport", viewport), _drawing(con)
    _is("fig", fig, MjvFigure)
    with drawing.context:
        con._current()
        view.drawing("figure").figure(con._letters(), rect, fig)


def mjr_changeFont(fontscale: int, con: MjrContext) -> None:
    """Change the size of text, a value of mjtFontScale."""
    _drawing(con)
    scale = operator.index(fontscale)
    if scale not in _SCALES:
        raise FatalError(f"Invalid fontscale {scale}: it is one of {', '.join(map(str, _SCALES))}")
    con._scale(scale)


def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Draw a rectangle into what has been drawn into last."""
    rect, rgba = _pixels("viewport", viewport), _colour(r, g, b, a)
    latest = view.drawing("context").latest()
    with latest as gl:
        view.drawing("overlay").rectangle(gl, rect, rgba)


# ---- what of the model has changed


def _upload(m: Model, con: MjrContext, name: str, count: int, index: int, what: str) -> None:
    drawing, found = _drawing(con), operator.index(index)
    if not 0 <= found < count:
        raise FatalError(f"Invalid {what} index {found}")
    if m is not drawing.model:
        raise ValueError("m is another model than that of this MjrContext: make a MjrContext of it")
    with drawing.context:
        getattr(drawing, name)(found)


def mjr_uploadMesh(m: Model, con: MjrContext, meshid: int) -> None:
    """Take over changes of a mesh."""
    _upload(m, con, "upload_mesh", _is("m", m, Model).nmesh, meshid, "mesh")


def mjr_uploadTexture(m: Model, con: MjrContext, texid: int) -> None:
    """Take over changes of a texture."""
    _upload(m, con, "upload_texture", _is("m", m, Model).ntex, texid, "texture")


def mjr_uploadHField(m: Model, con: MjrContext, hfieldid: int) -> None:
    """Take over changes of a height field."""
    _upload(m, con, "upload_hfield", _is("m", m, Model).nhfield, hfieldid, "height field")


# ---- without a context


def mjr_finish() -> None:
    """Wait until all is drawn."""
    with view.drawing("context").latest() as gl:
        gl.finish()


def mjr_getError() -> int:
    """Return the error of OpenGL, 0 for none."""
    latest = view.drawing("context").latest()
    with latest:
        return latest.function("glGetError", ctypes.c_uint)()


def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """Return 0 if a point is in the rectangle, the first of `nrect`, else -1."""
    left, bottom, width, height = _pixels("rect", rect)
    x, y = operator.index(x), operator.index(y)
    there = left <= x < left + width and bottom <= y < bottom + height
    return 0 if operator.index(nrect) > 0 and there else -1


class MjrRendererInfo:
    """Which renderer draws: the one that there is, with OpenGL."""

    __slots__ = ()
    renderer = property(lambda self: "classic", doc="of the kind of 3.3.7's")
    backend = property(lambda self: "", doc="of this kind has no name")


def mjr_defaultRendererInfo(info: MjrRendererInfo) -> None:
    """Set what an info says before it is asked."""
    _is("info", info, MjrRendererInfo)


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Write which renderer draws into an info."""
    _is("info", info, MjrRendererInfo)


_LATER = ["MjrRendererInfo", "mjr_defaultRendererInfo", "mjr_getRendererInfo"]
__all__ = [name for name in dir() if name.startswith("mjr_") and name not in _LATER]
if IS_LATER:
    __all__ += _LATER
