"""Packages of the extras, which pictures, films, plots and some recordings need and the rest of Sinew does not."""

from __future__ import annotations

import importlib
import pathlib
import sys
from types import ModuleType

_PACKAGES = {
    "av": "av",
    "matplotlib": "matplotlib",
    "mcap": "mcap",
    "moderngl": "moderngl",
    "PIL": "pillow",
    "websockets": "websockets",
}


def _sources() -> pathlib.Path | None:
    """The folder that this package was installed from, which pip notes (PEP 610), while it is there."""
    import importlib.metadata
    import json
    import urllib.parse
    import urllib.request

    try:
        noted = importlib.metadata.distribution("sinew-sim").read_text("direct_url.json")
        url = urllib.parse.urlsplit(json.loads(noted or "{}")["url"])
    except (importlib.metadata.PackageNotFoundError, KeyError, TypeError, ValueError):
        return None
    if url.scheme != "file":
        return None
    folder = pathlib.Path(urllib.request.url2pathname(url.path))
    return folder if (folder / "pyproject.toml").is_file() else None


def install(name: str) -> str:
    """Say how this package is installed with one of its extras.

    The folder is named, and no name of a package index: none there is Sinew's.
    """
    folder = _sources() or "that has Sinew's sources"
    quote = '"' if sys.platform == "win32" else "'"
    return f"{sys.executable} -m pip install {quote}.[{name}]{quote} in the folder {folder}"


def extra(module: str, purpose: str) -> ModuleType:
    """Import a module of the extra [view].

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
            f"{purpose} need the package {package}{why}: {install('view')}"
        ) from error
