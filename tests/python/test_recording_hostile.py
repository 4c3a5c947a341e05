"""Recordings of anybody: bytes that are harmed on purpose."""

import random
import resource
import struct
import warnings

import mcap.writer
import numpy as np
import pytest

import sinew
from recording_files import small, warned, written
from sinew import Recording, RecordingWarning


def harmed(text, dice):
    """Bytes with some of them changed, cut out or put in again."""
    text = bytearray(text)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at, n = dice.randrange(len(text)), dice.randrange(1, 40)
        kind = dice.randrange(4)
        if kind == 0:
            text[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            text[at : at + n] = bytes(dice.randrange(256) for _ in range(n))
        elif kind == 2:
            del text[at : at + n]
        else:
            text[at:at] = b"\xff" * min(n, 9)
    return bytes(text) or b"\0"


@pytest.mark.parametrize("ending", ["npy", "csv", "mcap"])
def test_hostile_bytes(tmp_path, ending):
    """A recording or an error that names the file, soon, and within the memory of the file's own size."""
    path, _ = small(tmp_path, ending)
    whole = path.read_bytes()
    dice = random.Random(5)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (1 << 30), hard))
    try:
        for _ in range(1500):
            path.write_bytes(harmed(whole, dice))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RecordingWarning)
                try:
                    recording = Recording.from_path(path)
                    assert all(len(v) == len(recording) for v in recording.fields.values())
                    recording.model()
                except (ValueError, sinew.ModelError) as error:
                    assert str(error)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


STATE = b'{"properties": {"time": {}, "qpos": {"minItems": 2}}}'


@pytest.mark.parametrize(
    "message",
    [
        b"{",
        b"[" * 100_000,
        b"[]",
        {"qpos": [1, 2]},
        {"time": 0, "qpos": [1]},
        {"time": 0, "qpos": [1, 2, 3]},
        {"time": 0, "qpos": [1, "two"]},
        {"time": 0, "qpos": [1, None]},
        {"time": 0, "qpos": [[1, 2]]},
        {"time": 0, "qpos": {"a": 1, "b": 2}},
        {"time": 0, "qpos": [1, 10**400]},
        b'{"time": 0, "qpos": "12"}',
    ],
    ids=lambda message: str(message)[:30],
)
def test_hostile_states(tmp_path, message):
    """Rows before a message that is wrong are there."""
    good = {"time": 0.5, "qpos": [1, "-Infinity"]}
    messages = [(1, good), (2, message), (3, good)]
    path = written(tmp_path / "run.mcap", ("/state", "sinew.State", "json", STATE, messages))
    recording = warned(path)
    assert (
        recording.qpos.tolist() == [[1, -np.inf]] and "damaged: message: " in recording.unfinished
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"properties": {"qpos": {}}}',
        b'{"properties": {"qpos": {"minItems": -1}}}',
        b'{"properties": {"qpos": {"minItems": 1e9}}}',
        b'{"properties": {"qpos": {"minItems": 1000000000}}}',
        b'{"properties": {"sensors": 1}}',
    ],
)
def test_hostile_schemas(tmp_path, body):
    path = written(tmp_path / "run.mcap", ("/state", "sinew.State", "json", body, [(1, b"{}")]))
    with pytest.raises(ValueError, match="no row can be read: damaged: channel"):
        Recording.from_path(path)


def packed(path, about, messages):
    """States as this version writes them, with these words about them."""
    with open(path, "wb") as stream:
        writer = mcap.writer.Writer(stream)
        writer.start()
        number = writer.register_schema("sinew.State", "protobuf", b"")
        channel = writer.register_channel("/state", "protobuf", number, about)
        for clock, message in enumerate(messages):
            writer.add_message(channel, clock, message, clock)
        writer.finish()
    return path


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (b"", "a row of 0 bytes where 27 are wanted"),
        (b"\x09" + bytes(26), "a row of another layout"),
        (b"\xff" * 27, "a row of another layout"),
        (b"\x09" + bytes(8) + b"\x12\x10" + bytes(17), "a row of 28 bytes where 27 are wanted"),
    ],
)
def test_hostile_packed_states(tmp_path, message, words):
    """Rows before a message that is wrong are there."""
    good = b"\x09" + struct.pack("<d", 0.5) + b"\x12\x10" + struct.pack("<2d", 1, 2)
    for before in (0, 1, 1023, 1024, 2000):
        messages = [good] * before + [message, good]
        path = packed(tmp_path / "run.mcap", {"fields": '[["qpos",2]]'}, messages)
        recording = warned(path)
        assert recording.qpos.tolist() == [[1, 2]] * before and words in recording.unfinished


@pytest.mark.parametrize(
    "about",
    [
        "",
        "[1]",
        '[["qpos"]]',
        '[["qpos",0]]',
        '[["qpos",-3]]',
        '[["qpos",1e3]]',
        '[["qpos",true]]',
        '[["qpos",9999999999]]',
        '[["time",1]]',
        '[["a",1000000],["b",1000000]]',
        "[" * 100_000,
    ],
    ids=lambda about: about[:30],
)
def test_hostile_layouts(tmp_path, about):
    path = packed(tmp_path / "run.mcap", {"fields": about}, [b""])
    with pytest.raises(ValueError, match="no row can be read: damaged: channel"):
        Recording.from_path(path)


def test_a_chunk_that_explodes(tmp_path):
    """Some bytes that unpack to gigabytes."""
    import zstandard

    packed = zstandard.ZstdCompressor().compress(b"\0" * (1 << 29))
    head = struct.pack("<QQQII", 0, 0, 1 << 29, 0, 4) + b"zstd" + struct.pack("<Q", len(packed))
    chunk = head + packed
    start = b"\x89MCAP0\r\n" + b"\1" + struct.pack("<QII", 8, 0, 0)
    for size in (1 << 29, 100):
        chunk = chunk[:16] + struct.pack("<Q", size) + chunk[24:]
        (tmp_path / "run.mcap").write_bytes(start + b"\6" + struct.pack("<Q", len(chunk)) + chunk)
        with pytest.raises(
            ValueError, match="no row can be read: damaged: a chunk of 536870912 bytes"
        ):
            Recording.from_path(tmp_path / "run.mcap")
