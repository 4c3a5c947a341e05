"""Structs of the peer whose members are those of several tags: actuators, equalities, sensors, tendons."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .elements import Classed, Named
from .fields import ENUMS, WORDS

_T, _G, _B, _D = (ENUMS[n] for n in ("mjtTrn", "mjtGain", "mjtBias", "mjtDyn"))
_OBJ, _EQ, _SENS = ENUMS["mjtObj"], ENUMS["mjtEq"], ENUMS["mjtSensor"]


def _vector(n: int, first: float = 0.0) -> np.ndarray:
    result = np.zeros(n)
    result[0] = first
    return result


def _numbers(element: Any, name: str, default: Any) -> Any:
    found = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
    if np.ndim(default) == 0:
        return float(found[0]) if found.size else default
    result = default.copy()
    result[: found.size] = found
    return result


def _set_numbers(element: Any, name: str, value: Any) -> None:
    numbers = np.atleast_1d(np.asarray(value, np.float64))
    has = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
    if np.array_equal(has, numbers) or (has.size == 0 and not numbers.any()):
        return
    _core.elementSetNumbers(element, name, numbers.tobytes())


def _set_text(element: Any, name: str, value: str | None) -> None:
    if (_core.elementGetText(element, name) or None) == (value or None):
        return
    _core.elementSetText(element, name, value or None)


def _names(element: Any) -> set[str]:
    return {row[0] for row in _core.elementAttributes(element)}


class MjsActuator(Classed):
    """An actuator: <general>, and all that are short for one."""

    __slots__ = ()
    _tags = ("general",)
    _own = {
        "gaintype": _G.mjGAIN_FIXED, "gainprm": _vector(10, 1), "biastype": _B.mjBIAS_NONE,
        "biasprm": _vector(10), "dyntype": _D.mjDYN_NONE, "dynprm": _vector(10, 1), "actdim": -1,
        "actearly": 0, "trntype": _T.mjTRN_UNDEFINED, "gear": _vector(6, 1), "target": "", "refsite": "",
        "slidersite": "", "cranklength": 0.0, "lengthrange": _vector(2), "inheritrange": 0.0,
        "ctrllimited": 2, "ctrlrange": _vector(2), "forcelimited": 2, "forcerange": _vector(2),
        "actlimited": 2, "actrange": _vector(2), "group": 0,
    }  # fmt: skip
    _limits = ("ctrllimited", "forcelimited", "actlimited")
    _plain = (
        "gear",
        "cranklength",
        "lengthrange",
        "ctrlrange",
        "forcerange",
        "actrange",
        "group",
        "actdim",
    )
    _kinds = (
        ("joint", _T.mjTRN_JOINT), ("jointinparent", _T.mjTRN_JOINTINPARENT), ("tendon", _T.mjTRN_TENDON),
        ("site", _T.mjTRN_SITE), ("body", _T.mjTRN_BODY), ("cranksite", _T.mjTRN_SLIDERCRANK),
    )  # fmt: skip

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k == "userdata"}

    def _load(self) -> dict[str, Any]:
        e, names = self._element, _names(self._element)
        tag = _core.elementInfo(e)[0]
        result: dict[str, Any] = {}
        for name in self._plain:
            if name in names:
                value = _numbers(e, name, self._own[name])
                result[name] = int(value) if isinstance(self._own[name], int) else value
        for name in (n for n in self._limits if n in names):
            word = _core.elementGetText(e, name) or "auto"
            result[name] = ("false", "true", "auto").index(word)
        for name, value in self._kinds:
            if name in names and (target := _core.elementGetText(e, name)):
                result |= {"trntype": value, "target": target}
        for name in ("refsite", "slidersite"):
            if name in names:
                result[name] = _core.elementGetText(e, name) or ""
        if tag == "general":
            result["actearly"] = int(_core.elementGetText(e, "actearly") == "true")
            for name, enum in (("gaintype", _G), ("biastype", _B), ("dyntype", _D)):
                word = _core.elementGetText(e, name)
                codes = WORDS[enum.__name__].items()
                result[name] = enum(next((v for v, w in codes if w == word), 0))
            for name in ("gainprm", "biasprm", "dynprm"):
                result[name] = _numbers(e, name, self._own[name])
        else:
            result |= _SHORT[tag](lambda name, default: _numbers(e, name, default))
        return result

    def _store(self, values: dict[str, Any]) -> None:
        e = self._element
        inherits = values["inheritrange"] > 0
        servo = "intvelocity" if values["dyntype"] == _D.mjDYN_INTEGRATOR else "position"
        tag = servo if inherits else "general"
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        for name, value in self._kinds:
            _set_text(e, name, values["target"] if values["trntype"] == value else None)
        names = _names(e)
        for name in ("refsite", "slidersite"):
            _set_text(e, name, values[name])
        for name in (n for n in self._plain if n in names):
            if name == "lengthrange" and not np.any(values[name]):
                _set_text(e, name, None)
            else:
                _set_numbers(e, name, values[name])
        for name in (n for n in self._limits if n in names):
            _set_text(e, name, ("false", "true", "auto")[values[name]])
        if inherits:
            self._store_servo(values, servo)
            return
        _set_text(e, "actearly", "true" if values["actearly"] else "false")
        for name, enum in (("gaintype", "mjtGain"), ("biastype", "mjtBias"), ("dyntype", "mjtDyn")):
            _set_text(e, name, WORDS[enum][int(values[name])])
        for name in ("gainprm", "biasprm", "dynprm"):
            _set_numbers(e, name, values[name])

    def _store_servo(self, values: dict[str, Any], tag: str) -> None:
        # only these tags take their range from the joint's
        e, damping = self._element, values["biasprm"][2]
        _set_numbers(e, "inheritrange", values["inheritrange"])
        _set_numbers(e, "kp", values["gainprm"][0])
        _set_text(e, "kv", None)
        _set_text(e, "dampratio", None)
        if damping:
            _set_numbers(e, "dampratio" if damping > 0 else "kv", abs(damping))
        if tag == "position" and values["dyntype"] == _D.mjDYN_FILTEREXACT:
            _set_numbers(e, "timeconst", values["dynprm"][0])
        if values["ctrlrange"].any() is np.False_:
            _set_text(e, "ctrlrange", None)
        if values["actrange"].any() is np.False_ and "actrange" in _names(e):
            _set_text(e, "actrange", None)

    def _become(self, values: dict[str, Any]) -> None:
        base = {k: self._own[k] for k in ("gaintype", "biastype", "dyntype", "gainprm", "biasprm")}
        for name, value in {**base, **values}.items():
            setattr(self, name, value)

    def set_to_motor(self) -> None:
        """Force is the control."""
        self._become({})

    def set_to_position(
        self,
        kp: float,
        kv: float = -1,
        dampratio: float = -1,
        timeconst: float = -1,
        inheritrange: bool = False,
    ) -> None:
        """A position servo."""
        self._become(_servo(kp, kv, dampratio))
        if timeconst > 0:
            self.dynprm[0], self.dyntype = timeconst, _D.mjDYN_FILTEREXACT
        self.inheritrange = float(inheritrange)

    def set_to_intvelocity(
        self,
        kp: float,
        kv: float = -1,
        dampratio: float = -1,
        timeconst: float = -1,
        inheritrange: bool = False,
    ) -> None:
        """A position servo whose setpoint is the integral of the control."""
        self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype, self.actlimited = _D.mjDYN_INTEGRATOR, 1

    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
        self._become(_SHORT["velocity"](lambda name, default: kv))

    def set_to_damper(self, kv: float) -> None:
        """Damping that is controlled."""
        self._become(_SHORT["damper"](lambda name, default: kv))

    def set_to_cylinder(
        self, timeconst: float, bias: float, area: float, diameter: float = -1
    ) -> None:
        """A pneumatic or hydraulic cylinder."""
        given = {"timeconst": timeconst, "area": area, "bias": _vector(3, bias)}
        given["diameter"] = diameter if diameter >= 0 else np.nan
        dynprm = self.dynprm.copy()
        self._become(_SHORT["cylinder"](lambda name, default: given[name]))
        self.dynprm[1:] = dynprm[1:]

    def set_to_muscle(
        self,
        timeconst: Any = -1,
        tausmooth: float = 0,
        range: Any = (-1, -1),
        force: float = -1,
        scale: float = -1,
        lmin: float = -1,
        lmax: float = -1,
        vmax: float = -1,
        fpmax: float = -1,
        fvmax: float = -1,
    ) -> None:
        """A muscle; negative numbers stand for the defaults."""
        given = {"tausmooth": tausmooth, "timeconst": np.broadcast_to(timeconst, 2), "range": range}
        given |= dict(scale=scale, lmin=lmin, lmax=lmax, vmax=vmax, fpmax=fpmax, fvmax=fvmax)
        given["force"] = force

        def get(name: str, default: Any) -> Any:
            value = np.asarray(given[name], float)
            value = np.where(value < 0, default, value)
            if name == "force" and force < 0:
                return -1.0
            return value if value.ndim else float(value)

        self._become(_SHORT["muscle"](get))

    def set_to_adhesion(self, gain: float) -> None:
        """A body that sticks to what it touches."""
        self._become(_SHORT["adhesion"](lambda name, default: gain))


def _servo(kp: float, kv: float, dampratio: float) -> dict[str, Any]:
    bias = np.zeros(10)
    bias[1] = -kp
    if kv >= 0:
        bias[2] = -kv
    if dampratio >= 0:
        bias[2] = dampratio
    return {"gainprm": _vector(10, kp), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


def _read_servo(get: Any) -> dict[str, Any]:
    kv, ratio = get("kv", np.nan), get("dampratio", np.nan)
    kp = get("kp", np.nan)
    result = _servo(
        1.0 if np.isnan(kp) else kp,
        -1 if np.isnan(kv) else kv,
        -1 if np.isnan(ratio) else ratio,
    )
    return {**result, "inheritrange": get("inheritrange", 0.0)}


def _read_position(get: Any) -> dict[str, Any]:
    result, time = _read_servo(get), get("timeconst", np.nan)
    if time > 0:
        result |= {"dyntype": _D.mjDYN_FILTEREXACT, "dynprm": _vector(10, time)}
    return result


def _read_velocity(get: Any) -> dict[str, Any]:
    kv = get("kv", np.nan)
    kv = 1.0 if np.isnan(kv) else kv
    bias = np.zeros(10)
    bias[2] = -kv
    return {"gainprm": _vector(10, kv), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


def _read_damper(get: Any) -> dict[str, Any]:
    kv, gain = get("kv", np.nan), np.zeros(10)
    gain[2] = 0.0 if np.isnan(kv) else -kv
    return {"gaintype": _G.mjGAIN_AFFINE, "gainprm": gain, "ctrllimited": 1}


def _read_cylinder(get: Any) -> dict[str, Any]:
    time, area, diameter = (get(n, np.nan) for n in ("timeconst", "area", "diameter"))
    if diameter >= 0:
        area = np.pi / 4 * diameter**2
    bias = np.zeros(10)
    bias[:3] = get("bias", np.zeros(3))
    return {
        "dyntype": _D.mjDYN_FILTER,
        "dynprm": _vector(10, 1.0 if np.isnan(time) else time),
        "gainprm": _vector(10, 1.0 if np.isnan(area) else area),
        "biastype": _B.mjBIAS_AFFINE,
        "biasprm": bias,
    }


def _read_muscle(get: Any) -> dict[str, Any]:
    prm, dyn = np.zeros(10), np.zeros(10)
    prm[:2] = get("range", np.array([0.75, 1.05]))
    defaults = (("force", -1.0), ("scale", 200.0), ("lmin", 0.5), ("lmax", 1.6))
    defaults += (("vmax", 1.5), ("fpmax", 1.3), ("fvmax", 1.2))
    for i, (name, value) in enumerate(defaults):
        prm[2 + i] = get(name, value)
    dyn[:2] = get("timeconst", np.array([0.01, 0.04]))
    dyn[2] = get("tausmooth", 0.0)
    types = {
        "gaintype": _G.mjGAIN_MUSCLE,
        "biastype": _B.mjBIAS_MUSCLE,
        "dyntype": _D.mjDYN_MUSCLE,
    }
    return {**types, "gainprm": prm, "biasprm": prm.copy(), "dynprm": dyn}


_SHORT: dict[str, Any] = {
    "motor": lambda get: {},
    "position": _read_position,
    "intvelocity": lambda get: {
        **_read_servo(get),
        "dyntype": _D.mjDYN_INTEGRATOR,
        "actlimited": 1,
    },
    "velocity": _read_velocity,
    "damper": _read_damper,
    "cylinder": _read_cylinder,
    "muscle": _read_muscle,
    "adhesion": lambda get: {"gainprm": _vector(10, get("gain", 1.0)), "ctrllimited": 1},
}


class MjsEquality(Classed):
    """An equality: <connect>, <weld>, <joint> or <tendon>."""

    __slots__ = ()
    _tags = ("connect", "weld", "joint", "tendon")
    _own = {
        "type": _EQ.mjEQ_CONNECT, "name1": "", "name2": "", "objtype": _OBJ.mjOBJ_UNKNOWN,
        "data": np.array([0.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    }  # fmt: skip

    def _fields(self) -> Any:
        return {
            k: f
            for k, f in super()._fields().items()
            if k in ("active", "solref", "solimp", "userdata")
        }

    def _load(self) -> dict[str, Any]:
        e = self._element
        tag = _core.elementInfo(e)[0]
        if tag not in self._tags:
            return {}
        result: dict[str, Any] = {"type": _EQ(self._tags.index(tag))}
        data = self._own["data"].copy()
        kind = tag
        if tag in ("connect", "weld"):
            kind = "site" if _core.elementGetText(e, "site1") else "body"
            if kind == "site" or _core.elementGetText(e, "body1"):
                result["objtype"] = _OBJ.mjOBJ_SITE if kind == "site" else _OBJ.mjOBJ_BODY
            if tag == "weld":
                if kind == "body" and _core.elementGetText(e, "body1"):
                    data[:3] = _numbers(e, "anchor", np.zeros(3))
                data[3:10] = _numbers(e, "relpose", data[3:10])
                data[10] = _numbers(e, "torquescale", 1.0)
            else:
                data[:3] = _numbers(e, "anchor", data[:3])
        else:
            data[:5] = _numbers(e, "polycoef", data[:5])
        result["name1"] = _core.elementGetText(e, kind + "1") or ""
        result["name2"] = _core.elementGetText(e, kind + "2") or ""
        return {**result, "data": data}

    def _store(self, values: dict[str, Any]) -> None:
        e, data = self._element, values["data"]
        if values["type"] >= len(self._tags):
            raise ValueError("equalities of flexes are not in Sinew yet")
        tag = self._tags[values["type"]]
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        kind = tag
        if tag in ("connect", "weld"):
            site = values["objtype"] == _OBJ.mjOBJ_SITE
            kind = "site" if site else "body"
            other = "body" if site else "site"
            for i in "12":
                _set_text(e, other + i, None)
            if not site:
                _set_numbers(e, "anchor", data[:3])
            if tag == "weld":
                _set_numbers(e, "torquescale", data[10])
                if not site:
                    _set_numbers(e, "relpose", data[3:10])
        else:
            _set_numbers(e, "polycoef", data[:5])
        _set_text(e, kind + "1", values["name1"])
        _set_text(e, kind + "2", values["name2"])


# Attributes that name the object of a sensor and its reference, by the kind of object.
_OBJECTS = (
    ("site", _OBJ.mjOBJ_SITE), ("joint", _OBJ.mjOBJ_JOINT), ("tendon", _OBJ.mjOBJ_TENDON),
    ("actuator", _OBJ.mjOBJ_ACTUATOR), ("body", _OBJ.mjOBJ_BODY), ("geom1", _OBJ.mjOBJ_GEOM),
    ("body1", _OBJ.mjOBJ_BODY), ("subtree1", _OBJ.mjOBJ_XBODY),
)  # fmt: skip
_REFERENCES = (
    ("camera", _OBJ.mjOBJ_CAMERA), ("geom2", _OBJ.mjOBJ_GEOM), ("body2", _OBJ.mjOBJ_BODY),
    ("subtree2", _OBJ.mjOBJ_XBODY),
)  # fmt: skip
_CONTACT = ("found", "force", "torque", "dist", "pos", "normal", "tangent")
_REDUCE = ("none", "mindist", "maxforce", "netforce")


class MjsSensor(Named):
    """A sensor."""

    __slots__ = ()
    _own = {
        "type": _SENS.mjSENS_TOUCH, "objtype": _OBJ.mjOBJ_UNKNOWN, "objname": "",
        "reftype": _OBJ.mjOBJ_UNKNOWN, "refname": "", "intprm": np.zeros(3, np.int32), "dim": 0,
        "datatype": ENUMS["mjtDataType"].mjDATATYPE_REAL, "needstage": ENUMS["mjtStage"].mjSTAGE_ACC,
    }  # fmt: skip

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k in ("cutoff", "noise", "userdata")}

    def _slots(self) -> tuple[list, list]:
        """Attributes that name object and reference: rows of attribute, kind; kind None: in another attribute."""
        names = _names(self._element)
        objects = [row for row in _OBJECTS if row[0] in names]
        references = [row for row in _REFERENCES if row[0] in names]
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
            reduce = _REDUCE.index(_core.elementGetText(e, "reduce") or "none")
            bits = sum(1 << _CONTACT.index(w) for w in words)
            result["intprm"] = np.array([bits, reduce, _numbers(e, "num", 1.0)], np.int32)
        if tag == "user":
            result["dim"] = int(_numbers(e, "dim", 0.0))
            for name, enum in (("datatype", "mjtDataType"), ("needstage", "mjtStage")):
                word = _core.elementGetText(e, name)
                value = next((v for v, w in WORDS[enum].items() if w == word), None)
                if value is not None:
                    result[name] = ENUMS[enum](value)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        e, tag = self._element, WORDS["mjtSensor"][values["type"]]
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        for rows, name in zip(self._slots(), ("obj", "ref"), strict=True):
            given, text = values[name + "type"], values[name + "name"]
            for attribute, kind in rows:
                if kind is None:
                    word = WORDS["mjtObj"].get(int(given)) if text else None
                    _set_text(e, name + "type", word)
                    _set_text(e, attribute, text)
                else:
                    _set_text(e, attribute, text if len(rows) == 1 or kind == given else None)
        if tag == "contact":
            bits, reduce, num = (int(i) for i in values["intprm"])
            if not 0 <= reduce < len(_REDUCE):
                raise ValueError(f"unknown reduction criterion. got {reduce}, expected 0 to 3")
            words = [w for i, w in enumerate(_CONTACT) if bits >> i & 1]
            _set_text(e, "data", " ".join(words))
            _set_text(e, "reduce", _REDUCE[reduce])
            _set_numbers(e, "num", num)
        if tag == "user":
            _set_numbers(e, "dim", values["dim"])
            _set_text(e, "datatype", WORDS["mjtDataType"][values["datatype"]])
            _set_text(e, "needstage", WORDS["mjtStage"][values["needstage"]])


class MjsWrap:
    """A point of a tendon's path."""

    __slots__ = ("info",)

    def __init__(self) -> None:
        self.info = ""


class MjsTendon(Classed):
    """A tendon: <spatial>, or <fixed> when it is made of joints."""

    __slots__ = ()
    _tags = ("spatial", "fixed")

    def _wrap(self, tag: str, **attributes: Any) -> MjsWrap:
        whole = "fixed" if tag == "joint" else "spatial"
        info = _core.elementInfo(self._element)
        if info[0] != whole:
            if info[4] is not None:
                raise ValueError(f"a tendon of other parts cannot have a {tag}")
            self._flush()
            _core.elementChangeTag(self._element, whole)
            for name in ("width", "rgba", "material"):
                self._values.pop(name, None)
        part = _core.elementAdd(self._element, tag, None)
        for name, value in attributes.items():
            if isinstance(value, str):
                _set_text(part, name, value)
            else:
                _set_numbers(part, name, value)
        return MjsWrap()

    def wrap_site(self, name: str) -> MjsWrap:
        """The path passes a site."""
        return self._wrap("site", site=name)

    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        """The path wraps around a geom."""
        return self._wrap("geom", geom=name, sidesite=sidesite)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """The length is a sum over joints."""
        return self._wrap("joint", joint=name, coef=float(coef))

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """A pulley divides what follows."""
        return self._wrap("pulley", divisor=float(divisor))

    def default(self) -> Any:
        """Its default class."""
        return self.classname
