"""Cameras of a scene to matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core

Matrix = NDArray[np.float64]


def middle(scene: Any) -> Any:
    """Return the camera between both eyes of a scene, which sees it where it is not drawn for each."""
    mean = _core.MjvGLCamera()
    _core.mjv_averageCamera_(*scene.camera, mean)
    return mean


def opened(eye: Any) -> bool:
    """Return whether a camera has a picture: that of a scene that was never updated has none.

    Raises
    ------
    ValueError
        It would see what is behind it.
    """
    if eye.frustum_top == eye.frustum_bottom:
        return False
    if not 0 < eye.frustum_near < eye.frustum_far:
        raise ValueError(
            f"the scene's camera sees from {eye.frustum_near} to {eye.frustum_far} metres: frustum_near is above 0 and "
            "below frustum_far"
        )
    return True


def sees(eye: Any) -> bool:
    """Return whether a camera is somewhere and looks somewhere; that of a simulation gone wrong may not."""
    return bool(
        np.isfinite([*eye.pos, *eye.forward, *eye.up]).all() and np.any(cross(eye.forward, eye.up))
    )


def cross(a: NDArray, b: NDArray) -> NDArray[np.float64]:
    """Return the cross product of two vectors; np.cross, but for one pair."""
    (x, y, z), (u, v, w) = map(float, a), map(float, b)
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def look(position: NDArray, forward: NDArray, up: NDArray) -> Matrix:
    """Return the matrix from the room to a camera's frame: x right, y up, z back."""
    right = cross(forward, up)
    frame = np.stack([right / np.linalg.norm(right), up, -np.asarray(forward)])
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = frame, -frame @ position
    return out


def projection(
    left: float, right: float, bottom: float, top: float, near: float, far: float, parallel: bool
) -> Matrix:
    """Return the matrix from a camera's frame to clip space, with depth from 1 at `near` to 0 at `far`."""
    out = np.zeros((4, 4))
    out[0, 0], out[1, 1] = 2 / (right - left), 2 / (top - bottom)
    x, y = (right + left) / (right - left), (top + bottom) / (top - bottom)
    if parallel:
        out[:, 3] = -x, -y, far / (far - near), 1
        out[2, 2] = 1 / (far - near)
    else:
        out[0, 0], out[1, 1] = near * out[0, 0], near * out[1, 1]
        out[:, 2] = x, y, near / (far - near), -1
        out[2, 3] = near * far / (far - near)
    return out


def frustum(camera, aspect: float) -> tuple[float, float, float, float, float, float]:
    """Return left, right, bottom, top, near and far of a MjvGLCamera; `aspect` is width over height."""
    half = camera.frustum_width or 0.5 * aspect * (camera.frustum_top - camera.frustum_bottom)
    middle = camera.frustum_center
    return (
        middle - half, middle + half, camera.frustum_bottom, camera.frustum_top,
        camera.frustum_near, camera.frustum_far,
    )  # fmt: skip


class Moved:
    """How a scene as a whole is moved before it is seen: p to translate + rotate (scale p).

    matrix : array [4, 4].
    """

    def __init__(self, translate: NDArray, rotate: NDArray, scale: float) -> None:
        self.scale = scale
        self._turn = _rotation(np.asarray(rotate, float))
        self._translate = np.asarray(translate, float)
        self.matrix = np.eye(4)
        self.matrix[:3, :3], self.matrix[:3, 3] = scale * self._turn, self._translate

    def back(self, point: NDArray) -> NDArray:
        """Return where a point is before it is moved."""
        return self._turn.T @ (point - self._translate) / self.scale

    def along(self, direction: NDArray) -> NDArray:
        """Return a direction before it is moved."""
        return self._turn.T @ direction


def _rotation(quaternion: NDArray) -> Matrix:
    length = np.linalg.norm(quaternion)
    w, x, y, z = quaternion / length if length > 0 else (1.0, 0.0, 0.0, 0.0)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


_HERE = Moved(np.zeros(3), np.array([1.0, 0, 0, 0]), 1.0)


def moved(scene: Any) -> Moved:
    """Return how a scene is moved."""
    if not scene.enabletransform or not scene.scale > 0:
        return _HERE
    return Moved(scene.translate, scene.rotate, float(scene.scale))
