"""Rollouts of many simulations on the executors that other libraries have: processes, clusters, MPI.

A rollout is cut into shards of some simulations, each the work of one call on a worker. The model travels as its
bytes once to each worker, which keeps it by their hash.
"""

from __future__ import annotations

import collections
import hashlib
import math
import os
import pathlib
import socket
import sys
import warnings
import weakref
import zipfile
from collections.abc import Callable, Sequence
from concurrent import futures
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._batch import Batch, _integer, simulations_with
from ._enums import StateBit, Warning
from ._output import Output
from ._types import Model

__all__ = ["RayExecutor", "RolloutError", "rollout"]

_Array = NDArray[np.float64]
_KEPT_MODELS = 8  # models that a worker keeps, the last used
_AT_ONCE = 64  # shards that wait or run: what they hold is in memory


class RolloutError(RuntimeError):
    """A rollout did not come to its end.

    Attributes
    ----------
    done : list of int
        The shards that were simulated; with `keep` a second call takes them from there.
    """

    def __init__(self, message: str, done: Sequence[int] = ()) -> None:
        super().__init__(message, list(done))
        self.done = list(done)

    def __str__(self) -> str:
        return self.args[0]


# ---- on a worker

_models: collections.OrderedDict[str, Model] = collections.OrderedDict()


def _model_of(job: dict[str, Any], packed: bytes | None) -> Model | None:
    """The model of a job, None where it has not come here yet."""
    key = job["model"]
    if key not in _models:
        if packed is None:
            return None
        _models[key] = _core.unpackModel(Model, packed)
        while len(_models) > _KEPT_MODELS:
            _models.popitem(last=False)
    _models.move_to_end(key)
    return _models[key]


def _check(job: dict[str, Any], model: Model | None) -> None:
    here = socket.gethostname()
    if job["version"] != _core.__version__:
        raise RolloutError(
            f"rollout: worker {here} has Sinew {_core.__version__}, the caller {job['version']}; "
            "install the same version on both"
        )
    if model is not None and _sizes(model) != job["sizes"]:
        raise RolloutError(
            f"rollout: the model has sizes {job['sizes']} (nq, nv, na, nu, nsensordata) at the caller and "
            f"{_sizes(model)} at worker {here}"
        )


def _sizes(model: Model) -> tuple[int, ...]:
    return model.nq, model.nv, model.na, model.nu, model.nsensordata


def _work(
    job: dict[str, Any], packed: bytes | None, states: _Array, controls: _Array | None
) -> tuple[str, tuple[_Array, ...] | None]:
    """Simulate a shard on a worker: who it is and the result, None where it has not got the model yet."""
    worker = f"{socket.gethostname()}:{os.getpid()}"
    _check(job, None)
    model = _model_of(job, packed)
    if model is None:
        return worker, None
    _check(job, model)
    return worker, _simulate(model, job, states, controls)


def _simulate(
    model: Model, job: dict[str, Any], states: _Array, controls: _Array | None
) -> tuple[_Array, ...]:
    try:
        batch = Batch(
            model, len(states), threads=job["threads"], width=job["width"], dtype=job["dtype"]
        )
    except ValueError as error:
        raise RolloutError(f"rollout: worker {socket.gethostname()}: {error}") from error
    batch._told = -1  # the caller tells what came up, of all shards at once
    results = batch.rollout(states, controls, nstep=job["nstep"], every=job["every"])
    return *results, np.argwhere(batch.warnings)


# ---- at the caller

# Hashes of the models that workers of an executor have got. They may have others by now, or be others: whoever has not got
# a model says so.
_sent: weakref.WeakKeyDictionary[futures.Executor, set[str]] = weakref.WeakKeyDictionary()


class _Kept:
    """Shards that are simulated, in memory and, with a folder, in files that outlive the process."""

    def __init__(self, count: int, folder: str | os.PathLike | None, key: str, loud: bool) -> None:
        self.shards: list[tuple[_Array, ...] | None] = [None] * count
        self.folder = None if folder is None else pathlib.Path(folder)
        self.key = key
        self.loud = loud
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            for i in range(count):
                self.shards[i] = self._read(i)

    def _path(self, i: int) -> pathlib.Path:
        assert self.folder is not None
        return self.folder / f"{self.key}-{i:05d}.npz"

    def _read(self, i: int) -> tuple[_Array, ...] | None:
        try:
            with np.load(self._path(i)) as file:
                return file["states"], file["sensors"], file["warnings"]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None  # not there, or not whole

    def add(self, i: int, result: tuple[_Array, ...]) -> None:
        self.shards[i] = result
        if self.folder is None:
            return
        # a part of its own name, as another caller may be at the same shard
        output = Output(self._path(i))
        with output.blamed(), open(output.part, "wb") as file:
            np.savez(file, states=result[0], sensors=result[1], warnings=result[2])
        output.keep()
        if self.loud:
            print(f"sinew.rollout: {self}", file=sys.stderr, flush=True)

    def done(self) -> list[int]:
        return [i for i, shard in enumerate(self.shards) if shard is not None]

    def left(self) -> list[int]:
        return [i for i, shard in enumerate(self.shards) if shard is None]

    def whole(self) -> tuple[_Array, ...]:
        """The shards behind each other; none may be left."""
        shards = [shard for shard in self.shards if shard is not None]
        assert len(shards) == len(self.shards), str(self)
        first = np.cumsum([0, *(len(states) for states, _, _ in shards)])
        warned = [found + [at, 0] for at, (_, _, found) in zip(first, shards, strict=False)]
        states, sensors, _ = zip(*shards, strict=True)
        return np.concatenate(states), np.concatenate(sensors), np.concatenate(warned)

    def __str__(self) -> str:
        text = f"shards {_ranges(self.done())} of {len(self.shards)} are done"
        if self.folder is None:
            return text
        return f"{text} and kept in {self.folder}: the same call goes on from there"


def _ranges(numbers: Sequence[int]) -> str:
    """'0-3, 5' of 0, 1, 2, 3, 5; 'none' of nothing."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "none"


class _Shards:
    """Sends the shards of one rollout to an executor and takes the results.

    A worker that has not got the model hands its shard back; the model then goes with as many shards as there
    are such workers. Of shards that wait with the model only those count that were sent after the one that came
    back: those before have been taken, by a worker that may be at them for long.
    """

    def __init__(
        self, job: dict[str, Any], packed: bytes, parts: Sequence[tuple[Any, ...]], retries: int
    ) -> None:
        self.job = job
        self.packed = packed
        self.parts = parts
        self.failures = [0] * len(parts)
        self.retries = retries
        self.sent = 0

    def run(self, executor: futures.Executor, kept: _Kept) -> None:
        """Simulate what is left; raises BrokenExecutor where the executor is no more."""
        self.executor = executor
        self.pending: dict[
            futures.Future, tuple[int, bool, int]
        ] = {}  # shard, whether the model is with it, how many were sent before
        self.without: set[str] = set()  # workers that have not got the model
        left = collections.deque(kept.left())
        try:
            if left:
                self._submit(left.popleft(), self.job["model"] not in _sent.get(executor, ()))
            while left or self.pending:
                while left and len(self.pending) < _AT_ONCE:
                    self._submit(left.popleft(), False)
                done = futures.wait(self.pending, return_when=futures.FIRST_COMPLETED).done
                # as they were sent: a worker hands back what it took before the model, and then has it
                for future in sorted(done, key=lambda future: self.pending[future][2]):
                    self._take(future, kept)
        finally:
            for future in self.pending:
                future.cancel()

    def _submit(self, i: int, with_model: bool) -> None:
        packed = self.packed if with_model else None
        future = self.executor.submit(_work, self.job, packed, *self.parts[i])
        self.pending[future] = i, with_model, self.sent
        self.sent += 1

    def _take(self, future: futures.Future, kept: _Kept) -> None:
        i, _, number = self.pending.pop(future)
        try:
            worker, result = future.result()
        except (futures.BrokenExecutor, RolloutError):
            raise
        except Exception as error:
            self._failed(i, error, kept)
            self._submit(i, True)
            return
        if result is None:
            self.without.add(worker)
            travelling = sum(
                with_model and later > number for _, with_model, later in self.pending.values()
            )
            self._submit(i, travelling < len(self.without))
        else:
            self.without.discard(worker)
            _sent.setdefault(self.executor, set()).add(self.job["model"])
            kept.add(i, result)

    def _failed(self, i: int, error: Exception, kept: _Kept) -> None:
        self.failures[i] += 1
        if self.failures[i] > self.retries:
            raise RolloutError(
                f"rollout: shard {i} failed {self.failures[i]} times, the last time with "
                f"{type(error).__name__}: {error}; {kept}",
                kept.done(),
            ) from error


def _on_executors(
    make: Callable[[], futures.Executor], shards: _Shards, kept: _Kept, retries: int
) -> None:
    """Runs on an executor, and on a new one when it breaks."""
    for attempt in range(retries + 1):
        with make() as executor:
            try:
                shards.run(executor, kept)
                return
            except futures.BrokenExecutor as error:
                if attempt == retries:
                    raise RolloutError(
                        f"rollout: the executor broke {attempt + 1} times ({error}); {kept}",
                        kept.done(),
                    ) from error


def _on_executor(executor: futures.Executor, shards: _Shards, kept: _Kept) -> None:
    try:
        shards.run(executor, kept)
    except futures.BrokenExecutor as error:
        raise RolloutError(
            f"rollout: the executor is broken ({error}); {kept}. Give a callable that makes one, and it is "
            "made anew",
            kept.done(),
        ) from error


def _parts(
    states: _Array, controls: _Array | None, size: int
) -> list[tuple[_Array, _Array | None]]:
    return [
        (states[i : i + size], None if controls is None else controls[i : i + size])
        for i in range(0, len(states), size)
    ]


def _arrays(
    model: Model, states: ArrayLike, controls: ArrayLike | None, nstep: int | None
) -> tuple[_Array, _Array | None, int]:
    """States [n, nstate], controls [n, nstep, nu] or None, and nstep."""
    size = _core.stateSize(model, int(StateBit.FULLPHYSICS))
    states = np.ascontiguousarray(np.atleast_2d(np.asarray(states, dtype=np.float64)))
    if states.ndim != 2 or states.shape[1] != size:
        raise ValueError(
            f"rollout: states has shape {states.shape}, must be (n, {size}): time, qpos, qvel, act of each"
        )
    if controls is None:
        if nstep is None:
            raise ValueError("rollout: without controls nstep says how many steps there are")
        return states, None, nstep
    controls = np.asarray(controls, dtype=np.float64)
    if controls.ndim not in (2, 3) or controls.shape[-1] != model.nu:
        raise ValueError(
            f"rollout: controls has shape {controls.shape}, must be (n, nstep, {model.nu}) or "
            f"(nstep, {model.nu}) for all"
        )
    if nstep is not None and controls.shape[-2] != nstep:
        raise ValueError(f"rollout: controls has {controls.shape[-2]} steps, nstep says {nstep}")
    n = max(len(states), len(controls) if controls.ndim == 3 else 1)
    try:
        states = np.broadcast_to(states, (n, size))
        controls = np.broadcast_to(controls, (n, *controls.shape[-2:]))
    except ValueError:
        raise ValueError(
            f"rollout: {len(states)} states and controls of {len(controls)} simulations"
        ) from None
    return states, controls, controls.shape[1]


def _shard_size(n: int, shard: int | None, executor: Any, width: int) -> int:
    if shard is not None:
        return shard
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    each = math.ceil(n / (4 * workers))
    return math.ceil(each / width) * width


def rollout(
    model: Model,
    states: ArrayLike,
    controls: ArrayLike | None = None,
    *,
    nstep: int | None = None,
    every: int = 1,
    executor: futures.Executor | Callable[[], futures.Executor] | None = None,
    shard: int | None = None,
    threads: int | None = 1,
    width: int | None = None,
    dtype: str = "float64",
    retries: int = 2,
    keep: str | os.PathLike | None = None,
) -> tuple[_Array, _Array]:
    """Simulate many trajectories, here or on the workers of an executor.

    Parameters
    ----------
    model : Model
        The model. Its bytes travel to each worker once and are kept there by their hash.
    states : array_like, (n, nstate) or (nstate,)
        First states, of `StateBit.FULLPHYSICS`: time, qpos, qvel, act. One is the first of all.
    controls : array_like, (n, nstep, nu) or (nstep, nu), optional
        Controls before each step; those of one are for all.
    nstep : int, optional
        Steps; needed without controls.
    every : int
        Results of each so many steps.
    executor : concurrent.futures.Executor or callable, optional
        Where to simulate: a process pool, Dask's `Client.get_executor()`, `mpi4py.futures.MPIPoolExecutor`,
        `RayExecutor`; or a callable without arguments that makes one, which is called again when it breaks.
        None: here.
    shard : int, optional
        Simulations in a shard; by default four shards for each worker, where the executor tells how many
        there are.
    threads : int, optional
        Threads of each worker, None: all cores.
    width : int, optional
        Simulations in lockstep, as for `Batch`; by default the caller's. A worker that has it not is an error.
    dtype : str
        "float64" or "float32", as for `Batch`.
    retries : int
        How often a shard that failed is sent again, and an executor that broke made anew.
    keep : path, optional
        A folder in which each shard is kept as it is done. A second call with the same arguments takes from
        there what there is.

    Returns
    -------
    states : ndarray, (n, nstep // every, nstate)
        States after each step.
    sensors : ndarray, (n, nstep // every, nsensordata)
        Sensor outputs of each step.

    The bits do not depend on the executor, the shards or the threads, as long as the width is the same.

    Warns
    -----
    SimulationWarning
        Of each kind of `Warning` that came up: a simulation with bad numbers began anew from the model's start.

    Raises
    ------
    ValueError
        Shapes that do not fit.
    RolloutError
        A worker has another version of Sinew or not this width; a shard failed too often; the executor broke.
        The message names the shards that are done.

    Notes
    -----
    Workers begin with warm starts, applied forces and user data of 0 and mocap poses of the model.
    """
    if not isinstance(model, _core.Model):
        raise TypeError(f"rollout: model must be a sinew.Model, not {type(model).__name__}")
    for name, number, low in (
        ("nstep", nstep, 1),
        ("every", every, 1),
        ("shard", shard, 1),
        ("threads", threads, 1),
        ("retries", retries, 0),
    ):
        if number is not None or name in ("every", "retries"):
            _integer(number, f"rollout: {name}", low)
    states, controls, nstep = _arrays(model, states, controls, nstep)
    if width is None:
        try:
            width = Batch(model, 1, dtype=dtype).width
        except MemoryError as error:
            raise MemoryError(f"rollout of {len(states)} simulations: {error}") from None
    packed = _core.packModel(model)
    job = {
        "model": hashlib.blake2b(packed, digest_size=16).hexdigest(),
        "version": _core.__version__,
        "sizes": _sizes(model),
        "nstep": nstep,
        "every": every,
        "threads": threads,
        "width": width,
        "dtype": dtype,
    }
    if executor is None and keep is None:
        return _told(*_simulate(model, job, states, controls))
    size = _shard_size(len(states), shard, executor, width)
    parts = _parts(states, controls, size)
    key = "" if keep is None else _key(job, states, controls, size)
    kept = _Kept(len(parts), keep, key, _ends_with_a_rank(executor))
    _run(executor, _Shards(job, packed, parts, retries), kept, retries, model)
    return _told(*kept.whole())


def _told(states: _Array, sensors: _Array, found: NDArray[np.intp]) -> tuple[_Array, _Array]:
    """The results, after warnings of what came up: found [k, 2] has simulations and kinds."""
    for kind in Warning:
        ids = found[found[:, 1] == kind, 0]
        if len(ids):
            text = f"rollout: {simulations_with(kind, ids, len(states))}"
            warnings.warn(_core.SimulationWarning(text), stacklevel=3)
    return states, sensors


def _run(executor: Any, shards: _Shards, kept: _Kept, retries: int, model: Model) -> None:
    if executor is None:
        for i in kept.left():
            kept.add(i, _simulate(model, shards.job, *shards.parts[i]))
    elif isinstance(executor, futures.Executor):
        _on_executor(executor, shards, kept)
    elif callable(executor):
        _on_executors(executor, shards, kept, retries)
    else:
        raise TypeError(
            f"rollout: executor is a {type(executor).__name__}, must be a concurrent.futures.Executor or a "
            "callable that makes one"
        )


def _key(job: dict[str, Any], states: _Array, controls: _Array | None, size: int) -> str:
    """A name for what a call computes: the same for the same arguments."""
    digest = hashlib.blake2b(digest_size=12)
    facts = {k: v for k, v in job.items() if k != "threads"}
    digest.update(repr((sorted(facts.items()), size, states.shape)).encode())
    digest.update(np.ascontiguousarray(states))
    if controls is not None:
        digest.update(repr(controls.shape).encode())
        digest.update(np.ascontiguousarray(controls))
    return digest.hexdigest()


def _ends_with_a_rank(executor: Any) -> bool:
    """Whether a worker that is killed takes the caller with it, who then cannot say what is done."""
    return type(executor).__module__.startswith("mpi4py")


class RayExecutor(futures.Executor):
    """Ray's cluster as an executor of `rollout`.

    Parameters
    ----------
    **options
        For `ray.remote`: num_cpus, max_retries, ...

    Raises
    ------
    ImportError
        Ray is not installed.
    """

    def __init__(self, **options: Any) -> None:
        try:
            import ray
        except ImportError as error:
            raise ImportError("sinew.RayExecutor needs Ray: pip install ray") from error
        if not ray.is_initialized():
            ray.init()
        self._call = ray.remote(_call).options(**options) if options else ray.remote(_call)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> futures.Future:
        """Call fn(*args, **kwargs) on a worker."""
        return self._call.remote(fn, args, kwargs).future()


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
