"""Models, and rows of recordings, in memory that one process hands to another."""

from __future__ import annotations

import mmap
import os
from typing import Any

from .. import _core
from .._recording import Recording
from .._recording.layout import STATE
from . import wire
from .block import Writer, memory, read_once


def share_model(model: Any) -> Writer:
    """Return memory with a model."""
    return Writer.of(_core.packModel(model))


def shared_model(kind: type, descriptor: int) -> Any:
    """Return the model of a class that stands in memory; the descriptor is closed."""
    return _core.unpackModel(kind, read_once(descriptor))


def share_rows(recording: Recording) -> int:
    """Return a descriptor of memory with the states of a recording, of which nothing is copied twice."""
    states = {part: recording.field(part) for part in STATE if recording.width(part)}
    parts: Any = wire.parts({"path": recording.path}, {"time": recording.time, **states})
    size = sum(len(part) for part in parts)
    descriptor = memory(size)
    with mmap.mmap(descriptor, size) as place:
        for part in parts:
            place.write(part)
    return descriptor


def shared_rows(descriptor: int) -> Recording:
    """Return the states of a recording where they stand in memory; the descriptor is closed."""
    view = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    os.close(descriptor)
    words, arrays = wire.unpack(view)
    return Recording(arrays.pop("time"), arrays, path=words["path"])
