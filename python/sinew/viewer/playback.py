"""Recordings that a viewer plays, one or several beside each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from .._types import Data
from ..picture.tracks import Track

MOST = 2  # recordings beside each other


class Playback:
    """Puts simulations where they were; pages choose the moment, run on from it, and choose the speed.

    Parameters
    ----------
    tracks : sequence of Track
        At most two; they run by one clock. One that ends first stays at its end.
    datas : sequence of Data
        Of the model of each; what is not recorded is as it is there.
    names : sequence of str
        What each is called.

    Attributes
    ----------
    start, end : float
        Between which times the moment is.
    running : bool
    """

    free = False  # nothing that pages do changes a recorded state

    def __init__(
        self, tracks: Sequence[Track], datas: Sequence[Data], names: Sequence[str]
    ) -> None:
        self._tracks, self.datas, self._names = list(tracks), list(datas), list(names)
        self.start, self.end = min(t.start for t in tracks), max(t.end for t in tracks)
        self._moment = self.start
        self.running, self._percent, self._loops = False, 100.0, False
        self._seen = False  # whether somebody has seen it
        self._wall, self._began = 0.0, self.start  # the clock at a moment of the recording
        self._place()
        self._shown = self.words()

    def words(self) -> dict[str, Any]:
        """Return what pages are told of how it is played."""
        track = self._tracks[0]
        recording = {
            "run": self.running, "percent": self._percent, "loop": self._loops,
            "time": self._moment, "start": self.start, "end": self.end,
            "row": track.row_at(self._moment), "rows": len(track),
            "names": self._names, "faults": [t.fault for t in self._tracks if t.fault],
        }  # fmt: skip
        return {"run": None, "recording": recording}

    @property
    def rests(self) -> bool:
        """Whether nothing happens until a page does something."""
        return not self.running

    def turn(self, now: float, show: Callable[[], None]) -> None:
        """Go on to where the clock is; show that, where it or what is said of it is another moment."""
        self._advance(now)
        words = self.words()
        if words != self._shown:
            self._shown = words
            self._place()
            show()

    def see(self) -> None:
        """Somebody sees it: it begins."""
        if not self._seen:
            self._seen = self.running = True
            self._align()

    # ---- the moment

    def _align(self) -> None:
        """Let the moment go on by the clock from now on."""
        self._wall, self._began = time.perf_counter(), self._moment

    def _advance(self, now: float) -> None:
        """Go on to where the clock is."""
        if not self.running:
            return
        moment = self._began + self._percent / 100 * max(0.0, now - self._wall)
        if moment < self.end:
            self._moment = moment
        elif self._loops and self.start < self.end:
            self._moment = self.start + (moment - self.end) % (self.end - self.start)
            self._align()
        else:
            self._moment, self.running = self.end, False

    def _go(self, moment: float) -> None:
        self._moment = min(max(moment, self.start), self.end)
        self._align()

    def _place(self) -> None:
        """Put each simulation where it was."""
        for track, data in zip(self._tracks, self.datas, strict=True):
            track.place(data, self._moment)

    # ---- deeds of pages

    def do_run(self, message: dict[str, Any]) -> None:
        self.running = message["on"]
        if self.running and self._moment >= self.end:
            self._moment = self.start
        self._align()

    def do_speed(self, message: dict[str, Any]) -> None:
        self._percent = message["percent"]
        self._align()

    def do_loop(self, message: dict[str, Any]) -> None:
        self._loops = message["on"]

    def do_seek(self, message: dict[str, Any]) -> None:
        """Go to a time, or to a row of the first recording."""
        if "row" in message:
            row = min(message["row"], len(self._tracks[0]) - 1)
            self._go(self._tracks[0].time_of(row))
        else:
            self._go(message["time"])

    def do_rows(self, message: dict[str, Any]) -> None:
        """Go to the next row of any of the recordings, or to the one before, and stay there."""
        self.running = False
        if message["by"] > 0:
            later = [track.next_time(self._moment) for track in self._tracks]
            self._go(min((t for t in later if t > self._moment), default=self._moment))
        else:
            earlier = [track.time_before(self._moment) for track in self._tracks]
            self._go(max((t for t in earlier if t < self._moment), default=self._moment))
