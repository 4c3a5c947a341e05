"""Renderer: pictures of a simulation as arrays, with the peer's checks and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from sinew.mujoco._context import MjrContext
from sinew.mujoco._enums import ENUMS
from sinew.mujoco._release import IS_LATER
from sinew.mujoco._structs import MjModel
from sinew.mujoco._visual import MjrRect
from sinew.picture import renderer
from sinew.picture.pixels import side

if TYPE_CHECKING:
    from sinew.mujoco import mjtFontScale

__all__ = ["Renderer"]

_FONT_150 = ENUMS["mjtFontScale"].mjFONTSCALE_150


def _refuse_larger(name: str, size: int, most: int, breaks: tuple[str, str]) -> None:
    if size > most:
        raise ValueError(
            f"Image {name} {size} > framebuffer {name} {most}. Either reduce the{breaks[0]}image{breaks[1]}{name} "
            f"or specify a larger offscreen framebuffer in the model XML using{breaks[0]}the{breaks[1]}clause:\n"
            f'<visual>\n  <global off{name}="my_{name}"/>\n</visual>'
        )


class Renderer(renderer.Renderer):
    """Draws what an MjData holds."""

    _mjr_context: MjrContext | None = None
    _gl_context = None  # the drawing keeps it

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: mjtFontScale = _FONT_150,
    ) -> None:
        self._closed = True
        visual = model.vis.global_
        _refuse_larger("width", width, visual.offwidth, (" ", "\n"))
        _refuse_larger("height", height, visual.offheight, ("\n", " "))
        self._height, self._width = side("height", height), side("width", width)
        self._rect = MjrRect(0, 0, self._width, self._height)
        self._open(model, max_geom, font_scale.value, None, None)

    def _hold(self, drawing: Any, font_scale: int) -> None:
        self._mjr_context = MjrContext._of(drawing, font_scale)

    def _live(self) -> Any:
        return self._mjr_context._live()

    def close(self) -> None:
        """Free what it holds."""
        self._closed = True
        context, self._mjr_context = self._mjr_context, None
        if context is not None:
            context.free()

    def __del__(self) -> None:
        self._closed, self._mjr_context = True, None  # which frees what it holds as it goes

    def _out(self, out: Any) -> NDArray:
        if out is None:
            return super()._out(None)
        if IS_LATER and self._segmentation_rendering:
            return super()._out(out)
        shape = (
            (self._height, self._width) if self._depth_rendering else (self._height, self._width, 3)
        )
        if self._segmentation_rendering and out.shape == shape:
            return super()._out(None)  # the peer draws into it and returns an array of its own
        if out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using depth rendering, "
                "the out array should be of shape `(width, height)` and otherwise (width, height, 3). Got "
                f"`(self.height, self.width)={(self._height, self._width)}` and "
                f"`self._depth_rendering={self._depth_rendering}`."
            )
        return super()._out(out)
