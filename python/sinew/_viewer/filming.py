"""Films of what a page sees, drawn by the server: as smooth as the simulation, however fast the browser draws."""

from __future__ import annotations

import copy
import functools
import importlib.util
import os
import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._types import Data

FPS = 30.0
MOST_BYTES = 256 << 20  # of the states of a film
_LARGEST = 1920  # pixels of a side
_NEEDED = ("moderngl", "av", "PIL")


@functools.cache
def is_there() -> bool:
    """Return whether the packages are there that films need; else browsers film."""
    return all(importlib.util.find_spec(name) for name in _NEEDED)


@dataclass
class _Moment:
    """A state, and how the page saw it."""

    time: float  # of the film
    state: bytes
    cam: Any
    opt: Any
    flags: NDArray[np.uint8]
    user: bytes


class Filming:
    """Collects what a page sees, and makes a film of it.

    Parameters
    ----------
    world : World
    view : View
        The page's.
    """

    def __init__(self, world: Any, view: Any) -> None:
        self.world, self._view = world, view
        self._moments: list[_Moment] = []
        self._bytes = 0
        self._last = float(world.data.time)
        self._time = 0.0
        self.take()

    def take(self) -> bool:
        """Take the newest state, where there is one for the next picture; return whether there is room for more."""
        now = float(self.world.data.time)
        if self._moments and 0 <= now - self._last < 1 / FPS - 1e-9:
            return True
        if self._moments:
            self._time += now - self._last if now > self._last else 1 / FPS  # it was reset
        self._last = now
        view = self._view
        state = _core.packData(self.world.data)
        self._moments.append(
            _Moment(
                self._time,
                state,
                copy.copy(view.cam),
                copy.copy(view.opt),
                view.scene.flags.copy(),
                self.world.user,
            )  # fmt: skip
        )
        self._bytes += len(state)
        return self._bytes < MOST_BYTES

    def film(self) -> bytes:
        """Draw it; return an MP4 in simulated time.

        Raises
        ------
        Exception
            There is no way to draw here.
        """
        from ..picture.film import Film
        from ..picture.renderer import Renderer

        width, height = self._size()
        with (
            tempfile.TemporaryDirectory() as folder,
            Renderer(
                self.world.model, height, width, max_geom=self._view.scene.maxgeom
            ) as renderer,
        ):
            path = os.path.join(folder, "film.mp4")
            with Film(path, FPS) as film:
                for pixels, count in self._pictures(renderer):
                    for _ in range(count):
                        film.add(pixels)
            with open(path, "rb") as file:
                return file.read()

    def _size(self) -> tuple[int, int]:
        width, height = self._view.size
        scale = min(1.0, _LARGEST / max(width, height))
        return tuple(max(2, 2 * round(scale * side / 2)) for side in (width, height))  # type: ignore[return-value]

    def _pictures(self, renderer: Any) -> Any:
        """Yield pictures, and how often each stands in the film."""
        times = np.array([moment.time for moment in self._moments])
        shown = np.searchsorted(times, np.arange(times[-1] * FPS + 1) / FPS + 1e-9) - 1
        for index, count in zip(*np.unique(shown, return_counts=True), strict=True):
            moment = self._moments[index]
            data = _core.unpackData(Data, self.world.model, moment.state)
            renderer.update_scene(data, moment.cam, moment.opt)
            renderer.scene.flags[:] = moment.flags
            self.world.add_user_geoms(renderer.scene, moment.user)
            yield renderer.render(), int(count)
