"""Moments of a recording, some in a row, as one message."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...viewer import wire
from .columns import pack
from .poses import TURN, seen_from, whole_numbers
from .scenes import SHAPE, Moment, Scenes

_MOST = 240  # moments
_ROOM = 200_000  # poses, which take some hundred bytes each while they are packed


class Chunk:
    """Collects moments.

    Parameters
    ----------
    scenes : Scenes
        What they are of.
    step : float
        Of positions.
    """

    def __init__(self, scenes: Scenes, step: float) -> None:
        self._scenes, self._step = scenes, step
        self._moments: list[Moment] = []

    def add(self, moment: Moment) -> bool:
        """Add a moment; return whether there is no room for another."""
        self._moments.append(moment)
        return len(self) >= min(_MOST, max(2, _ROOM // len(moment.poses)))

    def __len__(self) -> int:
        return len(self._moments)

    @np.errstate(invalid="ignore", over="ignore")  # of simulations gone wrong
    def packed(self, first: NDArray[np.float32]) -> bytes:
        """Return the message and begin anew; `first` : how lights were in the first moment of all."""
        scenes = self._scenes
        moments, self._moments = self._moments, []
        looks = _whole([m.looks for m in moments], scenes.looks)
        for row, moment in zip(looks, moments, strict=True):
            row[len(moment.looks) :, SHAPE] = -1
        numbers, start, own = self._poses(_whole([m.poses for m in moments], scenes.poses))
        arrays = {"own": own}
        for name, table, before in (
            ("pose", numbers, start),
            ("look", looks.reshape(len(looks), -1), scenes.looks.ravel()),
            ("shining", np.array([m.shining for m in moments]), first),
        ):
            arrays[f"{name}_columns"], arrays[f"{name}_changes"] = pack(table, before)
        # geoms that come in later chunks are not there yet
        words = {"kind": "chunk", "rows": len(moments), "slots": looks.shape[1]}
        return wire.pack(words, arrays)

    def _poses(self, poses: NDArray) -> tuple[NDArray, NDArray, NDArray[np.uint32]]:
        """Return poses as tables of whole numbers, the first of all, and which go other ways than their bodies."""
        scenes = self._scenes
        start = whole_numbers(scenes.poses[None], self._step)[0]
        rides = scenes.rides
        riding = np.flatnonzero(rides >= 0)
        held = seen_from(poses[:, rides[riding]], poses[:, riding])
        away = np.abs(held - scenes.held[riding]).max(axis=0).reshape(-1, 3, 4)
        away[scenes.rolls[riding], :, :2] = 0
        rides_along = (away[..., :3].max(axis=(1, 2)) <= TURN) & (
            away[..., 3].max(axis=1) <= self._step / 2
        )
        own = riding[~rides_along].astype(np.uint32)
        numbers = np.broadcast_to(start, (len(poses), *start.shape)).copy()
        free = rides < 0
        free[own] = True
        numbers[:, free] = whole_numbers(poses[:, free], self._step)
        return numbers.reshape(len(poses), -1), start.ravel(), own


def _whole(tables: list[NDArray], first: NDArray) -> NDArray:
    """Return tables [n, k] of growing n as one [rows, n, k]: what is not there yet is as it will be at first."""
    return np.array([np.concatenate([table, first[len(table) :]]) for table in tables])
