"""Batches of simulations on several threads: the peer's module `mujoco.rollout`."""

from __future__ import annotations

import atexit
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._enums import StateBit
from . import _rollout
from ._enums import ENUMS
from ._lanes import Lanes
from ._native import signature
from ._release import IS_LATER
from ._structs import MjData, MjModel

_Array = NDArray[np.float64]
_STATE = ENUMS["mjtState"]
_FULL = int(_STATE.mjSTATE_FULLPHYSICS)
_USER = int(_STATE.mjSTATE_USER)


class Rollout:
    """Threads that stay for many rollouts; ends them with `close`, or at the end of a `with`.

    Parameters
    ----------
    nthread : int, optional
        How many threads, and so how many data a rollout takes. 0, None: rollouts run in the calling thread.
    """

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = 0 if nthread is None else nthread
        self.rollout_ = _rollout.Rollout(nthread=self.nthread)
        self._lanes = Lanes(max(self.nthread, 1))

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the threads; no rollout can run after it."""
        self.rollout_ = None
        self._lanes.batch = None

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: ArrayLike,
        control: ArrayLike | None = None,
        *,
        control_spec: int = _STATE.mjSTATE_CTRL.value,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: ArrayLike | None = None,
        state: ArrayLike | None = None,
        sensordata: ArrayLike | None = None,
        chunk_size: int | None = None,
    ) -> tuple[_Array | None, _Array | None]:
        """Simulate nbatch trajectories of nstep steps, see `rollout`."""
        pool = self.rollout_
        if pool is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        models = [model] if isinstance(model, MjModel) else list(model)
        datas = [data] if isinstance(data, MjData) else list(data)
        if chunk_size is not None:
            chunk_size = _integer(chunk_size, "chunk_size")
        if not skip_checks:
            initial_state, control, nstep, initial_warmstart, state, sensordata = _complete(
                models,
                initial_state,
                control,
                control_spec,
                nstep,
                initial_warmstart,
                state,
                sensordata,
            )
        elif nstep is None:
            raise TypeError("nstep must be given with skip_checks")
        elif nstep < 0:
            raise ValueError(f"nstep must be non-negative, not {nstep}")
        if IS_LATER:
            _refuse_threads(datas)
        given = (initial_state, initial_warmstart, control, state, sensordata)
        rest, bits = None, signature(control_spec)
        if not skip_checks and self._lanes.suit(models, datas, bits, nstep, len(given[0])):
            rest = self._lanes.run(models[0], datas[0], nstep, bits, *given)
        if rest is None:
            pool.rollout(models, datas, nstep, bits, *given, chunk_size)
        elif rest.size:
            some = [None if array is None else array[rest] for array in given]
            pool.rollout(models, datas, nstep, bits, *some, chunk_size)
            state[rest], sensordata[rest] = some[3:]
        return state, sensordata


persistent_rollout: Rollout | None = None


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: ArrayLike,
    control: ArrayLike | None = None,
    *,
    control_spec: int = _STATE.mjSTATE_CTRL.value,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: ArrayLike | None = None,
    state: ArrayLike | None = None,
    sensordata: ArrayLike | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
) -> tuple[_Array | None, _Array | None]:
    """Simulate nbatch trajectories of nstep steps, shared out to as many threads as there are data.

    nbatch and nstep follow from the arrays, whose leading dimensions may be 1, or be left out, where the
    same holds for all. Each trajectory starts from no warm start and, what `control` does not set, the
    model's own inputs; `userdata` and, without `control`, what is in `control_spec` are as in the data. A
    warning, of divergence or a full arena, ends it: its last state fills the rest. Results are the same bits
    at any number of threads: those of `mj_step`, or, from 32 trajectories of one model on, of `sinew.Batch`, which
    agree to 1e-11 a step. `sinew.mujoco._lanes.FEWEST = math.inf` gives the bits of `mj_step` always; so do callbacks
    in Python, `skip_checks` and what lanes cannot do (`sinew.Batch.scalar_features`). Those of a batch leave `data`
    as it is.

    Parameters
    ----------
    model : MjModel or sequence of MjModel
        One for all trajectories, or one for each, of equal sizes.
    data : MjData or sequence of MjData
        Memory to simulate in: one for each thread.
    initial_state : array (nbatch, nstate)
        First states: time, positions, velocities, activations (`mjSTATE_FULLPHYSICS`).
    control : array (nbatch, nstep, ncontrol), optional
        What is set before each step, of the size and order of `control_spec`.
    control_spec : int
        Bits of mjtState, of those in `mjSTATE_USER`.
    skip_checks : bool
        Take the arrays as they are: complete, of float64, nstep given. Outputs that are None are not made.
    nstep : int, optional
        Steps.
    initial_warmstart : array (nbatch, nv), optional
        First `qacc_warmstart`.
    state : array (nbatch, nstep, nstate), optional
        Where the states go.
    sensordata : array (nbatch, nstep, nsensordata), optional
        Where the sensors go.
    chunk_size : int, optional
        Trajectories that a thread takes at a time; by default nbatch / (10 nthread).
    persistent_pool : bool
        Keep the threads for the next call with as many data, until `shutdown_persistent_pool`.

    Returns
    -------
    state, sensordata : arrays
        The states after each step and the sensors of it.
    """
    count = 1 if isinstance(data, MjData) else len(data)
    arguments = {
        "control_spec": control_spec,
        "skip_checks": skip_checks,
        "nstep": nstep,
        "initial_warmstart": initial_warmstart,
        "state": state,
        "sensordata": sensordata,
        "chunk_size": chunk_size,
    }
    pool = _persistent(count) if persistent_pool else Rollout(nthread=_threads(count))
    try:
        return pool.rollout(model, data, initial_state, control, **arguments)
    finally:
        if not persistent_pool:
            pool.close()


def shutdown_persistent_pool() -> None:
    """End the threads that `rollout` has kept."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


atexit.register(shutdown_persistent_pool)


def _threads(count: int) -> int:
    """Threads for as many data: none for one, which the caller can do."""
    return count if count > 1 else 0


def _persistent(count: int) -> Rollout:
    """The pool that is kept, made anew where it has not the threads."""
    global persistent_rollout
    if persistent_rollout is None or persistent_rollout.nthread != _threads(count):
        shutdown_persistent_pool()
        persistent_rollout = Rollout(nthread=_threads(count))
    return persistent_rollout


def _refuse_threads(datas: list[MjData]) -> None:
    """Refuse data whose steps have threads of their own, as release 4.0 does."""
    for k, data in enumerate(datas):
        if isinstance(data, MjData) and data.threads > 1:
            raise ValueError(f"data[{k}] has a thread pool: mju_threadpool(data, 0) takes it away")


def _integer(value: Any, name: str) -> int:
    """An int; a bool or a float is none."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise ValueError(f"{name} must be an integer")


def _lead(value: Any, ndim: int, name: str) -> _Array | None:
    """An array of ndim dimensions, those that are missing put in front."""
    if value is None:
        return None
    if not isinstance(value, np.ndarray | float):
        raise ValueError(f"{name} must be a numpy array or float")
    array = np.asarray(value)
    if array.ndim > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    return np.ascontiguousarray(array, dtype=np.float64)


def _infer(axis: int, value: int, arrays: dict[str, _Array | None]) -> int:
    """Extent of an axis in which arrays may have 1; `value` is what is known, 1: nothing."""
    for name, array in arrays.items():
        extent = 1 if array is None else array.shape[axis]
        if value == 1:
            value = extent
        elif extent not in (1, value):
            raise ValueError(f"dimension {axis} inferred as {value} but {name} has {extent}")
    return value


def _spread(array: _Array | None, *extents: int) -> _Array | None:
    """An array whose first extents are these, repeated where they are 1."""
    if array is None or array.shape[: len(extents)] == extents:
        return array
    return np.ascontiguousarray(np.broadcast_to(array, extents + array.shape[len(extents) :]))


def _complete(
    models: list[MjModel],
    initial_state: Any,
    control: Any,
    control_spec: int,
    nstep: Any,
    initial_warmstart: Any,
    state: Any,
    sensordata: Any,
) -> tuple[_Array, _Array | None, int, _Array | None, _Array, _Array]:
    """The arguments of a rollout, checked, with all their dimensions, and with outputs."""
    if not models:
        raise IndexError("the list of models is empty")
    if control_spec & ~_USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    if initial_state is None:
        raise ValueError("initial_state must be a numpy array or float")
    steps = 1 if nstep is None else _integer(nstep, "nstep") or (0 if IS_LATER else 1)
    if steps < 0:
        raise ValueError(f"nstep must be non-negative, not {steps}")
    model = models[0]
    if not IS_LATER and _core.stateSize(model, int(StateBit.HISTORY)):
        raise ValueError("the model has histories, which these states have not: use sinew.rollout")
    batches = {
        "initial_state": _lead(initial_state, 2, "initial_state"),
        "initial_warmstart": _lead(initial_warmstart, 2, "initial_warmstart"),
        "control": _lead(control, 3, "control"),
        "state": _lead(state, 3, "state"),
        "sensordata": _lead(sensordata, 3, "sensordata"),
    }
    nstate, inputs = (_core.stateSize(model, signature(bits)) for bits in (_FULL, control_spec))
    trailing = (nstate, model.nv, inputs, nstate, model.nsensordata)
    for (name, array), extent in zip(batches.items(), trailing, strict=True):
        if array is not None and array.shape[-1] != extent:
            raise ValueError(
                f"trailing dimension of {name} must be {extent}, got {array.shape[-1]}"
            )
    count = _infer(0, 1, batches)
    if len(models) > 1 and count == 1:
        count = len(models)
    elif len(models) not in (1, count):
        raise ValueError(f"nbatch inferred as {count} but model is length {len(models)}")
    steps = _infer(1, steps, {name: batches[name] for name in ("control", "state", "sensordata")})
    first, warmstart, driven, states, sensors = batches.values()
    if states is None:
        states = np.empty((count, steps, nstate))
    if sensors is None:
        sensors = np.empty((count, steps, model.nsensordata))
    return (
        _spread(first, count),
        _spread(driven, count, steps),
        steps,
        _spread(warmstart, count),
        states,
        sensors,
    )


__all__ = ["Rollout", "persistent_rollout", "rollout", "shutdown_persistent_pool"]
