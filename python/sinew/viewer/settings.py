"""What pages set in a simulation: each a function of model, data and the words of the server, which has checked them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from .._types import Data, Model

Message = dict[str, Any]


def _ctrl(model: Model, data: Data, message: Message) -> None:
    data.ctrl[message["index"]] = message["value"]


def _zero(model: Model, data: Data, message: Message) -> None:
    _core.resetCtrl(model, data)


def _joint(model: Model, data: Data, message: Message) -> None:
    """Put a joint where a page wants it; its velocity stays, as in `simulate`."""
    data.qpos[model.jnt_qposadr[message["index"]]] = message["value"]


def _equality(model: Model, data: Data, message: Message) -> None:
    data.eq_active[message["index"]] = message["on"]


def _option(model: Model, data: Data, message: Message) -> None:
    name, at = message["name"], message["at"]
    if at is None:
        setattr(model.opt, name, message["value"])
    else:
        getattr(model.opt, name)[at] = message["value"]


def _bit(model: Model, data: Data, message: Message) -> None:
    """Switch one flag: the program may have switched others meanwhile."""
    name, bit = message["name"], message["bit"]
    flags = getattr(model.opt, name)
    setattr(model.opt, name, flags | bit if message["on"] else flags & ~bit)


def _keep(model: Model, data: Data, message: Message) -> None:
    """Keep the state in a keyframe of the model."""
    _core.setKeyframe(model, data, message["key"])


SETTINGS: dict[str, Callable[[Model, Data, Message], None]] = {
    "ctrl": _ctrl,
    "zero": _zero,
    "joint": _joint,
    "equality": _equality,
    "option": _option,
    "bit": _bit,
    "keep": _keep,
}


def apply(model: Model, data: Data, message: Message) -> None:
    """Set what a page wants set; what cannot be is left out, and nothing of it happens.

    It may be of a model before this one, or not go with an option that the program has set since it was checked.
    """
    try:
        SETTINGS[message["do"]](model, data, message)
    except (IndexError, ValueError):
        pass
