"""Runs at the start of each Python where this folder stands on `sys.path`: `import mujoco` finds what is beside, wherever a
program puts other folders, as test runners do.

A package of another's that only has the name is left in peace. The environment's own `sitecustomize` runs, too.
"""

import importlib.machinery
import importlib.util
import pathlib
import sys

HERE = str(pathlib.Path(__file__).parent)


class MuJoCo:
    """Finds the package beside this file where MuJoCo itself, or nothing, would be found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "mujoco" or HERE not in sys.path:
            return None
        found = importlib.machinery.PathFinder.find_spec(name)
        folders = found.submodule_search_locations or () if found else ()
        other = found and not any(next(pathlib.Path(f).glob("_structs.*"), None) for f in folders)
        return None if other else importlib.machinery.PathFinder.find_spec(name, [HERE])


def run_the_next():
    """The sitecustomize that Python would have run without this one, in its place."""
    spec = importlib.machinery.PathFinder.find_spec(__name__, [p for p in sys.path if p != HERE])
    if spec and spec.loader:
        module = sys.modules[__name__] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


sys.meta_path.insert(0, MuJoCo)
run_the_next()
