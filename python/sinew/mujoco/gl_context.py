"""GLContext as the environment variable MUJOCO_GL asks for it; there is none when that disables drawing."""

import contextlib
import os
import platform
from collections.abc import Iterator
from typing import Any

from sinew.mujoco._release import IS_LATER

_SYSTEM = platform.system()
_DISABLED = ("disable", "disabled", "off", "false", "0")
_ENABLED = ("enable", "enabled", "on", "true", "1", "glfw", "")
_OWN = {"Linux": ("glx", "egl", "osmesa"), "Windows": ("wgl",), "Darwin": ("cgl",)}
_MUJOCO_GL = os.environ.get("MUJOCO_GL", "").lower().strip()
_VALID_MUJOCO_GL = _ENABLED + _OWN.get(_SYSTEM, ())

__all__ = []
if _MUJOCO_GL not in _DISABLED:
    if _MUJOCO_GL not in _VALID_MUJOCO_GL:
        raise RuntimeError(f"invalid value for environment variable MUJOCO_GL: {_MUJOCO_GL}")
    if _SYSTEM == "Linux" and _MUJOCO_GL == "osmesa":
        from sinew.mujoco.osmesa import GLContext
    elif _SYSTEM == "Linux" and _MUJOCO_GL == "egl":
        from sinew.mujoco.egl import GLContext
    elif _SYSTEM == "Darwin":
        from sinew.mujoco.cgl import GLContext
    else:
        from sinew.mujoco.glfw import GLContext
    __all__ = ["GLContext"]


@contextlib.contextmanager
def _as_current(self: Any) -> Iterator[None]:
    """Let it be the one that this thread draws into for a while; then the one before it, or none, is so again."""
    from sinew.draw import bindings

    before = bindings.current() if self._context else None
    if before is not None:
        before.leave()
    try:
        if self._context:
            self.make_current()
        yield
    finally:
        if self._context:
            mine = bindings.current()
            if mine is not None:
                mine.leave()
        if before is not None:
            before.enter()


if IS_LATER and __all__:
    GLContext.as_current = _as_current
