"""MjData."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._types import Data, Model
from ._specs.bind import bind, bind_scalar


def mj_isSparse(m: Model) -> int:
    """Whether `MjData.efc_J` and its like are given in sparse form: as `opt.jacobian` says, and if that is
    automatic from 60 dofs on."""
    return int(m.opt.jacobian == 1 or (m.opt.jacobian == 2 and m.nv >= 60))


class MjData(_core.PeerData, Data):
    """State of a simulation, see `sinew.Data`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from, or for several."""
        return bind(self, specs)

    def __deepcopy__(self, memo: dict) -> MjData:
        return _core.copyData(type(self), copy.deepcopy(self.model, memo), self)

    def bind_scalar(self, spec: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from."""
        return bind_scalar(self, spec)

    @property
    def ten_J(self) -> NDArray[np.float64]:
        """Moment arms of the tendons, dense or, if `mj_isSparse`, by rows; (ntendon x nv) for either."""
        dense = super().ten_J
        return self._packed(dense[dense != 0]) if mj_isSparse(self.model) else dense

    @property
    def ten_J_rownnz(self) -> NDArray[np.int32]:
        """Numbers of each row of a sparse ten_J; 0 of a dense one."""
        return super().ten_J_rownnz * mj_isSparse(self.model)

    @property
    def ten_J_rowadr(self) -> NDArray[np.int32]:
        """Where each row of a sparse ten_J starts."""
        return super().ten_J_rowadr * mj_isSparse(self.model)

    @property
    def ten_J_colind(self) -> NDArray[np.int32]:
        """Dofs of the numbers of a sparse ten_J (ntendon x nv)."""
        used = int(self.ten_J_rownnz.sum())
        return self._packed(super().ten_J_colind[:used])

    def _packed(self, entries: NDArray) -> NDArray:
        """Entries of the rows of ten_J, one after the other, in an array with room for all of them."""
        result = np.zeros((self.model.ntendon, self.model.nv), entries.dtype)
        result.reshape(-1)[: len(entries)] = entries
        return result
