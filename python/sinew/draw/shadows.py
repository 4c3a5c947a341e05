"""Shadow maps: the scene as lights see it."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import kinds, lights
from .boxes import Boxes, Cover
from .instances import Rect

UNIT = 8  # texture unit of the first map; textures of materials are below
OFFSET = (
    -1.5,
    -4.0,
)  # away from the light, by slope and by steps of depth, so that no face shades itself
_MUCH = 0.4  # of a map, from which on all of it is emptied


def needless(
    row: NDArray, cast: Boxes, seen: Boxes, covers: list[Cover], light: Any, view: NDArray
) -> NDArray[np.bool_]:
    """Say which parts [n] that cast shadows need not be drawn into a light's map: floors, and what is below them.

    What has the light before it takes light only from what is behind it; where the eye sees nothing of that, nobody
    sees that it is lit. The largest part of a map is mostly one of a floor.

    Parameters
    ----------
    row : array [n]
        Geoms of the scene that the parts are of.
    cast : Boxes [n]
        What they are in.
    seen : Boxes [k]
        What is in the map of that the eye sees.
    covers : list of Cover
        Planes with the eye before them.
    light : MjvLight
        The light.
    view : array [4, 4]
        From the room to the clip space of its map.
    """
    out = np.zeros(len(row), bool)
    for cover in covers:
        if cover.lit(light, light.type == kinds.DIRECTIONAL) and cover.hide(seen, view)[1].all():
            out |= (row == cover.geom) | cover.hide(cast)[0]
    return out


class Shadows:
    """A square map of depth for each light that casts shadows.

    Parameters
    ----------
    size : int
        Pixels along a side; 0: no shadows.
    reach : float
        Half the side of the square that a directional light's map covers.
    part : float
        What part of a cone its map covers.
    """

    def __init__(self, gl: moderngl.Context, size: int, reach: float, part: float) -> None:
        self.gl, self.size, self.reach, self.part = gl, size, reach, part
        self.there = size > 2
        self._maps: list[tuple[Any, Any]] = []
        self._drawn: list[Rect] = []  # what of each map is not empty

    def view(self, light: Any, eye: Any) -> NDArray[np.float64]:
        """Return the matrix from the room to the clip space of a light's map, depth from 1 down to 0."""
        return lights.map_view(light, eye, self.reach, self.part)

    def map(self, index: int) -> tuple[Any, Any]:
        """Return depth texture and frame buffer of a map."""
        while len(self._maps) <= index:
            texture = self.gl.depth_texture((self.size, self.size))
            texture.compare_func = ">="
            texture.filter = moderngl.NEAREST, moderngl.NEAREST
            texture.repeat_x = texture.repeat_y = False
            self._maps.append((texture, self.gl.framebuffer(depth_attachment=texture)))
            self._drawn.append((0, 0, self.size, self.size))
        return self._maps[index]

    def begin(self, index: int, part: Rect) -> None:
        """Draw into a part of a map, which is emptied.

        Its border of one pixel stays empty, so that all beyond is lit.
        """
        target = self.map(index)[1]
        target.use()
        # a whole map is emptied with what is drawn into it, tile by tile; a part of it by drawing over it
        _, _, width, height = self._drawn[index]
        whole = width * height > _MUCH * self.size**2
        target.clear(depth=0.0, viewport=None if whole else self._drawn[index])
        self._drawn[index] = part
        target.viewport = 1, 1, self.size - 2, self.size - 2
        self.gl.polygon_offset = OFFSET

    def covered(self, cast: Boxes, view: NDArray) -> Rect:
        """Return the part of a map that something can be in."""
        inside = self.size - 2
        left, bottom, width, height = cast.window(view, (inside, inside))
        return left + 1, bottom + 1, width, height

    def end(self) -> None:
        """Draw pictures again."""
        self.gl.polygon_offset = 0.0, 0.0

    def bind(self, program: moderngl.Program, number: int) -> None:
        """Let a program read the first maps."""
        for i in range(number):
            self._maps[i][0].use(UNIT + i)
            name = f"shadow_map{i}"
            if name in program:
                program[name].value = UNIT + i

    def release(self) -> None:
        """Free the maps."""
        for texture, target in self._maps:
            target.release()
            texture.release()
        self._maps.clear()
        self._drawn.clear()
