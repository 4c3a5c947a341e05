"""Rollouts on NumPy arrays as a function of their inputs, and its adjoint: what sinew.torch and sinew.jax wrap.

A state is x = (qpos, qvel, act), nq + nv + na numbers. Of the quaternions in it the engine sees the direction alone,
q / |q|, and those that it gives are of length one. With the tangent w of `integratePos`, dq = q (0, w) / 2, a gradient
y by a quaternion that comes out is vec(conj(q) y) / 2 by the tangent, and a gradient g by the tangent of one that goes
in is 2 q (0, g) / |q|^2 by its components, zero along q.
"""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._enums import JointType, StateBit
from ._functions import getState
from ._types import Data, Model

_Array = NDArray[np.float64]
_Shape = tuple[int, ...]


class Rollouts:
    """Rollouts of a model from `start`, a state with all that steps depend on, but for x, controls and forces.

    Arrays are start (..., n), x (..., nq + nv + na), ctrl (..., T, nu), force (..., T, nv), states (..., T,
    nq + nv + na) and sensors (..., T, nsensordata), with the same leading dimensions. Each call works on a data of
    its own. Those of the same model and data are equal: JAX keeps what it has compiled for one.
    """

    def __init__(self, model: Model, data: Data | None) -> None:
        self.model, self.data = model, data
        self.size = model.nq + model.nv + model.na
        joints = [(t, q, v) for t, q, v in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr)]
        quats = [(q, v) for t, q, v in joints if t == JointType.BALL]
        quats += [(q + 3, v + 3) for t, q, v in joints if t == JointType.FREE]
        at = np.array(quats, int).reshape(-1, 2)
        self.quats = at[:, :1] + np.arange(4)  # places in qpos
        self.turns = at[:, 1:] + np.arange(3)  # and in its tangent
        self.plain = np.setdiff1d(np.arange(self.size), self.quats)
        self.plain_tangent = np.setdiff1d(np.arange(2 * model.nv + model.na), self.turns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rollouts) and (self.model, self.data) == (other.model, other.data)

    def __hash__(self) -> int:
        return hash((self.model, self.data))

    def start(self) -> tuple[_Array, _Array]:
        """Start (n,) and qfrc_applied (nv,) as they are in the data now."""
        data = Data(self.model) if self.data is None else self.data
        return getState(self.model, data, StateBit.INTEGRATION), data.qfrc_applied.copy()

    def batch(self, state: _Shape, ctrl: _Shape, force: _Shape) -> _Shape:
        """Leading dimensions of inputs of these shapes, which may be broadcast."""
        steps = ctrl[-2] if len(ctrl) > 1 else "T"
        wanted = (
            ("state", state, (self.size,)),
            ("ctrl", ctrl, (steps, self.model.nu)),
            ("qfrc_applied", force, (steps, self.model.nv)),
        )
        for name, shape, last in wanted:
            if tuple(shape[-len(last) :]) != last:
                ends = ", ".join(map(str, last))
                raise ValueError(f"{name} has the shape {tuple(shape)}, must be (..., {ends})")
        return np.broadcast_shapes(*(shape[: -len(last)] for _, shape, last in wanted))

    def run(self, start: _Array, x: _Array, ctrl: _Array, force: _Array) -> tuple[_Array, _Array]:
        """States after each step, and sensors of the states before."""
        states = np.empty((*ctrl.shape[:-1], self.size))
        sensors = np.empty((*ctrl.shape[:-1], self.model.nsensordata))
        data = self._new_data()
        for i in np.ndindex(ctrl.shape[:-2]):
            self._enter(data, start[i], x[i])
            for t in range(ctrl.shape[-2]):
                data.ctrl[:], data.qfrc_applied[:] = ctrl[i][t], force[i][t]
                _core.step(self.model, data, 1)
                _core.getState(self.model, data, states[i][t], StateBit.PHYSICS)
                sensors[i][t] = data.sensordata
        return states, sensors

    def gradient(
        self,
        start: _Array,
        x: _Array,
        ctrl: _Array,
        force: _Array,
        states: _Array,
        by_states: _Array,
        by_sensors: _Array,
    ) -> tuple[_Array, _Array, _Array]:
        """Gradients by x, ctrl and force from those by what `run` made of them."""
        steps, sensors = ctrl.shape[-2], self.model.nsensordata
        by_tangents = self._to_tangent(states, by_states)
        by_x = np.empty((*x.shape[:-1], by_tangents.shape[-1]))
        by_ctrl, by_force = np.empty(ctrl.shape), np.empty(force.shape)
        data = self._new_data()
        for i in np.ndindex(ctrl.shape[:-2]):
            self._enter(data, start[i], x[i])
            every = np.vstack([np.zeros_like(by_x[i]), by_tangents[i]])  # the first state's, too
            inputs = (
                ctrl[i],
                force[i],
                every[:steps],
                every[steps],
                by_sensors[i] if sensors else None,
            )
            outputs = by_x[i], by_ctrl[i], by_force[i], None
            _core.rolloutGradient(self.model, data, 0, 0, 0, *inputs, *outputs, None)
        return self._from_tangent(x, by_x), by_ctrl, by_force

    def _new_data(self) -> Data:
        return Data(self.model) if self.data is None else copy.copy(self.data)

    def _enter(self, data: Data, start: _Array, x: _Array) -> None:
        _core.setState(self.model, data, start, StateBit.INTEGRATION)
        _core.setState(self.model, data, x, StateBit.PHYSICS)

    def _to_tangent(self, x: _Array, by_x: _Array) -> _Array:
        """Gradient by the tangent from that by states with unit quaternions."""
        result = np.empty((*x.shape[:-1], 2 * self.model.nv + self.model.na))
        result[..., self.plain_tangent] = by_x[..., self.plain]
        q, y = x[..., self.quats], by_x[..., self.quats]
        turned = (
            q[..., :1] * y[..., 1:] - y[..., :1] * q[..., 1:] - np.cross(q[..., 1:], y[..., 1:])
        )
        result[..., self.turns] = turned / 2
        return result

    def _from_tangent(self, x: _Array, by_tangent: _Array) -> _Array:
        """Gradient by states, with quaternions of any length, from that by the tangent."""
        result = np.empty(x.shape)
        result[..., self.plain] = by_tangent[..., self.plain_tangent]
        q, g = x[..., self.quats], by_tangent[..., self.turns]
        square = np.maximum(np.sum(q * q, -1, keepdims=True), np.finfo(float).tiny)
        along = -np.sum(q[..., 1:] * g, -1, keepdims=True)
        across = q[..., :1] * g + np.cross(q[..., 1:], g)
        result[..., self.quats] = np.concatenate([along, across], -1) * 2 / square
        return result
