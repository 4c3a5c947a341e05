"""Characters: their sizes on the screen, and the atlas of their pictures.

A program that lays out text counts with the widths and heights that MuJoCo's fonts have. So the widths are those, measured
on MuJoCo 3.3.7, and the pictures of Pillow's own font are set in the middle of them.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import moderngl
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from .._extra import install

EDGE = 2  # breadth of the dark edge of text with a shadow (pixels)
FIRST, LAST = 32, 126  # characters whose widths are given
_COLUMNS, _ROWS = 16, 8  # cells of an atlas
_MARGIN = 6  # room around a character in its cell (pixels)
_CAPITAL = 0.7  # height of capital letters of Pillow's font, as a part of its size

# What stands for characters that the font has not, beside letters without their accents.
_INSTEAD = str.maketrans("−–—×µμ", "---xuu")


@dataclass(frozen=True)
class Size:
    """One size of the font (pixels): height of a line, baseline above its lower side, height of capitals, widths."""

    height: int
    baseline: int
    capital: int
    widths: str

    @property
    def advances(self) -> np.ndarray:
        """Widths by character code, [127]; those that do not show have none."""
        advances = np.zeros(LAST + 1, np.int32)
        advances[FIRST:] = self.widths.split()
        return advances


# Sizes by font scale, in percent; big text has the size of twice its scale.
# fmt: off
SIZES = {
    50: Size(11, 2, 7, "3 3 5 6 5 7 6 3 3 3 5 5 3 3 3 4 5 5 5 5 5 5 5 5 5 5 3 3 5 5 5 4 7 8 7 8 8 7 7 8 8 4 6 7 6 10 8 8 7 8 8 7 6 8 8 10 7 6 7 4 4 4 6 6 4 6 6 6 6 6 4 6 6 3 3 6 3 9 6 6 6 6 4 6 4 6 7 9 6 6 6 3 5 3 5"),
    100: Size(18, 4, 10, "4 5 6 9 8 12 10 4 5 5 8 8 4 5 4 6 8 8 8 8 8 8 8 8 8 8 4 4 8 8 8 7 12 10 10 10 11 10 9 11 11 4 8 9 8 12 11 11 10 11 11 10 10 11 10 14 9 10 9 5 5 5 8 8 5 9 9 8 9 9 4 9 8 4 4 8 4 12 8 9 9 9 5 8 4 8 8 10 7 8 7 6 8 6 8"),
    150: Size(28, 7, 15, "6 6 9 14 12 18 15 6 7 7 12 12 6 7 6 8 12 12 12 12 12 12 12 12 12 12 6 6 12 12 12 10 18 15 14 16 15 14 13 16 15 6 12 15 12 18 15 17 14 17 14 15 14 15 15 21 15 14 13 7 7 7 8 12 8 12 12 11 12 12 6 12 12 5 5 11 5 17 12 12 12 12 7 11 6 12 11 15 11 11 11 8 12 8 12"),
    200: Size(37, 10, 19, "8 8 12 18 16 23 20 7 9 9 16 16 8 10 8 11 16 16 16 16 16 16 16 16 16 16 8 8 16 16 16 13 24 19 19 21 21 19 18 22 21 9 15 19 16 23 21 22 19 22 21 19 18 21 19 26 19 19 18 9 9 9 14 16 10 16 16 15 16 16 9 16 16 7 7 15 7 23 16 16 16 16 10 15 9 16 15 21 14 15 15 11 16 11 16"),
    250: Size(45, 12, 25, "10 10 14 22 19 28 24 8 11 11 19 19 9 12 10 13 19 19 19 19 19 19 19 19 19 19 10 10 19 19 19 15 30 24 24 26 26 24 22 27 26 11 18 24 20 29 26 27 24 27 26 24 22 26 24 33 24 23 22 10 10 10 17 20 12 20 20 18 20 20 10 20 20 9 9 18 9 29 20 20 20 20 12 18 10 20 18 26 18 18 18 13 19 13 19"),
    300: Size(54, 15, 29, "11 12 17 27 23 34 29 10 13 13 23 23 11 14 12 16 23 23 23 23 23 23 23 23 23 23 12 12 23 23 23 18 36 28 28 31 31 28 26 33 31 12 22 28 24 35 31 33 28 33 31 28 26 31 28 40 28 28 26 12 12 12 20 24 15 24 24 22 24 24 12 24 24 11 11 22 11 35 24 24 24 24 15 22 12 24 22 31 22 22 22 15 23 15 23"),
    400: Size(71, 21, 38, "15 15 22 35 30 45 38 13 17 17 30 30 14 18 15 21 30 30 30 30 30 30 30 30 30 30 15 15 30 30 30 24 47 36 36 39 39 36 33 42 39 16 28 36 30 45 39 42 36 42 39 36 33 39 36 51 36 36 33 16 16 16 26 30 19 30 30 28 30 30 16 30 30 14 14 28 14 45 30 30 30 30 19 28 16 30 28 39 28 28 28 20 30 20 30"),
    500: Size(89, 26, 48, "18 19 28 44 38 56 48 16 21 21 38 38 18 23 19 26 38 38 38 38 38 38 38 38 38 38 19 19 38 38 38 30 59 46 46 49 49 46 42 53 49 20 35 46 38 57 49 53 46 53 49 46 42 49 46 64 46 46 42 20 20 20 32 38 23 38 38 35 38 38 20 38 38 15 15 35 15 57 38 38 38 38 23 35 20 38 35 49 35 35 35 25 38 25 38"),
    600: Size(106, 31, 57, "22 23 33 53 45 67 57 19 25 25 45 45 21 27 22 31 45 45 45 45 45 45 45 45 45 45 22 22 45 45 45 35 70 54 54 59 59 54 50 63 59 23 41 54 45 68 59 63 54 63 59 54 50 59 54 77 54 54 50 23 23 23 39 45 28 45 45 41 45 45 23 45 45 18 18 41 18 68 45 45 45 45 28 41 23 45 41 59 41 41 41 29 45 29 45"),
}
# fmt: on


class Atlas:
    """Pictures of the characters of one size; characters beyond ASCII come when they are asked for first.

    Parameters
    ----------
    size : Size
        The size.
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self._font = _font(size.capital / _CAPITAL)
        self._missing = self._picture("\uffff")
        # as wide as the widest character of the font that Latin text may need
        self._cell = int(1.25 * max(size.advances)) + 2 * _MARGIN, size.height + 2 * _MARGIN
        self._texels = np.zeros((self._cell[1] * _ROWS, self._cell[0] * _COLUMNS, 2), np.uint8)
        self._texture: moderngl.Texture | None = None
        self._old = True  # the texture lacks what is in the texels
        self._advances = {chr(c): int(size.advances[c]) for c in range(FIRST, LAST + 1)}
        self._places: dict[str, tuple[float, ...]] = {}
        for character in list(self._advances):
            self._add(character)

    def texture(self, gl: moderngl.Context) -> moderngl.Texture:
        """The texture of a context, which is current, with all characters that were asked for."""
        if self._texture is None:
            self._texture = gl.texture(self._texels.shape[1::-1], 2, alignment=1)
            self._texture.filter = moderngl.NEAREST, moderngl.NEAREST
        if self._old:
            self._texture.write(self._texels, alignment=1)
            self._old = False
        return self._texture

    def release(self) -> None:
        """Free the texture."""
        if self._texture is not None:
            self._texture.release()
            self._texture, self._old = None, True

    def _picture(self, character: str) -> bytes:
        """What the font has for a character."""
        return bytes(self._font.getmask(character))

    def known(self, text: str) -> str:
        """Return text with what the font has: letters without accents, a box for others; control characters do not show."""
        if text.isascii():
            return text if text.isprintable() else "".join(filter(str.isprintable, text))
        return "".join(self._known(c) for c in text)

    def _known(self, character: str) -> str:
        if character in self._advances:
            return character
        category = unicodedata.category(character)
        if category.startswith(("C", "M")) and category != "Co" and category != "Cs":
            return ""  # control and format characters, marks upon others
        plain = unicodedata.normalize("NFKD", character.translate(_INSTEAD))[0]
        for candidate in (character, plain):
            if candidate in self._advances or self._learn(candidate):
                return candidate
        self._learn("\uffff", always=True)
        return "\uffff"

    def _learn(self, character: str, always: bool = False) -> bool:
        """Take a character into the atlas, if the font has it and there is room."""
        if character in self._advances:
            return True
        if len(self._places) >= _COLUMNS * _ROWS - (0 if always else 1):
            return False
        if not always and (
            0xD800 <= ord(character) < 0xE000 or self._picture(character) == self._missing
        ):
            return False
        self._advances[character] = max(1, round(self._font.getlength(character)))
        self._add(character)
        return True

    def _add(self, character: str) -> None:
        """Draw a character into the next cell: ink, ink with edge; upwards, as OpenGL has it."""
        wide, high = self._cell
        number = len(self._places)
        x, y = wide * (number % _COLUMNS), high * (number // _COLUMNS)
        ink = Image.new("L", self._cell)
        spare = self._advances[character] - self._font.getlength(character)
        line = high - _MARGIN - self.size.baseline
        ImageDraw.Draw(ink).text(
            (_MARGIN + 0.5 * spare, line), character, fill=255, font=self._font, anchor="ls"
        )
        edge = ink.filter(ImageFilter.MaxFilter(2 * EDGE + 1))
        cell = np.stack([np.asarray(ink), np.asarray(edge)], 2)[::-1]
        self._texels[y : y + high, x : x + wide] = cell
        self._old = True
        self._places[character] = self._place(x, y, cell)

    def _place(self, x: int, y: int, cell: np.ndarray) -> tuple[float, ...]:
        """Where what shows of a cell is from the pen on, its size, and where it is in the atlas."""
        rows, columns = np.flatnonzero(cell[:, :, 1].any(1)), np.flatnonzero(cell[:, :, 1].any(0))
        if not len(rows):
            return 0.0, 0.0, 0.0, 0.0, float(x), float(y)
        left, bottom = int(columns[0]), int(rows[0])
        return (
            float(left - _MARGIN),
            float(bottom - _MARGIN),
            float(columns[-1] + 1 - left),
            float(rows[-1] + 1 - bottom),
            float(x + left),
            float(y + bottom),
        )

    def width(self, text: str) -> int:
        """Width of text (pixels)."""
        return sum(map(self._advances.__getitem__, self.known(text)))

    def lay(self, text: str, x: int, y: int) -> np.ndarray:
        """Where characters of text that starts at x, y are, and where in the atlas, [n, 6]."""
        text = self.known(text)
        if not text:
            return np.zeros((0, 6))
        places = np.array([self._places[c] for c in text])
        advances = np.array([self._advances[c] for c in text])
        places[:, 0] += x + np.cumsum(advances) - advances
        places[:, 1] += y
        return places[places[:, 2] > 0]


def _font(size: float) -> ImageFont.FreeTypeFont:
    """Pillow's own font."""
    try:
        font = ImageFont.load_default(size)
    except (ImportError, TypeError) as fault:
        raise ImportError(
            f"text over pictures needs Pillow 10.1 or newer, with FreeType: {install('view')}"
        ) from fault
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
