"""Meshes, their hulls, height fields, skins and flexes of a model as shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import flexes, kinds, solid
from .solid import Solid

if TYPE_CHECKING:
    from .geometry import Geometry

_COLUMNS = (
    slice(0, 3),
    slice(4, 7),
    slice(7, 9),
)  # of position, normal and texture coordinates in vertices
_SMOOTH = 0.8  # cosine up to which a corner's normal may be away from that of its triangle, as in the peer
_NO_AREA = 1e-15
_FACE = {3: [0, 1, 2, 2], 4: [0, 1, 2, 3]}  # corners of polygons as faces of a Solid

# ---- meshes


def mesh(model: Any, index: int) -> Solid | None:
    """Return a mesh of the model, a vertex for each way in which its corners differ; None: it has no triangles.

    Corners have position, normal and texture coordinates by indices of their own.
    """
    first, number = int(model.mesh_faceadr[index]), int(model.mesh_facenum[index])
    if number < 1:
        return None
    faces = slice(first, first + number)
    points = _rows(model.mesh_vert, model.mesh_vertadr[index], model.mesh_vertnum[index])
    normals = _rows(model.mesh_normal, model.mesh_normaladr[index], model.mesh_normalnum[index])
    name = f"mesh {index}"
    corner = _indices(model.mesh_face[faces], points, name)
    turned = _indices(model.mesh_facenormal[faces], normals, name)
    if model.mesh_texcoordadr[index] < 0:
        normals, turned = _with_sharp_edges(points[corner], normals, turned)
        return _of_corners([points, normals], [corner, turned])
    first, number = model.mesh_texcoordadr[index], model.mesh_texcoordnum[index]
    texels = _rows(model.mesh_texcoord, first, number)
    laid = _indices(model.mesh_facetexcoord[faces], texels, name)
    return _of_corners([points, normals, texels], [corner, turned, laid])


def _indices(given: Any, rows: NDArray, name: str) -> NDArray:
    """Return indices of rows, which must be there: models may be changed before they are drawn.

    Raises
    ------
    ValueError
        One is not.
    """
    indices = np.asarray(given)
    low, high = int(indices.min(initial=0)), int(indices.max(initial=-1))
    if low < 0 or high >= len(rows):
        wrong = low if low < 0 else high
        raise ValueError(
            f"{name} has a corner at {wrong}, of {len(rows)} vertices, normals or texture coordinates"
        )
    return indices


def _with_sharp_edges(
    points: NDArray, normals: NDArray, turned: NDArray
) -> tuple[NDArray, NDArray]:
    """Return normals, and which of them corners have [n, 3]: that of their triangle where it is too far from theirs.

    `points` [n, 3, 3] are those of the corners.
    """
    flat = _normals(points)
    along = np.einsum("nij,nj->ni", normals[turned], flat)
    sharp = along < _SMOOTH
    if not sharp.any():
        return normals, turned
    own = len(normals) + np.arange(len(points))[:, None]
    return np.concatenate([normals, flat]), np.where(sharp, own, turned)


def _normals(points: NDArray) -> NDArray[np.float64]:
    """Return the normals [n, 3] of polygons [n, 3 or 4, 3]; (0, 0, 1) where one has no area."""
    points = np.asarray(points, float)
    ends = (
        (2, 3) if points.shape[1] == 4 else (1, 2)
    )  # across a quad, along two sides of a triangle
    normal = np.cross(
        points[:, ends[0]] - points[:, 0], points[:, ends[1]] - points[:, ends[1] - 2]
    )
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.where(length > _NO_AREA, normal / np.maximum(length, _NO_AREA), (0.0, 0.0, 1.0))


def _of_corners(parts: list[NDArray], corners: list[NDArray]) -> Solid:
    """Return the shape of triangles whose corners have position, normal and perhaps texture coordinates by index."""
    pick, triangles = _joined([index.ravel() for index in corners])
    vertices = np.zeros((len(pick[0]), solid.COLUMNS), np.float32)
    for columns, part, rows in zip(_COLUMNS, parts, pick, strict=False):
        vertices[:, columns] = part[rows]
    return solid.solid_of_triangles(vertices, triangles.reshape(-1, 3))


def _rows(array: NDArray, first: Any, number: Any) -> NDArray:
    return np.asarray(array[int(first) : int(first) + int(number)])


def _joined(corners: list[NDArray]) -> tuple[list[NDArray], NDArray]:
    """Return the different combinations of the indices of corners, index by index, and which of them each corner is."""
    if all(np.array_equal(corners[0], other) for other in corners[1:]):
        number = np.arange(int(corners[0].max()) + 1)
        return [number] * len(corners), corners[0]
    key = np.zeros(len(corners[0]), np.int64)
    for index in (
        corners
    ):  # each has less than 2^31 values; after each the keys are renumbered to less than that
        _, key = np.unique(key << 32 | index, return_inverse=True)
    sample = np.empty(int(key.max()) + 1, np.int64)
    sample[key] = np.arange(len(key))
    return [index[sample] for index in corners], key


def hull(model: Any, index: int) -> Solid | None:
    """Return the convex hull of a mesh, with a normal for each triangle; None: the model has none."""
    start = int(model.mesh_graphadr[index])
    if start < 0:
        return None
    graph = model.mesh_graph
    vertices, faces = int(graph[start]), int(graph[start + 1])
    first = start + 2 + 3 * vertices + 3 * faces
    points = _rows(model.mesh_vert, model.mesh_vertadr[index], model.mesh_vertnum[index])
    triangles = _indices(graph[first : first + 3 * faces], points, f"mesh {index}").reshape(-1, 3)
    return _faceted(points[triangles]) if faces > 0 else None


def _faceted(*groups: NDArray) -> Solid:
    """Return the shape of polygons [n, 3 or 4, 3], group by group, each flat to the eye."""
    vertices, faces, start = [], [], 0
    for points in groups:
        number, corners = points.shape[:2]
        rows = np.zeros((number, corners, solid.COLUMNS), np.float32)
        rows[..., :3], rows[..., 4:7] = points, _normals(points)[:, None]
        vertices.append(rows.reshape(-1, solid.COLUMNS))
        faces.append(start + np.arange(number * corners).reshape(-1, corners)[:, _FACE[corners]])
        start += number * corners
    return Solid(np.concatenate(vertices), np.concatenate(faces).astype(np.uint32))


# ---- height fields


def height_field(model: Any, index: int, quads: int) -> Solid | None:
    """Return a height field: its triangles, four sides down to the base, and a floor of quads x quads cells."""
    rows, columns = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    if rows < 2 or columns < 2:
        return None
    size = np.asarray(model.hfield_size[index], float)
    first = int(model.hfield_adr[index])
    heights = np.asarray(model.hfield_data[first : first + rows * columns], float)
    grid = _level(size, rows, columns)
    grid[..., 2] = size[2] * heights.reshape(rows, columns)
    floor = _level(size, quads + 1, quads + 1)
    floor[..., 2] = -size[3]
    left, right = _wall(grid[::-1, 0], -size[3])[::-1], _wall(grid[:, -1], -size[3])
    front, back = _wall(grid[0], -size[3]), _wall(grid[-1, ::-1], -size[3])[::-1]
    a, b, c, d = _corners(grid)
    top = np.stack((d, a, c, a, b, c), axis=2).reshape(-1, 3, 3)
    walls = [np.stack(pair, axis=1).reshape(-1, 4, 3) for pair in ((left, right), (front, back))]
    return _faceted(top, *walls, _quads(floor.transpose(1, 0, 2)))


def _wall(border: NDArray, base: float) -> NDArray:
    """Return quads [n - 1, 4, 3] from a border [n, 3], from left to right as seen from outside, down to a height."""
    low = border.copy()
    low[:, 2] = base
    return _quads(np.stack([low, border]))


def _quads(grid: NDArray) -> NDArray:
    """Return the cells of a grid of points [r, c, 3], counter-clockwise where rows go up."""
    return np.stack(_corners(grid), axis=2).reshape(-1, 4, 3)


def _level(size: NDArray, rows: int, columns: int) -> NDArray[np.float64]:
    """Return points [rows, columns, 3] of a level grid of the size of a height field."""
    grid = np.zeros((rows, columns, 3))
    grid[..., 0] = np.linspace(-size[0], size[0], columns)
    grid[..., 1] = np.linspace(-size[1], size[1], rows)[:, None]
    return grid


def _corners(grid: NDArray) -> tuple[NDArray, ...]:
    """Return the corners of the cells of a grid of points [r, c, 3], counter-clockwise where rows go up."""
    return grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]


# ---- skins


def skin(model: Any, index: int) -> Solid | None:
    """Return a skin as it was drawn on its bones; each picture moves its vertices (`follow`)."""
    number, first = int(model.skin_vertnum[index]), int(model.skin_vertadr[index])
    faces, face = int(model.skin_facenum[index]), int(model.skin_faceadr[index])
    if number < 1 or faces < 1:
        return None
    vertices = np.zeros((number, solid.COLUMNS), np.float32)
    vertices[:, :3] = model.skin_vert[first : first + number]
    if model.skin_texcoordadr[index] >= 0:
        vertices[:, 7:] = _rows(model.skin_texcoord, model.skin_texcoordadr[index], number)
    corners = _indices(model.skin_face[face : face + faces], vertices, f"skin {index}")
    return solid.solid_of_triangles(vertices, corners)


# ---- all of a model


def makers(model: Any, quality: Any) -> dict[int, Callable[[int], Solid | None]]:
    """Return what makes the shapes that a model brings along, by type; None: the dataid has none."""

    def of_mesh(dataid: int) -> Solid | None:
        if not 0 <= dataid < 2 * model.nmesh:
            return None
        maker: Callable = hull if dataid % 2 else mesh
        return maker(model, dataid // 2)

    def of_height_field(dataid: int) -> Solid | None:
        known = 0 <= dataid < model.nhfield
        return height_field(model, dataid, quality.numquads) if known else None

    def of_skin(dataid: int) -> Solid | None:
        return skin(model, dataid) if 0 <= dataid < model.nskin else None

    def of_flex(dataid: int) -> Solid | None:
        return flexes.shape(model, dataid)

    return {
        kinds.MESH: of_mesh,
        kinds.SDF: of_mesh,
        kinds.HFIELD: of_height_field,
        kinds.SKIN: of_skin,
        kinds.FLEX: of_flex,
    }


class Assets:
    """The shapes that a model brings along, for `Drawing.geometry`."""

    def __init__(self, shapes: Geometry, model: Any, quality: Any) -> None:
        self.shapes, self.model = shapes, model
        self._makers = makers(model, quality)
        self._skins: dict[int, NDArray[np.float32]] = {}
        self._rooms = flexes.Rooms(model)
        shapes.makers.update(self._makers)
        shapes.makers[kinds.PLAIN + kinds.HFIELD] = self._height_field_outline
        shapes.makers[kinds.SKIN] = self._skin

    def _height_field_outline(self, dataid: int) -> Solid | None:
        made = self._makers[kinds.HFIELD](dataid)
        return None if made is None else solid.outline(made)

    def _skin(self, dataid: int) -> Solid | None:
        made = self._makers[kinds.SKIN](dataid)
        if made is not None:
            self._skins[dataid] = made.vertices
        return made

    def upload_mesh(self, index: int) -> None:
        """Take a mesh of the model again, whose numbers have changed."""
        _check("mesh", index, self.model.nmesh)
        for kind in (kinds.MESH, kinds.SDF):
            for dataid in (2 * index, 2 * index + 1):
                self.shapes.forget((kind, dataid))

    def upload_hfield(self, index: int) -> None:
        """Take a height field of the model again, whose numbers have changed."""
        _check("height field", index, self.model.nhfield)
        self.shapes.forget((kinds.HFIELD, index))
        self.shapes.forget((kinds.PLAIN + kinds.HFIELD, index))

    def follow(self, frame: Any) -> None:
        """Move the skins of a picture to where their bones are, flexes to where their vertices are."""
        rows, scene = frame.rows, frame.scene
        for number, vertices in flexes.moved(self._rooms, scene, rows):
            if self.shapes.find((kinds.FLEX, number)) >= 0:
                self.shapes.rewrite((kinds.FLEX, number), vertices)
        for index in np.unique(rows["objid"][rows["type"] == kinds.SKIN]).tolist():
            if self.shapes.find((kinds.SKIN, index)) >= 0:
                self._move(index, scene)

    def _move(self, index: int, scene: Any) -> None:
        if index >= scene.nskin:
            raise ValueError(f"skin {index} of a scene with {scene.nskin}: it is of another model")
        vertices = self._skins[index]
        first, number = int(scene.skinvertadr[index]), int(scene.skinvertnum[index])
        at = slice(3 * first, 3 * (first + number))
        vertices[:, 0:3] = np.reshape(scene.skinvert[at], (-1, 3))
        vertices[:, 4:7] = np.reshape(scene.skinnormal[at], (-1, 3))
        self.shapes.rewrite((kinds.SKIN, index), vertices)


def _check(what: str, index: int, number: int) -> None:
    if not 0 <= index < number:
        raise ValueError(f"{what} {index} of a model with {number}: there is none")
