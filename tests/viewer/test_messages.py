"""Messages, the memory of states, and the link between two processes."""

import os
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest
from worlds import arm

import sinew
from sinew import _core
from sinew.viewer import wire
from sinew.viewer.block import Reader, Writer
from sinew.viewer.changes import Changes
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
        writer.write((bytes([length % 251]) * length,))
    assert reader.read() == [bytes([(1 << 16) % 251]) * (1 << 16)]
    assert reader.read() is None
    for parts in ((bytes(1 << 16), b"1"), (b"1",) * 17):
        with pytest.raises(ValueError, match="room for 65536|17 parts"):
            writer.write(parts)
    assert reader.read() is None
    writer.write((b"go", memoryview(b" on"), b"", *[b"!"] * 13))
    assert reader.read() == [b"go", b" on", b"", *[b"!"] * 13]
    writer.close()
    reader.close()


# Large states, whose copies take as long as several of the small ones, which are written over them.
STATES = [[bytes([k]) * 9, bytes([k]) * (1 << 20 if k % 4 == 0 else 99)] for k in range(8)]
WRITES = """
import mmap, sys
from sinew import _core
memory = mmap.mmap(int(sys.argv[1]), 0)
states = [(bytes([k]) * 9, bytes([k]) * (1 << 20 if k % 4 == 0 else 99)) for k in range(8)]
for count in range(20000):
    _core.writeState(memory, states[count % 8])
"""


def test_no_state_is_torn_while_another_is_written():
    writer = Writer(1 << 21)
    reader = Reader(os.dup(writer.descriptor))
    words = [sys.executable, "-c", WRITES, str(writer.descriptor)]
    seen = 0
    with subprocess.Popen(words, pass_fds=[writer.descriptor]) as process:
        while process.poll() is None or seen == 0:
            state = reader.read()
            if state is not None:
                assert state == STATES[state[0][0]]
                seen += 1
    assert process.returncode == 0
    writer.close()
    reader.close()


def test_a_part_that_is_a_data_is_packed():
    model, data = arm()
    writer = Writer(1 << 16)
    reader = Reader(os.dup(writer.descriptor))
    data.set_callback("control", lambda model, data: writer.write((b"inside", data)))
    sinew.step(model, data)
    inside = reader.read()
    assert inside[0] == b"inside"
    data.set_callback("control", lambda model, data: _core.unpackInto(data, inside[1]))
    with pytest.raises(RuntimeError):  # it is being stepped
        sinew.step(model, data)
    data.set_callback("control", None)
    writer.write((b"odd", data))
    assert reader.read() == [b"odd", _core.packData(data)]
    writer.close()
    reader.close()


def test_what_is_no_memory_of_states_is_an_error():
    with pytest.raises(ValueError, match="no room"):
        _core.writeState(bytearray(100), (b"",))
    with pytest.raises(ValueError, match="no state"):
        _core.readState(b"\1" + bytes(63) + b"\xff" * 4096, 0)
    with pytest.raises(TypeError):
        _core.writeState(bytearray(_core.blockSize(8)), (b"", 3))


def test_changes_of_memory_are_told_once():
    parts = {"a": np.zeros((2, 3)), "none": np.zeros(0), "b": np.zeros(2, np.uint8)}
    changes = Changes(parts)
    assert changes.found() == []
    parts["a"][1, 2] = -0.0  # other bits
    parts["b"][0] = 1
    assert changes.found() == ["a", "b"]
    assert changes.found() == []
    parts["b"][0] = 0
    assert changes.found() == ["b"]


def test_the_bytes_of_a_struct_are_its_own():
    model, _ = arm()
    camera = _core.MjvCamera()
    changes = Changes({"opt": _core.structBytes(model.opt), "cam": _core.structBytes(camera)})
    model.opt.timestep = 0.125
    assert changes.found() == ["opt"]
    camera.lookat[:] = 1
    assert changes.found() == ["cam"]
    view = _core.structBytes(camera)
    del camera
    assert np.frombuffer(view.tobytes(), float).tolist().count(1.0) == 3


def links():
    return [Link(end) for end in socket.socketpair()]


def test_words_and_descriptors_cross_a_link():
    here, there = links()
    writer = Writer(100)
    writer.write((b"state",))
    text = {"do": "model", "text": "ä" * 10**6}
    sending = threading.Thread(target=here.send, args=(text, (writer.descriptor,)))
    sending.start()  # sockets hold less than this
    message, descriptors = there.receive()
    sending.join()
    assert message["text"] == "ä" * 10**6
    reader = Reader(*descriptors)
    assert reader.read() == [b"state"]
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
