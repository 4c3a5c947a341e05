"""Pages of a viewer without a browser."""

import time
import urllib.parse
import urllib.request

from websockets.sync.client import connect

from sinew.viewer import wire

WAIT = 30  # seconds for what takes a moment


def until(condition):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def page(handle, which="", **headers):
    """A page of a viewer as a browser opens it, or a further picture of one."""
    address = urllib.parse.urlsplit(handle.address)
    with urllib.request.urlopen(handle.address) as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    headers = {"Cookie": cookie, **headers}
    origin = f"http://{address.netloc}"
    return connect(
        f"ws://{address.netloc}/socket?{which}",
        origin=origin,
        additional_headers=headers,
        max_size=None,
    )


def kinds(socket, wanted):
    """Receive until a kind of message comes; return it."""
    while True:
        words, arrays = wire.unpack(socket.recv(timeout=WAIT))
        if words["kind"] == "frame":
            socket.send('{"do": "drawn"}')
        if words["kind"] == wanted:
            return words, arrays
