"""Signals that ask a command to end, noted for the moment at which it can."""

from __future__ import annotations

import signal
from typing import Any

from .words import SIGNALLED, Stop

# those that the system has: Windows knows the first two
_NUMBERS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")
    if hasattr(signal, name)
]


class Interrupts:
    """Ctrl-C, SIGTERM, SIGHUP and SIGXCPU, once they are caught; what the parent has set aside (nohup) stays so."""

    def __init__(self) -> None:
        self.came = 0
        self._before: dict[int, Any] = {}

    def catch(self) -> None:
        """From now on they only set `came`, until they are given back."""
        self._before = {number: signal.getsignal(number) for number in _NUMBERS}
        self._set(self._note)

    def _note(self, number: int, frame: Any) -> None:
        # They come in pairs at times, so a second one is no reason to die: not even while the interpreter ends,
        # which takes back what is set here but for signals that are ignored.
        self.came = number
        self._set(signal.SIG_IGN)

    def _set(self, action: Any) -> None:
        for number in _NUMBERS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, action)

    def give_back(self) -> None:
        """Leave them to whoever had them before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def check(self) -> None:
        """End the command if one has come."""
        if self.came:
            raise Stop(SIGNALLED + self.came)
