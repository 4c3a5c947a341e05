"""The peer's types and functions of views, mjv_..., and rectangles."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._core import MjvCamera as MjvCamera
from .._core import MjvFigure as MjvFigure
from .._core import MjvGeom as MjvGeom
from .._core import MjvGLCamera as MjvGLCamera
from .._core import MjvLight as MjvLight
from .._core import MjvOption as MjvOption
from .._core import MjvPerturb as MjvPerturb
from ..picture.scene import MjvScene as MjvScene
from ._release import IS_LATER


class MjrRect(_core._MjrRect):
    """A rectangle of pixels."""

    __slots__ = ()

    def __new__(cls, left: int, bottom: int, width: int, height: int) -> Any:
        """Return the rectangle of that place and size."""
        rect = super().__new__(cls)
        rect.left, rect.bottom, rect.width, rect.height = left, bottom, width, height
        return rect

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        pass

    def __reduce__(self) -> Any:
        return MjrRect, (self.left, self.bottom, self.width, self.height)


def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """Return the mean of two cameras, with up at right angles to forward."""
    mean = MjvGLCamera()
    _core.mjv_averageCamera_(cam1, cam2, mean)
    return mean


_rows = _core.tables()["visual_functions"]
globals().update({n: getattr(_core, n) for n, *_ in _rows if not n.endswith("_")})
if IS_LATER:
    from ._later_cameras import FUNCTIONS, change_scene

    change_scene()
    globals().update(FUNCTIONS)
else:
    from ._shown import hide_later

    hide_later(MjvGeom, "texid texuniform texrepeat castshadow")
    hide_later(MjvLight, "softness")
__all__ = sorted(name for name in globals() if name.startswith(("Mjv", "Mjr", "mjv_", "mjr_")))  # noqa: PLE0605
