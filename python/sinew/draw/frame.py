"""A picture while it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import boxes, camera, flexes, instances, kinds, lights
from .instances import Rect


class Frame:
    """A scene as one eye sees it, and what of it is drawn in which order.

    view : matrix from the room to clip space; forward : the eye's axis in the room;
    turn : what the room is moved by as a whole.
    """

    def __init__(self, scene: Any, rect: Rect, eye: Any) -> None:
        self.scene, self.rect, self.eye = scene, rect, eye
        self.flags = np.asarray(scene._effects)
        self.segment = bool(self.flags[kinds.F_SEGMENT])
        self.wires = bool(self.flags[kinds.F_WIREFRAME]) and not self.segment
        self.rows = flexes.spelled_out(instances.scene_rows(scene), scene)
        self.turn = camera.moved(scene)
        self.mirror = -1  # row of the geom that mirrors the others
        self.face: instances.Parts  # the mirror itself
        self.mirrored: instances.Parts  # what it may show that is opaque
        self.opaque: instances.Parts  # what else the eye may see
        self.shown: boxes.Boxes  # about that
        self.transparent: instances.Parts
        self.casting: instances.Parts
        self.covers: list[boxes.Cover] = []  # planes that hide what is behind them
        self.data: NDArray[np.float32]  # columns of the instances
        self.lights: lights.Lights
        self.maps: list[NDArray[np.float64]] = []  # from the room to the shadow maps of lights

    def aim(self) -> None:
        """Find the way from the room to the picture."""
        eye, rect = self.eye, self.rect
        self.frustum = camera.frustum(eye, rect[2] / max(1, rect[3]))
        seen = camera.projection(*self.frustum, bool(eye.orthographic))
        self.view = seen @ camera.look(eye.pos, eye.forward, eye.up) @ self.turn.matrix
        self._position = self.turn.back(np.asarray(eye.pos, float))
        self.forward = self.turn.along(np.asarray(eye.forward, float))

    def position(self) -> NDArray[np.float64]:
        """Return where the eye is in the room."""
        return self._position

    def pixels(self) -> float:
        """Return how many pixels a unit of length has at distance 1, or at all where rays are parallel."""
        eye = self.eye
        scale = self.rect[3] / max(eye.frustum_top - eye.frustum_bottom, 1e-9)
        return scale * (self.turn.scale if eye.orthographic else eye.frustum_near)

    def near_reach(self) -> float:
        """Return how far the corners of the near plane are from the eye, in the room."""
        left, right, bottom, top, near, _ = self.frustum
        corner = max(-left, right), max(-bottom, top), near
        return float(np.linalg.norm(corner)) / self.turn.scale
