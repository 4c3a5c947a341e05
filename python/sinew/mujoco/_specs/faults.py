"""What is wrong with a spec, in the form that the peer's programs know."""

from __future__ import annotations

import re
from typing import Any

from ... import _core

_SENTENCE = re.compile(r'<(?P<tag>\w+)(?: name="(?P<name>[^"]*)")?>: (?P<text>.*)')
# What programs look for in errors: our words, theirs.
_PHRASES = [
    (re.compile(pattern), phrase)
    for pattern, phrase in (
        (r"size\[(\d)\] is ", "size {0} must be positive in {kind}"),
        (r"this name is taken", "repeated name '{name}' in {kind}"),
        (r"elevation has \d+ numbers", "elevation data length must match nrow*ncol"),
        (r"cannot read '([^']*)': (.*)", "Error opening file '{0}': {1}"),
        (r"has joints but no mass", "mass and inertia of moving bodies must be larger than mjMINVAL"),
        (r"the pixels are (\d+) bytes, .* are (\d+)",
         "Texture buffer has incorrect size, given {0} expected {1}"),
        (r'\w+="([^"]*)": there is no such (\w+)', "{1} '{0}' not found in {kind}"),
    )
]  # fmt: skip


def explain(spec: Any, error: Exception, element: Any = None) -> Exception:
    """The error of a library call with the element that is to blame, its id and the note in its `info`."""
    if str(error).startswith("Error: ") or isinstance(error, _core.NotSupportedError | MemoryError):
        return error
    whole = str(error)
    found = _SENTENCE.search(whole.removeprefix("<mujoco>: "))
    if found is None:
        return ValueError(f"Error: {whole}" + _place(spec, element))
    element = element or _core.specBlamed(spec._handle)
    kind = spec._kind_word(element) if element is not None else found["tag"]
    lines = [f"Error: {_phrase(found, kind)}"]
    if element is not None:
        lines.append(_place(spec, element).lstrip())
    if not lines[0].endswith(found["text"]):
        lines.append(whole)
    return (
        type(error)("\n".join(lines))
        if isinstance(error, ValueError)
        else ValueError("\n".join(lines))
    )


def _place(spec: Any, element: Any) -> str:
    """Which element it is, on a line of its own."""
    if element is None:
        return ""
    note = spec._infos.get(element)
    name = spec._pending.get(element) or _core.elementGetText(element, "name") or ""
    return f"\nElement name '{name}', id {spec._place(element)}" + (f", {note}" if note else "")


def _phrase(found: re.Match, kind: str) -> str:
    for pattern, phrase in _PHRASES:
        match = pattern.search(found["text"])
        if match:
            return phrase.format(*match.groups(), kind=kind, name=found["name"])
    return found["text"]
