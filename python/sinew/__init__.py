"""Simulation of robots from MJCF model files.

A `Model` is loaded from a file or from text and does not change while it moves; a `Data` is the
state of one simulation and everything computed from it. Their arrays are NumPy views of the C
memory. Functions carry the names of the C library without `sn_`.

>>> import sinew
>>> model = sinew.Model.from_path("humanoid.xml")
>>> data = sinew.Data(model)
>>> sinew.step(model, data, nstep=100)
>>> data.joint("knee_left").qpos.shape
(1,)
"""

from . import _whole

_whole.load()

from . import _core  # noqa: E402

_core.use_numpy()

from ._batch import Batch  # noqa: E402
from ._core import (  # noqa: E402
    IntegerError,
    ModelError,
    NotSupportedError,
    ShapeError,
    SimulationWarning,
)
from ._enums import *  # noqa: E402, F403
from ._enums import __all__ as _enum_names  # noqa: E402
from ._functions import *  # noqa: E402, F403
from ._functions import __all__ as _function_names  # noqa: E402
from ._machines import RayExecutor, RolloutError, rollout  # noqa: E402
from ._plugin import Plugin, load_plugin_library, plugins, register_plugin  # noqa: E402
from ._recording import Recorder, Recording, RecordingWarning  # noqa: E402
from ._spec import Element, PathPoint, Spec  # noqa: E402
from ._types import Contact, ContactArray, Data, Model  # noqa: E402
from ._warn import ModelWarning  # noqa: E402
from .derivative import *  # noqa: E402, F403
from .derivative import __all__ as _derivative_names  # noqa: E402
from .picture.film import Film  # noqa: E402
from .picture.renderer import Renderer  # noqa: E402
from .picture.show import show  # noqa: E402

__version__ = _core.__version__
__cpu__ = _core.__cpu__  # kind of processor whose kernels run: v2, v3, v4 of x86-64, else plain
__all__ = [
    "Batch",
    "Contact",
    "ContactArray",
    "Data",
    "Element",
    "Film",
    "Model",
    "ModelError",
    "ModelWarning",
    "NotSupportedError",
    "IntegerError",
    "RayExecutor",
    "Renderer",
    "Recorder",
    "Recording",
    "RecordingWarning",
    "PathPoint",
    "Plugin",
    "RolloutError",
    "ShapeError",
    "SimulationWarning",
    "Spec",
    *_derivative_names,
    *_enum_names,
    *_function_names,
    "load_plugin_library",
    "plugins",
    "register_plugin",
    "rollout",
    "show",
]
