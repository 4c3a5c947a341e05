"""Shapes as vertices and indices in two buffers, so that one call may draw many of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

FORMAT = "4f 3f 2f"
NAMES = ("v_position", "v_normal", "v_texcoord")
COLUMNS = 9

Key = tuple[int, int]  # type of geom and dataid


@dataclass
class Solid:
    """A shape: vertices, and the faces between them.

    vertices : array [n, 9] of position, how much z moves by the half length of the geom, normal, texture
    coordinates. faces [f, 4] : rows of vertices of quads, counter-clockwise seen from outside, which are cut from
    the second corner to the last; a triangle has its last corner twice.
    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]

    def triangles(self) -> NDArray[np.uint32]:
        """Return the faces as triangles, [t, 3]."""
        flat = np.asarray(self.faces, np.uint32)[:, [[0, 1, 3], [1, 2, 3]]].reshape(-1, 3)
        return flat[flat[:, 1] != flat[:, 2]]


def solid_of_triangles(vertices: NDArray, triangles: NDArray) -> Solid:
    """Return the shape of triangles [t, 3] between vertices [n, 9]."""
    faces = np.asarray(triangles, np.uint32).reshape(-1, 3)[:, [0, 1, 2, 2]]
    return Solid(np.asarray(vertices, np.float32), faces)


@dataclass
class _Place:
    """Where a shape stands in the buffers: rows of vertices, indices of triangles and of faces, number of each."""

    vertex: int
    vertices: int
    triangle: int
    triangles: int
    face: int
    faces: int


class Geometry:
    """All shapes that are drawn, found by (type, dataid); made when first asked for.

    `makers` has for a type of geom the function that makes the shape of a dataid (a Solid, or None where
    there is nothing to draw); whoever knows meshes adds a line for them.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self.gl = gl
        self.makers: dict[int, Callable[[int], Solid | None]] = {}
        self.places = np.zeros(
            (0, 4), np.int64
        )  # first index of triangles, number, the same of faces
        self.vertices = _Growing(gl, 4 * COLUMNS)
        self.indices = _Growing(gl, 4)
        self._index: dict[Key, int] = {}
        self._where: dict[int, _Place] = {}

    def find(self, key: Key) -> int:
        """Return the row of `places` of a shape, or -1 where there is nothing to draw."""
        if key not in self._index:
            maker = self.makers.get(key[0])
            solid = maker(key[1]) if maker else None
            self._index[key] = -1 if solid is None else self._add(solid)
        return self._index[key]

    def forget(self, key: Key) -> None:
        """Let a shape be made anew when it is asked for next."""
        index = self._index.pop(key, -1)
        if index >= 0:
            place = self._where.pop(index)
            self.vertices.free(place.vertex, place.vertices)
            self.indices.free(place.triangle, place.triangles)
            self.indices.free(place.face, place.faces)

    def rewrite(self, key: Key, vertices: NDArray) -> None:
        """Replace the vertices [n, 9] of a shape that has been found; their number stays."""
        place = self._where[self.find(key)]
        if len(vertices) != place.vertices:
            raise ValueError(f"a shape of {place.vertices} vertices got {len(vertices)}")
        self.vertices.write(place.vertex, np.ascontiguousarray(vertices, np.float32))

    def _add(self, solid: Solid) -> int:
        vertices = np.ascontiguousarray(solid.vertices, np.float32)
        first = self.vertices.take(len(vertices))
        self.vertices.write(first, vertices)
        place = [first, len(vertices)]
        for rows in (solid.triangles(), solid.faces):
            indices = np.asarray(rows, np.uint32).ravel() + np.uint32(first)
            start = self.indices.take(len(indices))
            self.indices.write(start, indices)
            place += [start, len(indices)]
        index = len(self.places)
        self.places = np.concatenate([self.places, [place[2:]]])
        self._where[index] = _Place(*place)
        return index

    def release(self) -> None:
        """Free the buffers."""
        self.vertices.buffer.release()
        self.indices.buffer.release()


class _Growing:
    """A buffer of rows that grows; what has been freed is taken again where it fits exactly.

    `version` changes when the buffer is another one.
    """

    def __init__(self, gl: moderngl.Context, stride: int) -> None:
        self.gl, self.stride, self.used, self.version = gl, stride, 0, 0
        self.buffer: Any = gl.buffer(reserve=1024 * stride)
        self._holes: dict[int, list[int]] = {}

    def take(self, rows: int) -> int:
        holes = self._holes.get(rows)
        if holes:
            return holes.pop()
        first, self.used = self.used, self.used + rows
        if self.used * self.stride > self.buffer.size:
            larger = self.gl.buffer(reserve=2 * self.used * self.stride)
            self.gl.copy_buffer(larger, self.buffer, first * self.stride)
            self.buffer.release()
            self.buffer, self.version = larger, self.version + 1
        return first

    def free(self, first: int, rows: int) -> None:
        self._holes.setdefault(rows, []).append(first)

    def write(self, first: int, data: NDArray) -> None:
        if data.size:
            self.buffer.write(data, offset=first * self.stride)
