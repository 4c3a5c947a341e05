"""Geoms of a scene to instances of shapes, in the order in which they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .geometry import Geometry

# Of an instance: rows of its pose, scale and shift, colour, look, what textures want, the id in segmentations.
FORMAT = "4f 4f 4f 4f 4f 4f 4f 4f 1i/i"
NAMES = ("g_x", "g_y", "g_z", "g_scale", "g_colour", "g_look", "g_texture", "g_texture2", "g_segid")
COLUMNS = 33
TEXTURE = slice(24, 32)  # columns that textures fill


class Parts:
    """What is drawn of a scene: one row an instance.

    row : geom of the scene; shape : row of Geometry.places; texture : what must be bound, 0 for nothing;
    first : where they begin in the buffer of instances.
    """

    def __init__(self, row: NDArray, shape: NDArray, texture: NDArray) -> None:
        self.row, self.shape, self.texture = row, shape, texture
        self.first = 0

    def taken(self, order: NDArray | slice) -> Parts:
        """Return some of them, in an order."""
        return Parts(self.row[order], self.shape[order], self.texture[order])

    def between(self, begin: int, end: int) -> Parts:
        """Return those from `begin` to `end`, in their place among the instances that have been written."""
        part = self.taken(slice(begin, end))
        part.first = self.first + begin
        return part

    def __len__(self) -> int:
        return len(self.row)


def find_shapes(rows: NDArray, geometry: Geometry) -> NDArray[np.int64]:
    """Return the row of Geometry.places of each geom [n], -1 where there is nothing to draw."""
    kind, dataid = rows["type"].astype(np.int64), rows["dataid"].astype(np.int64)
    dataid = np.where(np.isin(kind, kinds.IN_ROOM), rows["objid"], dataid)
    keys, which = np.unique(kind << 32 | (dataid + 1), return_inverse=True)
    found = [geometry.find((int(k >> 32), int(k & 0xFFFFFFFF) - 1)) for k in keys]
    return np.array(found, np.int64).reshape(-1)[which.reshape(-1)]


BOX_WIDTH = 1.5  # of the lines of a LINEBOX, by that of lines
_ENDLESS = (
    35 / 33
)  # half the side of a plane without end over the distance of the far plane, as in the peer


def sizes(rows: NDArray, far: float) -> NDArray[np.float64]:
    """Return the sizes [n, 3] of geoms; planes without end reach past the far plane at `far`."""
    size = np.asarray(rows["size"], float)
    endless = (rows["type"] == kinds.PLANE)[:, None] & (size <= 0)
    return np.where(endless, _ENDLESS * far, size)


def columns(rows: NDArray, far: float, line_width: float = 1.0) -> NDArray[np.float32]:
    """Return what the vertex shader wants of geoms [n], an array [n, COLUMNS]; textures are left at 0.

    `far` is the distance of the far plane.
    """
    out = np.zeros((len(rows), COLUMNS), np.float32)
    size, kind = sizes(rows, far), rows["type"]
    pose = out[:, :12].reshape(-1, 3, 4)
    pose[:, :, :3] = rows["mat"].reshape(-1, 3, 3)
    pose[:, :, 3] = rows["pos"]
    pose[np.isin(kind, kinds.IN_ROOM)] = np.eye(3, 4)
    out[:, 12:15] = size
    capsule = kind == kinds.CAPSULE
    out[capsule, 14] = 0.5 * (size[capsule, 0] + size[capsule, 1])
    out[capsule, 15] = size[capsule, 2]
    arrow = (kind >= kinds.ARROW) & (kind <= kinds.ARROW2)
    out[arrow, 14] = 0.5 * size[arrow, 2]
    out[(kind == kinds.PLANE) | (kind == kinds.TRIANGLE), 14] = 1
    out[np.isin(kind, kinds.REAL_SIZE), 12:15] = 1
    line = kind == kinds.LINE
    out[line, 15] = line_width * np.where(size[line, 0] > 0, size[line, 0], 1)
    out[kind == kinds.LINEBOX, 15] = BOX_WIDTH * line_width
    out[:, 15] = np.where(
        line | (kind == kinds.LINEBOX), np.maximum(1, np.round(out[:, 15])), out[:, 15]
    )
    out[:, 16:20] = rows["rgba"]
    for k, name in enumerate(("emission", "specular", "shininess", "reflectance")):
        out[:, 20 + k] = rows[name]
    out[:, 32] = rows["segid"].astype(np.int32).view(np.float32)
    return out


def order_opaque(parts: Parts) -> NDArray:
    """Return the order in which as few calls as possible draw all."""
    return np.lexsort((parts.shape, parts.texture))


def order_transparent(parts: Parts, rows: NDArray) -> NDArray:
    """Return the order from far to near."""
    return np.argsort(-rows["camdist"][parts.row], kind="stable")


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
