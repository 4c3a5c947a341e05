"""Dictionaries of infos as gymnasium's vector environments give them.

A value stands in an array with a row for each environment, zeros where it has none, and beside it, under the name
with "_" before it, a mask says which have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Index = slice | np.ndarray


def add(infos: dict[str, Any], values: Mapping[str, Any], ids: Index, n: int) -> None:
    """Write values [k, ...] of environments ids [k] of n into infos, in place."""
    for key, value in values.items():
        mask = infos.get(f"_{key}")
        if mask is None:
            mask = infos[f"_{key}"] = np.zeros(n, np.bool_)
        if isinstance(value, Mapping):
            add(infos.setdefault(key, {}), value, ids, n)
        else:
            value = np.asarray(value)
            if key not in infos:
                infos[key] = np.zeros((n, *value.shape[1:]), value.dtype)
            infos[key][ids] = value
        mask[ids] = True


def rows(values: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The values as arrays [count, ...]; an error names one that is none."""
    if not isinstance(values, Mapping):
        raise TypeError(f"infos are a {type(values).__name__}, must be a dictionary of arrays")
    result = {}
    for key, value in values.items():
        result[key] = value = (
            rows(value, count) if isinstance(value, Mapping) else np.asarray(value)
        )
        if isinstance(value, np.ndarray) and value.shape[:1] != (count,):
            raise ValueError(
                f"the info {key!r} has the shape {value.shape}, must be ({count}, ...): a row for each simulation"
            )
    return result


def take(values: Mapping[str, Any], which: np.ndarray) -> dict[str, Any]:
    """Some rows of values [k, ...]: a mask or positions."""
    return {
        key: take(value, which) if isinstance(value, Mapping) else np.asarray(value)[which]
        for key, value in values.items()
    }


def separate(infos: Mapping[str, Any], n: int) -> list[dict[str, Any]]:
    """What each of n environments alone would have said."""
    said: list[dict[str, Any]] = [{} for _ in range(n)]
    for key, values in infos.items():
        if key.startswith("_"):
            continue
        if isinstance(values, Mapping):
            rows = separate(values, n)
        else:
            rows = values.tolist() if values.ndim == 1 else values
        for one, value, there in zip(said, rows, infos[f"_{key}"].tolist(), strict=True):
            if there:
                one[key] = value
    return said
