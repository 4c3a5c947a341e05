"""Pictures of a model in one look, size and kind: colours, distances or objects."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import MjvCamera
from .._types import Data, Model
from .looks import Look
from .pixels import side

Pixels = NDArray[np.uint8]
MOST_PIXELS = 1 << 25  # a picture of 4 samples a pixel then takes a gigabyte


def depth_colours(distance: NDArray, nearest: float, farthest: float, horizon: float) -> Pixels:
    """Return distances [height, width] as greys that fall evenly with 1/distance, as seen with two eyes.

    White is at `nearest`, dark at `farthest`; from `horizon` on it is black.
    """
    nearness = 1 / np.maximum(distance, 1e-9)
    near, far = 1 / max(nearest, 1e-9), 1 / max(farthest, 1e-9)
    part = (nearness - far) / max(near - far, 1e-12)
    grey = np.where(distance < horizon, 48 + 207 * np.clip(part, 0, 1), 0)
    return np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2)


def segment_colours(objects: NDArray) -> Pixels:
    """Return ids and types [height, width, 2] as colours, one for each object; black is the background."""
    width = int(objects[..., 0].max(initial=0)) + 2
    codes = (objects[..., 1].astype(np.int64) + 1) * width + objects[..., 0] + 1
    found, places = np.unique(codes, return_inverse=True)
    # hues by the golden ratio: neighbours in number are far apart in colour
    table = [
        tuple(round(255 * c) for c in colorsys.hsv_to_rgb(code * 0.618033988749895 % 1, 0.65, 0.95))
        if code
        else (0, 0, 0)
        for code in found.tolist()
    ]
    return np.array(table, np.uint8)[places.reshape(codes.shape)]


class Artist:
    """Draws simulations of a model, each as its data stands, from one camera and in one look.

    Parameters
    ----------
    model : Model
    width, height : int
        Pixels.
    camera : int or MjvCamera
        A camera of the model, -1 for the default view.
    look : Look
        What shows.
    quality : str or None
        "fast", "fine", or None as the model says.
    kind : str
        "colour", "depth" or "segmentation".
    room : int, optional
        Most shapes of a picture; None: enough.
    stage : bool
        Floor, light and sky, each where the model has none of its own.

    Raises
    ------
    ValueError
        The size is none that can be drawn.
    ImportError, RuntimeError
        Packages of the extra, or OpenGL, are not there.
    """

    def __init__(
        self,
        model: Model,
        width: int,
        height: int,
        camera: int | MjvCamera = -1,
        look: Look | None = None,
        quality: str | None = "fine",
        kind: str = "colour",
        room: int | None = None,
        stage: bool = False,
    ) -> None:
        from .renderer import Renderer

        width, height = side("width", width), side("height", height)
        if width < 1 or height < 1 or width * height > MOST_PIXELS:
            raise ValueError(
                f"no picture of {width} x {height}: 1 to {MOST_PIXELS} pixels can be drawn (8192 x 4096)"
            )
        self.camera, self.look, self.kind = camera, look or Look(), kind
        if room is None:  # flags add to the model's own shapes
            room = 10_000 + 8 * (model.ngeom + model.nsite + model.nbody + model.njnt + model.nskin)
        self._renderer = Renderer(model, height, width, max_geom=room, quality=quality, stage=stage)
        for flag, on in self.look.render_flags.items():
            self._renderer.scene._effects[flag] = on
        visual: Any = model.vis.map
        self._horizon = 0.999 * visual.zfar * model.stat.extent
        self._range: tuple[float, float] | None = None
        if kind == "depth":
            self._renderer.enable_depth_rendering()
        elif kind == "segmentation":
            self._renderer.enable_segmentation_rendering()

    def numbers(self, data: Data, camera: int | MjvCamera | None = None) -> NDArray[Any]:
        """Draw, and return colours, distances in metres, or ids and types of objects, as `Renderer.render`."""
        eye = self.camera if camera is None else camera
        self._renderer.update_scene(data, eye, self.look.option)
        return self._renderer.render()

    def pixels(self, data: Data, camera: int | MjvCamera | None = None) -> Pixels:
        """Draw, and return colours [height, width, 3]; distances keep the scale of the first picture."""
        found = self.numbers(data, camera)
        if self.kind == "depth":
            if self._range is None:
                seen = found[found < self._horizon]
                self._range = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
            return depth_colours(found, *self._range, self._horizon)
        return segment_colours(found) if self.kind == "segmentation" else found

    def close(self) -> None:
        """Free what it holds of OpenGL."""
        self._renderer.close()

    def __enter__(self) -> Artist:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
