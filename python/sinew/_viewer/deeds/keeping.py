"""What pages keep, and the end of the viewer."""

from __future__ import annotations

import asyncio
import copy
import os
import tempfile
from typing import Any

import numpy as np

from ... import _core
from ..filming import Filming
from .said import Message, Wrong

_PRINTED = {"model": "MJMODEL.TXT", "data": "MJDATA.TXT"}  # as the peer names them


def _print(session: Any, message: Message) -> None:
    """Give the page the model or the data as text."""
    what = message.get("what")
    if not isinstance(what, str) or what not in _PRINTED:
        raise Wrong(f"prints {what!r}")
    session.begin(_printed(session, what))


async def _printed(session: Any, what: str) -> None:
    """Print aside, as a large model takes a while."""
    world = session.view.world
    data = copy.copy(world.data)  # states come into that meanwhile
    text = await asyncio.to_thread(_text, world.model, data, what)
    session.answer("printed", name=_PRINTED[what], text=text)


def _text(model: Any, data: Any, what: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, what)
        if what == "model":
            _core.printModel(model, path, "")
        else:
            _core.printData(model, data, path, "")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()


def _film(session: Any, message: Message) -> None:
    """Begin to film what the page sees, or end it and give the page the film."""
    if message.get("on") is not True:
        session.end_film()
    elif session.filming is None and session.controls():
        session.filming = Filming(session.view.world, session.view)


async def made_film(session: Any, filming: Filming) -> None:
    """Draw a film aside, and give it to its page."""
    try:
        film = await asyncio.to_thread(filming.film)
    except Exception as error:  # no OpenGL, no memory, no disk
        session.refuse("film", f"there is no film: {error}")
    else:
        session.answer("film", {"film": np.frombuffer(film, np.uint8)})


def _quit(session: Any, message: Message) -> None:
    """End the viewer."""
    session.tell({"do": "end"})


KEEPING = {"print": _print, "film": _film, "quit": _quit}
