"""Many simulations of one model: the names of the newest peer's module `mujoco.batch`.

Each simulation is a row of states; results have the bits of a loop over `mj_step` at any number of threads. With
`lanes=True` they go in lanes of the processor's vectors, as a `sinew.Batch`: faster, and to 1e-11 a step the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ._batch_elements import KINDS, KINDS_OF_MODELS, Element
from ._batch_elements import structural as _structural  # noqa: F401 as programs of the peer's tests have it
from ._batch_fields import (
    ACC,
    DATA_FIELDS,
    INPUTS,
    MODEL_FIELDS,
    NONE,
    STATE,
    checked_integers,
    checked_stage,
    hint,
    not_bound,
    not_expanded,
    refuse_callbacks,
)
from ._batch_fields import checked_ids as _ids
from ._each import Each
from ._lane_batch import LaneBatch
from ._native import signature
from ._structs import MjData, MjModel

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

_CTRL = int(STATE.mjSTATE_CTRL)


class SimulationError(RuntimeError):
    """Simulations `ids` of a call failed and kept their states; the others went on. `Batch.error(i)` says why."""

    def __init__(self, ids: NDArray[Any], message: str, ncall: int | None = None) -> None:
        self.ids = ids
        of = "" if ncall is None else f" of {ncall}"
        some = ", ".join(map(str, ids[:5])) + ", ..." * (len(ids) > 5)
        super().__init__(
            f"failed in {len(ids)}{of} simulations ({some}); simulation {ids[0]}: {message}"
        )


class Batch:
    """nsim simulations of a copy of model, on nthread threads (0: one for each processor).

    `bind(field)` and attributes are live arrays (nsim, ...), `expand(field)` gives simulations a model field of
    their own.

    Parameters
    ----------
    model : MjModel
        Whose simulations they are; it is copied.
    nsim, nthread : int
        Simulations, and threads, the caller's counted.
    persistent : bool
        Keep a data for each simulation, which a model with sleep needs, instead of one for each thread.
    lanes : bool
        Step in lanes of the processor's vectors; `batch` is then the `sinew.Batch` that does.
    """

    def __init__(
        self,
        model: MjModel,
        nsim: int,
        nthread: int = 0,
        persistent: bool = False,
        *,
        lanes: bool = False,
    ) -> None:
        refuse_callbacks()
        self._b = (LaneBatch if lanes else Each)(model, nsim, nthread, persistent)
        self.model = model
        self._models: MjModel | tuple[MjModel, ...] | None = None
        self._bound: dict[str, NDArray[Any]] = {}
        self._expanded: dict[str, NDArray[Any]] = {}
        self._sample: MjData | None = None

    nsim = property(lambda self: self._b.nsim, doc="Simulations.")
    nthread = property(lambda self: self._b.nthread, doc="Threads, the caller's counted.")
    nstate = property(lambda self: self._b.nstate, doc="Numbers of a state, `mjSTATE_INTEGRATION`.")
    persistent = property(lambda self: self._b.persistent, doc="Whether each has its data.")
    state = property(lambda self: self._b.rows, doc="Live states (nsim, nstate).")
    warning = property(
        lambda self: self._b.warning,
        doc="Warnings (nsim, mjNWARNING, 2): what raised one last, how many times.",
    )
    models = property(lambda self: self._models, doc="The caller's models, or None.")

    @property
    def batch(self) -> Any:
        """The `sinew.Batch` of lanes."""
        return self._b.batch

    @property
    def status(self) -> NDArray[np.int32]:
        """1 for each simulation (nsim,) that failed in its last call, read-only."""
        view = self._b.status[...]
        view.flags.writeable = False
        return view

    @property
    def sample(self) -> MjData:
        """A data of the model, whose elements say where their parts stand in the fields."""
        if self._sample is None:
            self._sample = MjData(self.model)
        return self._sample

    def error(self, sim: int) -> str:
        """Return what simulation sim failed by in its last call, or ''."""
        return self._b.error(sim)

    # ---- fields

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in DATA_FIELDS:
            return self.bind(name)
        raise AttributeError(
            f"'Batch' object has no attribute {name!r}{'' if name[0] == '_' else hint(name)}"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name in MODEL_FIELDS and name not in DATA_FIELDS:
            raise AttributeError(f"'Batch' object has no attribute {name!r}{hint(name)}")
        if name not in DATA_FIELDS:
            return object.__setattr__(self, name, value)
        if name not in INPUTS:
            raise ValueError(
                f"{name} is computed by every call and cannot be written; write qpos, ctrl, ..."
            )
        self.bind(name)[...] = value

    def bind(self, name: str) -> NDArray[Any]:
        """Return the live (nsim, ...) array of a field of the data; computed ones are read-only.

        Fields of the state are views of the rows of `state`. Others are as the last call left them, and zero before.
        """
        if name not in DATA_FIELDS:
            raise not_bound(self.sample, name)
        if name in INPUTS:
            return self._b.input(name)
        if name not in self._bound:
            self._bound[name] = self._b.output(name)
        array = self._bound[name][...]
        array.flags.writeable = False
        return array

    def expand(self, name: str) -> NDArray[Any]:
        """Return the live (nsim, ...) array of a field of the model, or 'opt.<name>', which simulations then have of their own."""
        if name not in self._expanded:
            array = self._b.expand(name) if name in MODEL_FIELDS else None
            if array is None:
                raise not_expanded(self.model, name)
            self._expanded[name] = array
        return self._expanded[name]

    def expanded(self, name: str) -> NDArray[Any] | None:
        """Return a field that `expand` or `set_const` has given to simulations, read-only, or None."""
        if name not in MODEL_FIELDS:
            raise not_expanded(self.model, name)
        array = self._b.expanded(name)
        if array is None:
            return None
        view = array[...]
        view.flags.writeable = False
        return view

    # ---- calls

    def step(self, ids: ArrayLike | None = None, nstep: int = 1, stage: int = NONE) -> None:
        """Step nstep times, then compute stages up to `stage` (mjtStage) at the new state.

        Computed fields are those of the state before the last step, as after `mj_step`, unless a stage is asked for.
        """
        stage, chosen = checked_stage(stage), _ids(ids, self.nsim)
        self._check(chosen, self._b.step(chosen, nstep, stage))

    def forward(self, ids: ArrayLike | None = None, stage: int = ACC) -> None:
        """Compute stages up to `stage` (mjtStage)."""
        stage, chosen = checked_stage(stage), _ids(ids, self.nsim)
        self._check(chosen, self._b.forward(chosen, stage))

    def reset(
        self, ids: ArrayLike | None = None, keyframe: ArrayLike = -1, stage: int = ACC
    ) -> None:
        """Reset to the model's defaults (-1) or to keyframes, one for all or one each; then compute stages."""
        stage, chosen = checked_stage(stage), _ids(ids, self.nsim)
        models = self._models if isinstance(self._models, tuple) else [self._models or self.model]
        most = max(model.nkey for model in models)
        keys = checked_integers(keyframe, (self._number(chosen),), -1, most, "keyframe")
        self._check(chosen, self._b.reset(chosen, None if (keys < 0).all() else keys, stage))

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """Run `mj_setConst` for each simulation; what it gives become fields of their own."""
        chosen = _ids(ids, self.nsim)
        self._check(chosen, self._b.set_const(chosen))

    def _number(self, ids: NDArray[np.int32] | None) -> int:
        return self.nsim if ids is None else len(ids)

    def _check(self, ids: NDArray[np.int32] | None, failed: int) -> None:
        """Raise if simulations failed."""
        if failed:
            ran = np.arange(self.nsim) if ids is None else ids
            bad = ran[self._b.status[ran] != 0]
            raise SimulationError(bad, self.error(int(bad[0])), len(ran))

    def rollout(
        self,
        nstep: int,
        control: ArrayLike | None = None,
        control_spec: int = _CTRL,
        record: Sequence[str | int] = ("qpos",),
        ids: ArrayLike | None = None,
        out: dict[Any, NDArray[Any]] | None = None,
    ) -> dict[Any, NDArray[Any]]:
        """Step nstep times, with controls (n, nstep, ncontrol) for each step, and record fields and state vectors after each.

        A simulation that warns stops there: its last records fill the rest.

        Returns
        -------
        dict of each item of `record` to an array (n, nstep, ...): those of `out`, or new ones
        """
        refuse_callbacks()
        chosen, spec = _ids(ids, self.nsim), int(control_spec)
        n = self._number(chosen)
        if control is not None:
            size = _core.stateSize(self.model, signature(spec))
            control = np.broadcast_to(np.asarray(control, float), (n, nstep, size))
            control = np.ascontiguousarray(control)
        results, records = {}, []
        for item in record:
            shape, dtype = self._recorded(item)
            array = _result(item, (out or {}).get(item), (n, nstep, *shape), dtype)
            records.append((item, 0, array) if isinstance(item, str) else (None, int(item), array))
            results[item] = array
        self._check(chosen, self._b.rollout(chosen, nstep, control, spec, records))
        return results

    def _recorded(self, item: str | int) -> tuple[tuple[int, ...], np.dtype]:
        """Shape and type of what is recorded once."""
        if not isinstance(item, str):
            return (_core.stateSize(self.model, signature(item)),), np.dtype(float)
        if item not in DATA_FIELDS:
            raise not_bound(self.sample, item)
        like = self._b.template(item)
        return like.shape, like.dtype

    # ---- single simulations

    def set_models(self, models: MjModel | Sequence[MjModel] | None) -> None:
        """Run simulation i on models[i], or all on one model, of the sizes of the batch's; None: on the batch's again."""
        given = models
        if models is not None and not isinstance(models, _core.Model):
            given = models = tuple(models)
            if len(models) != self.nsim:
                raise ValueError(
                    f"set_models: {len(models)} models, needs one per simulation: {self.nsim}"
                )
        elif models is not None:
            models = (models,) * self.nsim
        self._b.set_models(models)
        self._models = given

    def _model_of(self, sim: int) -> MjModel:
        """The model of a simulation, without fields of its own."""
        models = self.model if self._models is None else self._models
        return models[sim] if isinstance(models, tuple) else models

    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """Return the model of simulation sim, with the fields that are its own, or write them into `model`."""
        own = self._model_of(self._b.checked(sim))
        if model is None:
            model = _core.copyModel(type(own), own)
        self._b.get_model(sim, model)
        return model

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """Return simulation sim as a data, or write it into `data`: its state, and of a persistent batch all.

        With the model of `get_model(sim)`, `mj_forward` computes what follows. In lanes it is computed already.
        """
        self._b.checked(sim)
        if data is None:
            data = MjData(self.model)
        self._b.get_data(sim, data)
        return data

    def jac(
        self, body: ArrayLike, point: ArrayLike, ids: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Jacobians jacp, jacr (n, 3, nv) of points (n, 3) or (3,) on bodies (n,) or one, at the states as they are."""
        chosen = _ids(ids, self.nsim)
        n = self._number(chosen)
        bodies = checked_integers(body, (n,), 0, self.model.nbody, "body")
        points = np.ascontiguousarray(np.broadcast_to(np.asarray(point, float), (n, 3)))
        jacp, jacr = np.zeros((2, n, 3, self.model.nv))
        self._check(chosen, self._b.jac(chosen, bodies, points, jacp, jacr))
        return jacp, jacr

    def ray(
        self,
        pnt: ArrayLike,
        vec: ArrayLike,
        geomgroup: ArrayLike | None = None,
        flg_static: bool = True,
        bodyexclude: ArrayLike = -1,
        ids: ArrayLike | None = None,
        normal: bool = False,
    ) -> tuple[NDArray[Any], ...]:
        """Distances and geoms (n, nray) that rays (n, nray, 3), or what broadcasts to it, meet, -1: none; and normals there."""
        chosen = _ids(ids, self.nsim)
        n = self._number(chosen)
        points, ways = (np.atleast_2d(np.asarray(a, float)) for a in (pnt, vec))
        nray = np.broadcast_shapes(points.shape[:-1], ways.shape[:-1])[-1]
        points, ways = (
            np.ascontiguousarray(np.broadcast_to(a, (n, nray, 3))) for a in (points, ways)
        )
        excluded = checked_integers(bodyexclude, (n, nray), -1, self.model.nbody, "bodyexclude")
        group = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
        dist, geomid = np.empty((n, nray)), np.empty((n, nray), np.int32)
        normals = np.zeros((n, nray, 3)) if normal else None
        query = (points, ways, group, bool(flg_static), excluded, dist, geomid, normals)
        self._check(chosen, self._b.ray(chosen, *query))
        return (dist, geomid) if normals is None else (dist, geomid, normals)


def _add_elements() -> None:
    for kind in KINDS + KINDS_OF_MODELS:

        def find(self: Batch, key: int | str, kind: str = kind) -> Element:
            return Element(self, kind, key)

        find.__name__, find.__qualname__ = kind, f"Batch.{kind}"
        find.__doc__ = f"The {kind} of a name or id: its part of the fields, for all simulations."
        setattr(Batch, kind, find)


_add_elements()


def _result(item: Any, given: Any, shape: tuple[int, ...], dtype: np.dtype) -> NDArray[Any]:
    if given is None:
        return np.empty(shape, dtype)
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype
    if not fits or not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array {shape}")
    return given
