"""A simulation exported as USD."""

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["generate_usd_trajectory"]


def generate_usd_trajectory(local_args: Any) -> NoReturn:
    """Simulate a model and export it."""
    raise no_drawing("usd.demo.generate_usd_trajectory")
