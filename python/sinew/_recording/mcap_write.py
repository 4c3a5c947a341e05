"""Recordings as MCAP, for Foxglove: states, poses of bodies, joints by name, the model."""

from __future__ import annotations

import hashlib
import json
import math
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from .. import _core
from . import attached
from .layout import element_names, runs
from .mcap_format import (
    FRAMES,
    FRAMES_SCHEMA,
    FRAMES_TOPIC,
    JOINTS,
    JOINTS_SCHEMA,
    JOINTS_TOPIC,
    METADATA,
    MODEL,
    SOURCE,
    STATE_SCHEMA,
    STATE_TOPIC,
    library,
    state_schema,
)

if TYPE_CHECKING:
    from .._types import Model
    from .recording import Recording

# Poses and joints are for eyes: so many a second of the model's time.
PICTURES_A_SECOND = 100
# What a killed process can lose, and what a reader unpacks at a time.
_CHUNK = 1 << 18
_SOME = 1024


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _text(value: str) -> str:
    """JSON of a text inside of a template."""
    return json.dumps(value).replace("%", "%%")


def _array(count: int) -> str:
    return "[" + ",".join(["%s"] * count) + "]"


def _state_template(fields: dict[str, int]) -> str:
    """A row, with %s for each number."""
    if "sensors" in fields:
        raise ValueError(
            "an .mcap has all sensors under the name sensors: no field can be called that"
        )
    own = [f"{_text(n)}:{_array(k)}" for n, k in fields.items() if not n.startswith("sensor/")]
    sensors = [
        f"{_text(n.removeprefix('sensor/'))}:{_array(k)}"
        for n, k in fields.items()
        if n.startswith("sensor/")
    ]
    parts = ['"time":%s', *own, *(['"sensors":{' + ",".join(sensors) + "}"] if sensors else [])]
    return "{" + ",".join(parts) + "}"


def _number(value: float) -> str:
    """A number that reads back to the same bits; JSON has no word for infinity, so that is a text."""
    if math.isfinite(value):
        return repr(value)
    return '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'


class _Frames:
    """Poses of all bodies, in the world."""

    def __init__(self, model: Model, keyframe: int) -> None:
        from .. import Data, resetDataKeyframe

        self.model, self.data = model, Data(model)
        if keyframe >= 0:  # bodies that are placed, not simulated
            resetDataKeyframe(model, self.data, keyframe)
        names = [model.body(i).name or f"[{i}]" for i in range(int(model.nbody))]
        pose = '"translation":{"x":%s,"y":%s,"z":%s},"rotation":{"w":%s,"x":%s,"y":%s,"z":%s}}'
        bodies = [
            f'{{"timestamp":%s,"parent_frame_id":{_text(names[0])},"child_frame_id":{_text(name)},{pose}'
            for name in names[1:]
        ]
        self.template = '{"transforms":[' + ",".join(bodies) + "]}"

    def message(self, stamp: str, qpos: np.ndarray) -> bytes | None:
        """None where the state has no poses."""
        from .. import kinematics

        self.data.qpos[:] = qpos
        kinematics(self.model, self.data)
        poses = np.concatenate((self.data.xpos, self.data.xquat), 1)[1:]
        if not np.isfinite(poses).all():
            return None
        values: list[Any] = []
        for pose in poses.tolist():
            values += (stamp, *pose)
        return (self.template % tuple(values)).encode()


class _Joints:
    """Hinges and slides by name."""

    def __init__(self, model: Model) -> None:
        names = element_names(model)
        position = {n: first for n, first, k in runs(names["qpos"]) if k == 1}
        velocity = {n: first for n, first, k in runs(names["qvel"]) if k == 1}
        self.positions = list(position.values())
        self.velocities = [velocity[name] for name in position]
        joints = [f'{{"name":{_text(name)},"position":%s,"velocity":%s}}' for name in position]
        self.template = '{"timestamp":%s,"joints":[' + ",".join(joints) + "]}"

    def message(self, stamp: str, qpos: np.ndarray, qvel: np.ndarray) -> bytes | None:
        numbers = np.stack((qpos[self.positions], qvel[self.velocities]), 1)
        if not np.isfinite(numbers).all():
            return None
        return (self.template % (stamp, *numbers.ravel().tolist())).encode()


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
    keyframe : int
        Where bodies that are placed, not simulated, are from; -1: the model.
    """

    def __init__(
        self,
        stream: IO[bytes],
        fields: dict[str, int],
        names: dict[str, list[str]],
        model: Model | None = None,
        source: str = "",
        keyframe: int = -1,
    ) -> None:
        self._mcap = library().Writer(stream, chunk_size=_CHUNK)
        self._mcap.start(profile="", library=f"sinew {_core.__version__}")
        self._template = _state_template(fields)
        self._qpos, self._qvel = _place(fields, "qpos"), _place(fields, "qvel")
        self._frames = self._joints = None
        self._rows, self._start, self._shown = 0, 0.0, -math.inf
        about = {"version": _core.__version__, "names": json.dumps(names)}
        if model is not None:
            about |= self._attach(model, source)
            self._frames = _Frames(model, keyframe) if model.nbody > 1 and self._qpos else None
            self._joints = _Joints(model) if self._qpos and self._qvel else None
        self._mcap.add_metadata(METADATA, about)
        self._state = self._channel(STATE_TOPIC, STATE_SCHEMA, state_schema(fields))
        if self._frames:
            self._poses = self._channel(FRAMES_TOPIC, FRAMES_SCHEMA, FRAMES)
        if self._joints and self._joints.positions:
            self._named = self._channel(JOINTS_TOPIC, JOINTS_SCHEMA, JOINTS)
        else:
            self._joints = None

    def _attach(self, model: Model, source: str) -> dict[str, str]:
        """The model itself, and what tells it from others."""
        packed = attached.pack(model)
        self._mcap.add_attachment(0, 0, MODEL, "application/x-sinew-model", packed)
        if source:
            self._mcap.add_attachment(0, 0, SOURCE, "application/xml", source.encode())
        name = bytes(model.names).split(b"\0", 1)[0].decode(errors="replace")
        return {
            "model": name,
            "model_sha256": hashlib.sha256(packed).hexdigest(),
            "timestep": repr(float(model.opt.timestep)),
        }

    def _channel(self, topic: str, schema: str, body: dict[str, Any]) -> int:
        number = self._mcap.register_schema(schema, "jsonschema", _json(body))
        return self._mcap.register_channel(topic, "json", number)

    def write(self, rows: np.ndarray) -> None:
        """Add rows [n, 1 + all widths], times first."""
        finite = np.isfinite(rows).all(1).tolist()
        for row, values, good in zip(rows, rows.tolist(), finite):
            self._row(row, values, good)

    def _row(self, row: np.ndarray, values: list[float], finite: bool) -> None:
        time = values[0]
        if not self._rows:
            self._start = min(time, 0.0) if math.isfinite(time) else 0.0
        clock = self._clock(time)
        self._add(
            self._state,
            clock,
            (self._template % tuple(map(repr if finite else _number, values))).encode(),
        )
        self._rows += 1
        if abs(time - self._shown) < (1 - 1e-9) / PICTURES_A_SECOND:
            return
        self._shown = time
        stamp = f'{{"sec":{clock // 10**9},"nsec":{clock % 10**9}}}'
        if self._frames:
            message = self._frames.message(stamp, row[slice(*self._qpos)])
            self._add(self._poses, clock, message)
        if self._joints:
            message = self._joints.message(stamp, row[slice(*self._qpos)], row[slice(*self._qvel)])
            self._add(self._named, clock, message)

    def _clock(self, time: float) -> int:
        """Nanoseconds of the file's clock, which knows none before 0."""
        if not math.isfinite(time) or time - self._start > 1e10:
            raise ValueError(f"row {self._rows}: the time {time} s is beyond the clock of an .mcap")
        return max(round((time - self._start) * 1e9), 0)

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
        model, source = recording.model(), recording._model[1]
    fields = {name: recording.width(name) for name in recording.fields if recording.width(name)}
    writer = Writer(stream, fields, recording.names, model, source)
    for first in range(0, len(recording), _SOME):
        some = slice(first, first + _SOME)
        parts = [recording.time[some, None], *(recording.fields[name][some] for name in fields)]
        writer.write(np.concatenate(parts, 1))
    writer.finish()
