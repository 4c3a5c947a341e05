"""Recordings as NumPy structured arrays."""

from __future__ import annotations

import ast
import os
import struct
from typing import IO, TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .recording import Recording

NPY = b"\x93NUMPY"
# Longest header that is believed: a hundred thousand sensors.
_MOST_HEADER = 1 << 24
# Larger files are mapped, so that rows come into memory as they are looked at.
_MAPPED = 1 << 28


def read_header(path: str, stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    """Shape and type of the rows; the stream is at the first of them then."""
    try:
        major, _ = np.lib.format.read_magic(stream)
        size = "<H" if major == 1 else "<I"
        (length,) = struct.unpack(size, stream.read(struct.calcsize(size)))
        if length > _MOST_HEADER or major not in (1, 2, 3):
            raise ValueError(f"{length} bytes, version {major}")
        text = stream.read(length)
        if len(text) < length:
            raise ValueError("the file ends in it")
        header = ast.literal_eval(text.decode("utf-8" if major == 3 else "latin-1").strip())
        shape, dtype = header["shape"], np.lib.format.descr_to_dtype(header["descr"])
        if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
            raise ValueError(f"shape {shape}")
    # literals and types of a hostile header fail in many ways
    except Exception as error:
        if isinstance(error, OSError):
            raise
        raise ValueError(
            f"{path}: the header of the .npy is cut or damaged: {_line(error)}"
        ) from None
    return shape, dtype


def _line(error: Exception) -> str:
    """The first words of an error."""
    return (str(error) or type(error).__name__).splitlines()[0][:200]


def _check(path: str, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """That these are rows of a recording."""
    wanted = "a recording has rows with a field time and others of numbers"
    if dtype.names is None or "time" not in dtype.names:
        raise ValueError(f"{path}: an array of {dtype} without a field time; {wanted}")
    if len(shape) != 1 or dtype["time"].shape:
        raise ValueError(f"{path}: rows of shape {shape}, times of {dtype['time'].shape}; {wanted}")
    for name in dtype.names:
        base = dtype[name].base
        if base.kind not in "fiu" or len(dtype[name].shape) > 1:
            raise ValueError(f"{path}: the field {name!r} is of {dtype[name]}; {wanted}")


def read(cls: type[Recording], path: str) -> Recording:
    """The recording in an .npy; what is not a whole row at its end is left out."""
    with open(path, "rb") as stream:
        shape, dtype = read_header(path, stream)
        _check(path, shape, dtype)
        first, size = stream.tell(), os.fstat(stream.fileno()).st_size
        there, rest = divmod(size - first, dtype.itemsize)
        if there * dtype.itemsize > _MAPPED:
            rows: Any = np.memmap(path, dtype, "r", first, (there,))
        else:
            rows = np.fromfile(stream, dtype, there)
    recording = cls(rows["time"], {n: rows[n] for n in dtype.names if n != "time"}, path=path)
    if rest or there < shape[0]:
        recording.unfinished = f"the header says {shape[0]} rows, and the file ends early"
    elif there > shape[0]:
        recording.unfinished = f"the header says {shape[0]} rows, and the file has more"
    return recording


def header(dtype: np.dtype, rows: int) -> bytes:
    """The start of an .npy, in ASCII, whatever the names are."""
    words = ascii({"descr": dtype.descr, "fortran_order": False, "shape": (rows,)}).encode()
    length = -(12 + len(words) + 1) % 64 + len(words) + 1
    return NPY + b"\2\0" + struct.pack("<I", length) + words.ljust(length - 1) + b"\n"


def write(recording: Recording, stream: IO[bytes]) -> None:
    """Write an .npy, some rows at a time."""
    some = 4096
    fields = {name: recording.width(name) for name in recording.fields if recording.width(name)}
    kinds = [
        ("time", "<f8"),
        *((n, "<f8", (k,)) if k > 1 else (n, "<f8") for n, k in fields.items()),
    ]
    dtype = np.dtype(kinds)
    stream.write(header(dtype, len(recording)))
    for first in range(0, len(recording), some):
        rows = np.empty(min(some, len(recording) - first), dtype)
        rows["time"] = recording.time[first : first + some]
        for name in fields:
            values = recording.fields[name][first : first + some]
            rows[name] = values if dtype[name].shape else values[:, 0]
        stream.write(memoryview(rows).cast("B"))
