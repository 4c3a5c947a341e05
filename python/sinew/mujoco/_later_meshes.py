"""What release 4.0 of the peer has in its models for its own search of contacts between meshes, made when it is asked for."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

# From one corner of a cube to the other, the last coordinate first.
_DIRECTIONS = np.array([*itertools.product((-1.0, 0.0, 1.0), repeat=3)])


def npolygonmax(m: Any) -> int:
    """Largest number of vertices of a polygon of a mesh."""
    return int(m.mesh_polyvertnum.max(initial=0))


def nmeshdegmax(m: Any) -> int:
    """Largest number of polygons around a vertex of a mesh."""
    return int(m.mesh_polymapnum.max(initial=0))


def mesh_extrema(m: Any) -> NDArray[np.int32]:
    """The vertex of each mesh's hull, counted in the hull, that lies farthest in each of 27 directions (nmesh x 27)."""
    found = np.zeros((m.nmesh, len(_DIRECTIONS)), np.int32)
    for i, adr in enumerate(m.mesh_graphadr.tolist()):
        if adr < 0:
            continue
        count = int(m.mesh_graph[adr])
        hull = m.mesh_graph[adr + 2 + count : adr + 2 + 2 * count]
        points = m.mesh_vert[m.mesh_vertadr[i] + hull].astype(np.float64)
        found[i] = np.argmax(_DIRECTIONS @ points.T, axis=1)
    found.flags.writeable = False
    return found


MADE = (npolygonmax, nmeshdegmax, mesh_extrema)
