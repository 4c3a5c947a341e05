"""Recordings of simulations: files of rows, read and written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from .recording import Recording, RecordingWarning

if TYPE_CHECKING:
    from .._types import Model

__all__ = ["Recording", "RecordingWarning", "read_recording"]


def read_recording(path: str | os.PathLike, model: Model) -> dict[str, np.ndarray]:
    """The rows of a file as states of a model: ``time`` [n], ``qpos`` [n, nq] and the other fields that there are.

    Warnings and errors are those of `Recording.from_path` and `Recording.fit`.
    """
    recording = Recording.from_path(path).fit(model)
    return {"time": recording.time, **recording.fields}
