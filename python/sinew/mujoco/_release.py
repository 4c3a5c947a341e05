"""Which release of the peer these names are of: one in a process, chosen before they are imported.

SINEW_MUJOCO chooses it; `python -m sinew.run --mujoco 4.0` and `import sinew.as_mujoco4` set that.
"""

from __future__ import annotations

from typing import NamedTuple

from .._in_place import FIRST, chosen


class Release(NamedTuple):
    """A release of the peer.

    Attributes
    ----------
    version : str
        `mujoco.__version__`.
    number : int
        `mjVERSION_HEADER`.
    """

    version: str
    number: int


_RELEASES = {"3.3.7": Release("3.3.7", 337), "4.0": Release("4.0.1", 4000001)}

SILENT = chosen()  # what a model means that does not say it
RELEASE = _RELEASES[SILENT]
IS_LATER = SILENT != FIRST
