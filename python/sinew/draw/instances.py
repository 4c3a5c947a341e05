"""Geoms of a scene to instances: per shape one array of what differs from geom to geom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FORMAT = "3f 9f 3f 1f 4f 4f/i"
NAMES = ("g_position", "g_frame", "g_scale", "g_shift", "g_colour", "g_look")
COLUMNS = 24

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
ARROW, ARROW1, ARROW2, LINE, LINEBOX, FLEX, SKIN, LABEL, TRIANGLE = range(100, 109)


def instances(rows: NDArray) -> NDArray[np.float32]:
    """Return what the vertex shader wants of geoms [n], an array [n, COLUMNS].

    `rows` is a structured array with the members of MjvGeom.
    """
    out = np.empty((len(rows), COLUMNS), np.float32)
    size = rows["size"]
    kind = rows["type"]
    out[:, 0:3] = rows["pos"]
    out[:, 3:12] = rows["mat"].reshape(-1, 9)
    out[:, 12:15] = size
    out[:, 15] = 0
    tube = (kind == CAPSULE) | (kind == CYLINDER)
    out[tube, 14] = size[tube, 0]
    out[tube, 15] = size[tube, 2]
    cylinder = kind == CYLINDER
    out[cylinder, 14] = 1
    flat = kind == PLANE
    out[flat, 14] = 1
    out[:, 16:20] = rows["rgba"]
    for k, name in enumerate(("emission", "specular", "shininess", "reflectance")):
        out[:, 20 + k] = rows[name]
    return out
