"""Many simulations of one model: the names of the newest peer's module `mujoco.batch`, on `sinew.Batch`.

Results are those of `sinew.Batch`, in lanes where the model allows: to 1e-11 a step those of `mj_step`, and the
same bits at any number of threads. What a batch in lanes has not, the rows of `state` as one array, caller models
and a data for each simulation, is an error that says so.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._batch import Batch as _Batch
from .._enums import StateBit
from ._enums import ENUMS
from ._lanes import CALLBACKS
from ._native import PARTS, WARNINGS, signature
from ._release import IS_LATER, SILENT
from ._shown import gone
from ._structs import MjData, MjModel

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

_STATE = ENUMS["mjtState"]
_CTRL = int(_STATE.mjSTATE_CTRL)
_USER = int(_STATE.mjSTATE_USER)
_KNOWN = sum(PARTS)
_STAGES = {int(stage) for stage in ENUMS["mjtStage"].__members__.values()}
_NONE, _ACC = int(ENUMS["mjtStage"].mjSTAGE_NONE), int(ENUMS["mjtStage"].mjSTAGE_ACC)
_PARTS = (
    "time", "qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
    "mocap_pos", "mocap_quat", "userdata",
)  # fmt: skip
# Elements that models alone have.
_OF_MODELS = ("equality", "keyframe", "material", "numeric", "pair")


class SimulationError(RuntimeError):
    """Simulations `ids` of a call failed; here it stands for the name, for a step never fails."""

    def __init__(self, ids: NDArray[Any], message: str, ncall: int | None = None) -> None:
        self.ids = ids
        super().__init__(f"{len(ids)} simulations failed, the first is {ids[0]}: {message}")


class Batch:
    """nsim simulations of a copy of model, on nthread threads (0: one for each processor).

    `bind(field)` and attributes are live arrays (nsim, ...), `expand(field)` gives simulations a model field of
    their own. `sinew.Batch`, which `batch` is, has more.
    """

    def __init__(
        self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False
    ) -> None:
        if persistent:
            raise NotImplementedError(
                "persistent=True: there is no data for each simulation; get_data(sim) computes one"
            )
        _refuse_callbacks()
        set_own = functools.partial(object.__setattr__, self)
        set_own("batch", _Batch(model, nsim, threads=nthread or None))
        set_own("model", model)
        status = np.zeros(self.batch.n, np.int32)
        status.flags.writeable = False
        set_own("status", status)

    nsim = property(lambda self: self.batch.n, doc="Simulations.")
    nthread = property(lambda self: self.batch.threads, doc="Threads, the caller's counted.")
    nstate = property(
        lambda self: _core.stateSize(self.model, signature(_STATE.mjSTATE_INTEGRATION)),
        doc="Numbers of a state, `mjSTATE_INTEGRATION`.",
    )
    persistent = property(lambda self: False, doc="False.")
    models = property(lambda self: None, doc="None: there are no caller models.")

    @property
    def warning(self) -> NDArray[np.int32]:
        """Warnings (nsim, mjNWARNING, 2): which number raised one last, and how many times one was raised."""
        raised = _core.batchArray(self.batch, "warning").reshape(self.batch.n, -1, 2)
        return raised[:, : len(WARNINGS)] if not IS_LATER else raised[:, WARNINGS]

    @property
    def state(self) -> Any:
        """An error: state and inputs are arrays by field here."""
        raise NotImplementedError(
            "state: a batch has an array for each field, bind('qpos'), not one of all rows; "
            "rollout(1, record=[mjSTATE_INTEGRATION]) and get_data(sim) give whole states"
        )

    def error(self, sim: int) -> str:
        """Return '': a step never fails."""
        return ""

    def set_models(self, models: Any) -> None:
        """Refuse models of the caller's: `expand` gives simulations parameters of their own."""
        if models is not None:
            raise NotImplementedError(
                "set_models: give simulations fields of their own by expand()"
            )

    # ---- fields

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in DATA_FIELDS:
            return self.bind(name)
        hint = "" if name.startswith("_") else _hint(name)
        raise AttributeError(f"'Batch' object has no attribute {name!r}{hint}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in MODEL_FIELDS and name not in DATA_FIELDS:
            raise AttributeError(f"'Batch' object has no attribute {name!r}{_hint(name)}")
        if name not in DATA_FIELDS:
            return object.__setattr__(self, name, value)
        if name not in _PARTS:
            raise ValueError(
                f"{name} is computed by every call and cannot be written; write qpos, ctrl, ..."
            )
        setattr(self.batch, name, value)

    def bind(self, name: str) -> NDArray[Any]:
        """Return the live (nsim, ...) array of a field of the data; computed ones are read-only."""
        if name not in DATA_FIELDS:
            raise ValueError(f"{name} is not a field that a batch binds{_hint(name)}")
        self.batch.bind(name)
        array = getattr(self.batch, name)
        array.flags.writeable = name in _PARTS
        return array

    def expand(self, name: str) -> NDArray[np.float64]:
        """Return the live (nsim, ...) array of a field of the model, or 'opt.<name>', which simulations then have of their own."""
        if name not in MODEL_FIELDS:
            raise ValueError(f"{name} is not a field that a batch expands{_hint(name)}")
        return self.batch.parameter(name)

    def expanded(self, name: str) -> NDArray[np.float64] | None:
        """Return a field that `expand` or `set_const` has given to simulations, read-only, or None."""
        if name not in MODEL_FIELDS:
            raise ValueError(f"{name} is not a field that a batch expands{_hint(name)}")
        array = _core.batchArray(self.batch, name)
        if array is not None:
            array.flags.writeable = False
        return array

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """Run `mj_setConst` for each simulation; what it gives become fields of their own."""
        self.batch.set_const(ids)

    # ---- calls

    def step(self, ids: ArrayLike | None = None, nstep: int = 1, stage: int = _NONE) -> None:
        """Step nstep times, then compute `forward` at the new state, if stage is any but none."""
        self._check(stage)
        self.batch.step(nstep=nstep, ids=ids)
        if stage != _NONE:
            self.batch.forward(ids)

    def forward(self, ids: ArrayLike | None = None, stage: int = _ACC) -> None:
        """Compute all stages; stage: of which one needs the results."""
        self._check(stage)
        if stage != _NONE:
            self.batch.forward(ids)

    def reset(
        self, ids: ArrayLike | None = None, keyframe: ArrayLike = -1, stage: int = _ACC
    ) -> None:
        """Reset to the model's defaults (-1) or to keyframes, one for all or one each; then compute."""
        self._check(stage)
        self.batch.reset(ids, keyframe)
        if stage != _NONE:
            self.batch.forward(ids)

    @staticmethod
    def _check(stage: Any) -> None:
        _refuse_callbacks()
        if int(stage) not in _STAGES:
            raise ValueError(f"stage is {stage}, must be of mjtStage")

    def rollout(
        self,
        nstep: int,
        control: ArrayLike | None = None,
        control_spec: int = _CTRL,
        record: Sequence[str | int] = ("qpos",),
        ids: ArrayLike | None = None,
        out: dict[Any, NDArray[Any]] | None = None,
    ) -> dict[Any, NDArray[Any]]:
        """Step nstep times, with controls for each step, and record fields and state vectors after each.

        A simulation that warns stops there: its last records fill the rest.

        Returns
        -------
        dict of each item of `record` to an array (n, nstep, ...)
        """
        _refuse_callbacks()
        batch = self.batch
        chosen = batch._ids(ids)
        rows = np.arange(batch.n, dtype=np.int32) if chosen is None else chosen
        if control is not None:
            size = _core.stateSize(self.model, signature(control_spec))
            control = np.broadcast_to(np.asarray(control, float), (len(rows), nstep, size))
        records = {item: self._recorded(item) for item in record}
        results = {}
        for item, of in records.items():
            first = of(rows)
            shape = (len(rows), nstep, *first.shape[1:])
            results[item] = _result(item, (out or {}).get(item), shape, first.dtype)
        live = np.ones(len(rows), bool)
        for k in range(nstep):
            before = self.warning[rows, :, 1].sum(1)
            if live.any():
                given = None if control is None else control[live, k : k + 1]
                batch.rollout(
                    control=given, nstep=1, ids=rows[live], control_spec=signature(control_spec)
                )
            for item, of in records.items():
                results[item][:, k] = of(rows)
            live &= self.warning[rows, :, 1].sum(1) <= before
        return results

    def _recorded(self, item: str | int) -> Any:
        """A function of ids that gives what is recorded of them now."""
        if isinstance(item, str):
            array = self.bind(item)
            return lambda rows: array[rows]
        bits = int(item)
        parts = signature(bits)
        for part in (StateBit.HISTORY, StateBit.PLASTIC):  # which few models have
            if not _core.stateSize(self.model, int(part)):
                parts &= ~int(part)
        names = [name for bit, name in enumerate(_PARTS) if parts >> bit & 1]
        there = sum(1 << _PARTS.index(n) for n in names) | StateBit.PLUGIN
        if bits & ~_KNOWN or parts & ~there:
            raise ValueError(f"record: {item!r} is not a field or bits of mjtState")
        arrays = [getattr(self.batch, name).reshape(self.nsim, -1) for name in names]
        return lambda rows: np.concatenate(
            [np.empty((len(rows), 0)), *(a[rows] for a in arrays)], 1
        )

    # ---- single simulations

    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """Return the model of simulation sim, with the fields that are its own, or write them into `model`."""
        own = self.batch.get_data(sim).model
        if model is None:
            return own if own is not self.model else _core.copyModel(type(own), own)
        for name in MODEL_FIELDS:
            if _core.batchArray(self.batch, name) is not None:
                holder, _, last = name.rpartition(".")
                value = _core.batchArray(self.batch, name)[sim]
                target = model.opt if holder else model
                setattr(target, last, value)
        return model

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """Return simulation sim as a data, with all that `mj_forward` computes, or write it into `data`."""
        if data is None:
            data = MjData(self.model)
        own = self.batch.get_data(sim)
        bits = signature(_STATE.mjSTATE_INTEGRATION)
        state = np.empty(_core.stateSize(self.model, bits))
        _core.getState(own.model, own, state, bits)
        _core.setState(self.model, data, state, bits)
        _core.forward(own.model, data)
        return data

    def jac(
        self, body: ArrayLike, point: ArrayLike, ids: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Jacobians jacp, jacr (n, 3, nv) of points (n, 3) or (3,) on bodies (n,) or one."""
        rows = self._rows(ids)
        bodies = np.broadcast_to(np.asarray(body), len(rows))
        if bodies.dtype.kind not in "iu" or (
            bodies.size and not 0 <= bodies.min() <= bodies.max() < self.model.nbody
        ):
            raise ValueError(f"body must be integers in [0, {self.model.nbody})")
        points = np.broadcast_to(np.asarray(point, float), (len(rows), 3))
        jacp, jacr = np.zeros((2, len(rows), 3, self.model.nv))
        for k, i in enumerate(rows):
            data = self.batch.get_data(int(i))
            _core.jac(data.model, data, jacp[k], jacr[k], points[k], int(bodies[k]))
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
        """Distances and geoms (n, nray) that rays (n, nray, 3), or what broadcasts to it, meet; -1: none."""
        if normal:
            raise NotImplementedError("ray: normal=True; there are no normals of rays")
        rows = self._rows(ids)
        points, ways = (np.atleast_2d(np.asarray(a, float)) for a in (pnt, vec))
        nray = np.broadcast_shapes(points.shape[:-1], ways.shape[:-1])[-1]
        points, ways = (np.broadcast_to(a, (len(rows), nray, 3)) for a in (points, ways))
        excluded = np.broadcast_to(np.asarray(bodyexclude), (len(rows), nray))
        dist, geomid = np.empty(excluded.shape), np.empty(excluded.shape, np.int32)
        for k, i in enumerate(rows):
            data = self.batch.get_data(int(i))
            for r in range(nray):
                found = geomid[k, r : r + 1]
                ray = (points[k, r], ways[k, r], geomgroup, int(flg_static), int(excluded[k, r]))
                dist[k, r] = _core.ray(data.model, data, *ray, found)
        return dist, geomid

    def _rows(self, ids: ArrayLike | None) -> NDArray[np.int32]:
        chosen = self.batch._ids(ids)
        return np.arange(self.nsim, dtype=np.int32) if chosen is None else chosen


def _refuse_callbacks() -> None:
    for name in CALLBACKS:
        if _core.getCallback(None, name):
            raise ValueError(
                f"mjcb_{name} is a function in Python, which a batch cannot call; take it away, "
                "or step with mj_step or mujoco.rollout"
            )


class _Element:
    """An element by its name or id: its part of the fields of all simulations, as (nsim, ...) arrays."""

    def __init__(self, batch: Batch, kind: str, key: int | str) -> None:
        view = getattr(batch.model, kind)(key)
        places = [(batch.model, view, MODEL_FIELDS)]
        if kind not in _OF_MODELS:
            data = _sample(batch)
            places.insert(0, (data, getattr(data, kind)(key), DATA_FIELDS))
        vars(self).update(_batch=batch, _kind=kind, _places=places, id=view.id, name=view.name)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._part(name, False)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("id", "name") or name.startswith("_"):
            raise AttributeError(f"{name} cannot be set")
        self._part(name, True)[...] = value

    def _part(self, name: str, written: bool) -> NDArray[Any]:
        for owner, view, names in self._places:
            part = getattr(view, name, None)
            if not isinstance(part, np.ndarray):
                continue
            field = _field_of(owner, names, part)
            if field is None and owner is not self._batch.model:
                continue
            if field is None:
                return self._common(name, part, written)
            array = self._rows(field, names, written)
            if array is None:
                return self._common(name, part, False)
            return _place(array, getattr(owner, field), part)
        known = sorted({n for _, view, _ in self._places for n in dir(view) if n[0] != "_"})
        raise AttributeError(
            f"{self._kind} {name} is no part of a field of a batch{_close(name, known)}"
        )

    def _common(self, name: str, part: NDArray[Any], written: bool) -> NDArray[Any]:
        """What is the model's in all simulations."""
        if written:
            raise ValueError(f"{self._kind} {name} cannot differ between simulations")
        return np.broadcast_to(part, (self._batch.nsim, *part.shape))

    def _rows(self, field: str, names: frozenset[str], written: bool) -> NDArray[Any] | None:
        """A field of all simulations; None: it is the model's."""
        if names is MODEL_FIELDS:
            return self._batch.expand(field) if written else self._batch.expanded(field)
        if written and field not in _PARTS:
            raise ValueError(f"{field} is computed by every call and cannot be written")
        return self._batch.bind(field)


def _add_elements() -> None:
    kinds = ("actuator", "body", "camera", "geom", "joint", "light", "sensor", "site", "tendon")
    for kind in kinds + _OF_MODELS:

        def find(self: Batch, key: int | str, kind: str = kind) -> _Element:
            return _Element(self, kind, key)

        find.__name__, find.__qualname__ = kind, f"Batch.{kind}"
        find.__doc__ = f"The {kind} of a name or id: its part of the fields, for all simulations."
        setattr(Batch, kind, find)


_add_elements()


def _sample(batch: Batch) -> MjData:
    """A data whose elements say where their parts stand in the fields."""
    if "_sample" not in vars(batch):
        object.__setattr__(batch, "_sample", MjData(batch.model))
    return vars(batch)["_sample"]


def _field_of(owner: Any, names: frozenset[str], part: NDArray[Any]) -> str | None:
    """The field in whose memory an array stands."""
    for name in names:
        field = None if "." in name else getattr(owner, name)
        if isinstance(field, np.ndarray) and part.size and np.shares_memory(field, part):
            return name
    return None


def _place(array: NDArray[Any], field: NDArray[Any], part: NDArray[Any]) -> NDArray[Any]:
    """What is of all simulations where `part` is of the field."""
    where = (part.ctypes.data - field.ctypes.data) // field.itemsize
    flat = array.reshape(len(array), -1)[:, where : where + part.size]
    return flat.reshape(len(array), *part.shape)


def _result(item: Any, given: Any, shape: tuple[int, ...], dtype: np.dtype) -> NDArray[Any]:
    if given is None:
        return np.empty(shape, dtype)
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype == dtype
    if not fits or not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array {shape}")
    return given


def _close(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=3)
    return f"; did you mean {', '.join(map(repr, close))}?" if close else ""


def _hint(name: str) -> str:
    if name in MODEL_FIELDS:
        return f"; it is a field of the model: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; it is an option: use expand('opt.{name}')"
    if name in DATA_FIELDS:
        return f"; it is a field of the data: use bind({name!r})"
    return _close(name, sorted(DATA_FIELDS | MODEL_FIELDS))


def _names() -> tuple[frozenset[str], frozenset[str]]:
    """The fields that `bind` and `expand` take, as a batch itself says."""
    tables = _core.tables()
    probe = _Batch(_core.loadModelText(MjModel, "<mujoco/>", None, False, False, SILENT), 1)

    def takes(add: Any, name: str) -> bool:
        try:
            add(name)
        except ValueError:
            return False
        return True

    options = [f"opt.{row[0]}" for row in tables["option"]]
    data, model = (
        [row[0] for row in tables[kind] if hasattr(cls, row[0]) and row[0] not in gone(cls)]
        for kind, cls in (("data", MjData), ("model", MjModel))
    )
    return (
        frozenset(n for n in ["time", *data] if takes(probe.bind, n)),
        frozenset(n for n in [*model, *options] if takes(probe.parameter, n)),
    )


DATA_FIELDS, MODEL_FIELDS = _names()
