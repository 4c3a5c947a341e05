"""Poses of geoms as messages have them: what moves takes 20 bytes, not 48."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

UNIT = 32767  # what stands for 1 in a quaternion; it is off by 2e-5 rad at most
_EXACT = 1e-5  # by which the numbers of a rotation may be off those of its quaternion


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
    """Return unit quaternions [n, 4] of matrices [n, 3, 3], and which of these are rotations.

    With 4 q q^T from sums of the matrix' numbers: its row with the largest diagonal is a multiple of q (Bar-Itzhack 2000).
    """
    m = np.asarray(matrices, np.float32)
    a, b, c = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    outer = np.empty((len(m), 4, 4), np.float32)
    diagonal = (1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c)
    for i, value in enumerate(diagonal):
        outer[:, i, i] = value
    for i, j, value in (
        (0, 1, m[:, 2, 1] - m[:, 1, 2]), (0, 2, m[:, 0, 2] - m[:, 2, 0]), (0, 3, m[:, 1, 0] - m[:, 0, 1]),
        (1, 2, m[:, 0, 1] + m[:, 1, 0]), (1, 3, m[:, 0, 2] + m[:, 2, 0]), (2, 3, m[:, 1, 2] + m[:, 2, 1]),
    ):  # fmt: skip
        outer[:, i, j] = outer[:, j, i] = value
    largest = np.argmax(np.stack(diagonal, axis=1), axis=1)
    q = outer[np.arange(len(m)), largest]
    q /= np.maximum(np.sqrt(np.einsum("ij,ij->i", q, q)), np.float32(1e-30))[:, None]
    off = np.abs(outer - 4 * q[:, :, None] * q[:, None, :]).reshape(-1, 16).max(axis=1, initial=0)
    return q, off < _EXACT
