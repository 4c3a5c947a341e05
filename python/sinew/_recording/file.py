"""Files of recordings: which kind one is, and writing whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from .._output import Output
from . import npy, text

if TYPE_CHECKING:
    from .._types import Model
    from .recording import Recording

MCAP = b"\x89MCAP0\r\n"
# What else may be given by mistake.
_OTHERS = {
    b"PK\x03\x04": "it is a zip archive (.npz?), not a recording; give an .npy, .csv or .mcap",
    b"\x89SNB\r\n": "it is a compiled model, not a recording; give an .npy, .csv or .mcap",
    b"#ROSBAG": "it is a bag of ROS 1; convert it to .mcap (mcap convert)",
    b"SQLite f": "it is a database (a bag of ROS 2?); convert it to .mcap (ros2 bag convert)",
    b"<mujoco": "it is a model, not a recording; give an .npy, .csv or .mcap",
}


def read(cls: type[Recording], path: str, topic: str | None) -> Recording:
    """The recording in a file."""
    _refuse_devices(path)
    with open(path, "rb") as stream:
        start = stream.read(4096)
    for magic, message in _OTHERS.items():
        if start.startswith(magic):
            raise ValueError(f"{path}: {message}")
    if not start:
        raise ValueError(f"{path}: the file is empty")
    if start.startswith(MCAP) or (len(start) < len(MCAP) and MCAP.startswith(start)):
        from . import mcap_read

        recording = mcap_read.read(cls, path, topic)
    elif topic is not None:
        raise ValueError(f"{path}: it has no topics, as it is no .mcap; leave out topic {topic!r}")
    elif start.startswith(npy.NPY) or (len(start) < len(npy.NPY) and npy.NPY.startswith(start)):
        recording = npy.read(cls, path)
    elif b"\0" in start:
        raise ValueError(f"{path}: not a recording: neither .npy nor .mcap, and no text for a .csv")
    else:
        recording = text.read(cls, path)
    if not recording.unfinished and ".part" in os.path.basename(path):
        recording.unfinished = "it is what a run had written when it ended, or has so far"
    return recording


def save(recording: Recording, path: str, model: Model | None) -> None:
    """Write a recording; its name says as what."""
    if path.endswith(".npy"):
        with writing(path) as stream:
            npy.write(recording, stream)
    elif path.endswith(".mcap"):
        from . import mcap_format, mcap_write

        mcap_format.library()
        with writing(path) as stream:
            mcap_write.write(recording, stream, model)
    else:
        raise ValueError(f"{path}: a recording is saved as FILE.npy or FILE.mcap")


@contextlib.contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """A file on its way: written beside its place, and there when it is whole; else nothing of it stays."""
    output = Output(path)
    try:
        with output.blamed(), open(output.part, "wb") as stream:
            yield stream
    except BaseException:
        output.drop()
        raise
    output.keep()


def _refuse_devices(path: str) -> None:
    """A pipe that nobody writes to would be waited for."""
    mode: Any = os.stat(path).st_mode if os.path.exists(path) else None
    if mode is None and os.path.exists(path + ".part"):
        raise FileNotFoundError(
            2, f"no such file, but {path}.part is there, what an unfinished run has left", path
        )
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "a folder, not a recording", path)
    if mode is not None and not stat.S_ISREG(mode):
        raise OSError(22, "not a regular file", path)
