"""Recordings out of MCAP: our own with all that they hold, others' by the states of their joints."""

from __future__ import annotations

import io
import json
import os
import struct
from array import array
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import joint_states
from .attached import Inside
from .blocks import Rows
from .mcap_format import (
    ENCODING,
    FORMAT,
    METADATA,
    MODEL,
    PACKED_MODEL,
    SOURCE,
    STATE_SCHEMA,
    StateForm,
    json_fields,
    library,
)

if TYPE_CHECKING:
    from .recording import Recording

# A chunk that unpacks to more is refused: writers make them of some megabytes.
_MOST_CHUNK = 1 << 28
_SOME = 1024
_WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


# How records in a chunk, and messages, begin: kind and length; channel, sequence, two times.
_RECORD, _MESSAGE = struct.Struct("<BQ"), struct.Struct("<HIQQ")


class Message(NamedTuple):
    """As much of a message as is read; the library's own take ten times as long."""

    channel_id: int
    log_time: int
    data: bytes


class _Cut(Exception):
    """The file ends, or is damaged, here."""


class _Newer(Exception):
    """A newer version has written the file."""


class _Bytes:
    """A file that has what is asked for, or says that it ends."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.left = stream, os.fstat(stream.fileno()).st_size

    def read(self, count: int) -> bytes:
        if count > self.left:
            raise _Cut("the file ends early")
        self.left -= count
        return self.stream.read(count)


def _records(stream: IO[bytes]) -> Iterator[Any]:
    """The records of a file, those of chunks too; what ends them early is a `_Cut`."""
    library()
    from mcap import records, stream_reader

    source = _Bytes(stream)
    reader = stream_reader.StreamReader(source, emit_chunks=True, record_size_limit=source.left)
    try:
        for record in reader.records:
            if isinstance(record, records.Chunk):
                yield from _unpacked(record)
            else:
                yield record
    except (_Cut, OSError, MemoryError, GeneratorExit):
        raise
    # damaged bytes make the library fail in any way
    except Exception as error:
        raise _Cut(f"damaged: {_line(error)}") from None


def _line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]


def _unpacked(chunk: Any) -> Iterator[Any]:
    """The records of a chunk, one by one."""
    from mcap import data_stream, records, stream_reader
    from mcap.opcode import Opcode

    size = chunk.uncompressed_size
    if chunk.compression == "zstd":
        import zstandard

        size = max(size, zstandard.frame_content_size(chunk.data))
    if size > _MOST_CHUNK:
        raise ValueError(f"a chunk of {size} bytes")
    stream, length = stream_reader.get_chunk_data_stream(chunk, validate_crc=True)
    content, at = stream.read(length), 0
    kinds = {Opcode.SCHEMA: records.Schema, Opcode.CHANNEL: records.Channel}
    while at < length:
        kind, size = _RECORD.unpack_from(content, at)
        at += _RECORD.size
        if size > length - at:
            raise ValueError(f"a record of {size} bytes in a chunk that has {length - at}")
        if kind == Opcode.MESSAGE:
            channel, _, clock, _ = _MESSAGE.unpack_from(content, at)
            yield Message(channel, clock, content[at + _MESSAGE.size : at + size])
        elif kind in kinds:
            inside = data_stream.ReadDataStream(io.BytesIO(content[at : at + size]))
            yield kinds[kind].read(inside)
        at += size


def numbers(values: list[Any]) -> array:
    """A list of JSON's numbers, and the words for what is not finite. TypeError or KeyError for all else."""
    try:
        return array("d", values)
    except TypeError:
        return array("d", [_WORDS[v] if isinstance(v, str) else v for v in values])


class _States:
    """Rows of a channel of ours."""

    def __init__(self, about: dict[str, str]) -> None:
        self.form = StateForm.of(about)
        self.rows = Rows(1 + sum(self.form.fields.values()))
        self.waiting: list[bytes] = []

    def take(self, message: bytes, log_time: int) -> None:
        """A message's row."""
        self.waiting.append(message)
        if len(self.waiting) == _SOME:
            self.settle()

    def settle(self) -> None:
        """Rows of the messages so far."""
        waiting, self.waiting = self.waiting, []
        rows, fault = self.form.rows(waiting)
        self.rows.extend(rows)
        if fault:
            raise ValueError(fault)

    def finish(self, cls: type[Recording], path: str, names: dict[str, list[str]]) -> Recording:
        """The recording."""
        return _recording(cls, path, self.rows.take(), self.form.fields, names)


class _JsonStates:
    """Rows of a channel of an older version."""

    def __init__(self, schema: bytes) -> None:
        self.fields = json_fields(schema)
        self.own = [name for name in self.fields if not name.startswith("sensor/")]
        self.sensors = [n.removeprefix("sensor/") for n in self.fields if n.startswith("sensor/")]
        self.rows = Rows(1 + sum(self.fields.values()))
        order = [*self.own, *(f"sensor/{name}" for name in self.sensors)]
        self.order = {name: self.fields[name] for name in order}

    def take(self, message: bytes, log_time: int) -> None:
        """A message's row."""
        state = json.loads(message)
        values = [state["time"]]
        for name in self.own:
            values += state[name]
        if self.sensors:
            sensors = state["sensors"]
            for name in self.sensors:
                values += sensors[name]
        row = numbers(values)
        if len(row) != self.rows.width:
            raise ValueError(f"a row of {len(row)} numbers where {self.rows.width} are wanted")
        self.rows.add(row)

    def finish(self, cls: type[Recording], path: str, names: dict[str, list[str]]) -> Recording:
        """The recording."""
        return _recording(cls, path, self.rows.take(), self.order, names)

    def settle(self) -> None:
        """Nothing waits."""


def _recording(
    cls: type[Recording],
    path: str,
    rows: np.ndarray,
    fields: dict[str, int],
    names: dict[str, list[str]],
) -> Recording:
    """The recording of rows that have a time and these fields."""
    arrays, at = {}, 1
    for name, width in fields.items():
        arrays[name] = rows[:, at : at + width]
        at += width
    names = {n: words for n, words in names.items() if len(words) == fields.get(n)}
    return cls(rows[:, 0], arrays, names, path=path)


class _Reading:
    """What has been found in a file so far."""

    def __init__(self, topic: str | None) -> None:
        self.topic = topic
        self.schemas: dict[int, Any] = {}
        self.channels: dict[int, Any] = {}
        self.takers: dict[int, Callable[[bytes, int], None]] = {}
        self.source: Any = None  # what makes the recording
        self.joints: dict[str, Any] = {}  # by topic
        self.names: dict[str, list[str]] = {}
        self.model: dict[str, bytes] = {}
        self.format = "1"

    def take(self, record: Any) -> None:
        """A record of any kind."""
        kind = type(record).__name__
        if kind == "Message":
            taker = self.takers.get(record.channel_id)
            if taker:
                taker(record.data, record.log_time)
        elif kind == "Schema":
            self.schemas[record.id] = record
        elif kind == "Channel" and record.id not in self.channels:
            self.channels[record.id] = record
            self._channel(record, self.schemas.get(record.schema_id))
        elif kind == "Attachment" and record.name in (MODEL, PACKED_MODEL, SOURCE):
            self.model[record.name] = record.data
        elif kind == "Metadata" and record.name == METADATA:
            self.names = _names(record.metadata.get("names", "{}"))
            self.format = record.metadata.get("format", "1")

    def _channel(self, channel: Any, schema: Any) -> None:
        """Rows of ours come from one channel; others' joints from the topic that is asked for, or all."""
        name = schema.name if schema else ""
        if name == STATE_SCHEMA and self.topic is None:
            if self.source is None:
                self.source = self._states(channel, schema.data)
                self.takers[channel.id] = self.source.take
            return
        decode = joint_states.decoder(name, channel.message_encoding)
        if decode is None or self.source is not None or self.topic not in (None, channel.topic):
            return
        joints = self.joints.setdefault(channel.topic, joint_states.JointStates(decode))
        self.takers[channel.id] = joints.take

    def _states(self, channel: Any, schema: bytes) -> _States | _JsonStates:
        """What takes the states of a channel, by the format that they have."""
        if channel.message_encoding == ENCODING and "fields" in channel.metadata:
            return _States(channel.metadata)
        if channel.message_encoding == "json":
            return _JsonStates(schema)
        raise _Newer(
            f"its states are of format {self.format[:20]}, and this version of Sinew reads up to {FORMAT}: "
            "a newer one reads it"
        )

    def finish(self, cls: type[Recording], path: str, cut: str) -> Recording:
        """The recording; ValueError that says what the file has instead."""
        if self.source is not None:
            recording = self.source.finish(cls, path, self.names)
        else:
            recording = self._of_joints(cls, path, cut)
        model = self.model.get(PACKED_MODEL) or self.model.get(MODEL)
        if model:
            recording._model = Inside(model, self.model.get(SOURCE, b"").decode(errors="replace"))
        recording.unfinished = cut
        return recording

    def _of_joints(self, cls: type[Recording], path: str, cut: str) -> Recording:
        heard = {topic: joints for topic, joints in self.joints.items() if joints.count}
        if len(heard) == 1:
            return next(iter(heard.values())).finish(cls, path)
        if heard:
            topics = ", ".join(sorted(heard))
            raise ValueError(
                f"{path}: several topics have states of joints, {topics}: say which topic to read"
            )
        if cut:
            raise ValueError(f"{path}: no row can be read: {cut}")
        topics = ", ".join(sorted(f"{c.topic} ({self._kind(c)})" for c in self.channels.values()))
        missing = (
            "no states of joints"
            if self.topic is None
            else f"no states of joints on topic {self.topic!r}"
        )
        raise ValueError(
            f"{path}: it has no states of Sinew's and {missing} ({joint_states.WANTED}); "
            f"its topics are {topics[:500] or 'none'}"
        )

    def _kind(self, channel: Any) -> str:
        schema = self.schemas.get(channel.schema_id)
        return f"{schema.name if schema else 'no schema'}, {channel.message_encoding}"


def _names(text: str) -> dict[str, list[str]]:
    """Names as the metadata has them; what is damaged is left out."""
    try:
        names = json.loads(text)
        return {
            str(n): [str(word) for word in words]
            for n, words in names.items()
            if isinstance(words, list)
        }
    except (ValueError, AttributeError, RecursionError):
        return {}


def read(cls: type[Recording], path: str, topic: str | None) -> Recording:
    """The recording in an .mcap; a file that was cut is read as far as it goes."""
    reading, cut = _Reading(topic), ""
    with open(path, "rb") as stream:
        try:
            for record in _records(stream):
                _take(reading, record)
        except _Cut as error:
            cut = str(error)
        except _Newer as error:
            raise ValueError(f"{path}: {error}") from None
    try:
        if reading.source is not None:
            reading.source.settle()
    except ValueError as error:
        cut = f"damaged: message: {error}"
    return reading.finish(cls, path, cut)


def _take(reading: _Reading, record: Any) -> None:
    try:
        reading.take(record)
    except (_Newer, MemoryError):
        raise
    except Exception as error:  # a message of any shape, or a schema
        raise _Cut(f"damaged: {type(record).__name__.lower()}: {_line(error)}") from None
