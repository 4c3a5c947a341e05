"""What pages may do: a function for each word of theirs, by what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dropping import DROPPING
from .following import FOLLOWING as FOLLOWING
from .following import LEADING
from .keeping import KEEPING
from .looking import LOOKING
from .playing import PLAYING
from .running import RUNNING
from .said import Wrong as Wrong
from .setting import SETTING
from .watching import WATCHING

# each is called with the session of the page and what it said, once there is a model
DEEDS: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    **LOOKING,
    **RUNNING,
    **SETTING,
    **WATCHING,
    **KEEPING,
    **PLAYING,
    **LEADING,
    **DROPPING,
}
