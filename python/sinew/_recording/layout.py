"""How a row of a recording is laid out: fields, their widths, whose numbers they are."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._types import Model

# Parts of the state, and the model's size that each has.
STATE = {"qpos": "nq", "qvel": "nv", "act": "na", "ctrl": "nu"}

# Numbers of joints by type: free, ball, slide, hinge.
_POSITIONS = (7, 4, 1, 1)
_VELOCITIES = (6, 3, 1, 1)
# Words of the widths that a joint can have.
JOINT_WIDTHS = {"qpos": (4, 7), "qvel": (3, 6)}


def _word(name: str | None, index: int) -> str:
    """How a recording calls an element."""
    return name or f"[{index}]"


def element_names(model: Model) -> dict[str, list[str]]:
    """For each number of the state, the joint, activation or actuator that it belongs to."""
    joints = [_word(model.joint(j).name, j) for j in range(int(model.njnt))]
    types = [int(kind) for kind in model.jnt_type]

    def spread(widths: tuple[int, ...]) -> list[str]:
        return [name for name, kind in zip(joints, types) for _ in range(widths[kind])]

    return {
        "qpos": spread(_POSITIONS),
        "qvel": spread(_VELOCITIES),
        "act": [f"[{i}]" for i in range(int(model.na))],
        "ctrl": [_word(model.actuator(i).name, i) for i in range(int(model.nu))],
    }


def sensor_sizes(model: Model) -> dict[str, int]:
    """Fields of the sensors, and how many numbers each has."""
    return {
        f"sensor/{_word(model.sensor(i).name, i)}": int(model.sensor_dim[i])
        for i in range(int(model.nsensor))
    }


def joint_address(model: Model, name: str) -> tuple[int, int] | str | None:
    """Where a hinge or slide of this name has its number in qpos and qvel; "wide": another type; None: no joint."""
    for j in range(int(model.njnt)):
        if model.joint(j).name != name:
            continue
        if _POSITIONS[int(model.jnt_type[j])] > 1:
            return "wide"
        return int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
    return None


def runs(names: list[str]) -> list[tuple[str, int, int]]:
    """Elements one after another: name, first number, how many numbers."""
    found, first = [], 0
    for name, group in itertools.groupby(names):
        n = len(list(group))
        found.append((name, first, n))
        first += n
    return found
