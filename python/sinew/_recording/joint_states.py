"""States of joints by name, as other programs record them: messages to rows."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .recording import Recording

WANTED = "sensor_msgs/JointState or foxglove.JointStates in JSON, sensor_msgs/msg/JointState in CDR"

# Names, positions, velocities (empty: none).
State = tuple[list[str], list[float], list[float]]


def _from_arrays(message: bytes) -> State:
    """{"name": [...], "position": [...], "velocity": [...]}"""
    state = json.loads(message)
    return state["name"], state["position"], state.get("velocity") or []


def _from_objects(message: bytes) -> State:
    """{"joints": [{"name": ..., "position": ..., "velocity": ...}, ...]}"""
    joints = json.loads(message)["joints"]
    nan = float("nan")

    def numbers(name: str) -> list[float]:
        found = [joint.get(name) for joint in joints]
        return [nan if value is None else value for value in found]

    return [joint["name"] for joint in joints], numbers("position"), numbers("velocity")


class _Cdr:
    """A message in CDR: numbers at multiples of their size, counted from behind its header of four bytes."""

    def __init__(self, message: bytes) -> None:
        if len(message) < 4 or message[0] != 0 or message[1] not in (0, 1):
            raise ValueError("not the plain CDR that is read here")
        self.order = "<" if message[1] == 1 else ">"
        self.body, self.at = message[4:], 0

    def take(self, kind: str, count: int = 1) -> tuple[Any, ...]:
        """So many numbers of a kind of `struct`."""
        size = struct.calcsize(kind)
        if count:
            self.at += -self.at % size
        if count * size > len(self.body) - self.at:
            raise ValueError("the message ends early")
        values = struct.unpack_from(f"{self.order}{count}{kind}", self.body, self.at)
        self.at += count * size
        return values

    def text(self) -> str:
        """A text, whose length counts the zero at its end."""
        (length,) = self.take("I")
        if length > len(self.body) - self.at:
            raise ValueError("the message ends early")
        self.at += length
        return self.body[self.at - length : self.at].rstrip(b"\0").decode()


def _from_cdr(message: bytes) -> State:
    """Of ROS 2: header (stamp, frame), names, positions, velocities, efforts."""
    cdr = _Cdr(message)
    cdr.take("I", 2)
    cdr.text()
    (count,) = cdr.take("I")
    if count > len(cdr.body):
        raise ValueError("the message ends early")
    names = [cdr.text() for _ in range(count)]
    position, velocity = ([*cdr.take("d", *cdr.take("I"))] for _ in range(2))
    return names, position, velocity


def decoder(schema: str, encoding: str) -> Callable[[bytes], State] | None:
    """What reads messages of this schema; None: they are no states of joints."""
    kind = schema.replace("/", ".").rpartition(".")[2]
    if encoding == "json":
        return {"JointState": _from_arrays, "JointStates": _from_objects}.get(kind)
    return _from_cdr if encoding == "cdr" and kind == "JointState" else None


class JointStates:
    """Rows of one topic: a message holds all joints or some; those it has not stay as they were."""

    def __init__(self, decode: Callable[[bytes], State]) -> None:
        self.decode = decode
        self.count = 0
        self.times: list[int] = []
        self.names: dict[str, int] = {}
        self.known: tuple[list[str], np.ndarray] = ([], np.empty(0, int))
        self.latest = np.empty((2, 0))
        self.rows: list[np.ndarray] = []

    def take(self, message: bytes, log_time: int) -> None:
        """A message's row."""
        names, position, velocity = self.decode(message)
        if len(position) != len(names) or len(velocity) not in (0, len(names)):
            raise ValueError(
                f"{len(names)} names, {len(position)} positions, {len(velocity)} velocities"
            )
        columns = self._columns(names)
        latest = self.latest.copy()
        latest[0, columns] = np.array(position, float)
        if velocity:
            latest[1, columns] = np.array(velocity, float)
        self.latest = latest
        self.rows.append(latest)
        self.times.append(log_time)
        self.count += 1

    def _columns(self, names: list[str]) -> np.ndarray:
        if names == self.known[0]:
            return self.known[1]
        for name in names:
            if not isinstance(name, str):
                raise ValueError(f"a joint called {name!r}")
            self.names.setdefault(name, len(self.names))
        more = len(self.names) - self.latest.shape[1]
        self.latest = np.concatenate((self.latest, np.full((2, more), np.nan)), 1)
        self.known = (names, np.array([self.names[name] for name in names], int))
        return self.known[1]

    def finish(self, cls: type[Recording], path: str) -> Recording:
        """The recording, in the order of the clock, which starts at 0."""
        order = np.argsort(self.times, kind="stable")
        first = self.times[order[0]]
        time = np.array([(self.times[i] - first) * 1e-9 for i in order])
        width = len(self.names)
        values = np.full((2, len(time), width), np.nan)
        for row, i in enumerate(order):
            values[:, row, : self.rows[i].shape[1]] = self.rows[i]
        names = list(self.names)
        fields, whose = {"position": values[0]}, {"position": names}
        if not np.isnan(values[1]).all():
            fields["velocity"], whose["velocity"] = values[1], names
        return cls(time, fields, whose, path=path)
