"""Recordings as MCAP, for Foxglove: states, poses of bodies, joints by name, the model."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

import numpy as np

from .. import _core
from . import attached
from .layout import element_names, runs
from .mcap_format import (
    ENCODING,
    FORMAT,
    FRAMES,
    FRAMES_SCHEMA,
    FRAMES_TOPIC,
    JOINTS,
    JOINTS_SCHEMA,
    JOINTS_TOPIC,
    METADATA,
    MODEL,
    PACKED_MODEL,
    SOURCE,
    STATE_SCHEMA,
    STATE_TOPIC,
    StateForm,
    frames,
    joints,
    library,
    timestamp,
)
from .protobuf import Template

if TYPE_CHECKING:
    from .._types import Model
    from .recording import Recording

# Poses and joints are for eyes: so many a second of the model's time.
PICTURES_A_SECOND = 100
# What a killed process can lose, and what a reader unpacks at a time.
_CHUNK = 1 << 18
_SOME = 1024


class _Stamped:
    """Messages that begin with the time: where the bytes of a time are as many, the layout is the same but for them."""

    def __init__(self, make: Callable[[bytes], Template]) -> None:
        self._make = make
        self._known: dict[int, Template] = {}

    def messages(self, clocks: list[int], rows: np.ndarray) -> list[bytes | None]:
        """A message for each row [n, k]; None where it has numbers that are not finite."""
        stamps = [timestamp(clock) for clock in clocks]
        alike: dict[int, list[int]] = {}
        for i in np.flatnonzero(np.isfinite(rows).all(1)).tolist():
            alike.setdefault(len(stamps[i]), []).append(i)
        made: list[bytes | None] = [None] * len(rows)
        for length, those in alike.items():
            if length not in self._known:
                self._known[length] = self._make(stamps[those[0]])
            template = self._known[length]
            for i, message in zip(
                those, template.messages(rows[those], [stamps[i] for i in those])
            ):
                made[i] = message
        return made


class _Frames:
    """Poses of all bodies, in the world."""

    def __init__(self, model: Model, fields: dict[str, int]) -> None:
        from .._functions import kinematics  # type: ignore[attr-defined]
        from .._types import Data

        self._model, self._data, self._kinematics = model, Data(model), kinematics
        self._parts = [
            (getattr(self._data, part), slice(*place))
            for part in ("qpos", "mocap_pos", "mocap_quat")
            if (place := _place(fields, part))
        ]
        parent, *children = (model.body(i).name or f"[{i}]" for i in range(int(model.nbody)))
        self._count = len(children)
        self._stamped = _Stamped(lambda stamp: frames(parent, children, stamp))

    def messages(self, clocks: list[int], rows: np.ndarray) -> list[bytes | None]:
        """For each row the poses; None where the state has none."""
        poses = np.empty((len(rows), self._count, 7))
        places, turns = self._data.xpos[1:], self._data.xquat[1:]
        for row, pose in zip(rows, poses):
            for values, place in self._parts:
                values[:] = row[place].reshape(values.shape)
            self._kinematics(self._model, self._data)
            pose[:, :3] = places
            pose[:, 3:6] = turns[:, 1:]
            pose[:, 6] = turns[:, 0]
        return self._stamped.messages(clocks, poses.reshape(len(rows), 7 * self._count))


class _Joints:
    """Hinges and slides by name."""

    def __init__(self, model: Model, fields: dict[str, int]) -> None:
        names = element_names(model)
        position = {n: first for n, first, k in runs(names["qpos"]) if k == 1}
        velocity = {n: first for n, first, k in runs(names["qvel"]) if k == 1}
        starts = [(_place(fields, part) or (0, 0))[0] for part in ("qpos", "qvel")]
        pairs = [(starts[0] + at, starts[1] + velocity[name]) for name, at in position.items()]
        self.count = len(pairs)
        self._columns = np.array(pairs, int).ravel()
        self._stamped = _Stamped(lambda stamp: joints(list(position), stamp))

    def messages(self, clocks: list[int], rows: np.ndarray) -> list[bytes | None]:
        """For each row the joints."""
        return self._stamped.messages(clocks, rows[:, self._columns])


class Writer:
    """Writes rows as they come.

    Parameters
    ----------
    stream : binary file
        Only written to, from its start.
    fields : dict of str to int
        What is in a row behind the time, and how many numbers each has.
    names : dict of str to list of str
        Whose the numbers are.
    model : Model, optional
        For poses and joints; goes into the file.
    source : str
        Its MJCF.
    """

    def __init__(
        self,
        stream: IO[bytes],
        fields: dict[str, int],
        names: dict[str, list[str]],
        model: Model | None = None,
        source: str = "",
    ) -> None:
        self._mcap = library().Writer(stream, chunk_size=_CHUNK)
        self._mcap.start(profile="", library=f"sinew {_core.__version__}")
        self._form = StateForm(fields)
        self._rows, self._start, self._shown = 0, 0.0, -math.inf
        about = {"version": _core.__version__, "format": str(FORMAT), "names": json.dumps(names)}
        if model is not None:
            about |= self._attach(model, source)
        self._mcap.add_metadata(METADATA, about)
        self._state = self._channel(
            STATE_TOPIC, STATE_SCHEMA, self._form.schema, self._form.about()
        )
        self._eyes = self._for_eyes(model, fields) if model is not None else []

    def _attach(self, model: Model, source: str) -> dict[str, str]:
        """The model itself, and what tells it from others."""
        packed = attached.pack(model)
        small = attached.small(packed)
        if small is None:
            self._mcap.add_attachment(0, 0, MODEL, "application/x-sinew-model", packed)
        else:
            self._mcap.add_attachment(0, 0, PACKED_MODEL, "application/zstd", small)
        if source:
            self._mcap.add_attachment(0, 0, SOURCE, "application/xml", source.encode())
        name = bytes(model.names).split(b"\0", 1)[0].decode(errors="replace")
        return {
            "model": name,
            "model_sha256": hashlib.sha256(packed).hexdigest(),
            "timestep": repr(float(model.opt.timestep)),
        }

    def _for_eyes(
        self, model: Model, fields: dict[str, int]
    ) -> list[tuple[int, _Frames | _Joints]]:
        """Channels of poses and joints, and what makes their messages."""
        found: list[tuple[int, _Frames | _Joints]] = []
        if model.nbody > 1 and "qpos" in fields:
            channel = self._channel(FRAMES_TOPIC, FRAMES_SCHEMA, FRAMES)
            found.append((channel, _Frames(model, fields)))
        if "qpos" in fields and "qvel" in fields:
            made = _Joints(model, fields)
            if made.count:
                found.append((self._channel(JOINTS_TOPIC, JOINTS_SCHEMA, JOINTS), made))
        return found

    def _channel(
        self, topic: str, schema: str, body: bytes, about: dict[str, str] | None = None
    ) -> int:
        number = self._mcap.register_schema(schema, ENCODING, body)
        return self._mcap.register_channel(topic, ENCODING, number, about or {})

    def write(self, rows: np.ndarray) -> None:
        """Add rows [n, 1 + all widths], times first."""
        for first in range(0, len(rows), _SOME):
            self._write(rows[first : first + _SOME])

    def _write(self, rows: np.ndarray) -> None:
        clocks = self._clocks(rows[:, 0])
        states = self._form.messages(rows)
        shown = self._to_show(rows[:, 0].tolist()) if self._eyes else []
        stamps = [clocks[i] for i in shown]
        seen = [iter(eyes.messages(stamps, rows[shown])) for _, eyes in self._eyes]
        shown_rows = set(shown)
        for i, (clock, state) in enumerate(zip(clocks, states)):
            self._add(self._state, clock, state)
            self._rows += 1
            if i in shown_rows:
                for (channel, _), messages in zip(self._eyes, seen):
                    self._add(channel, clock, next(messages))

    def _to_show(self, times: list[float]) -> list[int]:
        """The rows that are shown: the first, and those that are long enough behind the last one."""
        least, found = (1 - 1e-9) / PICTURES_A_SECOND, []
        for i, time in enumerate(times):
            if abs(time - self._shown) >= least:
                self._shown = time
                found.append(i)
        return found

    def _clocks(self, times: np.ndarray) -> list[int]:
        """Nanoseconds of the file's clock, which knows none before 0."""
        if not self._rows and len(times):
            self._start = min(float(times[0]), 0.0) if np.isfinite(times[0]) else 0.0
        good = np.isfinite(times) & (times - self._start <= 1e10)
        if not good.all():
            row = int(good.argmin())
            raise ValueError(
                f"row {self._rows + row}: the time {times[row]} s is beyond the clock of an .mcap"
            )
        return np.maximum(np.rint((times - self._start) * 1e9), 0).astype(np.int64).tolist()

    def _add(self, channel: int, clock: int, message: bytes | None) -> None:
        if message is not None:
            self._mcap.add_message(channel, clock, message, clock, self._rows)

    def finish(self) -> None:
        """Complete the file; the stream stays open."""
        self._mcap.finish()


def _place(fields: dict[str, int], name: str) -> tuple[int, int] | None:
    """First and last number of a field in a row."""
    at = 1
    for field, width in fields.items():
        if field == name:
            return at, at + width
        at += width
    return None


def write(recording: Recording, stream: IO[bytes], model: Model | None) -> None:
    """Write a recording with its model, by default the one that it holds."""
    source = ""
    if model is not None:
        recording = recording.fit(model)
    elif recording._model:
        model, source = recording.model(), recording._model.source
    fields = {name: recording.width(name) for name in recording.fields if recording.width(name)}
    writer = Writer(stream, fields, recording.names, model, source)
    for first in range(0, len(recording), _SOME):
        some = slice(first, first + _SOME)
        parts = [recording.time[some, None], *(recording.fields[name][some] for name in fields)]
        writer.write(np.concatenate(parts, 1))
    writer.finish()
