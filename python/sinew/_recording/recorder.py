"""Recordings of simulations that run in Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import attached
from .blocks import Rows
from .layout import SELDOM, STATE, element_names, sensor_sizes, state_width
from .recording import Recording

if TYPE_CHECKING:
    from .._types import Data, Model


class Recorder:
    """Takes the rows of a recording from a simulation that runs in Python.

    A row has all that a step starts from, so that poses, contacts and forces drawn from the recording are those of the
    run: time, positions, velocities, activations, controls, poses of mocap bodies, where the solver starts; and where they
    are not always as the model has them, applied forces, which equalities are active, and user data.

    Parameters
    ----------
    model : Model
        What is simulated.

    Notes
    -----
    What is changed in the model while it runs, and the impulses that rigid contact (``contact="lcp"``) starts from, are no
    part of a row.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._parts = {part: state_width(model, part) for part in STATE}
        self._sensors = sensor_sizes(model)
        self._state = Rows(1 + sum(self._parts.values()))
        self._more: dict[str, Rows] | None = None

    def __len__(self) -> int:
        return self._state.count

    def add(self, data: Data, **more: Any) -> None:
        """Add a row: the state as it is now. Sensors are not taken: until `forward`, they are those of another state.

        Parameters
        ----------
        data : Data
            Of the model.
        **more : array_like
            Other fields of the row, numbers or vectors: ``reward=r``. Each row has the same.

        Raises
        ------
        ValueError
            The data is of a model of another layout; a field is not as in the rows before.
        """
        numbers = {name: np.asarray(value, float).ravel() for name, value in more.items()}
        self._check(data, numbers)
        state = [getattr(data, part) for part in self._parts]
        self._state.add(np.concatenate(([data.time], *map(np.ravel, state))))
        for name, rows in (self._more or {}).items():
            rows.add(numbers[name])

    def step(self, data: Data, **more: Any) -> None:
        """Add a row with the state and step from it; the sensors of the row are those that the step computes.

        This is what `sinew simulate --record` does.

        Parameters
        ----------
        data, **more
            As of `add`.
        """
        from .._functions import step

        sensors = {name: np.full(width, np.nan) for name, width in self._sensors.items()}
        self.add(data, **more, **sensors)
        step(self._model, data)
        at = 0
        for name, width in self._sensors.items():
            assert self._more is not None
            self._more[name].put_last(data.sensordata[at : at + width])
            at += width

    def _check(self, data: Data, more: dict[str, np.ndarray]) -> None:
        model = self._model
        if data.model is not model:
            wrong = [
                part for part in self._parts if state_width(data.model, part) != self._parts[part]
            ]
            if wrong:
                raise ValueError(f"the data is of another model: {wrong[0]} has another length")
        for name in more:
            if name == "time" or name in self._parts:
                raise ValueError(
                    f"{name} is in the row as the data has it; call the field otherwise"
                )
        if self._more is None:
            self._more = {name: Rows(len(values)) for name, values in more.items()}
        have = {name: rows.width for name, rows in self._more.items()}
        given = {name: len(values) for name, values in more.items()}
        if have != given:
            raise ValueError(
                f"row {len(self)} has the fields {_listed(given)} besides; the rows before have {_listed(have)}"
            )

    def recording(self) -> Recording:
        """Return what has been recorded so far, with names and the model; rows that come later are not in it."""
        rows, at = self._state.copy(), 1
        fields: dict[str, np.ndarray] = {}
        for part, width in self._parts.items():
            values = rows[:, at : at + width]
            at += width
            if width and not (part in SELDOM and self._is_usual(part, values)):
                fields[part] = values
        for name, more in (self._more or {}).items():
            fields[name] = more.copy()
        names = {
            part: words for part, words in element_names(self._model).items() if part in fields
        }
        recording = Recording(rows[:, 0], fields, names)
        recording._model = attached.Inside(attached.pack(self._model))
        return recording

    def _is_usual(self, part: str, values: np.ndarray) -> bool:
        """Whether it is always as the model has it."""
        usual: Any = self._model.eq_active0 if part == "eq_active" else 0
        return bool((values == usual).all())

    def save(self, path: str | os.PathLike) -> None:
        """Write what has been recorded so far: `Recording.save`, with the model in an .mcap."""
        self.recording().save(path)


def _listed(fields: dict[str, int]) -> str:
    return ", ".join(f"{name} [{width}]" for name, width in fields.items()) or "none"
