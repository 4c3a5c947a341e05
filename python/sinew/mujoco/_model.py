"""MjModel."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._types import Model
from . import _later
from ._load import load_path, load_text
from ._release import IS_LATER, SILENT
from ._shown import Walked, shown
from ._specs import MjSpec
from ._specs.bind import bind, bind_scalar

_SIZES = """
    nq nv nu na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom nsite ncam nlight nflex
    nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexelemedge nflexshelldata nflexevpair
    nflextexcoord nmesh nmeshvert nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert
    nmeshpolymap nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert nhfield nhfielddata ntex
    ntexdata nmat npair nexclude neq ntendon nwrap nsensor nnumeric nnumericdata ntext ntextdata ntuple
    ntupledata nkey nmocap nplugin npluginattr nuser_body nuser_jnt nuser_geom nuser_site nuser_cam
    nuser_tendon nuser_actuator nuser_sensor nnames npaths nnames_map nJmom ngravcomp nemax njmax nconmax
    nuserdata nsensordata npluginstate narena nbuffer
"""  # in the peer's order


class MjOption(_core.MjOption, metaclass=Walked):
    """Physics and solver settings of a model."""

    __slots__ = ()
    __module__ = __name__.rpartition(".")[0]

    def __dir__(self) -> list[str]:
        return shown(super().__dir__(), "MjOption")


class MjModel(_core.PeerModel, Model, metaclass=Walked):
    """A compiled model, see `sinew.Model`."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        return shown(super().__dir__(), "MjModel")

    _size_fields = tuple((_later.SIZES if IS_LATER else _SIZES).split())

    @property
    def _sizes(self) -> NDArray[np.int64]:
        """All sizes, which MJX takes from here."""
        sizes = np.array([getattr(self, name) for name in self._size_fields], np.int64)
        sizes.flags.writeable = False
        return sizes

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
    "option": MjOption,
    "visual": lambda: (
        _core.specCompile(_core.specMake(SILENT), MjModel).vis
    ),  # of no model, as nobody can make one
    "statistic": _core.MjStatistic,
}
