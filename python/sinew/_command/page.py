"""A recording as a page in one file, for `sinew view --export`."""

from __future__ import annotations

import os

from .._recording import Recording
from .._recording.attached import models_of
from .._types import Model
from .._viewer.export import export, moments_of
from ..picture.tracks import Track
from .model import told
from .progress import Progress
from .words import BAD_INPUT, Stop, complain, number, printable, usage


def write_page(output: str, model: Model | None, run: str, values: dict[str, str]) -> None:
    """Write a page.

    Parameters
    ----------
    output : str
        The file.
    model : Model or None
        As it is shown; None: the one that the recording holds.
    run : str
        The recording.
    values : dict
        Options: fps, start, end.
    """
    fps = number(values, "fps", 60.0, positive=True)
    start, end = number(values, "start"), number(values, "end")
    with told():
        try:
            recording = Recording.from_path(run)
        except OSError as error:
            raise Stop(BAD_INPUT, f"cannot read '{run}': {error.strerror or error}") from None
    track = _track(model or _held(recording), recording)
    times = moments_of(track, fps or 0, start, end)
    progress = Progress(len(times))
    try:
        export(output, track, times, lambda done: progress.show(done, f"{times[done - 1]:.2f} s"))
    except OSError as error:
        raise Stop(BAD_INPUT, f"cannot write '{output}': {error.strerror}") from None
    finally:
        progress.end()
    size = os.path.getsize(output) / 1e6
    print(printable(f"{output}: {len(times)} rows, {size:.2f} MB"))


def _held(recording: Recording) -> Model:
    """The model that a recording holds."""
    with told():
        held = models_of([recording])[0]
    if held is None:
        usage(f"{recording.path}: holds no model; give it as MODEL --recording {recording.path}")
    return held


def _track(model: Model, recording: Recording) -> Track:
    with told():
        track = Track(model, recording)
    if track.fault:
        complain(f"warning: {track.fault}; the page ends before it")
    if track.lacks_mocap:
        complain(
            f"warning: {track.name}: has no mocap_pos: mocap bodies stand where the model has them"
        )
    return track
