"""A further model and data that pages show beside those of a viewer."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._types import Data
from . import wire
from .block import Writer
from .server import Server
from .states import state_of

_SLACK = 1 << 20  # bytes of a state beside those of the data


class Beside:
    """A further model, and states of it that pages are shown.

    Parameters
    ----------
    server : Server
    number : int
        Which one it is, from 1; 0 is the viewer's own.
    data : Data
    """

    def __init__(self, server: Server, number: int, data: Data) -> None:
        self._data = data
        model = data.model
        plain = Writer.of(_core.packModel(model))
        self._states = Writer(len(state_of(data)) + int(model.narena) + _SLACK)
        server.send({"do": "beside", "world": number}, (plain.descriptor, self._states.descriptor))
        plain.close()

    def write(self, words: dict[str, Any]) -> None:
        """Show the state as it is, and words about it."""
        arrays = {"data": state_of(self._data), "user": np.zeros(0, np.uint8)}
        self._states.write(wire.parts(words, arrays))

    def close(self) -> None:
        """Leave the memory to who reads it."""
        self._states.close()
