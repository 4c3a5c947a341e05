"""MjModel, MjData and the options of `mj_setLengthRange`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._types import Data, Model
from ._constants import mjNISLAND
from ._specs import MjSpec
from ._specs.bind import bind


class MjModel(Model):
    """A compiled model, see `sinew.Model`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` it came from, or for several."""
        return bind(self, specs)

    @classmethod
    def from_xml_path(
        cls, filename: str | os.PathLike, assets: Mapping[str, bytes] | None = None
    ) -> MjModel:
        """Load an MJCF file; `assets` holds files by name."""
        try:
            if not assets:
                return cls.from_path(filename)
            text = assets.get(os.fspath(filename))
            if text is None:
                with open(filename, "rb") as file:
                    text = file.read()
            return cls.from_xml(text, assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load MJCF text; `assets` holds files by name."""
        try:
            return cls.from_xml(xml, assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def from_binary_path(
        cls, filename: str | os.PathLike, assets: Mapping[str, bytes] | None = None
    ) -> MjModel:
        """Load a binary file of `mj_saveModel`; `assets` holds files by name."""
        data = (assets or {}).get(os.fspath(filename))
        try:
            return cls.from_path(filename) if data is None else _core.unpackModel(cls, data)
        except OSError as error:
            raise ValueError(str(error)) from error


class MjData(Data):
    """State of a simulation, see `sinew.Data`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from, or for several."""
        return bind(self, specs)

    @property
    def efc_J(self) -> NDArray[np.float64]:
        """Jacobian of the constraint rows, dense, as one row (nefc * nv)."""
        return super().efc_J.reshape(-1)

    @property
    def solver_niter(self) -> NDArray[np.int32]:
        """Solver iterations by island; all in the first entry."""
        result = np.zeros(mjNISLAND, np.int32)
        result[0] = super().solver_niter
        return result


_core.setPeerData(MjData)
MjSpec._model_type = MjModel


class MjLROpt:
    """How `mj_setLengthRange` finds a range, see `sinew.setLengthRange`; all 0 when made."""

    __slots__ = (
        "accel", "interval", "inttotal", "maxforce", "mode", "timeconst", "timestep", "tolrange",
        "useexisting", "uselimit",
    )  # fmt: skip

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)
