"""Rollouts of many trajectories in the lanes of a `sinew.Batch`."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._batch import Batch
from .._enums import StateBit
from ._structs import MjData, MjModel

FEWEST = 32  # trajectories; fewer go one by one

_Array = NDArray[np.float64]
CALLBACKS = (
    "passive",
    "control",
    "contactfilter",
    "sensor",
    "act_dyn",
    "act_gain",
    "act_bias",
    "time",
)
_USERDATA = int(StateBit.USERDATA)
_SIZES = _core.tables()["sizes"]
_NAMES = {
    StateBit.CTRL: "ctrl",
    StateBit.QFRC_APPLIED: "qfrc_applied",
    StateBit.XFRC_APPLIED: "xfrc_applied",
    StateBit.EQ_ACTIVE: "eq_active",
    StateBit.MOCAP_POS: "mocap_pos",
    StateBit.MOCAP_QUAT: "mocap_quat",
    StateBit.USERDATA: "userdata",
}


class Lanes:
    """A batch that is kept from one rollout to the next with the same model."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.batch: Batch | None = None
        self._lock = threading.Lock()

    def suit(
        self, models: Sequence[MjModel], datas: Sequence[MjData], spec: int, nstep: int, count: int
    ) -> bool:
        """Whether trajectories go in lanes: many, of one model that they take, with no functions in Python."""
        if len(models) != 1 or count < FEWEST or nstep < 1:
            return False
        if not all(isinstance(d, MjData) for d in datas):
            return False
        if len(datas) != self.threads or len({id(d) for d in datas}) < self.threads:
            return False
        if any(_core.getCallback(d, name) for d in (None, *datas) for name in CALLBACKS):
            return False
        if _core.batchScalarFeatures(models[0]):
            return False
        first, *others = (_inputs(models[0], d, spec) for d in datas)
        return first is not None and all(
            other is not None and (other == first).all() for other in others
        )

    def run(
        self,
        model: MjModel,
        data: MjData,
        nstep: int,
        spec: int,
        first: _Array,
        warmstart: _Array | None,
        control: _Array | None,
        state: _Array,
        sensordata: _Array,
    ) -> NDArray[np.intp] | None:
        """Simulate; return the trajectories that warned, to be made one by one. None: all, there are no lanes for them."""
        if not (state.flags.writeable and sensordata.flags.writeable):
            return None
        with self._lock:
            batch = self._of(model, len(first))
            if batch.width == 1:
                return None
            batch.reset()
            batch._start(first, None, len(first))
            if warmstart is not None:
                batch.qacc_warmstart = warmstart
            held = _USERDATA if control is not None else _USERDATA | spec
            _hold(batch, _inputs(model, data, held), held)
            _core.batchStep(batch, None, nstep, 1, spec, control, state, sensordata, None)
            return np.flatnonzero(batch.warnings.any(1))

    def _of(self, model: MjModel, count: int) -> Batch:
        batch = self.batch
        if (
            batch is None
            or batch.n != count
            or batch.model is not model
            or not _core.batchHasModel(batch)
        ):
            self.batch = batch = Batch(model, count, threads=self.threads)
        return batch


def _inputs(model: MjModel, data: MjData, spec: int) -> _Array | None:
    """What a data has of the inputs in a specification, and its userdata; None: it is of another model."""
    own = data.model
    if own is not model and any(getattr(model, n) != getattr(own, n) for n, _ in _SIZES):
        return None
    bits = spec | _USERDATA
    values = np.empty(_core.stateSize(model, bits))
    _core.getState(model, data, values, bits)
    return values


def _hold(batch: Batch, values: _Array, spec: int) -> None:
    """Give all simulations the same inputs: parts of the state in the order of its bits."""
    at = 0
    for bit in StateBit:
        if bit & (bit - 1) or not spec & bit:
            continue
        array = getattr(batch, _NAMES[bit])
        size = array[0].size
        array[...] = values[at : at + size].reshape(array.shape[1:])
        at += size
