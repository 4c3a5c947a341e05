"""What <motor>, <position> and their like are short for: their laws and numbers as <general> has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from ..._types import Model
from .._enums import ENUMS
from .._release import IS_LATER, SILENT
from .members import vector

_G, _B, _D = (ENUMS[n] for n in ("mjtGain", "mjtBias", "mjtDyn"))
_Get = Callable[[str, Any], Any]  # a number or numbers of an attribute, by its name and default


def servo(kp: float, kv: float, dampratio: float) -> dict[str, Any]:
    bias = np.zeros(10)
    bias[1] = -kp
    if kv >= 0:
        bias[2] = -kv
    if dampratio >= 0:
        bias[2] = dampratio
    return {"gainprm": vector(10, kp), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


def _read_servo(get: _Get) -> dict[str, Any]:
    kv, ratio = get("kv", np.nan), get("dampratio", np.nan)
    kp = get("kp", np.nan)
    result = servo(
        1.0 if np.isnan(kp) else kp,
        -1 if np.isnan(kv) else kv,
        -1 if np.isnan(ratio) else ratio,
    )
    return {**result, "inheritrange": get("inheritrange", 0.0)}


def _read_position(get: _Get) -> dict[str, Any]:
    result, time = _read_servo(get), get("timeconst", np.nan)
    if time > 0:
        result |= {"dyntype": _D.mjDYN_FILTEREXACT, "dynprm": vector(10, time)}
    return result


def _read_velocity(get: _Get) -> dict[str, Any]:
    kv = get("kv", np.nan)
    kv = 1.0 if np.isnan(kv) else kv
    bias = np.zeros(10)
    bias[2] = -kv
    return {"gainprm": vector(10, kv), "biastype": _B.mjBIAS_AFFINE, "biasprm": bias}


def _read_damper(get: _Get) -> dict[str, Any]:
    kv, gain = get("kv", np.nan), np.zeros(10)
    gain[2] = 0.0 if np.isnan(kv) else -kv
    return {"gaintype": _G.mjGAIN_AFFINE, "gainprm": gain, "ctrllimited": 1}


def _read_cylinder(get: _Get) -> dict[str, Any]:
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


def _read_muscle(get: _Get) -> dict[str, Any]:
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


SHORT: dict[str, Any] = {
    "motor": lambda get: {},
    "position": _read_position,
    "intvelocity": lambda get: {
        **_read_servo(get),
        "dyntype": _D.mjDYN_INTEGRATOR,
        "actlimited": 2 if IS_LATER else 1,
    },
    "velocity": _read_velocity,
    "damper": _read_damper,
    "cylinder": _read_cylinder,
    "muscle": _read_muscle,
    "adhesion": lambda get: {"gainprm": vector(10, get("gain", 1.0)), "ctrllimited": 1},
}


def _read_pid(get: _Get) -> dict[str, Any]:
    kp, ki, imax, slewmax = (get(n, np.nan) for n in ("kp", "ki", "imax", "slewmax"))
    result = servo(1.0 if np.isnan(kp) else kp, get("kv", -1.0), get("dampratio", -1.0))
    ki, slewmax = (0.0 if np.isnan(x) else x for x in (ki, slewmax))
    dyn = vector(10, imax if ki > 0 and imax > 0 else 0)  # without ki there is nothing to bound
    dyn[1] = slewmax
    moves = ki > 0 or slewmax > 0
    return {
        **result,
        "gaintype": _G.mjGAIN_PID,
        "gainprm": vector(10, ki),
        "dyntype": _D.mjDYN_PID if moves else _D.mjDYN_NONE,
        "dynprm": dyn,
        "inheritrange": get("inheritrange", 0.0),
    }


def _read_orientation(get: _Get) -> dict[str, Any]:
    types = {"gaintype": _G.mjGAIN_SO3, "biastype": _B.mjBIAS_SO3}
    return {**_read_servo(get), **types, "inheritrange": 0.0}


# What a motor is made of: names of attributes, counts of numbers.
MOTOR = {
    "motorconst": 2, "resistance": 1, "nominal": 3, "saturation": 3, "inductance": 2, "cogging": 3,
    "controller": 6, "thermal": 6, "lugre": 5,
}  # fmt: skip


def _read_dcmotor(get: _Get) -> dict[str, Any]:
    """Numbers of a motor: the compiler's, of a motor alone."""
    spec = _core.specMake(SILENT)
    body = _core.elementAdd(_core.specSection(spec, "worldbody"), "body", None)
    geom = _core.elementAdd(body, "geom", None)
    _core.elementSetNumbers(geom, "size", np.array([1.0]).tobytes())
    _core.elementAdd(body, "joint", "j")
    motor = _core.elementAdd(_core.specSection(spec, "actuator"), "dcmotor", None)
    _core.elementSetText(motor, "joint", "j")
    for name, count in MOTOR.items():
        value = np.atleast_1d(get(name, np.full(count, np.nan) if count > 1 else np.nan))
        given = value[: np.argmax(np.isnan(value)) if np.isnan(value).any() else count]
        if given.any():
            _core.elementSetNumbers(motor, name, np.asarray(given, np.float64).tobytes())
        if name == "controller" and given[:3].any():  # which a voltage has no use for
            _core.elementSetText(motor, "input", "pos vel ff")
    m = _core.specCompile(spec, Model)
    return {
        "gaintype": _G.mjGAIN_DCMOTOR, "biastype": _B.mjBIAS_DCMOTOR, "dyntype": _D.mjDYN_DCMOTOR,
        "gainprm": m.actuator_gainprm[0].copy(), "biasprm": m.actuator_biasprm[0].copy(),
        "dynprm": m.actuator_dynprm[0].copy(), "forcerange": m.actuator_forcerange[0].copy(),
        "forcelimited": 1 if m.actuator_forcelimited[0] else 2, "actdim": int(m.actuator_actnum[0]),
        "actlimited": 0, "actearly": 1,
    }  # fmt: skip


# Bits of mjtCtrlInput that a kind has of itself.
INPUTS = {"position": 1, "velocity": 2, "intvelocity": 2, "cylinder": 32}
_LATER: dict[str, Any] = {
    "pid": _read_pid, "orientation": _read_orientation, "dcmotor": _read_dcmotor,
}  # fmt: skip
if IS_LATER:
    SHORT |= _LATER
