"""Sinew under MuJoCo's own names: programs written for that API run with `from sinew import mujoco`.

Functions, classes and enumerations have the peer's names, arguments and behaviour, as of MuJoCo 3.3.7.
What is missing raises AttributeError that says so.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from .._core import Option as MjOption
from .._core import Statistic as MjStatistic
from .._core import Visual as MjVisual
from .._types import Contact as MjContact
from . import _callbacks, _constants, _enums, _functions, _specs
from ._callbacks import *  # noqa: F403
from ._constants import *  # noqa: F403
from ._functions import *  # noqa: F403
from ._specs import *  # noqa: F403
from ._structs import MjData, MjLROpt, MjModel, MjSolverStat, MjTimerStat, MjWarningStat

__version__ = _core.__version__
__all__ = [
    "MjContact",
    "MjData",
    "MjLROpt",
    "MjModel",
    "MjSolverStat",
    "MjTimerStat",
    "MjWarningStat",
    "MjOption",
    "MjStatistic",
    "MjVisual",
    *_callbacks.__all__,
    *_constants.__all__,
    *_enums.ENUMS,
    *_functions.__all__,
    *_specs.__all__,
]

globals().update(_enums.ENUMS)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise AttributeError(f"{name} is not in Sinew yet")
