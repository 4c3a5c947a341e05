"""Packages of the extra [view], which pictures, films, plots and some recordings need and the rest of Sinew does not."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

_PACKAGES = {
    "av": "av",
    "matplotlib": "matplotlib",
    "mcap": "mcap",
    "moderngl": "moderngl",
    "PIL": "pillow",
}


def extra(module: str, purpose: str) -> ModuleType:
    """Import a module of the extra.

    Raises
    ------
    ImportError
        It is not installed, or does not load; the text says what wants it and how it is installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = _PACKAGES[module.partition(".")[0]]
        there = isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]
        why = "" if there else f", which does not load ({error})"
        raise ImportError(
            f'{purpose} need the package {package}{why}: {sys.executable} -m pip install "sinew-sim[view]"'
        ) from error
