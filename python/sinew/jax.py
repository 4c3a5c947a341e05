"""Steps and rollouts as functions of JAX, with gradients by the adjoint of each step.

A state is an array (qpos, qvel, act) of nq + nv + na numbers in float64. Leading dimensions are a batch, gone through
one by one; those of the arguments are broadcast. Works under jit, vmap and grad; the engine runs on the CPU. Gradients
are first ones in reverse mode only.

>>> import jax
>>> import jax.numpy as jnp
>>> jax.config.update("jax_enable_x64", True)
>>> import sinew.jax
>>> model = sinew.Model.from_xml("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
>>> def height(state):
...     return sinew.jax.rollout(model, state, jnp.empty((100, 0)))[0][-1, 2]
>>> state = jnp.array([0.0, 0, 1, 1, 0, 0, 0] + [0] * 6)
>>> round(float(jax.grad(height)(state)[9]), 6)  # by the velocity upwards
0.2
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    from ._extra import install

    raise ImportError(f"sinew.jax needs JAX: {install('jax')}") from error

import numpy as np
from jax.typing import ArrayLike

from ._autodiff import Rollouts
from ._core import NotSupportedError
from ._types import Data, Model

__all__ = ["rollout", "step"]


def step(
    model: Model,
    state: ArrayLike,
    ctrl: ArrayLike,
    qfrc_applied: ArrayLike | None = None,
    *,
    data: Data | None = None,
) -> tuple[jax.Array, jax.Array]:
    """One step: the next state (..., nq + nv + na) and the sensors (..., nsensordata) of the state before it.

    Parameters
    ----------
    state, ctrl, qfrc_applied, data
        As for `rollout`, of one step: (..., nu), (..., nv).
    """
    force = None if qfrc_applied is None else jnp.asarray(qfrc_applied)[..., None, :]
    states, sensors = rollout(model, state, jnp.asarray(ctrl)[..., None, :], force, data=data)
    return states[..., 0, :], sensors[..., 0, :]


def rollout(
    model: Model,
    state: ArrayLike,
    ctrl: ArrayLike,
    qfrc_applied: ArrayLike | None = None,
    *,
    data: Data | None = None,
) -> tuple[jax.Array, jax.Array]:
    """T steps: the states (..., T, nq + nv + na) after each, the sensors (..., T, nsensordata) of those before.

    Parameters
    ----------
    state : (..., nq + nv + na)
        Where it begins; quaternions count by their direction.
    ctrl : (..., T, nu)
        Controls of the steps.
    qfrc_applied : (..., T, nv), optional
        Forces of the steps; else those of `data` all along.
    data : Data, optional
        Has all else that steps depend on, as it is now (under jit: when traced): time, mocap poses, `xfrc_applied`,
        `eq_active`, warm start. Else that is as in a new Data. It is not changed.
    """
    if jnp.result_type(float) != jnp.float64:
        raise TypeError('sinew.jax needs float64: jax.config.update("jax_enable_x64", True)')
    rollouts = Rollouts(model, data)
    start, force = rollouts.start()
    state, ctrl = jnp.asarray(state), jnp.asarray(ctrl)
    if qfrc_applied is None:
        qfrc_applied = jnp.broadcast_to(force, (*ctrl.shape[-2:-1], model.nv))
    force = jnp.asarray(qfrc_applied)
    for name, array in (("state", state), ("ctrl", ctrl), ("qfrc_applied", force)):
        if array.dtype != jnp.float64:
            raise TypeError(f"{name} is {array.dtype}, must be float64: {name}.astype(float)")
    batch = rollouts.batch(state.shape, ctrl.shape, force.shape)
    arrays = (start, 1), (state, 1), (ctrl, 2), (force, 2)
    return _rollout(rollouts, *(jnp.broadcast_to(a, (*batch, *a.shape[-n:])) for a, n in arrays))


@dataclass(frozen=True)
class _OnNumpy:
    """A method of rollouts as JAX calls it; one of equal rollouts is equal."""

    rollouts: Rollouts
    method: str

    def __call__(self, *arrays):
        return getattr(self.rollouts, self.method)(*map(np.asarray, arrays))


def _call(rollouts, method, shapes, *arrays):
    """A method of rollouts in the midst of JAX."""
    results = tuple(jax.ShapeDtypeStruct(shape, jnp.float64) for shape in shapes)
    return jax.pure_callback(
        _OnNumpy(rollouts, method), results, *arrays, vmap_method="broadcast_all"
    )


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _rollout(rollouts, start, state, ctrl, force):
    every = ctrl.shape[:-1]
    shapes = (*every, rollouts.size), (*every, rollouts.model.nsensordata)
    return _call(rollouts, "run", shapes, start, state, ctrl, force)


def _rollout_forward(rollouts, *arrays):
    states, sensors = _rollout(rollouts, *arrays)
    return (states, sensors), (*arrays, states)


def _rollout_backward(rollouts, kept, gradients):
    return None, *_gradient(rollouts, *kept, *gradients)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _gradient(rollouts, *arrays):
    return _call(rollouts, "gradient", [a.shape for a in arrays[1:4]], *arrays)


def _no_second(*_):
    raise NotSupportedError("sinew.jax: a rollout has first derivatives only")


_rollout.defvjp(_rollout_forward, _rollout_backward)
_gradient.defvjp(_no_second, _no_second)
