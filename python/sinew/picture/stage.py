"""A neutral stage about a model that lacks one: floor, light and sky, each where the model has none of its own.

It is drawn and nothing else: floor and light are added to a scene, the sky to what draws it; the model stays as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import MjvOption
from .._types import Data, Model
from .reach import Reach

_FLOORS = (0, 1)  # mjGEOM_PLANE and mjGEOM_HFIELD
_SKYBOX = 2  # mjTEXTURE_SKYBOX
_DIRECTIONAL = 1  # mjLIGHT_DIRECTIONAL
_STATIC = 1  # mjCAT_STATIC
_UNKNOWN = 0  # mjOBJ_UNKNOWN
_BELOW = 1e-4  # of the model's extent: what stands on the floor does not flicker with it
_FLOOR = (0.88, 0.89, 0.91, 1.0)
_ZENITH = (0.62, 0.74, 0.88)
# where light goes, what it is (ambient, diffuse, specular), and whether it casts shadows: one from the front over the
# right shoulder, and a weaker one from the left, so that shadows are not black
_LIGHTS = (
    ((-0.45, 0.35, -1.0), (0.0, 0.35, 0.15), True),
    ((-0.35, -0.8, -0.6), (0.15, 0.15, 0.0), False),
)
_SKY = 64  # texels along a side


def _has_headlight(model: Model) -> bool:
    """Return whether a model says how it is lit from the eye."""
    light: Any = model.vis.headlight
    given = [*light.ambient, *light.diffuse, *light.specular]
    return bool(light.active) and not np.allclose(given, [0.1] * 3 + [0.4] * 3 + [0.5] * 3)


def _sky(horizon: NDArray) -> NDArray[np.uint8]:
    """Return the six sides of a sky, right, left, up, down, front, back, which is bluer the higher it is."""
    at = (2 * np.arange(_SKY) + 1) / _SKY - 1
    x, y = np.meshgrid(at, -at)
    length = np.sqrt(1 + x**2 + y**2)
    side, above = np.clip(y, 0, 1) / length, 1 / length
    height = np.stack([side, side, above, 0 * above, side, side])[..., None]
    colour = horizon + (np.array(_ZENITH) - horizon) * height**0.7
    return np.round(255 * colour).astype(np.uint8)


class Stage:
    """What a model lacks of floor, light and sky.

    Parameters
    ----------
    model : Model

    Notes
    -----
    A plane or a height field is a floor; a light, or a headlight that is not as it is by default, is a light.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._floor = not np.isin(model.geom_type, _FLOORS).any()
        self._light = not model.nlight and not _has_headlight(model)
        self._sky = not (np.asarray(model.tex_type) == _SKYBOX).any()
        self._height: float | None = None
        self._plane = -1

    def build(self, drawing: Any) -> None:
        """Let a drawing have the sky, and a plane for the floor."""
        if self._sky:
            drawing.textures.own_sky = _sky(np.asarray(self._model.vis.rgba.haze[:3], float))
        if self._floor:
            self._plane = drawing.planes.add_endless()

    def add(self, scene: Any, data: Data, option: MjvOption) -> None:
        """Add floor and light to a scene of the model; the floor stays where the first picture has it."""
        if self._floor and scene.ngeom < scene.maxgeom:
            if self._height is None:
                self._height = self._below(data, option)
            self._add_floor(scene)
        for light in _LIGHTS if self._light else ():
            self._add_light(scene, *light)

    def _below(self, data: Data, option: MjvOption) -> float:
        """Return a height just below all that is drawn."""
        reach = Reach(self._model, option, [(0, 0, -1)])
        reach.add(data)
        lowest = -reach.far[0] if np.isfinite(reach.far[0]) else 0.0
        return float(lowest - _BELOW * self._model.stat.extent)

    def _add_floor(self, scene: Any) -> None:
        place = np.array([0.0, 0.0, self._height])
        _core.mjv_initGeom(
            scene.geoms[scene.ngeom], _FLOORS[0], np.zeros(3), place, np.eye(3).ravel(), _FLOOR
        )
        row = scene._geom_rows[scene.ngeom]
        row["dataid"], row["category"] = self._plane, _STATIC
        row["objtype"], row["objid"], row["segid"] = _UNKNOWN, -1, -1
        row["specular"], row["shininess"], row["reflectance"] = 0.1, 0.1, 0.0
        scene.ngeom += 1

    def _add_light(
        self, scene: Any, down: tuple[float, ...], strength: tuple[float, ...], shadow: bool
    ) -> None:
        stat, light = self._model.stat, scene.lights[scene.nlight]
        direction = np.array(down) / np.linalg.norm(down)
        light.type, light.headlight, light.castshadow = _DIRECTIONAL, 0, shadow
        light.pos[:], light.dir[:] = stat.center - 2 * stat.extent * direction, direction
        for part, value in zip(
            (light.ambient, light.diffuse, light.specular), strength, strict=True
        ):
            part[:] = value
        light.attenuation[:] = 1, 0, 0
        light.exponent, light.cutoff = 0, 180
        scene.nlight += 1
