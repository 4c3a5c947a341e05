"""Where a page looks, and what it is shown: nothing of it changes the simulation."""

from __future__ import annotations

from typing import Any

from ... import _core
from .said import Message, Wrong, index, number

GROUPS = (
    "geomgroup",
    "sitegroup",
    "jointgroup",
    "tendongroup",
    "actuatorgroup",
    "skingroup",
    "flexgroup",
)
CHOICES = {"label": 17, "frame": 8}  # mjtLabel, mjtFrame
TRACKING, FIXED = 1, 2  # mjtCamera


def _drawn(session: Any, message: Message) -> None:
    session.drawn()


def _size(session: Any, message: Message) -> None:
    width, height = (int(number(message, n, 1, 1 << 15)) for n in ("width", "height"))
    session.hidden = message.get("hidden") is True
    session.view.size = width, height
    session.tell({"do": "size", "size": [width, height]})


def _camera(session: Any, message: Message) -> None:
    action = int(number(message, "action", 1, 7))
    way = [number(message, n, -100, 100) for n in ("dx", "dy")]
    session.view.move_camera(action, *way)
    session.tell_view("cam")


def _look(session: Any, message: Message) -> None:
    """Look with a camera of the model, or with the free one."""
    view = session.view
    camera = int(number(message, "camera", -1, view.world.model.ncam - 1))
    view.cam.type, view.cam.fixedcamid = (FIXED, camera) if camera >= 0 else (0, -1)
    if camera < 0:
        _core.mjv_defaultFreeCamera(view.world.model, view.cam)
    session.tell_view("cam")


def _track(session: Any, message: Message) -> None:
    view = session.view
    body = index(message, "body", view.world.model.nbody)
    view.cam.type, view.cam.trackbodyid, view.cam.fixedcamid = TRACKING, body, -1
    session.tell_view("cam")


def _flag(session: Any, message: Message) -> None:
    array = _flags(session.view, message.get("of"))
    array[index(message, "index", len(array))] = bool(message.get("on"))
    if message["of"] == "scene":
        session.tell({"do": "flags", "words": array.tolist()})
    else:
        session.tell_view("opt")


def _flags(view: Any, of: Any) -> Any:
    if of == "scene":
        return view.scene.flags
    if of == "flags" or of in GROUPS:
        return getattr(view.opt, of)
    raise Wrong(f"flags of {of!r}")


def _choice(session: Any, message: Message) -> None:
    of = message.get("of")
    if not isinstance(of, str) or of not in CHOICES:
        raise Wrong(f"a choice of {of!r}")
    setattr(session.view.opt, of, index(message, "value", CHOICES[of]))
    session.tell_view("opt")


def _select(session: Any, message: Message) -> None:
    x, y = (number(message, n, 0, 1) for n in ("x", "y"))
    session.view.select(x, y)
    session.tell_view("pert", "perturb")


def _take(session: Any, message: Message) -> None:
    """Take control."""
    session.pages.hand_over(session)


LOOKING = {
    "drawn": _drawn,
    "size": _size,
    "camera": _camera,
    "look": _look,
    "track": _track,
    "flag": _flag,
    "choice": _choice,
    "select": _select,
    "take": _take,
}
