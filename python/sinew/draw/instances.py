"""Geoms of a scene to instances of shapes, in the order in which they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import boxes, flexes, kinds
from .planes import Planes

if TYPE_CHECKING:
    from .geometry import Geometry

Rect = tuple[int, int, int, int]  # left, bottom, width, height

# Of an instance: rows of its pose, scale and shift, colour, look, what textures want, the id in segmentations.
FORMAT = "4f 4f 4f 4f 4f 4f 4f 4f 1i/i"
NAMES = ("g_x", "g_y", "g_z", "g_scale", "g_colour", "g_look", "g_texture", "g_texture2", "g_segid")
COLUMNS = 33
COLOUR = slice(16, 20)
TEXTURE = slice(24, 32)  # columns that textures fill

OPAQUE = 0.995  # what covers less than this lets through what is behind it
_BEHIND = 0.3  # how much of a plane is left where it is seen from behind
_DATA = 48  # bits of what tells shapes of one type apart
_FAR = 1e10  # where planes are when the transparent are ordered


class Parts:
    """What is drawn of a scene: one row an instance.

    row : geom of the scene; shape : row of Geometry.places; texture : what must be bound, 0 for nothing;
    place : where it stands in the buffer of instances.
    """

    def __init__(
        self, row: NDArray, shape: NDArray, texture: NDArray, place: NDArray | None = None
    ) -> None:
        self.row, self.shape, self.texture = row, shape, texture
        self.place = np.arange(len(row)) if place is None else place

    def taken(self, order: NDArray | slice) -> Parts:
        """Return some of them, in an order."""
        return Parts(self.row[order], self.shape[order], self.texture[order], self.place[order])

    def between(self, begin: int, end: int) -> Parts:
        """Return those from `begin` to `end`."""
        return self.taken(slice(begin, end))

    def __len__(self) -> int:
        return len(self.row)


def find_shapes(rows: NDArray, geometry: Geometry, fewer: NDArray | int = 0) -> NDArray[np.int64]:
    """Return the row of Geometry.places of each geom [n], -1 where there is nothing to draw.

    `fewer` is what leads from types to shapes with fewer facets.
    """
    kind, dataid = rows["type"].astype(np.int64), rows["dataid"].astype(np.int64)
    dataid = np.where(kind == kinds.SKIN, rows["objid"], dataid)
    dataid = np.where(kind == kinds.FLEX, flexes.numbers(rows), dataid)
    kind = kind + fewer
    keys, which = np.unique(kind << _DATA | (dataid + 1), return_inverse=True)
    found = [geometry.find((int(k >> _DATA), int(k & (1 << _DATA) - 1) - 1)) for k in keys]
    return np.array(found, np.int64).reshape(-1)[which.reshape(-1)]


# radii in pixels below which round geoms have fewer facets, whose outline is still right to half a pixel
_SMALL, _TINY = 14.0, 5.0


def fewer_facets(frame: Any) -> NDArray[np.int64]:
    """Return what leads from the types of a picture's geoms [n] to shapes whose facets are about right for their size."""
    rows = frame.rows
    size = np.asarray(rows["size"], float)
    wide = size.max(axis=1, initial=0)
    tube = kinds.among(rows["type"], (kinds.CAPSULE, kinds.CYLINDER))
    wide[tube] = size[tube, :2].max(axis=1, initial=0)
    pixels = frame.pixels() * wide
    if not frame.eye.orthographic:
        distance = np.linalg.norm(rows["pos"] - frame.position(), axis=1) - bounds(rows)
        pixels = pixels / np.maximum(distance, 1e-9)
    out = np.where(pixels < _TINY, kinds.TINY, np.where(pixels < _SMALL, kinds.SMALL, 0))
    return np.where(kinds.among(rows["type"], kinds.ROUND), out, 0)


def seen(rows: NDArray, view: NDArray) -> NDArray[np.bool_]:
    """Say which geoms [n] may be in the picture that `view` leads to."""
    planes = boxes.sides(view)
    above = rows["pos"] @ planes[:, :3].T + planes[:, 3]
    return (above >= -bounds(rows)[:, None] * np.linalg.norm(planes[:, :3], axis=1)).all(axis=1)


def in_pieces(parts: Parts, geometry: Geometry) -> Parts:
    """Return instances with large shapes in pieces."""
    number = geometry.pieces[parts.shape, 1]
    if not number.any():
        return parts
    count = np.maximum(number, 1)
    out = parts.taken(np.repeat(np.arange(len(parts)), count))
    nth = np.arange(len(out)) - np.repeat(np.cumsum(count) - count, count)
    piece = np.repeat(number, count) > 0
    out.shape = np.where(piece, geometry.pieces[out.shape, 0] + nth, out.shape)
    return out


BOX_WIDTH = 1.5  # of the lines of a LINEBOX, by that of lines


def known_planes(rows: NDArray, planes: Planes) -> NDArray[np.bool_]:
    """Say which geoms [n] are planes of the model."""
    index = rows["dataid"]
    return (rows["type"] == kinds.PLANE) & (index >= 0) & (index < len(planes))


def sizes(rows: NDArray, planes: Planes) -> NDArray[np.float64]:
    """Return the sizes [n, 3] of geoms as they are drawn; planes of the model have what the model says."""
    size = np.array(rows["size"], float)
    known = known_planes(rows, planes)
    size[known, :2] = planes.half[rows["dataid"][known]]
    return size


def columns(
    rows: NDArray, behind: NDArray, planes: Planes, line_width: float, casting: int
) -> NDArray[np.float32]:
    """Return what the vertex shader wants of geoms [n], an array [n, COLUMNS]; textures are left at 0.

    `behind` says which are planes seen from behind. The last `casting` are those that cast shadows, with plain
    shapes.
    """
    out = np.zeros((len(rows), COLUMNS), np.float32)
    size, kind = sizes(rows, planes), rows["type"]
    pose = out[:, :12].reshape(-1, 3, 4)
    pose[:, :, :3] = rows["mat"].reshape(-1, 3, 3)
    pose[:, :, 3] = rows["pos"]
    pose[kinds.among(kind, kinds.IN_ROOM)] = np.eye(3, 4)
    out[:, 12:15] = size
    capsule = kind == kinds.CAPSULE
    out[capsule, 14] = 0.5 * (size[capsule, 0] + size[capsule, 1])
    out[capsule, 15] = size[capsule, 2]
    arrow = (kind >= kinds.ARROW) & (kind <= kinds.ARROW2)
    out[arrow, 14] = 0.5 * size[arrow, 2]
    out[(kind == kinds.PLANE) | (kind == kinds.TRIANGLE), 14] = 1
    real = kinds.among(kind, kinds.REAL_SIZE)
    lit = len(rows) - casting
    real[:lit] |= known_planes(rows[:lit], planes)
    out[real, 12:15] = 1
    line = kind == kinds.LINE
    out[line, 15] = line_width * np.where(size[line, 0] > 0, size[line, 0], 1)
    out[kind == kinds.LINEBOX, 15] = BOX_WIDTH * line_width
    out[behind, 12] *= -1  # turns the sides of its faces, so that they are not left out
    out[:, COLOUR] = rows["rgba"]
    out[behind, 19] *= _BEHIND
    for k, name in enumerate(("emission", "specular", "shininess", "reflectance")):
        out[:, 20 + k] = rows[name]
    out[:, 22] = np.clip(out[:, 22], 0, 1)
    out[:, 32] = rows["segid"].astype(np.int32).view(np.float32)
    return out


def endless_planes(rows: NDArray) -> NDArray[np.int64]:
    """Return which geoms are planes without end; over the first of them there is haze."""
    return np.flatnonzero((rows["type"] == kinds.PLANE) & (rows["size"][:, :2] <= 0).all(axis=1))


def there(rows: NDArray) -> NDArray[np.bool_]:
    """Say which geoms [n] can be drawn: all their numbers are numbers."""
    finite = np.isfinite(rows["pos"]).all(axis=1)
    finite &= np.isfinite(rows["mat"].reshape(len(rows), 9)).all(axis=1)
    return finite & np.isfinite(rows["size"]).all(axis=1)


def behind(rows: NDArray, eye: NDArray) -> NDArray[np.bool_]:
    """Say which geoms [n] are planes that are seen from behind."""
    out = rows["type"] == kinds.PLANE
    planes = out.nonzero()[0]
    if len(planes):
        normal = rows["mat"][planes].reshape(-1, 3, 3)[:, :, 2]
        out[planes] = (normal * (eye - rows["pos"][planes])).sum(axis=1) < 0
    return out


def radii(rows: NDArray) -> NDArray[np.float64]:
    """Return the radii [n] of spheres around geoms, by which the transparent ones are ordered."""
    kind, size = rows["type"], np.asarray(rows["size"], float)
    out = size.max(axis=1, initial=0)
    for which, radius in (
        (kind == kinds.SPHERE, lambda s: s[:, 0]),
        (kind == kinds.CAPSULE, lambda s: s[:, 0] + s[:, 2]),
        (kind == kinds.CYLINDER, lambda s: np.hypot(s[:, 0], s[:, 2])),
        (kind == kinds.BOX, lambda s: np.linalg.norm(s, axis=1)),
    ):
        out[which] = radius(size[which])
    real = kinds.among(kind, kinds.REAL_SIZE)
    out[real] = rows["modelrbound"][real]
    return out


def bounds(rows: NDArray) -> NDArray[np.float64]:
    """Return the radii [n] of spheres about the positions of geoms that hold all of them; inf where none is known."""
    kind, size = rows["type"], np.abs(np.asarray(rows["size"], float))
    wide = size[:, :2].max(axis=1, initial=0)
    out = np.hypot(2 * wide, size[:, 2])  # holds boxes, ellipsoids, cylinders, arrows and lines
    capsule = kind == kinds.CAPSULE
    out[capsule] = wide[capsule] + size[capsule, 2]
    real = kinds.among(kind, kinds.REAL_SIZE)
    known = real & (rows["modelrbound"] > 0)
    out[real] = np.inf
    out[known] = rows["modelrbound"][known]
    out[kinds.among(kind, (kinds.PLANE, *kinds.IN_ROOM))] = np.inf
    return out


def transparent(rows: NDArray, behind: NDArray) -> NDArray[np.bool_]:
    """Say which geoms [n] let through what is behind them."""
    return rows["rgba"][:, 3] * np.where(behind, _BEHIND, 1) < OPAQUE


def order_transparent(rows: NDArray, row: NDArray, eye: NDArray) -> NDArray[np.int64]:
    """Return the order of some geoms from near to far; notes in them how far they are."""
    geoms = rows[row]
    distance = np.linalg.norm(geoms["pos"] - eye, axis=1) - radii(geoms)
    distance[geoms["type"] == kinds.PLANE] = _FAR
    rows["camdist"][row] = distance
    return np.argsort(distance, kind="stable")


_DECOR = 4  # mjCAT_DECOR


def casting(parts: Parts, rows: NDArray, fewer: NDArray, geometry: Geometry) -> Parts:
    """Return those that cast shadows: all but what is there for show or must not; how clear they are does not matter.

    Those that have all their facets get the plain shapes of their types, as nothing is lit in a shadow map.
    """
    shows = (rows["category"][parts.row] & _DECOR) != 0
    casts = parts.taken(~shows & (rows["castshadow"][parts.row] != 0))
    kind = np.where(fewer[casts.row] > 0, -1, rows["type"][casts.row])
    for plain in kinds.WITH_PLAIN:
        which = kind == plain
        if which.any():
            casts.shape = np.where(which, geometry.find((kinds.PLAIN + plain, -1)), casts.shape)
    for field in np.flatnonzero(kind == kinds.HFIELD).tolist():
        dataid = int(rows["dataid"][casts.row[field]])
        casts.shape[field] = geometry.find((kinds.PLAIN + kinds.HFIELD, dataid))
    out = casts.taken(np.argsort(casts.shape, kind="stable"))
    out.texture = np.zeros_like(out.texture)
    return out


def numbers(segid: NDArray, whole: bool) -> NDArray[np.float32]:
    """Return the colours [n, 4] that stand for objects in a segmentation.

    `whole` : the number, one more than segid, is red + 256 green + 65536 blue of 255; else colours are only as
    different as points of a sequence of low discrepancy.
    """
    segid = segid.astype(np.int64)
    out = np.ones((len(segid), 4), np.float32)
    for channel, base in enumerate((2, 3, 5)):
        if whole:
            out[:, channel] = (((segid + 1) >> 8 * channel) & 255) / 255
        else:
            out[:, channel] = 0.1 + 0.8 * _mirrored_digits(segid + 10, base)
    return out


def _mirrored_digits(number: NDArray, base: int) -> NDArray[np.float64]:
    """Return the fractions whose digits are those of numbers in reverse, as in Halton's sequence."""
    out, scale = np.zeros(len(number)), 1.0
    while number.any():
        scale /= base
        out += scale * (number % base)
        number = number // base
    return out


def runs(*keys: NDArray) -> NDArray[np.int64]:
    """Return where runs of equal keys start, and the end of the last."""
    number = len(keys[0])
    change = np.ones(number + 1, bool)
    if number:
        change[1:-1] = np.any([k[1:] != k[:-1] for k in keys], axis=0)
    else:
        return np.zeros(1, np.int64)
    return np.flatnonzero(change)


def scene_rows(scene: Any) -> NDArray:
    """Return the geoms of a scene as a structured array [ngeom]."""
    return scene._geom_rows[: scene.ngeom]
