"""The named objects of a model, packed for pages: their names, and the bodies that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import ObjType, TrnType, WrapType  # type: ignore[attr-defined]

NONE = -1  # belongs to no body
# kinds that pages find by name, the number of each in a model, and where its body stands
_KINDS: dict[str, tuple[Any, str, str]] = {
    "body": (ObjType.BODY, "nbody", ""),
    "joint": (ObjType.JOINT, "njnt", "jnt_bodyid"),
    "geom": (ObjType.GEOM, "ngeom", "geom_bodyid"),
    "site": (ObjType.SITE, "nsite", "site_bodyid"),
    "camera": (ObjType.CAMERA, "ncam", "cam_bodyid"),
    "actuator": (ObjType.ACTUATOR, "nactuator", ""),
    "sensor": (ObjType.SENSOR, "nsensor", ""),
    "tendon": (ObjType.TENDON, "ntendon", ""),
    "equality": (ObjType.EQUALITY, "neq", ""),
    "key": (ObjType.KEY, "nkey", ""),
}
# what an actuator acts on, by its transmission
_ACTS_ON = {
    TrnType.JOINT: ObjType.JOINT,
    TrnType.JOINTINPARENT: ObjType.JOINT,
    TrnType.SLIDERCRANK: ObjType.SITE,
    TrnType.SITE: ObjType.SITE,
    TrnType.BODY: ObjType.BODY,
    TrnType.TENDON: ObjType.TENDON,
}
# where a tendon begins
_BEGINS_AT = {WrapType.SITE: ObjType.SITE, WrapType.JOINT: ObjType.JOINT}
_ROOM = 1 << 20  # bytes that the names of a model should take
_LENGTHS = 200, 100, 50, 25  # letters of a name that are sent: of the longest that fit
_SHORTEST = 12


def objects(model: Any) -> dict[str, NDArray]:
    """Return for each kind the names, `KIND_names` in UTF-8 with a 0 between two, and the bodies, `KIND_body`.

    Beside them stand what signals are named by: `body_parent`, `joint_type`, `sensor_type`, `sensor_dim`,
    `actuator_ctrlnum`, `actuator_outnum`. A name is cut
    where it is very long, or where all of them take much room.
    """
    names = {kind: _names(model, *row[:2]) for kind, row in _KINDS.items()}
    longest = next((n for n in _LENGTHS if _size(names, n) <= _ROOM), _SHORTEST)
    out: dict[str, NDArray] = {}
    for kind, given in names.items():
        text = "\0".join(name[:longest] for name in given)
        out[f"{kind}_names"] = np.frombuffer(text.encode(errors="replace"), np.uint8)
        out[f"{kind}_body"] = bodies_of(model, kind)
    return out | {
        "body_parent": model.body_parentid,
        "joint_type": model.jnt_type,
        "sensor_type": model.sensor_type,
        "actuator_ctrlnum": model.actuator_ctrlnum,
        "actuator_outnum": model.actuator_outnum,
        "sensor_dim": model.sensor_dim,
    }


def _names(model: Any, kind: Any, count: str) -> list[str]:
    return [_core.id2name(model, kind, i) or "" for i in range(getattr(model, count))]


def _size(names: dict[str, list[str]], longest: int) -> int:
    return sum(min(len(name), longest) + 1 for given in names.values() for name in given)


def bodies_of(model: Any, kind: str) -> NDArray[np.int32]:
    """Return the bodies that the objects of a kind belong to; -1: none."""
    _, count, body = _KINDS[kind]
    number = getattr(model, count)
    match kind:
        case "body":
            return np.arange(number, dtype=np.int32)
        case "actuator":
            acts = [
                _acts_on(kind, ids[1])
                for kind, ids in zip(
                    model.actuator_trntype.tolist(), model.actuator_trnid.tolist(), strict=True
                )
            ]
            return _bodies(model, np.array(acts, int), model.actuator_trnid[:, 0])
        case "sensor":
            return _bodies(model, model.sensor_objtype, model.sensor_objid)
        case "equality":
            return _bodies(model, model.eq_objtype, model.eq_obj1id)
        case "tendon":
            begins = [_BEGINS_AT.get(kind, ObjType.UNKNOWN) for kind in model.wrap_type.tolist()]
            first = model.tendon_adr
            return _bodies(model, np.array(begins, int)[first], model.wrap_objid[first])
        case "key":
            return np.full(number, NONE, np.int32)
    return np.asarray(getattr(model, body), np.int32)


def _acts_on(kind: int, second: int) -> int:
    """Return what an actuator acts on (mjtObj), whose transmission has that second object."""
    if kind == TrnType.SO3:
        return ObjType.JOINT if second < 0 else ObjType.SITE
    return _ACTS_ON.get(kind, ObjType.UNKNOWN)


def _bodies(model: Any, types: NDArray, numbers: NDArray) -> NDArray[np.int32]:
    """Return the bodies of objects of many types (mjtObj)."""
    tables = {
        ObjType.BODY: np.arange(model.nbody),
        ObjType.XBODY: np.arange(model.nbody),
        ObjType.JOINT: model.jnt_bodyid,
        ObjType.GEOM: model.geom_bodyid,
        ObjType.SITE: model.site_bodyid,
        ObjType.CAMERA: model.cam_bodyid,
    }
    for kind, name in ((ObjType.ACTUATOR, "actuator"), (ObjType.TENDON, "tendon")):
        if np.any(types == kind):
            tables[kind] = bodies_of(model, name)
    out = np.full(len(types), NONE, np.int32)
    for kind, table in tables.items():
        there = (types == kind) & (numbers >= 0) & (numbers < len(table))
        out[there] = table[numbers[there]]
    return out
