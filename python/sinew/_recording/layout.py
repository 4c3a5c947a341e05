"""How a row of a recording is laid out: fields, their widths, whose numbers they are."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._types import Model

# Parts of the state: numbers of each element, and the model's size that counts the elements. The first four are what a
# simulation is about; the others are what moves pictures and forces besides. `sinew simulate` records those to
# plastic and history, which nothing else changes in it; a `Recorder` the rest, too, where it is not as the model has it.
STATE = {
    "qpos": (1, "nq"),
    "qvel": (1, "nv"),
    "act": (1, "na"),
    "ctrl": (1, "nu"),
    "mocap_pos": (3, "nmocap"),
    "mocap_quat": (4, "nmocap"),
    "qacc_warmstart": (1, "nv"),
    "plastic": (1, "nplastic"),
    "history": (1, "nhistory"),
    "qfrc_applied": (1, "nv"),
    "xfrc_applied": (6, "nbody"),
    "eq_active": (1, "neq"),
    "userdata": (1, "nuserdata"),
}
# Of these, what a Recorder leaves out where it never differs from the model's own.
SELDOM = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")
# Where a solver starts, and what delays read: no signals that anybody looks for.
HIDDEN = ("qacc_warmstart", "history")

# Numbers of joints by type: free, ball, slide, hinge.
_POSITIONS = (7, 4, 1, 1)
_VELOCITIES = (6, 3, 1, 1)
# Widths that elements of a field in parts can have.
WIDTHS = {
    "qpos": (4, 7),
    "qvel": (3, 6),
    "qacc_warmstart": (3, 6),
    "mocap_pos": (3,),
    "mocap_quat": (4,),
}


def state_width(model: Model, part: str) -> int:
    """How many numbers a model has of a part of the state."""
    each, count = STATE[part]
    return each * int(getattr(model, count))


def _word(name: str | None, index: int) -> str:
    """How a recording calls an element."""
    return name or f"[{index}]"


def control_names(model: Model) -> list[str]:
    """For each control its actuator; of one with several, with its number behind a slash."""
    names = []
    for i in range(int(model.nactuator)):
        name, count = _word(model.actuator(i).name, i), int(model.actuator_ctrlnum[i])
        names += [name] if count == 1 else [f"{name}/{k}" for k in range(count)]
    return names


def element_names(model: Model) -> dict[str, list[str]]:
    """For each number of the state, the joint, activation, actuator, body or equality that it belongs to."""
    joints = [_word(model.joint(j).name, j) for j in range(int(model.njnt))]
    types = [int(kind) for kind in model.jnt_type]
    bodies = [_word(model.body(i).name, i) for i in range(int(model.nbody))]
    placed = {int(k): name for k, name in zip(model.body_mocapid, bodies) if k >= 0}
    mocap = [placed[k] for k in sorted(placed)]
    equalities = [_word(model.equality(i).name, i) for i in range(int(model.neq))]

    def spread(widths: tuple[int, ...]) -> list[str]:
        return [name for name, kind in zip(joints, types) for _ in range(widths[kind])]

    return {
        "qpos": spread(_POSITIONS),
        "qvel": spread(_VELOCITIES),
        "act": [f"[{i}]" for i in range(int(model.na))],
        "ctrl": control_names(model),
        "mocap_pos": [name for name in mocap for _ in range(3)],
        "mocap_quat": [name for name in mocap for _ in range(4)],
        "qacc_warmstart": spread(_VELOCITIES),
        "plastic": [f"[{i}]" for i in range(int(model.nplastic))],
        "history": [f"[{i}]" for i in range(int(model.nhistory))],
        "qfrc_applied": spread(_VELOCITIES),
        "xfrc_applied": [name for name in bodies for _ in range(6)],
        "eq_active": equalities,
        "userdata": [f"[{i}]" for i in range(int(model.nuserdata))],
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
