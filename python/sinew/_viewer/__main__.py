"""Serves the pages of a viewer: python -m sinew._viewer DESCRIPTOR HOST PORT, begun by sinew.viewer alone."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import warnings

from ..viewer.link import Link
from .admission import Gate
from .files import page_file
from .pages import Pages


def main(descriptor: str, host: str, port: str) -> int:
    """Serve until the process that simulates ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # pages show what is counted of them
    link = Link(socket.socket(fileno=int(descriptor)))
    try:
        page_file("page.js")
        asyncio.run(_serve(link, host, int(port)))
    except FileNotFoundError:
        link.send({"error": "this package was built without the page: build it again with network"})
        return 1
    except OSError as error:
        link.send({"error": error.strerror or str(error)})
        return 1
    return 0


async def _serve(link: Link, host: str, port: int) -> None:
    await Pages(link, Gate(host)).serve(host, port)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
