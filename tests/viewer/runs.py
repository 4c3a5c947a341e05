"""Recordings, and viewers that play them."""

import threading

import numpy as np
from worlds import arm

import sinew
from sinew.picture.tracks import Track
from sinew.viewer.managed import Managed
from sinew.viewer.playback import Playback


def record(rows=200, push=0.5, model=None):
    """A recording of an arm, or of another model, that is pushed; and where its bodies were, [rows, nbody, 3]."""
    model = arm()[0] if model is None else model
    data, recorder, places = sinew.Data(model), sinew.Recorder(model), []
    data.ctrl[:] = push
    for _ in range(rows):
        recorder.add(data)
        sinew.step(model, data)
        places.append(data.xpos.copy())  # a step computes them where it began
    return recorder.recording(), np.array(places)


def player(*recordings, names=None, models=None):
    """A viewer that plays recordings, of the models that they hold, and does not run yet."""
    tracks = [
        Track(recording.model() if models is None else models[k], recording)
        for k, recording in enumerate(recordings)
    ]
    datas = [sinew.Data(track.model) for track in tracks]
    names = names or [f"run {k}" for k in range(len(tracks))]
    return Managed(
        tracks[0].model, datas[0], playback=Playback(tracks, datas, names), browser=False
    )


class Running:
    """A viewer that plays in a thread of its own, until the end of a `with` statement."""

    def __init__(self, viewer):
        self.viewer = viewer
        self._thread = threading.Thread(target=viewer.run)

    def __enter__(self):
        self._thread.start()
        return self.viewer

    def __exit__(self, *_):
        self.viewer.close()
        self._thread.join(30)
        assert not self._thread.is_alive()
