"""What further pictures of a page do: they show what the page's own picture shows, and that may take over from them."""

from __future__ import annotations

from typing import Any

from ... import _core
from ..._enums import ObjType  # type: ignore[attr-defined]
from .looking import CHOICES, FIXED, GROUPS, LOOKING, TRACKING
from .said import Message, Wrong, index, number

_FAR = 1e300
_MOST = 1 << 31  # objects of a model
_FREE = 0  # mjtCamera


def _namesake(kind: Any, index: int, of: Any, to: Any) -> int:
    """Return which body or camera of a model is called as one of another; of those without a name the same one.

    -1: there is none, in either; a page that has an older model yet may speak of it.
    """
    size = "nbody" if kind == ObjType.BODY else "ncam"
    if not 0 <= index < getattr(of, size):
        return -1
    name = _core.id2name(of, kind, index)
    if of is to:
        return index
    if name is not None:
        return _core.name2id(to, kind, name)
    there = index < getattr(to, size) and _core.id2name(to, kind, index) is None
    return index if there else -1


def _numbers(message: Message, name: str, count: int) -> list[float]:
    """Return a list of finite numbers of a message."""
    given = message.get(name)
    if not isinstance(given, list) or len(given) != count:
        raise Wrong(f"{name} is {str(given)[:80]}, of {count} numbers")
    return [number({name: value}, name, -_FAR, _FAR) for value in given]


def _part(message: Message, name: str) -> Message:
    part = message.get(name)
    if not isinstance(part, dict):
        raise Wrong(f"{name} is {str(part)[:80]}")
    return part


def _follow(session: Any, message: Message) -> None:
    """Show what the page's own picture shows: flags, groups, labels, the selected body, and from where it looks."""
    view, model = session.view, session.pages.world.model
    opt = _part(message, "opt")
    arrays = {
        name: _numbers(opt, name, len(getattr(view.opt, name))) for name in ("flags", *GROUPS)
    }
    choices = {name: index(opt, name, count) for name, count in CHOICES.items()}
    flags = _numbers(message, "flags", len(view.scene.flags))
    select = index(message, "select", _MOST)
    if session.has_own_camera and "cam" in message:
        _look(view, model, _part(message, "cam"))
    for name, values in arrays.items():
        getattr(view.opt, name)[:] = [value != 0 for value in values]
    for name, value in choices.items():
        setattr(view.opt, name, value)
    view.scene.flags[:] = [value != 0 for value in flags]
    _select(view, _namesake(ObjType.BODY, select, model, view.world.model))


def _look(view: Any, model: Any, words: Message) -> None:
    """Look from where another picture looks: with a camera, or at a body, of the same name; without one freely."""
    cam, own = view.cam, view.world.model
    kind = index(words, "type", FIXED + 1)
    followed, fixed = (int(number(words, n, -1, _MOST)) for n in ("trackbodyid", "fixedcamid"))
    lookat = _numbers(words, "lookat", 3)
    rest = {n: number(words, n, -_FAR, _FAR) for n in ("distance", "azimuth", "elevation")}
    cam.trackbodyid = _namesake(ObjType.BODY, followed, model, own)
    cam.fixedcamid = _namesake(ObjType.CAMERA, fixed, model, own)
    there = {TRACKING: cam.trackbodyid, FIXED: cam.fixedcamid}
    cam.type = kind if there.get(kind, 0) >= 0 else _FREE
    cam.orthographic = words.get("orthographic") == 1
    cam.lookat[:] = lookat
    for name, value in rest.items():
        setattr(cam, name, value)


def _select(view: Any, body: int) -> None:
    """Select a body, -1: none; where it is selected, the point of it stays."""
    if max(body, 0) != view.pert.select:
        view.choose(max(body, 0))


def _chosen(session: Any, message: Message) -> None:
    """Select the body that was selected in a further picture, of the world of its number."""
    other = session.pages.world_of(index(message, "world", 1 << 16))
    if other is not None:
        body = index(message, "body", _MOST)
        own = session.view.world.model
        _select(session.view, _namesake(ObjType.BODY, body, other.model, own))
        session.tell_view("pert", "perturb")


# what a further picture does, and what that leads to in the page's own
FOLLOWING = {**{name: LOOKING[name] for name in ("drawn", "size", "select")}, "follow": _follow}
LEADING = {"chosen": _chosen}
