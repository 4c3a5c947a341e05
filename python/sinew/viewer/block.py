"""Memory that one process writes and others read: the newest of many states, whole, and nothing waits for anybody.

It has no name. So nothing of it is left, whoever ends first and however.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from typing import Any

from .. import _core


def memory(size: int) -> int:
    """Return a file descriptor of memory; what is not touched takes none."""
    if hasattr(os, "memfd_create"):
        made = os.memfd_create("sinew-viewer", os.MFD_CLOEXEC)
    else:
        with tempfile.TemporaryFile() as file:
            made = os.dup(file.fileno())
    os.ftruncate(made, size)
    return made


class Writer:
    """Writes states, each over the last but one.

    Parameters
    ----------
    room : int
        Most bytes of a state.

    Attributes
    ----------
    descriptor : int
        For a Reader, in this process or another.
    """

    def __init__(self, room: int) -> None:
        size = _core.blockSize(room)
        self.descriptor = memory(size)
        self._map = mmap.mmap(self.descriptor, size)

    @classmethod
    def of(cls, state: bytes) -> Writer:
        """Return a Writer of memory for a state of one part alone, with it."""
        out = cls(len(state))
        out.write((state,))
        return out

    def write(self, parts: tuple[Any, ...]) -> None:
        """Write a state, given in at most 16 parts: bytes, or Data, which is packed.

        Raises
        ------
        ValueError
            There is no room for it; the last state stays.
        RuntimeError
            Another thread uses the data; the last state stays.
        """
        _core.writeState(self._map, parts)

    def close(self) -> None:
        """Leave the memory to its readers."""
        if self.descriptor >= 0:
            descriptor, self.descriptor = self.descriptor, -1
            self._map.close()
            os.close(descriptor)


class Reader:
    """Reads what a Writer writes.

    Parameters
    ----------
    descriptor : int
        The Writer's; closed with the Reader.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._map = mmap.mmap(descriptor, os.fstat(descriptor).st_size, access=mmap.ACCESS_READ)
        self._seen = 0

    def read(self) -> list[bytes] | None:
        """Return the parts of the newest state, None where it has been read before."""
        state = _core.readState(self._map, self._seen)
        if state is None:
            return None
        self._seen, parts = state
        return parts

    def close(self) -> None:
        """Leave the memory."""
        self._map.close()
        os.close(self._descriptor)


def read_once(descriptor: int) -> bytes:
    """Return what stands in the memory of `Writer.of`, whose descriptor is closed."""
    reader = Reader(descriptor)
    parts = reader.read()
    reader.close()
    assert parts is not None  # it is written before its descriptor is sent
    return parts[0]
