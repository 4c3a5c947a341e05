"""A state as a keyframe of MJCF, each number with the fewest digits that read back as the same bits.

`python -m sinew._viewer.keyframes`, begun by `model_xml` alone, writes a model file anew: a process of its own, as a large
model takes a while, and as names of files are written relative to where it runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
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


def _state(data: Any) -> dict[str, list[float]]:
    """Return the parts of a keyframe that a state has."""
    parts = {name: np.ravel(getattr(data, field)).tolist() for name, field in _PARTS.items()}
    return {name: row for name, row in parts.items() if row}


def key_xml(data: Any) -> str:
    """Return the state of a data as an element <key>."""
    words = [f'{name}="{" ".join(map(_digits, row))}"' for name, row in _state(data).items()]
    return f"<key {' '.join(words)}/>"


def _digits(value: float) -> str:
    return repr(value).removesuffix(".0")


def model_xml(path: str, data: Any, name: str) -> str:
    """Return a model file as MJCF with the state of a data as a keyframe more; other files as seen from its folder.

    Raises
    ------
    ValueError, OSError
        The file cannot be read, is of another model by now, or has a keyframe of that name.
    """
    path = os.path.abspath(path)
    sizes = {size: int(getattr(data.model, size)) for size in _SIZES}
    asked = {"path": path, "name": name, "sizes": sizes, "state": _state(data)}
    words = [sys.executable, "-P", "-m", "sinew._viewer.keyframes"]
    folder = os.path.dirname(path)
    done = subprocess.run(
        words, input=json.dumps(asked), capture_output=True, encoding="utf-8", cwd=folder
    )
    if done.returncode:
        raise ValueError(done.stderr.strip() or f"{path} could not be written anew")
    return done.stdout


def file_name(path: str, name: str) -> str:
    """Return how the file is called that `model_xml` makes."""
    plain = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    return f"{os.path.splitext(os.path.basename(path))[0]}_{plain}.xml"


def _written(path: str, name: str, sizes: dict[str, int], state: dict[str, list[float]]) -> str:
    spec = Spec.from_path(path)
    if any(key.name == name for key in spec.elements("key")):
        raise ValueError(f"{path} has a keyframe {name} already: choose another name")
    made = spec.compile()
    if any(getattr(made, size) != number for size, number in sizes.items()):
        raise ValueError(f"{path} is of another model by now: load it again")
    key = spec.section("keyframe").add("key", name)
    for part, row in state.items():
        setattr(key, part, row if part != "time" else row[0])
    return spec.to_xml()


def _main() -> int:
    warnings.simplefilter("ignore")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        sys.stdout.write(_written(**json.load(sys.stdin)))
    except (ValueError, OSError, MemoryError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
