"""Flexes: their faces as shapes whose vertices each picture moves, edges and vertices as capsules and balls."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds, solid
from .solid import Solid


def room(model: Any, index: int) -> int:
    """Return how many faces a scene has room for."""
    first, count = int(model.flex_elemadr[index]), int(model.flex_elemnum[index])
    dim, shells = int(model.flex_dim[index]), int(model.flex_shellnum[index])
    if dim == 2:
        return 2 * (count + shells)
    if dim == 3:
        layers = np.asarray(model.flex_elemlayer[first : first + count])
        return max(4 * int(np.bincount(layers).max(initial=0)), shells)
    return 0


def shape(model: Any, index: int) -> Solid | None:
    """Return the faces of a flex, all of them points yet; `vertices` says where they are in a picture."""
    faces = room(model, index)
    if faces < 1:
        return None
    vertices = np.zeros((3 * faces, solid.COLUMNS), np.float32)
    return solid.solid_of_triangles(vertices, np.arange(3 * faces).reshape(-1, 3))


def vertices(scene: Any, index: int, faces: int) -> NDArray[np.float32]:
    """Return the vertices [3 faces, 9] of a flex in a scene; faces that it does not use are points.

    Raises
    ------
    ValueError
        The scene is of another model.
    """
    if index >= scene.nflex or int(scene.flexfacenum[index]) != faces:
        raise ValueError(f"flex {index} of a scene with {scene.nflex}: it is of another model")
    first, used = int(scene.flexfaceadr[index]), int(scene.flexfaceused[index])
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
    points = _slice(scene.flexvert, scene.flexvertadr[index], scene.flexvertnum[index], 3)
    edges = _slice(scene.flexedge, scene.flexedgeadr[index], scene.flexedgenum[index], 2)
    shown = string or not skin
    capsules = edges if shown and (scene.flexedgeopt or (string and skin)) else edges[:0]
    balls = points if shown and scene.flexvertopt else points[:0]
    out = np.full(len(capsules) + len(balls), row)
    out["matid"] = out["texid"] = -1
    out["label"] = b""
    if len(capsules):
        _lay_capsules(out[: len(capsules)], points[capsules[:, 0]], points[capsules[:, 1]])
    here = out[len(capsules) :]
    here["type"], here["pos"] = kinds.SPHERE, balls
    here["size"] = row["size"][0]
    return out


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
