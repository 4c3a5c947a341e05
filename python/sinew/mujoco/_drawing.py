"""What draws is not in Sinew yet: its names are there, and say so when called."""

from __future__ import annotations

from typing import NoReturn


def no_drawing(name: str) -> NotImplementedError:
    """The exception of something that would draw, to be raised."""
    return NotImplementedError(
        f"{name}: drawing is not in Sinew yet. Simulate without it (no render, no viewer; "
        "MUJOCO_GL=disable), or draw saved states with MuJoCo"
    )


class Context:
    """An OpenGL context; making one says what is missing."""

    def __init__(self, max_width: int, max_height: int) -> None:
        raise no_drawing(f"{type(self).__module__.rpartition('.')[2]}.{type(self).__name__}")

    def make_current(self) -> NoReturn:
        """Make it the one that is drawn into."""
        raise no_drawing("GLContext.make_current")

    def free(self) -> None:
        """Free what it holds, which is nothing."""

    def __del__(self) -> None:
        self.free()
