"""Messages by topics of release 4.0: MjLogConfig says where they go. Of the topics, compilations tell; warnings are Python's."""

from __future__ import annotations

import datetime
from typing import Any

from .. import _core
from . import _load
from ._enums import ENUMS
from ._release import IS_LATER
from ._user import warn

__all__ = ["MjLogConfig", "MjLogMessage"] if IS_LATER else []

_MOST = 1023  # bytes of a name of a file
# Names of stages in the text of a compilation, and what is none of them.
_STAGES = {
    "MESH_LOAD": "load",
    "MESH_HULL": "hull",
    "MESH_POLYGON": "polygon",
    "MESH_INERTIA": "inertia",
    "MESH_BVH": "bvh",
    "MESH_OCTREE": "octree",
    "TEXTURE": "texture",
}


class MjLogConfig:
    """Where messages go, and which topics of mjtLogTopic have any.

    Attributes
    ----------
    logto_console, logto_file : bool
        Print, and append to a file.
    logfile : str
        Name of the file.
    topics : int
        1 << (topic - 1) for each topic.
    """

    __slots__ = ("_logfile", "_logto_console", "_logto_file", "_topics")

    def __init__(self) -> None:
        self._logto_console = self._logto_file = False
        self._logfile, self._topics = "", 0

    @staticmethod
    def get() -> MjLogConfig:
        """Return what holds now, a copy."""
        return _CURRENT._copied()

    def set(self) -> None:
        """Let this hold from now on; later changes to it do not."""
        global _CURRENT
        _CURRENT = self._copied()

    def _copied(self) -> MjLogConfig:
        copy = MjLogConfig()
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    __copy__ = _copied

    def __deepcopy__(self, memo: dict) -> MjLogConfig:
        return self._copied()

    @property
    def logto_console(self) -> bool:
        """Whether messages are printed."""
        return self._logto_console

    @logto_console.setter
    def logto_console(self, value: Any) -> None:
        self._logto_console = bool(value)

    @property
    def logto_file(self) -> bool:
        """Whether messages are appended to the file."""
        return self._logto_file

    @logto_file.setter
    def logto_file(self, value: Any) -> None:
        self._logto_file = bool(value)

    @property
    def logfile(self) -> str:
        """Name of the file."""
        return self._logfile

    @logfile.setter
    def logfile(self, value: str | bytes) -> None:
        if not isinstance(value, str | bytes):
            raise TypeError(f"logfile must be a str, not {type(value).__name__}")
        name = value if isinstance(value, str) else value.decode()
        if len(name.encode()) > _MOST or "\0" in name:
            raise ValueError(f"logfile must have at most {_MOST} bytes and no null character")
        self._logfile = name

    @property
    def topics(self) -> int:
        """Bits of the topics that have messages."""
        return self._topics

    @topics.setter
    def topics(self, value: int) -> None:
        if not hasattr(value, "__index__") or not -(2**31) <= value.__index__() < 2**31:
            raise TypeError(f"topics must be an int of 32 bits, not {value!r}")
        self._topics = value.__index__()


class MjLogMessage:
    """A message: its level and topic, subject and body, and where it is from."""

    __slots__ = ("body", "file", "func", "level", "line", "subject", "timestamp", "topic")

    def __init__(self) -> None:
        self.body: str | None = None
        self.file: str | None = None
        self.func: str | None = None
        self.level = self.topic = self.line = 0
        self.subject, self.timestamp = "", False


_CURRENT = MjLogConfig()
_CURRENT._logto_console = _CURRENT._logto_file = True
_CURRENT._logfile = "MUJOCO_LOG.TXT"


def _tell(topic: str, text: str) -> None:
    """Give a message to where it goes, if its topic is on."""
    bit = 1 << (int(ENUMS["mjtLogTopic"].__members__[f"mjTOPIC_{topic}"]) - 1)
    if not _CURRENT.topics & bit:
        return
    if _CURRENT.logto_console:
        print(f"INFO: {text}\n")
    if _CURRENT.logto_file:
        date = datetime.datetime.now().strftime("%a %b %e %H:%M:%S %Y")
        try:
            with open(_CURRENT.logfile, "a", encoding="utf-8") as file:
                file.write(f"INFO {date}: {text}\n\n")
        except OSError as error:
            warn(f"MjLogConfig.logfile cannot be written: {error}")


def _tell_compilation(handle: Any) -> None:
    if not _CURRENT.topics:
        return
    seconds = memoryview(_core.specTimes(handle)).cast("d")
    members = ENUMS["mjtCTimer"].__members__
    times = {name: 1e3 * seconds[int(members[f"mjCTIMER_{name}"])] for name in ("TOTAL", "ASSETS", *_STAGES)}  # fmt: skip
    rows = [("total:", times["TOTAL"]), ("assets:", times["ASSETS"])]
    rows += [(f"  {word}:", times[name]) for name, word in _STAGES.items()]
    rows.append(("other:", times["TOTAL"] - times["ASSETS"]))
    lines = (f"  {name:<12}{value:7.1f}" for name, value in rows)
    _tell("TIME_CMP", "compile time (ms)\n" + "\n".join(lines))


if IS_LATER:
    _load.compiled.append(_tell_compilation)
    for _cls in (MjLogConfig, MjLogMessage):
        _cls.__module__ = "sinew.mujoco._structs"
