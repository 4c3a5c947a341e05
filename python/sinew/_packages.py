"""Folders of ROS packages, as models are loaded with them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _core

Folders = str | os.PathLike | Iterable[str | os.PathLike]


def folders(package_dirs: Folders) -> tuple[bytes, ...]:
    """The folders for the extension; a path alone is a list of one."""
    alone = isinstance(package_dirs, str | os.PathLike)
    return tuple(os.fsencode(f) for f in ([package_dirs] if alone else package_dirs))


def load_model(
    cls: type, path: Any, package_dirs: Folders, strict: bool, anywhere: bool, give: str = ""
) -> Any:
    """A model of class `cls` from a file; where a package is not found, the error says to give `give`."""
    return _core.loadModel(cls, path, strict, anywhere, folders(package_dirs), give)
