"""Functions of macOS that make OpenGL contexts."""

from typing import NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = [
    "CGLChoosePixelFormat",
    "CGLCreateContext",
    "CGLError",
    "CGLLockContext",
    "CGLReleaseContext",
    "CGLReleasePixelFormat",
    "CGLSetCurrentContext",
    "CGLUnlockContext",
]


class CGLError(RuntimeError):
    """What one of the functions returned."""


def _missing(name: str):
    def function(*args: object) -> NoReturn:
        raise no_drawing(f"cgl.{name}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of OpenGL on macOS."
    return function


CGLChoosePixelFormat = _missing("CGLChoosePixelFormat")
CGLCreateContext = _missing("CGLCreateContext")
CGLLockContext = _missing("CGLLockContext")
CGLReleaseContext = _missing("CGLReleaseContext")
CGLReleasePixelFormat = _missing("CGLReleasePixelFormat")
CGLSetCurrentContext = _missing("CGLSetCurrentContext")
CGLUnlockContext = _missing("CGLUnlockContext")
