"""All pages of a viewer, who of them controls, and the HTTP server that they come from."""

from __future__ import annotations

import asyncio
import http
import threading
import urllib.parse
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from ..viewer import wire
from ..viewer.block import read_once
from ..viewer.handle import RATE
from ..viewer.link import Link
from .admission import Gate, Refused
from .deeds import Wrong
from .describe import describe
from .files import page_file
from .filming import is_there
from .further import Further, asked_for
from .objects import objects
from .session import Session
from .view import View
from .world import World

_MOST_SAID = 1 << 16  # bytes of a message of a page
# seconds until a state is looked for again that is not there yet, twice as long each time; and by which one is looked for
# before it is due, so that it is found soon after it has come
_SOON, _EARLY = 0.002, 0.0003
_MOST_PAGES = 32
_IN_A_ROW = 32  # messages of a page after which it waits for as long as a picture takes
_MOST_FURTHER = 64  # further pictures of all of them
# how a socket ends whose page was closed or left; where a connection is lost nobody says so
_CLOSED = CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY
_COMES_BACK = 5.0  # seconds in which a page that is loaded again does so
_FILES = {"": ("index.html", "text/html; charset=utf-8"), "page.js": ("page.js", "text/javascript")}
# nothing from elsewhere, no script in the text of the page
_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'"


class Pages:
    """The pages of a viewer.

    Parameters
    ----------
    link : Link
        To the process that simulates.
    gate : Gate

    Attributes
    ----------
    world : World or None
        What they look at; None before there is something.
    controller : Session or None
        The page that controls.
    source : str or None
        File that the model is of, where it is known.
    laid : dict
        What lies over all pictures: messages by their kinds.
    """

    def __init__(self, link: Link, gate: Gate) -> None:
        self._link, self._gate = link, gate
        self.world: World | None = None
        self.controller: Session | None = None
        self.source: str | None = None
        self._sessions: list[Session] = []
        self._beside: dict[int, World] = {}  # further models, by their numbers
        self._further: list[Further] = []
        self._views: dict[str, Any] = {}
        self._panels = [True, True]  # left and right: whether a page begins with them
        self._ended = asyncio.Event()
        self.laid: dict[str, bytes] = {}

    # ---- with the process that simulates

    def tell(self, message: dict[str, Any]) -> None:
        """Tell it something about the model that pages look at."""
        number = {} if self.world is None else {"model": self.world.number}
        self._link.send({**message, **number})

    def give(self, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        """Tell it something that is about no model, and give it files."""
        self._link.send(message, descriptors)

    async def serve(self, host: str, port: int) -> None:
        """Serve until it ends."""
        async with serve(
            self._page, host, port, process_request=self._request, max_size=_MOST_SAID,
            compression=None, server_header=None, ping_interval=20, ping_timeout=20,
        ) as server:  # fmt: skip
            bound = next(iter(server.sockets)).getsockname()[1]
            shown = f"[{host}]" if ":" in host else host
            self.give({"address": f"http://{shown}:{bound}/?token={self._gate.token}"})
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._listen, args=(loop,), daemon=True).start()
            looking = asyncio.create_task(self._look())
            await self._ended.wait()
            looking.cancel()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        while (said := self._link.receive()) is not None:
            loop.call_soon_threadsafe(self._hear, *said)
        loop.call_soon_threadsafe(self._ended.set)

    def _hear(self, message: dict[str, Any], descriptors: list[int]) -> None:
        self._wake()
        match message["do"]:
            case "model":
                before = self.world
                self.world = World(*descriptors, message["number"], message["keep"])
                self._views = {name: message[name] for name in ("cam", "opt", "flags")}
                self._panels = message["panels"]
                self.source = message["source"]
                if before is not None:
                    before.close()
            case "beside":
                self._beside[message["world"]] = World(*descriptors, message["number"])
            case "alone":
                for world in self._beside.values():
                    world.close()
                self._beside.clear()
            case "asset":
                assert self.world is not None  # a model comes first
                self.world.take_asset(message["kind"], message["index"], *descriptors)
            case "lay":
                self.laid[message["kind"]] = read_once(*descriptors)
                for session in self._sessions:
                    session.lay(message["kind"])
            case "cam" | "opt" | "flags" as name:
                self._views[name] = message["words"]
                if self.controller is not None:
                    self.controller.take(name, message["words"])

    async def _look(self) -> None:
        """Take states as they come: mostly at even times, so that the next is looked for when it is due."""
        loop, pause = asyncio.get_running_loop(), _SOON
        due = loop.time()
        while True:
            worlds = [w for w in (self.world, *self._beside.values()) if w is not None]
            if any([world.look() for world in worlds]):
                for session in (*self._sessions, *self._further):
                    session.look()
                pause, due = _SOON, due + 1 / RATE - _EARLY
            else:
                pause, due = min(2 * pause, 0.5 / RATE), due + pause
            due = max(due, loop.time() - 1 / RATE)  # what comes late is made up for, but not long
            await asyncio.sleep(due - loop.time())

    def _wake(self) -> None:
        """Let all pages see whether there is something new."""
        for session in (*self._sessions, *self._further):
            session.news.set()

    # ---- with pages

    def start_view(self, view: View) -> None:
        """Let a new page see what the program has set."""
        for name, words in self._views.items():
            view.take(name, words)

    def introduction(self, world: World) -> bytes:
        """Return the message with what a page wants to know of a model."""
        words = {
            "kind": "model",
            "number": world.number,
            "source": self.source is not None,
            "panels": self._panels,
            "films": is_there(),
        }
        return wire.pack({**words, **describe(world.model)}, objects(world.model))

    def world_of(self, number: int) -> World | None:
        """Return a model by its number, None where there is none: 0 is that which pages look at, others are beside it."""
        return self._beside.get(number) if number else self.world

    def hand_over(self, session: Session) -> None:
        """Let a page control."""
        before, self.controller = self.controller, session
        for page in (before, session):
            if page is not None:
                asyncio.ensure_future(page.send_role())

    async def _page(self, socket: ServerConnection) -> None:
        """Talk with a page, or with a further picture of one, until it is closed."""
        assert socket.request is not None
        further = asked_for(urllib.parse.urlsplit(socket.request.path).query)
        if further is not None:
            await self._show_further(Further(self, socket, **further))
            return
        session = Session(self, socket)
        self._sessions.append(session)
        if self.controller is None:
            self.controller = session
        try:
            await self._talk(session)
        finally:
            self._leave(session)

    async def _show_further(self, further: Further) -> None:
        self._further.append(further)
        try:
            await self._talk(further)
        finally:
            self._further.remove(further)

    async def _talk(self, session: Session) -> None:
        socket = session.socket
        sending = asyncio.create_task(session.run())
        heard = 0
        try:
            async for text in socket:
                session.hear(text)
                heard += 1
                if heard % _IN_A_ROW == 0:  # others have their turn, whoever shouts
                    await asyncio.sleep(1 / RATE)
        except Wrong as wrong:
            await socket.close(1008, str(wrong)[:120])
        except ConnectionClosed:
            pass
        finally:
            sending.cancel()

    def _leave(self, session: Session) -> None:
        """A page is closed: what it holds is let go, and another one controls."""
        if self.controller is session and session.view is not None:
            session.hear('{"do": "pull", "bits": 0}')
            session.hear('{"do": "watch", "of": "plot", "signals": [], "serial": 0}')
        session.upload.close()
        self._sessions.remove(session)
        if self.controller is session:
            self.controller = None
            if self._sessions:
                self.hand_over(self._sessions[0])
        if session.socket.close_code in _CLOSED:
            asyncio.get_running_loop().call_later(_COMES_BACK, self._end_without_pages)

    def _end_without_pages(self) -> None:
        """The last page was closed, and none has come since: so is the viewer."""
        if not self._sessions:
            self.give({"do": "end"})

    # ---- HTTP

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        try:
            return self._answer(request)
        except Refused as refused:
            return _response(http.HTTPStatus.FORBIDDEN, f"{refused}\n".encode(), "text/plain")

    def _answer(self, request: Request) -> Response | None:
        path, _, query = request.path.partition("?")
        host = request.headers.get("Host")
        self._gate.check_host(host)
        assert host is not None
        known = self._gate.remembers(request.headers.get("Cookie"))
        name = urllib.parse.unquote(path).rpartition("/")[2]
        first = name != "socket" and self._gate.knows(query)
        if not known and not first:
            raise Refused("open the address that the program has printed: it holds a token")
        if name == "socket":
            self._gate.check_origin(request.headers.get("Origin"), host)
            self._check_room(asked_for(query) is not None)
            return None
        if name not in _FILES:
            return _response(http.HTTPStatus.NOT_FOUND, b"there is no such page\n", "text/plain")
        file, kind = _FILES[name]
        more = [("Set-Cookie", self._gate.set_cookie())] if first else []
        return _response(http.HTTPStatus.OK, page_file(file), kind, more)

    def _check_room(self, further: bool) -> None:
        """Refuse what would be too many."""
        if further and len(self._further) >= _MOST_FURTHER:
            raise Refused(f"{_MOST_FURTHER} further pictures are open; close one")
        if not further and len(self._sessions) >= _MOST_PAGES:
            raise Refused(f"{_MOST_PAGES} pages are open; close one")


def _response(
    status: http.HTTPStatus, body: bytes, kind: str, more: list[tuple[str, str]] | None = None
) -> Response:
    headers = Headers(
        [
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", _POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
            ("Connection", "close"),
            *(more or []),
        ]
    )
    return Response(status.value, status.phrase, headers, body)
