"""Batch: many simulations of one model, in lanes of the processor's vectors and on threads."""

from __future__ import annotations

import copy
import functools
import math
import os
import warnings
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._enums import StateBit, Warning
from ._types import Data, Model
from ._warn import level

_MAX_THREADS = 1024
_MAX_INT = 2**31 - 1
_FULL = int(StateBit.FULLPHYSICS)
_CTRL = int(StateBit.CTRL)
_INPUTS = int(StateBit.USER)


class _View:
    """An attribute that is an array of the batch; assigning writes into it."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, batch: None, owner: Any = None) -> _View: ...
    @overload
    def __get__(self, batch: Batch, owner: Any = None) -> NDArray[Any]: ...
    def __get__(self, batch: Batch | None, owner: Any = None) -> Any:
        return self if batch is None else _core.batchArray(batch, self.name)

    def __set__(self, batch: Batch, value: ArrayLike) -> None:
        _assign(_core.batchArray(batch, self.name), value, self.name)


class Batch(_core.Batch):
    """Many simulations of one model, whose states stand in arrays with a row for each.

    Parameters
    ----------
    model : Model
        Whose simulations they are. It is copied: later changes to it change nothing here.
    n : int
        How many simulations; each is as `resetData` leaves a data.
    threads : int, optional
        Threads that calls use, the caller's counted; None: one for each processor. Results are the same bits
        at any number.
    dtype : "float64" or "float32"
        Numbers that lanes compute with. The arrays are float64 in any case.
    width : int, optional
        Simulations in lockstep: 2, 4, 8 (16 with float32); 1: none, all go through the scalar engine. None:
        the widest that the processor has. Results are the same bits at one width.
    fields : sequence of str
        Computed fields of a data to `bind` at once.

    Notes
    -----
    Arrays are live NumPy views (n, ...) with the shapes that they have in a `Data`; they keep the memory of
    the batch alive. `batch.qpos = values` and `batch.qpos[ids] = values` write into them. A call releases the
    GIL; a second one on the same batch at the same time, from another thread, raises RuntimeError. Ctrl-C
    ends a long call between two steps.

    What comes up in a simulation, as bad numbers or full memory, is counted in `warnings` and told once, until no
    simulation has it any more, by a `SimulationWarning` that names the first simulation.

    Examples
    --------
    >>> batch = sinew.Batch(model, 1024, threads=None, fields=["xpos"])
    >>> batch.step(ctrl, nstep=5)
    >>> batch.xpos[:, 1]
    """

    __slots__ = ("_own", "_single", "_told", "__weakref__")

    time = _View("(n,): simulation time (s)")
    qpos = _View("(n, nq): position")
    qvel = _View("(n, nv): velocity")
    act = _View("(n, na): activation")
    ctrl = _View("(n, nu): control")
    qfrc_applied = _View("(n, nv): applied generalized force")
    xfrc_applied = _View(
        "(n, nbody, 6): force (3) then torque (3) at the bodies' centres of mass, world"
    )
    eq_active = _View("(n, neq): equality constraint is on (uint8)")
    mocap_pos = _View("(n, nmocap, 3): position of mocap bodies, world")
    mocap_quat = _View("(n, nmocap, 4): orientation of mocap bodies, world")
    userdata = _View("(n, nuserdata): the user's own numbers")
    qacc_warmstart = _View("(n, nv): acceleration that the solver starts from")
    history = _View("(n, nhistory): past controls and sensor outputs")
    sensordata = _View("(n, nsensordata): sensors of the last step or forward call")

    _data_type = Data

    def __new__(
        cls,
        model: Model,
        n: int,
        *,
        threads: int | None = 1,
        dtype: DTypeLike = "float64",
        width: int | None = None,
        fields: Sequence[str] = (),
    ) -> Batch:
        if not isinstance(model, _core.Model):
            raise TypeError(f"model must be a sinew.Model, not {type(model).__name__}")
        n = _integer(n, "n", 1)
        if threads is None:
            threads = min(_processors(), _MAX_THREADS)
        threads = _integer(threads, "threads", 1, _MAX_THREADS)
        width = 0 if width is None else _integer(width, "width", 1)
        single = _is_single(dtype)
        self = _core.makeBatch(cls, model, n, threads, width, single)
        self._own, self._single, self._told = False, single, 0
        return self

    def __init__(
        self,
        model: Model,
        n: int,
        *,
        threads: int | None = 1,
        dtype: DTypeLike = "float64",
        width: int | None = None,
        fields: Sequence[str] = (),
    ) -> None:
        self.bind(*([fields] if isinstance(fields, str) else fields))

    # ---- arrays

    def __getattr__(self, name: str) -> NDArray[Any]:
        array = None if name.startswith("_") else _core.batchArray(self, name)
        if array is None:
            raise AttributeError(_no_attribute(name), name=name, obj=self)
        return array

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or hasattr(type(self), name):
            return super().__setattr__(name, value)
        array = _core.batchArray(self, name)
        if array is None:
            # attributes of a subclass's own, which do not hide arrays that may come
            known = name in _fields()["data"] or name in _fields()["model"]
            if hasattr(self, "__dict__") and not known:
                return super().__setattr__(name, value)
            raise AttributeError(_no_attribute(name), name=name, obj=self)
        if name in _fields()["model"]:
            _core.batchCheck(self, name, _spread(_floats(value, name), array.shape, name))
        _assign(array, value, name)

    @property
    def dtype(self) -> np.dtype:
        """Numbers that lanes compute with."""
        return np.dtype(np.float32 if self._single else np.float64)

    @property
    def scalar_features(self) -> tuple[str, ...]:
        """Names of what the model has and lanes cannot do, so that all go through the scalar engine."""
        text = _core.batchScalarFeatures(self._same_model())
        return tuple(word.strip() for word in text.split(",") if word.strip())

    def bind(self, *fields: str) -> None:
        """Make computed fields of a data arrays of the batch, "xpos", which are then attributes.

        Each step and each forward call fills them; they are zero before.
        """
        for field in fields:
            _core.batchBind(self, field)

    def parameter(self, field: str) -> NDArray[np.float64]:
        """Give each simulation a field of the model of its own, "body_mass" or "opt.gravity".

        Returns
        -------
        array (n, ...)
            The live numbers, at first the model's; later steps read them. Call `set_const` after a change of
            masses, inertias, positions at rest or what else the model's constants follow from. After a change
            of geom_size set geom_rbound, too: contacts are looked for within that radius.
        """
        array = _core.batchParameter(self, field)
        self._own = True
        return array

    def _add(self, name: str) -> NDArray[Any]:
        """Make an array of any name that another batch has."""
        if name in _fields()["data"]:
            return _core.batchBind(self, name)
        return self.parameter(name)

    def set_const(self, ids: ArrayLike | None = None) -> None:
        """Work out again what follows from simulations' own parameters, as `setConst` does for a model."""
        ids = self._ids(ids)
        if ids is None or ids.size:
            self._own = True
            _core.batchSetConst(self, ids)

    def randomize(
        self,
        field: str,
        low: ArrayLike,
        high: ArrayLike,
        *,
        mode: Literal["scale", "add", "set"] = "scale",
        seed: int | np.random.Generator | None = None,
        ids: ArrayLike | None = None,
    ) -> NDArray[np.float64]:
        """Draw a parameter of each simulation anew, evenly between bounds.

        Parameters
        ----------
        field : str
            As of `parameter`.
        low, high : array
            Bounds: numbers, or arrays that broadcast to the field's shape in a model. Where they are equal
            nothing varies.
        mode : "scale", "add" or "set"
            The draw multiplies the model's number, is added to it, or takes its place.
        seed : int or Generator, optional
            Of NumPy's random numbers; None: another each time.
        ids : array, optional
            The simulations; the others keep what they have.

        Returns
        -------
        array (n, ...)
            What `parameter` returns. `set_const` is left to the caller, who may draw several fields first.

        Raises
        ------
        ValueError
            The bounds allow numbers that no model may have, as a negative mass: nothing is drawn then.
        """
        if mode not in ("scale", "add", "set"):
            raise ValueError(f'mode is {mode!r}, must be "scale", "add" or "set"')
        _core.batchCheck(self, field, None)
        ids = self._ids(ids)
        nominal = _nominal(self._same_model(), field)
        shape = (self.n if ids is None else len(ids), *nominal.shape)
        bounds = [_spread(_floats(b, w), shape[1:], w) for b, w in ((low, "low"), (high, "high"))]
        if not (np.isfinite(bounds).all() and (bounds[0] <= bounds[1]).all()):
            raise ValueError("low and high must be finite, low not above high")
        values = {"scale": np.multiply, "add": np.add}.get(mode, lambda _, d: d)
        # what is drawn lies between what the bounds give
        for bound, word in zip(bounds, ("low", "high"), strict=True):
            try:
                _core.batchCheck(
                    self, field, np.ascontiguousarray(values(nominal, bound), np.float64)
                )
            except ValueError as error:
                raise ValueError(
                    f"{error}, as {word} makes it by mode {mode!r}: "
                    "choose another, or an array with one for each element"
                ) from None
        array = self.parameter(field)
        array[_rows(ids)] = values(nominal, np.random.default_rng(seed).uniform(*bounds, shape))
        return array

    @property
    def warnings(self) -> NDArray[np.int32]:
        """(n, NWARNING): how often each `sinew.Warning` came up since the simulation's reset; read-only."""
        numbers = _core.batchArray(self, "warning")[:, 1::2]
        numbers.flags.writeable = False
        return numbers

    # ---- calls

    def step(
        self, ctrl: ArrayLike | None = None, nstep: int = 1, ids: ArrayLike | None = None
    ) -> None:
        """Step simulations.

        Parameters
        ----------
        ctrl : array, optional
            Controls: (n, nu), or what broadcasts to it, is written to `ctrl` first and holds for all steps;
            (n, nstep, nu) has those of each step. With `ids`, n is their number. Anything with
            `__dlpack__`, as tensors of torch and JAX, or the buffer protocol.
        nstep : int
            How many steps.
        ids : array, optional
            Simulations to step, as distinct integers, or as bools (n,). None: all.
        """
        ids = self._ids(ids)
        nstep = _integer(nstep, "nstep", 1)
        count = self.n if ids is None else len(ids)
        control = None
        if ctrl is not None:
            control = _floats(ctrl, "ctrl")
            nu = self.model.nu
            if control.ndim == 3:
                control = _spread(control, (count, nstep, nu), "ctrl")
            else:
                more = f"; that of each step ({count}, {nstep}, {nu})"
                self.ctrl[_rows(ids)] = _spread(control, (count, nu), "ctrl", more)
                control = None
        if count:
            self._tell(_core.batchStep(self, ids, nstep, 1, _CTRL, control, None, None, None))

    def forward(self, ids: ArrayLike | None = None) -> None:
        """Compute sensors and bound fields at the present states, without a step."""
        ids = self._ids(ids)
        if ids is None or ids.size:
            self._tell(_core.batchForward(self, ids))

    def reset(
        self, ids: ArrayLike | None = None, keyframe: int | str | ArrayLike | None = None
    ) -> None:
        """Reset simulations to the model's initial state or to keyframes; their warnings are cleared.

        Parameters
        ----------
        ids : array, optional
            The simulations, as of `step`.
        keyframe : int, str or array, optional
            One keyframe by id or name, or an array with that of each simulation, where -1 is the initial
            state.
        """
        ids = self._ids(ids)
        count = self.n if ids is None else len(ids)
        keys = None if keyframe is None else self._keys(keyframe, count)
        if count:
            self._told &= _core.batchReset(self, ids, keys)

    def rollout(
        self,
        state: ArrayLike | None = None,
        control: ArrayLike | None = None,
        *,
        nstep: int | None = None,
        every: int = 1,
        fields: Sequence[str] = (),
        ids: ArrayLike | None = None,
        control_spec: int = _CTRL,
    ) -> tuple[Any, ...]:
        """Simulate many steps and keep what comes of them.

        Parameters
        ----------
        state : array (n, nstate), optional
            Where to start: time, positions, velocities, activations (`StateBit.FULLPHYSICS`), from no warm
            start. None: from where the simulations are.
        control : array (n, nstep, ncontrol), optional
            What is set before each step. None: `ctrl` and the other inputs stay.
        nstep : int, optional
            Steps; None: as `control` has them.
        every : int
            Results of each so many steps.
        fields : sequence of str
            Computed fields to give out, too; they are bound.
        ids : array, optional
            The simulations, as of `step`; n is then their number.
        control_spec : int
            Bits of `StateBit` that `control` has, of those in `StateBit.USER`.

        Returns
        -------
        states : array (n, nstep // every, nstate)
            States after the steps.
        sensors : array (n, nstep // every, nsensordata)
            Sensors of those steps.
        values : dict of str to array (n, nstep // every, ...)
            The fields; only if there are `fields`.

        Raises
        ------
        MemoryError
            There is no room for the results; the text says how much they take.
        """
        ids = self._ids(ids)
        count = self.n if ids is None else len(ids)
        every = _integer(every, "every", 1)
        nstep, driven = self._controls(control, nstep, count, control_spec)
        if isinstance(fields, str):
            fields = (fields,)
        self.bind(*fields)
        if state is not None:
            self._start(state, ids, count)
        rows = nstep // every
        shapes = [(_core.stateSize(self.model, _FULL),), (self.model.nsensordata,)]
        shapes += [getattr(self, field).shape[1:] for field in fields]
        states, sensors, *others = results(count, rows, shapes)
        values = dict(zip(fields, others, strict=True))
        if count:
            told = _core.batchStep(
                self, ids, nstep, every, int(control_spec), driven, states, sensors, values or None
            )
            self._tell(told)
        return (states, sensors, values) if fields else (states, sensors)

    # ---- single simulations

    def get_data(self, i: int) -> Data:
        """Return simulation i as a data of its own: state and inputs, and what `forward` computes.

        Its model is the batch's, or, where simulations have parameters of their own, a copy with those of
        this one.
        """
        i = _integer(i, "i", 0, self.n - 1)
        model = self._same_model()
        if self._own or model is not self.model:
            model = _core.batchModel(type(self.model), self)
        data = self._data_type(model)
        _core.batchGetData(self, i, data, self._own)
        return data

    def set_data(self, i: int, data: Data) -> None:
        """Take state and inputs of simulation i from a data, whose model must have the same sizes."""
        if not isinstance(data, _core.Data):
            raise TypeError(f"data must be a sinew.Data, not {type(data).__name__}")
        _core.batchSetData(self, _integer(i, "i", 0, self.n - 1), data)

    # ---- copies

    def __copy__(self) -> Batch:
        return self._copy(self._same_model(), getattr(self, "__dict__", {}))

    def __deepcopy__(self, memo: dict) -> Batch:
        # As of a Data: the model is shared, unless the same deepcopy has copied it before.
        model = self._same_model()
        own = copy.deepcopy(getattr(self, "__dict__", {}), memo)
        return self._copy(memo.get(id(model), model), own)

    def __reduce__(self) -> Any:
        return _unpack_batch, self._parts(self._same_model()), getattr(self, "__dict__", None)

    def _copy(self, model: Model, own: dict[str, Any]) -> Batch:
        other = _unpack_batch(*self._parts(model))
        for name, value in own.items():  # of subclasses
            vars(other)[name] = value
        return other

    def __repr__(self) -> str:
        name = f"{type(self).__module__.removesuffix('._batch')}.{type(self).__name__}"
        return f"<{name} n={self.n} width={self.width} threads={self.threads}>"

    # ---- arguments

    def _ids(self, ids: ArrayLike | None) -> NDArray[np.int32] | None:
        """Ids as int32, each in range and none twice; None for all."""
        if ids is None:
            return None
        array = np.atleast_1d(_array(ids, "ids"))
        if array.dtype == bool:
            if array.shape != (self.n,):
                raise ValueError(f"ids, as bools, have shape {array.shape}, must be ({self.n},)")
            return np.flatnonzero(array).astype(np.int32)
        if array.ndim != 1:
            raise ValueError(f"ids have shape {array.shape}, must be (number of simulations,)")
        if not array.size:
            return np.zeros(0, np.int32)
        if array.dtype.kind not in "iu":
            raise TypeError(f"ids must be integers or bools, not {array.dtype}")
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= self.n:
            raise ValueError(
                f"ids from {low} to {high}, must be from 0 to {self.n - 1} (n is {self.n})"
            )
        if not (array[1:] > array[:-1]).all() and len(np.unique(array)) < len(array):
            raise ValueError("ids must not have a simulation twice; np.unique(ids) has each once")
        return np.ascontiguousarray(array, np.int32)

    def _keys(self, keyframe: Any, count: int) -> NDArray[np.int32]:
        """Ids of keyframes [count]; -1: the initial state."""
        names = [keyframe] if isinstance(keyframe, str) else keyframe
        if isinstance(names, list | tuple):
            names = [self.model.key(k).id if isinstance(k, str) else k for k in names]
        keys = _array(names[0] if isinstance(keyframe, str) else names, "keyframe")
        if keys.dtype.kind not in "iu" and keys.size:
            raise TypeError(f"keyframe must be an id, a name or an array of them, not {keys.dtype}")
        keys = _spread(keys, (count,), "keyframe")
        if keys.size and not (-1 <= keys.min() and keys.max() < self.model.nkey):
            raise ValueError(
                f"keyframes from {keys.min()} to {keys.max()}, must be from 0 to "
                f"{self.model.nkey - 1}, or -1 for the initial state (nkey is {self.model.nkey})"
            )
        return np.ascontiguousarray(keys, np.int32)

    def _controls(
        self, control: Any, nstep: Any, count: int, spec: int
    ) -> tuple[int, NDArray[np.float64] | None]:
        """Steps of a rollout, and what is set before each."""
        if nstep is not None:
            nstep = _integer(nstep, "nstep", 1)
        if control is None:
            if nstep is None:
                raise TypeError("rollout needs nstep where there is no control")
            return nstep, None
        spec = _integer(spec, "control_spec", 1)
        if spec & ~_INPUTS:
            raise ValueError("control_spec can only have bits that are in StateBit.USER")
        array = _floats(control, "control")
        if array.ndim > 3:
            raise ValueError(f"control has shape {array.shape}, must be (n, nstep, ncontrol)")
        if nstep is None:
            nstep = array.shape[-2] if array.ndim > 1 else 1
        size = _core.stateSize(self.model, spec)
        return nstep, _spread(array, (count, _integer(nstep, "nstep", 1), size), "control")

    def _start(self, state: Any, ids: Any, count: int) -> None:
        """Set the states that a rollout starts from."""
        size = _core.stateSize(self.model, _FULL)
        array = _spread(_floats(state, "state"), (count, size), "state")
        rows = _rows(ids)
        parts = (self.qpos, self.qvel, self.act, self.history)
        ends = np.cumsum([1, *(part.shape[1] for part in parts)])
        self.time[rows] = array[:, 0]
        for part, first, end in zip(parts, ends, ends[1:], strict=False):
            part[rows] = array[:, first:end]
        self.qacc_warmstart[rows] = 0
        impulse = _core.batchArray(self, "impulse")
        # what rigid contact starts from, their number first
        if impulse is not None:
            impulse[rows, 0] = 0

    def _tell(self, kinds: int) -> None:
        """Warn of kinds (bits) that no simulation had before."""
        fresh, self._told = kinds & ~self._told, kinds
        for kind in Warning:
            if fresh >> kind & 1:
                text = simulations_with(kind, np.flatnonzero(self.warnings[:, kind]), self.n)
                warnings.warn(_core.SimulationWarning(text), stacklevel=level())

    def _same_model(self) -> Model:
        """The model as it was when the batch was made: the one given, if it has not changed."""
        if _core.batchHasModel(self):
            return self.model
        return _core.batchModel(type(self.model), self)

    def _parts(self, model: Model) -> tuple[Any, ...]:
        """Arguments of _unpack_batch."""
        arrays = {name: _core.batchArray(self, name) for name in _core.batchNames(self)}
        return type(self), model, (self.n, self.threads, self.dtype, self.width), arrays


def results(n: int, rows: int, shapes: Sequence[tuple[int, ...]]) -> list[NDArray[np.float64]]:
    """Arrays (n, rows, *shape) of zeros for what a rollout gives."""
    try:
        return [np.zeros((n, rows, *shape)) for shape in shapes]
    except (MemoryError, ValueError):  # ValueError: more than addresses reach
        size = 8 * n * rows * sum(math.prod(shape) for shape in shapes)
        raise MemoryError(
            f"rollout: no memory for the results of {n} simulation{'s' * (n != 1)}, {rows} rows each: they take "
            f"{size / 1e9:.3g} GB; keep every tenth step (every=10), or go on in parts"
        ) from None


def simulations_with(kind: Warning, ids: NDArray[Any], n: int) -> str:
    """What a SimulationWarning says of simulations ids of n."""
    table = next(rows for name, _, rows in _core.tables()["enums"] if name == "snWarning")
    meaning = next(row[3] for row in table if row[1] == kind)
    return f"{kind.name} in {len(ids)} of {n} simulations, the first is {ids[0]}: {meaning}"


def _rows(ids: NDArray[np.int32] | None) -> Any:
    return slice(None) if ids is None else ids


def _unpack_batch(
    cls: type[Batch],
    model: Model,
    made: tuple[int, int, np.dtype, int],
    arrays: dict[str, NDArray[Any]],
) -> Batch:
    n, threads, dtype, width = made
    batch = cls.__new__(cls, model, n, threads=threads, dtype=dtype, width=width)
    for name, array in arrays.items():
        own = _core.batchArray(batch, name)
        if own is None:
            own = batch._add(name)
        own[...] = array
    return batch


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_single(dtype: DTypeLike) -> bool:
    kind = np.dtype(dtype)
    if kind not in (np.float64, np.float32):
        raise ValueError(f'dtype is {dtype!r}, must be "float64" or "float32"')
    return kind == np.float32


def _integer(value: Any, name: str, low: int, high: int = _MAX_INT) -> int:
    """An int within bounds; a bool or a float is none."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    value = value.__index__()
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, must be from {low} to {high}")
    return value


def _array(value: Any, name: str) -> NDArray[Any]:
    """A NumPy array of anything: a view of the same memory where there is __dlpack__."""
    try:
        if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}; give it as an array in the CPU's memory") from None


def _floats(value: Any, name: str) -> NDArray[np.float64]:
    array = _array(value, name)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must be numbers, not {array.dtype}")
    return array.astype(np.float64, copy=False)


def _spread(array: NDArray[Any], shape: tuple[int, ...], name: str, more: str = "") -> NDArray[Any]:
    """The array broadcast to a shape, contiguous."""
    if array.shape != shape:
        try:
            array = np.broadcast_to(array, shape)
        except ValueError:
            raise ValueError(
                f"{name} has shape {array.shape}, must be {shape} or broadcast to it{more}"
            ) from None
    return np.ascontiguousarray(array)


def _assign(array: NDArray[Any], value: Any, name: str) -> None:
    given = _floats(value, name)
    try:
        array[...] = given != 0 if array.dtype == np.uint8 else given
    except ValueError:
        raise ValueError(
            f"{name} has shape {given.shape}, must be {array.shape} or broadcast to it"
        ) from None


def _nominal(model: Model, field: str) -> NDArray[np.float64]:
    """A field of a model, or of its options."""
    holder, _, name = field.rpartition(".")
    return np.asarray(getattr(getattr(model, holder) if holder else model, name))


@functools.cache
def _fields() -> dict[str, frozenset[str]]:
    """Names of the fields of data and models."""
    tables = _core.tables()
    return {table: frozenset(row[0] for row in tables[table]) for table in ("data", "model")}


def _no_attribute(name: str) -> str:
    text = f"a Batch has no attribute '{name}'"
    if name.startswith("_"):
        return text
    if name in _fields()["data"]:
        return f"{text} yet: bind('{name}') makes it one"
    if name in _fields()["model"]:
        return f"{text} yet: parameter('{name}') makes it one"
    return text
