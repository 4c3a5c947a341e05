"""What Sinew writes into an MCAP: topics, schemas, names; docs/recordings.md describes them."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from .._extra import extra

STATE_TOPIC, STATE_SCHEMA = "/state", "sinew.State"
JOINTS_TOPIC, JOINTS_SCHEMA = "/joint_states", "foxglove.JointStates"
FRAMES_TOPIC, FRAMES_SCHEMA = "/tf", "foxglove.FrameTransforms"
METADATA = "sinew"
MODEL, SOURCE = "model.snb", "model.xml"

_NUMBER = {"type": "number"}
_TIME = {
    "type": "object",
    "title": "time",
    "properties": {
        "sec": {"type": "integer", "minimum": 0},
        "nsec": {"type": "integer", "minimum": 0},
    },
}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _array(items: dict[str, Any], count: int | None = None) -> dict[str, Any]:
    limits = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": items, **limits}


FRAMES = _object(
    transforms=_array(
        _object(
            timestamp=_TIME,
            parent_frame_id={"type": "string"},
            child_frame_id={"type": "string"},
            translation=_object(x=_NUMBER, y=_NUMBER, z=_NUMBER),
            rotation=_object(x=_NUMBER, y=_NUMBER, z=_NUMBER, w=_NUMBER),
        )
    )
)
JOINTS = _object(
    timestamp=_TIME,
    joints=_array(_object(name={"type": "string"}, position=_NUMBER, velocity=_NUMBER)),
)


def state_schema(fields: dict[str, int]) -> dict[str, Any]:
    """The schema of rows with these fields and widths; their order is that of the properties."""
    sensors = {n.removeprefix("sensor/"): k for n, k in fields.items() if n.startswith("sensor/")}
    own = {n: _array(_NUMBER, k) for n, k in fields.items() if not n.startswith("sensor/")}
    parts = {"sensors": _object(**{n: _array(_NUMBER, k) for n, k in sensors.items()})}
    return _object(time=_NUMBER, **own, **(parts if sensors else {}))


def state_fields(schema: bytes) -> dict[str, int]:
    """The fields and widths of `state_schema`. Anything else raises one of many exceptions."""
    properties = json.loads(schema)["properties"]
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
