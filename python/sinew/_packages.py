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


def inside(within: str | None) -> tuple[bytes, ...]:
    """The folder for the extension below which all files that a model names must be; None: there is none."""
    return () if within is None else (os.fsencode(within),)


def load_model(
    cls: type,
    path: Any,
    package_dirs: Folders,
    strict: bool,
    anywhere: bool,
    give: str = "",
    within: str | None = None,
    *,
    physics: str | None = None,
) -> Any:
    """A model of class `cls` from a file; where a package is not found, the error says to give `give`.

    within: a folder below which all files that it names must be. physics: as of Model.from_path.
    """
    return _core.loadModel(
        cls, path, strict, anywhere, folders(package_dirs), give, physics, *inside(within)
    )
