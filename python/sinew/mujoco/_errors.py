"""The peer's exceptions, which are no ValueErrors."""


class FatalError(Exception):
    """The engine cannot go on: memory that is missing, an array that overflows."""


class UnexpectedError(Exception):
    """Something that should not be possible, such as using what has been freed."""


__all__ = ["FatalError", "UnexpectedError"]
