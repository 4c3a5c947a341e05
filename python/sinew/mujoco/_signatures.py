"""Docstrings of functions that are written in Python: they begin with the signature, as those of the extension."""

from __future__ import annotations

import inspect
import types
from typing import Any

_TYPES = {"Model": "MjModel", "Data": "MjData", "_Array": "ndarray", "": "object"}


def _type(annotation: Any) -> str:
    words = "" if annotation is inspect.Parameter.empty else str(annotation)
    return " | ".join(_TYPES.get(word, word) for word in words.split(" | "))


def describe(name: str, function: Any) -> None:
    """Put `name(m: MjModel, ...) -> None` before the docstring of a function; leave what is none."""
    if not isinstance(function, types.FunctionType):
        return
    signature = inspect.signature(function)
    parts = []
    for parameter in signature.parameters.values():
        default = parameter.default
        initial = "" if default is inspect.Parameter.empty else f" = {default!r}"
        parts.append(f"{parameter.name}: {_type(parameter.annotation)}{initial}")
    result = signature.return_annotation
    line = f"{name}({', '.join(parts)}) -> {'None' if result is inspect.Signature.empty else _type(result)}"
    if not (function.__doc__ or "").startswith(f"{name}("):
        function.__doc__ = f"{line}\n\n{function.__doc__ or ''}"
