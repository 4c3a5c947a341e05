"""A bar on stderr that shows how far a command is, if that is a terminal."""

from __future__ import annotations

import sys
import time

_WIDTH, _EVERY = 40, 0.1


class Progress:
    """A bar over `total` parts."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._shown = sys.stderr.isatty()
        self._last = time.monotonic()
        self._drawn = False

    def show(self, done: int, words: str) -> None:
        """Draw it, not too often; `words` stand behind."""
        now = time.monotonic()
        if not self._shown or now - self._last < _EVERY:
            return
        self._last, self._drawn = now, True
        part = done / self._total if self._total else 1.0
        bar = "#" * int(part * _WIDTH)
        sys.stderr.write(f"\r[{bar:<{_WIDTH}}] {int(100 * part):3d} %  {words}")
        sys.stderr.flush()

    def end(self) -> None:
        """Take it away."""
        if self._drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        self._drawn = False
