"""Memory that one process writes and others read: the newest of many states, whole, and nothing waits for anybody.

It has no name. So nothing of it is left, whoever ends first and however.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from collections.abc import Sequence

from .wire import Filled, Part

_HEAD = struct.Struct("<QQQQ")  # writes so far, bytes in either slot, room of each
_FIRST = 64  # byte at which the first slot begins


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
        self.room = -(-room // mmap.PAGESIZE) * mmap.PAGESIZE
        size = _FIRST + 2 * self.room
        self.descriptor = memory(size)
        self._map = mmap.mmap(self.descriptor, size)
        self._count, self._lengths = 0, [0, 0]
        self._note()

    @classmethod
    def of(cls, state: bytes) -> Writer:
        """Return a Writer of memory for a state alone, with it."""
        out = cls(len(state))
        out.write([state])
        return out

    def _note(self) -> None:
        _HEAD.pack_into(self._map, 0, self._count, *self._lengths, self.room)

    def write(self, parts: Sequence[Part]) -> None:
        """Write a state, given in parts.

        Raises
        ------
        ValueError
            There is no room for it; the last state stays.
        """
        length = sum(len(part) for part in parts)
        if length > self.room:
            raise ValueError(f"a state of {length} bytes, and room for {self.room}")
        slot = (self._count + 1) % 2
        at = _FIRST + slot * self.room
        with memoryview(self._map) as whole:
            for part in parts:
                with whole[at : at + len(part)] as place:
                    if isinstance(part, Filled):
                        part.fill(place)
                    else:
                        place[:] = part
                at += len(part)
        self._lengths[slot] = length
        self._note()
        self._count += 1
        self._note()

    def close(self) -> None:
        """Leave the memory to its readers."""
        if self.descriptor >= 0:
            self._map.close()
            os.close(self.descriptor)
            self.descriptor = -1


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

    def _head(self) -> tuple[int, int, int, int]:
        return _HEAD.unpack_from(self._map, 0)

    def read(self) -> bytes | None:
        """Return the newest state, None where it has been read before."""
        while True:
            count, *lengths, room = self._head()
            if count == self._seen:
                return None
            at = _FIRST + count % 2 * room
            state = self._map[at : at + lengths[count % 2]]
            if self._head()[0] == count:  # else it may be torn
                self._seen = count
                return state

    def close(self) -> None:
        """Leave the memory."""
        self._map.close()
        os.close(self._descriptor)
