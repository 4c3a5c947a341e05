"""Whether memory that others write has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Changes:
    """Compares memory with what it was.

    Parameters
    ----------
    parts : dict of arrays
        Views of the memory, by names.
    """

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._names = list(parts)
        # to ask an array for its memory takes a microsecond, where nobody has done so for a while
        self._views = [memoryview(part) for part in parts.values()]
        self._before = b"".join(self._views)

    def found(self) -> list[str]:
        """Return names of what has changed since the last call, or the beginning."""
        now = b"".join(self._views)
        if now == self._before:
            return []
        before, self._before = self._before, now
        out, at = [], 0
        for name, view in zip(self._names, self._views, strict=True):
            part = slice(at, at + view.nbytes)
            if now[part] != before[part]:
                out.append(name)
            at += view.nbytes
        return out
