"""Tables of hulls for models of the peer, which has none: mesh_hullcell, mesh_hullblock and mesh_hullinner.

As `sinew/model.h` describes them, by another way than the compiler's: for each cell the vertices that are the farthest
along some of many directions in it, and those that no vertex beats along all its corners.
"""

import numpy as np

CELLS = 9


def corners(side, row, column):
    """The corners of a cell on the octahedron."""
    grid = np.array([(row, column), (row + 1, column), (row, column + 1), (row + 1, column + 1)])
    xy = grid[: 3 if row + column + 1 == CELLS else 4] / CELLS
    xyz = np.column_stack([xy, 1 - xy.sum(1)])
    return xyz * [-1 if side & bit else 1 for bit in (1, 2, 4)]


def candidates(v, cone):
    """Vertices that can be farthest along a direction in the cone of the corners."""
    along = (
        cone @ v.T
    )  # a row a corner: NumPy is slow at sums and the like over few numbers side by side
    best = along[:, np.append(along.argmax(1), along.sum(0).argmax())]
    clear = 1e-12 * np.abs(v).max()
    left = np.flatnonzero(~(best[:, :, None] > along[:, None] + clear).all(0).any(0))
    far = along[:, left]
    beaten = (far[:, None] > far[:, :, None] + clear).all(0).any(1)
    return left[~beaten]


def hull(m, mesh):
    """Vertices of a hull as they are numbered there, and its triangles by rows of the mesh's vertices."""
    graph = m.mesh_graph[m.mesh_graphadr[mesh] :]
    nvert, nface = graph[:2]
    all_vertices = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)
    faces = graph[2 + 3 * nvert + 3 * nface :][: 3 * nface].reshape(-1, 3)
    return all_vertices[graph[2 + nvert : 2 + 2 * nvert]], all_vertices[faces]


def inner_radius(triangles):
    """Of a ball about the origin inside of the triangles; 0 if it is not inside, or hardly."""
    a, b, c = triangles.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    size = np.abs(triangles).max()
    flat = area <= 1e-9 * size**2
    height = (normal * a).sum(1)[~flat] / area[~flat]
    least = max(height.min(), (-height).min())
    return 0.9 * least if least > 1e-3 * size else 0


def tables(m):
    """The three arrays for all meshes of a model, by name."""
    cell = np.zeros((m.nmesh, 2 * 8 * CELLS * (CELLS + 1) // 2), np.int32)
    inner = np.zeros((m.nmesh, 1))
    blocks = []
    for mesh in range(m.nmesh):
        if m.mesh_graphadr[mesh] < 0:
            continue
        v, triangles = hull(m, mesh)
        inner[mesh] = inner_radius(triangles)
        places = []
        for side in range(8):
            for row in range(CELLS):
                for column in range(CELLS - row):
                    ids = candidates(v, corners(side, row, column))
                    places += [len(blocks), -(-len(ids) // 4)]
                    ids = np.append(ids, np.repeat(ids[-1], -len(ids) % 4)).reshape(-1, 4)
                    blocks += [np.concatenate([*v[four].T, four]) for four in ids]
        cell[mesh] = places
    block = np.array(blocks, np.float32).reshape(-1, 16)
    return {"mesh_hullcell": cell, "mesh_hullblock": block, "mesh_hullinner": inner}
