"""The peer's structs under one roof."""

from __future__ import annotations

import inspect
import re

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
from ._later import BETWEEN, SETCONST_INPUTS, SETCONST_OUTPUTS
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

# What is no array or number of the struct itself, and arrays whose size changes from step to step.
_PARTS = frozenset("contact model opt signature stat vis".split())
_MOVING = re.compile(
    "contact|dof_island|tendon_efcadr|tree_island|(i?efc|efm|island|map)_.*|i(acc|frc|M|LD).*|flg_.*"
)


def _all_fields(cls: type, first: tuple[str, ...]) -> tuple[str, ...]:
    """Names of sizes, then of the other numbers and arrays of a struct."""
    members = ((n, inspect.getattr_static(cls, n)) for n in dir(cls) if n[0] != "_")
    names = [n for n, member in members if inspect.isdatadescriptor(member) and n not in _PARTS]
    others = {row.partition(":")[0] for row in BETWEEN.get(cls.__name__, "").split()} | {*first}
    return (*first, *(n for n in names if n not in others and not _MOVING.fullmatch(n)))


MjModel._all_fields = _all_fields(MjModel, MjModel._size_fields)  # type: ignore[attr-defined]
MjData._all_fields = _all_fields(MjData, ())  # type: ignore[attr-defined]
if IS_LATER:
    MjModel._setconst_inputs = SETCONST_INPUTS  # type: ignore[attr-defined]
    MjModel._setconst_outputs = SETCONST_OUTPUTS  # type: ignore[attr-defined]
