"""`import sinew.as_mujoco`: from here on `import mujoco` gives `sinew.mujoco`, in this process and in those that
`multiprocessing` starts from it.

`importlib.metadata.version("mujoco")` is then the version of the interface. A whole program, with all Python
processes that it starts, runs on Sinew by `python -m sinew.run`.

Raises
------
ImportError
    MuJoCo itself is loaded already: whoever has it keeps it, so that the program would mix the two.
"""

import sys

from ._in_place import SHADOW

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
if SHADOW not in sys.path:
    # behind the folder of the program, before site-packages; multiprocessing hands sys.path on
    sys.path.insert(1, SHADOW)

from . import mujoco as _ours  # noqa: E402

sys.modules["mujoco"] = _ours
