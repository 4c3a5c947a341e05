"""Numbers of MuJoCo's enumerations that drawing needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# mjtGeom
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
ARROW, ARROW1, ARROW2, LINE, LINEBOX, FLEX, SKIN, LABEL, TRIANGLE = range(100, 109)

IN_ROOM = FLEX, SKIN  # found by objid; their vertices are where they are seen
REAL_SIZE = HFIELD, MESH, SDF, *IN_ROOM  # types whose vertices their geoms' size does not scale

# Beside these stand, by numbers so much higher, shapes with fewer facets: with the fewest that show the same outline,
# for shadows; for round geoms that are small in a picture, and those that are very small.
PLAIN, SMALL, TINY = 1000, 2000, 3000
WITH_PLAIN = PLANE, CAPSULE, CYLINDER, BOX
ROUND = SPHERE, ELLIPSOID, CAPSULE, CYLINDER
CLOSED = *ROUND, BOX, HFIELD  # from outside they show only fronts of faces

# mjtRndFlag
F_SHADOW, F_WIREFRAME, F_REFLECTION, F_ADDITIVE, F_SKYBOX, F_FOG, F_HAZE = range(7)
F_SEGMENT, F_IDCOLOR, F_CULL_FACE = range(7, 10)

# mjtStereo
NO_STEREO, QUADBUFFERED, SIDEBYSIDE = range(3)

# mjtLightType
SPOT, DIRECTIONAL, POINT, IMAGE = range(4)


def among(kind: NDArray, some: tuple[int, ...]) -> NDArray[np.bool_]:
    """Say which types [n] are among a few; np.isin, but for short arrays."""
    out = np.zeros(len(kind), bool)
    for one in some:
        out |= kind == one
    return out
