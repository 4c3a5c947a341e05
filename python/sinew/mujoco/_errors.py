"""The peer's exceptions, which are no ValueErrors."""

from .._fatal import FatalError


class UnexpectedError(Exception):
    """Something that should not be possible, such as using what has been freed."""


__all__ = ["FatalError", "UnexpectedError"]
