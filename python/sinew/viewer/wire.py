"""Messages: words as JSON, and arrays behind them; between processes and to pages.

A message is the length of the words in 4 bytes, the lowest first, the words in UTF-8, filled up with blanks to a
multiple of 8 bytes in all, and the arrays, each from a multiple of 8 bytes on. The words are an object whose member
`arrays` has for each name [dtype, shape, first byte behind the words]; dtype is one of NumPy's, as `<f4`.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGN = 8


class Filled:
    """Bytes of an array of a message, which are written where the message stands.

    Parameters
    ----------
    size : int
    fill : callable
        Writes them into a memoryview of that size.
    """

    def __init__(self, size: int, fill: Callable[[memoryview], object]) -> None:
        self._size, self.fill = size, fill

    def __len__(self) -> int:
        return self._size


Part = bytes | memoryview | Filled


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
    return b"".join(parts(words, arrays or {}))  # type: ignore[arg-type]


def parts(words: dict[str, Any], arrays: Mapping[str, NDArray | Filled]) -> list[Part]:
    """Return a message in parts, which are those of `pack` in their order; arrays are not copied."""
    return Packer().parts(words, arrays)


class Packer:
    """Packs messages; where words and sizes are those of the message before, its beginning is that one's."""

    def __init__(self) -> None:
        self._known: tuple[dict[str, Any], dict[str, Any]] = {}, {}
        self._head = b""

    def parts(self, words: dict[str, Any], arrays: Mapping[str, NDArray | Filled]) -> list[Part]:
        """Return a message in parts."""
        places: dict[str, Any] = {}
        out: list[Part] = [b""]
        at = 0
        for name, array in arrays.items():
            raw, *place = _raw(array)
            places[name] = [*place, at]
            out.append(raw)
            at += len(raw)
            if at % ALIGN:
                out.append(bytes(-at % ALIGN))
                at += -at % ALIGN
        if not self._head or self._known != (words, places):
            self._known = dict(words), places
            text = _text({**words, "arrays": places}).encode()
            text += b" " * (-(len(text) + 4) % ALIGN)
            self._head = struct.pack("<I", len(text)) + text
        out[0] = self._head
        return out


def _raw(array: NDArray | Filled) -> tuple[Part, str, list[int]]:
    """Return the bytes of an array, its type and shape."""
    if isinstance(array, Filled):
        return array, "|u1", [len(array)]
    if array.dtype == np.uint8 and array.ndim == 1 and array.flags.c_contiguous:
        return array.data, "|u1", [len(array)]
    kind = array.dtype.newbyteorder("<")
    raw = np.ascontiguousarray(array, kind).reshape(-1).view(np.uint8).data
    return raw, kind.str, list(array.shape)


def _text(words: dict[str, Any]) -> str:
    """Return words as JSON, which has no numbers that are none."""
    try:
        return json.dumps(words, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_known(words), separators=(",", ":"))


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
