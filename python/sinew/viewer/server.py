"""The process that serves the pages of a viewer, as the process that simulates sees it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from .._extra import extra
from .link import Link

_PATIENCE = 20.0  # seconds in which it must have begun to serve


class ServerError(RuntimeError):
    """The process that serves pages could not begin."""


class Server:
    """A process that serves the pages of a viewer, until it is closed or this process ends.

    Parameters
    ----------
    host : str
        Address that it listens at.
    port : int
        0: any that is free.
    heard : callable
        Called with each message of it, in a thread of its own; `descriptors` are files that came with it.
    ended : callable
        Called without arguments when it has ended, in that thread.

    Attributes
    ----------
    address : str
        What a browser opens; it holds the token that lets in.

    Raises
    ------
    ServerError
        The port is taken, or it does not begin; the text says which.
    ImportError
        A package is missing.
    """

    def __init__(
        self,
        host: str,
        port: int,
        heard: Callable[[dict[str, Any]], None],
        ended: Callable[[], None],
    ) -> None:
        if not hasattr(socket, "send_fds"):
            raise ServerError(
                "a viewer hands open files from one process to another, which Python cannot do on Windows: it needs "
                "Linux or macOS so far"
            )
        extra("websockets", "viewers")
        ours, theirs = socket.socketpair()
        with theirs:
            words = [sys.executable, "-m", "sinew._viewer", str(theirs.fileno()), host, str(port)]
            # what it prints is a fault of ours, and is seen; Ctrl-C is for the process that simulates
            self._process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True
            )
        self._link = Link(ours)
        ours.settimeout(_PATIENCE)
        said = self._link.receive()
        ours.settimeout(None)
        if said is None or "address" not in said[0]:
            self.close()
            why = said[0].get("error") if said else f"it ended with {self._process.returncode}"
            raise ServerError(f"the viewer cannot serve at {host} port {port}: {why}")
        self.address: str = said[0]["address"]
        self._thread = threading.Thread(
            target=self._listen, args=(heard, ended), name="sinew viewer", daemon=True
        )
        self._thread.start()

    def _listen(self, heard: Callable[[dict[str, Any]], None], ended: Callable[[], None]) -> None:
        while True:
            said = self._link.receive()
            if said is None:
                break
            message, descriptors = said
            heard({**message, "descriptors": descriptors} if descriptors else message)
        ended()

    def send(self, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        """Send a message; one that has ended does not hear it."""
        self._link.send(message, descriptors)

    def close(self) -> None:
        """End it."""
        self._link.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def open_browser(address: str) -> bool:
    """Open the default browser at an address, where there is one; say whether one was begun."""
    import webbrowser

    display = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    try:
        return display and webbrowser.open(address)
    except webbrowser.Error:
        return False
