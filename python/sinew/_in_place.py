"""How `import mujoco` and `import mujoco.rollout` come to `sinew.mujoco`, each module once.

SHADOW is a folder for `sys.path` that holds a package `mujoco`, which gives way to ours, and its metadata. Names below
`mujoco` are resolved by a finder, as the import system would otherwise run our files a second time under other names,
with classes of their own.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
from types import ModuleType
from typing import Any

OURS, THEIRS = "sinew.mujoco", "mujoco"
SHADOW = str(pathlib.Path(__file__).parent / "_shadow")
FIRST, LATER = "3.3.7", "4.0"  # releases of the peer, one of which `mujoco` is
CHOICE = "SINEW_MUJOCO"  # the variable of the environment that says which
# whose metadata come before those beside the package; processes that are started inherit both
SHADOW_OF_LATER = str(pathlib.Path(__file__).parent / "_shadow_4")


def chosen() -> str:
    """Return the release that the environment chooses, without a word FIRST; ImportError: it is none of them."""
    word = os.environ.get(CHOICE) or FIRST
    if word not in (FIRST, LATER):
        raise ImportError(
            f"{CHOICE} is {word!r}, not {FIRST!r} or {LATER!r}: there is no such MuJoCo here"
        )
    return word


def shadows() -> list[str]:
    """Return the folders for `sys.path` of the release that is chosen, in their order."""
    return [SHADOW] if chosen() == FIRST else [SHADOW_OF_LATER, SHADOW]


class _Loader:
    """Hands out the module of another name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        spec.loader_state = module.__spec__  # which the import system takes away
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None and spec.loader_state is not None:
            module.__spec__ = spec.loader_state


def _guest(name: str) -> importlib.machinery.ModuleSpec | None:
    """The package `mujoco.x` that another project, such as MJX, has put into the folder of MuJoCo's own."""
    folders = [str(pathlib.Path(entry, THEIRS)) for entry in sys.path if entry != SHADOW]
    found = importlib.machinery.PathFinder.find_spec(name, folders)
    return found if found and found.origin and found.submodule_search_locations else None


def _guest_or_hint(name: str) -> importlib.machinery.ModuleSpec | None:
    """The same; ModuleNotFoundError for a package of MuJoCo 4.0's own that nobody has put there."""
    found = _guest(name)
    if found is None and name == f"{THEIRS}.sysid" and chosen() == LATER:
        raise ModuleNotFoundError(
            "mujoco.sysid is MuJoCo's own package, which runs on Sinew where it is: pip install mujoco-core==4.0.1, or "
            "pip install --no-deps --target FOLDER mujoco-core==4.0.1 and put FOLDER on PYTHONPATH",
            name=name,
        )
    return found


class Finder:
    """Finds `mujoco.x` while `mujoco` is ours, and packages of others there by `from mujoco import x`, too."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if sys.modules.get(THEIRS) is not sys.modules.get(OURS):
            return None
        if name.startswith(
            OURS + "."
        ):  # what `from mujoco import x` looks for, as it is our name that the module has
            guest = THEIRS + name.removeprefix(OURS)
            if importlib.machinery.PathFinder.find_spec(name, path) or not _guest_or_hint(guest):
                return None
            return importlib.machinery.ModuleSpec(name, _Loader(guest), is_package=True)
        if not name.startswith(THEIRS + "."):
            return None
        ours = OURS + name.removeprefix(THEIRS)
        try:
            found = importlib.util.find_spec(ours)
        except ModuleNotFoundError as error:
            if error.name == name:  # of _guest_or_hint
                raise
            return None
        if found is None or isinstance(found.loader, _Loader):
            return _guest_or_hint(name)
        return importlib.machinery.ModuleSpec(
            name, _Loader(ours), is_package=bool(found.submodule_search_locations)
        )


def install() -> None:
    """Put the finder before the others."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
