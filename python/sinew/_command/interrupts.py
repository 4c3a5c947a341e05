"""Signals that ask a command to end, noted for the moment at which it can."""

from __future__ import annotations

import signal
from typing import Any

from .words import SIGNALLED, Stop


class Interrupts:
    """Ctrl-C, SIGTERM, SIGHUP and SIGXCPU, once they are caught; what the parent has set aside (nohup) stays so."""

    def __init__(self) -> None:
        self.came = 0

    def catch(self) -> None:
        """From now on they only set `came`. They come in pairs at times, so a second one is no reason to die."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"):
            if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
                signal.signal(getattr(signal, name), self._note)

    def _note(self, number: int, frame: Any) -> None:
        self.came = number

    def check(self) -> None:
        """End the command if one has come."""
        if self.came:
            raise Stop(SIGNALLED + self.came)
