"""Recordings as arrays, whatever file they come from."""

from __future__ import annotations

import math
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import ModelError
from .attached import Inside, model_in
from .layout import STATE, element_names, joint_address, sensor_sizes, state_width

if TYPE_CHECKING:
    from .._types import Model

# Of joints that another program has recorded by name.
JOINTS = ("position", "velocity")


class RecordingWarning(UserWarning):
    """A recording lacks something, and is read all the same: it was not finished, or the model has not all of it."""


class Recording:
    """Rows of time, state, controls and sensors, as `sinew simulate --record` writes them.

    `Recording.from_path(path)` reads .npy, .csv and .mcap; one may also be made of arrays of your own.

    Parameters
    ----------
    time : array_like [n]
        Seconds.
    fields : mapping of str to array_like [n, k], [n] or [n, i, j]
        ``qpos``, ``qvel``, ``act``, ``ctrl``, ``mocap_pos``, ``mocap_quat`` and other parts of the state, ``sensor/NAME``,
        and others of your own. Numbers of several bodies or sensors stand one behind the other.
    names : mapping of str to list of str, optional
        For a field, the name of the joint or actuator of each of its numbers.
    path : str
        The file, for messages.

    Attributes
    ----------
    time : ndarray [n]
    fields : dict of str to ndarray [n, k]
    names : dict of str to list of str
    path : str
    unfinished : str
        Why the file ends early; empty when it is whole.
    """

    def __init__(
        self,
        time: Any,
        fields: dict[str, Any],
        names: dict[str, list[str]] | None = None,
        *,
        path: str = "",
    ) -> None:
        self.time = np.asarray(time, float)
        if self.time.ndim != 1:
            raise ValueError(f"time has {self.time.ndim} dimensions; one is wanted")
        self.fields = {name: _matrix(name, values, self.time) for name, values in fields.items()}
        self.names = {name: list(words) for name, words in (names or {}).items()}
        self.path = path
        self.unfinished = ""
        self._model: Inside | None = None  # what the file has of it
        for name, words in self.names.items():
            if len(words) != self.width(name):
                raise ValueError(f"{len(words)} names for the {self.width(name)} numbers of {name}")

    @classmethod
    def from_path(cls, path: str | os.PathLike, *, topic: str | None = None) -> Recording:
        """Read a recording; its contents tell of which kind it is.

        Parameters
        ----------
        path : str or path-like
            The file: .npy, .csv or .mcap, or the .part of one that a killed process has left.
        topic : str, optional
            In an .mcap of another program, where the states of joints are; needed when it has several such topics.

        Warns
        -----
        RecordingWarning
            The file ends early; all rows that are whole are there.

        Raises
        ------
        OSError
            The file cannot be read.
        ValueError
            It is no recording; the message says what is wrong.
        ImportError
            It is an .mcap and the package mcap is missing.
        """
        from . import file

        recording = file.read(cls, os.fspath(path), topic)
        if recording.unfinished:
            end = f", up to {recording.time[-1]:.9g} s" if len(recording) else ""
            rows = "1 row" if len(recording) == 1 else f"{len(recording)} rows"
            text = f"{recording.path}: not finished: {recording.unfinished}; {rows}{end}"
            warnings.warn(RecordingWarning(text), stacklevel=2)
        return recording

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {self.width(name)}" for name in self.fields)
        return f"<sinew.Recording {self.path!r}: {len(self)} rows of {parts or 'time alone'}>"

    def width(self, field: str) -> int:
        """How many numbers of a field there are in a row; 0 if it was not recorded."""
        return self.fields[field].shape[1] if field in self.fields else 0

    def field(self, name: str) -> np.ndarray:
        """[n, k], where k is 0 for what was not recorded."""
        return self.fields.get(name, np.empty((len(self), 0)))

    @property
    def qpos(self) -> np.ndarray:
        """[n, nq]"""
        return self.field("qpos")

    @property
    def qvel(self) -> np.ndarray:
        """[n, nv]"""
        return self.field("qvel")

    @property
    def act(self) -> np.ndarray:
        """[n, na]"""
        return self.field("act")

    @property
    def ctrl(self) -> np.ndarray:
        """[n, nu]: the controls that lead from a row to the next."""
        return self.field("ctrl")

    @property
    def mocap_pos(self) -> np.ndarray:
        """[n, 3 nmocap]"""
        return self.field("mocap_pos")

    @property
    def mocap_quat(self) -> np.ndarray:
        """[n, 4 nmocap]"""
        return self.field("mocap_quat")

    @property
    def sensors(self) -> dict[str, np.ndarray]:
        """[n, dim] by name; a sensor without a name is ``[3]``, by its id."""
        return {
            name.removeprefix("sensor/"): values
            for name, values in self.fields.items()
            if name.startswith("sensor/")
        }

    def model(self) -> Model | None:
        """The model that the file (.mcap) holds; None when it holds none.

        Raises
        ------
        ModelError
            It cannot be loaded: damaged, or of another version of Sinew.
        """
        return model_in(self)

    def _check_physics(self, model: Model) -> None:
        """Refuse a model that means another physics than the one inside."""
        try:
            held = self.model()
        except ModelError:  # the one given takes its place
            return
        if held is not None and held.physics != model.physics:
            raise ValueError(
                f"{self.path or 'the recording'}: its model means physics {held.physics}, and this one"
                f" {model.physics}; load it with physics {held.physics}"
            )

    def fit(self, model: Model) -> Recording:
        """The recording as rows of the states of this model, with the names of its joints and actuators.

        States of joints that another program has recorded by name become ``qpos`` and ``qvel``; what it has not is as
        in ``qpos0``.

        Parameters
        ----------
        model : Model
            What was simulated.

        Returns
        -------
        Recording
            With the same arrays where they fit as they are.

        Warns
        -----
        RecordingWarning
            The model has not all of the joints that were recorded by name, or not all sensors.

        Raises
        ------
        ValueError
            It does not fit; the message lists all that does not.
        """
        self._check_physics(model)
        fitted = (
            self._by_joints(model) if self.width("position") and not self.width("qpos") else self
        )
        problems = fitted._problems(model)
        if problems:
            raise ValueError(
                f"{self.path or 'the recording'} does not fit the model: {'; '.join(problems)}"
            )
        known = sensor_sizes(model)
        strange = [n for n in fitted.fields if n.startswith("sensor/") and n not in known]
        if strange:
            which = _list([name.removeprefix("sensor/") for name in strange])
            text = f"{self.path or 'the recording'}: the model has no sensor {which}: is it another model?"
            warnings.warn(RecordingWarning(text), stacklevel=2)
        names = {**fitted.names, **element_names(model)}
        names = {name: words for name, words in names.items() if fitted.width(name)}
        return fitted._with(fitted.fields, names)

    def _with(self, fields: dict[str, np.ndarray], names: dict[str, list[str]]) -> Recording:
        other = Recording(self.time, fields, names, path=self.path)
        other.unfinished, other._model = self.unfinished, self._model
        return other

    def _problems(self, model: Model) -> list[str]:
        """What does not fit. The positions must be there; other parts may be left out."""
        found, told = [], set()
        names = element_names(model)
        for field, (each, size) in STATE.items():
            have, wants = self.width(field), state_width(model, field)
            if have != wants and (have or field == "qpos"):
                if size in told:
                    continue
                told.add(size)
                words = size if each == 1 else f"{each} {size}"
                found.append(f"{field} has {have} numbers, the model {wants} ({words})")
            elif have and field in self.names and self.names[field] != names[field]:
                pairs = zip(self.names[field], names[field])
                i = next(i for i, (ours, theirs) in enumerate(pairs) if ours != theirs)
                ours, theirs = self.names[field][i], names[field][i]
                found.append(f"{field}[{i}] is of {ours!r}, in the model of {theirs!r}")
        for name, size in sensor_sizes(model).items():
            have = self.width(name)
            if have and have != size:
                found.append(f"{name} has {have} numbers, the model's {size}")
        return found

    def _by_joints(self, model: Model) -> Recording:
        """With qpos and qvel from fields of joints by name."""
        fields = dict(self.fields)
        fields["qpos"] = np.tile(np.asarray(model.qpos0), (len(self), 1))
        fields["qvel"] = np.zeros((len(self), int(model.nv)))
        unknown, problems = [], []
        for i, name in enumerate(self.names["position"]):
            address = joint_address(model, name)
            if address is None:
                unknown.append(name)
            elif address == "wide":
                problems.append(
                    f"joint {name!r} has one number, the model's is a free or a ball joint"
                )
            else:
                _place(fields, address, i)
        if len(unknown) == len(self.names["position"]):
            problems.append(f"it has no joint of the recording's, {_list(unknown)}")
        if problems:
            raise ValueError(
                f"{self.path or 'the recording'} does not fit the model: {'; '.join(problems)}"
            )
        if unknown:
            text = f"{self.path or 'the recording'}: the model has no joint {_list(unknown)}"
            warnings.warn(RecordingWarning(text), stacklevel=3)
        return self._with(fields, self.names)

    def save(self, path: str | os.PathLike, model: Model | None = None) -> None:
        """Write the recording as .npy, or as .mcap for Foxglove.

        The file appears under its name when it is whole.

        Parameters
        ----------
        path : str or path-like
            Ends with .npy or .mcap.
        model : Model, optional
            For an .mcap: goes into the file, with the poses of its bodies. Else what the recording holds.

        Raises
        ------
        OSError
            The file cannot be written.
        ValueError
            Another ending; or the recording does not fit the model.
        ImportError
            The package mcap is missing.
        """
        from . import file

        file.save(self, os.fspath(path), model)


def _matrix(name: str, values: Any, time: np.ndarray) -> np.ndarray:
    values = np.asarray(values, float)
    if values.ndim == 0 or len(values) != len(time):
        raise ValueError(
            f"{name} has shape {values.shape}; ({len(time)}, k) is wanted, as time has {len(time)}"
        )
    return values if values.ndim == 2 else values.reshape(len(time), math.prod(values.shape[1:]))


def _place(fields: dict[str, np.ndarray], address: tuple[int, int], i: int) -> None:
    """Positions and velocities of the joint that is number i of the recording, where they are known."""
    for field, at, into in zip(JOINTS, address, ("qpos", "qvel")):
        if field in fields:
            values = fields[field][:, i]
            known = ~np.isnan(values)
            fields[into][known, at] = values[known]


def _list(names: list[str]) -> str:
    few = ", ".join(repr(name) for name in names[:5])
    return few + (f" and {len(names) - 5} more" if len(names) > 5 else "")
