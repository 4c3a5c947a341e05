"""Which model is shown: files that are dropped into a page, one of several models of them, the same one again.

Files come as a drop (viewer/drops.py): its bytes are announced, and follow in pieces, each of which is answered with how
many have come. This process gathers them in memory and looks at none: the one that compiles does.
"""

from __future__ import annotations

import os
from typing import Any

from ...viewer.block import memory
from ...viewer.drops import MOST_BYTES, MOST_LISTED
from .said import Message, Wrong, number

MOST_DROPPED = 4 + MOST_LISTED + MOST_BYTES
_MOST_NAME = 1000


class Upload:
    """Bytes that a page sends.

    Parameters
    ----------
    size : int
        How many there will be.
    number : int
        By which the page knows it.
    """

    def __init__(self, size: int, number: int = 0) -> None:
        self.size, self.number, self.taken = size, number, 0
        self.descriptor = memory(size) if size else -1

    def take(self, piece: bytes) -> None:
        """Take the next of them; of one that was closed they are passed over.

        Raises
        ------
        Wrong
            There are more than were announced.
        """
        if not piece or self.taken + len(piece) > self.size:
            raise Wrong(f"{len(piece)} bytes behind {self.taken} of {self.size}")
        at = self.taken
        self.taken += len(piece)
        while piece and self.descriptor >= 0:
            count = os.pwrite(self.descriptor, piece, at)
            piece, at = piece[count:], at + count

    def close(self) -> None:
        """Forget them."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


NOTHING = Upload(0)  # where nothing was announced, anything is too much


def _refusal(session: Any) -> str:
    """Return why a page may drop nothing; empty: it may."""
    if "loading" not in session.pages.laid:  # what a viewer says that loads models
        return "a program steps this model: it stays, and nothing can be dropped here"
    if not session.controls():
        return "only the page that controls opens models"
    return ""


def _drop(session: Any, message: Message) -> None:
    """Begin to drop files; none: what was begun is given up."""
    size = int(number(message, "bytes", 0, MOST_DROPPED))
    which = int(number(message, "upload", 0, 1 << 31))
    session.upload.close()
    session.upload = NOTHING
    if size == 0:
        return
    refusal = _refusal(session)
    if refusal:
        session.answer("drop", upload=which, refused=refusal)
        return
    session.upload = Upload(size, which)
    session.answer("drop", upload=which, taken=0)


def take_piece(session: Any, piece: bytes) -> None:
    """Take the next bytes of files that a page drops; errors as of `Upload.take`."""
    upload = session.upload
    upload.take(piece)
    if upload.descriptor < 0:
        return
    refusal = _refusal(session)
    if refusal:  # control was handed over
        upload.close()
        session.answer("drop", upload=upload.number, refused=refusal)
        return
    session.answer("drop", upload=upload.number, taken=upload.taken)
    if upload.taken == upload.size:
        session.pages.give({"do": "drop"}, (upload.descriptor,))
        upload.close()
        session.upload = NOTHING


def _open(session: Any, message: Message) -> None:
    """Choose a model of a drop that has several; empty: none of them."""
    name = message.get("name")
    if not isinstance(name, str) or len(name) > _MOST_NAME:
        raise Wrong(f"a model {str(name)[:80]!r}")
    if not _refusal(session):
        session.pages.give({"do": "open", "name": name})


def _reload(session: Any, message: Message) -> None:
    """Load the model again, and reset it."""
    if not _refusal(session):
        session.pages.give({"do": "reload"})


DROPPING = {"drop": _drop, "open": _open, "reload": _reload}
