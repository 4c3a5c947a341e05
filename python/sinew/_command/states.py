"""The model of `sinew render`, and the states of it that are drawn: one, those of a simulation, those of recordings."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .._core import MjvCamera
from .._enums import StateBit, Warning  # type: ignore[attr-defined]
from .._functions import forward, getState, setState, step  # type: ignore[attr-defined]
from .._recording import Recording, attached
from .._types import Data, Model
from ..picture.looks import camera_of, free_camera
from ..picture.reach import framing_camera, says_its_view
from ..picture.robot import COLLISION
from ..picture.tracks import Track
from .interrupts import Interrupts
from .model import is_recording, named, shown_model, start_of, told
from .request import Request
from .words import BAD_INPUT, UNSTABLE, Stop, complain, number, numbers, usage

MOST_SEEN = 40  # states of a film that its camera is placed by


def recordings_of(paths: Sequence[str]) -> list[Recording]:
    """The recordings as their files have them."""
    read = []
    for path in paths:
        with told():
            try:
                read.append(Recording.from_path(path))
            except OSError as error:
                raise Stop(BAD_INPUT, f"cannot read '{path}': {error.strerror or error}") from None
    return read


def held_models(recorded: Sequence[Recording], command: str) -> list[Model]:
    """For each recording the model that it holds, or the first that one holds."""
    with told():
        held = attached.models_for(recorded)
    if held is None:
        usage(f"MODEL: missing, and no recording holds one; see sinew {command} --help")
    return held


def models_for(request: Request, recorded: Sequence[Recording]) -> list[Model]:
    """The model that is named; or else for each recording the one that it holds, or the first that one holds."""
    if not request.model:
        return held_models(recorded, "render")
    if is_recording(request.model):
        usage(f"{request.model} is a recording; give it as --recording {request.model}")
    model, visuals = shown_model(request.model, request.values)
    if visuals and "geom" not in request.values.get("group", ""):
        request.look.option.geomgroup[COLLISION] = 0
    return [model] * max(1, len(recorded))


def _seen_states(request: Request, model: Model, states: Any) -> Iterator[Data]:
    """The states of a model that a picture or a film shows; of a long film some, spread over it."""
    if not request.is_film:
        states.place(states.shown)
        yield from (data for data in states.all if data.model is model)
        return
    count = int((states.end - states.start) / request.speed * request.fps) + 1
    times = np.linspace(states.start, states.end, min(max(count, 1), MOST_SEEN)).tolist()
    for placed in states.ahead(times):
        yield from (data for data in placed if data.model is model)


def _default_camera(request: Request, model: Model, states: Any) -> MjvCamera | None:
    """A free camera with all in view, of a model that does not say how it is seen; None: as it says."""
    values = request.values
    if values.get("camera", "free") != "free" or says_its_view(model):
        return None
    return framing_camera(
        model,
        _seen_states(request, model, states),
        request.look.option,
        request.size[0] / request.size[1],
        number(values, "azimuth"),
        number(values, "elevation"),
    )


def camera_for(request: Request, model: Model, states: Any) -> Any:
    """The number of a camera of the model, or a free one."""
    values = request.values
    settings: dict[str, Any] = {
        name: number(values, name, positive=name == "distance")
        for name in ("distance", "azimuth", "elevation")
        if name in values
    }
    if "lookat" in values:
        settings["lookat"] = numbers(values, "lookat", 3)
    start = _default_camera(request, model, states)
    if start is not None or settings or "track" in values:
        return named(
            request.model,
            "--track",
            lambda: free_camera(model, values.get("track"), start=start, **settings),
        )
    return named(request.model, "--camera", lambda: camera_of(model, values.get("camera", "free")))


def _start(request: Request, model: Model) -> Data:
    """A data at the model's first state, or a keyframe's."""
    return start_of(model, request.model, request.values.get("keyframe"))


class Still:
    """The model at one state."""

    names: Sequence[str] = ()
    start = end = shown = 0.0

    def __init__(self, data: Data) -> None:
        self.all = [data]

    def place(self, moment: float) -> None:
        """It is there already."""

    def ahead(self, times: Sequence[float]) -> Iterator[list[Data]]:
        """Where it is at times."""
        yield self.all


class Simulation:
    """A simulation that goes on as far as it is asked for."""

    names: Sequence[str] = ()
    start = 0.0

    def __init__(self, data: Data, seconds: float, interrupts: Interrupts) -> None:
        if not data.model.opt.timestep > 0:
            raise Stop(
                BAD_INPUT, f"--simulate: the model's timestep is {data.model.opt.timestep:g}"
            )
        self._data, self._copy, self._interrupts = data, Data(data.model), interrupts
        self._began = data.time
        self.end = self.shown = seconds
        self.all = [self._copy]

    def _step(self, data: Data, model: Model) -> None:
        self._interrupts.check()
        before = data.time
        step(model, data)
        kinds = (Warning.BADQPOS, Warning.BADQVEL, Warning.BADQACC)
        if any(data.warning[kind].number for kind in kinds):
            raise Stop(UNSTABLE, f"the simulation is unstable at {before:g} s")

    def place(self, moment: float) -> None:
        """Go on to a moment, and compute what there is to see on a copy."""
        data, model = self._data, self._data.model
        with warnings.catch_warnings():  # of numbers that end the run
            warnings.filterwarnings("ignore", "NaN, infinite or huge number in q")
            while data.time - self._began < moment - 0.5 * model.opt.timestep:
                self._step(data, model)
        setState(
            model, self._copy, getState(model, data, StateBit.INTEGRATION), StateBit.INTEGRATION
        )
        forward(model, self._copy)

    def ahead(self, times: Sequence[float]) -> Iterator[list[Data]]:
        """Where it will be at times, by a simulation that runs ahead; up to where that becomes unstable."""
        model = self._data.model
        data = Data(model)
        setState(
            model, data, getState(model, self._data, StateBit.INTEGRATION), StateBit.INTEGRATION
        )
        other = Simulation(data, self.end, self._interrupts)
        with contextlib.suppress(Stop):
            for moment in times:
                other.place(moment)
                yield other.all


def tracks_of(
    models: Sequence[Model], recorded: Sequence[Recording], has_keyframe: bool
) -> list[Track]:
    """The states of recordings over time, each of its model; what they lack is told."""
    tracks = []
    for model, recording in zip(models, recorded, strict=True):
        with told():
            track = Track(model, recording)
        if track.fault:
            complain(f"warning: {track.fault}; what is drawn ends before it")
        if track.lacks_mocap and not has_keyframe:
            complain(
                f"warning: {recording.path}: has no mocap_pos: mocap bodies stand where the model has them, "
                "or with --keyframe NAME where that has"
            )
        tracks.append(track)
    return tracks


class Recordings:
    """Recordings, each of its model and with a data of its own."""

    def __init__(
        self, request: Request, models: Sequence[Model], read: Sequence[Recording]
    ) -> None:
        self._tracks = tracks_of(models, read, "keyframe" in request.values)
        self.all = [_start(request, model) for model in models]
        self._others = lambda: [_start(request, model) for model in models]
        self.names = () if len(read) == 1 else short_names(request.recordings)
        first, last = min(t.start for t in self._tracks), max(t.end for t in self._tracks)
        self.start = max(first, number(request.values, "start", first))
        self.end = min(last, number(request.values, "end", last))
        self.shown = self.start
        if self.start > self.end:
            raise Stop(
                BAD_INPUT,
                f"{request.recordings[0]}: has no time between --start and --end: it is from {first:g} s to {last:g} s",
            )

    def place(self, moment: float) -> None:
        """Put each where it was at a moment."""
        for track, data in zip(self._tracks, self.all, strict=True):
            track.place(data, moment)

    def ahead(self, times: Sequence[float]) -> Iterator[list[Data]]:
        """Where each was at times."""
        others = self._others()
        for moment in times:
            for track, data in zip(self._tracks, others, strict=True):
                track.place(data, moment)
            yield others


def short_names(paths: Sequence[str]) -> Sequence[str]:
    """The names of files without folders and endings, or the paths where those are the same."""
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def states_of(
    request: Request,
    models: Sequence[Model],
    recorded: Sequence[Recording],
    interrupts: Interrupts,
) -> Still | Simulation | Recordings:
    """What is drawn: `all` are datas, which `place` puts where they are at a moment, `shown` is that of a picture."""
    if recorded:
        return Recordings(request, models, recorded)
    data = _start(request, models[0])
    return Still(data) if request.seconds is None else Simulation(data, request.seconds, interrupts)
