"""A model as words for pages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from .._enums import DynType, EqType, GainType, JointType, ObjType  # type: ignore[attr-defined]
from .options import options_of
from .signals import known

_UNLIMITED = -1.0, 1.0
_VECTOR = 3  # controls of a rotation vector
_SENSORS = next(rows for name, _, rows in _core.tables()["enums"] if name == "snSensorType")


def _controls(model: Any) -> list[list[int]]:
    """Return for each control its actuator, and which of its controls it is; -1: it is the only one."""
    counts = model.actuator_ctrlnum.tolist()
    return [[i, k if count > 1 else -1] for i, count in enumerate(counts) for k in range(count)]


def _spans(model: Any) -> list[list[float]]:
    """Return from where to where the slider of each control goes: its range, or where it has none -1 to 1.

    A rotation vector that an orientation servo follows goes to half a turn.
    """
    spans = [list(_UNLIMITED) for _ in range(model.nu)]
    rows = (model.actuator_gaintype, model.actuator_dyntype, model.actuator_ctrladr, model.actuator_ctrlnum)  # fmt: skip
    for gain, dynamics, first, count in zip(*(row.tolist() for row in rows), strict=True):
        if gain == GainType.SO3 and dynamics == DynType.NONE and count == _VECTOR:
            spans[first : first + count] = [[-math.pi, math.pi] for _ in range(count)]
    for k in np.flatnonzero(model.actuator_ctrllimited):
        spans[k] = model.actuator_ctrlrange[k].tolist()
    return spans


def describe(model: Any) -> dict[str, Any]:
    """Return a model as words for pages: names, ranges, what may be switched."""

    def names(kind: Any, count: int) -> list[str | None]:
        return [_core.id2name(model, kind, i) for i in range(count)]

    tables = _core.tables()
    return {
        "name": bytes(model.names).split(b"\0")[0].decode(errors="replace"),
        "cameras": names(ObjType.CAMERA, model.ncam),
        "resolutions": model.cam_resolution.tolist(),
        "keys": names(ObjType.KEY, model.nkey),
        "controls": _controls(model),
        "actuators": names(ObjType.ACTUATOR, model.nactuator),
        "ctrlspan": _spans(model),
        "actadr": model.actuator_actadr.tolist(),
        "actnum": model.actuator_actnum.tolist(),
        "joints": _joints(model),
        "equalities": [
            name or _equality(model, i) for i, name in enumerate(names(ObjType.EQUALITY, model.neq))
        ],
        "options": options_of(model),
        "narena": int(model.narena),
        "signals": known(model),
        "sensor_types": {value: keyword for _, value, keyword, _ in _SENSORS},
        "switches": {name: list(map(list, rows)) for name, rows in tables["switches"].items()},
        "fog": model.vis.rgba.fog.tolist(),
        "fogstart": float(model.vis.map.fogstart * model.stat.extent),
        "fogend": float(model.vis.map.fogend * model.stat.extent),
        "haze": model.vis.rgba.haze.tolist(),
        "shadowsize": int(model.vis.quality.shadowsize),
        "linewidth": float(model.vis.global_.linewidth),
        "hazewidth": float(model.vis.map.haze),
    }


def _joints(model: Any) -> list[list[Any]]:
    """Return number, address in qpos and range of the slider of each joint that has one: hinges and slides.

    Without limits sliders are as long as in MuJoCo's `simulate`.
    """
    reach = {int(JointType.HINGE): math.pi, int(JointType.SLIDE): float(model.stat.extent)}
    types, limited = model.jnt_type.tolist(), model.jnt_limited.tolist()
    at, limits = model.jnt_qposadr.tolist(), model.jnt_range.tolist()
    return [
        [i, at[i], *(limits[i] if limited[i] else (-reach[types[i]], reach[types[i]]))]
        for i in range(model.njnt)
        if types[i] in reach
    ]


def _equality(model: Any, index: int) -> str:
    """Return a name for a constraint that has none."""
    return f"{EqType(model.eq_type[index]).name.lower()} {index}"
