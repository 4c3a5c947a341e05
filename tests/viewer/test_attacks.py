"""Who gets in and means no good: refused, and the simulation is not harmed."""

import contextlib
import json
import random
import socket
import struct
import threading
import time
import urllib.parse

import numpy as np
import pytest
from lines import WAIT, Client
from websockets.exceptions import ConnectionClosed
from worlds import arm

import sinew
from sinew import viewer

LARGEST = 1 << 30


@pytest.fixture
def handle():
    model, data = arm()
    with viewer.launch_passive(model, data, browser=False) as made:
        yield made


def until(condition):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def goes_on(handle):
    """The simulation is as it would be without a viewer, and a new page sees it."""
    alone = sinew.Data(handle.m)
    alone.time = handle.d.time
    for name in ("qpos", "qvel", "act", "ctrl"):
        getattr(alone, name)[:] = getattr(handle.d, name)
    for _ in range(20):
        sinew.step(handle.m, handle.d)
        sinew.step(handle.m, alone)
        handle.sync()
    assert handle.is_running()
    for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied"):
        np.testing.assert_array_equal(getattr(handle.d, name), getattr(alone, name))
    client = Client(handle.address)
    until(lambda: client.receive()[0]["time"] == handle.d.time)
    client.close()


def closed(client):
    """The code that the server closes a page with."""
    with pytest.raises(ConnectionClosed) as closing:
        while True:
            client.socket.recv(timeout=WAIT)
    return closing.value.rcvd.code


def test_a_frame_that_says_it_has_a_gigabyte(handle):
    client = Client(handle.address)
    # text, final, masked, 8 bytes of length, the mask
    client.socket.socket.sendall(bytes([0x81, 0xFF]) + struct.pack(">Q", LARGEST) + bytes(4))
    assert closed(client) == 1009
    goes_on(handle)


def test_a_message_that_is_too_long(handle):
    client = Client(handle.address)
    client.say(do="ctrl", index=0, value=0, more="x" * (1 << 17))
    assert closed(client) == 1009
    goes_on(handle)


def test_nothing_that_pages_say(handle):
    """Bytes, half frames and words by chance: such a page is closed, the next one gets in."""
    chance = random.Random(9)
    for _ in range(60):
        client = Client(handle.address)
        match chance.randrange(4):
            case 0:
                client.socket.socket.sendall(chance.randbytes(200))
            case 1:
                client.socket.send(chance.randbytes(100))
            case 2:
                client.socket.send('{"do": ' + json.dumps(chance.random()) + "}")
            case 3:
                client.socket.socket.sendall(bytes([0x81, 0xFE, 0xFF, 0xFF]))  # and no more
        with contextlib.suppress(OSError):
            client.socket.socket.shutdown(socket.SHUT_WR)
        client.close()
    goes_on(handle)


def test_a_hundred_connections(handle):
    """So many pages as there may be, and the others are told; when some leave there is room again."""
    clients = []
    refused = 0
    for _ in range(100):
        try:
            clients.append(Client(handle.address))
        except Exception as error:
            assert "403" in str(error), error
            refused += 1
    assert len(clients) == 32 and refused == 68
    for client in clients[1:]:
        client.close()
    goes_on(handle)
    clients[0].close()


def test_those_who_say_nothing(handle):
    """Connections that are opened and left, and requests that never end."""
    parts = urllib.parse.urlsplit(handle.address)
    idle = [socket.create_connection((parts.hostname, parts.port)) for _ in range(50)]
    for end in idle[::2]:
        end.sendall(b"GET /socket HTTP/1.1\r\nHost: ")
    goes_on(handle)
    for end in idle:
        end.close()


def test_requests_that_are_none(handle):
    parts = urllib.parse.urlsplit(handle.address)
    for line in (
        b"\0" * 5000, b"GET " + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10000 + b"\r\n",
        f"GET /%2e%2e/page.js?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode(),
    ):  # fmt: skip
        with socket.create_connection((parts.hostname, parts.port), timeout=WAIT) as end:
            with contextlib.suppress(OSError):
                end.sendall(line)
                end.shutdown(socket.SHUT_WR)
            answer = b""
            with contextlib.suppress(OSError):
                while part := end.recv(65536):
                    answer += part
            assert b":/root:" not in answer  # as in a file of passwords
    goes_on(handle)


def test_a_page_that_reads_nothing(handle):
    """It is sent no more than a few frames, and others see on."""
    lazy = Client(handle.address)
    for _ in range(200):
        sinew.step(handle.m, handle.d)
        handle.sync()
    goes_on(handle)
    lazy.close()


def test_a_page_that_never_stops(handle):
    """A page that says the same as fast as it can: states of others still come."""
    loud = Client(handle.address)
    ended = threading.Event()

    def shout():
        with contextlib.suppress(ConnectionClosed):
            while not ended.is_set():
                loud.say(do="camera", action=1, dx=0.01, dy=0)

    def listen():
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            while not ended.is_set():
                loud.socket.recv(timeout=1)

    threads = [threading.Thread(target=work) for work in (shout, listen)]
    for thread in threads:
        thread.start()
    other = Client(handle.address)
    sinew.step(handle.m, handle.d)
    handle.sync()
    until(lambda: other.receive()[0]["time"] == handle.d.time)
    ended.set()
    for thread in threads:
        thread.join()
    loud.close()
    other.close()
    assert handle.is_running() and len(handle._done) < 10  # of its cameras only the last counts
