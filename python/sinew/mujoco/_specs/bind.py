"""`model.bind(element)` and `data.bind(elements)`: what a compiled model holds for elements of a spec."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ... import _core
from .._release import IS_LATER
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
        if IS_LATER:
            own = name in ("id", "name")
            return [x for view in self._views for x in _items(getattr(view, name), own)]
        return np.concatenate([p.ravel() for p in parts]) if parts else np.zeros(0)

    def __setattr__(self, name: str, value: Any) -> None:
        parts = [getattr(view, name) for view in self._views]
        values, size = np.asarray(value).ravel(), sum(part.size for part in parts)
        if IS_LATER and values.size != size:
            raise ValueError(f"{name} of these elements are {size} numbers, not {values.size}")
        values = np.broadcast_to(values, size)
        at = 0
        for part in parts:
            part[...] = values[at : at + part.size].reshape(part.shape)
            at += part.size


def _items(value: Any, is_plain: bool) -> list[Any]:
    array = np.ravel(value)
    return array.tolist() if is_plain else list(array)


def bind_scalar(holder: Any, spec: Struct) -> Any:
    """The view of an element of a spec in a model or data."""
    kind = type(spec).__name__.removeprefix("Mjs").lower()
    find = getattr(holder, kind, None)
    if not isinstance(spec, Struct) or find is None:
        raise TypeError(f"{type(holder).__name__} has no elements for {spec!r}")
    model = getattr(holder, "model", holder)
    if spec.signature != _core.modelSignature(model):  # type: ignore[attr-defined]
        raise ValueError(_MISMATCH)
    index = spec.id  # type: ignore[attr-defined]
    if IS_LATER and index < 0:
        raise IndexError("Invalid index -1")
    view = find(index) if index >= 0 else None
    if view is None or (spec.name and view.name != spec.name):  # type: ignore[attr-defined]
        raise ValueError(_MISMATCH)
    return view


def bind(holder: Any, specs: Struct | Iterable[Struct]) -> Any:
    """The view of an element of a spec in a model or data, or the views of several."""
    if isinstance(specs, Struct):
        return bind_scalar(holder, specs)
    return Bound([bind_scalar(holder, spec) for spec in specs])
