"""Text in boxes, and rectangles, over a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import moderngl

from .painter import painter, rectangles
from .text import Line, Text, pixels

TOPLEFT, TOPRIGHT, BOTTOMLEFT, BOTTOMRIGHT, TOP, BOTTOM, LEFT, RIGHT = range(8)

_BOX = (0.0, 0.0, 0.0, 0.5)  # colour and opacity of a box
_DULL, _BRIGHT = (0.7, 0.7, 0.7), (1.0, 1.0, 1.0)  # text on the left, text on the right
_PITCH = 5  # what a line of text takes beside its height (pixels)
_STEP = 11  # what a column takes beside its widest line
_OVERHANG = (
    2  # what a box takes beside its column: boxes overlap, which shows as a line between them
)
_MARGIN_LOW, _MARGIN_HIGH = (
    5,
    6,
)  # pixels between boxes and the left and lower, right and upper side


def rectangle(gl: moderngl.Context, rect: Any, rgba: Sequence[float]) -> None:
    """Draw a rectangle.

    Parameters
    ----------
    gl : moderngl.Context
        The context, which is current.
    rect : MjrRect
        The rectangle (pixels).
    rgba : (4,) sequence
        Colour and opacity, from 0 to 1.
    """
    paint = painter(gl)
    with paint.over():
        paint.bars(rectangles([(*pixels(rect), rgba)]))


def label(
    text: Text, rect: Any, font: int, string: str, rgba: Sequence[float], rgb: Sequence[float]
) -> None:
    """Draw a rectangle with a line of text in its middle.

    Parameters
    ----------
    text : Text
        What draws text.
    rect : MjrRect
        The rectangle (pixels). Text that is wider starts at its left side; there is none in one that is lower.
    font : int
        The font: mjtFont.
    string : str
        The text.
    rgba : (4,) sequence
        Colour and opacity of the rectangle.
    rgb : (3,) sequence
        Colour of the text.
    """
    left, bottom, width, height = pixels(rect)
    x = max(0, (width - text.width(font, string)) // 2)
    y = (height - text.height(font)) // 2
    with text.painter.over():
        text.painter.bars(rectangles([(left, bottom, width, height, rgba)]))
    if y >= 0 and width > 0:
        text.lines([Line(font, string, left + x, bottom + y, rgb)])


def overlay(
    text: Text, font: int, gridpos: int, rect: Any, left: str, right: str | None = None
) -> None:
    """Draw a box with one or two columns of text.

    Parameters
    ----------
    text : Text
        What draws text.
    font : int
        The font: mjtFont.
    gridpos : int
        Where in the rectangle: mjtGridPos.
    rect : MjrRect
        The rectangle (pixels).
    left : str
        Lines of the left column.
    right : str, optional
        Lines of the right column, which is brighter.
    """
    if gridpos not in range(8):
        raise ValueError(
            f"gridpos {gridpos!r} is no place in a rectangle; mjtGridPos has those, from 0 to 7"
        )
    area = pixels(rect)
    columns = [left.split("\n")] + ([right.split("\n")] if right else [])
    steps = [_STEP + max(text.width(font, line) for line in lines) for lines in columns]
    x = _left(gridpos, area[0], area[2], sum(steps) + _OVERHANG)
    pitch = text.height(font) + _PITCH
    for i, (lines, step) in enumerate(zip(columns, steps, strict=True)):
        y = _bottom(gridpos, area[1], area[3], pitch * len(lines))
        # a box is drawn before its text, and over the text of the box before
        with text.painter.over():
            text.painter.bars(rectangles([(x, y, step + _OVERHANG, pitch * len(lines), _BOX)]))
        last = y + _PITCH + pitch * (len(lines) - 1)
        rgb = _BRIGHT if i else _DULL
        text.lines(Line(font, line, x + 3, last - pitch * k, rgb) for k, line in enumerate(lines))
        x += step


def _left(gridpos: int, left: int, width: int, size: int) -> int:
    """Left side of what is `size` wide.

    MuJoCo lets two columns cover each other in the middle (TOP, BOTTOM), and lets them change places at LEFT; here they
    stand beside each other in the same order everywhere.
    """
    if gridpos in (TOPLEFT, BOTTOMLEFT, LEFT):
        return left + _MARGIN_LOW
    if gridpos in (TOPRIGHT, BOTTOMRIGHT, RIGHT):
        return left + width - _MARGIN_HIGH - size
    return left + int((width - size) / 2) - _MARGIN_HIGH


def _bottom(gridpos: int, bottom: int, height: int, size: int) -> int:
    """Lower side of what is `size` high."""
    if gridpos in (BOTTOMLEFT, BOTTOMRIGHT, BOTTOM):
        return bottom + _MARGIN_LOW
    if gridpos in (TOPLEFT, TOPRIGHT, TOP):
        return bottom + height - _MARGIN_HIGH - size
    return bottom + int((height - size) / 2) - _MARGIN_HIGH
