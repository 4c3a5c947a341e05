"""Flexes of a page: of which vertices their faces are, which the page moves as bodies move.

A corner of a face is a number, 4 vertex + 2 flat + back. It stands a radius away from the vertex, along the normal there
or if `back` against it, and its own normal is that, or if `flat` that of its face. These are the faces of skins; those of
elements alone are a radius away from them, along their normals. Both are in the order in which scenes have them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ..._core import MjvCamera, MjvOption, MjvPerturb
from ..._types import Data, Model
from ...draw import flexes, instances, kinds
from ...picture.scene import MjvScene

Faces = NDArray[np.int32]

EDGES, FACES, SKIN = 25, 26, 27  # mjtVisFlag
_ALL = 7  # mjCAT_ALL
_BACK, _FLAT, _VERTEX = 1, 2, 4
_OF_TETRAHEDRON = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
_OF_TRIANGLE = np.array([(0, 1), (1, 2), (2, 0)])


def of_page(model: Model, data: Data, numbers: list[int]) -> tuple[list[Any], dict[str, NDArray]]:
    """Return words about shapes of flexes by their numbers (draw.flexes), and arrays."""
    if not numbers:
        return [], {}
    arrays: dict[str, NDArray] = {
        "flex_body": np.asarray(model.flex_vertbodyid, np.int32),
        "flex_vert": np.asarray(model.flex_vert, np.float32),
    }
    for flex in {flexes.parts(number)[0] for number in numbers}:
        arrays[f"flex_{flex}_bounds"] = _bounds(model, flex).astype(np.int32)
    for name, flag in (("skin", SKIN), ("face", FACES)):
        textures = _textures(model, data, flag)
        for number in numbers:
            corners = _skin(model, number) if flag == SKIN else _faces(model, number)
            arrays[f"flex_{number}_{name}"] = corners.astype(np.int32).ravel()
            arrays[f"flex_{number}_{name}_texture"] = textures[number]
    return [_words(model, number) for number in numbers], arrays


def _words(model: Model, number: int) -> dict[str, Any]:
    flex = flexes.parts(number)[0]
    first, count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
    radius = float(model.flex_radius[flex])
    return {"number": number, "flex": flex, "first": first, "count": count, "radius": radius}


def _textures(model: Model, data: Data, flag: int) -> dict[int, NDArray[np.float32]]:
    """Return the texture coordinates [corners, 2] of shapes of flexes, by their numbers."""
    option, scene = MjvOption(), MjvScene(model, 20000)
    option.flexgroup[:] = 1
    for k in range(24, 28):
        option.flags[k] = k == flag
    _core.mjv_updateScene(model, data, option, MjvPerturb(), MjvCamera(), _ALL, scene)
    rooms = flexes.Rooms(model)
    found = flexes.moved(rooms, scene, instances.scene_rows(scene))
    return {number: np.ascontiguousarray(rows[:, 7:9]) for number, rows in found}


def _elements(model: Model, flex: int) -> Faces:
    corners = int(model.flex_dim[flex]) + 1
    first, count = int(model.flex_elemdataadr[flex]), corners * int(model.flex_elemnum[flex])
    return np.asarray(model.flex_elem[first : first + count]).reshape(-1, corners)


def _shells(model: Model, flex: int) -> Faces:
    dim = int(model.flex_dim[flex])
    first, count = int(model.flex_shelldataadr[flex]), dim * int(model.flex_shellnum[flex])
    return np.asarray(model.flex_shell[first : first + count]).reshape(-1, dim)


def _bounds(model: Model, flex: int) -> Faces:
    """Return the triangles of which normals at vertices are means."""
    return _elements(model, flex) if model.flex_dim[flex] == 2 else _shells(model, flex)


def _shells_of(model: Model, flex: int, here: NDArray[np.bool_]) -> Faces:
    """Return shells that are sides of some elements."""
    elements, shells = _elements(model, flex), _shells(model, flex)
    if here.all() or not len(shells):
        return shells
    side = _OF_TRIANGLE if model.flex_dim[flex] == 2 else _OF_TETRAHEDRON
    sides = np.concatenate([elements[:, side].reshape(-1, side.shape[1]), shells])
    _, known = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    known = known.reshape(-1)
    owner = np.zeros(len(sides), np.int64)
    last_first = np.arange(len(elements) * len(side))[::-1]
    owner[known[last_first]] = last_first // len(side)
    return shells[here[owner[known[len(sides) - len(shells) :]]]]


def _skin(model: Model, number: int) -> Faces:
    """Return the corners [n, 3] of the faces of a skin."""
    flex, _ = flexes.parts(number)
    here = flexes.elements_of(model, number)
    shells = _shells_of(model, flex, here)
    flat = _FLAT if model.flex_flatskin[flex] else 0
    if model.flex_dim[flex] == 3:
        return _VERTEX * shells + flat
    front = _VERTEX * _elements(model, flex)[here] + flat
    both = np.stack([front, front[:, [0, 2, 1]] + _BACK], axis=1).reshape(-1, 3)
    a, b = (_VERTEX * shells + _FLAT).T
    strips = np.stack([a, b + _BACK, b, b + _BACK, a, a + _BACK], axis=1).reshape(-1, 3)
    return np.concatenate([both, strips])


def _faces(model: Model, number: int) -> Faces:
    """Return the corners [n, 3] of the faces of elements, of tetrahedra those of the outermost layer."""
    flex, _ = flexes.parts(number)
    here = flexes.elements_of(model, number)
    elements = _elements(model, flex)
    if model.flex_dim[flex] == 2:
        front = _VERTEX * elements[here]
        return np.stack([front, front[:, [0, 2, 1]]], axis=1).reshape(-1, 3)
    first = int(model.flex_elemadr[flex])
    here = here & (np.asarray(model.flex_elemlayer[first : first + len(elements)]) == 0)
    return _VERTEX * elements[here][:, _OF_TETRAHEDRON].reshape(-1, 3)


def spelled_out(rows: NDArray, scene: Any) -> tuple[NDArray, NDArray[np.bool_]]:
    """Return rows of geoms, those of edges and vertices of flexes behind them, and which these are."""
    out = flexes.spelled_out(rows, scene)
    return out, np.arange(len(out)) >= len(rows)


def faces_of(rows: NDArray) -> NDArray[np.bool_]:
    """Say which geoms are faces of flexes."""
    return rows["type"] == kinds.FLEX
