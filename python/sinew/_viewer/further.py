"""A further picture of a page: what another recording shows, or a camera of the model."""

from __future__ import annotations

import urllib.parse
from typing import Any

from .admission import Refused
from .deeds import FOLLOWING
from .deeds.looking import FIXED
from .session import Session
from .world import World

_DIGITS = 6  # most of a number


def asked_for(query: str) -> dict[str, int] | None:
    """Return which further picture a socket is for: `world=N`, `camera=N`, both; None: it is a page's own.

    Raises
    ------
    Refused
        That is no number.
    """
    given = urllib.parse.parse_qs(query)
    found = {name: given[name][-1] for name in ("world", "camera") if name in given}
    for name, word in found.items():
        if not (word.isascii() and word.isdecimal() and len(word) <= _DIGITS):
            raise Refused(f"{name}={word} is no further picture")
    return {name: int(word) for name, word in found.items()} or None


class Further(Session):
    """A further picture. It looks, and controls nothing; it is there as long as its page wants it.

    Parameters
    ----------
    pages, socket
        As of Session.
    world : int
        Which of the models it shows.
    camera : int
        The camera that it looks with; -1: as the page says.
    """

    deeds = FOLLOWING

    def __init__(self, pages: Any, socket: Any, world: int = 0, camera: int = -1) -> None:
        super().__init__(pages, socket)
        self._number, self._camera = world, camera

    def world(self) -> World | None:
        """Return what it shows; None where there is no such model or camera."""
        world = self.pages.world_of(self._number)
        return None if world is None or self._camera >= world.model.ncam else world

    async def _begin(self, world: World | None) -> None:
        await super()._begin(world)
        self._unlaid = set()  # that lies over the page's own picture
        if self.view is not None and self._camera >= 0:
            self.view.cam.type, self.view.cam.fixedcamid = FIXED, self._camera

    async def send_role(self) -> None:
        """Say nothing: it has none."""

    def controls(self) -> bool:
        """Return that it does not."""
        return False

    @property
    def has_own_camera(self) -> bool:
        """Whether the page says from where it looks."""
        return self._camera < 0
