"""Boxes about what is drawn: what of it a view shows, and what planes hide of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Rect = tuple[int, int, int, int]  # left, bottom, width, height

ENDLESS = 1e20  # half the side of a box about what may be anywhere
_FAR = 1e6  # heights over a plane: as far away as an eye whose rays are parallel
_FLAT = 1e-5  # of the distance of an eye from a plane: what reaches no farther behind it is on it

_LINE = 8  # how much z moves at most, but of lines, which end where their instance says
_OF_SIDES = np.array([0, 0, 0, 1, 1, 1, 0], float)

_WIDER = 0.01  # part of a region by which it is taken larger on each side

# ends of the edges of clip space that lead from near to far: first the near ones
_EDGES = np.array([[x, y, z, 1] for z in (1, 0) for x in (-1, 1) for y in (-1, 1)], float).T
# signs of the corners of a box
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def sides(view: NDArray) -> NDArray[np.float64]:
    """Return the planes [6, 4] about what a view (the matrix to its clip space) shows: points inside are above."""
    return np.concatenate([view[3] + view[:2], view[3] - view[:2], view[2:3], view[3:] - view[2]])


def overlap(one: Rect, other: Rect) -> Rect:
    """Return what is in two rectangles."""
    first = np.maximum(one[:2], other[:2])
    last = np.minimum(np.add(one[:2], one[2:]), np.add(other[:2], other[2:]))
    return (*first.tolist(), *np.maximum(last - first, 0).tolist())


def narrowed(view: NDArray, part: Rect, size: tuple[int, int]) -> NDArray[np.float64]:
    """Return the matrix of a view that shows a part of what another shows in so many pixels."""
    half = np.maximum(part[2:], 1) / np.asarray(size, float)
    middle = (2 * np.asarray(part[:2]) + part[2:]) / size - 1
    out = view.copy()
    out[:2] = (view[:2] - middle[:, None] * view[3]) / half[:, None]
    return out


def about(vertices: NDArray) -> NDArray[np.float64]:
    """Return what `Geometry.boxes` says of vertices [n, 9]: middle, half sides, how much z moves by the half length."""
    return about_pieces((vertices,), np.zeros(1, int))[0] if len(vertices) else np.zeros(7)


def about_pieces(corners: tuple[NDArray, ...], begins: NDArray) -> NDArray[np.float64]:
    """Return what `about` says of pieces of a shape, whose faces' corners [n, 9] are; each piece begins where one ends."""
    low = np.minimum.reduce([c[:, :3] for c in corners])
    high = np.maximum.reduce([c[:, :3] for c in corners])
    low, high = np.minimum.reduceat(low, begins), np.maximum.reduceat(high, begins)
    moves = np.maximum.reduceat(np.maximum.reduce([np.abs(c[:, 3]) for c in corners]), begins)
    out = np.zeros((len(begins), 7))
    lines = moves > _LINE
    low, high = low.astype(float), high.astype(float)
    out[:, :3], out[:, 3:6], out[:, 6] = 0.5 * (low + high), 0.5 * (high - low), moves
    out[lines] = ENDLESS * _OF_SIDES
    return out


class Boxes:
    """Boxes about parts of a picture.

    middle : array [n, 3]; arms : array [n, 3, 3], whose columns lead from the middle to the middles of three sides.
    """

    def __init__(self, middle: NDArray, arms: NDArray) -> None:
        self.middle, self.arms = middle, arms

    @classmethod
    def of(cls, parts: Any, data: NDArray, shapes: Any) -> Boxes:
        """Return the boxes about parts of a picture, by the columns of their instances and their shapes."""
        rows, box = data[parts.place], shapes.boxes[parts.shape]
        pose, scale = rows[:, :12].reshape(-1, 3, 4).astype(float), rows[:, 12:16].astype(float)
        half = box[:, 3:6] * np.abs(scale[:, :3])
        half[:, 2] += box[:, 6] * np.abs(scale[:, 3])
        turn = pose[:, :, :3]
        middle = pose[:, :, 3] + (turn @ (box[:, :3] * scale[:, :3])[:, :, None])[:, :, 0]
        return cls(middle, turn * half[:, None, :])

    def __len__(self) -> int:
        return len(self.middle)

    def taken(self, which: NDArray) -> Boxes:
        """Return some of them."""
        return Boxes(self.middle[which], self.arms[which])

    def joined(self, other: Boxes) -> Boxes:
        """Return them and others."""
        return Boxes(
            np.concatenate([self.middle, other.middle]), np.concatenate([self.arms, other.arms])
        )

    def reach(self, view: NDArray) -> NDArray[np.bool_]:
        """Say which [n] reach into what a view shows."""
        return (self.along(sides(view))[1] >= 0).all(axis=1)

    def along(self, planes: NDArray) -> tuple[NDArray, NDArray]:
        """Return how far [n, k] they are at least and at most above planes [k, 4]."""
        above = self.middle @ planes[:, :3].T + planes[:, 3]
        spread = np.abs(planes[:, :3] @ self.arms).sum(axis=2)
        return above - spread, above + spread

    def window(self, view: NDArray, size: tuple[int, int]) -> Rect:
        """Return the part of a picture of some pixels that they can be in, by the matrix that leads to it."""
        rows = view[[0, 1, 3]]
        middle, arms = self.middle @ rows[:, :3].T + rows[:, 3], rows[:, :3] @ self.arms
        at = middle[:, None] + _CORNERS @ arms.transpose(0, 2, 1)
        at = at[(at[:, :, 2] > 0).any(axis=1)].reshape(-1, 3)
        if not len(at):
            return 0, 0, 0, 0
        if at[:, 2].min() <= 0:
            return 0, 0, *size
        pixels = (0.5 + 0.5 * at[:, :2] / at[:, 2:]) * size
        first = np.clip(np.floor(pixels.min(axis=0)) - 1, 0, size).astype(int)
        last = np.clip(np.ceil(pixels.max(axis=0)) + 1, 0, size).astype(int)
        return (*first.tolist(), *np.maximum(last - first, 0).tolist())


class Cover:
    """A plane with an eye before it, which hides what is behind it.

    Parameters
    ----------
    geom : int
        Row of the plane in the scene.
    row : structured scalar
        This row.
    half : array [2]
        Half the sides of the plane as it is drawn.
    endless : array [2]
        Whether it has no end there: it is drawn up to where the eye sees.
    eye : array [3]
        Where it is seen from.
    along : array [3] or None
        The direction of rays of sight that are parallel.
    """

    def __init__(
        self, geom: int, row: Any, half: NDArray, endless: NDArray, eye: NDArray, along: Any
    ) -> None:
        self.geom, self.half = geom, half
        self._reach = np.where(endless, np.inf, half)
        self.turn = np.asarray(row["mat"], float).reshape(3, 3)
        self.place = np.asarray(row["pos"], float)
        self.eye = (eye - self.place) @ self.turn
        self.height = float(self.eye[2])
        self._flat = _FLAT * abs(self.height)
        if along is not None:
            self.eye = self.eye - _FAR * self.height * (along @ self.turn)
        self._sides = np.concatenate([self.turn.T, -(self.place @ self.turn)[:, None]], axis=1)

    def before(self, reach: float) -> bool:
        """Say whether the eye is before it, by more than its near plane reaches."""
        return self.height > reach and self.eye[2] > 0

    def lit(self, light: Any, parallel: bool) -> bool:
        """Say whether a light is before it, too."""
        if parallel:
            return bool(np.asarray(light.dir) @ self.turn[:, 2] < 0)
        return bool((np.asarray(light.pos) - self.place) @ self.turn[:, 2] > 0)

    def hide(
        self, boxes: Boxes, view: NDArray | None = None
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say which boxes [n] are behind it, and of which nothing is seen behind it.

        `view` : the matrix to the clip space of what else must show a point for it to count as seen.
        """
        low, high = boxes.along(self._sides)
        # where the lines from the eye to the corners behind the plane go through it; none is farther out in between
        deep = np.minimum(np.stack([low[:, 2], high[:, 2]], axis=1), 0)
        share = (self.eye[2] / (self.eye[2] - deep))[:, :, None, None]
        ends = np.stack([low[:, :2], high[:, :2]], axis=1)
        if view is not None:
            ends = np.clip(ends, *self._region(view, deep.min(initial=-self._flat)))
        through = self.eye[:2] + share * (ends[:, None] - self.eye[:2])
        over = (np.abs(through) <= self._reach).all(axis=(1, 2, 3))
        return high[:, 2] < -self._flat, over | (low[:, 2] >= -self._flat)

    def meets(self, start: NDArray, end: NDArray, reach: float) -> NDArray[np.bool_]:
        """Say which lines of sight [n], from the near plane to the far one, end at it no farther away than `reach`."""
        start, along = (start - self.place) @ self.turn, (end - start) @ self.turn
        down = along[:, 2] < -_FLAT * np.linalg.norm(along, axis=1)
        at = start - along * (start[:, 2] / np.where(down, along[:, 2], -1))[:, None]
        near = np.linalg.norm(at - self.eye, axis=1) < reach
        return down & near & (np.abs(at[:, :2]) < self.half).all(axis=1)

    def _region(self, view: NDArray, deepest: float) -> tuple[NDArray, NDArray]:
        """Return the least and the largest x and y [2] behind it, down to a depth, of what a view shows."""
        ends = np.linalg.inv(view) @ _EDGES
        near, far = ((end[:3] / end[3]).T for end in np.split(ends, 2, axis=1))
        start, along = (near - self.place) @ self.turn, (far - near) @ self.turn
        if (along[:, 2] > -_FLAT * np.linalg.norm(along, axis=1)).any():  # an edge hardly goes down
            return np.full(2, -np.inf), np.full(2, np.inf)
        steps = (np.array([0, deepest]) - start[:, 2:]) / along[:, 2:]
        at = start[:, None, :2] + steps[:, :, None] * along[:, None, :2]
        low, high = at.min(axis=(0, 1)), at.max(axis=(0, 1))
        return low - _WIDER * (high - low), high + _WIDER * (high - low)
