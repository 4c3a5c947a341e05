"""The exception of a function under MuJoCo's name that cannot go on; the extension raises it."""


class FatalError(Exception):
    """The engine cannot go on: memory that is missing, an array that overflows."""

    __module__ = "sinew.mujoco._errors"  # where programs find it
