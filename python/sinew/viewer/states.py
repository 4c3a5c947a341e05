"""States of a simulation as viewers share them."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _core
from .._types import Data, Model
from .block import Writer

_SLACK = 1 << 20  # bytes of a state beside those of the data


class State(NamedTuple):
    """The parts of a state in a Writer, and in a Reader.

    Attributes
    ----------
    words : bytes
        What is said of it, as JSON.
    data : Data, or bytes
        The simulation; as a Reader gives it, for `_core.unpackData`.
    timer : bytes
        Records of `data.timer`, which are no part of a packed data; empty: they are not shown.
    user : bytes
        Records of the program's own geoms.
    changes : bytes
        A message with what has ever changed in the model since it was shown first, as readers miss states; empty:
        nothing has.
    """

    words: Any
    data: Any
    timer: Any = b""
    user: Any = b""
    changes: Any = b""


def room_for(model: Model, data: Data, more: int = 0) -> Writer:
    """Return a Writer of states of a simulation, with room for more bytes beside the data's."""
    return Writer(len(_core.packData(data)) + int(model.narena) + more + _SLACK)
