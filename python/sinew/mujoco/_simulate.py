"""The window's own simulation, under the viewer. Making one says that drawing is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["Mutex", "Simulate", "set_glfw_dlhandle"]

_FUNCTIONS = (
    "add_to_history", "clear_figures", "clear_images", "clear_texts", "destroy", "exit", "load", "load_message",
    "load_message_clear", "lock", "render_loop", "set_figures", "set_images", "set_texts", "sync",
    "uiloadrequest_decrement", "update_hfield", "update_mesh", "update_texture",
)  # fmt: skip
_PROPERTIES = (
    "busywait", "ctrl_noise_rate", "ctrl_noise_std", "d", "dropfilename", "droploadrequest", "exitrequest",
    "filename", "load_error", "m", "measured_slowdown", "real_time_index", "refresh_rate", "run", "speed_changed",
    "ui0_enable", "ui1_enable", "uiloadrequest", "viewport",
)  # fmt: skip


class Mutex:
    """Holds a window while what it shows is changed."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> None:
        pass


class Simulate:
    """A window that simulates."""

    MAX_GEOM = 100000

    def __init__(self, scn: Any, cam: Any, opt: Any, pert: Any, is_passive: bool, fn: Any) -> None:
        raise no_drawing("_simulate.Simulate")


def _missing(name: str) -> Callable[..., NoReturn]:
    def function(self: Simulate, *args: object, **keywords: object) -> NoReturn:
        raise no_drawing(f"Simulate.{name}")

    function.__name__, function.__qualname__ = name, f"Simulate.{name}"
    return function


for _name in _FUNCTIONS:
    setattr(Simulate, _name, _missing(_name))
for _name in _PROPERTIES:
    setattr(Simulate, _name, property(_missing(_name)))


def set_glfw_dlhandle(handle: int) -> NoReturn:
    """Tell where GLFW's functions are."""
    raise no_drawing("_simulate.set_glfw_dlhandle")
