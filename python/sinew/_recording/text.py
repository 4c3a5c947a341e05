"""Recordings as tables of text."""

from __future__ import annotations

import collections
import csv
import os
import re
import warnings
from typing import IO, TYPE_CHECKING

import numpy as np

from .layout import STATE, WIDTHS

if TYPE_CHECKING:
    from .recording import Recording

# Longest first line that is believed.
_MOST_HEADER = 1 << 24


def _first_line(path: str, stream: IO[bytes]) -> list[str]:
    """Names of the columns."""
    line = stream.readline(_MOST_HEADER).removeprefix(b"\xef\xbb\xbf")
    if not line.endswith(b"\n"):
        raise ValueError(f"{path}:1: the first line, of names of columns, has no end")
    words = line.decode(errors="backslashreplace").rstrip("\r\n")
    try:
        names = next(csv.reader([words], strict=True))
    except (csv.Error, StopIteration) as error:
        raise ValueError(f"{path}:1: no line of names of columns: {error}") from None
    names = [name.strip() for name in names]
    if "time" not in names:
        raise ValueError(
            f"{path}:1: no column time: the first line of a recording names its columns, "
            f"time,qpos/JOINT,...; this one is {_short(words)!r}"
        )
    if len(set(names)) < len(names):
        (double, _), *_ = collections.Counter(names).most_common(1)
        raise ValueError(f"{path}:1: two columns are called {double!r}")
    return names


def _short(words: str) -> str:
    return words if len(words) <= 60 else words[:57] + "..."


def _columns(names: list[str]) -> tuple[dict[str, list[int]], dict[str, list[str]]]:
    """Which columns each field has, and whose they are.

    ``qpos/wrist/0`` to ``qpos/wrist/3`` belong to one element, when that many can.
    """
    fields: dict[str, list[int]] = {}
    elements: dict[str, list[str]] = {}
    at = 0
    while at < len(names):
        group, _, element = names[at].partition("/")
        n = 1
        base, _, zero = element.rpartition("/")
        if base and zero == "0":
            while at + n < len(names) and names[at + n] == f"{group}/{base}/{n}":
                n += 1
            if n > 1 and n in WIDTHS.get(group, (n,)):
                element = base
            else:
                n = 1
        field = group if group in STATE else names[at]
        if group == "sensor":
            field = f"sensor/{element}"
        if field != "time":
            fields.setdefault(field, []).extend(range(at, at + n))
            if field == group and element:
                elements.setdefault(field, []).extend([element] * n)
        at += n
    return fields, elements


def _whole_lines(stream: IO[bytes]) -> bool:
    """Whether the file ends with the end of a line."""
    stream.seek(0, os.SEEK_END)
    if stream.tell() == 0:
        return True
    stream.seek(-1, os.SEEK_END)
    return stream.read(1) == b"\n"


def _lines(stream: IO[bytes], whole: bool):
    """Lines, without the last one where it is cut."""
    held = None
    for line in stream:
        if held is not None:
            yield held
        held = line
    if held is not None and whole:
        yield held


def _numbers(path: str, stream: IO[bytes], width: int, whole: bool) -> np.ndarray:
    """[n, width]"""
    start = stream.tell()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "loadtxt: input contained no data")
            values = np.loadtxt(
                _lines(stream, whole), delimiter=",", comments=None, ndmin=2, encoding="utf-8"
            )
    except (ValueError, UnicodeError) as error:
        stream.seek(start)
        raise ValueError(_blame(path, _lines(stream, whole), width) or f"{path}: {error}") from None
    if values.size and values.shape[1] != width:
        raise ValueError(f"{path}:2: {values.shape[1]} columns, but the first line has {width}")
    return values.reshape(-1, width)


_NUMBER = re.compile(
    rb"\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?|nan)\s*", re.I
)


def _blame(path: str, lines, width: int) -> str:
    """What is wrong with the first line that is; empty if none is."""
    for number, line in enumerate(lines, 2):
        words = line.rstrip(b"\r\n").split(b",")
        if words == [b""]:
            continue
        for column, word in enumerate(words, 1):
            if not _NUMBER.fullmatch(word):
                shown = _short(word.decode(errors="backslashreplace"))
                return f"{path}:{number}: column {column}: not a number: {shown!r}"
        if len(words) != width:
            return f"{path}:{number}: {len(words)} columns, but the first line has {width}"
    return ""


def read(cls: type[Recording], path: str) -> Recording:
    """The recording in a .csv; a last line without an end is left out, its numbers may be cut."""
    with open(path, "rb") as stream:
        whole = _whole_lines(stream)
        stream.seek(0)
        names = _first_line(path, stream)
        values = _numbers(path, stream, len(names), whole)
    fields, elements = _columns(names)
    elements = {
        field: words for field, words in elements.items() if len(words) == len(fields[field])
    }
    arrays = {field: values[:, _slice(columns)] for field, columns in fields.items()}
    recording = cls(values[:, names.index("time")], arrays, elements, path=path)
    if not whole:
        recording.unfinished = "the last line has no end"
    return recording


def _slice(columns: list[int]) -> slice | list[int]:
    """Columns beside each other without a copy."""
    together = columns == list(range(columns[0], columns[-1] + 1))
    return slice(columns[0], columns[-1] + 1) if together else columns
