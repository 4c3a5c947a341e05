"""Flat shapes in pixels: bars and characters, many a call."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import resources

import moderngl
import numpy as np

from .state import State

# Columns of arrays of bars: ends x, y, x, y, breadth, red, green, blue, opacity.
BAR = 9
# Columns of arrays of characters: left, bottom, width, height, left and bottom in the atlas, red, green, blue, edge.
GLYPH = 10


class Painter:
    """Programs and buffers of a context for what is drawn over a picture; `painter` keeps one for each context."""

    def __init__(self, gl: moderngl.Context) -> None:
        self.gl = gl
        self.state = State(gl)
        with self.over():
            self._bars = _Instances(
                gl, self.state, "bar", "4f 1f 4f/i", ("ends", "breadth", "rgba")
            )
            self._glyphs = _Instances(
                gl, self.state, "glyph", "4f 2f 4f/i", ("place", "source", "tint")
            )

    def over(self) -> AbstractContextManager[None]:
        """Set what drawing needs, and give the state back as it was found."""
        return self.state.over()

    def bars(self, instances: np.ndarray) -> None:
        """Draw bars, an array (n, 9): ends x, y, x, y (pixels), breadth, red, green, blue, opacity."""
        self._bars.draw(instances)

    def glyphs(self, atlas: moderngl.Texture, instances: np.ndarray) -> None:
        """Draw characters of an atlas, an array (n, 10): left, bottom, width, height, where in the atlas, colour, edge."""
        atlas.use(0)
        self._glyphs.draw(instances)


class _Instances:
    """A program that draws a rectangle an instance, and a buffer for the instances, which grows."""

    def __init__(
        self,
        gl: moderngl.Context,
        state: State,
        name: str,
        layout: str,
        attributes: tuple[str, ...],
    ) -> None:
        self._program = gl.program(
            vertex_shader=_shader(f"{name}.vert"), fragment_shader=_shader(f"{name}.frag")
        )
        self._program["surface"] = float(state.surface)
        self._buffer = gl.buffer(reserve=1 << 14, dynamic=True)
        self._array = gl.vertex_array(self._program, [(self._buffer, layout, *attributes)])

    def draw(self, instances: np.ndarray) -> None:
        if not len(instances):
            return
        data = np.ascontiguousarray(instances, np.float32)
        # new memory under the same name: the array stays, and the last drawing is not waited for
        self._buffer.orphan(max(self._buffer.size, data.nbytes))
        self._buffer.write(data)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(data))


def _shader(name: str) -> str:
    return resources.files(__package__).joinpath("shaders", name).read_text("utf-8")


def painter(gl: moderngl.Context) -> Painter:
    """Return the painter of a context, made when it is asked for first."""
    held = getattr(gl, "_sinew_painter", None)
    if held is None:
        held = gl._sinew_painter = Painter(gl)
    return held


def colour(values: object) -> np.ndarray:
    """Numbers of a colour between 0 and 1; NaN is 0, as OpenGL has it."""
    return np.clip(np.nan_to_num(np.asarray(values, np.float32), nan=0.0), 0.0, 1.0)


def rectangles(rows: list[tuple]) -> np.ndarray:
    """Bars that fill rectangles, each row left, bottom, width, height, (red, green, blue, opacity)."""
    bars = np.zeros((len(rows), BAR), np.float32)
    for bar, (left, bottom, width, height, rgba) in zip(bars, rows, strict=True):
        middle = bottom + 0.5 * height
        bar[:5] = left, middle, left + width, middle, height
        bar[5:] = colour(rgba)
    return bars[(bars[:, 2] > bars[:, 0]) & (bars[:, 4] > 0)]
