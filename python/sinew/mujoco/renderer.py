"""Renderer: pictures of a simulation as arrays. Making one says that drawing is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from sinew.mujoco._drawing import no_drawing
from sinew.mujoco._structs import MjData, MjModel

if TYPE_CHECKING:
    from sinew.mujoco import MjvCamera, MjvOption, MjvScene

__all__ = ["Renderer"]


class Renderer:
    """Draws what an MjData holds."""

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: int = 150,
    ) -> None:
        raise no_drawing("Renderer")

    @property
    def model(self) -> MjModel:
        """The model that is drawn."""
        raise no_drawing("Renderer.model")

    @property
    def scene(self) -> MjvScene:
        """What there is to draw."""
        raise no_drawing("Renderer.scene")

    @property
    def height(self) -> int:
        """Rows of a picture."""
        raise no_drawing("Renderer.height")

    @property
    def width(self) -> int:
        """Columns of a picture."""
        raise no_drawing("Renderer.width")

    def enable_depth_rendering(self) -> NoReturn:
        """Let render() give distances from the camera."""
        raise no_drawing("Renderer.enable_depth_rendering")

    def disable_depth_rendering(self) -> NoReturn:
        """Let render() give colours again."""
        raise no_drawing("Renderer.disable_depth_rendering")

    def enable_segmentation_rendering(self) -> NoReturn:
        """Let render() give ids and kinds of objects."""
        raise no_drawing("Renderer.enable_segmentation_rendering")

    def disable_segmentation_rendering(self) -> NoReturn:
        """Let render() give colours again."""
        raise no_drawing("Renderer.disable_segmentation_rendering")

    def render(self, *, out: NDArray | None = None) -> np.ndarray:
        """The picture, (height, width, 3) of uint8 when it is of colours."""
        raise no_drawing("Renderer.render")

    def update_scene(
        self,
        data: MjData,
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> NoReturn:
        """Take the poses of `data`, as `camera` sees them, into the scene."""
        raise no_drawing("Renderer.update_scene")

    def close(self) -> None:
        """Free what it holds, which is nothing."""

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
