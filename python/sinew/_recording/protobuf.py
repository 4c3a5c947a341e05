"""Messages of Protocol Buffers whose numbers stand at the same places in each, and the schemas that describe them.

Only what recordings need: fields of type double, repeated double (packed), string, message; the description is a
FileDescriptorSet, as Foxglove and the MCAP libraries want it. The encoding is that of
https://protobuf.dev/programming-guides/encoding/, the numbers of fields in descriptions are those of descriptor.proto.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

# Kinds of field on the wire.
_VARINT, _FIXED64, _BYTES = 0, 1, 2
# FieldDescriptorProto.Type and Label.
_TYPES = {"double": 1, "int64": 3, "int32": 5, "string": 9, "message": 11}
_OPTIONAL, _REPEATED = 1, 3
# Numbers that no field may have.
_RESERVED = range(19000, 20000)


def varint(value: int) -> bytes:
    """A whole number of 0 or more: seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tag(number: int, kind: int) -> bytes:
    return varint(number << 3 | kind)


def block(number: int, content: bytes) -> bytes:
    """A field of bytes, a text or a message."""
    return _tag(number, _BYTES) + varint(len(content)) + content


def text(number: int, value: str) -> bytes:
    """A field of text; what is no Unicode in a name becomes question marks."""
    return block(number, value.encode(errors="replace"))


def whole(number: int, value: int) -> bytes:
    """A field of a whole number."""
    return _tag(number, _VARINT) + varint(value)


def number_of(index: int) -> int:
    """The number of the field that is number `index` from 1, passing over those that are reserved."""
    return index if index < _RESERVED.start else index + len(_RESERVED)


# ---- messages with holes for numbers


class Layout:
    """A message whose numbers, doubles, are holes in bytes that stay.

    Parts are added from left to right; a message inside another is made first and put in as a whole.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._holes: list[int] = []
        self._stamps: list[int] = []

    def constant(self, content: bytes) -> Layout:
        """Bytes that stay."""
        self._bytes += content
        return self

    def stamp(self, content: bytes) -> Layout:
        """Bytes in whose place others of the same length may stand."""
        self._stamps.append(len(self._bytes))
        return self.constant(content)

    def double(self, number: int) -> Layout:
        """A field of one double."""
        self._bytes += _tag(number, _FIXED64)
        self._hole(1)
        return self

    def doubles(self, number: int, count: int) -> Layout:
        """A field of packed doubles."""
        self._bytes += _tag(number, _BYTES) + varint(8 * count)
        self._hole(count)
        return self

    def message(self, number: int, inner: Layout) -> Layout:
        """A message inside."""
        self._bytes += _tag(number, _BYTES) + varint(len(inner._bytes))
        first = len(self._bytes)
        self._holes += [first + hole for hole in inner._holes]
        self._stamps += [first + at for at in inner._stamps]
        self._bytes += inner._bytes
        return self

    def _hole(self, count: int) -> None:
        first = len(self._bytes)
        self._holes += range(first, first + 8 * count, 8)
        self._bytes += bytes(8 * count)

    def template(self) -> Template:
        """The messages of this layout."""
        return Template(bytes(self._bytes), np.array(self._holes, int), self._stamps)


class Template:
    """Messages of one layout: rows of numbers to bytes and back."""

    def __init__(self, content: bytes, holes: np.ndarray, stamps: list[int]) -> None:
        self._content, self._stamps = np.frombuffer(content, np.uint8), stamps
        self._at = (holes[:, None] + np.arange(8)).ravel()
        stays = np.ones(len(content), bool)
        stays[self._at] = False
        self._stays = np.flatnonzero(stays)
        self.size = len(content)

    def messages(self, rows: np.ndarray, stamps: list[bytes] | None = None) -> list[bytes]:
        """A message for each row of numbers, [n, holes], with its own stamp where the layout has one."""
        made = np.empty((len(rows), self.size), np.uint8)
        made[:] = self._content
        made[:, self._at] = np.ascontiguousarray(rows, "<f8").view(np.uint8)
        if stamps is not None:
            content = np.frombuffer(b"".join(stamps), np.uint8).reshape(len(rows), -1)
            for at in self._stamps:
                made[:, at : at + content.shape[1]] = content
        content, size = made.tobytes(), self.size
        return [content[at : at + size] for at in range(0, len(content), size)]

    def rows(self, messages: list[bytes]) -> tuple[np.ndarray, str]:
        """Numbers [n, holes] of the messages before the first one of another layout, and what is wrong with that one."""
        count = next((i for i, m in enumerate(messages) if len(m) != self.size), len(messages))
        fault = ""
        if count < len(messages):
            fault = f"a row of {len(messages[count])} bytes where {self.size} are wanted"
        read = np.frombuffer(b"".join(messages[:count]), np.uint8).reshape(count, self.size)
        good = (read[:, self._stays] == self._content[self._stays]).all(1)
        if not good.all():
            count, fault = int(good.argmin()), "a row of another layout"
        return np.ascontiguousarray(read[:count, self._at]).view("<f8"), fault


# ---- schemas


@dataclass(frozen=True)
class Field:
    """A field of a message: `kind` is double, int32, int64, string, or the name of a message with its package."""

    name: str
    number: int
    kind: str
    repeated: bool = False

    def described(self) -> bytes:
        """A FieldDescriptorProto."""
        label = _REPEATED if self.repeated else _OPTIONAL
        out = text(1, self.name) + whole(3, self.number) + whole(4, label)
        if self.kind in _TYPES:
            return out + whole(5, _TYPES[self.kind])
        return out + whole(5, _TYPES["message"]) + text(6, "." + self.kind)


def described(name: str, fields: Iterable[Field]) -> bytes:
    """A DescriptorProto: a message with its fields."""
    return text(1, name) + b"".join(block(2, field.described()) for field in fields)


def file_set(files: Iterable[tuple[str, str, list[str], list[bytes]]]) -> bytes:
    """A FileDescriptorSet of files: path, package, paths of what it imports, messages. What is imported comes first."""
    out = b""
    for path, package, imports, messages in files:
        content = text(1, path) + text(2, package)
        content += b"".join(text(3, other) for other in imports)
        content += b"".join(block(4, message) for message in messages)
        out += block(1, content + text(12, "proto3"))
    return out


def identifiers(names: Iterable[str]) -> list[str]:
    """For each name a word that a field may be called, no two alike, not even without case and underscores."""
    words, taken = [], set()
    for name in names:
        word = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_")
        if not word or not word[0].isalpha():
            word = f"number_{word}" if word else "unnamed"
        base, count = word, 1
        while word.replace("_", "").lower() in taken:
            count += 1
            word = f"{base}_{count}"
        taken.add(word.replace("_", "").lower())
        words.append(word)
    return words
