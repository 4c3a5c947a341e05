"""A viewer that plays recordings, one or several beside each other, until its pages are closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from .._types import Data
from ..picture.tracks import Track
from .beside import Beside
from .handle import RATE, Handle

MOST = 2  # recordings beside each other
# what pages may do: look, and choose what is played when; nothing that they do changes a recorded state
_HEARD = {"end", "cam", "opt", "size", "perturb", "run", "speed", "seek", "rows", "loop"}


class Playback(Handle):
    """A Handle that shows recorded states; pages choose the moment, run on from it, and choose the speed.

    Parameters
    ----------
    tracks : sequence of Track
        At most two; they run by one clock. One that ends first stays at its end.
    datas : sequence of Data
        Of the model of each; what is not recorded is as it is there.
    names : sequence of str
        What each is called.
    **given
        As of Handle.
    """

    def __init__(
        self, tracks: Sequence[Track], datas: Sequence[Data], names: Sequence[str], **given: Any
    ) -> None:
        self._tracks, self._datas, self._names = list(tracks), list(datas), list(names)
        self.start, self.end = min(t.start for t in tracks), max(t.end for t in tracks)
        self._moment = self.start
        self._running, self._percent, self._loops = False, 100.0, False
        self._seen = False  # whether there has been a page
        self._wall, self._began = 0.0, self.start  # the clock at a moment of the recording
        self._others: list[Beside] = []
        self._turned = threading.Event()  # a page has done something
        self._place()
        super().__init__(tracks[0].model, datas[0], **given)
        for number, data in enumerate(self._datas[1:], 1):
            self._others.append(Beside(self._server, number, data))
            self._others[-1].write(self._words)

    def _open(self, host: str, port: int) -> None:
        self._words = self._about()  # pages see no state without
        super()._open(host, port)

    def run(self) -> None:
        """Play until the viewer is closed."""
        while self.is_running():
            begun = time.perf_counter()
            self._turned.clear()
            with self._lock:
                if self._data is not None:
                    self._take_over()
                    self._advance()
                    self._show()
            if not self._running:
                self._turned.wait()
            time.sleep(max(0.0, begun + 1 / RATE - time.perf_counter()))

    def close(self) -> None:
        """Close the viewer and its pages."""
        super().close()
        self._turned.set()
        for other in self._others:
            other.close()

    # ---- the moment

    def _align(self) -> None:
        """Let the moment go on by the clock from now on."""
        self._wall, self._began = time.perf_counter(), self._moment

    def _advance(self) -> None:
        """Go on to where the clock is."""
        if not self._running:
            return
        moment = self._began + self._percent / 100 * (time.perf_counter() - self._wall)
        if moment < self.end:
            self._moment = moment
        elif self._loops and self.start < self.end:
            self._moment = self.start + (moment - self.end) % (self.end - self.start)
            self._align()
        else:
            self._moment, self._running = self.end, False

    def _go(self, moment: float) -> None:
        self._moment = min(max(moment, self.start), self.end)
        self._align()

    def _place(self) -> None:
        """Put each simulation where it was."""
        for track, data in zip(self._tracks, self._datas, strict=True):
            track.place(data, self._moment)

    def _show(self) -> None:
        """Show the moment, where it or what is said of it is another one."""
        words = self._about()
        if words == self._words:
            return
        self._words = words
        self._place()
        self._write(state_only=True)
        for other in self._others:
            other.write(words)

    def _about(self) -> dict[str, Any]:
        track = self._tracks[0]
        recording = {
            "run": self._running, "percent": self._percent, "loop": self._loops,
            "time": self._moment, "start": self.start, "end": self.end,
            "row": track.row_at(self._moment), "rows": len(track),
            "names": self._names, "faults": [t.fault for t in self._tracks if t.fault],
        }  # fmt: skip
        return {"run": None, "recording": recording}

    # ---- deeds of pages

    def _hear(self, message: dict[str, Any]) -> None:
        if message["do"] in _HEARD:
            super()._hear(message)
            self._turned.set()

    def _end(self) -> None:
        super()._end()
        self._turned.set()

    def _pull(self) -> None:
        """Nothing pulls at what is recorded."""

    def _let_go(self, body: int) -> None:
        """Forces are those that were recorded."""

    def _do_size(self, message: dict[str, Any]) -> None:
        super()._do_size(message)
        if not self._seen:  # it begins when somebody sees it
            self._seen = self._running = True
            self._align()

    def _do_run(self, message: dict[str, Any]) -> None:
        self._running = message["on"]
        if self._running and self._moment >= self.end:
            self._moment = self.start
        self._align()

    def _do_speed(self, message: dict[str, Any]) -> None:
        self._percent = message["percent"]
        self._align()

    def _do_loop(self, message: dict[str, Any]) -> None:
        self._loops = message["on"]

    def _do_seek(self, message: dict[str, Any]) -> None:
        """Go to a time, or to a row of the first recording."""
        if "row" in message:
            row = min(message["row"], len(self._tracks[0]) - 1)
            self._go(self._tracks[0].time_of(row))
        else:
            self._go(message["time"])

    def _do_rows(self, message: dict[str, Any]) -> None:
        """Go to the next row of any of the recordings, or to the one before, and stay there."""
        self._running = False
        if message["by"] > 0:
            later = [track.next_time(self._moment) for track in self._tracks]
            self._go(min((t for t in later if t > self._moment), default=self._moment))
        else:
            earlier = [track.time_before(self._moment) for track in self._tracks]
            self._go(max((t for t in earlier if t < self._moment), default=self._moment))
