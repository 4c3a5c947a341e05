"""The struct of an actuator, and what <motor>, <position> and their like are short for."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .._release import IS_LATER
from .attributes import attribute_names, numbers, set_numbers, set_text
from .default import ACTUATORS, children, outward
from .members import vector
from .shortcuts import INPUTS, MOTOR, SHORT, servo
from .struct import Classed, Plugged

_T, _G, _B, _D = (ENUMS[n] for n in ("mjtTrn", "mjtGain", "mjtBias", "mjtDyn"))
# Elements in the order of mjtActuator, words of `input`, which the later release has.
_KINDS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "pid",
    "orientation", "dcmotor",
)  # fmt: skip
_INPUT = ENUMS.get("mjtCtrlInput", {})
_INPUT_WORDS = ("pos", "vel", "ff", "voltage", "none", "pressure")


class MjsActuator(Classed, Plugged):
    """An actuator: <general>, and all that are short for one; <plugin>."""

    __slots__ = ()
    _is_plugin = True
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
        **({"type": 0, "ctrlspec": 0} if IS_LATER else {}),
    }  # fmt: skip
    _direct = frozenset(
        "userdata nsample interp delay velrange ffrange damping armature".split()
        if IS_LATER
        else ("userdata",)
    )
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
        return {k: f for k, f in super()._fields().items() if k in self._direct}

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
        if tag in ("general", "plugin"):
            result["actearly"] = int(_core.elementGetText(e, "actearly") == "true")
            for name, enum in (("gaintype", _G), ("biastype", _B), ("dyntype", _D)):
                word = _core.elementGetText(e, name) if name in names else None
                codes = WORDS[enum.__name__].items()
                result[name] = enum(next((v for v, w in codes if w == word), 0))
            for name in (n for n in ("gainprm", "biasprm", "dynprm") if n in names):
                result[name] = numbers(e, name, self._own[name])
            for name, value in self._class_short().items():
                if np.array_equal(result.get(name, self._own[name]), self._own[name]):
                    result[name] = value
        else:
            result |= SHORT[tag](lambda name, default: numbers(e, name, default))
        if IS_LATER:
            result["type"] = _KINDS.index(tag) if tag in _KINDS else 0
            words = (_core.elementGetText(e, "input") or "").split() if "input" in names else ()
            given = sum(_INPUT[f"mjINPUT_{word.upper()}"] for word in words)
            result["ctrlspec"] = given or INPUTS.get(tag, 0)
        return result

    def _class_short(self) -> dict[str, Any]:
        """What the nearest <position>, <muscle> and so on of its default classes gives it."""
        parent = _core.elementInfo(self._element)[3]
        inside = _core.elementInfo(parent)[0] == "default"
        for default in outward(parent if inside else self.classname._element):
            for child in reversed([*children(default)]):
                tag = _core.elementInfo(child)[0]
                if tag in SHORT and child != self._element:
                    return SHORT[tag](functools.partial(numbers, child))
        return {}

    def _store(self, values: dict[str, Any]) -> None:
        e = self._element
        inherits = values["inheritrange"] > 0
        tag = "plugin" if self.plugin.active else _servo_tag(values) if inherits else "general"
        above = _core.elementInfo(e)[3]
        if _core.elementInfo(above)[0] == "default":  # its values are those of the others, too
            for other in [
                c for c in children(above) if c != e and _core.elementInfo(c)[0] in ACTUATORS
            ]:
                _core.elementRemove(other)
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        names = attribute_names(e)
        for name, value in self._kinds:
            if name in names:
                set_text(e, name, values["target"] if values["trntype"] == value else None)
        for name in (n for n in ("refsite", "slidersite") if n in names):
            set_text(e, name, values[name])
        for name in (n for n in self._plain if n in names):
            if name == "lengthrange" and not np.any(values[name]):
                set_text(e, name, None)
            else:
                set_numbers(e, name, values[name])
        for name in (n for n in self._limits if n in names):
            word = WORDS["TRISTATE"].get(values[name])
            if word is None:
                raise ValueError(f"{name} is {values[name]}, must be 0, 1, or 2 for auto")
            set_text(e, name, word)
        if inherits and tag != "plugin":
            self._store_servo(values, tag)
            return
        set_text(e, "actearly", "true" if values["actearly"] else "false")
        for name, enum in (("gaintype", "mjtGain"), ("biastype", "mjtBias"), ("dyntype", "mjtDyn")):
            if name in names:
                set_text(e, name, WORDS[enum][int(values[name])])
        for name in (n for n in ("gainprm", "biasprm", "dynprm") if n in names):
            set_numbers(e, name, values[name])
        if tag != "plugin":
            self._store_input(values)

    def _store_input(self, values: dict[str, Any]) -> None:
        if IS_LATER:
            bits = int(values["ctrlspec"])
            known = {int(_INPUT["mjINPUT_" + word.upper()]): word for word in _INPUT_WORDS}
            if bits & ~sum(known):
                raise ValueError(f"ctrlspec is {bits}: its bits are those of mjtCtrlInput")
            set_text(self._element, "input", " ".join(w for b, w in known.items() if bits & b))

    def _store_servo(self, values: dict[str, Any], tag: str) -> None:
        # only these tags take their range from the joint's
        e, damping = self._element, values["biasprm"][2]
        set_numbers(e, "inheritrange", values["inheritrange"])
        set_numbers(e, "kp", -values["biasprm"][1] if tag == "pid" else values["gainprm"][0])
        set_text(e, "kv", None)
        set_text(e, "dampratio", None)
        if damping:
            set_numbers(e, "dampratio" if damping > 0 else "kv", abs(damping))
        if tag == "pid":
            for name, value in (
                ("ki", values["gainprm"][0]), ("imax", values["dynprm"][0]), ("slewmax", values["dynprm"][1]),
            ):  # fmt: skip
                set_numbers(e, name, value)
            self._store_input(values)
        if tag == "position" and values["dyntype"] == _D.mjDYN_FILTEREXACT:
            set_numbers(e, "timeconst", values["dynprm"][0])
        if values["ctrlrange"].any() is np.False_:
            set_text(e, "ctrlrange", None)
        if values["actrange"].any() is np.False_ and "actrange" in attribute_names(e):
            set_text(e, "actrange", None)

    def _become(self, kind: str, values: dict[str, Any]) -> None:
        base = {k: self._own[k] for k in ("gaintype", "biastype", "dyntype", "gainprm", "biasprm")}
        if IS_LATER:
            base |= {"type": _KINDS.index(kind), "ctrlspec": INPUTS.get(kind, 0)}
        for name, value in {**base, **values}.items():
            setattr(self, name, value)

    def set_to_motor(self) -> None:
        """Force is the control."""
        self._become("motor", {})

    def set_to_position(
        self,
        kp: float,
        kv: float = -1,
        dampratio: float = -1,
        timeconst: float = -1,
        inheritrange: bool = False,
    ) -> None:
        """A position servo."""
        self._become("position", servo(kp, kv, dampratio))
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
        self.dyntype = _D.mjDYN_INTEGRATOR
        if IS_LATER:
            self.type, self.ctrlspec = _KINDS.index("intvelocity"), INPUTS["intvelocity"]
        else:
            self.actlimited = 1

    def set_to_velocity(self, kv: float) -> None:
        """A velocity servo."""
        self._become("velocity", SHORT["velocity"](lambda name, default: kv))

    def set_to_damper(self, kv: float) -> None:
        """Damping that is controlled."""
        self._become("damper", SHORT["damper"](lambda name, default: kv))

    def set_to_cylinder(
        self, timeconst: float, bias: float, area: float, diameter: float = -1
    ) -> None:
        """A pneumatic or hydraulic cylinder."""
        given = {"timeconst": timeconst, "area": area, "bias": vector(3, bias)}
        given["diameter"] = diameter if diameter >= 0 else np.nan
        dynprm = self.dynprm.copy()
        self._become("cylinder", SHORT["cylinder"](lambda name, default: given[name]))
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

        self._become("muscle", SHORT["muscle"](get))

    def set_to_adhesion(self, gain: float) -> None:
        """A body that sticks to what it touches."""
        self._become("adhesion", SHORT["adhesion"](lambda name, default: gain))


def _servo_tag(values: dict[str, Any]) -> str:
    """The element of a servo that takes its range from its joint's."""
    if IS_LATER and values["gaintype"] == _G.mjGAIN_PID:
        return "pid"
    return "intvelocity" if values["dyntype"] == _D.mjDYN_INTEGRATOR else "position"


def _set_to_pid(
    self: MjsActuator,
    kp: float,
    kv: float = -1,
    dampratio: float = -1,
    ki: float = -1,
    imax: float = -1,
    slewmax: float = -1,
    inheritrange: float = 0,
    ctrlspec: int = 0,
) -> None:
    """A controller with integral and slew rate; negative numbers: not given."""
    _check_one_damping(kv, dampratio)
    given = dict(kp=kp, kv=kv, dampratio=dampratio, ki=ki, imax=imax, slewmax=slewmax)
    given["inheritrange"] = inheritrange
    result = SHORT["pid"](_getter(given, own=("kp", "kv", "dampratio", "inheritrange")))
    self._become("pid", {**result, "ctrlspec": ctrlspec})


def _set_to_orientation(
    self: MjsActuator, kp: float, kv: float = -1, dampratio: float = -1, ctrlspec: int = 0
) -> None:
    """A servo of orientations: of a ball joint, or of a site against another one."""
    _check_one_damping(kv, dampratio)
    given = dict(kp=kp, kv=kv, dampratio=dampratio)
    self._become("orientation", {**SHORT["orientation"](_getter(given)), "ctrlspec": ctrlspec})


def _set_to_dcmotor(
    self: MjsActuator,
    motorconst: Any,
    resistance: float,
    nominal: Any = (0, 0, 0),
    saturation: Any = (0, 0, 0),
    inductance: Any = (0, 0),
    cogging: Any = (0, 0, 0),
    controller: Any = (0, 0, 0, 0, 0, 0),
    thermal: Any = (0, 0, 0, 0, 0, 0),
    lugre: Any = (0, 0, 0, 0, 0),
    ctrlspec: int = 0,
) -> None:
    """A motor with the numbers of its data sheet; zeros: not given."""
    given = dict(
        motorconst=motorconst, resistance=resistance, nominal=nominal, saturation=saturation
    )
    given |= dict(inductance=inductance, cogging=cogging, controller=controller, thermal=thermal)
    given["lugre"] = lugre
    for name, count in MOTOR.items():
        if np.shape(given[name]) != (() if count == 1 else (count,)):
            raise TypeError(
                f"set_to_dcmotor(): incompatible function arguments: {name} has {count}"
            )
    try:
        result = SHORT["dcmotor"](_getter(given))
    except ValueError as error:
        raise ValueError(
            "DC motor: " + str(error).removeprefix("<dcmotor>: ").removesuffix(" at ")
        ) from None
    self._become("dcmotor", {**result, "ctrlspec": ctrlspec})


def _getter(given: dict[str, Any], own: Any = None) -> Any:
    """Attributes from arguments; negative: not given, but for those that are the attribute's `own`."""
    keep = given if own is None else own

    def get(name: str, default: Any) -> Any:
        value = given.get(name, default)
        return value if name in keep or value >= 0 else default

    return get


def _check_one_damping(kv: float, dampratio: float) -> None:
    if kv >= 0 and dampratio >= 0:
        raise ValueError("kv and dampratio cannot both be defined")


if IS_LATER:
    for _function in (_set_to_pid, _set_to_orientation, _set_to_dcmotor):
        _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("_")
        setattr(MjsActuator, _function.__name__, _function)
