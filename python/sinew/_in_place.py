"""How `import mujoco` and `import mujoco.rollout` come to `sinew.mujoco`, each module once.

SHADOW is a folder for `sys.path` that holds a package `mujoco`, which gives way to ours, and its metadata. Names below
`mujoco` are resolved by a finder, as the import system would otherwise run our files a second time under other names,
with classes of their own.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import pathlib
import sys
from types import ModuleType
from typing import Any

OURS, THEIRS = "sinew.mujoco", "mujoco"
SHADOW = str(pathlib.Path(__file__).parent / "_shadow")


class _Loader:
    """Hands out the module of ours."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(OURS + spec.name.removeprefix(THEIRS))
        spec.loader_state = module.__spec__  # which the import system takes away
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None and spec.loader_state is not None:
            module.__spec__ = spec.loader_state


class Finder:
    """Finds `mujoco.x` while `mujoco` is ours."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith(THEIRS + ".") or sys.modules.get(THEIRS) is not sys.modules.get(
            OURS
        ):
            return None
        try:
            found = importlib.util.find_spec(OURS + name.removeprefix(THEIRS))
        except ModuleNotFoundError:
            return None
        return found and importlib.machinery.ModuleSpec(
            name, _Loader(), is_package=bool(found.submodule_search_locations)
        )


def install() -> None:
    """Put the finder before the others."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
