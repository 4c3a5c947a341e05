"""The struct of an actuator, and what <motor>, <position> and their like are short for."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .attributes import attribute_names, numbers, set_numbers, set_text
from .default import ACTUATORS, children, outward
from .members import vector
from .struct import Classed, Plugged

_T, _G, _B, _D = (ENUMS[n] for n in ("mjtTrn", "mjtGain", "mjtBias", "mjtDyn"))


class MjsActuator(Classed, Plugged):
    """An actuator: <general>, and all that are short for one."""

    __slots__ = ()
    _home = ("actuator", "general")
    _options = (
        "name gaintype gainprm biastype biasprm dyntype dynprm actdim actearly trntype gear target refsite "
        "slidersite cranklength lengthrange inheritrange ctrllimited ctrlrange forcelimited forcerange "
        "actlimited actrange group userdata plugin info"
    )
    _tags = ("general",)
    _own = {
        "gaintype": _G.mjGAIN_FIXED, "gainprm": vector(10, 1), "biastype": _B.mjBIAS_NONE,
        "biasprm": vector(10), "dyntype": _D.mjDYN_NONE, "dynprm": vector(10, 1), "actdim": -1,
        "actearly": 0, "trntype": _T.mjTRN_UNDEFINED, "gear": vector(6, 1), "target": "", "refsite": "",
        "slidersite": "", "cranklength": 0.0, "lengthrange": vector(2), "inheritrange": 0.0,
        "ctrllimited": 2, "ctrlrange": vector(2), "forcelimited": 2, "forcerange": vector(2),
        "actlimited": 2, "actrange": vector(2), "group": 0,
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
        e, names = self._element, attribute_names(self._element)
        tag = _core.elementInfo(e)[0]
        result: dict[str, Any] = {}
        for name in self._plain:
            if name in names:
                value = numbers(e, name, self._own[name])
                result[name] = int(value) if isinstance(self._own[name], int) else value
        for name in (n for n in self._limits if n in names):
            word = _core.elementGetText(e, name) or "auto"
            result[name] = next(v for v, w in WORDS["TRISTATE"].items() if w == word)
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
                result[name] = numbers(e, name, self._own[name])
            for name, value in self._class_short().items():
                if np.array_equal(result.get(name, self._own[name]), self._own[name]):
                    result[name] = value
        else:
            result |= _SHORT[tag](lambda name, default: numbers(e, name, default))
        return result

    def _class_short(self) -> dict[str, Any]:
        """What the nearest <position>, <muscle> and so on of its default classes gives it."""
        parent = _core.elementInfo(self._element)[3]
        inside = _core.elementInfo(parent)[0] == "default"
        for default in outward(parent if inside else self.classname._element):
            for child in reversed([*children(default)]):
                tag = _core.elementInfo(child)[0]
                if tag in _SHORT and child != self._element:
                    return _SHORT[tag](functools.partial(numbers, child))
        return {}

    def _store(self, values: dict[str, Any]) -> None:
        e = self._element
        inherits = values["inheritrange"] > 0
        servo = "intvelocity" if values["dyntype"] == _D.mjDYN_INTEGRATOR else "position"
        tag = servo if inherits else "general"
        above = _core.elementInfo(e)[3]
        if _core.elementInfo(above)[0] == "default":  # its values are those of the others, too
            for other in [
                c for c in children(above) if c != e and _core.elementInfo(c)[0] in ACTUATORS
            ]:
                _core.elementRemove(other)
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        for name, value in self._kinds:
            set_text(e, name, values["target"] if values["trntype"] == value else None)
        names = attribute_names(e)
        for name in ("refsite", "slidersite"):
            set_text(e, name, values[name])
        for name in (n for n in self._plain if n in names):
            if name == "lengthrange" and not np.any(values[name]):
                set_text(e, name, None)
            else:
                set_numbers(e, name, values[name])
        for name in (n for n in self._limits if n in names):
            set_text(e, name, WORDS["TRISTATE"][values[name]])
        if inherits:
            self._store_servo(values, servo)
            return
        set_text(e, "actearly", "true" if values["actearly"] else "false")
        for name, enum in (("gaintype", "mjtGain"), ("biastype", "mjtBias"), ("dyntype", "mjtDyn")):
            set_text(e, name, WORDS[enum][int(values[name])])
        for name in ("gainprm", "biasprm", "dynprm"):
            set_numbers(e, name, values[name])

    def _store_servo(self, values: dict[str, Any], tag: str) -> None:
        # only these tags take their range from the joint's
        e, damping = self._element, values["biasprm"][2]
        set_numbers(e, "inheritrange", values["inheritrange"])
        set_numbers(e, "kp", values["gainprm"][0])
        set_text(e, "kv", None)
        set_text(e, "dampratio", None)
        if damping:
            set_numbers(e, "dampratio" if damping > 0 else "kv", abs(damping))
        if tag == "position" and values["dyntype"] == _D.mjDYN_FILTEREXACT:
            set_numbers(e, "timeconst", values["dynprm"][0])
        if values["ctrlrange"].any() is np.False_:
            set_text(e, "ctrlrange", None)
        if values["actrange"].any() is np.False_ and "actrange" in attribute_names(e):
            set_text(e, "actrange", None)

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
        given = {"timeconst": timeconst, "area": area, "bias": vector(3, bias)}
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
    return {"gainprm": vector(10, kp), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


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
        result |= {"dyntype": _D.mjDYN_FILTEREXACT, "dynprm": vector(10, time)}
    return result


def _read_velocity(get: Any) -> dict[str, Any]:
    kv = get("kv", np.nan)
    kv = 1.0 if np.isnan(kv) else kv
    bias = np.zeros(10)
    bias[2] = -kv
    return {"gainprm": vector(10, kv), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


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
        "dynprm": vector(10, 1.0 if np.isnan(time) else time),
        "gainprm": vector(10, 1.0 if np.isnan(area) else area),
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
    "adhesion": lambda get: {"gainprm": vector(10, get("gain", 1.0)), "ctrllimited": 1},
}
