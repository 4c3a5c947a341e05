"""The peer's functions that draw, mjr_...: thin calls of what an MjrContext holds."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._context import FAR_IS_ZERO, OFFSCREEN, WINDOW, MjrContext
from ._visual import MjrRect, MjvScene


def _rect(viewport: MjrRect) -> tuple[int, int, int, int]:
    if not isinstance(viewport, MjrRect):
        raise TypeError(f"a viewport is a MjrRect, not {type(viewport).__name__}")
    return viewport.left, viewport.bottom, viewport.width, viewport.height


def _drawing(con: MjrContext) -> Any:
    if not isinstance(con, MjrContext):
        raise TypeError(f"con is a MjrContext, not {type(con).__name__}")
    return con._live()


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene into a rectangle of the buffer that is drawn into."""
    rect, drawing = _rect(viewport), _drawing(con)
    if not isinstance(scn, MjvScene):
        raise TypeError(f"scn is a MjvScene, not {type(scn).__name__}")
    if rect[2] > 0 and rect[3] > 0:
        drawing.render(rect, scn)


def _writable(name: str, array: Any, dtype: Any, least: int) -> NDArray:
    """Return what can be written into straight; all else is refused, as what is written would be lost."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = (
            f"an array of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
        )
        raise TypeError(f"{name} is an array of {np.dtype(dtype)}, not {kind}")
    if not (array.flags.writeable and array.flags.c_contiguous):
        raise ValueError(
            f"{name} is written into: it must be writeable and contiguous in C's order"
        )
    if array.size < least:
        raise ValueError(f"{name} has {array.size} elements, {least} are read")
    return array


def mjr_readPixels(
    rgb: NDArray | None, depth: NDArray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Copy colours and depths of a rectangle into arrays, the lowest row first; what is outside of the buffer stays."""
    rect, drawing = _rect(viewport), _drawing(con)
    count = max(0, rect[2]) * max(0, rect[3])
    if rgb is not None:
        rgb = _writable("rgb", rgb, np.uint8, 3 * count)
    if depth is not None:
        depth = _writable("depth", depth, np.float32, count)
    if not count:
        return
    with drawing.context:
        source = drawing.targets.current
        if rgb is not None:
            source.read_colours(rgb, rect)
        if depth is not None:
            source.read_depths(depth, rect)
            if con.readDepthMap != FAR_IS_ZERO:
                near_is_zero = depth.reshape(-1)[:count]
                np.subtract(1, near_is_zero, out=near_is_zero)


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Draw into the window or off screen; where only one is there, into that."""
    drawing = _drawing(con)
    if operator.index(framebuffer) not in (WINDOW, OFFSCREEN):
        return
    with drawing.context:
        targets = drawing.targets
        targets.current = (
            targets.offscreen
            if framebuffer == OFFSCREEN or targets.window is None
            else targets.window
        )
        targets.current.use()
    con._refresh()


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Change the size of pictures off screen."""
    drawing = _drawing(con)
    with drawing.context:
        drawing.targets.resize(operator.index(width), operator.index(height))
    con._refresh()


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """Return the whole buffer that is drawn into as a rectangle."""
    current = _drawing(con).targets.current
    return MjrRect(0, 0, current.width, current.height)


__all__ = [name for name in dir() if name.startswith("mjr_")]
