"""A state as a keyframe of MJCF, each number with the fewest digits that read back as the same bits."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .._spec import Spec

_PARTS = {
    "time": "time",
    "qpos": "qpos",
    "qvel": "qvel",
    "act": "act",
    "ctrl": "ctrl",
    "mpos": "mocap_pos",
    "mquat": "mocap_quat",
}
_SIZES = ("nq", "nv", "na", "nu", "nmocap")


def key_xml(data: Any) -> str:
    """Return the state of a data as an element <key>."""
    parts = {name: np.ravel(getattr(data, field)).tolist() for name, field in _PARTS.items()}
    words = [f'{name}="{" ".join(map(repr, row))}"' for name, row in parts.items() if row]
    return f"<key {' '.join(words)}/>"


def model_xml(path: str, data: Any, name: str) -> str:
    """Return a model file as MJCF with the state of a data as a keyframe more.

    Raises
    ------
    ValueError, OSError
        The file cannot be read, is of another model by now, or has a keyframe of that name.
    """
    spec = Spec.from_path(path)
    if any(key.name == name for key in spec.elements("key")):
        raise ValueError(f"{path} has a keyframe {name} already: choose another name")
    made = spec.compile()
    if any(getattr(made, size) != getattr(data.model, size) for size in _SIZES):
        raise ValueError(f"{path} is of another model by now: load it again")
    key = spec.section("keyframe").add("key", name)
    for part, field in _PARTS.items():
        row = np.ravel(getattr(data, field))
        if row.size:
            setattr(key, part, row if part != "time" else float(row[0]))
    return spec.to_xml()


def file_name(path: str, name: str) -> str:
    """Return how the file is called that `model_xml` makes."""
    plain = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    return f"{os.path.splitext(os.path.basename(path))[0]}_{plain}.xml"
