"""MjData."""

from __future__ import annotations

import copy
from typing import Any

from .. import _core
from .._types import Data, Model
from ._shown import Walked, shown
from ._specs.bind import bind, bind_scalar


def mj_isSparse(m: Model) -> int:
    """Whether `MjData.efc_J` and its like are given in sparse form: as `opt.jacobian` says, and if that is
    automatic from 60 dofs on."""
    return int(m.opt.jacobian == 1 or (m.opt.jacobian == 2 and m.nv >= 60))


class MjData(_core.PeerData, Data, metaclass=Walked):
    """State of a simulation, see `sinew.Data`."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        return shown(super().__dir__(), "MjData")

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from, or for several."""
        return bind(self, specs)

    def __deepcopy__(self, memo: dict) -> MjData:
        return _core.copyData(type(self), copy.deepcopy(self.model, memo), self)

    def bind_scalar(self, spec: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from."""
        return bind_scalar(self, spec)
