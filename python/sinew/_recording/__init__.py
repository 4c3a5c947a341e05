"""Recordings of simulations: files of rows, read and written."""

from .recorder import Recorder
from .recording import Recording, RecordingWarning

__all__ = ["Recorder", "Recording", "RecordingWarning"]
