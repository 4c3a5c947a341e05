"""A viewer that runs by itself, until its pages are closed: it simulates, or plays recordings."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from .. import _core
from .._types import Data, Model
from . import settings
from .beside import Beside
from .handle import RATE, Handle
from .keeping import keep_state
from .loading import Loading, Source
from .playback import Playback
from .simulation import Simulation

Loader = Callable[[], tuple[Model, Data]]


class Managed(Handle):
    """A Handle that simulates its model or plays recordings of it; pages open other models and recordings.

    Parameters
    ----------
    model, data : Model, Data
    source : Source, optional
        What the model was read from.
    empty : bool
        The model is there because there is none yet.
    playback : Playback, optional
        Recordings that are played; the first is of this model and places this data.
    loader : callable, optional
        Returns model and data when pages want the model loaded again.
    **given
        As of Handle.
    """

    def __init__(
        self,
        model: Model,
        data: Data,
        source: Source | None = None,
        empty: bool = False,
        *,
        playback: Playback | None = None,
        loader: Loader | None = None,
        **given: Any,
    ) -> None:
        self._simulation = Simulation()
        self._simulation.begin(model, data)
        self._motion: Simulation | Playback = playback or self._simulation
        self._loader = loader
        self._others: list[Beside] = []
        self._turned = threading.Event()  # there is something to do
        super().__init__(model, data, source=source.path if source else None, **given)
        self._simulation.pert = self._pert
        self._show_beside()
        kinds = type(model), type(data)
        self._told_loading: dict[str, Any] = {}
        self._loading = Loading(*kinds, source, empty, self._share, self._post, lambda: self._model)
        self._loading.wait(not self._motion.free)
        self._tell_loading()

    def run(self) -> None:
        """Simulate or play until the viewer is closed."""
        while True:
            begun = time.perf_counter()
            self._turned.clear()
            if not self.is_running():
                return
            with self._lock:
                if self._data is not None:
                    self._turn(begun)
            if self._motion.rests:
                self._turned.wait()
            time.sleep(max(0.0, begun + 1 / RATE - time.perf_counter()))

    def _turn(self, now: float) -> None:
        """Do what pages want, and go on to where the clock is."""
        self._take_over()
        self._motion.turn(now, self._present)

    def _present(self) -> None:
        """Show the state as it is."""
        if self._motion.free:
            self._show()
        else:
            self._write(state_only=True)
            self._write_beside()

    def _status(self) -> dict[str, Any]:
        return self._motion.words()

    def _close(self) -> None:
        super()._close()
        self._turned.set()
        self._loading.close()
        for other in self._others:
            other.close()

    # ---- deeds of pages

    def _post(self, message: dict[str, Any]) -> None:
        """Do something soon."""
        self._done.append(message)
        self._turned.set()

    def _hear(self, message: dict[str, Any]) -> None:
        super()._hear(message)
        self._turned.set()

    def _end(self) -> None:
        super()._end()
        self._turned.set()

    def _do(self, message: dict[str, Any]) -> None:
        deed = getattr(self._motion, f"do_{message['do']}", None)
        if deed is not None:
            deed(message)
        elif self._motion.free or message["do"] not in settings.SETTINGS:
            super()._do(message)

    def _compute(self, done: set[str]) -> None:
        stands = self._motion.free and not self._motion.running
        if stands and done & settings.SETTINGS.keys():
            _core.forward(*self._live())

    def _pull(self) -> None:
        if self._motion.free:
            super()._pull()

    def _let_go(self, body: int) -> None:
        """Take the pointer's force from a body; forces of a recording are those that were recorded."""
        if self._motion.free:
            super()._let_go(body)

    def _do_size(self, message: dict[str, Any]) -> None:
        super()._do_size(message)
        self._motion.see()

    def _do_clock(self, message: dict[str, Any]) -> None:
        self._simulation.clock(message["on"])

    def _do_simulate(self, message: dict[str, Any]) -> None:
        """Simulate on from the state that is played."""
        if not self._motion.free:
            self._simulation.running = True
            self._begin(*self._live())

    # ---- what is shown

    def _begin(
        self,
        model: Model,
        data: Data,
        playback: Playback | None = None,
        shared: Any = None,
        keep: bool = False,
    ) -> None:
        """Simulate, or play, from now on; a model that is new stands in memory that is `shared`."""
        self._simulation.begin(model, data)
        self._motion = playback or self._simulation  # no page may see a state of the other
        if shared is None:
            self._write()
        else:
            self._replace(model, data, shared, keep)
        self._simulation.pert = self._pert
        self._show_beside()
        self._loading.wait(not self._motion.free)
        if self._size[0]:
            self._motion.see()

    def _show_beside(self) -> None:
        """Show all recordings but the first beside it, and nothing else there."""
        if self._others:
            self._server.send({"do": "alone"})
            for other in self._others:
                other.close()
        datas = [] if self._motion.free else self._motion.datas[1:]
        self._others = [
            Beside(self._server, number, data, self._number) for number, data in enumerate(datas, 1)
        ]
        self._write_beside()

    def _write_beside(self) -> None:
        words = self._status()
        for other in self._others:
            other.write(words)

    # ---- other models and recordings

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
        """Load the model again; what is played stays."""
        if not self._motion.free:
            return
        if self._loader is not None and self._loading.shows_first:
            self._load_again(self._loader)
        else:
            self._loading.reload(reset=True)
        self._tell_loading()

    def _load_again(self, loader: Loader) -> None:
        """Show what the program's loader returns now."""
        try:
            model, data = checked(*loader())
            shared = self._share(model, data)
        except Exception as error:  # it is the program's, and the viewer goes on
            self._loading.tell_error("the model", [str(error) or type(error).__name__])
            return
        self._loading.words["told"] = []
        self._begin(model, data, None, shared, keep=True)

    def _do_changed(self, message: dict[str, Any]) -> None:
        self._loading.changed()
        self._tell_loading()

    def _do_loaded(self, message: dict[str, Any]) -> None:
        """Show what was loaded, if nothing else is wanted meanwhile."""
        again = self._loading.is_again()
        if self._loading.take(message):
            model, data = message.get("made") or self._live()
            if again and not message["reset"]:
                keep_state(*self._live(), model, data)
                _core.forward(model, data)
            self._source = self._loading.path
            playback = self._playback(message, model, data)
            self._begin(model, data, playback, message.get("shared"), keep=again)
        self._tell_loading()

    def _playback(self, message: dict[str, Any], model: Model, data: Data) -> Playback | None:
        """Return what is to be played of what was loaded; None: it is to be simulated."""
        tracks = message.get("tracks")
        if not tracks:
            return None
        _core.resetData(model, data)  # of what is not recorded nothing is left of another run
        names = [os.path.basename(track.name) for track in tracks]
        return Playback(tracks, [data, *message["beside"]], names)


def checked(model: Any, data: Any) -> tuple[Model, Data]:
    """Return a model and its data; refuse what is no model, and data of another."""
    if not isinstance(model, Model):
        raise TypeError(f"model is a Model, not {type(model).__name__}")
    if not isinstance(data, Data):
        raise TypeError(f"data is a Data, not {type(data).__name__}")
    if data.model is not model:
        raise ValueError("data is of another model")
    return model, data
