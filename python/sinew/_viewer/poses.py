"""Poses of geoms as messages have them: what moves takes 20 bytes, not 48."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core

UNIT = 32767  # what stands for 1 in a quaternion; it is off by 2e-5 rad at most


def packed(rows: NDArray, poses: NDArray[np.float32], first: int, count: int) -> dict[str, NDArray]:
    """Return arrays of a message for rows whose poses are others.

    Parameters
    ----------
    rows : array [k]
        In their order.
    poses : array [k, 12]
        3 x 4, row by row.
    first : int
        Rows from this one on are new. They come exactly, as many of them, and the largest, never move.
    count : int
        Rows in all.

    Returns
    -------
    dict
        `pose_rows`, `pose` [m, 12]: those that are new or no rotations. `place_rows`, `place` [n, 3], `turn` [n, 4]: the
        others, with quaternions (w, x, y, z) times UNIT; `place_rows` is left out where these are all rows.
    """
    turn, is_rotation = quaternions(poses.reshape(-1, 3, 4)[:, :, :3])
    short = is_rotation & (rows < first)
    whole = ~short
    out = {
        "pose_rows": rows[whole].astype(np.uint32),
        "pose": poses[whole],
        "place": poses[short][:, 3::4],
        "turn": np.rint(UNIT * turn[short]).astype(np.int16),
    }
    if len(out["place"]) < count:
        out["place_rows"] = rows[short].astype(np.uint32)
    return out


def quaternions(matrices: NDArray) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return unit quaternions [n, 4] of matrices [n, 3, 3], and which of these are rotations."""
    plain = np.ascontiguousarray(matrices, np.float32)
    turn = np.empty((len(plain), 4), np.float32)
    is_rotation = np.empty(len(plain), bool)
    _core.quaternions(plain, turn, is_rotation)
    return turn, is_rotation
