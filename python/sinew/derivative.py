"""Derivatives of whole steps: linearisation, products with vectors both ways, gradients over many steps.

A state x is (dq, qvel, act), nx = 2 nv + na numbers, with the tangent dq of `integratePos`. Contacts, the state of
each constraint and saturated actuators are held; inside that everything is differentiated exactly. What has no
derivative raises NotSupportedError; `transitionFD` takes it, by differences.

>>> import numpy as np
>>> import sinew
>>> model = sinew.Model.from_xml(
...     "<mujoco><worldbody><body><joint name='a'/><geom size='.1' pos='0 0 -1'/></body></worldbody>"
...     "<actuator><motor joint='a'/></actuator></mujoco>"
... )
>>> A, B, *_ = sinew.linearize(model, sinew.Data(model))
>>> A.shape, B.shape
((2, 2), (2, 1))
>>> bool(abs(np.linalg.eigvals(A)).max() > 1)
False
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Data, Model
from ._enums import DynType

__all__ = [
    "Linearization",
    "RolloutGradient",
    "StepGradient",
    "StepTangent",
    "linearize",
    "rolloutGradient",
    "stepJVP",
    "stepVJP",
    "transitionDerivative",
]

_Array = NDArray[np.float64]

# in the order of SN_MODEL_GRADIENT
_PARAMETERS = (
    "body_mass",
    "body_inertia",
    "body_ipos",
    "body_iquat",
    "dof_armature",
    "dof_damping",
    "dof_dampingpoly",
    "dof_frictionloss",
    "jnt_stiffness",
    "jnt_stiffnesspoly",
    "qpos_spring",
    "tendon_stiffness",
    "tendon_stiffnesspoly",
    "tendon_damping",
    "tendon_dampingpoly",
    "tendon_frictionloss",
    "actuator_gainprm",
    "actuator_biasprm",
    "actuator_dynprm",
    "actuator_gear",
    "geom_friction",
    "pair_friction",
    "geom_size",
    "geom_pos",
    "geom_quat",
    "gravity",
    "body_invweight0",
    "dof_invweight0",
    "tendon_invweight0",
)


class Linearization(NamedTuple):
    """x+ = A dx + B du, sensors C dx + D du, around a point; ctrl0 and rest as `linearize` says."""

    A: _Array
    B: _Array
    C: _Array
    D: _Array
    ctrl0: _Array
    rest: float


class StepTangent(NamedTuple):
    """Changes of the next state (nx,) and of the sensors (nsensordata,)."""

    next: _Array
    sensor: _Array


class StepGradient(NamedTuple):
    """Gradients by state (nx,), control (nu,), qfrc_applied (nv,), xfrc_applied (nbody, 6) and arrays of the model."""

    x: _Array
    u: _Array
    qfrc: _Array
    xfrc: _Array
    model: dict[str, _Array]


class RolloutGradient(NamedTuple):
    """Gradients by the first state (nx,), by what drives each step, a row a step, and by arrays of the model."""

    x: _Array
    ctrl: _Array
    qfrc: _Array
    xfrc: _Array
    model: dict[str, _Array]


def transitionDerivative(m: Model, d: Data) -> tuple[_Array, _Array, _Array, _Array]:
    """Derivatives of a step at the state of the data, exact.

    Returns
    -------
    A, B : (nx, nx), (nx, nu)
        Of the next state by state and control.
    C, D : (nsensordata, nx), (nsensordata, nu)
        Of the sensors by state and control.
    """
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    A, B, C, D = np.empty((nx, nx)), np.empty((nx, m.nu)), np.empty((ns, nx)), np.empty((ns, m.nu))
    _core.transitionDerivative(m, d, A, B, C if ns else None, D if ns else None)
    return A, B, C, D


def stepJVP(
    m: Model,
    d: Data,
    x: ArrayLike | None = None,
    u: ArrayLike | None = None,
    qfrc: ArrayLike | None = None,
    xfrc: ArrayLike | None = None,
) -> StepTangent:
    """How the next state and the sensors change along a direction of state, control and applied forces.

    Parameters
    ----------
    x, u, qfrc, xfrc : (nx,), (nu,), (nv,), (nbody, 6), optional
        The direction; zero where nothing is given.
    """
    following, sensor = np.empty(2 * m.nv + m.na), np.empty(m.nsensordata)
    _core.stepJVP(m, d, x, u, qfrc, xfrc, following, sensor if m.nsensordata else None)
    return StepTangent(following, sensor)


def _place(m: Model, names: Sequence[str]) -> tuple[int, _Array | None, dict[str, _Array]]:
    """Bits of the arrays that are wanted, room for all, and each of them in it."""
    unknown = [name for name in names if name not in _PARAMETERS]
    if unknown:
        raise ValueError(
            f"there are no gradients by {', '.join(unknown)}, but by {', '.join(_PARAMETERS)}"
        )
    shapes = {name: _shape(m, name) for name in _PARAMETERS if name in names}
    flat = np.zeros(sum(math.prod(shape) for shape in shapes.values()))
    views, at = {}, 0
    for name, shape in shapes.items():
        views[name] = flat[at : at + math.prod(shape)].reshape(shape)
        at += math.prod(shape)
    bits = sum(1 << _PARAMETERS.index(name) for name in shapes)
    return bits, flat if shapes else None, {name: views[name] for name in names}


def _shape(m: Model, name: str) -> tuple[int, ...]:
    if name == "gravity":
        return (3,)
    shape = np.shape(getattr(m, name))
    return (shape[0], 3) if name.endswith("quat") else shape


def stepVJP(
    m: Model,
    d: Data,
    next: ArrayLike | None = None,
    sensor: ArrayLike | None = None,
    *,
    model: Sequence[str] = (),
    setconst: bool = False,
) -> StepGradient:
    """Gradient by state, control, applied forces and model of a scalar, from those by next state and sensors.

    Parameters
    ----------
    next, sensor : (nx,), (nsensordata,), optional
        The scalar's gradients; zero where nothing is given. One by sensors costs as many columns as a matrix.
    model : names
        Arrays of the model by which gradients are wanted, as in `parameter.h`: body_mass, body_inertia, body_ipos,
        body_iquat, dof_armature, dof_damping, dof_dampingpoly, dof_frictionloss, jnt_stiffness, jnt_stiffnesspoly,
        qpos_spring, tendon_stiffness, tendon_stiffnesspoly, tendon_damping, tendon_dampingpoly, tendon_frictionloss,
        actuator_gainprm, actuator_biasprm, actuator_dynprm, actuator_gear, geom_friction, pair_friction, geom_size,
        geom_pos, geom_quat, gravity, body_invweight0, dof_invweight0, tendon_invweight0. They have the shapes of the arrays; by quaternions they are (n, 3), by rotations about the
        axes of the frame.
    setconst : bool
        Whether `setConst` follows a change of the arrays; else all others are held as the model has them.
    """
    bits, flat, arrays = _place(m, model)
    out = StepGradient(
        np.empty(2 * m.nv + m.na), np.empty(m.nu), np.empty(m.nv), np.empty((m.nbody, 6)), arrays
    )
    _core.stepVJP(m, d, bits, int(setconst), next, sensor, *out[:4], flat)
    return out


def rolloutGradient(
    m: Model,
    d: Data,
    ctrl: ArrayLike,
    gradient_x: ArrayLike | None = None,
    gradient_sensor: ArrayLike | None = None,
    qfrc_applied: ArrayLike | None = None,
    *,
    checkpoints: int = 0,
    model: Sequence[str] = (),
    setconst: bool = False,
) -> RolloutGradient:
    """Gradient of a loss over T steps from the state of the data, by the adjoint of each.

    Parameters
    ----------
    ctrl : (T, nu)
        Controls of the steps.
    gradient_x : (T + 1, nx), optional
        Of the loss by the state before each step and by the last one.
    gradient_sensor : (T, nsensordata), optional
        Of the loss by the sensors of each step.
    qfrc_applied : (T, nv), optional
        Forces of the steps; else those of the data.
    checkpoints : int
        States kept from the first pass; 0: about sqrt(T), which takes least memory. The result has the same bits.
    model, setconst
        As of `stepVJP`: arrays of the model, which are the same in all steps.
    """
    ctrl = np.asarray(ctrl, float)
    if ctrl.ndim != 2:
        raise ValueError("rolloutGradient: ctrl must have the shape (T, nu)")
    count, nx = len(ctrl), 2 * m.nv + m.na
    body = end = None
    if gradient_x is not None:
        every = np.asarray(gradient_x, float)
        if every.shape != (count + 1, nx):
            raise ValueError(
                f"rolloutGradient: gradient_x must have the shape {(count + 1, nx)}, not {every.shape}"
            )
        body, end = every[:-1], every[-1]
    bits, flat, arrays = _place(m, model)
    out = RolloutGradient(
        np.empty(nx),
        np.empty((count, m.nu)),
        np.empty((count, m.nv)),
        np.empty((count, m.nbody, 6)),
        arrays,
    )
    _core.rolloutGradient(
        *(m, d, bits, int(setconst), checkpoints, ctrl, qfrc_applied, body, end, gradient_sensor),
        *out[:4],
        flat,
    )
    return out


def linearize(m: Model, d: Data, *, hold: bool = False) -> Linearization:
    """The linear system of a step around the state of the data: dx+ = A dx + B du, ds = C dx + D du.

    Parameters
    ----------
    hold : bool
        Look for the controls that hold the state first: velocities become zero, and `ctrl` (with activations at rest
        under it) such that a step changes them least, by Newton's method from the controls of the data. `qvel`,
        `ctrl` and `act` of the data are set.

    Returns
    -------
    A, B, C, D
        As `transitionDerivative`.
    ctrl0 : (nu,)
        The controls of this point.
    rest : float
        Largest change of velocity in a step, 0 at an equilibrium. Above that: too few actuators to hold the state,
        limits in the way, or a state that moves.
    """
    if hold:
        d.qvel[:] = 0
        _hold(m, d)
    return Linearization(
        *transitionDerivative(m, d), d.ctrl.copy(), float(_change(m, d).max(initial=0))
    )


def _change(m: Model, d: Data) -> _Array:
    return np.abs(_drift(m, d))


def _drift(m: Model, d: Data) -> _Array:
    """Change of velocity in a step, from a copy."""
    other = copy.copy(d)
    _core.step(m, other, 1)
    return other.qvel - d.qvel


def _integrates(m: Model, i: int) -> bool:
    return m.actuator_dyntype[i] == DynType.INTEGRATOR or (
        m.actuator_dyntype[i] == DynType.PID and m.actuator_gainprm[i, 0] > 0
    )


def _resting(m: Model) -> list[tuple[int, int]]:
    """Controls and the activations that at rest are as they; of a PID controller its setpoint, its first."""
    kinds = (DynType.FILTER, DynType.FILTEREXACT, DynType.MUSCLE)
    return [
        (m.actuator_ctrladr[i], m.actuator_actadr[i] + m.actuator_actnum[i] - 1)
        for i in range(m.nactuator)
        if m.actuator_dyntype[i] in kinds
    ] + [
        (m.actuator_ctrladr[i], m.actuator_actadr[i])
        for i in range(m.nactuator)
        if m.actuator_dyntype[i] == DynType.PID and m.actuator_dynprm[i, 1] > 0
    ]


def _still(m: Model, d: Data, i: int) -> float:
    """The control at which the integral of actuator i stays."""
    return d.actuator_length[m.actuator_outadr[i]] if m.actuator_dyntype[i] == DynType.PID else 0


def _hold(m: Model, d: Data, most: int = 30) -> None:
    """Newton's method for the inputs: controls, and activations that rest at them or, integrals, by themselves."""
    nv = m.nv
    rest = _resting(m)
    integrators = [i for i in range(m.nactuator) if _integrates(m, i)]
    free = [m.actuator_actadr[i] + m.actuator_actnum[i] - 1 for i in integrators]
    held = [m.actuator_ctrladr[i] for i in integrators]
    _core.forward(m, d)
    for i, k in zip(integrators, held, strict=True):
        d.ctrl[k] = _still(m, d, i)
    for i, k in rest:
        d.act[k] = d.ctrl[i]
    drift = _drift(m, d)
    for _ in range(most):
        A, B = transitionDerivative(m, d)[:2]
        by = B[nv : 2 * nv].copy()
        for i, k in rest:
            by[:, i] += A[nv : 2 * nv, 2 * nv + k]
        by[:, held] = 0
        by = np.hstack([by, A[nv : 2 * nv][:, [2 * nv + k for k in free]]])
        step = -np.linalg.lstsq(by, drift, rcond=1e-10)[0]
        before = d.ctrl.copy(), d.act.copy()
        scale, size = 1.0, np.linalg.norm(drift)
        while True:
            _set_inputs(m, d, before, scale * step, rest, free)
            drift = _drift(m, d)
            if np.linalg.norm(drift) < size or scale < 1e-4:
                break
            scale /= 2
        if np.linalg.norm(drift) >= size:
            d.ctrl[:], d.act[:] = before
            return
        if size - np.linalg.norm(drift) <= 1e-14 * max(1.0, size):
            return


def _set_inputs(
    m: Model,
    d: Data,
    before: tuple[_Array, _Array],
    step: _Array,
    rest: list[tuple[int, int]],
    free: list[int],
) -> None:
    """ctrl and act of the data from those before and a step; within ctrlrange."""
    ctrl = before[0] + step[: m.nu]
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = m.actuator_ctrlrange.T
    d.ctrl[:] = np.where(limited, np.clip(ctrl, low, high), ctrl)
    d.act[:] = before[1]
    for i, k in rest:
        d.act[k] = d.ctrl[i]
    for k, by in zip(free, step[m.nu :], strict=True):
        d.act[k] += by
