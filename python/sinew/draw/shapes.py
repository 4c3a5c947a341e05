"""Shapes of the types of geoms that need no model, of size 1 about the origin.

Vertices have ten numbers less one: position, how much the point moves along z by the half length of its geom
beside the scale (ends of capsules), normal, texture coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .planes import Planes
from .solid import Solid

Grid = NDArray[np.float64]  # [rows, columns, 9]


def _rows(position: NDArray, normal: NDArray, texcoord: NDArray, shift: NDArray | float) -> Grid:
    shape = position.shape[:-1]
    shifts = np.broadcast_to(np.asarray(shift, float), shape)[..., None]
    return np.concatenate(
        [position, shifts, normal, np.broadcast_to(texcoord, (*shape, 2))], axis=-1
    )


def _join(*parts: tuple[NDArray, NDArray]) -> Solid:
    """Return one shape of several: vertices [n, 9] and faces [f, 4] of each."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [f + start for (_, f), start in zip(parts, starts, strict=False)]
    return Solid(
        np.concatenate([vertices for vertices, _ in parts]).astype(np.float32),
        np.concatenate(faces).astype(np.uint32),
    )


def _strips(grid: Grid) -> tuple[NDArray, NDArray]:
    """Return vertices and faces of a grid whose rows go upwards and whose columns go around z.

    A row or column whose points are one gives triangles.
    """
    rows, columns = grid.shape[:2]
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.stack([a, b, c, d], axis=-1)
    if rows > 1 and np.allclose(grid[0, :, :3], grid[0, 0, :3]):
        faces[0] = np.stack([a, c, d, d], axis=-1)[0]
    if rows > 1 and np.allclose(grid[-1, :, :3], grid[-1, 0, :3]):
        faces[-1] = np.stack([a, b, d, d], axis=-1)[-1]
    return grid.reshape(-1, grid.shape[-1]), faces.reshape(-1, 4)


def _ring(slices: int) -> tuple[NDArray, NDArray, NDArray]:
    turn = np.linspace(0, 2 * np.pi, slices + 1)
    return np.cos(turn), np.sin(turn), turn / (2 * np.pi)


def _zone(slices: int, low: float, high: float, stacks: int, shift: float = 0.0) -> Grid:
    """A zone of the unit sphere between two latitudes."""
    x, y, u = _ring(slices)
    latitude = np.linspace(low, high, stacks + 1)[:, None]
    z = np.broadcast_to(np.sin(latitude), (stacks + 1, slices + 1))
    normal = np.stack([np.cos(latitude) * x, np.cos(latitude) * y, z], axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, latitude / np.pi + 0.5), axis=-1)
    return _rows(normal, normal, texcoord, shift)


def _side(slices: int, stacks: int, low: float, high: float, shift: float = 0.0) -> Grid:
    """The side of a cylinder of radius 1; z goes from `low` to `high`, the shift from -shift to shift."""
    x, y, u = _ring(slices)
    height = np.linspace(0, 1, stacks + 1)[:, None]
    side = np.stack(np.broadcast_arrays(x, y, 0 * height), axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, height), axis=-1)
    at = side + [0, 0, 1] * (low + (high - low) * height)[..., None]
    return _rows(at, side, texcoord, np.broadcast_to((2 * height - 1) * shift, side.shape[:-1]))


def _cone(slices: int, stacks: int, radius: float, low: float, high: float) -> Grid:
    """The side of a cone whose base is at z = `low` and whose tip at `high`."""
    x, y, u = _ring(slices)
    height = np.linspace(0, 1, stacks + 1)[:, None]
    wide = radius * (1 - height)
    z = low + (high - low) * height
    position = np.stack(np.broadcast_arrays(wide * x, wide * y, z), axis=-1)
    length = high - low
    normal = np.stack(np.broadcast_arrays(length * x, length * y, radius + 0 * height), axis=-1)
    texcoord = np.stack(np.broadcast_arrays(u, height), axis=-1)
    normal /= np.hypot(length, radius)
    middle = (
        normal[-1, :-1] + normal[-1, 1:]
    )  # the tip has in each face the mean of that face's normals
    normal[-1, :-1] = middle / np.linalg.norm(middle, axis=-1, keepdims=True)
    return _rows(position, normal, texcoord, 0.0)


def _disk(
    slices: int, rings: int, up: bool, z: float = 0.0, shift: float = 0.0, radius: float = 1.0
) -> Grid:
    """A disk of some rings that faces along z or against it."""
    x, y, _ = _ring(slices)
    wide = np.linspace(0, 1, rings + 1)[:, None]
    wide = radius * (wide[::-1] if up else wide)
    position = np.stack(np.broadcast_arrays(wide * x, wide * y, z), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0 if up else -1.0], position.shape)
    return _rows(position, normal, 0.5 + 0.5 * position[..., :2], shift)


def _flipped(grid: Grid) -> Grid:
    """The grid turned half a turn about x."""
    return grid * np.where(np.isin(np.arange(grid.shape[-1]), (1, 2, 3, 5, 6)), -1, 1)


def sphere(slices: int, stacks: int) -> Solid:
    """The unit sphere, of two halves with half the stacks each."""
    return _join(_strips(_zone(slices, -np.pi / 2, np.pi / 2, 2 * max(1, stacks // 2))))


def capsule(slices: int, stacks: int, side: int | None = None) -> Solid:
    """A capsule of radius 1 whose half length is the shift; its side has `side` stacks if others than its ends."""
    half = max(1, stacks // 2)
    bottom = _zone(slices, -np.pi / 2, 0, half, -1.0)
    top = _zone(slices, 0, np.pi / 2, half, 1.0)
    return _join(*map(_strips, (_side(slices, side or stacks, 0, 0, 1.0), top, bottom)))


def cylinder(slices: int, stacks: int, side: int | None = None) -> Solid:
    """A cylinder of radius 1 from z = -1 to 1."""
    half = max(1, stacks // 2)
    bottom, top = _disk(slices, half, False, -1.0), _disk(slices, half, True, 1.0)
    return _join(*map(_strips, (bottom, _side(slices, side or stacks, -1, 1), top)))


HEAD, HEAD_RADIUS = (
    1 / 3,
    1.75,
)  # length of an arrow's head as a part of the arrow's, and its radius by the shaft's


def _head(slices: int, stacks: int, radius: float) -> list[Grid]:
    return [
        _cone(slices, stacks, radius, 1 - HEAD, 1.0),
        _disk(slices, stacks, False, 1 - HEAD, radius=radius),
    ]


def arrow(slices: int, stacks: int, radius: float = HEAD_RADIUS) -> Solid:
    """An arrow from z = 0 to 1 whose shaft has radius 1."""
    half, end = max(1, stacks // 2), 1 - HEAD
    shaft = (
        _disk(slices, half, False),
        _side(slices, stacks, 0, end),
        _disk(slices, half, True, end),
    )
    return _join(*map(_strips, (*shaft, *_head(slices, stacks, radius))))


def double_arrow(slices: int, stacks: int) -> Solid:
    """An arrow from z = -1 to 1 with two heads."""
    head = _head(slices, stacks, HEAD_RADIUS)
    shaft = _side(slices, stacks, HEAD - 1, 1 - HEAD)
    return _join(*map(_strips, [shaft, *head, *map(_flipped, head)]))


def _square(quads: int) -> tuple[NDArray, NDArray]:
    """The square from -1 to 1 at z = 0, faces in columns."""
    x = np.linspace(-1, 1, quads + 1)
    position = np.stack(np.broadcast_arrays(x[None], x[:, None], 0.0), axis=-1)
    normal = np.broadcast_to([0.0, 0.0, 1.0], position.shape)
    grid = _rows(position, normal, 0.5 + 0.5 * position[..., :2], 0.0)
    index = np.arange((quads + 1) ** 2).reshape(quads + 1, quads + 1)
    corners = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.stack([c.T for c in corners], axis=-1)
    return grid.reshape(-1, 9), faces.reshape(-1, 4)


def plane(quads: int) -> Solid:
    """The square from -1 to 1 at z = 0."""
    return _join(_square(quads))


# Sides of a box in the order in which they are drawn: the axis, its sign, where the columns and the rows of the
# square go along which axis.
_SIDES = ((2, 1, 0, 1), (2, -1, 0, 1), (0, 1, 1, 2), (0, -1, 1, 2), (1, -1, 0, 2), (1, 1, 0, 2))


def box(quads: int) -> Solid:
    """The cube from -1 to 1; its faces are drawn from one side to the next, cell by cell."""
    vertices, faces = _square(quads)
    sides = []
    for axis, sign, first, second in _SIDES:
        turned = vertices.copy()
        turned[:, first], turned[:, second], turned[:, axis] = vertices[:, 0], vertices[:, 1], sign
        turned[:, 4:7] = 0
        turned[:, 4 + axis] = sign
        even = (first, second, axis) in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        sides.append((turned, faces if even == (sign > 0) else faces[:, [3, 2, 1, 0]]))
    solid = _join(*sides)
    order = np.arange(len(solid.faces)).reshape(6, -1).T.ravel()
    return Solid(solid.vertices, solid.faces[order])


def triangle() -> Solid:
    """The triangle between the origin, (1, 0, 0) and (0, 1, 0)."""
    position = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    vertices = _rows(position, np.broadcast_to([0.0, 0, 1], (3, 3)), position[:, :2], 0.0)
    return Solid(vertices.astype(np.float32), np.array([[0, 1, 2, 2]], np.uint32))


# in the place of the shift: a corner at the beginning or the end of a line, its sign the side
_BEGIN, _END = 16.0, 32.0


def _lines(ends: NDArray) -> Solid:
    """Lines [n, 2, 3] as quads whose sides the vertex shader moves apart."""
    begin, end = ends[:, 0], ends[:, 1]
    corners = []
    for here, there, side in (
        (begin, end, -_BEGIN),
        (end, begin, -_END),
        (end, begin, _END),
        (begin, end, _BEGIN),
    ):
        corners.append(_rows(here, there - here, np.zeros(2), side))
    vertices = np.stack(corners, axis=1).reshape(-1, 9)
    return Solid(
        vertices.astype(np.float32), np.arange(4 * len(ends), dtype=np.uint32).reshape(-1, 4)
    )


def line() -> Solid:
    """The line from the origin along z."""
    return _lines(np.array([[[0.0, 0, 0], [0, 0, 1]]]))


def line_box() -> Solid:
    """The edges of the cube from -1 to 1."""
    ring = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    low, high = (np.column_stack([ring, np.full(4, z)]) for z in (-1.0, 1.0))
    around = [np.stack([level, np.roll(level, -1, axis=0)], axis=1) for level in (low, high)]
    return _lines(np.concatenate([*around, np.stack([low, high], axis=1)]))


def makers(quality: Any, planes: Planes) -> dict:
    """Return what makes the shape of each type, with as many facets as `quality` says; planes are the model's."""
    slices, stacks, quads = quality.numslices, quality.numstacks, quality.numquads
    side = quality.side_stacks
    made = {
        kinds.PLANE: lambda index: planes.solid(index) or plane(quads),
        kinds.SPHERE: lambda _: sphere(slices, stacks),
        kinds.ELLIPSOID: lambda _: sphere(slices, stacks),
        kinds.CAPSULE: lambda _: capsule(slices, stacks, side),
        kinds.CYLINDER: lambda _: cylinder(slices, stacks, side),
        kinds.BOX: lambda _: box(quads),
        kinds.ARROW: lambda _: arrow(slices, stacks),
        kinds.ARROW1: lambda _: arrow(slices, stacks, 1.0),
        kinds.ARROW2: lambda _: double_arrow(slices, stacks),
        kinds.TRIANGLE: lambda _: triangle(),
        kinds.LINE: lambda _: line(),
        kinds.LINEBOX: lambda _: line_box(),
        kinds.PLAIN + kinds.PLANE: lambda _: plane(1),
        kinds.PLAIN + kinds.BOX: lambda _: box(1),
        kinds.PLAIN + kinds.CAPSULE: lambda _: capsule(slices, stacks, 1),
        kinds.PLAIN + kinds.CYLINDER: lambda _: cylinder(slices, 1),
    }
    for fewer, part in ((kinds.SMALL, 2), (kinds.TINY, 4)):
        made.update(_round(fewer, max(6, slices // part), max(4, stacks // part)))
    return made


def _round(fewer: int, slices: int, stacks: int) -> dict:
    """Return what makes the shapes of round types with fewer facets."""
    return {
        fewer + kinds.SPHERE: lambda _: sphere(slices, stacks),
        fewer + kinds.ELLIPSOID: lambda _: sphere(slices, stacks),
        fewer + kinds.CAPSULE: lambda _: capsule(slices, stacks, 1),
        fewer + kinds.CYLINDER: lambda _: cylinder(slices, 2, 1),
    }
