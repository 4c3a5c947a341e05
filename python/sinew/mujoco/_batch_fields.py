"""Fields that a batch binds and expands, by name, and what is said of names that are none of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._enums import StateBit
from .._types import Model
from ._enums import ENUMS
from ._lanes import CALLBACKS
from ._native import PARTS
from ._release import IS_LATER, SILENT
from ._shown import gone
from ._structs import MjData, MjModel

STATE = ENUMS["mjtState"]
STAGES = {int(stage) for stage in ENUMS["mjtStage"].__members__.values()}
NONE, ACC = int(ENUMS["mjtStage"].mjSTAGE_NONE), int(ENUMS["mjtStage"].mjSTAGE_ACC)
# Fields of the state by our bits.
INPUTS = {
    "time": StateBit.TIME,
    "qpos": StateBit.QPOS,
    "qvel": StateBit.QVEL,
    "act": StateBit.ACT,
    "history": StateBit.HISTORY,
    "qacc_warmstart": StateBit.WARMSTART,
    "ctrl": StateBit.CTRL,
    "qfrc_applied": StateBit.QFRC_APPLIED,
    "xfrc_applied": StateBit.XFRC_APPLIED,
    "eq_active": StateBit.EQ_ACTIVE,
    "mocap_pos": StateBit.MOCAP_POS,
    "mocap_quat": StateBit.MOCAP_QUAT,
    "userdata": StateBit.USERDATA,
    "plastic": StateBit.PLASTIC,
}
# Numbers of a data that it has by itself, and arrays that are made of others when somebody reads them.
COUNTS = frozenset("ncon ne nf nl nefc".split())
MADE = frozenset(
    """
    M actuator_moment bvh_aabb_dyn bvh_active flexedge_J moment_colind nA nJ nidof nisland plugin plugin_data plugin_state qH qLD solver_fwdinv solver_niter solver_nnz ten_J
    """.split()
) | frozenset(
    """
    body_awake body_awake_ind dof_awake_ind flex_hessian_valid flexedge_hessian flexelem_krot flexvert_conage
    flexvert_hessian flexvert_lambda geom_xquat parent_awake_ind site_xquat tree_awake xiquat
    """.split()
    if IS_LATER
    else ()
)
# Fields of the model that all simulations share: shapes and pictures, and texts.
_SHARED = ("bvh_child", "bvh_depth", "bvh_nodeid", "hfield_", "mesh_", "oct_", "skin_", "tex_")
_TEXTS = frozenset("names paths text_data".split())
# Options whose numbers are Sinew's other ones, and which says how large a state is.
_OTHER_OPTIONS = frozenset(["opt.disableflags", "opt.enableflags"] if IS_LATER else ()) | {
    "opt.contact"
}


def refuse_callbacks() -> None:
    """Refuse a callback in Python: threads would wait for each other."""
    for name in CALLBACKS:
        if _core.getCallback(None, name):
            raise ValueError(
                f"mjcb_{name} is a function in Python, which a batch cannot call; take it away, "
                "or step with mj_step or mujoco.rollout"
            )


# ---- arguments


def checked_ids(ids: ArrayLike | None, nsim: int) -> NDArray[np.int32] | None:
    """Ids, ascending, or a mask, as int32; None for all."""
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.dtype == bool:
        if array.shape != (nsim,):
            raise ValueError(f"ids, as bools, have shape {array.shape}, must be ({nsim},)")
        return None if array.all() else np.flatnonzero(array).astype(np.int32)
    if array.ndim != 1:
        raise ValueError(f"ids have shape {array.shape}, must be (number of simulations,)")
    if not array.size:
        return np.zeros(0, np.int32)
    if array.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers or bools, not {array.dtype}")
    falls = np.flatnonzero(array[1:] <= array[:-1])
    if falls.size:
        first, second = array[falls[0] : falls[0] + 2]
        raise ValueError(f"ids must ascend, each once: got {first} before {second}")
    for end in (array[0], array[-1]):
        if not 0 <= end < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {end}")
    return np.ascontiguousarray(array, np.int32)


def checked_integers(
    value: ArrayLike, shape: tuple[int, ...], low: int, high: int, name: str
) -> NDArray[np.int32]:
    """Integers in [low, high), broadcast to a shape, as int32."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    wrong = array[(array < low) | (array >= high)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{low}, {high}), got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(array, shape), np.int32)


def checked_stage(stage: Any) -> int:
    """A stage of mjtStage, as an int; callbacks in Python are refused, too."""
    refuse_callbacks()
    if int(stage) not in STAGES:
        raise ValueError(f"stage is {stage}, must be of mjtStage")
    return int(stage)


# ---- names


def close(name: str, names: Iterable[str]) -> str:
    """What a name may have meant, in words."""
    found = difflib.get_close_matches(name, sorted(names), n=3)
    return f"; did you mean {', '.join(map(repr, found))}?" if found else ""


def hint(name: str) -> str:
    """Where a name belongs that a batch has not, in words."""
    if name in MODEL_FIELDS:
        return f"; it is a field of the model: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; it is an option: use expand('opt.{name}')"
    if name in DATA_FIELDS:
        return f"; it is a field of the data: use bind({name!r})"
    return close(name, DATA_FIELDS | MODEL_FIELDS)


def not_bound(data: MjData, name: str) -> ValueError:
    """The error for a field that cannot be bound."""
    text = f"{name} is not a field that a batch binds"
    value = None if name in MODEL_FIELDS else getattr(data, name, None)
    if isinstance(value, int):
        counts = sorted(n for n in DATA_FIELDS if isinstance(getattr(data, n), int))
        return ValueError(f"{text}; scalars bind() accepts: {', '.join(counts)}")
    if isinstance(value, np.ndarray):
        return ValueError(f"{text}: it is in the arena, its size changes from step to step")
    return ValueError(text + hint(name))


def not_expanded(model: MjModel, name: str) -> ValueError:
    """The error for a field that cannot be expanded."""
    text = f"{name} is not a field that a batch expands"
    if name not in DATA_FIELDS and isinstance(getattr(model, name, None), np.ndarray):
        return ValueError(f"{text}: it is asset data, which all simulations share")
    return ValueError(text + hint(name))


def is_output(data: MjData, name: str) -> bool:
    """Whether a field of a data has its size from the model, and is computed."""
    value = getattr(data, name, None)
    if isinstance(value, int) or name in MADE or name in vars(_core.PeerData):
        return (name in COUNTS or name in MADE) and isinstance(value, int | np.ndarray)
    return isinstance(value, np.ndarray) and _core.eachBytes(data.model, name, False) is not None


def is_expandable(model: MjModel, name: str) -> bool:
    """Whether a field of a model can be each simulation's own."""
    if name.startswith("opt."):
        return name not in _OTHER_OPTIONS and _core.eachBytes(model, name, True) is not None
    value = getattr(model, name, None)
    if not isinstance(value, np.ndarray) or name in _TEXTS or name.startswith(_SHARED):
        return False
    if name.startswith("flex") and getattr(MjModel, name) != getattr(Model, name, None):
        return not value.size  # made of other fields
    return _core.eachBytes(model, name, True) is not None and value.flags.writeable


def _names() -> tuple[frozenset[str], frozenset[str]]:
    """The fields that a batch binds and expands."""
    model = _core.loadModelText(MjModel, "<mujoco/>", None, False, False, SILENT)
    data = MjData(model)
    tables = _core.tables()
    work = {row[0] for row in tables["data"] if row[4] == "cache"} - {"tree_awake", "body_awake"}
    own = {
        kind: {row[0] for row in tables[kind] if row[0] not in gone(cls)} | set(dir(cls))
        for kind, cls in (("data", MjData), ("model", MjModel))
    }
    options = [f"opt.{row[0]}" for row in tables["option"]]
    return (
        frozenset(INPUTS) | {n for n in own["data"] - work if n[0] != "_" and is_output(data, n)},
        frozenset(n for n in [*own["model"], *options] if n[0] != "_" and is_expandable(model, n)),
    )


DATA_FIELDS, MODEL_FIELDS = _names()
PLACES = {bit: place for place, bit in enumerate(PARTS.values())}
