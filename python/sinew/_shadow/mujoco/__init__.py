"""What `import mujoco` finds where this folder stands on `sys.path`: `sinew.mujoco` takes its place."""

import importlib.util
import pathlib
import sys

if not importlib.util.find_spec("sinew"):
    # last, because what else lies beside the package must not come before the standard library
    sys.path.append(str(pathlib.Path(__file__).parents[3]))

import sinew.as_mujoco  # noqa: E402, F401
