"""Signals that ask a command to end, noted for the moment at which it can."""

from __future__ import annotations

import signal
from typing import Any


class Interrupts:
    """From now on Ctrl-C, SIGTERM, SIGHUP and SIGXCPU only set `came`; what the parent has set aside (nohup) stays so."""

    def __init__(self) -> None:
        self.came = 0
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU"):
            if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
                signal.signal(getattr(signal, name), self._note)

    def _note(self, number: int, frame: Any) -> None:
        self.came = number
