"""States of a simulation as viewers share them."""

from __future__ import annotations

from .. import _core
from .._types import Data
from . import wire


def state_of(data: Data) -> wire.Filled:
    """Return the data as bytes of a message.

    Writing them raises a RuntimeError where another thread uses the data.
    """
    size = _core.packDataInto(data, bytearray())

    def fill(place: memoryview) -> None:
        if _core.packDataInto(data, place) != size:
            raise RuntimeError("the data is stepped by another thread while it is shown")

    return wire.Filled(size, fill)
