"""What the page that controls does to the simulation; another page's words do nothing."""

from __future__ import annotations

from typing import Any

from ...viewer.history import MOST_STATES
from .said import Message, index, number


def _pull(session: Any, message: Message) -> None:
    """Begin to pull (1) or to turn (2), go on with a way of the pointer, end (0)."""
    if not session.controls():
        return
    view, bits = session.view, index(message, "bits", 3)
    if bits == 0:
        view.let_go()
    else:
        view.begin_pull(bits)
        if "dx" in message:
            way = [number(message, n, -100, 100) for n in ("dx", "dy")]
            view.pull(int(number(message, "action", 1, 7)), *way)
    session.tell_view("pert", "perturb")


def _key(session: Any, message: Message) -> None:
    session.tell({"do": "key", "key": index(message, "key", 1 << 16)})


def _run(session: Any, message: Message) -> None:
    session.tell({"do": "run", "on": message.get("on") is True})


def _simulate(session: Any, message: Message) -> None:
    """Simulate on from the state that is played."""
    session.tell({"do": "simulate"})


def _step(session: Any, message: Message) -> None:
    session.tell({"do": "step", "steps": int(number(message, "steps", 1, 1000))})


def _back(session: Any, message: Message) -> None:
    session.tell({"do": "back"})


def _history(session: Any, message: Message) -> None:
    session.tell({"do": "history", "at": int(number(message, "at", -MOST_STATES, 0))})


def _noise(session: Any, message: Message) -> None:
    std, rate = (number(message, name, 0, 1e6) for name in ("std", "rate"))
    session.tell({"do": "noise", "std": std, "rate": rate})


def _reset(session: Any, message: Message) -> None:
    keys = session.view.world.model.nkey
    session.tell({"do": "reset", "key": int(number(message, "key", -1, keys - 1))})


def _speed(session: Any, message: Message) -> None:
    session.tell({"do": "speed", "percent": number(message, "percent", 0.01, 10000)})


def _faster(session: Any, message: Message) -> None:
    """Be faster, or slower, by tenths of a factor of ten."""
    session.tell({"do": "faster", "by": int(number(message, "by", -100, 100))})


RUNNING = {
    "pull": _pull,
    "key": _key,
    "run": _run,
    "simulate": _simulate,
    "step": _step,
    "back": _back,
    "history": _history,
    "noise": _noise,
    "reset": _reset,
    "speed": _speed,
    "faster": _faster,
}
