"""One page: what it says, and what it is sent, as fast as it draws."""

from __future__ import annotations

import asyncio
import collections
import json
from collections.abc import Coroutine
from typing import Any

from ..viewer import wire
from ..viewer.handle import OF_NO_MODEL, RATE
from ..viewer.records import words_of
from .deeds import DEEDS, Wrong
from .deeds.dropping import NOTHING, take_piece
from .deeds.keeping import made_film
from .filming import Filming
from .view import View
from .world import World

# most frames that a page has not drawn yet, and bytes of them above which no other follows: several are on a long way, and
# on a narrow one they do not queue
_FLYING, _BYTES = 4, 1 << 17
_PAUSE = 0.75 / RATE  # seconds between two frames at least
_ANSWERS = 16  # most answers that wait; of more the first are left out


class Session:
    """A page that is open.

    Parameters
    ----------
    pages : Pages
        All of them, and the way to the process that simulates.
    socket : ServerConnection
        The page's.
    """

    deeds = DEEDS

    def __init__(self, pages: Any, socket: Any) -> None:
        self.pages, self.socket = pages, socket
        self.view: View | None = None
        self._world: World | None = None
        self._seen = -1
        self._flying: collections.deque[int] = collections.deque()  # bytes of each
        self._shown = b""  # the newest frame
        self.hidden = False
        self.stale = True  # the page sees something else than it has been sent
        self._unlaid: set[str] = set()  # what lies over pictures and has not been sent
        self._work: asyncio.Task[None] | None = None
        self._answers: collections.deque[bytes] = collections.deque(maxlen=_ANSWERS)
        self.news = asyncio.Event()  # there may be something to send
        self.filming: Filming | None = None
        self._film: asyncio.Task[None] | None = None
        self.upload = NOTHING  # of files that are dropped into the page

    # ---- to the page

    async def run(self) -> None:
        """Send frames until the page is closed."""
        loop, due = asyncio.get_running_loop(), 0.0
        while True:
            self.news.clear()
            world = self.world()
            if self._world is not world:
                await self._begin(world)
            while self._unlaid and self.view is not None:
                await self.socket.send(self.pages.laid[self._unlaid.pop()])
            while self._answers:
                await self.socket.send(self._answers.popleft())
            if self._wants():
                if (early := due - loop.time()) > 0:
                    await asyncio.sleep(early)
                    continue
                due = loop.time() + _PAUSE
                await self._send_frame()
            await self.news.wait()

    def world(self) -> World | None:
        """Return what the page looks at, as it is now."""
        return self.pages.world

    async def _begin(self, world: World | None) -> None:
        before, self._world, self.view = self.view, world, None
        self._flying.clear()
        if world is not None:
            self.view = View(world)
            if before is None:
                self.pages.start_view(self.view)
            else:
                self.view.go_on(before, world.keep)
            await self.socket.send(self.pages.introduction(world))
            await self.send_role()
            self.stale, self._shown, self._unlaid = True, b"", set(self.pages.laid)

    def answer(self, kind: str, arrays: dict[str, Any] | None = None, **words: Any) -> None:
        """Send something soon."""
        self._answers.append(wire.pack({"kind": kind, **words}, arrays))
        self.news.set()

    def look(self) -> None:
        """There is a new state."""
        filming = self.filming
        if filming is not None and (filming.world is not self.world() or not filming.take()):
            self.end_film()
        self.news.set()

    def end_film(self) -> None:
        """Give the page the film of what it has seen."""
        filming, self.filming = self.filming, None
        if filming is not None:
            self._film = asyncio.ensure_future(made_film(self, filming))

    def refuse(self, of: str, text: str) -> None:
        """Say why something that the page wants cannot be."""
        self.answer("refused", of=of, text=text)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something that takes a while, unless the last is not done."""
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(work)
        else:
            work.close()

    def lay(self, kind: str) -> None:
        """Send what lies over pictures anew, of a kind; of many in a row the last."""
        self._unlaid.add(kind)
        self.news.set()

    async def send_role(self) -> None:
        """Say whether the page controls."""
        role = "controller" if self.pages.controller is self else "spectator"
        await self.socket.send(wire.pack({"kind": "role", "role": role}))

    def _wants(self) -> bool:
        if self.view is None or self._world is None or self.hidden:
            return False
        if len(self._flying) >= _FLYING or sum(self._flying) > _BYTES:
            return False
        version = self._world.version
        return version > 0 and (self.stale or self._seen != version)  # once there is a state

    async def _send_frame(self) -> None:
        assert self.view is not None and self._world is not None
        self.stale, self._seen = False, self._world.version
        try:
            messages = self.view.messages()
        except Exception as error:  # a camera or shape that the program has set and that cannot be: it is told, and mends it
            messages = [wire.pack({"kind": "trouble", "text": str(error)})]
        if messages == [self._shown]:  # what stands is drawn once
            return
        self._shown = messages[-1]
        for message in messages:
            await self.socket.send(message)
        self._flying.append(sum(map(len, messages)))

    # ---- from the page

    def hear(self, text: str | bytes) -> None:
        """Do what a page says.

        Raises
        ------
        Wrong
            It is nothing that a page of ours says.
        """
        if isinstance(text, bytes):
            self.news.set()
            take_piece(self, text)
            return
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Wrong("no JSON") from error
        deed = self.deeds.get(str(message.get("do"))) if isinstance(message, dict) else None
        if deed is None:
            raise Wrong(f"nothing that pages do: {str(text)[:80]}")
        if message["do"] != "drawn":
            self.stale = True
            self.news.set()
        if self.view is not None and self._is_now(message):
            deed(self, message)

    def _is_now(self, message: dict[str, Any]) -> bool:
        """Return whether a message is about the model that is shown; it may have been on its way when another came."""
        number = self.view.world.number  # type: ignore[union-attr]
        return message.get("model", number) == number or message["do"] in OF_NO_MODEL

    def drawn(self) -> None:
        """A frame was drawn: another one may come."""
        if self._flying:
            self._flying.popleft()
        if self._wants():
            self.news.set()

    # ---- to the process that simulates

    def controls(self) -> bool:
        """Return whether the page controls the simulation."""
        return self.pages.controller is self

    def tell(self, message: dict[str, Any]) -> None:
        """Tell it something, if the page controls it, and looks at its model and at none before that."""
        if not self.controls() or self.view is None:
            return
        if self.view.world is self.world() or message["do"] in OF_NO_MODEL:
            self.pages.tell(message)

    def tell_view(self, name: str, do: str | None = None) -> None:
        """Tell what the page that controls has made of its camera, options or selection."""
        self.tell({"do": do or name, "words": words_of(getattr(self.view, name))})

    def take(self, name: str, words: Any) -> None:
        """Take a camera, options or flags of the picture that the program has set."""
        if self.view is not None:
            self.view.take(name, words)
            self.stale = True
            self.news.set()
