"""Cameras of an exported scene."""

from __future__ import annotations

from typing import Any, NoReturn

from sinew.mujoco._drawing import no_drawing

__all__ = ["USDCamera"]


class USDCamera:
    """A camera of a USD scene."""

    def __init__(self, stage: Any, obj_name: str) -> None:
        raise no_drawing("usd.camera.USDCamera")

    def update(self, cam_pos: Any, cam_mat: Any, frame: int) -> NoReturn:
        """Place it in a picture."""
        raise no_drawing("USDCamera.update")
