"""Text in pixels: three fonts in the sizes that MuJoCo's have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import moderngl
import numpy as np

from .glyphs import SIZES, Atlas
from .painter import GLYPH, colour, painter

NORMAL, SHADOW, BIG = 0, 1, 2


class Line(NamedTuple):
    """A line of text: its font, where its lower left corner is (pixels), its colour."""

    font: int
    text: str
    x: float
    y: float
    rgb: Sequence[float]


class Text:
    """Draws text into whatever frame buffer is bound.

    Parameters
    ----------
    gl : moderngl.Context
        The context, which is current.
    fontscale : int
        Size of characters in percent: 50, 100, 150, 200, 250 or 300; `Text.nearest` makes one of them of any number.

    Attributes
    ----------
    charWidth, charWidthBig : (127,) int array
        Widths of characters by their codes (pixels); those that do not show have none.
    charHeight, charHeightBig : int
        Height of a line.
    """

    def __init__(self, gl: moderngl.Context, fontscale: int) -> None:
        if fontscale not in SIZES or fontscale > 300:
            raise ValueError(
                f"font scale {fontscale!r} is none of 50, 100, 150, 200, 250, 300; "
                "sinew.draw.text.Text.nearest() picks one"
            )
        self.gl = gl
        self.fontscale = int(fontscale)
        normal, big = SIZES[self.fontscale], SIZES[2 * self.fontscale]
        self.charWidth, self.charWidthBig = normal.advances, big.advances
        self.charHeight, self.charHeightBig = normal.height, big.height
        self._atlases: dict[int, Atlas] = {}
        self.painter = painter(gl)

    @staticmethod
    def nearest(fontscale: float) -> int:
        """Return the font scale of a new drawing that was asked for one: the nearest of 100, 150, ..., 300."""
        return 50 * min(6, max(2, math.floor(fontscale / 50 + 0.5)))

    def release(self) -> None:
        """Free the textures."""
        for atlas in self._atlases.values():
            atlas.release()
        self._atlases.clear()

    def _atlas(self, size: int) -> Atlas:
        """The atlas of a size, made when it is asked for first."""
        if size not in self._atlases:
            self._atlases[size] = Atlas(SIZES[size])
        return self._atlases[size]

    def _size(self, font: int) -> int:
        if font not in (NORMAL, SHADOW, BIG):
            raise ValueError(
                f"font {font!r} is none of NORMAL (0), SHADOW (1), BIG (2), mjtFont of sinew.mujoco"
            )
        return self.fontscale * (2 if font == BIG else 1)

    def height(self, font: int) -> int:
        """Height of a line of a font (pixels)."""
        return SIZES[self._size(font)].height

    def width(self, font: int, text: str) -> int:
        """Width of a line of text (pixels)."""
        return self._atlas(self._size(font)).width(text)

    def draw(
        self,
        font: int,
        text: str,
        viewport_rect: Any,
        x: float,
        y: float,
        rgb: Sequence[float],
    ) -> None:
        """Draw a line of text.

        Parameters
        ----------
        font : int
            NORMAL, SHADOW (with a dark edge) or BIG: mjtFont.
        text : str
            The text, in one line: control characters do not show. Characters that the font has not become boxes.
        viewport_rect : MjrRect
            What x and y are relative to. Text may leave it at the right side.
        x, y : float
            Place of the lower left corner of the text, from 0 to 1. Text that starts elsewhere is not drawn.
        rgb : (3,) sequence
            Colour, from 0 to 1.
        """
        left, bottom, width, height = pixels(viewport_rect)
        if 0 <= x <= 1 and 0 <= y <= 1 and width > 0 and height > 0:
            # a hair more, so that a whole number of pixels remains one
            place = [left + math.floor(width * x + 1e-3), bottom + math.floor(height * y + 1e-3)]
            self.lines([Line(font, text, *place, rgb)])
        else:
            self._size(font)  # the font is looked at in any case

    def labels(
        self,
        rect: Any,
        matrix: np.ndarray,
        points: np.ndarray,
        texts: Iterable[str],
        rgb: Sequence[float] = (1.0, 1.0, 1.0),
        font: int = SHADOW,
    ) -> None:
        """Draw labels of points in space, over all that is there: those of geoms in a scene.

        Parameters
        ----------
        rect : MjrRect
            The rectangle that the scene is drawn into.
        matrix : (4, 4) array
            From points (x, y, z, 1) to clip coordinates: projection times view.
        points : (n, 3) array
            The points; labels of those that are outside the picture are not drawn.
        texts : n strings
            The labels, drawn one after the other.
        rgb : (3,) sequence
            Colour.
        font : int
            The font.
        """
        left, bottom, width, height = pixels(rect)
        points = np.asarray(points, float).reshape(-1, 3)
        clip = np.c_[points, np.ones(len(points))] @ np.asarray(matrix, float).T
        with np.errstate(all="ignore"):
            seen = (clip[:, 3] > 0) & (np.abs(clip[:, :2]) <= clip[:, 3:]).all(1)
            places = 0.5 + 0.5 * clip[:, :2] / clip[:, 3:]
        places = np.floor(places * (width, height) + (left, bottom) + 1e-3)
        self.lines(
            Line(font, text, *place, rgb)
            for text, place, ok in zip(texts, places, seen, strict=True)
            if ok
        )

    def lines(self, lines: Iterable[Line]) -> None:
        """Draw lines of text where they are, those of one font size in one call."""
        batches: dict[int, list[np.ndarray]] = {}
        for line in lines:
            size = self._size(line.font)
            if math.isfinite(line.x) and math.isfinite(line.y):
                batches.setdefault(size, []).extend(self._glyphs(size, line))
        if not batches:
            return
        with self.painter.over():
            for size, glyphs in batches.items():
                self.painter.glyphs(self._atlas(size).texture(self.gl), np.concatenate(glyphs))

    def _glyphs(self, size: int, line: Line) -> list[np.ndarray]:
        """Characters of a line as the painter has them; all dark edges before the ink, which they would cover."""
        places = self._atlas(size).lay(line.text, math.floor(line.x), math.floor(line.y))
        ink = np.zeros((len(places), GLYPH), np.float32)
        ink[:, :6] = places
        if line.font != SHADOW:
            ink[:, 6:9] = colour(line.rgb)
            return [ink]
        edge = ink.copy()
        edge[:, 9] = 1.0
        ink[:, 6:9] = colour(line.rgb)
        return [edge, ink]


def pixels(rect: Any) -> tuple[int, int, int, int]:
    """Left, bottom, width and height of an MjrRect or of four numbers."""
    if hasattr(rect, "left"):
        return rect.left, rect.bottom, rect.width, rect.height
    left, bottom, width, height = rect
    return int(left), int(bottom), int(width), int(height)
