"""Lights of a scene to what shaders want."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import camera, kinds

LIGHTS = 8  # as many as the fixed pipeline has
COLUMNS = 24
BLOCK = LIGHTS * (COLUMNS + 16)
NOTHING = 0.3  # light from everywhere where a scene has no lights
WIDEST = 80.0  # half angle of a shadow map of a cone in degrees


def _row(light: Any) -> NDArray[np.float32]:
    """Return what the struct Light holds of a MjvLight."""
    row = np.zeros(COLUMNS, np.float32)
    parallel = light.type == kinds.DIRECTIONAL
    direction = np.asarray(light.dir, float)
    length = np.linalg.norm(direction)
    row[0:3] = -direction if parallel else light.pos
    row[3] = not parallel
    row[4:7] = direction / length if length > 0 else 0
    cone = light.type == kinds.SPOT and 0 <= light.cutoff <= 90
    row[7] = np.cos(np.radians(light.cutoff)) if cone else -2
    row[8:11], row[12:15], row[16:19] = light.ambient, light.diffuse, light.specular
    row[11] = np.clip(light.exponent, 0, 128)
    row[20:23] = light.attenuation
    if light.type == kinds.POINT and not np.any(light.attenuation):
        row[20] = 1  # mjv_updateScene says nothing of how their light gets weaker
    return row


def _known(index: int, light: Any) -> Any:
    """Return a light of a type that can be drawn."""
    if light.type not in (kinds.SPOT, kinds.DIRECTIONAL, kinds.POINT):
        what = (
            "image" if light.type == kinds.IMAGE else f"{light.type}, which is none of mjtLightType"
        )
        raise ValueError(
            f"light {index} of the scene has type {what}: spot, directional and point lights can be drawn; "
            "give it one of these types, or active=false in the model"
        )
    return light


class Lights:
    """The lights that shine: those without shadows first.

    plain, shadowed : how many; cones : bits of those with shadows that shine from a point; casting : the MjvLights with shadows; rows : array [LIGHTS, COLUMNS].
    """

    def __init__(self, scene: Any, shadows: bool) -> None:
        there = [_known(i, scene.lights[i]) for i in range(min(scene.nlight, LIGHTS))]
        casts = [
            bool(shadows and light.castshadow and light.type != kinds.POINT) for light in there
        ]
        self.casting = [light for light, cast in zip(there, casts, strict=True) if cast]
        lights = [light for light, cast in zip(there, casts, strict=True) if not cast]
        self.plain, self.shadowed = len(lights), len(self.casting)
        cones = [light.type != kinds.DIRECTIONAL for light in self.casting]
        self.cones = sum(cone << i for i, cone in enumerate(cones))
        self.rows = np.zeros((LIGHTS, COLUMNS), np.float32)
        for row, light in zip(self.rows, lights + self.casting, strict=False):
            row[:] = _row(light)
        self.ambient = 0.0 if there else NOTHING

    def block(self, views: list[NDArray]) -> NDArray[np.float32]:
        """Return the contents of the block Lights; `views` are the matrices from the room to the shadow maps."""
        out = np.zeros(BLOCK, np.float32)
        out[: self.rows.size] = self.rows.ravel()
        places = out[self.rows.size :].reshape(LIGHTS, 16)
        for place, view in zip(places, views, strict=False):
            place[:] = to_map(view).T.ravel()
        return out


_TO_MAP = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 1, 0], [0, 0, 0, 1]])


def to_map(view: NDArray) -> NDArray[np.float64]:
    """Return the matrix from the room to places in a shadow map, from 0 to 1, by that to its clip space."""
    return _TO_MAP @ view


def light_frame(direction: NDArray) -> tuple[NDArray, NDArray]:
    """Return forward and up of a light's map: up has no x, except where light goes along x."""
    length = np.linalg.norm(direction)
    x, y, z = direction / length if length > 0 else (0.0, 0.0, -1.0)
    up = np.array([0, -z, y]) if np.hypot(y, z) > 0.1 else np.array([-z, 0, x])
    return np.array([x, y, z]), up / np.linalg.norm(up)


def map_view(light: Any, eye: Any, reach: float, part: float) -> NDArray[np.float64]:
    """Return the matrix from the room to the clip space of a light's shadow map, depth from 1 down to 0.

    Parameters
    ----------
    light : MjvLight
    eye : MjvGLCamera
        Its near and far plane are the map's.
    reach : float
        Half the side of the square that a directional light's map covers.
    part : float
        What part of a cone its map covers.
    """
    forward, up = light_frame(np.asarray(light.dir, float))
    look = camera.look(np.asarray(light.pos, float), forward, up)
    near, far = eye.frustum_near, eye.frustum_far
    parallel = light.type == kinds.DIRECTIONAL
    half = reach if parallel else near * np.tan(np.radians(min(WIDEST, part * light.cutoff)))
    return camera.projection(-half, half, -half, half, near, far, parallel) @ look
