"""The pool of threads under `sinew.mujoco.rollout`."""

from .._core import Rollout

__all__ = ["Rollout"]
