"""States of a simulation that were, to go back to."""

from __future__ import annotations

import numpy as np

from .. import _core
from .._enums import StateBit  # type: ignore[attr-defined]
from .._types import Data, Model

MOST_STATES = 10000
MOST_BYTES = 256 << 20
_ALL = int(StateBit.INTEGRATION)  # all that the next step depends on


class History:
    """The newest states of a simulation, as many as there is room for; a new one takes the place of the oldest.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    at : int
        Where the simulation stands: 0 or the state that is so many before the newest, as -3.
    count : int
        States that there are; `at` is above -count.

    Notes
    -----
    Who goes on from a state of the past adds to what there is, as in MuJoCo's `simulate`: nothing is lost. Memory is
    taken as it fills.
    """

    def __init__(self, model: Model) -> None:
        size = _core.stateSize(model, _ALL)
        self.room = min(MOST_STATES, MOST_BYTES // (8 * size))
        self._model = model
        self._states = np.empty((self.room, size))
        self._pulled = np.zeros(self.room, np.int32)  # the body that the pointer pulled at
        self._now = np.empty(size)
        self._newest = -1
        self.at = self.count = 0

    def add(self, data: Data, pulled: int = 0) -> None:
        """Add a state: the simulation stands at the newest from now on.

        Parameters
        ----------
        data : Data
        pulled : int
            The body that the pointer pulls at: its force is not that of anybody who comes back; 0: none.
        """
        self.at = 0
        if self.room:
            self._newest = (self._newest + 1) % self.room
            self.count = min(self.count + 1, self.room)
            self._pulled[self._newest] = pulled
            _core.getState(self._model, data, self._states[self._newest], _ALL)

    def note(self, data: Data, pulled: int = 0) -> None:
        """Add where the simulation stands, to come back to, unless it is there already or stands in the past."""
        if self.at < 0:
            return
        _core.getState(self._model, data, self._now, _ALL)
        if not self.count or self._now.tobytes() != self._states[self._newest].tobytes():
            self.add(data, pulled)

    def go(self, data: Data, at: int, pulled: int = 0) -> None:
        """Put a data back to a state, by `at`, or the oldest where there is none so old; what is computed of it lacks."""
        self.note(data, pulled)
        self.at = min(0, max(at, 1 - self.count))
        if self.count:
            row = (self._newest + self.at) % self.room
            _core.setState(self._model, data, self._states[row], _ALL)
            data.xfrc_applied[self._pulled[row]] = 0
