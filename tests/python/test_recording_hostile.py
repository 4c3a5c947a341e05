"""Recordings of anybody: bytes that are harmed on purpose."""

import random
import resource
import struct
import warnings

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
