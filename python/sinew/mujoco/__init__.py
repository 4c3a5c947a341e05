"""Sinew under MuJoCo's own names: programs written for that API run with `from sinew import mujoco`.

Functions, classes and enumerations have the peer's names, arguments and behaviour, as of MuJoCo 3.3.7.
What draws needs the extra [view]; the viewer's window and the exporter to USD say that they are not there yet.
"""

from __future__ import annotations

from .. import _in_place
from . import (
    _callbacks,
    _constants,
    _enums,
    _errors,
    _functions,
    _log,
    _picture,
    _print,
    _render,
    _specs,
    _structs,
    _user,
    _vfs,
    _visual,
    gl_context,
)
from ._callbacks import *  # noqa: F403
from ._constants import *  # noqa: F403
from ._context import MjrContext
from ._errors import *  # noqa: F403
from ._functions import *  # noqa: F403
from ._log import *  # noqa: F403
from ._picture import *  # noqa: F403
from ._print import *  # noqa: F403
from ._signatures import describe
from ._specs import *  # noqa: F403
from ._structs import (
    MjContact,
    MjData,
    MjLROpt,
    MjModel,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjTimerStat,
    MjVisual,
    MjVisualHeadlight,
    MjVisualRgba,
    MjWarningStat,
)
from ._user import *  # noqa: F403
from ._vfs import *  # noqa: F403
from ._visual import *  # noqa: F403
from .gl_context import *  # noqa: F403
from .renderer import Renderer

__version__ = _functions.mj_versionString()
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
    "MjrContext",
    "MjVisual",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "Renderer",
    *_callbacks.__all__,
    *_constants.__all__,
    *_errors.__all__,
    *gl_context.__all__,
    *_enums.ENUMS,
    *_functions.__all__,
    *_log.__all__,
    *_picture.__all__,
    *_print.__all__,
    *_user.__all__,
    *_specs.__all__,
    *_vfs.__all__,
    *_visual.__all__,
]

globals().update(_enums.ENUMS)
_in_place.install()
_HOMES = {  # the peer's modules of its own, from which programs import, too
    "Mjr": _render,
    "mjr_": _render,
    "Mjs": _specs,
    "MjSpec": _specs,
    "MjVfs": _specs,
    "Mj": _structs,
    **dict.fromkeys(("mj_", "mjd_", "mju_", "mjv_"), _functions),
    "get_": _callbacks,
    "set_": _callbacks,
}
for _name in __all__:
    describe(_name, globals()[_name])
    _home = next((home for start, home in _HOMES.items() if _name.startswith(start)), None)
    if _home is not None:
        setattr(_home, _name, globals()[_name])
