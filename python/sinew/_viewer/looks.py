"""How the geoms of a scene look and where they are, kept from frame to frame: only what has changed is made anew."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..draw import kinds

POSE, LOOK = 12, 28  # numbers of each
_IDENTITY = np.eye(3, 4, dtype=np.float32).ravel()

Rows = NDArray  # geoms of a scene, a structured array
Make = Callable[[Rows, NDArray, "NDArray | int"], tuple[NDArray, NDArray]]


@functools.cache
def _shown(dtype: np.dtype) -> NDArray[np.int64]:
    """Return which numbers of 4 bytes of a geom tell how it looks."""
    fields = dtype.fields
    assert fields is not None  # the array has members

    def words(first: str, last: str) -> range:
        return range(fields[first][1] // 4, (fields[last][1] + fields[last][0].itemsize) // 4)

    return np.array(
        [
            *words("type", "size"),
            *words("rgba", "reflectance"),
            *words("modelrbound", "modelrbound"),
        ]
    )


def _words(rows: Rows) -> NDArray[np.uint32]:
    """Return geoms [n] as numbers of 4 bytes."""
    return rows.view(np.uint32).reshape(len(rows), rows.dtype.itemsize // 4)


def _differ(now: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which rows are other bits than before."""
    return (now.view(np.uint32) != before.view(np.uint32)).any(axis=1)


class Looks:
    """Poses and looks of the geoms of a scene, as one page sees it.

    Parameters
    ----------
    make : callable
        Returns poses [n, 12] and looks [n, 28] of geoms.

    Attributes
    ----------
    pose, look : arrays [n, 12], [n, 28]
        Of the geoms of the newest scene.
    moved, changed : arrays
        The rows of those that were another before.
    new : int
        The first row that has not been there before.
    """

    def __init__(self, make: Make) -> None:
        self._make = make
        self.pose: NDArray[np.float32] = np.zeros((0, POSE), np.float32)
        self.look: NDArray[np.float32] = np.zeros((0, LOOK), np.float32)
        self._seen: NDArray[np.uint32] = np.zeros((0, 0), np.uint32)
        self._in_room: NDArray[np.bool_] = np.zeros(0, bool)

    def forget(self) -> None:
        """Make all looks anew: something has changed that scenes do not tell."""
        self._seen = np.zeros((0, 0), np.uint32)

    def take(self, rows: Rows, behind: NDArray[np.bool_], fewer: NDArray | int) -> None:
        """Take the geoms of a scene; `behind` and `fewer` are arguments of `make`."""
        count, self.new = len(rows), min(len(rows), len(self.look))
        before, pose = self.pose, self._poses(rows)
        seen = self._see(rows, pose, behind, fewer)
        changed, self._seen = self._others(seen), seen
        look, in_room = self.look, self._in_room
        if len(changed) or len(look) != count:
            look, in_room = (np.resize(a, (count, *a.shape[1:])) for a in (look, in_room))
        if len(changed):
            facets = np.broadcast_to(np.asarray(fewer, np.int64), count)[changed]
            poses, look[changed] = self._make(rows[changed], behind[changed], facets)
            in_room[changed] = kinds.among(rows["type"][changed], kinds.IN_ROOM)
            known = changed < self.new
            known[known] = ~_differ(look[changed[known]], self.look[changed[known]])
            changed = changed[~known]
        pose[in_room] = _IDENTITY
        moved = np.ones(count, bool)
        same = slice(0, self.new)
        moved[same] = _differ(pose[same], before[same])
        self.pose, self.look, self._in_room = pose, look, in_room
        self.moved, self.changed = moved.nonzero()[0], changed

    def _poses(self, rows: Rows) -> NDArray[np.float32]:
        out = np.empty((len(rows), 3, 4), np.float32)
        out[:, :, :3] = rows["mat"].reshape(-1, 3, 3)
        out[:, :, 3] = rows["pos"]
        return out.reshape(-1, POSE)

    def _see(
        self, rows: Rows, pose: NDArray, behind: NDArray[np.bool_], fewer: NDArray | int
    ) -> NDArray[np.uint32]:
        """Return all that looks depend on, a row a geom."""
        which = _shown(rows.dtype)
        out = np.empty((len(rows), len(which) + 3), np.uint32)
        out[:, :-3] = _words(rows)[:, which]
        out[:, -3], out[:, -2] = behind, fewer
        out[:, -1] = np.isfinite(pose).all(axis=1)
        return out

    def _others(self, seen: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Return which rows look other than before."""
        out = np.ones(len(seen), bool)
        if len(self._seen):
            same = slice(0, self.new)
            out[same] = (seen[same] != self._seen[same]).any(axis=1)
        return out.nonzero()[0]
