"""Recorded states over time, and a simulation put where it was at any moment between."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._functions import differentiatePos, forward, integratePos  # type: ignore[attr-defined]
from ._recording import Recording
from ._types import Data, Model

_PARTS = ("qpos", "qvel", "act", "ctrl")
_CLOSE = 1e-6  # of an interval: this near to a row it is the row


class Track:
    """States of a model over time.

    Parameters
    ----------
    model : Model
    recording : Recording
        Positions, and what there is of velocities, activations and controls; the rest is as it is when `place` is called.

    Attributes
    ----------
    start, end : float
        Times of the first and of the last row before one with numbers that are not finite.
    fault : str
        Why rows after `end` are left out; "" if there are none.

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
        self._parts = {part: fitted.field(part) for part in _PARTS if fitted.width(part)}
        count = self._finite_rows(fitted.time)
        self._time = fitted.time[:count]
        self._parts = {part: rows[:count] for part, rows in self._parts.items()}
        back = np.flatnonzero(np.diff(self._time) < 0)
        if back.size:
            before, after = self._time[back[0] : back[0] + 2]
            raise ValueError(
                f"{self.name}: row {back[0] + 1} goes back in time, from {before:g} s to {after:g} s"
            )
        self.start, self.end = float(self._time[0]), float(self._time[-1])

    def _finite_rows(self, time: NDArray) -> int:
        """How many rows there are before the first one with a number that is not finite."""
        good = np.isfinite(time)
        for rows in self._parts.values():
            good &= np.isfinite(rows).all(axis=1)
        self.fault = ""
        if good.all():
            return len(time)
        first = int(good.argmin())
        part = next(
            (p for p, rows in self._parts.items() if not np.isfinite(rows[first]).all()), "time"
        )
        self.fault = f"{self.name}: row {first} has numbers in {part} that are not finite"
        if not first:
            raise ValueError(self.fault)
        return first

    def place(self, data: Data, time: float) -> None:
        """Put a simulation where it was at a time, and compute what follows from that.

        Between two rows, positions and activations are interpolated, quaternions along the shortest way; velocities, too;
        controls are those of the row before. Before the first row it is that one, after the last that.
        """
        model, moment = self.model, min(max(time, self.start), self.end)
        after = int(np.searchsorted(self._time, moment, "right"))
        row, part = after - 1, 0.0
        if after < len(self._time):
            part = (moment - self._time[row]) / (self._time[after] - self._time[row])
        if part > 1 - _CLOSE:
            row, part = after, 0.0
        for name, rows in self._parts.items():
            getattr(data, name)[:] = rows[row]
        data.time = self._time[row]
        if part > _CLOSE:
            data.time = moment
            for name in ("qvel", "act"):
                if name in self._parts:
                    before, next_ = self._parts[name][row : row + 2]
                    getattr(data, name)[:] = before + part * (next_ - before)
            if "qpos" in self._parts:  # a model without joints has none
                before, next_ = self._parts["qpos"][row : row + 2]
                data.qpos[:] = integratePos(
                    model, before, differentiatePos(model, 1.0, before, next_), part
                )
        forward(model, data)


def moments(start: float, end: float, fps: float, speed: float = 1.0) -> NDArray[Any]:
    """Return the times of a film's pictures, `speed` seconds of the simulation in one of the film, both ends included."""
    count = int(np.floor((end - start) / speed * fps + 1e-6)) + 1
    return start + np.arange(count) * (speed / fps)
