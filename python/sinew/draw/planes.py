"""Planes of a model: how large those without end are drawn, and the grid of vertices at which they are lit.

The peer cuts a plane into cells of twice its spacing, and one without end into 200 x 200 cells about the eye. Their
number far away hardly shows, as light hardly differs from one cell to the next there; so cells of planes without end
are as the peer's near the eye, and grow with the distance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds
from .quality import Quality
from .solid import Solid

CELLS = 100  # most cells from the middle to an edge
_MARGIN = 1.05  # of the distance of the far plane that a plane without end reaches
_RGB = 1  # mjTEXROLE_RGB
# cells from the middle where the grid of an endless plane has lines, and in pictures that are drawn fast
_LINES = np.concatenate([np.arange(20), np.arange(20, 40, 2), np.arange(40, 101, 5)])
_FEW_LINES = np.array([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100])
_FEW = 16  # about as many cells from the middle to an edge has another plane then


class Planes:
    """The planes of a model, by the dataid of their geoms.

    half : array [n, 2] of half their sides as they are drawn; step : array [n, 2] of the sides of their cells.
    """

    def __init__(self, model: Any, quality: Quality) -> None:
        self.few = quality.few_cells
        geoms = np.flatnonzero(np.asarray(model.geom_type) == kinds.PLANE)
        size = np.asarray(model.geom_size, float)[geoms].reshape(-1, 3)
        reach = self._reach = _MARGIN * model.vis.map.zfar * model.stat.extent
        repeat = _repeats(model, geoms)
        # of a plane without end the pattern of its texture must go on where the plane is moved along with the eye
        unit = np.where(repeat > 0, 2 / np.where(repeat > 0, repeat, 1), reach / (CELLS - 1))
        self.endless = size[:, :2] <= 0
        self.half = np.where(self.endless, reach + unit, size[:, :2])
        step = 2 * np.broadcast_to(size[:, 2:], self.half.shape)
        fine = step * CELLS <= self.half
        step = np.where(fine, self.half / (CELLS - 1), step)
        self.step = np.where(self.endless, self.half / CELLS, step)

    def add_endless(self) -> int:
        """Add a plane without end that the model has not; returns the dataid of its geoms."""
        half = np.full((1, 2), self._reach * CELLS / (CELLS - 1))
        self.endless = np.concatenate([self.endless, np.ones((1, 2), bool)])
        self.half = np.concatenate([self.half, half])
        self.step = np.concatenate([self.step, half / CELLS])
        return len(self) - 1

    def __len__(self) -> int:
        return len(self.half)

    def lines(self, index: int, axis: int) -> NDArray[np.float64]:
        """Return where a plane's grid has lines along an axis."""
        half, step = self.half[index, axis], self.step[index, axis]
        if self.endless[index, axis]:
            side = (_FEW_LINES if self.few else _LINES) * step
        else:
            count = int(half / step) + 2
            skip = max(1, count // _FEW) if self.few else 1
            side = np.minimum(np.arange(0, count + skip, skip) * step, half)
        return np.unique(np.concatenate([-side, side]))

    def solid(self, index: int) -> Solid | None:
        """Return a plane as it is drawn, of its real size; None: the model has no such plane."""
        if not 0 <= index < len(self) or not np.isfinite(self.half[index]).all():
            return None
        x, y = self.lines(index, 0), self.lines(index, 1)
        vertices = np.zeros((len(y), len(x), 9))
        vertices[..., 0], vertices[..., 1] = x, y[:, None]
        vertices[..., 6] = 1
        vertices[..., 7:] = vertices[..., :2]
        return _grid(vertices)


def _grid(vertices: NDArray) -> Solid:
    """Return the shape of a grid of vertices [r, c, 9] whose faces are drawn column by column."""
    index = np.arange(vertices.shape[0] * vertices.shape[1]).reshape(vertices.shape[:2])
    corners = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.stack([corner.T for corner in corners], axis=-1).reshape(-1, 4)
    return Solid(vertices.reshape(-1, 9).astype(np.float32), faces.astype(np.uint32))


def _repeats(model: Any, geoms: NDArray) -> NDArray[np.float64]:
    """Return how often the textures of geoms [n] repeat across two units of length, [n, 2]; 0: they have none."""
    material = np.asarray(model.geom_matid)[geoms]
    out = np.zeros((len(geoms), 2))
    dressed = np.flatnonzero(material >= 0)
    if len(dressed):
        dressed = dressed[model.mat_texid[material[dressed], _RGB] >= 0]
    out[dressed] = np.asarray(model.mat_texrepeat)[material[dressed]]
    return out
