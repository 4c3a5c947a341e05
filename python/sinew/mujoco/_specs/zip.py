"""Specs with their assets as zip files."""

from __future__ import annotations

import os
import zipfile
from typing import IO, Any


def to_zip(spec: Any, file: str | os.PathLike | IO[bytes]) -> None:
    """Write a spec and its assets into a zip file, given by path or open for writing."""
    text = spec.to_xml()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in spec.assets.items():
            archive.writestr(name, data)
        archive.writestr(f"{spec.modelname}.xml", text)


def from_zip(file: str | os.PathLike | IO[bytes]) -> Any:
    """Read a spec from a zip file, given by path or open for reading: from its first .xml; all else in it are
    assets, by their names in the folder of that."""
    from .spec import MjSpec

    if isinstance(file, str | os.PathLike):
        with open(file, "rb") as opened:
            return from_zip(opened)
    if not hasattr(file, "read"):
        raise TypeError(f"a zip file is given by its path, or open, not as {type(file).__name__}")
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    model = next((name for name in files if name.endswith(".xml")), None)
    if model is None:
        raise ValueError("No XML file found in zip file.")
    root, text = model[: model.rfind("/") + 1], files.pop(model).decode()
    return MjSpec.from_string(text, assets={n.removeprefix(root): d for n, d in files.items()})
