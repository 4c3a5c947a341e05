"""A simulation that a viewer runs, in real time or a part of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from .. import _core
from .._core import MjvPerturb
from .._types import Data, Model
from .handle import RATE
from .history import History
from .noise import Noise
from .pulling import pull

MISALIGNED = 0.1  # seconds that the simulation may be behind the clock before it gives them up
_SLOWEST, _FASTEST = -10, 30  # by keys: 10^(k/10) percent
_SHARE = 0.7  # of a picture's time in which it may simulate
_NOTED = 1 / 30  # seconds between two states that are kept while it runs,
_SPAN = 60.0  # or more, where there is room for so few that they would go back less far (s)


class Simulation:
    """Steps a model by the clock; pages may stop it, step, go back, reset, and choose its speed.

    Attributes
    ----------
    data : Data
        Set by `begin`.
    running : bool
    percent : float
        Speed, of real time.
    pert : MjvPerturb
        What the pointer pulls at.
    """

    free = True  # pages change its state
    rests = False  # something may happen by itself

    def __init__(self) -> None:
        self.running, self.percent = True, 100.0
        self.pert = MjvPerturb()
        self.noise = Noise()
        self._clocked = False  # the data has a clock for the time that pages watch

    def begin(self, model: Model, data: Data) -> None:
        """Go on with a model, from the state of its data; it runs as the one before."""
        clocked = self._clocked
        if clocked:
            self.clock(False)
        self._model, self.data = model, data
        self.history = History(model)
        self.history.add(data)
        self._noted, self._noted_after = 0.0, max(_NOTED, _SPAN / max(1, self.history.room))
        self.clock(clocked)
        self._align()

    def words(self) -> dict[str, Any]:
        """Return what pages are told of how it runs."""
        return {
            "run": self.running,
            "percent": self.percent,
            "noise": [self.noise.std, self.noise.rate],
            "history": [self.history.at, self.history.count],
        }

    def turn(self, now: float, show: Callable[[], None]) -> None:
        """Show the state as it is, and go on to where the clock is."""
        show()
        if self.running:
            self.advance(now)

    def see(self) -> None:
        """Somebody sees it."""

    def _align(self) -> None:
        """Let the time of the simulation be that of the clock from now on."""
        self._wall, self._simulated = time.perf_counter(), self.data.time

    def advance(self, now: float) -> None:
        """Step to where the clock is, as far as a picture's time allows."""
        model, data = self._model, self.data
        speed = self.percent / 100
        wanted = self._simulated + speed * (now - self._wall)
        # behind by more, it gives up; ahead by more, it has been set to another time
        if abs(wanted - data.time) > MISALIGNED * max(speed, 1.0) + 2 * model.opt.timestep:
            self._align()
            return
        begun = data.time
        while data.time < wanted and time.perf_counter() - now < _SHARE / RATE:
            before = data.time
            pull(model, data, self.pert)
            self.noise.lay(model, data)
            _core.step(model, data)
            if data.time <= before:  # bad numbers have reset it
                self._align()
                return
        if data.time != begun and now - self._noted >= self._noted_after:
            self._noted = now
            self._add()

    def _add(self) -> None:
        """Keep the state as it is now, to go back to."""
        self.history.add(self.data, self._pulled())

    def _pulled(self) -> int:
        """Return the body that the pointer pulls at, 0: none."""
        return self.pert.select if self.pert.active else 0

    # ---- deeds of pages

    def do_run(self, message: dict[str, Any]) -> None:
        self.running = message["on"]
        if self.running:
            self.history.at = 0
        self._align()

    def do_speed(self, message: dict[str, Any]) -> None:
        self.percent = message["percent"]
        self._align()

    def do_faster(self, message: dict[str, Any]) -> None:
        step = round(10 * math.log10(self.percent)) + message["by"]
        self.do_speed({"percent": float(f"{10 ** (min(max(step, _SLOWEST), _FASTEST) / 10):.2g}")})

    def do_step(self, message: dict[str, Any]) -> None:
        """Step, or in the past go to the next state."""
        if self.running:
            return
        if self.history.at < 0:
            self._go(self.history.at + 1)
        else:
            self.history.note(self.data, self._pulled())
            _core.step(self._model, self.data, message["steps"])
            self._add()

    def do_back(self, message: dict[str, Any]) -> None:
        self._go(self.history.at - 1)

    def do_history(self, message: dict[str, Any]) -> None:
        self._go(message["at"])

    def _go(self, at: int) -> None:
        """Stop, and go to a state that was."""
        self.running = False
        self.history.go(self.data, at, self._pulled())
        _core.forward(self._model, self.data)

    def do_noise(self, message: dict[str, Any]) -> None:
        self.noise.std, self.noise.rate = message["std"], message["rate"]

    def clock(self, on: bool) -> None:
        """Count where time goes, which takes some of its own, or count no more; a clock that is there stays."""
        data = self.data
        has_one = isinstance(data, _core.PeerData) or data.get_callback("time") is not None
        if on and not has_one:
            data.set_callback("time", time.perf_counter)
            self._clocked = True
        elif not on and self._clocked:
            data.set_callback("time", None)
            self._clocked = False

    def do_reset(self, message: dict[str, Any]) -> None:
        model, data = self._model, self.data
        self.history.note(data, self._pulled())
        if message["key"] < 0:
            _core.resetData(model, data)
        else:
            _core.resetDataKeyframe(model, data, message["key"])
        _core.forward(model, data)
        self._align()
        self._add()
