"""Vertices of the shapes of geoms, of size 1 about the origin.

A vertex has ten numbers: position, normal, texture coordinates, and two that say how much it moves along z by
the half length of its geom beside the scale, and by its radius (caps of capsules, heads of arrows).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vertices = NDArray[np.float32]  # [3 n, 9], a triangle each three rows
COLUMNS = 9
FORMAT = "3f 3f 2f 1f"
NAMES = ("v_position", "v_normal", "v_texcoord", "v_shift")


def _triangles(grid: NDArray, flip: bool = False) -> Vertices:
    """Rows of two triangles for each cell of a grid of vertices [r, c, COLUMNS]."""
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    order = (a, c, b, a, d, c) if flip else (a, b, c, a, c, d)
    return np.stack(order, axis=2).reshape(-1, grid.shape[-1]).astype(np.float32)


def _rows(position: NDArray, normal: NDArray, texcoord: NDArray, shift: NDArray | float) -> NDArray:
    shape = position.shape[:-1]
    shifts = np.broadcast_to(np.asarray(shift, float), shape)[..., None]
    return np.concatenate(
        [position, normal, np.broadcast_to(texcoord, (*shape, 2)), shifts], axis=-1
    )


def _ring(slices: int) -> tuple[NDArray, NDArray, NDArray]:
    turn = np.linspace(0, 2 * np.pi, slices + 1)
    return np.cos(turn), np.sin(turn), turn / (2 * np.pi)


def _cap(slices: int, low: float, high: float, stacks: int, shift: float) -> Vertices:
    """A zone of the unit sphere between two latitudes."""
    x, y, u = _ring(slices)
    latitude = np.linspace(low, high, stacks + 1)[:, None]
    z = np.broadcast_to(np.sin(latitude), (stacks + 1, slices + 1))
    normal = np.stack([np.cos(latitude) * x, np.cos(latitude) * y, z], axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, latitude / np.pi + 0.5), axis=-1)
    return _triangles(_rows(normal, normal, texcoord, shift))


def sphere(slices: int, stacks: int) -> Vertices:
    """The unit sphere."""
    return _cap(slices, -np.pi / 2, np.pi / 2, stacks, 0.0)


def tube(slices: int, stacks: int, shift: float = 1.0) -> Vertices:
    """The side of a cylinder of radius 1; its ends move by the half length."""
    x, y, u = _ring(slices)
    z = np.linspace(-1, 1, stacks + 1)[:, None]
    side = np.stack(np.broadcast_arrays(x, y, 0 * z), axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, 0.5 + 0.5 * z), axis=-1)
    shifts = np.broadcast_to(z * shift, side.shape[:-1])
    return _triangles(_rows(side, side, texcoord, shifts))


def disk(slices: int, up: bool, shift: float) -> Vertices:
    """A disk of radius 1 that faces along z or against it."""
    x, y, _ = _ring(slices)
    radius = np.array([0.0, 1.0])[:, None]
    position = np.stack(np.broadcast_arrays(radius * x, radius * y, 0.0), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0 if up else -1.0], position.shape)
    texcoord = 0.5 + 0.5 * position[..., :2]
    return _triangles(_rows(position, normal, texcoord, shift), flip=up)


def capsule(slices: int, stacks: int) -> Vertices:
    """A capsule of radius 1 whose half length is the shift."""
    half = max(1, stacks // 2)
    top, bottom = _cap(slices, 0, np.pi / 2, half, 1.0), _cap(slices, -np.pi / 2, 0, half, -1.0)
    return np.concatenate([bottom, tube(slices, 1), top])


def cylinder(slices: int, stacks: int) -> Vertices:
    """A cylinder of radius 1 whose half length is the shift."""
    return np.concatenate(
        [tube(slices, stacks), disk(slices, True, 1.0), disk(slices, False, -1.0)]
    )


def plane(quads: int) -> Vertices:
    """The square from -1 to 1 at z = 0."""
    x = np.linspace(-1, 1, quads + 1)
    position = np.stack(np.broadcast_arrays(x[None], x[:, None], 0.0), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0], position.shape)
    return _triangles(_rows(position, normal, 0.5 + 0.5 * position[..., :2], 0.0))


def box(quads: int) -> Vertices:
    """The cube from -1 to 1."""
    face = plane(quads)
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            turned = face.copy()
            x, y = face[:, 0], face[:, 1]
            turned[:, [(axis + 1) % 3, (axis + 2) % 3, axis]] = np.stack(
                [x, side * y, np.full_like(x, side)], 1
            )
            turned[:, 3:6] = 0
            turned[:, 3 + axis] = side
            faces.append(turned)
    return np.concatenate(faces)
