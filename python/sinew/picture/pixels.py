"""A picture: pixels that save themselves and that notebooks show."""

from __future__ import annotations

import io
import operator
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._extra import extra
from .._output import write_whole


def checked_pixels(frame: ArrayLike) -> NDArray[np.uint8]:
    """Return colours [height, width, 3] as they are; anything else is a ValueError."""
    pixels = np.asarray(frame)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise ValueError(
            f"a picture is an array [height, width, 3] of uint8, not {list(pixels.shape)} of {pixels.dtype}"
        )
    return np.ascontiguousarray(pixels)


def side(name: str, value: Any) -> int:
    """Return a number of pixels, whose name is for the error."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: it is a whole number of pixels") from None


def image(pixels: NDArray[np.uint8]) -> Any:
    """Return colours as an image of Pillow."""
    return extra("PIL.Image", "pictures").fromarray(pixels)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return colours as the bytes of a PNG file."""
    file = io.BytesIO()
    image(pixels).save(file, format="PNG")
    return file.getvalue()


class Picture:
    """A picture of a simulation, as `sinew.show` makes it; notebooks show it where it is the last value of a cell.

    Attributes
    ----------
    pixels : uint8 array [height, width, 3]
        The colours, the highest row first.
    """

    def __init__(self, pixels: ArrayLike) -> None:
        self.pixels = checked_pixels(pixels)

    def save(self, path: str | os.PathLike) -> None:
        """Write it as a PNG file, which appears under its name when it is whole.

        Raises
        ------
        ValueError
            The path does not end with .png.
        OSError
            The file cannot be written.
        """
        if os.path.splitext(os.fspath(path))[1].lower() != ".png":
            raise ValueError(f"{os.fspath(path)!r}: a picture is saved as .png")
        write_whole(path, png(self.pixels))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        pixels = np.asarray(self.pixels, dtype)
        return pixels.copy() if copy else pixels

    def _repr_png_(self) -> bytes:
        return png(self.pixels)

    def __repr__(self) -> str:
        height, width, _ = self.pixels.shape
        return f"<Picture of {width} x {height} pixels>"
