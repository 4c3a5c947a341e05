"""One page: what it says, and what it is sent, as fast as it draws."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

from .. import _core
from ..viewer import wire
from ..viewer.handle import RATE
from ..viewer.records import take_words, words_of
from .view import View
from .world import World

_FLYING = 2  # most frames that a page has not drawn yet


class Wrong(ValueError):
    """A page said what none of ours says."""


def _number(message: dict[str, Any], name: str, low: float, high: float) -> float:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Wrong(f"{name} is {value!r}")
    if not low <= value <= high:
        raise Wrong(f"{name} is {value!r}, from {low} to {high}")
    return value


def _index(message: dict[str, Any], name: str, count: int) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise Wrong(f"{name} is {value!r}, of {count}")
    return value


class Session:
    """A page that is open.

    Parameters
    ----------
    pages : Pages
        All of them, and the way to the process that simulates.
    socket : ServerConnection
        The page's.
    """

    def __init__(self, pages: Any, socket: Any) -> None:
        self.pages, self.socket = pages, socket
        self.view: View | None = None
        self._world: World | None = None
        self._seen = -1
        self._flying = 0
        self._hidden = False
        self.stale = True  # the page sees something else than it has been sent
        self._aspect = 4 / 3
        self._unlaid: set[str] = set()  # what lies over pictures and has not been sent

    # ---- to the page

    async def run(self) -> None:
        """Send frames until the page is closed."""
        while True:
            if self._world is not self.pages.world:
                await self._begin(self.pages.world)
            while self._unlaid and self.view is not None:
                await self.socket.send(self.pages.laid[self._unlaid.pop()])
            if self._wants():
                await self._send_frame()
            await asyncio.sleep(1 / RATE)

    async def _begin(self, world: World | None) -> None:
        self._world, self.view, self._flying = world, None, 0
        if world is not None:
            self.view = View(world)
            self.pages.start_view(self.view)
            await self.socket.send(wire.pack(self.pages.introduction(world)))
            await self.send_role()
            self.stale, self._unlaid = True, set(self.pages.laid)

    def lay(self, kind: str) -> None:
        """Send what lies over pictures anew, of a kind; of many in a row the last."""
        self._unlaid.add(kind)

    async def send_role(self) -> None:
        """Say whether the page controls."""
        role = "controller" if self.pages.controller is self else "spectator"
        await self.socket.send(wire.pack({"kind": "role", "role": role}))

    def _wants(self) -> bool:
        if self.view is None or self._hidden or self._flying >= _FLYING:
            return False
        return self.stale or self._seen != self._world.version  # type: ignore[union-attr]

    async def _send_frame(self) -> None:
        assert self.view is not None and self._world is not None
        self.stale, self._seen = False, self._world.version
        try:
            messages = self.view.messages()
        except Exception as error:  # a camera or shape that the program has set and that cannot be: it is told, and mends it
            messages = [wire.pack({"kind": "trouble", "text": str(error)})]
        for message in messages:
            await self.socket.send(message)
        self._flying += 1

    # ---- from the page

    def hear(self, text: str | bytes) -> None:
        """Do what a page says.

        Raises
        ------
        Wrong
            It is nothing that a page of ours says.
        """
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Wrong("no JSON") from error
        deed = (
            getattr(self, f"_on_{message.get('do')}", None) if isinstance(message, dict) else None
        )
        if deed is None:
            raise Wrong(f"nothing that pages do: {str(text)[:80]}")
        if deed is not self._on_drawn:
            self.stale = True
        if self.view is not None:
            deed(message)

    def _on_drawn(self, message: dict[str, Any]) -> None:
        self._flying = max(0, self._flying - 1)

    def _on_size(self, message: dict[str, Any]) -> None:
        width, height = (int(_number(message, n, 1, 1 << 15)) for n in ("width", "height"))
        self._hidden = message.get("hidden") is True
        self._aspect = width / height
        self.view.size = width, height  # type: ignore[union-attr]
        self._tell({"do": "size", "size": [width, height]})

    def _on_camera(self, message: dict[str, Any]) -> None:
        action = int(_number(message, "action", 1, 7))
        way = [_number(message, n, -100, 100) for n in ("dx", "dy")]
        self.view.move_camera(action, *way)  # type: ignore[union-attr]
        self._tell_view("cam")

    def _on_look(self, message: dict[str, Any]) -> None:
        """Look with a camera of the model, or with the free one."""
        view = self.view
        count = view.world.model.ncam
        number = int(_number(message, "camera", -1, count - 1))
        view.cam.type, view.cam.fixedcamid = (2, number) if number >= 0 else (0, -1)
        if number < 0:
            _core.mjv_defaultFreeCamera(view.world.model, view.cam)
        self._tell_view("cam")

    def _on_track(self, message: dict[str, Any]) -> None:
        view = self.view
        body = _index(message, "body", view.world.model.nbody)
        view.cam.type, view.cam.trackbodyid, view.cam.fixedcamid = 1, body, -1
        self._tell_view("cam")

    def _on_flag(self, message: dict[str, Any]) -> None:
        array = self._flags(message.get("of"))
        array[_index(message, "index", len(array))] = bool(message.get("on"))
        self._tell_view("opt")

    def _flags(self, of: Any) -> Any:
        view = self.view
        if of == "scene":
            return view.scene.flags
        if of in (
            "flags",
            "geomgroup",
            "sitegroup",
            "jointgroup",
            "tendongroup",
            "actuatorgroup",
            "skingroup",
        ):
            return getattr(view.opt, of)
        raise Wrong(f"flags of {of!r}")

    def _on_choice(self, message: dict[str, Any]) -> None:
        of = message.get("of")
        if of not in ("label", "frame"):
            raise Wrong(f"a choice of {of!r}")
        setattr(self.view.opt, of, _index(message, "value", 17 if of == "label" else 8))
        self._tell_view("opt")

    def _on_select(self, message: dict[str, Any]) -> None:
        x, y = (_number(message, n, 0, 1) for n in ("x", "y"))
        self.view.select(self._aspect, x, y)
        self._tell_view("pert", "perturb")

    def _on_pull(self, message: dict[str, Any]) -> None:
        """Begin to pull (1) or to turn (2), go on with a way of the pointer, end (0)."""
        if not self._controls():
            return
        bits = _index(message, "bits", 3)
        if bits == 0:
            self.view.let_go()
        else:
            self.view.begin_pull(bits)
            if "dx" in message:
                way = [_number(message, n, -100, 100) for n in ("dx", "dy")]
                self.view.pull(int(_number(message, "action", 1, 7)), *way)
        self._tell_view("pert", "perturb")

    def _on_ctrl(self, message: dict[str, Any]) -> None:
        if self._controls():
            model = self.view.world.model
            index = _index(message, "index", model.nu)
            self._tell(
                {"do": "ctrl", "index": index, "value": _number(message, "value", -1e10, 1e10)}
            )

    def _on_key(self, message: dict[str, Any]) -> None:
        if self._controls():
            self._tell({"do": "key", "key": _index(message, "key", 1 << 16)})

    def _on_run(self, message: dict[str, Any]) -> None:
        if self._controls():
            self._tell({"do": "run", "on": message.get("on") is True})

    def _on_step(self, message: dict[str, Any]) -> None:
        if self._controls():
            self._tell({"do": "step", "steps": int(_number(message, "steps", 1, 1000))})

    def _on_reset(self, message: dict[str, Any]) -> None:
        if self._controls():
            nkey = self.view.world.model.nkey
            self._tell({"do": "reset", "key": int(_number(message, "key", -1, nkey - 1))})

    def _on_speed(self, message: dict[str, Any]) -> None:
        if self._controls():
            self._tell({"do": "speed", "percent": _number(message, "percent", 0.01, 10000)})

    def _on_take(self, message: dict[str, Any]) -> None:
        """Take control."""
        self.pages.hand_over(self)

    # ---- to the process that simulates

    def _controls(self) -> bool:
        return self.pages.controller is self

    def _tell(self, message: dict[str, Any]) -> None:
        if self._controls():
            self.pages.tell(message)

    def _tell_view(self, name: str, do: str | None = None) -> None:
        """Tell what the page that controls has made of its camera, options or selection."""
        self._tell({"do": do or name, "words": words_of(getattr(self.view, name))})

    def take(self, name: str, words: dict[str, Any]) -> None:
        """Take a camera or options that the program has set."""
        if self.view is not None:
            take_words(getattr(self.view, name), words)
            self.stale = True
