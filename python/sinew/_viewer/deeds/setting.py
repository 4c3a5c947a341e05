"""What pages set in a simulation, and take from it: controls, joints, constraints, options, keyframes."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._enums import JointType  # type: ignore[attr-defined]
from ..keyframes import file_name, key_xml, model_xml
from ..options import check, option_of
from .said import Message, Wrong, index, number

_REACH = 1e10  # the largest control or position
_LARGEST = 1.7e308  # the largest option
_MOST = 10000  # the largest of options that count: a page does not make a step endless
_LONGEST = 100  # characters of a name
_WATCHED = ("ctrl", "act", "qpos", "eq_active")


class Arrays:
    """Arrays of the data as they are now: a Watch.

    Parameters
    ----------
    world : World
    names : sequence of str
    """

    def __init__(self, world: Any, names: Sequence[str]) -> None:
        self._world, self._names = world, names

    def frame(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray]]:
        """Return words and arrays of a frame."""
        data = self._world.data
        return {}, {f"{name}.{n}": np.asarray(getattr(data, n), np.float32) for n in self._names}


def _arrays(session: Any, message: Message) -> None:
    """Send these arrays of the data with each frame, as data.NAME, and no others."""
    of = message.get("of")
    if (
        not isinstance(of, list)
        or len(of) > len(_WATCHED)
        or not all(name in _WATCHED for name in of)
    ):
        raise Wrong(f"watched is {of!r}")
    session.view.watches["data"] = Arrays(session.view.world, tuple(dict.fromkeys(of)))


def _ctrl(session: Any, message: Message) -> None:
    which = index(message, "index", session.view.world.model.nu)
    value = number(message, "value", -_REACH, _REACH)
    session.tell({"do": "ctrl", "index": which, "value": value})


def _zero(session: Any, message: Message) -> None:
    session.tell({"do": "zero"})


def _joint(session: Any, message: Message) -> None:
    model = session.view.world.model
    which = index(message, "index", model.njnt)
    if model.jnt_type[which] not in (JointType.HINGE, JointType.SLIDE):
        raise Wrong(f"joint {which} has more than one coordinate")
    value = number(message, "value", -_REACH, _REACH)
    session.tell({"do": "joint", "index": which, "value": value})


def _equality(session: Any, message: Message) -> None:
    which = index(message, "index", session.view.world.model.neq)
    session.tell({"do": "equality", "index": which, "on": message.get("on") is True})


# ---- options


def _option(session: Any, message: Message) -> None:
    """Set an option, or one of its numbers; one that cannot be so is refused."""
    option = _known(message, lambda kind: kind != "flags")
    name = option["name"]
    at = index(message, "at", option["count"]) if option["count"] > 1 else None
    value = number(message, "value", -_LARGEST, _LARGEST)
    if option["kind"] != "number":
        if value != int(value) or abs(value) > _MOST:
            session.refuse(
                "option",
                f"option {name} is {value:.17g}, must be a whole number of at most {_MOST}",
            )
            return
        value = int(value)
    try:
        check(session.view.world.model.opt, name, at, value)
    except (ValueError, OverflowError) as error:
        session.refuse("option", str(error))
    else:
        session.tell({"do": "option", "name": name, "at": at, "value": value})


def _bit(session: Any, message: Message) -> None:
    """Switch a flag of an option."""
    option = _known(message, lambda kind: kind == "flags")
    bits = option["values"]
    bit = bits[index(message, "index", len(bits))][0]
    session.tell({"do": "bit", "name": option["name"], "bit": bit, "on": message.get("on") is True})


def _known(message: Message, suits: Any) -> dict[str, Any]:
    option = option_of(message.get("name"))
    if option is None or not suits(option["kind"]):
        raise Wrong(f"option {message.get('name')!r}")
    return option


# ---- keyframes


def _copy(session: Any, message: Message) -> None:
    """Give the page the state as text."""
    session.answer("copied", text=key_xml(session.view.world.data))


def _keep(session: Any, message: Message) -> None:
    """Keep the state in one of the model's keyframes."""
    session.tell({"do": "keep", "key": index(message, "key", session.view.world.model.nkey)})


def _write(session: Any, message: Message) -> None:
    """Give the page the model's file with the state as a keyframe more."""
    name = message.get("name")
    if not isinstance(name, str) or len(name) > _LONGEST:
        raise Wrong(f"the name of a keyframe is {str(name)[:80]!r}")
    if not name.strip():
        session.refuse("keyframe", "a keyframe has a name: give it one")
    elif session.pages.source is None:
        session.refuse("keyframe", "nobody told the viewer of a file of this model: copy the state")
    elif session.controls():
        data = copy.copy(session.view.world.data)  # states come into that meanwhile
        session.begin(_written(session, session.pages.source, data, name))


async def _written(session: Any, path: str, data: Any, name: str) -> None:
    """Write the file while pages go on."""
    try:
        text = await asyncio.to_thread(model_xml, path, data, name)
    except (ValueError, OSError, MemoryError) as error:
        session.refuse("keyframe", str(error))
    else:
        session.answer("written", name=file_name(path, name), text=text)


SETTING = {
    "arrays": _arrays,
    "ctrl": _ctrl,
    "zero": _zero,
    "joint": _joint,
    "equality": _equality,
    "option": _option,
    "bit": _bit,
    "copy": _copy,
    "keep": _keep,
    "write": _write,
}
