"""The simulations of a batch one by one, by single steps: each has a row of states, and the bits of a loop."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._batch import simulations_with
from .._enums import EnableBit, StateBit, Warning
from .._warn import level
from ._batch_fields import ACC, COUNTS, INPUTS, MADE, NONE, STATE, is_expandable
from ._errors import FatalError
from ._later import SETCONST_OUTPUTS
from ._native import PARTS, WARNINGS, pieces, signature
from ._release import IS_LATER
from ._structs import MjData, MjModel

_Ids = NDArray[np.int32] | None
_STEP, _FORWARD, _RESET, _CONST, _JAC, _RAY = range(6)  # operations of _core.eachRun
_NUMBER = np.dtype(np.float64)
# What mj_setConst writes where simulations have shapes of their own, and what else it writes.
_BOUNDS = frozenset("bvh_aabb geom_aabb geom_fluid".split())
_DERIVED = ("ngravcomp", "stat", *(name for name in SETCONST_OUTPUTS if name not in _BOUNDS))
_SHAPES = frozenset(
    "body_ipos body_iquat geom_gap geom_margin geom_pos geom_quat geom_size hfield_size".split()
)
# Fields that a step computes for who asks.
_FORCES = frozenset("cacc cfrc_ext cfrc_int".split())
_MOMENTUM = frozenset("subtree_angmom subtree_linvel".split())


class Each:
    """nsim simulations of a copy of a model; its data are one for each thread, or (persistent) for each simulation.

    Attributes
    ----------
    rows : array (nsim, nstate)
        States, as `mj_getState` gives them with `mjSTATE_INTEGRATION`.
    status : array (nsim,) of int32
        1: a simulation failed in its last call.
    """

    def __init__(self, model: MjModel, nsim: int, nthread: int, persistent: bool) -> None:
        self.nsim = _count(nsim, "nsim", 1)
        self.nthread = _count(nthread, "nthread", 0) or _processors()
        self.persistent = bool(persistent)
        self._own: MjModel = _core.copyModel(type(model), model)
        flags = _core.MjOption.enableflags.__get__(model.opt)  # type: ignore[attr-defined]
        if flags & EnableBit.SLEEP and not persistent:
            raise ValueError("the model has sleep enabled: make the batch with persistent=True")
        self._pool = _core.eachPool(self.nthread, self._own)
        self._models: tuple[MjModel, ...] = (self._own,) * self.nthread
        self._make_datas()
        self._given: tuple[MjModel, ...] | None = None
        self._signatures = self._parts()
        self.nstate = sum(_core.stateSize(self._own, bits) for bits in self._signatures)
        self.rows = np.empty((self.nsim, self.nstate))
        self._first_state()
        self._warning = np.zeros((self.nsim, len(Warning), 2), np.int32)
        self.status = np.zeros(self.nsim, np.int32)
        self._in_order: NDArray[np.int32] | None = (
            None  # warnings in the release's order, once asked for
        )
        self._messages: dict[int, str] = {}
        self._parameters: dict[str, NDArray[Any]] = {}
        self._inputs: dict[str, NDArray[np.float64]] = {}
        self._outputs: dict[str, NDArray[Any]] = {}
        self._made: dict[str, NDArray[Any]] = {}
        self._validate, self._told = False, 0

    def _make_datas(self) -> None:
        count = self.nsim if self.persistent else self.nthread
        models = (self._own,) * count if self.persistent else self._models
        self._datas = tuple(MjData(model) for model in models)

    def _parts(self) -> tuple[int, ...]:
        """Signatures of a row: the release's parts in its order, then parts that only a newer one has."""
        listed = pieces(int(STATE.mjSTATE_INTEGRATION))
        more = int(StateBit.HISTORY | StateBit.PLASTIC) & ~sum(listed)
        return (*listed, more) if _core.stateSize(self._own, more) else listed

    def _first_state(self) -> None:
        at = 0
        for bits in self._signatures:
            part = np.empty(_core.stateSize(self._own, bits))
            _core.getState(self._own, self._datas[0], part, bits)
            self.rows[:, at : at + part.size] = part
            at += part.size

    # ---- arrays

    @property
    def warning(self) -> NDArray[np.int32]:
        """(nsim, mjNWARNING, 2): info of the last, number; live."""
        if not IS_LATER:
            return self._warning[:, : len(WARNINGS)]
        if self._in_order is None:
            self._in_order = self._warning[:, WARNINGS]
        return self._in_order

    def component(self, bit: int) -> tuple[int, int]:
        """Where a part of the state, by our bit, stands in a row, and its size."""
        order = list(PARTS.values())
        order += [b for b in (StateBit.HISTORY, StateBit.PLASTIC) if b not in order]
        before = sum(_core.stateSize(self._own, int(b)) for b in order[: order.index(bit)])
        return before, _core.stateSize(self._own, int(bit))

    def input(self, name: str) -> NDArray[np.float64]:
        """A field of the state: a view of the rows."""
        if name not in self._inputs:
            at, _ = self.component(int(INPUTS[name]))
            shape = () if name == "time" else getattr(self._datas[0], name).shape
            part = self.rows[:, at : at + math.prod(shape)]
            self._inputs[name] = part.reshape(self.nsim, *shape)
        return self._inputs[name][...]

    def template(self, name: str) -> NDArray[Any]:
        """A field of a data, as an array of its shape and type."""
        value = getattr(self._datas[0], name)
        return (
            np.zeros((), np.int32 if isinstance(value, int) else float)
            if np.isscalar(value)
            else value
        )

    def output(self, name: str) -> NDArray[Any]:
        """A computed field, which calls fill from now on."""
        like = self.template(name)
        array = np.zeros((self.nsim, *like.shape), like.dtype)
        if array.size:
            (self._made if name in MADE else self._outputs)[name] = array
        return array

    def expand(self, name: str) -> NDArray[Any] | None:
        """A field of the model for each simulation; None: there is no such field."""
        if self._given is not None:
            raise FatalError(f"expand: {name} is of the caller's models, set_models(None) first")
        if name not in self._parameters and not is_expandable(self._own, name):
            return None
        array = self._parameter(name)
        # ids and types, unless they are what `set_const` alone writes
        self._validate |= array.dtype.kind in "iub" and not name.startswith("opt.")
        return array

    def expanded(self, name: str) -> NDArray[Any] | None:
        """The same of a field that is each simulation's own already; None: it is not."""
        return self._parameters.get(name)

    def _parameter(self, name: str) -> NDArray[Any]:
        if name in self._parameters:
            return self._parameters[name]
        like = self._nominal(name)
        array = np.empty((self.nsim, *like.shape), like.dtype)
        array[:] = like
        self._split_models()
        self._parameters[name] = array
        return array

    def _nominal(self, name: str) -> NDArray[Any]:
        own = self._own
        if name == "stat":
            s = own.stat
            return np.array([s.meaninertia, s.meanmass, s.meansize, s.extent, *s.center])
        if name.startswith("opt."):
            value = np.asarray(getattr(own.opt, name[4:]))
            return value.astype(np.int32 if value.dtype.kind in "iub" else float)
        value = np.asarray(getattr(own, name))
        if name == "bvh_aabb":
            return value[: own.mesh_bvhadr[0] if own.nmesh else own.nbvhstatic]
        return value.astype(np.int32) if not value.ndim else value

    def _split_models(self) -> None:
        """Give each thread a model of its own."""
        if self.nthread == 1 or self._models[1] is not self._own:
            return
        more = (_core.copyModel(type(self._own), self._own) for _ in range(self.nthread - 1))
        self._models = (self._own, *more)
        if not self.persistent:
            self._make_datas()

    def _columns(self) -> tuple[tuple[str, NDArray[Any]], ...]:
        return tuple((name, a) for name, a in self._parameters.items() if a.size)

    # ---- calls

    def step(self, ids: _Ids, nstep: int, stage: int) -> int:
        """Step, then compute stages; as all calls, returns how many simulations failed."""
        return self._compute(_STEP, ids, (_count(nstep, "nstep", 0), stage))

    def forward(self, ids: _Ids, stage: int) -> int:
        """Compute stages."""
        return self._compute(_FORWARD, ids, (1, stage)) if stage != NONE else 0

    def reset(self, ids: _Ids, keys: NDArray[np.int32] | None, stage: int) -> int:
        """Reset to the model, or to keyframes, then compute stages."""
        self._told = 0 if ids is None else self._told
        return self._compute(_RESET, ids, (1, stage), keys)

    def set_const(self, ids: _Ids) -> int:
        """Compute what follows from parameters, which become parameters, too."""
        if self._given is not None:
            raise FatalError("set_const: the models are the caller's, set_models(None) first")
        own_shapes = not _SHAPES.isdisjoint(self._parameters)
        for name in (*_DERIVED, *_BOUNDS) if own_shapes else _DERIVED:
            self._parameter(name)
        return self._run(_CONST, ids, (1, NONE))

    def rollout(
        self,
        ids: _Ids,
        nstep: int,
        control: NDArray[np.float64] | None,
        spec: int,
        records: Sequence[tuple[str | None, int, NDArray[Any]]],
    ) -> int:
        """Step nstep times, and record (field, None) or (None, parts of the state) into arrays (n, nstep, ...)."""
        n, nstep = self.nsim if ids is None else len(ids), _count(nstep, "nstep", 0)
        if spec & ~int(STATE.mjSTATE_USER):
            raise ValueError("control_spec can only have bits of mjSTATE_USER")
        if control is not None:
            size = _core.stateSize(self._own, signature(spec))
            control = _given(control, _NUMBER, (n, nstep, size), "control", ValueError)
        made, kept = [], []
        for name, bits, array in records:
            what, shape, dtype = self._recorded(name, bits)
            _given(array, dtype, (n, nstep, *shape), f"record {name or bits}", ValueError)
            if what is None:
                made.append((name, array))
            elif array.size:
                kept.append((what, array))
        drive = (control, pieces(spec))
        if made:
            return self._record_made(ids, nstep, drive, kept, made)
        return self._compute(_STEP, ids, (nstep, NONE), None, *drive, tuple(kept))

    def _recorded(self, name: str | None, bits: int) -> tuple[Any, tuple[int, ...], np.dtype]:
        """What `_core` records, None where it cannot, with shape and type of a record."""
        if name is None:
            if bits < 0 or bits & ~sum(PARTS):
                raise ValueError(f"record: {bits} are not bits of mjtState")
            return pieces(bits), (_core.stateSize(self._own, signature(bits)),), _NUMBER
        if name not in INPUTS and name not in COUNTS | MADE and not _known(self._own, name):
            raise ValueError(f"record: {name} is not a field that a batch binds")
        like = self.template(name)
        return None if name in MADE else name, like.shape, like.dtype

    def _record_made(self, ids: _Ids, nstep: int, drive: Any, kept: Any, made: Any) -> int:
        """A rollout step by step, simulation by simulation: what is made when it is read is read after each."""
        control, spec = drive
        failed = 0
        for k, i in enumerate(range(self.nsim) if ids is None else ids):
            one = np.array([i], np.int32)
            for t in range(nstep):
                now = np.s_[k : k + 1, t : t + 1]
                before = self._warning[i, :, 1].sum()
                records = tuple((what, array[now]) for what, array in kept)
                driven = None if control is None else control[now]
                bad = self._compute(_STEP, one, (1, NONE), None, driven, spec, records)
                for name, array in made:
                    array[k, t] = getattr(self._datas[i if self.persistent else 0], name)
                if bad or self._warning[i, :, 1].sum() > before:
                    failed += bad
                    for _, array in (*kept, *made):
                        array[k, t:] = array[k, t]
                    break
        return failed

    def jac(self, ids: Any, body: Any, point: Any, jacp: Any, jacr: Any) -> int:
        """Jacobians of points of bodies into arrays (n, 3, nv), or None."""
        n, full = self._number(ids), (3, self._own.nv)
        body = _given(body, np.dtype(np.int32), (n,), "body")
        if n and not 0 <= body.min() <= body.max() < self._own.nbody:
            raise ValueError(f"body must be in [0, {self._own.nbody})")
        query = (
            body,
            _given(point, _NUMBER, (n, 3), "point"),
            *(
                None if a is None else _given(a, _NUMBER, (n, *full), name)
                for name, a in (("jacp", jacp), ("jacr", jacr))
            ),
        )
        return self._run(_JAC, ids, (1, NONE), query=query)

    def ray(self, ids: Any, *query: Any) -> int:
        """Rays: pnt, vec (n, nray, 3), geomgroup, static, bodyexclude, and into dist, geomid (n, nray), normal or None."""
        return self._run(_RAY, ids, (1, NONE), query=(query[0].shape[1], *query))

    def _number(self, ids: Any) -> int:
        if ids is not None and not (isinstance(ids, np.ndarray) and ids.dtype == np.int32):
            raise TypeError("ids must be an array of int32")
        return self.nsim if ids is None else len(ids)

    def _compute(self, operation: int, ids: _Ids, steps: tuple[int, int], *more: Any) -> int:
        """Run, and fill what is made of a data when it is read: simulation by simulation."""
        if not self._made:
            return self._run(operation, ids, steps, *more)
        if self._given is not None:
            raise NotImplementedError(f"{', '.join(self._made)} with models of the caller's")
        keys, control, parts, records = (*more, None, None, (), ())[:4]
        failed = 0
        for k, i in enumerate(range(self.nsim) if ids is None else ids):
            now = np.s_[k : k + 1]
            one = (
                None if keys is None else keys[now],
                None if control is None else control[now],
                parts,
                tuple((what, array[now]) for what, array in records),
            )
            bad = self._run(operation, np.array([i], np.int32), steps, *one)
            failed += bad
            for name, array in self._made.items():
                if not bad:
                    array[i] = getattr(self._datas[i if self.persistent else 0], name)
        return failed

    def _run(
        self,
        operation: int,
        ids: _Ids,
        steps: tuple[int, int],
        keys: Any = None,
        control: Any = None,
        parts: Any = (),
        records: Any = (),
        query: Any = (),
    ) -> int:
        given = self._given is not None
        whole = operation == _STEP or steps[1] == ACC
        if self._in_order is not None:
            self._warning[:, WARNINGS] = self._in_order
        raised, failed = _core.eachRun(
            self._pool,
            operation,
            (self.nsim, given, self.persistent),
            (self._given if given else self._models, self._datas),
            (self.rows, self._warning, self.status),
            ids,
            self._signatures,
            self._columns(),
            tuple(self._outputs.items()),
            (
                *steps,
                whole and not _FORCES.isdisjoint(self._outputs),
                whole and not _MOMENTUM.isdisjoint(self._outputs),
                self._validate,
            ),
            keys,
            control,
            parts,
            records,
            query,
        )
        if self._in_order is not None:
            self._in_order[:] = self._warning[:, WARNINGS]
        for i in self._messages.keys() & (range(self.nsim) if ids is None else ids.tolist()):
            del self._messages[i]
        self._messages.update(failed)
        if raised & ~self._told:
            self._tell(raised)
        return len(failed)

    def _tell(self, raised: int) -> None:
        """Warn of kinds (bits) that have not been told."""
        fresh, self._told = raised & ~self._told, self._told | raised
        for kind in Warning:
            if fresh >> kind & 1:
                having = np.flatnonzero(self._warning[:, kind, 1])
                text = simulations_with(kind, having, self.nsim)
                warnings.warn(_core.SimulationWarning(text), stacklevel=level())

    # ---- single simulations

    def error(self, sim: int) -> str:
        """What simulation sim failed by in its last call, or ''."""
        return self._messages.get(self.checked(sim), "")

    def checked(self, sim: int) -> int:
        """The number of a simulation."""
        if not 0 <= sim < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {sim}")
        return sim

    def set_models(self, models: tuple[MjModel, ...] | None) -> None:
        """Run simulations on models of the caller's; None: on the batch's."""
        if models is not None and self._parameters:
            raise FatalError("set_models: the batch has per-simulation fields, made by expand()")
        before, self._given = self._given, models
        try:
            self._run(_FORWARD, np.zeros(0, np.int32), (1, NONE))
        except (TypeError, ValueError):
            self._given = before
            raise

    def get_model(self, sim: int, model: MjModel) -> None:
        """Write the fields that simulation sim has of its own."""
        _core.eachModel(model, self._columns(), self.nsim, self.checked(sim))

    def get_data(self, sim: int, data: MjData) -> None:
        """Write the state of simulation sim; of a persistent one all of its data."""
        if self.persistent:
            _core.unpackInto(data, _core.packData(self._datas[self.checked(sim)]))
        row, at = self.rows[self.checked(sim)], 0
        for bits in self._signatures:
            end = at + _core.stateSize(self._own, bits)
            _core.setState(data.model, data, row[at:end], bits)
            at = end


def _known(model: MjModel, name: str) -> bool:
    return _core.eachBytes(model, name, False) is not None


def _count(value: Any, name: str, low: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    if value < low:
        raise ValueError(f"{name} is {value}, must be {low} or more")
    return value.__index__()


def _processors() -> int:
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(count or 1, 1024)


def _given(
    array: Any, dtype: np.dtype, shape: tuple[int, ...], name: str, error: type = TypeError
) -> NDArray[Any]:
    """An array that is used as it is."""
    good = isinstance(array, np.ndarray) and array.dtype == dtype and array.flags.c_contiguous
    if not good or not array.dtype.isnative:
        raise error(f"{name} must be a C-contiguous array of {dtype}")
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    return array
