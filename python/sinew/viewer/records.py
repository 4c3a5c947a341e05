"""Structs of views as words of messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def words_of(record: Any, without: Sequence[str] = ()) -> dict[str, Any]:
    """Return the members of a struct (MjvCamera, MjvOption, ...) as JSON can say them, but for some."""
    members = record.__reduce__()[2]
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in members.items()
        if name not in without
    }


def take_words(record: Any, words: dict[str, Any]) -> None:
    """Set members of a struct from words; what it has no member for is left out."""
    members = record.__reduce__()[2]
    for name, value in words.items():
        if isinstance(members.get(name), np.ndarray):
            getattr(record, name)[...] = value
        elif name in members:
            setattr(record, name, value)


def merge_words(record: Any, words: dict[str, Any], before: Any) -> None:
    """Set what words change of `before`, number by number; what the struct has of its own besides stays.

    Parameters
    ----------
    record, before : struct
        As it is here, and as both sides had it last.
    words : dict
        As it is on the other side.
    """
    known = words_of(before)
    for name, value in words.items():
        if name not in known or value == known[name]:
            continue
        if isinstance(value, list):
            array, changed = getattr(record, name), np.asarray(value) != known[name]
            array[changed] = np.asarray(value, array.dtype)[changed]
        else:
            setattr(record, name, value)
