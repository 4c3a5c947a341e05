"""`import sinew.as_mujoco`: from here on `import mujoco` gives `sinew.mujoco`, in this process and in those that
`multiprocessing` starts from it.

`importlib.metadata.version("mujoco")` is then the version of the interface, which is 3.3.7's if SINEW_MUJOCO does not choose
another one; `import sinew.as_mujoco4` gives that of 4.0. A whole program, with all Python
processes that it starts, runs on Sinew by `python -m sinew.run`.

Raises
------
ImportError
    MuJoCo itself is loaded already: whoever has it keeps it, so that the program would mix the two.
"""

import sys

from ._in_place import SHADOW, shadows

_loaded = sys.modules.get("mujoco")
# the folder's own module is here while it is being imported
if _loaded is not None and not str(_loaded.__file__).startswith(SHADOW):
    from . import mujoco as _ours

    if _loaded is not _ours:
        raise ImportError(
            f"MuJoCo is loaded already, from {_loaded.__file__}: "
            "import sinew.as_mujoco before whatever imports mujoco, or run the program by python -m sinew.run",
            name="mujoco",
        )
# behind the folder of the program, before site-packages; multiprocessing hands sys.path on
sys.path[1:1] = [folder for folder in shadows() if folder not in sys.path]

from . import mujoco as _ours  # noqa: E402

sys.modules["mujoco"] = _ours
