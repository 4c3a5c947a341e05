"""A further model and data that pages show beside those of a viewer."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._types import Data
from . import wire
from .block import Writer
from .server import Server
from .states import State, room_for


class Beside:
    """A further model, and states of it that pages are shown.

    Parameters
    ----------
    server : Server
    number : int
        Which one it is, from 1; 0 is the viewer's own.
    data : Data
    of : int
        The number of the viewer's own model, of which pages speak.
    """

    def __init__(self, server: Server, number: int, data: Data, of: int) -> None:
        self._data = data
        model = data.model
        plain = Writer.of(_core.packModel(model))
        self._states = room_for(model, data)
        words = {"do": "beside", "world": number, "number": of}
        server.send(words, (plain.descriptor, self._states.descriptor))
        plain.close()

    def write(self, words: dict[str, Any]) -> None:
        """Show the state as it is, and words about it."""
        self._states.write(State(wire.text(words), self._data))

    def close(self) -> None:
        """Leave the memory to who reads it."""
        self._states.close()
