"""A viewer that simulates, in a thread, and what a page says to it without a browser."""

import json
import threading

from test_handle import kinds, page, until

import sinew
from sinew.viewer import drops
from sinew.viewer.managed import Managed

PIECE = 60000


class Lasting(Managed):
    """A viewer that does not end with its last page: on a slow machine the next one comes late."""

    def _hear(self, message):
        if message["do"] != "end":
            super()._hear(message)


class Simulating:
    """A viewer that simulates by itself, until it is closed.

    Parameters
    ----------
    model : Model
    source : Source, optional
    empty : bool
    data : Data, optional
    """

    def __init__(self, model, source=None, empty=False, data=None):
        data = sinew.Data(model) if data is None else data
        sinew.forward(model, data)
        self.viewer = Lasting(model, data, source, empty, browser=False)
        self._thread = threading.Thread(target=self.viewer.run)
        self._thread.start()

    def page(self):
        """A page of it."""
        return page(self.viewer)

    def page_of(self, which):
        """A further picture of a page."""
        return page(self.viewer, which)

    @property
    def loading(self):
        """What it says of the models that it loads."""
        return self.viewer._loading

    def settled(self):
        """Wait until nothing is loaded; return what is said about it."""
        until(lambda: not self.loading.words["busy"])
        with self.viewer._lock:  # what was loaded is shown
            return self.loading.words["told"]

    def goes_on(self):
        """Wait until it has simulated on."""
        model, time = self.viewer.m, self.viewer.d.time
        until(lambda: self.viewer.m is not model or self.viewer.d.time != time)
        assert self.viewer.m is model and self._thread.is_alive()

    def close(self):
        self.viewer.close()
        self._thread.join()


def send(socket, drop):
    """Send a drop as a page does; return what is said against it."""
    socket.send(json.dumps({"do": "drop", "bytes": len(drop), "upload": 1}))
    words, _ = kinds(socket, "drop")
    if "refused" in words:
        return words["refused"]
    for at in range(0, len(drop), PIECE):
        socket.send(drop[at : at + PIECE])
    while words.get("taken") != len(drop):
        words, _ = kinds(socket, "drop")
        if "refused" in words:
            return words["refused"]
    return None


def drop_files(simulating, socket, files):
    """Drop files, and wait until they are loaded or refused; return what is said about it."""
    before = simulating.loading.words["told"]  # each answer brings a list of its own
    assert send(socket, drops.pack_drop(files)) is None
    until(lambda: simulating.loading.words["told"] is not before)
    return simulating.settled()
