"""A spec in a file of the kind that its name says: `MjSpec.encode` of release 4.0."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any

from ... import _core
from ..._fatal import FatalError
from .._save import changed_xml

_KINDS = {
    "text/xml": ".xml",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "application/mjz": ".zip",
    "application/mjb": ".mjb",
}
_ENDINGS = {".xml": ".xml", ".zip": ".zip", ".mjz": ".zip", ".mjb": ".mjb"}


def encode(
    self: Any,
    filename: str | os.PathLike,
    model: Any = None,
    content_type: str | None = None,
) -> int:
    """Write it as MJCF (.xml), with its files (.mjz, .zip), or as a compiled `model` (.mjb, in Sinew's format).

    Parameters
    ----------
    filename : str
    model : MjModel, optional
        Whose numbers are written in the place of the spec's, or what a .mjb holds.
    content_type : str, optional
        Kind of the file, where the end of the name is not to say it: "text/xml", "application/zip", ...

    Returns
    -------
    int
        Bytes of the file.

    Raises
    ------
    FatalError
        There is no encoder for such a file, or it cannot be written.
    """
    ending = pathlib.PurePath(filename).suffix.lower()
    kind = _KINDS.get(content_type) if content_type else _ENDINGS.get(ending)
    if kind is None:
        raise FatalError(f"no encoder found for {content_type or os.fspath(filename)}")
    if kind == ".mjb" and model is None:
        raise FatalError("model is required for MJB encoding")
    try:
        if kind == ".mjb":
            _core.saveModel(model, filename)
            return os.path.getsize(filename)
        if kind == ".zip":
            return self._run(lambda: _archive(self._handle, filename, model))
        folder = os.path.dirname(filename) or "."
        text = self._text(folder)
        if model is not None:
            text = changed_xml(self._handle, model, folder)
        pathlib.Path(filename).write_text(text, encoding="utf-8")
        return os.path.getsize(filename)
    except (ValueError, OSError) as error:
        raise FatalError(str(error)) from None


def _archive(handle: Any, filename: str | os.PathLike, model: Any) -> int:
    """An archive of the text and of all files, whatever the end of its name; returns its bytes."""
    if model is not None:
        handle = _core.specCopy(handle)
        _core.specCopyBack(handle, model)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(filename) or ".") as folder:
        whole = os.path.join(folder, "model.mjz")
        _core.specSave(handle, whole)
        size = os.path.getsize(whole)
        os.replace(whole, filename)
    return size
