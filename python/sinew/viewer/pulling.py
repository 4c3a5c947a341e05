"""The pointer that pulls at a body."""

from __future__ import annotations

from .. import _core
from .._core import MjvPerturb
from .._types import Data, Model


def pull(model: Model, data: Data, pert: MjvPerturb) -> None:
    """Let the pointer pull at the selected body, while it does."""
    if pert.active and 0 < pert.select < model.nbody:
        data.xfrc_applied[pert.select] = 0
        _core.mjv_applyPerturbPose(model, data, pert, 0)
        _core.mjv_applyPerturbForce(model, data, pert)


def let_go(model: Model, data: Data, body: int) -> None:
    """Take the force of the pointer from a body."""
    if 0 < body < model.nbody:
        data.xfrc_applied[body] = 0
