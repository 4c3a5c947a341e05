"""What has been changed in a compiled model, put into the spec that it came from."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._types import Model


def _same_sizes(m: Model, fresh: Model) -> bool:
    return all(getattr(m, name) == getattr(fresh, name) for name, _ in _core.tables()["sizes"])


def changed_xml(handle: Any, m: Model, folder: str) -> str:
    """MJCF of a spec, with what differs in m from what it compiles to; m of other sizes changes nothing. Names of
    files are relative to the folder. A ValueError where the source cannot say a change."""
    spec = _core.specCopy(handle)
    if _same_sizes(m, _core.specCompile(spec, type(m))):
        _core.specCopyBack(spec, m)
    return _core.specWrite(spec, False, folder)
