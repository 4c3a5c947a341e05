"""MjModel."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .. import _core
from .._types import Model
from ._load import load_path, load_text
from ._specs import MjSpec
from ._specs.bind import bind, bind_scalar


class MjModel(_core.PeerModel, Model):
    """A compiled model, see `sinew.Model`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` it came from, or for several."""
        return bind(self, specs)

    def bind_scalar(self, spec: Any) -> Any:
        """What it holds for an element of the `MjSpec` it came from."""
        return bind_scalar(self, spec)

    @classmethod
    def from_xml_path(
        cls, filename: str | os.PathLike, assets: Mapping[str, bytes] | None = None
    ) -> MjModel:
        """Load an MJCF file; `assets` holds files by name."""
        return load_path(cls, filename, assets)

    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load MJCF text; `assets` holds files by name."""
        return load_text(cls, xml, assets)

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


MjSpec._model_type = MjModel
MjSpec._lengthrange_type = _core.MjLROpt
MjSpec._setting_types = {
    "option": _core.MjOption,
    "visual": lambda: (
        _core.specCompile(_core.specMake(), MjModel).vis
    ),  # of no model, as nobody can make one
    "statistic": _core.MjStatistic,
}
