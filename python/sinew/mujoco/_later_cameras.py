"""Functions of cameras that release 4.0 of the peer has beside 3.3.7's, or with other arguments."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import MjvCamera, MjvGeom, MjvGLCamera, MjvLight
from .._types import Data, Model
from ..picture.scene import MjvScene
from ._errors import FatalError

_Array = NDArray[np.float64]


def mjv_camera2GLCamera(m: Model, d: Data, cam: MjvCamera) -> MjvGLCamera:
    """The frame and frustum of a camera, between those of its two eyes."""
    scene = MjvScene()
    _core.mjv_updateCamera(m, d, copy.copy(cam), scene)  # which may move it
    mean = MjvGLCamera()
    _core.mjv_averageCamera_(*scene.camera, mean)
    return mean


def mjv_cameraFrame(
    headpos: _Array | None,
    forward: _Array | None,
    up: _Array | None,
    right: _Array | None,
    d: Data,
    cam: MjvCamera,
) -> None:
    """Write the position of a camera and the directions, world, of its frame (3 each; None: not wanted)."""
    view = mjv_camera2GLCamera(d.model, d, cam)
    for into, value in (
        (headpos, view.pos),
        (forward, view.forward),
        (up, view.up),
        (right, np.cross(view.forward, view.up)),
    ):
        if into is not None:
            into.reshape(3)[...] = value


def mjv_cameraFrustum(
    zver: NDArray[np.float32] | None,
    zhor: NDArray[np.float32] | None,
    zclip: NDArray[np.float32] | None,
    m: Model,
    cam: MjvCamera,
) -> None:
    """Write how far the near face of what a camera sees goes up and down, left and right (0: as wide as the picture
    says), and the distances of the near and far faces (2 each; None: not wanted)."""
    view = mjv_camera2GLCamera(m, Data(m), cam)
    wide, centre = view.frustum_width, view.frustum_center
    for into, value in (
        (zver, (view.frustum_top, -view.frustum_bottom)),
        (zhor, (wide - centre, wide + centre)),
        (zclip, (view.frustum_near, view.frustum_far)),
    ):
        if into is not None:
            into.reshape(2)[...] = value


_FREE = 0  # mjCAMERA_FREE
_TURN_V, _TURN_H = 8, 9  # of mjtMouse, which turn the camera where it is
_STEEPEST = 89.0  # degrees


def _frame(cam: MjvCamera) -> tuple[_Array, _Array]:
    """Where a camera that is free looks, and up; unit vectors, world."""
    azimuth, elevation = np.radians([cam.azimuth, cam.elevation])
    along = np.array([np.cos(azimuth), np.sin(azimuth)])
    forward = [*(np.cos(elevation) * along), np.sin(elevation)]
    return np.array(forward), np.array([*(-np.sin(elevation) * along), np.cos(elevation)])


def _turn(action: int, reldx: float, reldy: float, cam: MjvCamera) -> None:
    """Turn a free camera about where it is, by half a turn for the whole picture."""
    if cam.type != _FREE:
        return
    place = cam.lookat - cam.distance * _frame(cam)[0]
    if action == _TURN_H:
        cam.azimuth -= 180 * reldx
    else:
        cam.elevation = min(max(cam.elevation - 180 * reldy, -_STEEPEST), _STEEPEST)
    cam.lookat[:] = place + cam.distance * _frame(cam)[0]


def mjv_moveCamera(m: Model, action: int, reldx: float, reldy: float, cam: MjvCamera) -> None:
    """Move a camera that is free or tracks a body as a pointer does (mjtMouse)."""
    if action in (_TURN_V, _TURN_H):
        _turn(action, reldx, reldy, cam)
        return
    scene, near = MjvScene(), m.vis.map.znear * m.stat.extent
    forward, up = _frame(cam)
    for eye in scene.camera:
        eye.frustum_near, eye.frustum_far = near, m.vis.map.zfar * m.stat.extent
        eye.frustum_top = near * np.tan(np.radians(m.vis.global_.fovy) / 2)
        eye.frustum_bottom = -eye.frustum_top
        eye.forward[:], eye.up[:] = forward, up
        eye.pos[:] = cam.lookat - cam.distance * forward
    _core.mjv_moveCamera(m, action, reldx, reldy, scene, cam)


# ---- effects of scenes, of which there are two more

_DEPTH = 7  # mjRND_DEPTH, in whose place and behind ours stand others
_PLACES = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]
_POST_PROCESSING = 11


def _flags(scene: MjvScene) -> NDArray[np.uint8]:
    """What effects there are, by mjtRndFlag."""
    held = scene._arrays.get("later_flags")
    if held is None:
        held = scene._arrays["later_flags"] = np.zeros(_POST_PROCESSING + 1, np.uint8)
        held[_PLACES] = scene._effects
        held[_POST_PROCESSING] = 1
    return held


def _set_flags(scene: MjvScene, value: Any) -> None:
    _flags(scene)[...] = value


def _take_flags(scene: MjvScene) -> None:
    flags = _flags(scene)
    if flags[_DEPTH]:
        raise FatalError(
            "mjRND_DEPTH is not in Sinew yet: Renderer.enable_depth_rendering draws depths"
        )
    scene._effects[...] = flags[_PLACES]


def _shown(record: Any) -> str:
    """All members of a struct, by name."""
    names = sorted(n for n in dir(record) if n[0] != "_")
    lines = (f"  {n}: {getattr(record, n)!r}\n" for n in names if not callable(getattr(record, n)))
    return f"<{type(record).__name__}\n{''.join(lines)}>"


def change_scene() -> None:
    """Let scenes, geoms and lights have the effects and members of release 4.0."""
    for shown in (MjvGeom, MjvLight):
        shown.__repr__ = _shown  # type: ignore[method-assign]
    cls: Any = MjvScene
    cls.flags, cls._take_flags = property(_flags, _set_flags, doc=_flags.__doc__), _take_flags


FUNCTIONS = {name: function for name, function in globals().items() if name.startswith("mjv_")}
