"""The peer's structs under one roof."""

from __future__ import annotations

import inspect

from .. import _core
from .._core import MjContact as MjContact
from .._core import MjLROpt as MjLROpt
from .._core import MjSolverStat as MjSolverStat
from .._core import MjStatistic as MjStatistic
from .._core import MjTimerStat as MjTimerStat
from .._core import MjVisual as MjVisual
from .._core import MjWarningStat as MjWarningStat
from ._data import MjData as MjData
from ._data import mj_isSparse as mj_isSparse
from ._model import MjModel as MjModel
from ._model import MjOption as MjOption
from ._release import IS_LATER
from ._shown import shown_of_view

MjVisualHeadlight = MjVisual.Headlight
MjVisualRgba = MjVisual.Rgba
globals().update({name: cls for name, cls in vars(_core).items() if name.startswith("_Mj")})
_VIEWS = _core.setPeerTypes(MjModel, MjData, MjOption, IS_LATER)
globals().update({cls.__name__: cls for cls in _VIEWS})
for _view in _VIEWS:
    _view.__dir__ = shown_of_view  # type: ignore[method-assign, attr-defined]


def _have(cls: type) -> None:
    """Let the class itself have its fields, not its bases: programs look for them in `vars(MjData)`."""
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if name not in vars(cls) and not name.startswith("_") and inspect.isdatadescriptor(member):
            setattr(cls, name, member)


if IS_LATER:
    from ._later_members import change, change_view
    from ._later_parts import change_parts
    from ._later_solver import change_solver

    for _view in _VIEWS:
        change_view(_view)

    for _cls in (MjModel, MjData, MjOption):
        change(_cls)
    change_parts(MjModel)
    change_solver(MjData)
_have(MjModel)
_have(MjData)
_have(MjOption)
