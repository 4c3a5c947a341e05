"""What the GLContext of EGL, OSMesa and CGL have in common: a context that is held until it is freed."""

from __future__ import annotations

import sys
from typing import Any


class Held:
    """Holds a context of sinew.draw."""

    _context: Any = None

    def make_current(self) -> None:
        """Let it be the one that this thread draws into; freed, it lets none be, where its interface can."""
        if self._context:
            self._context.make_current()
        else:
            self._leave()

    def _leave(self) -> None:
        """Let no context be current."""

    def free(self) -> None:
        """Destroy it."""
        context, self._context = self._context, None
        if context:
            context.free()

    def __del__(self, ends: Any = sys.is_finalizing) -> None:
        if not ends():
            self.free()
