"""What surrounds the geoms: sky, the haze at the horizon, and fog.

The sky is a cube of pictures seen in the direction of each pixel, on a cylinder about the eye whose radius is 0.7
of the distance of the far plane: what is farther away is behind it. Haze hides the line where an infinite plane
meets it.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import instances, kinds
from .boxes import Rect
from .masks import Masked
from .programs import Programs
from .textures import UNIT

NEARNESS = 0.7  # radius of the sky over the distance of the far plane
_ABOVE = 1e-6


class Fog:
    """Where fog begins and ends, from the eye in metres, and its colour."""

    def __init__(self, model: Any) -> None:
        visual, extent = model.vis, model.stat.extent
        self.start, self.end = visual.map.fogstart * extent, visual.map.fogend * extent
        self.rgba = np.array(visual.rgba.fog, np.float32)


class Sky:
    """Draws the sky of a model, and haze."""

    def __init__(self, drawing: Any) -> None:
        gl, model, quality = drawing.gl, drawing.model, drawing.quality
        self.gl, self.textures, self.bind_eye = gl, drawing.textures, drawing.bind_eye
        self.haze_rgba = np.array(model.vis.rgba.haze, np.float32)
        self.programs = Programs(gl, "sky")
        slices = quality.numslices
        self._cylinder = self._buffer(_cylinder(slices))
        self._ring = self._buffer(_ring(slices, model.vis.map.haze))
        self._arrays: dict[tuple[int, int], Any] = {}

    def _buffer(self, vertices: NDArray) -> moderngl.Buffer:
        return self.gl.buffer(np.ascontiguousarray(vertices, np.float32))

    def draw(self, frame: Any) -> None:
        """Draw the sky behind what has been drawn, and haze before both."""
        flags = frame.flags
        image = self.textures.skybox()
        if not flags[kinds.F_SKYBOX] or flags[kinds.F_SEGMENT] or image is None:
            return
        at = np.eye(4)
        at[:3, :3] *= _radius(frame)
        at[:3, 3] = frame.position()
        image.use(UNIT)
        self.bind_eye()
        fog = bool(flags[kinds.F_FOG])
        self._cylinder_over(open_part(frame), frame.rect, self.programs.get(SKY=1, FOG=fog), at)
        tilt = self._horizon(frame)
        if flags[kinds.F_HAZE] and tilt is not None:
            self._haze(self.programs.get(FOG=fog), at @ tilt)

    def _cylinder_over(
        self, part: Rect, whole: Rect, program: moderngl.Program, at: NDArray
    ) -> None:
        """Draw the sky in a part of a picture."""
        if part[3] > 0:
            self.gl.fbo.scissor = part
            self._render(self._cylinder, program, at)
            self.gl.fbo.scissor = whole

    def _horizon(self, frame: Any) -> NDArray | None:
        """Return the matrix from the ring of haze over the first infinite plane to the sky, None without one."""
        rows = frame.rows
        planes = instances.endless_planes(rows)
        if not len(planes):
            return None
        plane = rows[planes[0]]
        turn = np.reshape(plane["mat"], (3, 3)).astype(float)
        height = turn[:, 2] @ (frame.position() - plane["pos"]) / _radius(frame)
        if height < _ABOVE:
            return None
        tilt = np.eye(4)
        tilt[:3, :3] = turn * (1, 1, height)
        tilt[:3, 3] = -height * turn[:, 2]
        return tilt

    def _haze(self, program: moderngl.Program, at: NDArray) -> None:
        program["colour"] = tuple(self.haze_rgba[:3])
        self.gl.enable(moderngl.BLEND)
        self.gl.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        with Masked(self.gl, depths=False):  # what is measured is the plane
            self._render(self._ring, program, at)
        self.gl.disable(moderngl.BLEND)

    def _render(self, vertices: moderngl.Buffer, program: moderngl.Program, at: NDArray) -> None:
        program["place"].write(np.ascontiguousarray(at.T, np.float32))
        key = vertices.glo, program.glo
        if key not in self._arrays:
            self._arrays[key] = self.gl.vertex_array(program, [(vertices, "4f", "v_position")])
        self._arrays[key].render(moderngl.TRIANGLES)

    def release(self) -> None:
        """Free what is kept."""
        for part in (*self._arrays.values(), self._cylinder, self._ring, self.programs):
            part.release()


_ROWS = np.linspace(
    -1, 1, 33
)  # where it is asked, from the lower edge of a picture to the upper one
_RAYS = np.array([[x, y, z, 1] for z in (1, 0) for x in (-1, 1) for y in _ROWS]).T


def open_part(frame: Any) -> Rect:
    """Return the part of a picture in which the sky may be seen: below or above it the largest plane hides it."""
    left, bottom, width, height = frame.rect
    covers = [cover for cover in frame.covers if not frame.eye.orthographic]
    if not covers:
        return frame.rect
    cover = max(covers, key=lambda cover: np.prod(cover.half))
    ends = np.linalg.inv(frame.view) @ _RAYS
    near, far = np.split((ends[:3] / ends[3]).T, 2)
    # rows are covered from one that is covered at both ends to the next one
    hidden = cover.meets(near, far, _radius(frame)).reshape(2, -1).all(axis=0)
    low, high = (int(np.argmin(np.append(row, False))) for row in (hidden, hidden[::-1]))
    if low == len(_ROWS):
        return left, bottom, width, 0
    ends = [0.5 * (1 + _ROWS[max(0, low - 1)]), 0.5 * (1 + _ROWS[-max(1, high)])]
    first, last = int(np.floor(ends[0] * height)), int(np.ceil(ends[1] * height))
    return left, bottom + first, width, last - first


def _radius(frame: Any) -> float:
    """Return the radius of the sky, in the room that is perhaps moved and scaled before the eye."""
    return NEARNESS * frame.eye.frustum_far / frame.turn.scale


def _circle(slices: int) -> NDArray:
    turn = np.linspace(0, 2 * np.pi, slices + 1)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _band(low: NDArray, high: NDArray) -> NDArray:
    """Return triangles [n, 4] between two rings of points [k, 4], which face inwards."""
    a, b, c, d = low[:-1], low[1:], high[1:], high[:-1]
    return np.stack([a, c, b, a, d, c], axis=1).reshape(-1, 4)


def _level(circle: NDArray, radius: float, z: float, cover: float) -> NDArray:
    rest = np.broadcast_to([z, cover], (len(circle), 2))
    return np.concatenate([radius * circle, rest], axis=1)


def _cylinder(slices: int) -> NDArray:
    circle = _circle(slices)
    rings = [_level(circle, radius, z, 1) for radius, z in ((0, -1), (1, -1), (1, 1), (0, 1))]
    return np.concatenate(
        [_band(low, high) for low, high in zip(rings[:-1], rings[1:], strict=True)]
    )


def _ring(slices: int, haze: float) -> NDArray:
    """Return haze over a plane at z = 0 whose horizon is at 1 and whose eye is at (0, 0, 1).

    It covers all on the line from the eye to the horizon, and nothing from 1 - haze on the plane, and where the
    sky is as high as the eye.
    """
    circle, whole = _circle(slices), 1 + haze
    low, high = _level(circle, 1 - haze, 0, 0), _level(circle, 1, 1, 0)
    middle = _level(circle, 1 / whole, haze / whole, 1)
    return np.concatenate([_band(low, middle), _band(middle, high)])
