"""Shapes as vertices and faces, before they are on a graphics card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COLUMNS = 9  # of a vertex

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


def outline(solid: Solid) -> Solid:
    """Return a shape with one vertex for each place, for where it is not lit."""
    places = np.ascontiguousarray(solid.vertices[:, :4], np.float32) + np.float32(0)  # no -0
    keys = places.view(np.dtype((np.void, places.strides[0]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return Solid(solid.vertices[first], which.reshape(-1)[solid.faces].astype(np.uint32))


def is_closed(solid: Solid) -> bool:
    """Return whether a shape has an inside, and the fronts of all its faces look away from it."""
    corners = outline(solid).triangles()  # as it is where faces meet that are lit differently
    corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)].astype(np.int64)
    begin, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    along, back = np.sort(begin << 32 | end), np.sort(end << 32 | begin)
    if not np.array_equal(along, back) or (along[1:] == along[:-1]).any():
        return False
    a, b, c = solid.vertices[solid.triangles(), :3].astype(float).transpose(1, 0, 2)
    return bool(np.einsum("ij,ij->", a, np.cross(b, c)) > 0)
