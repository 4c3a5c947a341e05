"""Messages, the memory of states, and the link between two processes."""

import os
import socket
import threading

import numpy as np
import pytest

from sinew.viewer import wire
from sinew.viewer.block import Reader, Writer
from sinew.viewer.link import Link

ARRAYS = {
    "pose": np.arange(24, dtype=np.float32).reshape(2, 12),
    "none": np.zeros((0, 28), np.float32),
    "odd": np.arange(5, dtype=np.uint8),
    "rows": np.array([7, 2**32 - 1], np.uint32),
    "swapped": np.arange(3, dtype=">f8"),
}


def test_a_message_comes_back():
    words = {"kind": "frame", "labels": [[[0.1, -0.0, 1e300], "ä </b>"]], "none": None}
    message = wire.pack(words, ARRAYS)
    assert len(message) % wire.ALIGN == 0
    back, arrays = wire.unpack(message)
    assert back == words and list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype.newbyteorder("<")
        np.testing.assert_array_equal(arrays[name], array)


def test_a_message_that_is_cut_is_none():
    message = wire.pack({"kind": "frame"}, ARRAYS)
    for length in range(len(message) - wire.ALIGN):
        with pytest.raises(ValueError):
            wire.unpack(message[:length])


@pytest.mark.parametrize(
    "words",
    [b"[]", b'{"arrays": 1}', b"{}", b'{"arrays":{"a":["O",[1],0]}}', b'{"arrays":{"a":1}}'],
)
def test_words_of_another_kind_are_none(words):
    with pytest.raises(ValueError):
        wire.unpack(len(words).to_bytes(4, "little") + words + bytes(64))


def test_states_are_whole_and_the_newest():
    writer = Writer(1 << 16)
    reader = Reader(os.dup(writer.descriptor))
    assert reader.read() is None
    for length in (0, 1, 1 << 16):
        writer.write([bytes([length % 251]) * length])
    assert reader.read() == bytes([(1 << 16) % 251]) * (1 << 16)
    assert reader.read() is None
    with pytest.raises(ValueError, match="room for 65536"):
        writer.write([bytes(1 << 16), b"1"])
    writer.write([b"go", memoryview(b" on")])
    assert reader.read() == b"go on"
    writer.close()
    reader.close()


def test_no_state_is_torn_while_another_is_written():
    writer = Writer(1 << 14)
    reader = Reader(os.dup(writer.descriptor))
    done = threading.Event()

    def write():
        for count in range(3000):
            writer.write([count.to_bytes(4, "little") * (1 + count % 4000)])
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    last, seen = -1, 0
    while not done.is_set() or seen == 0:
        state = reader.read()
        if state is not None:
            count = int.from_bytes(state[:4], "little")
            assert count > last and state == count.to_bytes(4, "little") * (1 + count % 4000)
            last, seen = count, seen + 1
    thread.join()
    writer.close()
    reader.close()


def links():
    return [Link(end) for end in socket.socketpair()]


def test_words_and_descriptors_cross_a_link():
    here, there = links()
    writer = Writer(100)
    writer.write([b"state"])
    text = {"do": "model", "text": "ä" * 10**6}
    sending = threading.Thread(target=here.send, args=(text, (writer.descriptor,)))
    sending.start()  # sockets hold less than this
    message, descriptors = there.receive()
    sending.join()
    assert message["text"] == "ä" * 10**6
    reader = Reader(*descriptors)
    assert reader.read() == b"state"
    writer.close()
    reader.close()
    here.close()
    assert there.receive() is None
    there.close()


def test_a_link_whose_other_side_has_ended_says_so():
    here, there = links()
    there.close()
    assert here.receive() is None
    assert here.send({"do": "key"}) is False
    here.close()


def test_a_message_that_is_too_long_ends_a_link():
    ours, theirs = socket.socketpair()
    link = Link(ours)
    theirs.sendall((1 << 30).to_bytes(4, "little"))
    assert link.receive() is None
    theirs.close()
    link.close()
