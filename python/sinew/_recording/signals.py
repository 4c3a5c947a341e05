"""Signals of a recording: single numbers over time, by names and patterns."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .layout import HIDDEN, runs

if TYPE_CHECKING:
    from .recording import Recording


@dataclass(frozen=True)
class Signal:
    """A number of each row.

    Attributes
    ----------
    field : str
    index : int
        Which number of the field.
    label : str
        ``qpos/knee``, ``qpos/root[2]``, without names ``qpos[7]``; ``sensor/head[2]``.
    """

    field: str
    index: int
    label: str

    def values(self, recording: Recording) -> np.ndarray:
        """[n]; all NaN where it was not recorded."""
        if self.index >= recording.width(self.field):
            return np.full(len(recording), np.nan)
        return recording.fields[self.field][:, self.index]


@dataclass
class _Group:
    """Signals that have names together: a field, a joint's part of it; with `exact` no pattern stands for the name."""

    names: list[str]
    signals: list[Signal] = field(default_factory=list)
    exact: bool = False


def _elements(recording: Recording, name: str) -> list[tuple[str, int, int]]:
    """Element, first number, how many; a field without names is one element, without a name."""
    words = recording.names.get(name)
    return runs(words) if words else [("", 0, recording.width(name))]


def _groups(recording: Recording) -> list[_Group]:
    """Fields, and in each its elements; what is hidden by its whole name alone."""
    found = []
    for name in recording.fields:
        if not recording.width(name):
            continue
        hidden = name in HIDDEN
        whole = _Group([name, name.removeprefix("sensor/")], exact=hidden)
        parts = []
        for element, first, count in _elements(recording, name):
            words = f"{name}/{element}" if element else name
            labels = [words] if count == 1 else [f"{words}[{i}]" for i in range(count)]
            signals = [Signal(name, first + i, label) for i, label in enumerate(labels)]
            if element:
                parts.append(_Group([words] if hidden else [words, element], signals, hidden))
            # as the columns of a .csv are called
            parts += [
                _Group([f"{words}/{i}"], [s], True) for i, s in enumerate(signals) if count > 1
            ]
            whole.signals += signals
        found += [whole, *parts]
    return found


def signals(recordings: Iterable[Recording]) -> list[Signal]:
    """All signals of these recordings, each once."""
    found: dict[tuple[str, int], Signal] = {}
    for recording in recordings:
        for group in _groups(recording):
            for signal in group.signals:
                found.setdefault((signal.field, signal.index), signal)
    return list(found.values())


_SLICE = re.compile(r"(.*)\[(-?\d*)(:)?(-?\d*)\]", re.DOTALL)


def _slice(pattern: str) -> tuple[str, slice] | None:
    """A pattern that ends with [2], [0:3], [:3] or [2:]."""
    match = _SLICE.fullmatch(pattern)
    if not match or (not match[3] and not match[2].strip("-")):
        return None
    first = int(match[2]) if match[2].strip("-") else None
    if match[3]:
        return match[1], slice(first, int(match[4]) if match[4].strip("-") else None)
    return match[1], slice(first, None if first == -1 else (first or 0) + 1)


def _wild(pattern: str) -> re.Pattern[str]:
    """A pattern in which * stands for anything and ? for a character."""
    words = {"*": ".*", "?": "."}
    return re.compile("".join(words.get(c, re.escape(c)) for c in pattern), re.DOTALL)


def _matches(groups: list[_Group], pattern: str) -> list[Signal]:
    """Signals of a pattern: by whole names if it is one, then with numbers in brackets, then with * and ?."""
    found = [s for g in groups if pattern in g.names for s in g.signals]
    found = found or [s for g in groups for s in g.signals if s.label == pattern]
    cut = _slice(pattern)
    if not found and cut:
        found = [s for g in groups if cut[0] in g.names for s in g.signals[cut[1]]]
    for words, numbers in ((pattern, slice(None)), *([cut] if cut else [])):
        if not found and ("*" in words or "?" in words):
            wild = _wild(words)
            fit = [g for g in groups if not g.exact and any(map(wild.fullmatch, g.names))]
            found = [s for g in fit for s in g.signals[numbers]]
    return found


def is_name(recordings: Iterable[Recording], text: str) -> bool:
    """Whether a text is the name of a signal, or of some that belong together."""
    groups = [group for recording in recordings for group in _groups(recording)]
    return any(text in g.names or any(text == s.label for s in g.signals) for g in groups)


def select(recordings: list[Recording], patterns: Iterable[str]) -> list[list[Signal]]:
    """For each pattern its signals, in the order of the recording.

    Raises
    ------
    ValueError
        A pattern fits nothing; the message proposes what is near.
    """
    chosen = []
    for pattern in patterns:
        found: dict[tuple[str, int], Signal] = {}
        for recording in recordings:
            for signal in _matches(_groups(recording), pattern):
                found.setdefault((signal.field, signal.index), signal)
        if not found:
            raise ValueError(_unknown(recordings, pattern))
        chosen.append(list(found.values()))
    return chosen


def _unknown(recordings: list[Recording], pattern: str) -> str:
    names = [name for r in recordings for g in _groups(r) for name in g.names]
    near = difflib.get_close_matches(pattern, names, 1)
    where = recordings[0].path if len(recordings) == 1 else "the recordings"
    hint = f'did you mean "{near[0]}"?' if near else "--list shows the signals that there are"
    return f'no signal "{pattern}" in {where or "the recording"}; {hint}'
