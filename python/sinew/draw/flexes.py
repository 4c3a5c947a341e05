"""Flexes: their faces as shapes whose vertices each picture moves, edges and vertices as capsules and balls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from . import kinds, solid
from .solid import Solid

_SLICE = 1 << 24  # numbers of shapes of flexes are below, those of their slices above


def numbers(rows: NDArray) -> NDArray[np.int64]:
    """Return the numbers of the shapes of geoms [n] that are flexes, or slices of one material of a flex."""
    index, part = (np.maximum(rows[name].astype(np.int64), -1) for name in ("objid", "dataid"))
    return np.where(index < 0, -1, index + (part + 1) * _SLICE)


def parts(number: int) -> tuple[int, int]:
    """Return the flex and the slice of a number; slice -1: all of it."""
    return number % _SLICE, number // _SLICE - 1


def elements_of(model: Any, number: int) -> NDArray[np.bool_]:
    """Say which elements of its flex are in the shape of a number."""
    index, part = parts(number)
    first, count = int(model.flex_elemadr[index]), int(model.flex_elemnum[index])
    return np.ones(count, bool) if part < 0 else _slices(model, first, count) == part


def room(model: Any, number: int) -> int:
    """Return how many faces there may be in the shape of a number."""
    index, part = parts(number)
    if not 0 <= index < model.nflex:
        return 0
    dim, shells = int(model.flex_dim[index]), int(model.flex_shellnum[index])
    here = elements_of(model, number)
    sides = shells if part < 0 else min(shells, (dim + 1) * int(here.sum()))
    if dim == 2:
        return 2 * (int(here.sum()) + sides)
    if dim == 3:
        first = int(model.flex_elemadr[index])
        layers = np.asarray(model.flex_elemlayer[first : first + len(here)])[here]
        return max(4 * int(np.bincount(layers).max(initial=0)), sides)
    return 0


class Rooms(dict[int, int]):
    """How many faces there may be in shapes, by their numbers, as `room` finds once for each."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def __missing__(self, number: int) -> int:
        self[number] = room(self.model, number)
        return self[number]


def _slices(model: Any, first: int, count: int) -> NDArray[np.int64]:
    """Return the slice of each element of a flex: how many materials there are before its own."""
    materials = np.asarray(_core.Model.flex_matid.__get__(model))[first : first + count]
    _, before, which = np.unique(materials, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(before))[which.reshape(-1)]


def shape(model: Any, number: int) -> Solid | None:
    """Return the faces of a flex or a slice, all of them points yet; `moved` says where they are in a picture."""
    faces = room(model, number)
    if faces < 1:
        return None
    vertices = np.zeros((3 * faces, solid.COLUMNS), np.float32)
    return solid.solid_of_triangles(vertices, np.arange(3 * faces).reshape(-1, 3))


def moved(rooms: Rooms, scene: Any, rows: NDArray) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yield the shapes that geoms of a scene have: their numbers, and where their vertices are, as `vertices`."""
    drawn = rows[rows["type"] == kinds.FLEX]
    found, first = np.unique(numbers(drawn), return_index=True)
    for number, row in zip(found.tolist(), drawn[first], strict=True):
        if faces := rooms[number]:
            yield number, vertices(scene, row, faces)


def vertices(scene: Any, row: Any, faces: int) -> NDArray[np.float32]:
    """Return the vertices [3 faces, 9] of a geom that is a flex or a slice; faces that it does not use are points.

    Raises
    ------
    ValueError
        The scene is of another model.
    """
    index = int(row["objid"])
    here = index < scene.nflex and int(scene.flexfacenum[index]) or 0
    if faces > here or (row["dataid"] < 0 and faces != here):
        raise ValueError(f"flex {index} of a scene with {scene.nflex}: it is of another model")
    first, used = int(scene.flexfaceadr[index]), int(scene.flexfaceused[index])
    if row["dataid"] >= 0:
        begin, count = (int(n) for n in row["size"][1:])
        first, used = first + begin, max(0, min(count, used - begin, faces))
    out = np.zeros((3 * faces, solid.COLUMNS), np.float32)
    if used < 1:
        return out
    at = slice(first, first + used)
    out[: 3 * used, 0:3] = np.reshape(scene.flexface, (-1, 9))[at].reshape(-1, 3)
    out[: 3 * used, 4:7] = np.reshape(scene.flexnormal, (-1, 9))[at].reshape(-1, 3)
    out[: 3 * used, 7:9] = np.reshape(scene.flextexcoord, (-1, 6))[at].reshape(-1, 2)
    out[3 * used :, 0:3] = out[0, 0:3]
    return out


def spelled_out(rows: NDArray, scene: Any) -> NDArray:
    """Return the rows of geoms of a scene, behind them those of edges and vertices of flexes that it shows.

    A skin hides both, but of strings, which have none.
    """
    flexes = np.flatnonzero(rows["type"] == kinds.FLEX)
    more = [_parts(rows[i], scene) for i in flexes if 0 <= rows["objid"][i] < scene.nflex]
    if not sum(map(len, more)):
        return rows
    out = np.zeros(len(rows) + sum(map(len, more)), rows.dtype)  # np.concatenate would pack it
    at = len(rows)
    out[:at] = rows
    for part in more:
        out[at : at + len(part)] = part
        at += len(part)
    return out


def _parts(row: Any, scene: Any) -> NDArray:
    """Return capsules of the edges and balls of the vertices of a flex."""
    index = int(row["objid"])
    string, skin = int(scene.flexfacenum[index]) == 0, bool(scene.flexskinopt)
    points = _things(row, scene, "vert", 3)
    edges = _things(row, scene, "edge", 2)
    shown = string or not skin
    capsules = edges if shown and (scene.flexedgeopt or (string and skin)) else edges[:0]
    balls = points if shown and scene.flexvertopt else points[:0]
    out = np.full(len(capsules) + len(balls), row)
    out["matid"] = out["texid"] = -1
    out["label"] = b""
    if len(capsules):
        every = _slice(scene.flexvert, scene.flexvertadr[index], scene.flexvertnum[index], 3)
        _lay_capsules(out[: len(capsules)], every[capsules[:, 0]], every[capsules[:, 1]])
    here = out[len(capsules) :]
    here["type"], here["pos"] = kinds.SPHERE, balls
    here["size"] = row["size"][0]
    return out


def _things(row: Any, scene: Any, name: str, width: int) -> NDArray:
    """Return vertices or edges of a flex, or those of a slice of it."""
    first, count = (getattr(scene, f"flex{name}{k}")[int(row["objid"])] for k in ("adr", "num"))
    found = _slice(getattr(scene, f"flex{name}"), first, count, width)
    if row["dataid"] < 0:
        return found
    of = _slice(_core.sceneArray(scene, f"flex{name}slice"), first, count, 1)
    return found[of[:, 0] == row["dataid"]]


def _slice(array: Any, first: Any, count: Any, width: int) -> NDArray:
    return np.reshape(array, (-1, width))[int(first) : int(first) + int(count)]


def _lay_capsules(out: NDArray, begin: NDArray, end: NDArray) -> None:
    """Write types, sizes and poses of capsules from one end to another."""
    way = np.asarray(end - begin, float)
    length = np.linalg.norm(way, axis=1)
    z = np.divide(
        way, length[:, None], out=np.tile([0.0, 0, 1], (len(way), 1)), where=length[:, None] > 0
    )
    side = np.where(np.abs(z[:, :1]) < 0.7, [1.0, 0, 0], [0.0, 1, 0])
    x = np.cross(side, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    out["type"], out["pos"] = kinds.CAPSULE, (begin + end) / 2
    out["size"][:, 1], out["size"][:, 2] = out["size"][:, 0], length / 2
    out["mat"] = np.stack([x, np.cross(z, x), z], axis=2)
