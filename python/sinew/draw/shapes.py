"""Shapes of the types of geoms that need no model, of size 1 about the origin.

Vertices have ten numbers less one: position, how much the point moves along z by the half length of its geom
beside the scale (ends of capsules), normal, texture coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .geometry import Solid

Grid = NDArray[np.float64]  # [rows, columns, 9]


def _rows(position: NDArray, normal: NDArray, texcoord: NDArray, shift: NDArray | float) -> Grid:
    shape = position.shape[:-1]
    shifts = np.broadcast_to(np.asarray(shift, float), shape)[..., None]
    return np.concatenate(
        [position, shifts, normal, np.broadcast_to(texcoord, (*shape, 2))], axis=-1
    )


def _mesh(*grids: Grid) -> Solid:
    """Return the shape of grids of vertices: two triangles a cell, counter-clockwise from outside."""
    vertices, triangles, edges, start = [], [], [], 0
    for grid in grids:
        rows, columns = grid.shape[:2]
        index = start + np.arange(rows * columns).reshape(rows, columns)
        a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
        triangles.append(np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3))
        along = np.stack([index[:, :-1], index[:, 1:]], axis=-1).reshape(-1, 2)
        across = np.stack([index[:-1], index[1:]], axis=-1).reshape(-1, 2)
        edges += [along, across]
        vertices.append(grid.reshape(-1, grid.shape[-1]))
        start += rows * columns
    return Solid(
        np.concatenate(vertices).astype(np.float32),
        np.concatenate(triangles).astype(np.uint32),
        np.concatenate(edges).astype(np.uint32),
    )


def _ring(slices: int) -> tuple[NDArray, NDArray, NDArray]:
    turn = np.linspace(0, 2 * np.pi, slices + 1)
    return np.cos(turn), np.sin(turn), turn / (2 * np.pi)


def _zone(slices: int, low: float, high: float, stacks: int, shift: float) -> Grid:
    """A zone of the unit sphere between two latitudes."""
    x, y, u = _ring(slices)
    latitude = np.linspace(low, high, stacks + 1)[:, None]
    z = np.broadcast_to(np.sin(latitude), (stacks + 1, slices + 1))
    normal = np.stack([np.cos(latitude) * x, np.cos(latitude) * y, z], axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, latitude / np.pi + 0.5), axis=-1)
    return _rows(normal, normal, texcoord, shift)


def _tube(slices: int, stacks: int) -> Grid:
    """The side of a cylinder of radius 1; its ends move by the half length."""
    x, y, u = _ring(slices)
    z = np.linspace(-1, 1, stacks + 1)[:, None]
    side = np.stack(np.broadcast_arrays(x, y, 0 * z), axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, 0.5 + 0.5 * z), axis=-1)
    return _rows(side, side, texcoord, np.broadcast_to(z, side.shape[:-1]))


def _disk(slices: int, up: bool, shift: float) -> Grid:
    """A disk of radius 1 that faces along z or against it."""
    x, y, _ = _ring(slices)
    radius = np.array([1.0, 0.0] if up else [0.0, 1.0])[:, None]
    position = np.stack(np.broadcast_arrays(radius * x, radius * y, 0.0), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0 if up else -1.0], position.shape)
    return _rows(position, normal, 0.5 + 0.5 * position[..., :2], shift)


def _square(quads: int) -> Grid:
    x = np.linspace(-1, 1, quads + 1)
    position = np.stack(np.broadcast_arrays(x[None], x[:, None], 0.0), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0], position.shape)
    return _rows(position, normal, 0.5 + 0.5 * position[..., :2], 0.0)


def sphere(slices: int, stacks: int) -> Solid:
    """The unit sphere."""
    return _mesh(_zone(slices, -np.pi / 2, np.pi / 2, stacks, 0.0))


def capsule(slices: int, stacks: int) -> Solid:
    """A capsule of radius 1 whose half length is the shift."""
    half = max(1, stacks // 2)
    top, bottom = _zone(slices, 0, np.pi / 2, half, 1.0), _zone(slices, -np.pi / 2, 0, half, -1.0)
    return _mesh(bottom, _tube(slices, 1), top)


def cylinder(slices: int, stacks: int) -> Solid:
    """A cylinder of radius 1 whose half length is the shift."""
    return _mesh(_tube(slices, stacks), _disk(slices, True, 1.0), _disk(slices, False, -1.0))


def plane(quads: int) -> Solid:
    """The square from -1 to 1 at z = 0."""
    return _mesh(_square(quads))


def box(quads: int) -> Solid:
    """The cube from -1 to 1."""
    face = _square(quads)
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            turned = face.copy()
            x, y = face[..., 0], face[..., 1]
            first, second = (axis + 1) % 3, (axis + 2) % 3
            turned[..., first], turned[..., second], turned[..., axis] = x, side * y, side
            turned[..., 4:7] = 0
            turned[..., 4 + axis] = side
            faces.append(turned)
    return _mesh(*faces)


def makers(quality: Any) -> dict:
    """Return what makes the shape of each type, with as many facets as `quality` says."""
    slices, stacks, quads = quality.numslices, quality.numstacks, quality.numquads
    return {
        kinds.PLANE: lambda _: plane(quads),
        kinds.SPHERE: lambda _: sphere(slices, stacks),
        kinds.ELLIPSOID: lambda _: sphere(slices, stacks),
        kinds.CAPSULE: lambda _: capsule(slices, stacks),
        kinds.CYLINDER: lambda _: cylinder(slices, stacks),
        kinds.BOX: lambda _: box(quads),
    }
