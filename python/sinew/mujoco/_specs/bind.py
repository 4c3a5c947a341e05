"""`model.bind(element)` and `data.bind(elements)`: what a compiled model holds for elements of a spec."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ... import _core
from .struct import Struct

_MISMATCH = "The mjSpec does not match mjModel. Please recompile the mjSpec."


class Bound:
    """Fields of several elements of one kind, one after the other."""

    __slots__ = ("_views",)

    def __init__(self, views: list[Any]) -> None:
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        parts = [np.atleast_1d(getattr(view, name)) for view in self._views]
        return np.concatenate([p.ravel() for p in parts]) if parts else np.zeros(0)

    def __setattr__(self, name: str, value: Any) -> None:
        parts = [getattr(view, name) for view in self._views]
        values = np.broadcast_to(np.asarray(value).ravel(), sum(p.size for p in parts))
        at = 0
        for part in parts:
            part[...] = values[at : at + part.size].reshape(part.shape)
            at += part.size


def bind(holder: Any, specs: Struct | Iterable[Struct]) -> Any:
    """The view of an element of a spec in a model or data, or the views of several."""
    if not isinstance(specs, Struct):
        return Bound([bind(holder, struct) for struct in specs])
    model = getattr(holder, "model", holder)
    if specs.signature != _core.modelSignature(model):  # type: ignore[attr-defined]
        raise ValueError(_MISMATCH)
    kind = type(specs).__name__.removeprefix("Mjs").lower()
    index = specs.id  # type: ignore[attr-defined]
    view = getattr(holder, kind)(index) if index >= 0 else None
    if view is None or (specs.name and view.name != specs.name):  # type: ignore[attr-defined]
        raise ValueError(_MISMATCH)
    return view
