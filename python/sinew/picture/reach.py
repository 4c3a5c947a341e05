"""How far what is drawn of a model reaches along directions, and the free camera that has all of it in view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._core import MjvCamera, MjvOption
from .._functions import comPos, kinematics  # type: ignore[attr-defined]
from .._types import Data, Model
from .scene import MjvScene

_PLANE, _HFIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH, _SDF, _SKIN = (
    *range(9),
    107,
)
_GEOM = 5  # mjOBJ_GEOM
_THINGS = 3  # mjCAT_STATIC and mjCAT_DYNAMIC, without what is drawn beside them
_AZIMUTH, _ELEVATION = 140.0, -20.0  # from the front at three quarters, where the front is x
_FILLED = 0.86  # of the picture's width or height
_NEAR = 3.0  # times the distance of the near plane: nothing is nearer


def _of_size(kind: int, size: NDArray, along: NDArray) -> NDArray[np.float64] | None:
    """How far shapes of a type reach from their middle, [k], along directions [k, 3] in their frame; None: ask the model."""
    if kind == _SPHERE:
        return size[0] * np.linalg.norm(along, axis=1)
    if kind == _ELLIPSOID:
        return np.linalg.norm(along * size, axis=1)
    if kind == _CAPSULE:
        return size[0] * np.linalg.norm(along, axis=1) + size[2] * np.abs(along[:, 2])
    if kind == _CYLINDER:
        return size[0] * np.hypot(along[:, 0], along[:, 1]) + size[2] * np.abs(along[:, 2])
    return np.abs(along) @ size if kind in (_BOX, _PLANE) else None


class Reach:
    """How far what is drawn of a model reaches along directions; planes do not count where there is anything else.

    Parameters
    ----------
    model : Model
    option : MjvOption
        What shows.
    directions : array [k, 3]
        Of any length.

    Attributes
    ----------
    far : array [k]
        The largest product of each direction with a point that was drawn so far; -inf: there was none.
    """

    def __init__(self, model: Model, option: MjvOption, directions: ArrayLike) -> None:
        self._model, self._option = model, option
        self._directions = np.asarray(directions, float).reshape(-1, 3)
        room = 1000 + 8 * (model.ngeom + model.nsite + model.ntendon) + model.nwrap
        self._scene = MjvScene(model, room)
        self._camera = MjvCamera()
        self.far = np.full(len(self._directions), -np.inf)

    def add(self, data: Data) -> None:
        """Add what is drawn of a simulation where it stands."""
        scene = self._scene
        _core.mjv_updateScene(self._model, data, self._option, None, self._camera, _THINGS, scene)
        self.add_rows(scene._geom_rows[: scene.ngeom])
        if scene.nflex:
            self._add_points(np.asarray(scene.flexvert, float).reshape(-1, 3))
        if scene.nskin:
            self._add_points(np.asarray(scene.skinvert, float).reshape(-1, 3))

    def add_rows(self, rows: NDArray) -> None:
        """Add geoms of a scene."""
        rows = rows[(rows["rgba"][:, 3] > 0) & (rows["type"] <= _SDF)]
        other = rows[rows["type"] != _PLANE]
        finite = (rows["size"][:, :2] > 0).all(axis=1)
        for row in other if len(other) else rows[finite]:
            self._add(row)

    def _add_points(self, points: NDArray) -> None:
        if len(points):
            found = (points @ self._directions.T).max(axis=0)
            self.far = np.fmax(self.far, np.where(np.isfinite(found), found, -np.inf))

    def _add(self, row: Any) -> None:
        turn, kind = np.asarray(row["mat"], float).reshape(3, 3), int(row["type"])
        along = self._directions @ turn
        size = np.asarray(row["size"], float)
        size = np.array([size[0], size[1], 0.0]) if kind == _PLANE else size
        local = _of_size(kind, size, along)
        if local is None:
            local = self._of_model(int(row["objid"]), int(row["objtype"]), along)
        found = self._directions @ np.asarray(row["pos"], float) + local
        self.far = np.fmax(self.far, np.where(np.isfinite(found), found, -np.inf))

    def _of_model(self, geom: int, kind: int, along: NDArray) -> NDArray[np.float64]:
        model = self._model
        if kind != _GEOM or not 0 <= geom < model.ngeom:
            return np.full(len(along), -np.inf)
        mesh = int(model.geom_dataid[geom])
        if int(model.geom_type[geom]) == _MESH and 0 <= mesh < model.nmesh:
            first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
            return (along @ np.asarray(model.mesh_vert[first : first + count]).T).max(
                axis=1, initial=-np.inf
            )
        box = np.asarray(model.geom_aabb[geom], float).reshape(2, 3)
        return along @ box[0] + np.abs(along) @ box[1]


def says_its_view(model: Model) -> bool:
    """Return whether a model has a camera, or says how it is seen: by visual/global or by statistic."""
    view: Any = model.vis.global_
    if model.ncam or view.orthographic or (view.azimuth, view.elevation) != (90, -45):
        return True
    extent, center = _found(model)
    return not (
        np.allclose(extent, model.stat.extent, rtol=1e-6)
        and np.allclose(center, model.stat.center, rtol=1e-6, atol=1e-9)
    )


def _found(model: Model) -> tuple[float, NDArray[np.float64]]:
    """Return the extent and the center that the compiler finds for a model that does not say them."""
    data = Data(model)
    kinematics(model, data)
    comPos(model, data)
    half = np.max(model.geom_size[:, :2], axis=1, initial=0)
    endless = np.where(half > 0, 0.1 * half, 1.0 if model.physics == "3.3.7" else 0.01)
    radius = np.where(model.geom_type == _PLANE, endless, model.geom_rbound)[:, None]
    points = [data.xpos[1:], data.xipos[1:], data.xanchor, data.site_xpos]
    points += [data.geom_xpos - radius, data.geom_xpos + radius]
    spots = np.concatenate(points)
    if not len(spots):
        return 2.0, np.zeros(3)
    low, high = spots.min(axis=0), spots.max(axis=0)
    edge = max(1e-5, float(max(high - low)), 2 * float(model.stat.meansize))
    return edge if high[0] > low[0] else 2.0, (low + high) / 2


def _axes(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """Return what is to the right, up and back of a free camera, as rows."""
    a, e = np.radians([azimuth, elevation])
    forward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([np.sin(a), -np.cos(a), 0])
    return np.stack([right, np.cross(right, forward), -forward])


def framing_camera(
    model: Model,
    states: Iterable[Data],
    option: MjvOption,
    aspect: float,
    azimuth: float | None = None,
    elevation: float | None = None,
) -> MjvCamera | None:
    """Return a free camera that has all in view that is drawn of a model at states.

    Parameters
    ----------
    model : Model
    states : iterable of Data
    option : MjvOption
        What shows.
    aspect : float
        The picture's width over its height.
    azimuth, elevation : float, optional
        The camera's, in degrees.

    Returns
    -------
    MjvCamera or None
        None: nothing is drawn.

    Notes
    -----
    With points (x, y, z) to the right, up and back, a camera at c sees what has |x - c_x| <= t (c_z - z), t the tangent of
    half its angle: c_x + t c_z is at least the reach along right + t back, and so on. Four reaches place it.
    """
    azimuth = _AZIMUTH if azimuth is None else azimuth
    elevation = _ELEVATION if elevation is None else elevation
    axes = right, up, back = _axes(azimuth, elevation)
    tall = _FILLED * np.tan(np.radians(model.vis.global_.fovy) / 2)
    wide = tall * aspect
    sides = right + wide * back, wide * back - right, up + tall * back, tall * back - up
    reach = Reach(model, option, [*sides, back, -back])
    for data in states:
        reach.add(data)
    if not np.isfinite(reach.far).all():
        return None
    east, west, north, south, near, far = reach.far
    middle = 0.5 * (near - far)
    least = near + _NEAR * model.vis.map.znear * model.stat.extent
    eye = max((east + west) / (2 * wide), (north + south) / (2 * tall), least)
    camera = MjvCamera()
    camera.lookat[:] = axes.T @ (0.5 * (east - west), 0.5 * (north - south), middle)
    camera.distance, camera.azimuth, camera.elevation = eye - middle, azimuth, elevation
    return camera
