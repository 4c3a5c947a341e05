"""A page without a browser, and a line that is long and narrow between it and the server."""

import contextlib
import json
import queue
import socket
import threading
import time
import urllib.parse
import urllib.request

from websockets.sync.client import connect

from sinew.viewer import wire

WAIT = 60  # seconds for what takes a moment


class Client:
    """A page as the server sees it: it draws at once what it is sent.

    Parameters
    ----------
    address : str
        With the token.
    port : int, optional
        Where it is reached instead.
    """

    def __init__(self, address, port=None):
        parts = urllib.parse.urlsplit(address)
        place = f"127.0.0.1:{port or parts.port}"
        with urllib.request.urlopen(f"http://{place}/?{parts.query}") as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self._open = contextlib.ExitStack()
        self.socket = self._open.enter_context(connect(
            f"ws://{place}/socket", origin=f"http://{place}", additional_headers={"Cookie": cookie}, max_size=None,
            compression=None,
        ))  # fmt: skip
        self.say(do="size", width=1280, height=720)

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def receive(self, kind="frame"):
        """Words of the next message of a kind, and bytes of it."""
        while True:
            message = self.socket.recv(timeout=WAIT)
            words, _ = wire.unpack(message)
            if words["kind"] == "frame":
                self.say(do="drawn")
            if words["kind"] == kind:
                return words, len(message)

    def close(self):
        self._open.close()


class Line:
    """Passes bytes on to a port, so many a second each way, and late.

    Attributes
    ----------
    port : int
        Where it listens.
    """

    def __init__(self, target, bits=10e6, delay=0.05):
        self._target, self._rate, self._delay = target, bits / 8, delay
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ends = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                for end in (near, far):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
                self._ends += [near, far]
                for way in ((near, far), (far, near)):
                    self._pass(*way)

    def _pass(self, source, sink):
        """Take bytes as slowly as the line does, and give them on when they have arrived."""
        arriving = queue.Queue(maxsize=64)

        def take():
            free = 0.0
            with contextlib.suppress(OSError):
                while part := source.recv(4096):
                    free = max(free, time.monotonic()) + len(part) / self._rate
                    time.sleep(max(0.0, free - time.monotonic()))
                    arriving.put((free + self._delay, part))
            arriving.put((0.0, b""))

        def give():
            with contextlib.suppress(OSError):
                while True:
                    due, part = arriving.get()
                    if not part:
                        sink.shutdown(socket.SHUT_WR)
                        return
                    time.sleep(max(0.0, due - time.monotonic()))
                    sink.sendall(part)

        for work in (take, give):
            threading.Thread(target=work, daemon=True).start()

    def drop(self):
        """End all connections; new ones may come."""
        ends, self._ends = self._ends[1:], self._ends[:1]
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self):
        for end in self._ends:
            end.close()


def swarm(count):
    """MJCF of bodies that fly without meeting: MJCF."""
    types = ("box", "ellipsoid", "capsule", "cylinder")
    bodies = [
        f'<body pos="{i % 50 * 0.1} {i // 50 * 0.1} 0"><freejoint/>'
        f'<geom type="{types[i % 4]}" size=".03 .02 .01" rgba="{i % 7 / 7} .5 .4 1"/></body>'
        for i in range(count)
    ]
    return (
        '<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody><light pos="0 0 9"/>'
        f"{''.join(bodies)}</worldbody></mujoco>"
    )
