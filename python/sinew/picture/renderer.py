"""Pictures of a simulation as arrays."""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import MjvCamera, MjvOption
from .._enums import ObjType  # type: ignore[attr-defined]
from .._types import Data, Model
from . import view
from .pixels import side
from .scene import MjvScene
from .stage import Stage

_ALL = 7  # mjCAT_ALL
_FREE, _FIXED = 0, 2  # mjCAMERA_FREE and mjCAMERA_FIXED
_SEGMENT = slice(7, 9)  # mjRND_SEGMENT and mjRND_IDCOLOR of mjtRndFlag


class Renderer:
    """Draws what a Data holds: colours, distances from the camera, or which object each pixel shows.

    It draws into an OpenGL context of its own, which needs no screen, and which all Renderers of a thread share.

    Parameters
    ----------
    model : Model
        What is drawn.
    height, width : int
        Rows and columns of a picture.
    max_geom : int
        Most shapes of a picture; what is beyond is left out.
    font_scale : int
        Size of text in percent.
    quality : str, optional
        None: as model.vis.quality says; "fast": shadow maps of 1024, one sample a pixel, no reflections;
        "fine": shadow maps of 4096, four samples, reflections.
    stage : bool
        A floor just below the first picture's lowest point, a light and a sky, each where the model has none of its own: a
        geom and a light of the scene, no part of the model.

    Examples
    --------
    >>> with sinew.Renderer(model) as renderer:
    ...     renderer.update_scene(data)
    ...     picture = renderer.render()
    """

    _stage: Stage | None = None
    _drawing: Any = None

    def __init__(
        self,
        model: Model,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: int = 150,
        *,
        quality: str | None = None,
        stage: bool = False,
    ) -> None:
        self._closed = True
        self._height, self._width = side("height", height), side("width", width)
        for name, size in (("height", self._height), ("width", self._width)):
            if size < 1:
                raise ValueError(f"{name} is {size}: a picture has at least one pixel")
        self._open(model, max_geom, font_scale, quality, (self._width, self._height))
        if stage:
            self._set(Stage(model))

    def _open(self, model: Model, max_geom: int, font_scale: int, quality: Any, size: Any) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"model is a Model, not {type(model).__name__}")
        self._model = model
        self._depth_rendering = self._segmentation_rendering = False
        self._scene = MjvScene(model, max_geom)
        self._scene_option = MjvOption()
        drawing = view.drawing().Drawing(model, quality, size, view.drawing("context").own())
        self._hold(drawing, operator.index(font_scale))
        self._closed = False

    def _hold(self, drawing: Any, font_scale: int) -> None:
        """Keep what draws, with text of a size in percent."""
        drawing.write_with(view.drawing("text").Text.nearest(font_scale))
        self._drawing = drawing

    def _live(self) -> Any:
        """Return what draws."""
        return self._drawing

    def _set(self, stage: Stage) -> None:
        drawing = self._live()
        with drawing.context:
            stage.build(drawing)
        self._stage = stage

    @property
    def model(self) -> Model:
        """The model that is drawn."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """What there is to draw."""
        return self._scene

    @property
    def height(self) -> int:
        """Rows of a picture."""
        return self._height

    @property
    def width(self) -> int:
        """Columns of a picture."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """Let render() give distances from the camera, in metres along its axis."""
        self._depth_rendering, self._segmentation_rendering = True, False

    def disable_depth_rendering(self) -> None:
        """Let render() give colours again."""
        self._depth_rendering = False

    def enable_segmentation_rendering(self) -> None:
        """Let render() give ids and types of objects."""
        self._depth_rendering, self._segmentation_rendering = False, True

    def disable_segmentation_rendering(self) -> None:
        """Let render() give colours again."""
        self._segmentation_rendering = False

    # ---- the scene

    def _camera(self, camera: Any) -> Any:
        """Return the MjvCamera of a name or number."""
        if isinstance(camera, MjvCamera):
            return camera
        count = self._model.ncam
        if isinstance(camera, str):
            number = _core.name2id(self._model, ObjType.CAMERA, camera)
            if number == -1:
                raise ValueError(f'The camera "{camera}" does not exist.')
        else:
            number = camera
            if not isinstance(number, int | float | np.number):
                kind = type(camera).__name__
                raise TypeError(f"camera is a name, a number or a MjvCamera, not {kind}")
            if number < -1 or number >= count:
                raise ValueError(f"The camera id {number} is out of range [-1, {count}).")
        made = MjvCamera()
        made.fixedcamid = operator.index(number)
        if number == -1:
            made.type = _FREE
            _core.mjv_defaultFreeCamera(self._model, made)
        else:
            made.type = _FIXED
        return made

    def update_scene(
        self,
        data: Data,
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> None:
        """Take the poses of `data`, as `camera` sees them, into the scene.

        Parameters
        ----------
        data : Data
            Of a simulation of the model.
        camera : int, str or MjvCamera
            Number or name of a camera of the model, -1: one that sees all, or a camera of the caller's.
        scene_option : MjvOption, optional
            What is shown.
        """
        option = self._scene_option if scene_option is None else scene_option
        eye = self._camera(camera)
        _core.mjv_updateScene(self._model, data, option, None, eye, _ALL, self._scene)
        if self._stage is not None:
            self._stage.add(self._scene, data, option)

    # ---- pictures

    def _shape(self) -> tuple[tuple[int, ...], Any]:
        size = (self._height, self._width)
        if self._depth_rendering:
            return size, np.float32
        return ((*size, 2), np.int32) if self._segmentation_rendering else ((*size, 3), np.uint8)

    def _out(self, out: Any) -> NDArray:
        """Return the array for a picture, the caller's if that can take it."""
        shape, dtype = self._shape()
        if out is None:
            return np.empty(shape, dtype)
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out is an array, not {type(out).__name__}")
        if out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}, the picture {shape}")
        if not np.can_cast(dtype, out.dtype, "safe"):
            raise TypeError(
                f"out is of {out.dtype}, which cannot take a picture of {np.dtype(dtype)}"
            )
        return out

    def render(self, *, out: NDArray | None = None) -> NDArray:
        """Draw the scene and return the picture, the highest row first.

        Parameters
        ----------
        out : array, optional
            Where the picture is written, instead of a new array.

        Returns
        -------
        array
            Colours [height, width, 3] of uint8; distances [height, width] of float32; or id and type of the object
            (mjtObj) of each pixel, [height, width, 2] of int32, -1 where there is none.
        """
        if self._closed:
            raise RuntimeError("render cannot be called after close.")
        out = self._out(out)
        drawing = self._live()
        whole = (0, 0, self._width, self._height)
        with drawing.context:
            picture = drawing.targets.current = drawing.targets.offscreen
            self._draw(drawing, whole)
            if self._depth_rendering:
                pixels = self._distances(picture.depths(*whole))
            elif self._segmentation_rendering:
                pixels = self._objects(picture.colours(*whole))
            else:
                pixels = picture.colours(*whole)
        np.copyto(out, pixels[::-1])
        return out

    def _draw(self, drawing: Any, rect: tuple[int, int, int, int]) -> None:
        """Draw the scene, by numbers of objects where depths or objects are wanted: those have no mean in a pixel."""
        self._scene._take_flags()
        flags = self._scene._effects
        before = flags.copy()
        if self._depth_rendering or self._segmentation_rendering:
            flags[_SEGMENT] = 1
        try:
            drawing.render(rect, self._scene)
        finally:
            flags[:] = before

    def _distances(self, depth: NDArray[np.float32]) -> NDArray[np.float32]:
        """Turn depths, 1 at the near plane and 0 at the far one, to metres along the camera's axis; in place."""
        eye = self._scene.camera[0]
        near, far = eye.frustum_near, eye.frustum_far
        depth *= far - near
        if eye.orthographic:
            return np.subtract(far, depth, out=depth)
        depth += near
        return np.divide(near * far, depth, out=depth)

    def _objects(self, colours: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Turn colours, which are numbers of shapes, to ids and types of objects."""
        number = np.zeros((*colours.shape[:2], 4), np.uint8)
        number[..., :3] = colours
        number = number.view("<u4")[..., 0]
        rows = self._scene._geom_rows[: self._scene.ngeom]
        seen = rows["segid"] >= 0
        table = np.full((max(number.max(), rows["segid"].max(initial=0) + 1) + 1, 2), -1, np.int32)
        table[rows["segid"][seen] + 1, 0] = rows["objid"][seen]
        table[rows["segid"][seen] + 1, 1] = rows["objtype"][seen]
        return table[number]

    # ---- the end

    def close(self) -> None:
        """Free what it holds."""
        self._closed = True
        drawing, self._drawing = self._drawing, None
        if drawing is not None:
            drawing.release()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None:
        self.close()

    def __del__(self, ended: Any = sys.is_finalizing) -> None:  # by then modules are empty
        drawing, self._drawing = self._drawing, None
        self._closed = True
        if drawing is not None and not ended():
            drawing.abandon()
