"""What the page that controls plays of a recording; where nothing is played, it does nothing."""

from __future__ import annotations

from typing import Any

from .said import Message, index, number

_ROWS = 1 << 53
_LONGEST = 1e300  # seconds


def _seek(session: Any, message: Message) -> None:
    """Go to a time, or to a row."""
    if "row" in message:
        session.tell({"do": "seek", "row": index(message, "row", _ROWS)})
    else:
        session.tell({"do": "seek", "time": number(message, "time", -_LONGEST, _LONGEST)})


def _rows(session: Any, message: Message) -> None:
    """Go to the next row (1), or to the one before (-1)."""
    session.tell({"do": "rows", "by": number(message, "by", -1, 1)})


def _loop(session: Any, message: Message) -> None:
    session.tell({"do": "loop", "on": message.get("on") is True})


PLAYING = {"seek": _seek, "rows": _rows, "loop": _loop}
