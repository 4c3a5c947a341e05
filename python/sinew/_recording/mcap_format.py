"""What Sinew writes into an MCAP: topics, schemas, layouts of messages; docs/recordings.md describes them."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import numpy as np

from .._extra import extra
from .protobuf import (
    Field,
    Layout,
    Template,
    block,
    described,
    file_set,
    identifiers,
    number_of,
    text,
    whole,
)

STATE_TOPIC, STATE_SCHEMA = "/state", "sinew.State"
JOINTS_TOPIC, JOINTS_SCHEMA = "/joint_states", "foxglove.JointStates"
FRAMES_TOPIC, FRAMES_SCHEMA = "/tf", "foxglove.FrameTransforms"
METADATA = "sinew"
MODEL, PACKED_MODEL, SOURCE = "model.snb", "model.snb.zst", "model.xml"
# Of the layout of states: 1 is JSON, 2 is Protocol Buffers.
FORMAT = 2
ENCODING = "protobuf"
# Most numbers in a row: what a layout takes is some hundred bytes for each.
MOST_NUMBERS = 1 << 20

_TIMESTAMP = "google.protobuf.Timestamp"
_TIMESTAMP_FILE = (
    "google/protobuf/timestamp.proto",
    "google.protobuf",
    [],
    [described("Timestamp", (Field("seconds", 1, "int64"), Field("nanos", 2, "int32")))],
)


def _doubles(names: str) -> list[Field]:
    return [Field(name, number, "double") for number, name in enumerate(names, 1)]


FRAMES = file_set(
    (
        _TIMESTAMP_FILE,
        (
            "foxglove/FrameTransforms.proto",
            "foxglove",
            [_TIMESTAMP_FILE[0]],
            [
                described("Vector3", _doubles("xyz")),
                described("Quaternion", _doubles("xyzw")),
                described(
                    "FrameTransform",
                    (
                        Field("timestamp", 1, _TIMESTAMP),
                        Field("parent_frame_id", 2, "string"),
                        Field("child_frame_id", 3, "string"),
                        Field("translation", 4, "foxglove.Vector3"),
                        Field("rotation", 5, "foxglove.Quaternion"),
                    ),
                ),
                described(
                    "FrameTransforms",
                    [Field("transforms", 1, "foxglove.FrameTransform", repeated=True)],
                ),
            ],
        ),
    )
)
JOINTS = file_set(
    (
        _TIMESTAMP_FILE,
        (
            "foxglove/JointStates.proto",
            "foxglove",
            [_TIMESTAMP_FILE[0]],
            [
                described(
                    "JointState",
                    (
                        Field("name", 1, "string"),
                        Field("position", 2, "double"),
                        Field("velocity", 3, "double"),
                    ),
                ),
                described(
                    "JointStates",
                    (
                        Field("timestamp", 1, _TIMESTAMP),
                        Field("joints", 2, "foxglove.JointState", repeated=True),
                    ),
                ),
            ],
        ),
    )
)


def timestamp(clock: int) -> bytes:
    """The message of a time, in nanoseconds, as the field that is number 1."""
    return block(1, whole(1, clock // 10**9) + whole(2, clock % 10**9))


def frames(parent: str, children: list[str], stamp: bytes) -> Template:
    """Poses of bodies at a time: of each the place and the orientation, x, y, z, w."""
    all_of_them = Layout()
    for child in children:
        one = Layout().stamp(stamp).constant(text(2, parent) + text(3, child))
        one.message(4, Layout().double(1).double(2).double(3))
        one.message(5, Layout().double(1).double(2).double(3).double(4))
        all_of_them.message(1, one)
    return all_of_them.template()


def joints(names: list[str], stamp: bytes) -> Template:
    """States of joints at a time: of each the position and the velocity."""
    all_of_them = Layout().stamp(stamp)
    for name in names:
        all_of_them.message(2, Layout().constant(text(1, name)).double(2).double(3))
    return all_of_them.template()


class StateForm:
    """How a row is a message: its fields and their widths, in order.

    Parameters
    ----------
    fields : dict of str to int
        Without the time, which a row begins with. Those of sensors are in a message of their own.

    Attributes
    ----------
    template : Template
    schema : bytes
    columns : ndarray or None
        Which number of a row stands at each place of a message; None: they are in the same order.
    """

    def __init__(self, fields: dict[str, int]) -> None:
        for name in ("time", "sensors"):
            if name in fields:
                raise ValueError(
                    f"an .mcap has something else under the name {name}: no field can be called that"
                )
        total = 1 + sum(fields.values())
        if total > MOST_NUMBERS:
            raise ValueError(f"a row of {total} numbers; an .mcap has at most {MOST_NUMBERS}")
        self.fields = fields
        own = [name for name in fields if not name.startswith("sensor/")]
        sensors = [name for name in fields if name.startswith("sensor/")]
        layout = Layout().double(1)
        for number, name in enumerate(own, 2):
            layout.doubles(number_of(number), fields[name])
        if sensors:
            inner = Layout()
            for number, name in enumerate(sensors, 1):
                inner.doubles(number_of(number), fields[name])
            layout.message(number_of(len(own) + 2), inner)
        self.template = layout.template()
        self.schema = self._schema(own, sensors)
        self.columns = self._columns(own + sensors)

    def _columns(self, order: list[str]) -> np.ndarray | None:
        if order == list(self.fields):
            return None
        first, at = {}, 1
        for name, width in self.fields.items():
            first[name], at = at, at + width
        parts = [np.arange(first[name], first[name] + self.fields[name]) for name in order]
        return np.concatenate(([0], *parts))

    def _schema(self, own: list[str], sensors: list[str]) -> bytes:
        """The description of the messages."""

        def listed(names: list[str], first: int) -> list[Field]:
            return [
                Field(word, number_of(number), "double", repeated=True)
                for number, word in enumerate(names, first)
            ]

        # the words that are there already are taken
        words = identifiers(["time", "sensors", *own])[2:]
        fields = [Field("time", 1, "double"), *listed(words, 2)]
        messages = []
        if sensors:
            names = identifiers(name.removeprefix("sensor/") for name in sensors)
            messages.append(described("Sensors", listed(names, 1)))
            fields.append(Field("sensors", number_of(len(own) + 2), "sinew.Sensors"))
        messages.append(described("State", fields))
        return file_set([("sinew/State.proto", "sinew", [], messages)])

    def messages(self, rows: np.ndarray) -> list[bytes]:
        """A message for each row [n, 1 + all widths]."""
        return self.template.messages(rows if self.columns is None else rows[:, self.columns])

    def rows(self, messages: list[bytes]) -> tuple[np.ndarray, str]:
        """Rows of the messages before the first one that is wrong, and what is wrong with it."""
        found, fault = self.template.rows(messages)
        if self.columns is not None:
            ordered = np.empty_like(found)
            ordered[:, self.columns] = found
            found = ordered
        return found, fault

    def about(self) -> dict[str, str]:
        """What stands at the channel: fields by their own names, which need be no words."""
        return {"fields": json.dumps(list(self.fields.items()), separators=(",", ":"))}

    @classmethod
    def of(cls, about: dict[str, str]) -> StateForm:
        """The form that `about` tells. Anything else raises one of many exceptions."""
        fields: dict[str, int] = {}
        for name, width in json.loads(about["fields"]):
            if type(name) is not str or type(width) is not int or not 0 < width <= MOST_NUMBERS:
                raise ValueError(f"{str(name)[:50]} of {str(width)[:50]} numbers")
            fields[name] = width
        return cls(fields)


# ---- format 1, which older versions wrote: states in JSON


def json_fields(schema: bytes) -> dict[str, int]:
    """The fields and widths of a schema of format 1. Anything else raises one of many exceptions."""
    properties: dict[str, Any] = json.loads(schema)["properties"]
    fields = {}
    for name, entry in properties.items():
        if name == "time":
            continue
        inner = (
            {f"sensor/{n}": e for n, e in entry["properties"].items()}
            if name == "sensors"
            else {name: entry}
        )
        for field, array in inner.items():
            width = array["minItems"]
            if type(width) is not int or not 0 <= width <= 1 << 24:
                raise ValueError(f"{field} of {width} numbers")
            fields[field] = width
    return fields


def library() -> ModuleType:
    """The package mcap."""
    return extra("mcap.writer", "recordings as .mcap")
