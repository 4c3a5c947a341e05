"""Recorded states over time, and a simulation put where it was at any moment between."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._functions import (  # type: ignore[attr-defined]
    differentiatePos,
    forward,
    integratePos,
    integrateQuat,
    subQuat,
)
from .._recording import Recording
from .._recording.layout import STATE
from .._types import Data, Model

_EVEN = ("qvel", "act", "mocap_pos")  # what goes evenly from a row to the next
_CLOSE = 1e-6  # of an interval: this near to a row it is the row
_SOME = 1 << 14  # rows looked at together, so that not all of a file are in memory


class Track:
    """States of a model over time.

    Parameters
    ----------
    model : Model
    recording : Recording
        Positions, and what there is of the other parts of a state; the rest is as it is when `place` is called.

    Attributes
    ----------
    start, end : float
        Times of the first and of the last row before one with numbers that are not finite.
    fault : str
        Why rows after `end` are left out; "" if there are none.
    lacks_mocap : bool
        The model has mocap bodies, and it is not recorded where they are.

    Raises
    ------
    ValueError
        It is no recording of this model, has no rows or is bad from its first on, or its time goes back.
    """

    def __init__(self, model: Model, recording: Recording) -> None:
        self.model, self.name = model, recording.path or "the recording"
        fitted = recording.fit(model)
        if not len(fitted):
            raise ValueError(f"{self.name}: has no rows")
        self._parts = {part: fitted.field(part) for part in STATE if fitted.width(part)}
        self.lacks_mocap = bool(model.nmocap) and "mocap_pos" not in self._parts
        count = self._finite_rows(fitted.time)
        self._time = fitted.time[:count]
        self._parts = {part: rows[:count] for part, rows in self._parts.items()}
        if "eq_active" in self._parts:
            self._parts["eq_active"] = self._parts["eq_active"] != 0
        back = np.flatnonzero(np.diff(self._time) < 0)
        if back.size:
            before, after = self._time[back[0] : back[0] + 2]
            raise ValueError(
                f"{self.name}: row {back[0] + 1} goes back in time, from {before:g} s to {after:g} s"
            )
        self.start, self.end = float(self._time[0]), float(self._time[-1])

    def _finite_rows(self, time: NDArray) -> int:
        """How many rows there are before the first one with a number that is not finite."""
        self.fault = ""
        for begin in range(0, len(time), _SOME):
            some = slice(begin, begin + _SOME)
            good = np.isfinite(time[some])
            for rows in self._parts.values():
                good &= np.isfinite(rows[some]).all(axis=1)
            if not good.all():
                return self._end_before(begin + int(good.argmin()))
        return len(time)

    def _end_before(self, row: int) -> int:
        """Say that a row has a number that is not finite; return its number."""
        bad = (p for p, rows in self._parts.items() if not np.isfinite(rows[row]).all())
        self.fault = (
            f"{self.name}: row {row} has numbers in {next(bad, 'time')} that are not finite"
        )
        if not row:
            raise ValueError(self.fault)
        return row

    def __len__(self) -> int:
        return len(self._time)

    def _found(self, time: float) -> tuple[int, float]:
        """Return the row at a time, and which part of the way to the next one has gone; 0: it is the row."""
        moment = min(max(time, self.start), self.end)
        after = int(np.searchsorted(self._time, moment, "right"))
        if after == len(self._time):
            return after - 1, 0.0
        before, behind = self._time[after - 1 : after + 1]
        part = float((moment - before) / (behind - before))
        if part > 1 - _CLOSE:
            return after, 0.0
        return after - 1, part if part > _CLOSE else 0.0

    def row_at(self, time: float) -> int:
        """Return the number of the row at a time, or of the last one before it; of the first one where there is none."""
        return self._found(time)[0]

    def time_of(self, row: int) -> float:
        """Return the time of a row."""
        return float(self._time[row])

    def next_time(self, time: float) -> float:
        """Return the time of the first row after a time, of the last one where there is none."""
        return self.time_of(min(self.row_at(time) + 1, len(self) - 1))

    def time_before(self, time: float) -> float:
        """Return the time of the last row before a time, of the first one where there is none."""
        row, part = self._found(time)
        if part:
            return self.time_of(row)
        # of several rows with one time any is the same moment
        return self.time_of(max(0, int(np.searchsorted(self._time, self._time[row], "left")) - 1))

    def place(self, data: Data, time: float) -> None:
        """Put a simulation where it was at a time, and compute what follows from that.

        Between two rows, positions, velocities and activations are interpolated, quaternions along the shortest way; controls
        and all else are those of the row before. Before the first row it is that one, after the last that.
        """
        row, part = self._found(time)
        for name, rows in self._parts.items():
            values = getattr(data, name)
            values[:] = rows[row].reshape(values.shape)
        data.time = self._time[row]
        if part:
            data.time = time
            self._place_between(data, row, part)
        forward(self.model, data)

    def _place_between(self, data: Data, row: int, part: float) -> None:
        """Move what goes on from a row to the next by a part of that way."""
        pairs = {name: rows[row : row + 2] for name, rows in self._parts.items()}
        for name in _EVEN:
            if name in pairs:
                before, after = pairs[name]
                values = getattr(data, name)
                values[:] = (before + part * (after - before)).reshape(values.shape)
        if "qpos" in pairs:  # a model without joints has none
            before, after = pairs["qpos"]
            way = differentiatePos(self.model, 1.0, before, after)
            data.qpos[:] = integratePos(self.model, before, way, part)
        if "mocap_quat" in pairs:
            before, after = pairs["mocap_quat"].reshape(2, -1, 4)
            data.mocap_quat[:] = [_turned(a, b, part) for a, b in zip(before, after, strict=True)]


def _turned(before: NDArray, after: NDArray, part: float) -> NDArray:
    """A part of the way from one orientation to another, along the shorter way round; lengths do not count."""
    lengths = np.linalg.norm((before, after), axis=1)
    if not lengths.all():
        return before
    a, b = before / lengths[0], after / lengths[1]
    return integrateQuat(a, subQuat(b, a), part)


def moments(start: float, end: float, fps: float, speed: float = 1.0) -> NDArray[Any]:
    """Return the times of a film's pictures, `speed` seconds of the simulation in one of the film, both ends included."""
    count = int(np.floor((end - start) / speed * fps + 1e-6)) + 1
    return start + np.arange(count) * (speed / fps)
