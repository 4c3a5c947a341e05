"""Messages: words as JSON, and arrays behind them; between processes and to pages.

A message is the length of the words in 4 bytes, the lowest first, the words in UTF-8, filled up with blanks to a
multiple of 8 bytes in all, and the arrays, each from a multiple of 8 bytes on. The words are an object whose member
`arrays` has for each name [dtype, shape, first byte behind the words]; dtype is one of NumPy's, as `<f4`.
"""

from __future__ import annotations

import functools
import json
import math
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGN = 8


def pack(words: dict[str, Any], arrays: dict[str, NDArray] | None = None) -> bytes:
    """Return a message.

    Parameters
    ----------
    words : dict
        What JSON can say; numbers that are none become null.
    arrays : dict of arrays, optional

    Returns
    -------
    bytes
    """
    return b"".join(parts(words, arrays or {}))


def parts(words: dict[str, Any], arrays: dict[str, NDArray]) -> list[bytes | memoryview]:
    """Return a message in parts, which are those of `pack` one behind the other; arrays that lie so are not copied."""
    places: dict[str, Any] = {}
    behind: list[bytes | memoryview] = []
    at = 0
    for name, array in arrays.items():
        raw, *place = _raw(array)
        places[name] = [*place, at]
        behind += [raw, bytes(-len(raw) % ALIGN)]
        at += len(raw) + -len(raw) % ALIGN
    said = text({**words, "arrays": places})
    said += b" " * (-(len(said) + 4) % ALIGN)
    return [struct.pack("<I", len(said)), said, *behind]


def _raw(array: NDArray) -> tuple[memoryview, str, list[int]]:
    """Return the bytes of an array, its type and shape."""
    kind, name = _little(array.dtype)
    raw = np.ascontiguousarray(array, kind).reshape(-1).view(np.uint8).data
    return raw, name, list(array.shape)


@functools.cache
def _little(kind: np.dtype) -> tuple[np.dtype, str]:
    """Return a type with the lowest byte first, and its name."""
    little = kind.newbyteorder("<")
    return little, little.str


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def text(words: dict[str, Any]) -> bytes:
    """Return words as JSON, which has no numbers that are none."""
    try:
        return _ENCODER.encode(words).encode()
    except ValueError:
        return _ENCODER.encode(_known(words)).encode()


def _known(words: Any) -> Any:
    """Return words with None for numbers that are none."""
    match words:
        case float():
            return words if math.isfinite(words) else None
        case dict():
            return {name: _known(value) for name, value in words.items()}
        case list() | tuple():
            return [_known(value) for value in words]
    return words


def unpack(message: bytes | memoryview) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Return words and arrays of a message; the arrays are views of it.

    Raises
    ------
    ValueError
        It is no message.
    """
    view = memoryview(message)
    if len(view) < 4:
        raise ValueError("a message has at least 4 bytes")
    length = struct.unpack_from("<I", view)[0]
    if length > len(view) - 4:
        raise ValueError(f"a message of {len(view)} bytes says that its words have {length}")
    words = json.loads(bytes(view[4 : 4 + length]))
    if not isinstance(words, dict) or not isinstance(words.get("arrays"), dict):
        raise ValueError("the words of a message are an object with arrays")
    behind = view[4 + length :]
    try:
        return words, {name: _array(behind, *place) for name, place in words.pop("arrays").items()}
    except TypeError as error:
        raise ValueError(f"an array of a message is none: {error}") from error


def _array(behind: memoryview, dtype: str, shape: list[int], at: int) -> NDArray:
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise ValueError("arrays of messages hold numbers")
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.zeros(shape, kind)
    return np.frombuffer(behind, kind, count, at).reshape(shape)
