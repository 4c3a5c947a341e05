"""Signals that ask a command to end, noted for the moment at which it can."""

from __future__ import annotations

import signal
from typing import Any

from .words import SIGNALLED, Stop

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")


class Interrupts:
    """Ctrl-C, SIGTERM, SIGHUP and SIGXCPU, once they are caught; what the parent has set aside (nohup) stays so."""

    def __init__(self) -> None:
        self.came = 0

    def catch(self) -> None:
        """From now on they only set `came`."""
        self._set(self._note)

    def _note(self, number: int, frame: Any) -> None:
        # They come in pairs at times, so a second one is no reason to die: not even while the interpreter ends,
        # which takes back what is set here but for signals that are ignored.
        self.came = number
        self._set(signal.SIG_IGN)

    def _set(self, action: Any) -> None:
        for number in (getattr(signal, name) for name in _NAMES):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, action)

    def check(self) -> None:
        """End the command if one has come."""
        if self.came:
            raise Stop(SIGNALLED + self.came)
