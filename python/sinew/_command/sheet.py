"""Several pictures beside each other, each with its name."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._extra import extra
from ..picture.pixels import image
from .words import printable

Pixels = NDArray[np.uint8]


def columns_of(count: int) -> int:
    """How many of several pictures stand beside each other: up to three in one row, else about a square."""
    return count if count <= 3 else math.ceil(math.sqrt(count))


def rows_of(count: int) -> int:
    """In how many rows they stand."""
    return -(-count // columns_of(count))


def named_picture(pixels: Pixels, name: str) -> Pixels:
    """Return a picture with a name over it."""
    draw, fonts = extra("PIL.ImageDraw", "pictures"), extra("PIL.ImageFont", "pictures")
    picture = image(pixels)
    size = max(10, round(pixels.shape[0] / 24))
    draw.Draw(picture).text(
        (size // 2, size // 3), printable(name), fill="white", stroke_width=max(1, size // 10),
        stroke_fill="black", font=fonts.load_default(size),
    )  # fmt: skip
    return np.asarray(picture)


def beside(pictures: Sequence[Pixels]) -> Pixels:
    """Return pictures of one size in rows, those that a row lacks black."""
    columns = columns_of(len(pictures))
    missing = -len(pictures) % columns
    cells = [*pictures, *[np.zeros_like(pictures[0])] * missing]
    rows = [np.concatenate(cells[k : k + columns], axis=1) for k in range(0, len(cells), columns)]
    return np.concatenate(rows, axis=0)
