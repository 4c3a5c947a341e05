"""Texts, images and figures that a program lays over the picture of its viewer."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import MjvFigure
from .records import words_of

FONTS = 3  # mjtFont
PLACES = 8  # mjtGridPos
MOST_PIXELS = 1 << 24


def _entries(given: Any, size: int, what: str) -> list[tuple]:
    """Return a list of tuples of one, or of a list of them."""
    entries = given if isinstance(given, list) else [given]
    for entry in entries:
        if not isinstance(entry, tuple) or len(entry) != size:
            raise ValueError(f"{what} are a tuple of {size}, or a list of such; not {entry!r}")
    return entries


def _number(value: Any, count: int, name: str) -> int:
    number = 0 if value is None else operator.index(value)
    if not 0 <= number < count:
        raise ValueError(f"{name} is {number}, of {count}")
    return number


def _place(rect: Any) -> list[int]:
    """Return left, bottom, width and height of a rectangle."""
    try:
        return [operator.index(getattr(rect, n)) for n in ("left", "bottom", "width", "height")]
    except (AttributeError, TypeError) as error:
        raise ValueError(
            f"a place has the members left, bottom, width and height in pixels; {rect!r} has not"
        ) from error


def texts_of(given: Any) -> list[list[Any]]:
    """Return texts as words: font, place, text at the left and at the right of each.

    Parameters
    ----------
    given : tuple or list of tuples
        (font, gridpos, text1, text2); None is the normal font, the upper left corner, no text.

    Raises
    ------
    ValueError
        It is something else.
    """
    return [
        [
            _number(font, FONTS, "font"),
            _number(place, PLACES, "gridpos"),
            *("" if text is None else str(text) for text in texts),
        ]
        for font, place, *texts in _entries(given, 4, "texts")
    ]


def images_of(given: Any) -> tuple[list[list[int]], dict[str, NDArray]]:
    """Return images as words and arrays: left, bottom, width, height of each, and its pixels `image_N`.

    Parameters
    ----------
    given : tuple or list of tuples
        (rectangle in pixels of the picture, array [height, width, 3] of uint8, the highest row first). An image of
        another size than its rectangle is stretched.

    Raises
    ------
    ValueError
        It is something else.
    """
    places, pixels = [], {}
    for number, (rect, image) in enumerate(_entries(given, 2, "images")):
        array = np.asarray(image)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or not array.size:
            raise ValueError(
                f"an image is an array [height, width, 3] of uint8, not {array.shape} of {array.dtype}"
            )
        if array.size > 3 * MOST_PIXELS:
            raise ValueError(f"an image has at most {MOST_PIXELS} pixels, not {array.size // 3}")
        places.append(_place(rect))
        pixels[f"image_{number}"] = array
    return places, pixels


_LINES = ("linedata", "linename", "linergb", "linepnt")  # members of figures that lines have


def figures_of(given: Any) -> tuple[list[dict[str, Any]], dict[str, NDArray]]:
    """Return figures as words and arrays: place, lines and members of each; points `figure_N_LINE` [n, 2] of its lines.

    Parameters
    ----------
    given : tuple or list of tuples
        (rectangle in pixels of the picture, MjvFigure).

    Raises
    ------
    ValueError
        It is something else.
    """
    figures, points = [], {}
    for number, (rect, figure) in enumerate(_entries(given, 2, "figures")):
        if not isinstance(figure, MjvFigure):
            raise ValueError(f"a figure is a MjvFigure, not {type(figure).__name__}")
        most = figure.linedata.shape[1] // 2
        lines = []
        for line in np.flatnonzero(figure.linepnt > 0).tolist():
            flat = figure.linedata[line][: 2 * min(int(figure.linepnt[line]), most)]
            points[f"figure_{number}_{len(lines)}"] = flat.reshape(-1, 2).astype(np.float32)
            name = bytes(figure.linename[line]).decode(errors="replace")
            lines.append({"name": name, "rgb": figure.linergb[line].tolist()})
        figures.append({**words_of(figure, _LINES), "place": _place(rect), "lines": lines})
    return figures, points
