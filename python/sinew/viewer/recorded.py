"""What `play` is given: recordings, and the models that were recorded."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from .._recording import Recording, RecordingWarning, attached
from .._types import Model
from ..picture.tracks import Track
from .playback import MOST

Run = Recording | str | os.PathLike


def recordings_of(given: Run | Sequence[Run]) -> list[Recording]:
    """Return recordings that are given as themselves or by their paths, one or some.

    Raises
    ------
    ValueError
        There is none, or there are too many.
    """
    some = [given] if isinstance(given, Run) else list(given)
    if not 1 <= len(some) <= MOST:
        raise ValueError(f"{len(some)} recordings; a viewer plays one, or {MOST} beside each other")
    return [run if isinstance(run, Recording) else Recording.from_path(run) for run in some]


def recorded_models(
    runs: Sequence[Recording], given: Model | Sequence[Model] | None
) -> list[Model]:
    """Return the model of each recording: that which is given, or which it holds, or which the first one holds.

    Raises
    ------
    ValueError
        There is none, or there are more or fewer than recordings.
    """
    if given is None:
        held = attached.models_for(runs)
        if held is None:
            raise ValueError("model is missing, and no recording holds one")
        return held
    models = [given] * len(runs) if isinstance(given, Model) else list(given)
    if len(models) != len(runs):
        raise ValueError(f"{len(models)} models for {len(runs)} recordings")
    for model in models:
        if not isinstance(model, Model):
            raise TypeError(f"model is a Model, not {type(model).__name__}")
    return models


def tracks_of(runs: Sequence[Recording], models: Sequence[Model]) -> list[Track]:
    """Return the states of recordings over time; what they lack is warned of."""
    tracks = [Track(model, run) for model, run in zip(models, runs, strict=True)]
    for track in tracks:
        if track.fault:
            _warn(f"{track.fault}: it ends before that")
        warn_of_mocap(track)
    return tracks


def warn_of_mocap(track: Track) -> None:
    """Warn of a recording that does not tell where mocap bodies are."""
    if track.lacks_mocap:
        _warn(f"{track.name}: has no mocap_pos: mocap bodies stand where the model has them")


def _warn(text: str) -> None:
    warnings.warn(RecordingWarning(text), stacklevel=4)
