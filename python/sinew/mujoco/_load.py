"""Loading of models as the peer does it: files in memory go by the last part of their names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import _core
from ._release import SILENT


class _Files(dict):
    """Files in memory that stand for those in any folder; the extension looks at the attribute."""

    anywhere = True


class _Last:
    """The spec of the model that was loaded last, for mj_saveLastXML."""

    spec: Any = None


def _base(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].lower()


def files(assets: Mapping[str, Any] | None) -> _Files | None:
    """Files in memory; ValueError when the last parts of two names are the same."""
    if not assets or isinstance(assets, _Files):
        return assets or None
    seen = set()
    for name, data in assets.items():
        if not isinstance(name, str) or not isinstance(data, str | bytes | bytearray | memoryview):
            raise TypeError("assets must map names (str) to the bytes of files")
        base = _base(name)
        if base in seen:
            raise ValueError(f"Repeated file name in assets dict: {base}")
        seen.add(base)
    return _Files(assets)


def as_found(files: dict[str, bytes]) -> _Files:
    """Files in memory as they are; of several with the same last part the first stands for those in other folders."""
    return _Files(files)


@contextlib.contextmanager
def _as_the_peer() -> Iterator[None]:
    """Errors of models name the line in words, by which programs find it; a file that is missing is a ValueError."""
    try:
        yield
    except _core.ModelError as error:
        if error.line:
            error.args = (f"{error} (line {error.line})",)
        raise
    except OSError as error:
        raise ValueError(str(error)) from error


# What is told of each spec that was compiled.
compiled: list[Callable[[Any], None]] = []


def _compile(cls: type, handle: Any) -> Any:
    model = _core.specCompile(handle, cls)
    _Last.spec = handle
    for tell in compiled:
        tell(handle)
    return model


def load_path(cls: type, filename: str | os.PathLike, assets: Mapping[str, Any] | None) -> Any:
    """A model of class `cls` from a file, on disk or in memory."""
    with _as_the_peer():
        return _compile(cls, _core.specLoad(os.fspath(filename), files(assets), silent=SILENT))


def load_text(cls: type, xml: str | bytes, assets: Mapping[str, Any] | None) -> Any:
    """A model of class `cls` from text."""
    if not isinstance(xml, str | bytes):
        raise TypeError(f"the model must be str or bytes, not {type(xml)}")
    with _as_the_peer():
        return _compile(cls, _core.specLoadText(xml, files(assets), silent=SILENT))


def last_spec() -> Any:
    """The spec of the model that was loaded last; None: none was."""
    return _Last.spec
