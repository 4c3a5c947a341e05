"""Structs of assets: textures, materials, meshes, height fields, skins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import WORDS
from .attributes import parts
from .struct import Classed, Named


class MjsTexture(Named):
    """A texture."""

    __slots__ = ()
    _own = {"cubefiles": ["", "", "", "", "", ""]}
    _sides = ("right", "left", "up", "down", "front", "back")

    def _load(self) -> dict[str, Any]:
        files = [_core.elementGetText(self._element, "file" + s) or "" for s in self._sides]
        return {"cubefiles": files}

    def _store(self, values: dict[str, Any]) -> None:
        for side, file in zip(self._sides, values["cubefiles"], strict=True):
            _core.elementSetText(self._element, "file" + side, file or None)


class MjsMaterial(Classed):
    """A material; `textures` names one texture for each role."""

    __slots__ = ()
    _own = {"textures": [""] * 10}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "texture"}

    def _load(self) -> dict[str, Any]:
        textures = [""] * 10
        textures[1] = _core.elementGetText(self._element, "texture") or ""
        for layer in parts(self._element):
            word = _core.elementGetText(layer, "role")
            role = next(v for v, w in WORDS["TEXROLE"].items() if w == word)
            textures[role] = _core.elementGetText(layer, "texture") or ""
        return {"textures": textures}

    def _store(self, values: dict[str, Any]) -> None:
        textures = values["textures"]
        for layer in parts(self._element):
            _core.elementRemove(layer)
        several = any(t for i, t in enumerate(textures) if i != 1)
        _core.elementSetText(self._element, "texture", textures[1] or None if not several else None)
        for role, word in WORDS["TEXROLE"].items():
            if several and textures[role]:
                layer = _core.elementAdd(self._element, "layer", None)
                _core.elementSetText(layer, "role", word)
                _core.elementSetText(layer, "texture", textures[role])


class MjsMesh(Classed):
    """A mesh."""

    __slots__ = ()

    def _make(self, shape: str, *params: Any) -> None:
        numbers = np.concatenate([np.atleast_1d(np.asarray(p, np.float64)) for p in params])
        _core.elementSetText(self._element, "builtin", shape)
        _core.elementSetNumbers(self._element, "params", numbers.tobytes())
        self._values.pop("builtin", None)

    def make_sphere(self, subdivision: int) -> None:
        """An icosphere."""
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        """A half sphere."""
        self._make("hemisphere", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        """A cone or prism; radius: that of the top."""
        self._make("cone", nedge, radius)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """A superellipsoid."""
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """A supertoroid."""
        self._make("supertorus", resolution, radius, s, t)

    def make_wedge(self, resolution: Any = (0, 0), fov: Any = (0, 0), gamma: float = 0) -> None:
        """A part of a sphere."""
        self._make("wedge", resolution, fov, gamma)

    def make_plate(self, resolution: Any = (0, 0)) -> None:
        """A flat grid."""
        self._make("plate", resolution)


class MjsHField(Named):
    """A height field; its rows begin with that of the least y, in a file with that of the largest."""

    __slots__ = ()
    _own = {"userdata": np.zeros(0)}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "userdata"}

    def _turned(self, heights: np.ndarray) -> np.ndarray:
        rows = self._get("nrow")
        fits = rows > 0 and heights.size % rows == 0
        return heights.reshape(rows, -1)[::-1].ravel().copy() if fits else heights

    def _load(self) -> dict[str, Any]:
        numbers = np.frombuffer(_core.elementGetNumbers(self._element, "elevation"), np.float64)
        return {"userdata": self._turned(numbers.copy())}

    def _store(self, values: dict[str, Any]) -> None:
        heights = self._turned(values["userdata"])
        _core.elementSetNumbers(self._element, "elevation", heights.tobytes())

    def _cast(self, name: str, value: Any, old: Any) -> Any:
        return np.array(value, np.float64).ravel()


class MjsSkin(Named):
    """A skin; its bones are rows of several lists."""

    __slots__ = ()
    _own: dict[str, Any] = {
        "bodyname": [],
        "bindpos": [],
        "bindquat": [],
        "vertid": [],
        "vertweight": [],
    }

    def _load(self) -> dict[str, Any]:
        result: dict[str, Any] = {name: [] for name in self._own}
        for bone in parts(self._element):
            result["bodyname"].append(_core.elementGetText(bone, "body") or "")
            for name in ("bindpos", "bindquat", "vertid", "vertweight"):
                row = np.frombuffer(_core.elementGetNumbers(bone, name), np.float64).tolist()
                row = [int(x) for x in row] if name == "vertid" else row
                result[name] += [row] if name.startswith("vert") else row
        return result

    def _store(self, values: dict[str, Any]) -> None:
        for bone in parts(self._element):
            _core.elementRemove(bone)
        for i, body in enumerate(values["bodyname"]):
            bone = _core.elementAdd(self._element, "bone", None)
            _core.elementSetText(bone, "body", body)
            rows = {"bindpos": values["bindpos"][3 * i :][:3]}
            rows["bindquat"] = values["bindquat"][4 * i :][:4]
            rows |= {name: values[name][i] for name in ("vertid", "vertweight")}
            for name, row in rows.items():
                _core.elementSetNumbers(bone, name, np.asarray(row, np.float64).tobytes())
