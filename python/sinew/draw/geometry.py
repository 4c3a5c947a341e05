"""Shapes as vertices and indices in two buffers, so that one call may draw many of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import boxes, kinds
from .solid import COLUMNS, Key, Solid, is_closed

FORMAT = "4f 3f 2f"
NAMES = ("v_position", "v_normal", "v_texcoord")

# faces above which shapes are drawn in pieces, and about how many a piece has
LARGE, PIECE = 8192, 1024


@dataclass
class _Piece:
    """Some faces of a shape that lie together: how many, and a box about them."""

    faces: int
    box: NDArray[np.float64]


def _in_pieces(solid: Solid) -> tuple[Solid, list[_Piece]]:
    """Return a shape with its faces ordered by where they are, and the pieces that they are of."""
    faces = np.asarray(solid.faces)
    middle = sum(solid.vertices[corner, :3].astype(float) for corner in faces.T) / faces.shape[1]
    low, size = middle.min(axis=0), np.ptp(middle, axis=0).max() + 1e-30
    wanted = len(middle) // PIECE
    for cells in range(1, wanted + 1):
        cell = ((middle - low) / size * cells).astype(np.int64) @ (1, cells + 1, (cells + 1) ** 2)
        if len(np.unique(cell)) >= wanted:
            break
    order = np.argsort(cell, kind="stable")
    begins = np.append(0, np.flatnonzero(np.diff(cell[order])) + 1)
    faces = faces[order]
    about = boxes.about_pieces(tuple(solid.vertices[corner] for corner in faces.T), begins)
    counts = np.diff(begins, append=len(faces)).tolist()
    return Solid(solid.vertices, faces), [
        _Piece(*piece) for piece in zip(counts, about, strict=True)
    ]


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

    Attributes
    ----------
    places : (n, 4) int array
        Of shapes and pieces of shapes: first index of triangles, number of indices, the same of faces.
    pieces : (n, 2) int array
        Of shapes: the row of their first piece, and how many they have; 0 for those drawn as a whole.
    boxes : (n, 7) array
        Of shapes and pieces: what they are in, as vertices are: middle, half sides, how much z moves by the half length.
    closed : (n,) array
        Whether meshes and skins are known to show only fronts of faces from outside.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self.gl = gl
        self.makers: dict[int, Callable[[int], Solid | None]] = {}
        self.places = np.zeros((64, 4), np.int64)
        self.pieces = np.zeros((64, 2), np.int64)
        self.boxes = np.zeros((64, 7))
        self.closed = np.zeros(64, bool)
        self.vertices = _Growing(gl, 4 * COLUMNS)
        self.indices = _Growing(gl, 4)
        self._rows = _Room()
        self._index: dict[Key, int] = {}
        self._where: dict[int, _Place] = {}

    def find(self, key: Key) -> int:
        """Return the row of `places` of a shape, or -1 where there is nothing to draw."""
        if key not in self._index:
            maker = self.makers.get(key[0])
            solid = maker(key[1]) if maker else None
            self._index[key] = -1 if solid is None else self._add(solid, key[0])
        return self._index[key]

    def forget(self, key: Key) -> None:
        """Let a shape be made anew when it is asked for next."""
        index = self._index.pop(key, -1)
        if index >= 0:
            place = self._where.pop(index)
            self.vertices.free(place.vertex, place.vertices)
            self.indices.free(place.triangle, place.triangles)
            self.indices.free(place.face, place.faces)
            self._rows.free(index, 1 + int(self.pieces[index, 1]))

    def rewrite(self, key: Key, vertices: NDArray) -> None:
        """Replace the vertices [n, 9] of a shape that has been found; their number stays."""
        index = self.find(key)
        place = self._where[index]
        if len(vertices) != place.vertices:
            raise ValueError(f"a shape of {place.vertices} vertices got {len(vertices)}")
        self.vertices.write(place.vertex, np.ascontiguousarray(vertices, np.float32))
        self.boxes[index] = boxes.about(vertices)

    def _add(self, solid: Solid, kind: int) -> int:
        pieces: list[_Piece] = []
        closed = kind in (kinds.MESH, kinds.SDF, *kinds.IN_ROOM) and is_closed(solid)
        if len(solid.faces) > LARGE and kind not in kinds.IN_ROOM:
            solid, pieces = _in_pieces(solid)
        vertices = np.ascontiguousarray(solid.vertices, np.float32)
        first = self.vertices.take(len(vertices))
        self.vertices.write(first, vertices)
        place = [first, len(vertices)]
        for rows in (solid.triangles(), solid.faces):
            indices = np.asarray(rows, np.uint32).ravel() + np.uint32(first)
            start = self.indices.take(len(indices))
            self.indices.write(start, indices)
            place += [start, len(indices)]
        index = self._row(1 + len(pieces))
        self._where[index] = _Place(*place)
        self.places[index] = place[2:]
        self.pieces[index] = index + 1, len(pieces)
        self.boxes[index] = boxes.about(vertices)
        self.closed[index : index + 1 + len(pieces)] = closed
        self._place_pieces(index, solid, pieces)
        return index

    def _row(self, number: int) -> int:
        """Return the first of some rows of the tables, which grow."""
        first = self._rows.take(number)
        while len(self.places) < self._rows.used:
            self.places, self.pieces, self.boxes, self.closed = (
                np.concatenate([table, np.zeros_like(table)])
                for table in (self.places, self.pieces, self.boxes, self.closed)
            )
        return first

    def _place_pieces(self, index: int, solid: Solid, pieces: list[_Piece]) -> None:
        triangle, _, face, _ = self.places[index]
        corners = np.where(solid.faces[:, 2] == solid.faces[:, 3], 3, 6)
        begin = 0
        for row, piece in enumerate(pieces, index + 1):
            end = begin + piece.faces
            number = int(corners[begin:end].sum())
            self.places[row] = triangle, number, face, 4 * piece.faces
            self.pieces[row] = 0
            self.boxes[row] = piece.box
            triangle, face, begin = triangle + number, face + 4 * piece.faces, end

    def release(self) -> None:
        """Free the buffers."""
        self.vertices.buffer.release()
        self.indices.buffer.release()


class _Room:
    """Numbers of rows, taken in runs; a run that has been freed is taken again where it fits exactly."""

    def __init__(self) -> None:
        self.used = 0
        self._holes: dict[int, list[int]] = {}

    def take(self, rows: int) -> int:
        holes = self._holes.get(rows)
        if holes:
            return holes.pop()
        self.used += rows
        return self.used - rows

    def free(self, first: int, rows: int) -> None:
        self._holes.setdefault(rows, []).append(first)


class _Growing(_Room):
    """A buffer of rows that grows; `version` changes when the buffer is another one."""

    def __init__(self, gl: moderngl.Context, stride: int) -> None:
        super().__init__()
        self.gl, self.stride, self.version = gl, stride, 0
        self.buffer: Any = gl.buffer(reserve=1024 * stride)

    def take(self, rows: int) -> int:
        before = self.used
        first = super().take(rows)
        if self.used * self.stride > self.buffer.size:
            larger = self.gl.buffer(reserve=2 * self.used * self.stride)
            self.gl.copy_buffer(larger, self.buffer, before * self.stride)
            self.buffer.release()
            self.buffer, self.version = larger, self.version + 1
        return first

    def write(self, first: int, data: NDArray) -> None:
        if data.size:
            self.buffer.write(data, offset=first * self.stride)
