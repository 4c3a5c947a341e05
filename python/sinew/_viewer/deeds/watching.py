"""What a page watches of a simulation, and the body that it looks at closely."""

from __future__ import annotations

from typing import Any

from ..details import Details
from ..signals import KINDS, MOST, NEEDS_CLOCK, Signals
from .said import Message, Wrong, index

_WATCHES = ("state", "plot")  # choices of signals that a page may have
_SERIALS = 1 << 31


def _choose(session: Any, message: Message) -> None:
    """Select a body by its number; 0: none."""
    session.view.choose(index(message, "body", session.view.world.model.nbody))
    session.tell_view("pert", "perturb")


def _watch(session: Any, message: Message) -> None:
    """Watch signals instead of those before: their kinds and numbers."""
    view, of = session.view, message.get("of")
    if not isinstance(of, str) or of not in _WATCHES:
        raise Wrong(f"watches {of!r}")
    chosen = _chosen(view.world.model, message.get("signals"))
    serial = index(message, "serial", _SERIALS)
    view.watches.pop(of, None)
    if chosen:
        view.watches[of] = Signals(view.world, chosen, serial)
    # also where nothing changes: the page that controlled before may have wanted another
    session.tell({"do": "clock", "on": _times(view)})


def _times(view: Any) -> bool:
    """Return whether a page watches the time that stages take."""
    return any(NEEDS_CLOCK in getattr(watch, "kinds", ()) for watch in view.watches.values())


def _chosen(model: Any, given: Any) -> list[tuple[str, int]]:
    """Return signals of a message."""
    if not isinstance(given, list):
        raise Wrong("signals are a list")
    if len(given) > MOST:
        raise Wrong(f"{len(given)} signals, of at most {MOST}")
    return [_signal(model, signal) for signal in given]


def _signal(model: Any, given: Any) -> tuple[str, int]:
    if not isinstance(given, list) or len(given) != 2:
        raise Wrong(f"a signal is a kind and a number, not {str(given)[:40]}")
    kind, number = given
    known = KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise Wrong(f"there are no signals {str(kind)[:40]!r}")
    return kind, index({kind: number}, kind, known.count(model))


def _details(session: Any, message: Message) -> None:
    """Be told of the selected body, or no more."""
    if message.get("on") is True:
        session.view.watches["details"] = Details(session.view)
    else:
        session.view.watches.pop("details", None)


WATCHING = {"choose": _choose, "watch": _watch, "details": _details}
