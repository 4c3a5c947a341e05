"""Poses as whole numbers: positions in steps of a length, orientations as quaternions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..poses import quaternions

TURN = 2.0**-16  # step of the numbers of a quaternion: angles are right to 3e-5 rad
_SHARE = 2e-5  # step of positions, of the extent of the model
_LEAST = 1e-7  # metres
_FARTHEST = 2.0**31 - 1024  # steps

Poses = NDArray[np.float64]  # [..., 12]: rows of 3 x 4 matrices


def step_for(extent: float) -> float:
    """Return the step of positions of a model in metres; each number is right to half of it."""
    return max(_SHARE * extent, _LEAST) if np.isfinite(extent) else 1e-5


def split(poses: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return orientations [..., 3, 3] and positions [..., 3]."""
    whole = np.asarray(poses, float).reshape(*poses.shape[:-1], 3, 4)
    return whole[..., :3], whole[..., 3]


def join(turn: NDArray, place: NDArray) -> Poses:
    """Return poses of orientations and positions."""
    whole = np.concatenate([turn, place[..., None]], axis=-1)
    return whole.reshape(*whole.shape[:-2], 12)


def _steady(quats: NDArray) -> NDArray[np.float64]:
    """Return quaternions [rows, n, 4] of which each is, of the two for its orientation, the one near that before."""
    near = np.einsum("rnk,rnk->rn", quats[1:], quats[:-1]) >= 0
    out = quats.copy()
    out[1:] *= np.cumprod(np.where(near, 1, -1), axis=0)[..., None]
    return out


def whole_numbers(poses: NDArray, step: float) -> NDArray[np.int32]:
    """Return poses [rows, n, 12] as whole numbers [rows, n, 7]: position, then quaternion."""
    turn, place = split(poses)
    quats = quaternions(turn.reshape(-1, 3, 3))[0].astype(float).reshape(*turn.shape[:2], 4)
    numbers = np.concatenate([place / step, _steady(quats) / TURN], axis=-1)
    numbers = np.nan_to_num(numbers, nan=0.0, posinf=_FARTHEST, neginf=-_FARTHEST)
    return np.rint(np.clip(numbers, -_FARTHEST, _FARTHEST)).astype(np.int32)


def seen_from(bodies: NDArray, poses: NDArray) -> Poses:
    """Return poses [..., 12] as bodies have them that are at poses [..., 12] themselves."""
    (frame, origin), (turn, place) = split(bodies), split(poses)
    back = np.swapaxes(frame, -1, -2)
    return join(back @ turn, (back @ (place - origin)[..., None])[..., 0])
