"""The struct of a sensor, whatever its tag."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .._release import IS_LATER
from .attributes import numbers, set_numbers, set_text
from .struct import Plugged
from .vectors import MjDoubleVec

_OBJ, _SENS = ENUMS["mjtObj"], ENUMS["mjtSensor"]


def _kind(attribute: str, named: str) -> Any:
    """The kind of object that an attribute names; subtrees go by their bodies' own frames."""
    return _OBJ.mjOBJ_XBODY if attribute.startswith("subtree") else _OBJ["mjOBJ_" + named]


_DIMS = {row[0]: row[3] for row in _core.tables()["sensors"]}  # numbers of a sensor by type
# Numbers of each part of a contact: found, force, torque, dist, pos, normal, tangent.
_CONTACT_DIMS = (1, 3, 3, 1, 3, 3, 3) + (3, 3) * IS_LATER  # and velocities
_RAY_DIMS = (1, 3, 3, 3, 3, 1)  # distance, direction, origin, point, normal, depth


class MjsSensor(Plugged):
    """A sensor."""

    __slots__ = ()
    _is_plugin = True
    _home = ("sensor", "touch")
    _options = (
        "name type objtype objname reftype refname intprm datatype needstage dim cutoff noise userdata "
        "plugin info"
    )
    _unused: dict[str, Any] = {
        "cutoff": 0.0,
        "noise": 0.0,
        "userdata": MjDoubleVec.of([]),
    }  # of tags that have none
    _own = {
        "type": _SENS.mjSENS_TOUCH, "objtype": _OBJ.mjOBJ_UNKNOWN, "objname": "",
        "reftype": _OBJ.mjOBJ_UNKNOWN, "refname": "", "intprm": np.zeros(3, np.int32), "dim": 0,
        "datatype": ENUMS["mjtDataType"].mjDATATYPE_REAL, "needstage": ENUMS["mjtStage"].mjSTAGE_ACC,
    }  # fmt: skip

    _direct = frozenset(
        ("cutoff", "noise", "userdata") + ("nsample", "interp", "delay", "interval") * IS_LATER
    )

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k in self._direct}

    def _check_contact(self, values: dict[str, Any]) -> None:
        """What the language has no words for."""
        bits, reduce, num = (int(i) for i in values["intprm"])
        bodies = (_OBJ.mjOBJ_BODY, _OBJ.mjOBJ_XBODY, _OBJ.mjOBJ_GEOM, _OBJ.mjOBJ_UNKNOWN)
        known = (1 << len(_CONTACT_DIMS)) - 1
        faults = {
            "first matching criterion: if set, must be (x)body, geom or site": (
                values["objtype"] not in (*bodies, _OBJ.mjOBJ_SITE)
            ),
            "second matching criterion: if set, must be (x)body or geom": values["reftype"]
            not in bodies,
            f"data spec (intprm[0]) must be positive, got {bits}": bits <= 0,
            f"data spec intprm[0]={bits} must have at least one bit set of the first mjNCONDATA bits": (
                not bits & known
            ),
            f"data spec intprm[0]={bits} has bits set beyond the first mjNCONDATA bits": bits
            & ~known,
            f"unknown reduction criterion. got {reduce}, expected one of 0 to 3": (
                reduce not in WORDS["REDUCE"]
            ),
            "num (intprm[2]) must be positive in sensor": num <= 0,
        }
        for fault, holds in faults.items():
            if holds:
                raise ValueError(fault)

    def get_data_size(self) -> int:
        """How many numbers it gives."""
        if self.type == _SENS.mjSENS_USER:
            return self.dim
        if self.type == _SENS.mjSENS_CONTACT:
            bits, _, count = (int(i) for i in self.intprm)
            return count * _count(_CONTACT_DIMS, bits)
        if IS_LATER and self.type == _SENS.mjSENS_RANGEFINDER:
            return self._rays() * _count(_RAY_DIMS, int(self.intprm[0]))
        if self.type == _SENS.mjSENS_TACTILE:
            raise ValueError("how many vertices its mesh has is known of models: sensor_dim")
        return _DIMS[int(self.type)]

    def _rays(self) -> int:
        """How many rays a rangefinder casts: one for each pixel of a camera."""
        if self.objtype != _OBJ.mjOBJ_CAMERA:
            return 1
        camera = self._spec._find("camera", self.objname)
        return 1 if camera is None else int(np.prod(camera.resolution))

    def _slots(self) -> tuple[list, list]:
        """Attributes that name object and reference: rows of attribute, kind; kind None: in another attribute."""
        rows = _core.elementAttributes(self._element)
        names = {row[0] for row in rows}
        named = [
            (row[0], _kind(row[0], row[6]))
            for row in rows
            if row[1] == "name" and row[0] != "instance"
        ]
        sees = "data" not in names  # a rangefinder's camera is what it is attached to
        references = [
            row
            for row in named
            if (row[0] == "camera" and sees) or row[0].endswith("2") or row[0] == "geom"
        ]
        objects = [row for row in named if row not in references]
        if "objtype" in names:
            if objects:  # insidesite
                references = objects
            objects = [("objname", None)]
        if "reftype" in names:
            references = [("refname", None)]
        return objects, references

    def _load(self) -> dict[str, Any]:
        e, result = self._element, {}
        tag = _core.elementInfo(e)[0]
        types = WORDS["mjtSensor"].items()
        result["type"] = _SENS(next(v for v, w in types if w == tag))
        for rows, name in zip(self._slots(), ("obj", "ref"), strict=True):
            for attribute, kind in rows:
                text = _core.elementGetText(e, attribute)
                if text and kind is None:
                    word = _core.elementGetText(e, name + "type")
                    kind = _OBJ(next((v for v, w in WORDS["mjtObj"].items() if w == word), 0))
                if text:
                    result |= {name + "type": kind, name + "name": text}
        if tag == "contact":
            words = (_core.elementGetText(e, "data") or "found").split()
            word = _core.elementGetText(e, "reduce") or "none"
            reduce = next(v for v, w in WORDS["REDUCE"].items() if w == word)
            bits = sum(v for v, w in WORDS["CONTACTDATA"].items() if w in words)
            result["intprm"] = np.array([bits, reduce, numbers(e, "num", 1.0)], np.int32)
        if IS_LATER and tag == "rangefinder":
            words = (_core.elementGetText(e, "data") or "dist").split()
            result["intprm"] = np.array(
                [sum(v for v, w in WORDS["RAYDATA"].items() if w in words), 0, 0], np.int32
            )
        if IS_LATER and tag == "insidesite":
            enclosed = _core.elementGetText(e, "enclosed") == "true"
            result["intprm"] = np.array([enclosed, 0, 0], np.int32)
        if tag == "user":
            result["dim"] = int(numbers(e, "dim", 0.0))
            for name, enum in (("datatype", "mjtDataType"), ("needstage", "mjtStage")):
                word = _core.elementGetText(e, name)
                value = next((v for v, w in WORDS[enum].items() if w == word), None)
                if value is not None:
                    result[name] = ENUMS[enum](value)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        e, tag = self._element, WORDS["mjtSensor"][values["type"]]
        if tag == "contact":
            self._check_contact(values)
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        for rows, name in zip(self._slots(), ("obj", "ref"), strict=True):
            given, text = values[name + "type"], values[name + "name"]
            for attribute, kind in rows:
                if kind is None:
                    word = WORDS["mjtObj"].get(int(given)) if text else None
                    set_text(e, name + "type", word)
                    set_text(e, attribute, text)
                else:
                    set_text(e, attribute, text if len(rows) == 1 or kind == given else None)
        if tag == "contact":
            bits, reduce, num = (int(i) for i in values["intprm"])
            words = [w for v, w in WORDS["CONTACTDATA"].items() if bits & v]
            set_text(e, "data", " ".join(words))
            set_text(e, "reduce", WORDS["REDUCE"][reduce])
            set_numbers(e, "num", num)
        bits = int(values["intprm"][0])
        if IS_LATER and tag == "rangefinder":
            _check_rays(bits)
            words = [w for v, w in WORDS["RAYDATA"].items() if bits & v]
            set_text(e, "data", " ".join(words))
        if IS_LATER and tag == "insidesite":
            set_text(e, "enclosed", "true" if bits else "false")
        if tag == "user":
            set_numbers(e, "dim", values["dim"])
            set_text(e, "datatype", WORDS["mjtDataType"][values["datatype"]])
            set_text(e, "needstage", WORDS["mjtStage"][values["needstage"]])


def _count(dims: tuple[int, ...], bits: int) -> int:
    return sum(n for i, n in enumerate(dims) if bits >> i & 1)


def _check_rays(bits: int) -> None:
    known = (1 << len(_RAY_DIMS)) - 1
    if bits <= 0:
        raise ValueError(f"data spec (intprm[0]) must be positive, got {bits}")
    if bits & ~known:
        some = "must have at least one bit set of" if not bits & known else "has bits set beyond"
        raise ValueError(f"data spec intprm[0]={bits} {some} the first mjNRAYDATA bits")
