"""The simulations of a batch in lanes of the processor's vectors: a `sinew.Batch` behind the calls of `_each.Each`.

Results are those of `sinew.Batch`: to 1e-11 a step those of `mj_step`, the same bits at any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._batch import Batch
from .._enums import StateBit
from ._batch_fields import INPUTS, NONE
from ._native import PARTS, WARNINGS, signature
from ._release import IS_LATER
from ._structs import MjData, MjModel

_Ids = NDArray[np.int32] | None


class LaneBatch:
    """nsim simulations of a copy of a model in lanes; their states are an array for each field."""

    persistent = False

    def __init__(self, model: MjModel, nsim: int, nthread: int, persistent: bool) -> None:
        if persistent:
            raise NotImplementedError("persistent=True with lanes=True: lanes have no data")
        self.batch = Batch(model, nsim, threads=nthread or None)
        self._model = model
        self.nsim, self.nthread = self.batch.n, self.batch.threads
        self.status = np.zeros(self.nsim, np.int32)

    @property
    def nstate(self) -> int:
        """Numbers of a state."""
        return _core.stateSize(self._model, int(sum(PARTS.values())))

    @property
    def rows(self) -> Any:
        """An error: state and inputs are arrays by field here."""
        raise NotImplementedError(
            "state: a batch in lanes has an array for each field, bind('qpos'), not one of all rows; "
            "make it without lanes=True"
        )

    @property
    def warning(self) -> NDArray[np.int32]:
        """(nsim, mjNWARNING, 2): info of the last, number."""
        raised = _core.batchArray(self.batch, "warning").reshape(self.nsim, -1, 2)
        return raised[:, WARNINGS] if IS_LATER else raised[:, : len(WARNINGS)]

    def input(self, name: str) -> NDArray[Any]:
        """A field of the state."""
        return getattr(self.batch, name)

    def output(self, name: str) -> NDArray[Any]:
        """A computed field, which calls fill from now on."""
        self.batch.bind(name)
        return getattr(self.batch, name)

    def template(self, name: str) -> NDArray[Any]:
        """A field, as an array of its shape and type."""
        return (self.input if name in INPUTS else self.output)(name)[0]

    def expand(self, name: str) -> NDArray[np.float64]:
        """A field of the model for each simulation."""
        return self.batch.parameter(name)

    def expanded(self, name: str) -> NDArray[Any] | None:
        """The same of a field that is each simulation's own already; None: it is not."""
        return _core.batchArray(self.batch, name)

    def error(self, sim: int) -> str:
        """Return '': a step never fails."""
        return ""

    def checked(self, sim: int) -> int:
        """The number of a simulation."""
        if not 0 <= sim < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {sim}")
        return sim

    def set_models(self, models: Any) -> None:
        """Refuse models of the caller's: `expand` gives simulations parameters of their own."""
        if models is not None:
            raise NotImplementedError("set_models with lanes=True: expand fields instead")

    # ---- calls; each returns how many simulations failed

    def step(self, ids: _Ids, nstep: int, stage: int) -> int:
        """Step, then compute all stages if any is asked for."""
        self.batch.step(nstep=nstep, ids=ids)
        return self.forward(ids, stage)

    def forward(self, ids: _Ids, stage: int) -> int:
        """Compute all stages if any is asked for."""
        if stage != NONE:
            self.batch.forward(ids)
        return 0

    def reset(self, ids: _Ids, keys: NDArray[np.int32] | None, stage: int) -> int:
        """Reset to the model, or to keyframes, then compute all stages if any is asked for."""
        self.batch.reset(ids, -1 if keys is None else keys)
        return self.forward(ids, stage)

    def set_const(self, ids: _Ids) -> int:
        """Compute what follows from parameters, which become parameters, too."""
        self.batch.set_const(ids)
        return 0

    def rollout(
        self,
        ids: _Ids,
        nstep: int,
        control: NDArray[np.float64] | None,
        spec: int,
        records: Sequence[tuple[str | None, int, NDArray[Any]]],
    ) -> int:
        """Step nstep times, and record; a simulation that warns stops."""
        rows = np.arange(self.nsim, dtype=np.int32) if ids is None else ids
        kept = [(self._recorded(name, bits), array) for name, bits, array in records]
        live = np.ones(len(rows), bool)
        for k in range(nstep):
            before = self.warning[rows, :, 1].sum(1)
            if live.any():
                given = None if control is None else control[live, k : k + 1]
                self.batch.rollout(
                    control=given, nstep=1, ids=rows[live], control_spec=signature(spec)
                )
            for of, array in kept:
                array[:, k] = of(rows)
            live &= self.warning[rows, :, 1].sum(1) <= before
        return 0

    def _recorded(self, name: str | None, bits: int) -> Any:
        """A function of ids that gives what is recorded of them now."""
        if name is not None:
            array = self.input(name) if name in INPUTS else self.output(name)
            return lambda rows: array[rows]
        parts = signature(bits)
        for part in (StateBit.HISTORY, StateBit.PLASTIC):  # which few models have
            if not _core.stateSize(self._model, int(part)):
                parts &= ~int(part)
        there = {bit: name for name, bit in INPUTS.items()}
        known = sum(there) | StateBit.PLUGIN
        if bits < 0 or bits & ~sum(PARTS) or parts & ~known:
            raise ValueError(f"record: {bits} are not bits of mjtState")
        names = [there[bit] for bit in PARTS.values() if parts & bit and bit in there]
        arrays = [self.input(name).reshape(self.nsim, -1) for name in names]
        return lambda rows: np.concatenate(
            [np.empty((len(rows), 0)), *(a[rows] for a in arrays)], 1
        )

    def jac(self, ids: _Ids, body: Any, point: Any, jacp: Any, jacr: Any) -> int:
        """Jacobians of points of bodies into arrays (n, 3, nv)."""
        for k, i in enumerate(range(self.nsim) if ids is None else ids):
            data = self.batch.get_data(int(i))
            _core.jac(data.model, data, jacp[k], jacr[k], point[k], int(body[k]))
        return 0

    def ray(self, ids: _Ids, *query: Any) -> int:
        """Rays into dist, geomid (n, nray), and normal or None."""
        pnt, vec, group, static, exclude, dist, geomid, normal = query
        for k, i in enumerate(range(self.nsim) if ids is None else ids):
            data = self.batch.get_data(int(i))
            for r in range(dist.shape[1]):
                found = geomid[k, r : r + 1]
                line = (data.model, data, pnt[k, r], vec[k, r])
                dist[k, r] = _core.ray(*line, group, int(static), int(exclude[k, r]), found)
                if normal is not None:
                    _core.rayNormal(
                        data.model, data, int(found[0]), *line[2:], dist[k, r], normal[k, r]
                    )
        return 0

    # ---- single simulations

    def get_model(self, sim: int, model: MjModel) -> None:
        """Write the fields that simulation sim has of its own."""
        self.checked(sim)
        for name in _core.batchNames(self.batch):
            holder, _, last = name.rpartition(".")
            target = getattr(model, holder) if holder else model
            if not hasattr(MjData, name) and hasattr(target, last):
                setattr(target, last, _core.batchArray(self.batch, name)[sim])

    def get_data(self, sim: int, data: MjData) -> None:
        """Write the state of simulation sim, and compute all that follows."""
        own = self.batch.get_data(self.checked(sim))
        bits = int(sum(PARTS.values()))
        state = np.empty(_core.stateSize(self._model, bits))
        _core.getState(own.model, own, state, bits)
        _core.setState(data.model, data, state, bits)
        _core.forward(own.model, data)
