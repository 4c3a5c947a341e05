"""Something that is done a little later, however often it is asked for meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Late:
    """Calls a function in a thread of its own, which sleeps while nobody asks.

    Parameters
    ----------
    act : callable
        Called some time after `ask`, where `asked` still stands; it takes it away.
    wait : float
        Seconds.

    Attributes
    ----------
    asked : bool
        Whether it is to be done.
    """

    def __init__(self, act: Callable[[], None], wait: float) -> None:
        self._act, self._wait = act, wait
        self.asked = False
        self._closed = False
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        """Let it be done, unless `asked` is taken away before."""
        self.asked = True
        if self._awake.is_set():
            return
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name="sinew viewer, late", daemon=True
            )
            self._thread.start()
        self._awake.set()

    def _run(self) -> None:
        while not self._closed:
            self._awake.wait()
            time.sleep(self._wait)
            if self.asked and not self._closed:
                self._act()
            else:  # nobody has asked for a while, or it was done by others
                self._awake.clear()
                if self.asked or self._closed:
                    self._awake.set()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._awake.set()
