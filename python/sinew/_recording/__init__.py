"""Recordings of simulations: files of rows, read and written."""

from .recording import Recording, RecordingWarning

__all__ = ["Recording", "RecordingWarning"]
