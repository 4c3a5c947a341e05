"""`import sinew.as_mujoco4`: from here on `import mujoco` gives `sinew.mujoco` with the interface of MuJoCo 4.0, in this
process and in those that are started from it; else as `sinew.as_mujoco`.

Raises
------
ImportError
    MuJoCo itself is loaded already, or `sinew.mujoco` with the interface of another release: a process has one.
"""

import os
import sys

from ._in_place import CHOICE, LATER, OURS

_loaded = sys.modules.get(OURS)
if _loaded is not None and _loaded._release.SILENT != LATER:
    raise ImportError(
        f"sinew.mujoco is loaded already, with the interface of MuJoCo {_loaded.__version__}: "
        "import sinew.as_mujoco4 before it, or run the program by python -m sinew.run --mujoco 4.0",
        name="mujoco",
    )
os.environ[CHOICE] = LATER

from . import as_mujoco  # noqa: E402, F401
