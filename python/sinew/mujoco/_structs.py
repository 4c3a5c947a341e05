"""The peer's structs: MjModel, MjData and the options of `mj_setLengthRange`."""

from __future__ import annotations

from ._data import MjData as MjData
from ._data import mj_isSparse as mj_isSparse
from ._model import MjModel as MjModel


class MjLROpt:
    """How `mj_setLengthRange` finds a range, see `sinew.setLengthRange`; all 0 when made."""

    __slots__ = (
        "accel", "interval", "inttotal", "maxforce", "mode", "timeconst", "timestep", "tolrange",
        "useexisting", "uselimit",
    )  # fmt: skip

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)
