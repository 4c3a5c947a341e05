"""A viewer that simulates itself, in real time or a part of it, until its pages are closed."""

from __future__ import annotations

import math
import time
from typing import Any

from .. import _core
from .._types import Data, Model
from . import settings
from .handle import RATE, Handle
from .history import History
from .keeping import keep_state
from .loading import Loading, Source
from .noise import Noise

MISALIGNED = 0.1  # seconds that the simulation may be behind the clock before it gives them up
_SLOWEST, _FASTEST = -10, 30  # by keys: 10^(k/10) percent
_SHARE = 0.7  # of a picture's time in which it may simulate
_NOTED = 1 / 30  # seconds between two states that are kept while it runs,
_SPAN = 60.0  # or more, where there is room for so few that they would go back less far (s)


class Managed(Handle):
    """A Handle with a clock of its own; pages may stop it, step, go back, reset, and choose its speed."""

    def __init__(
        self,
        model: Model,
        data: Data,
        source: Source | None = None,
        empty: bool = False,
        **given: Any,
    ) -> None:
        self._running, self._percent = True, 100.0
        self._wall = self._simulated = self._noted = 0.0
        self._noise = Noise()
        self._begin_history(model, data)
        self._clocked = False  # the data has a clock for the time that pages watch
        super().__init__(model, data, source=source.path if source else None, **given)
        self._align()
        kinds = type(model), type(data)
        self._told_loading: dict[str, Any] = {}
        self._loading = Loading(*kinds, source, empty, self._share, self._done.append)
        self._tell_loading()

    def _open(self, host: str, port: int) -> None:
        self._note()  # no page may see a state that does not say how it runs
        super()._open(host, port)

    def _begin_history(self, model: Model, data: Data) -> None:
        """Keep states of a model from now on, and no others."""
        self._history = History(model)
        self._history.add(data)
        self._noted_after = max(_NOTED, _SPAN / max(1, self._history.room))

    def run(self) -> None:
        """Simulate until the viewer is closed."""
        while self.is_running():
            begun = time.perf_counter()
            with self._lock:
                if self._data is not None:
                    self.sync()
            with self._lock:
                if self._data is not None and self._running:
                    self._advance(begun)
            time.sleep(max(0.0, begun + 1 / RATE - time.perf_counter()))

    def _align(self) -> None:
        """Let the time of the simulation be that of the clock from now on."""
        _, data = self._live()
        self._wall, self._simulated = time.perf_counter(), data.time

    def _advance(self, now: float) -> None:
        """Step to where the clock is, as far as a picture's time allows."""
        model, data = self._live()
        speed = self._percent / 100
        wanted = self._simulated + speed * (now - self._wall)
        # behind by more, it gives up; ahead by more, it has been set to another time
        if abs(wanted - data.time) > MISALIGNED * max(speed, 1.0) + 2 * model.opt.timestep:
            self._align()
            return
        begun = data.time
        while data.time < wanted and time.perf_counter() - now < _SHARE / RATE:
            before = data.time
            self._pull()
            self._noise.lay(model, data)
            _core.step(model, data)
            if data.time <= before:  # bad numbers have reset it
                self._align()
                return
        if data.time != begun and now - self._noted >= self._noted_after:
            self._noted = now
            self._add()

    def _add(self) -> None:
        """Keep the state as it is now, to go back to."""
        self._history.add(self._live()[1], self._pulled())
        self._note()

    def _pulled(self) -> int:
        """Return the body that the pointer pulls at, 0: none."""
        return self._pert.select if self._pert.active else 0

    # ---- deeds of pages

    def _note(self) -> None:
        self._words = {
            "run": self._running,
            "percent": self._percent,
            "noise": [self._noise.std, self._noise.rate],
            "history": [self._history.at, self._history.count],
        }

    def _compute(self, done: set[str]) -> None:
        if not self._running and done & settings.SETTINGS.keys():
            _core.forward(*self._live())

    def _do_run(self, message: dict[str, Any]) -> None:
        self._running = message["on"]
        if self._running:
            self._history.at = 0
        self._align()
        self._note()

    def _do_speed(self, message: dict[str, Any]) -> None:
        self._percent = message["percent"]
        self._align()
        self._note()

    def _do_faster(self, message: dict[str, Any]) -> None:
        step = round(10 * math.log10(self._percent)) + message["by"]
        self._do_speed({"percent": float(f"{10 ** (min(max(step, _SLOWEST), _FASTEST) / 10):.2g}")})

    def _do_step(self, message: dict[str, Any]) -> None:
        """Step, or in the past go to the next state."""
        if self._running:
            return
        if self._history.at < 0:
            self._go(self._history.at + 1)
        else:
            model, data = self._live()
            self._history.note(data, self._pulled())
            _core.step(model, data, message["steps"])
            self._add()

    def _do_back(self, message: dict[str, Any]) -> None:
        self._go(self._history.at - 1)

    def _do_history(self, message: dict[str, Any]) -> None:
        self._go(message["at"])

    def _go(self, at: int) -> None:
        """Stop, and go to a state that was."""
        model, data = self._live()
        self._running = False
        self._history.go(data, at, self._pulled())
        _core.forward(model, data)
        self._note()

    def _do_noise(self, message: dict[str, Any]) -> None:
        self._noise.std, self._noise.rate = message["std"], message["rate"]
        self._note()

    def _do_clock(self, message: dict[str, Any]) -> None:
        """Count where time goes, which takes some of its own, or count no more; a clock that is there stays."""
        _, data = self._live()
        has_one = isinstance(data, _core.PeerData) or data.get_callback("time") is not None
        if message["on"] and not has_one:
            data.set_callback("time", time.perf_counter)
            self._clocked = True
        elif not message["on"] and self._clocked:
            data.set_callback("time", None)
            self._clocked = False

    def _do_reset(self, message: dict[str, Any]) -> None:
        model, data = self._live()
        self._history.note(data, self._pulled())
        if message["key"] < 0:
            _core.resetData(model, data)
        else:
            _core.resetDataKeyframe(model, data, message["key"])
        _core.forward(model, data)
        self._align()
        self._add()

    # ---- other models

    def _tell_loading(self) -> None:
        """Tell pages which model is loaded, where that has changed."""
        words = {"kind": "loading", **self._loading.words}
        if words != self._told_loading:
            self._told_loading = words
            self._lay(words, {})

    def _do_drop(self, message: dict[str, Any]) -> None:
        self._loading.drop(*message["descriptors"])
        self._tell_loading()

    def _do_open(self, message: dict[str, Any]) -> None:
        self._loading.choose(message["name"])
        self._tell_loading()

    def _do_reload(self, message: dict[str, Any]) -> None:
        self._loading.reload(reset=True)
        self._tell_loading()

    def _do_changed(self, message: dict[str, Any]) -> None:
        self._loading.changed()
        self._tell_loading()

    def _do_loaded(self, message: dict[str, Any]) -> None:
        """Show a model that was compiled, if nothing else is wanted meanwhile."""
        again = self._loading.is_again()
        if self._loading.take(message):
            model, data = message["made"]
            if again and not message["reset"]:
                keep_state(*self._live(), model, data)
                _core.forward(model, data)
            clocked, self._clocked = self._clocked, False
            self._source = self._loading.path
            self._replace(model, data, message["shared"], keep=again)
            self._begin_history(model, data)
            self._do_clock({"on": clocked})
            self._align()
            self._note()
        self._tell_loading()

    def close(self) -> None:
        """Close the viewer and its pages."""
        super().close()
        self._loading.close()
