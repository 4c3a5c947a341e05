"""Words between the process that simulates and the one that serves pages, and the memory that they share."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Sequence
from typing import Any

_LENGTH = struct.Struct("<I")
_MOST = 1 << 24  # bytes of a message
_FILES = 4  # most descriptors of one


class Link:
    """One end of a pair of sockets; messages are objects of JSON, some with descriptors of files.

    Parameters
    ----------
    end : socket.socket
    """

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> bool:
        """Send a message, and descriptors that the other side gets copies of; False: there is no other side."""
        body = json.dumps(message).encode()
        try:
            with self._sending:
                socket.send_fds(self._end, [_LENGTH.pack(len(body))], list(descriptors))
                self._end.sendall(body)
        except OSError:
            return False
        return True

    def receive(self) -> tuple[dict[str, Any], list[int]] | None:
        """Wait for a message; return it and its descriptors, None: the other side has ended."""
        try:
            head, descriptors, _, _ = socket.recv_fds(self._end, _LENGTH.size, _FILES)
            head += self._bytes(_LENGTH.size - len(head))
            (length,) = _LENGTH.unpack(head)
            if length > _MOST:
                raise OSError(f"a message of {length} bytes")
            return json.loads(self._bytes(length)), list(descriptors)
        except (OSError, EOFError):
            return None

    def _bytes(self, count: int) -> bytes:
        got = bytearray()
        while len(got) < count:
            part = self._end.recv(count - len(got))
            if not part:
                raise EOFError
            got += part
        return bytes(got)

    def close(self) -> None:
        """End the link; whoever waits on the other side hears of it."""
        try:
            self._end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._end.close()
