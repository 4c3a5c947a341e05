"""What programs see that walk the attributes of classes, models and data: the peer's members, not Sinew's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _later
from ._names import LATER_MEMBERS, OWN_MEMBERS, OWN_OF_VIEWS, OWN_PREFIXES, PEERS
from ._release import IS_LATER

_HIDDEN = OWN_MEMBERS if IS_LATER else OWN_MEMBERS | LATER_MEMBERS
_SEEN = _later.MEMBERS if IS_LATER else frozenset()
_GONE = _later.GONE_OF if IS_LATER else {}


def gone(cls: type) -> Iterable[str]:
    """Return the names of members that a class had at an older release."""
    return _GONE.get(cls.__name__, ())


def shown(names: Iterable[str], cls: str) -> list[str]:
    """The names without those of Sinew alone: what programs see that walk the attributes of a class."""
    seen, gone = _SEEN | PEERS.get(cls, frozenset()), _GONE.get(cls, ())
    names = [n for n in names if n not in gone]
    return [n for n in names if n in seen or not (n in _HIDDEN or n.startswith(OWN_PREFIXES))]


def shown_of_view(view: object) -> list[str]:
    """`dir` of an element of a model or data: the peer's members, which for a model's tendon have an underscore."""
    names = object.__dir__(view)
    kind = type(view).__name__
    later = set(_later.MEMBERS_OF_VIEWS.get(kind, "").split()) if IS_LATER else set()
    hidden = set(OWN_OF_VIEWS.get(kind, "").split()) - later
    return [
        n for n in names if n in later or not (n in hidden or (n[0] != "_" and "_" + n in names))
    ]


def hide_later(cls: Any, names: str) -> None:
    """Let what walks the attributes of an object of a class not see some."""
    hidden = set(names.split())
    cls.__dir__ = lambda self: [n for n in object.__dir__(self) if n not in hidden]


class Walked(type):
    """The class of MjModel, MjData and MjOption, which lists what the peer's have."""

    def __dir__(cls) -> list[str]:
        return shown(super().__dir__(), cls.__name__)
