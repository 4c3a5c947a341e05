"""Files of a model that change on disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable

INTERVAL = 0.5  # seconds between two looks

Stamps = dict[str, list[int] | None]


def stamps(files: Iterable[str]) -> Stamps:
    """Return what tells of each file whether it has changed; None: it is not there."""
    return {file: _stamp(file) for file in files}


def _stamp(file: str) -> list[int] | None:
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size, found.st_ino]


class Watch:
    """Looks at files twice a second, and says when they have changed and change no more.

    Parameters
    ----------
    changed : callable
        Called without arguments, in a thread of the watch.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._known: Stamps = {}
        self._last: Stamps = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def look_at(self, known: Stamps) -> None:
        """Watch these files from now on, instead of others; each as it was when the model was read."""
        with self._lock:
            self._known, self._last = known, known
        if self._thread is None and known:
            self._thread = threading.Thread(target=self._run, name="sinew watch", daemon=True)
            self._thread.start()

    def look(self) -> bool:
        """Look once; return whether files have changed since they were known, and not since the last look."""
        with self._lock:
            now = stamps(self._known)
            steady, self._last = now == self._last, now
            if not steady or now == self._known:
                return False
            self._known = now
            return True

    def _run(self) -> None:
        while not self._ended.wait(INTERVAL):
            if self.look():
                self._changed()

    def close(self) -> None:
        """End it."""
        self._ended.set()
