"""Structs of assets: textures, materials, meshes, height fields, skins."""

from __future__ import annotations

import operator
import pathlib
from typing import Any

import numpy as np

from ... import _core
from .._enums import WORDS
from .._release import IS_LATER
from .attributes import parts
from .members import cast
from .struct import Classed, Named, Plugged
from .vectors import (
    MemberError,
    MjByteVec,
    MjCharVec,
    MjDoubleVec,
    MjFloatVec,
    MjIntVec,
    MjStringVec,
)

# What the language calls pixels alone, in the order and number that the texture's own attributes say.
_PIXELS = "image/vnd.sinew.pixels"
_GRID = "." * 12 + "\0" * (not IS_LATER)


class MjsTexture(Classed if IS_LATER else Named):  # type: ignore[misc]
    """A texture; pixels in `data` count before a pattern and files."""

    __slots__ = ()
    _home = ("asset", "texture")
    _options = (
        "name type colorspace builtin mark rgb1 rgb2 markrgb random height width nchannel content_type file "
        "gridsize gridlayout cubefiles data hflip vflip info"
    )
    _own: dict[str, Any] = {
        "cubefiles": MjStringVec.of([""] * 6),
        "gridlayout": MjCharVec.of(_GRID),
        "data": MjByteVec.of(b""),
    }
    _sides = ("right", "left", "up", "down", "front", "back")

    def _load(self) -> dict[str, Any]:
        e = self._element
        files = [_core.elementGetText(e, "file" + s) or "" for s in self._sides]
        layout = MjCharVec.of(_GRID)
        if text := _core.elementGetText(e, "gridlayout"):
            layout.assign(MjCharVec.of(text))
        data = MjByteVec.of(self._spec._pixels.get(_core.elementGetText(e, "file"), b""))
        return {"cubefiles": MjStringVec.of(files), "gridlayout": layout, "data": data}

    def _read(self, name: str) -> None:
        super()._read(name)
        hidden = name in ("file", "content_type")
        if hidden and _core.elementGetText(self._element, "content_type") == _PIXELS:
            self._values[name] = self._saved[name] = ""

    def _store(self, values: dict[str, Any]) -> None:
        files = list(values["cubefiles"])
        for side, file in zip(self._sides, files, strict=False):
            _core.elementSetText(self._element, "file" + side, file or None)
        layout = "".join(values["gridlayout"]).rstrip("\0")
        if layout != "." * 12 or _core.elementGetText(self._element, "gridlayout"):
            _core.elementSetText(self._element, "gridlayout", layout)

    def _put(self, name: str, value: Any) -> None:
        kinds = bytes if IS_LATER else bytes | bytearray | MjByteVec
        if name == "data" and not isinstance(value, kinds):
            raise MemberError("data has the wrong type.")
        super()._put(name, value)

    def _apply(self, given: dict[str, Any], options: str | None = None) -> None:
        layout = given.get("gridlayout")
        if IS_LATER and layout is not None:
            if not isinstance(layout, str | list | tuple):
                raise TypeError(
                    "gridlayout must be a string or a list of single-character strings."
                )
            if len(layout) != 12:
                raise ValueError(f"gridlayout should have length 12, got {len(layout)}.")
            if any(not isinstance(c, str) or len(c) != 1 for c in layout):
                raise ValueError("gridlayout list elements must be single characters.")
        super()._apply(given, options)

    def _flush(self) -> None:
        super()._flush()
        pixels = bytes(self._values.get("data", b""))
        if not pixels:
            return
        name = "pixels" + str(self._element.__hash__())
        if self._spec._pixels.get(name) != pixels:
            self._spec._pixels[name] = pixels
        for side in self._sides:
            _core.elementSetText(self._element, "file" + side, None)
        for attribute, text in (("builtin", None), ("file", name), ("content_type", _PIXELS)):
            _core.elementSetText(self._element, attribute, text)


class MjsMaterial(Classed):
    """A material; `textures` names one texture for each role."""

    __slots__ = ()
    _home = ("asset", "material")
    _options = (
        "name textures texuniform texrepeat emission specular shininess reflectance metallic roughness rgba "
        "info"
    )
    _own: dict[str, Any] = {"textures": MjStringVec.of([""] * 10)}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "texture"}

    def _put(self, name: str, value: Any) -> None:
        if IS_LATER and name == "textures" and len(value) != 10:
            raise MemberError(
                f"material.textures must have exactly 10 elements, got {len(value)}: a name for each role, '' where "
                "there is none"
            )
        super()._put(name, value)

    def _load(self) -> dict[str, Any]:
        textures = [""] * 10
        textures[1] = _core.elementGetText(self._element, "texture") or ""
        for layer in parts(self._element):
            word = _core.elementGetText(layer, "role")
            role = next(v for v, w in WORDS["TEXROLE"].items() if w == word)
            textures[role] = _core.elementGetText(layer, "texture") or ""
        return {"textures": MjStringVec.of(textures)}

    def _store(self, values: dict[str, Any]) -> None:
        textures = [*values["textures"], *[""] * 10][:10]
        for layer in parts(self._element):
            _core.elementRemove(layer)
        several = any(t for i, t in enumerate(textures) if i != 1)
        _core.elementSetText(self._element, "texture", textures[1] or None if not several else None)
        for role, word in WORDS["TEXROLE"].items():
            if several and textures[role]:
                layer = _core.elementAdd(self._element, "layer", None)
                _core.elementSetText(layer, "role", word)
                _core.elementSetText(layer, "texture", textures[role])


# Of what is made of it: flexes by `make_flex`, and signed distance fields.
_VOLUME = {"usernode": MjDoubleVec.of([]), "usertet": MjIntVec.of([]), "octree_maxdepth": 6}


class MjsMesh(Classed, Plugged):
    """A mesh."""

    __slots__ = ()
    _home = ("asset", "mesh")
    _options = (
        "name content_type file refpos refquat scale inertia smoothnormal needsdf maxhullvert uservert "
        "usernormal usertexcoord userface userfacenormal userfacetexcoord plugin material info"
    )
    _own: dict[str, Any] = {"needsdf": 0}
    _unused: dict[str, Any] = {
        "userfacenormal": MjIntVec.of([]),
        "userfacetexcoord": MjIntVec.of([]),
        **(_VOLUME if IS_LATER else {}),
    }

    def _shown_name(self) -> str:
        """Its name, or the one that it gets of its file."""
        return self.name or pathlib.PurePath(_core.elementGetText(self._element, "file") or "").stem

    def _load(self) -> dict[str, Any]:
        return {"needsdf": int(_core.specNeedsdf(self._spec._handle, self._shown_name()))}

    def _store(self, values: dict[str, Any]) -> None:
        _core.specSetNeedsdf(self._spec._handle, self._shown_name(), bool(values["needsdf"]))

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

    def _make_lattice(self, shape: str, count: Any, spacing: Any, *dim: int) -> None:
        if np.shape(count) != (3,) or np.shape(spacing) != (3,):
            raise ValueError(f"make_{shape}: count and spacing have three numbers each")
        self._make(shape, [operator.index(n) for n in count], spacing, *dim)


def _later_makers() -> None:
    """Shapes over lattices, which the later release has."""

    def solid(shape: str) -> None:
        def make(self: MjsMesh, count: Any, spacing: Any, dim: int = 3) -> None:
            self._make_lattice(shape, count, spacing, operator.index(dim))

        make.__doc__ = f"A {shape} over a lattice of count (3) points at distances spacing (3); dim 2: its surface."
        _name(make, shape)

    def flat(shape: str) -> None:
        def make(self: MjsMesh, count: Any, spacing: Any) -> None:
            self._make_lattice(shape, count, spacing)

        make.__doc__ = f"A {shape} over a lattice of count (3) points at distances spacing (3)."
        _name(make, shape)

    def _name(make: Any, shape: str) -> None:
        make.__name__ = make.__qualname__ = "make_" + shape
        setattr(MjsMesh, make.__name__, make)

    for shape in ("grid", "box", "cylinder", "ellipsoid"):
        solid(shape)
    for shape in ("square", "disc"):
        flat(shape)


if IS_LATER:
    _later_makers()


class MjsHField(Named):
    """A height field; its rows begin with that of the least y, in a file with that of the largest."""

    __slots__ = ()
    _home = ("asset", "hfield")
    _options = "name content_type file size nrow ncol userdata info"
    _own: dict[str, Any] = {"userdata": MjFloatVec.of([])}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "userdata"}

    def _turned(self, heights: np.ndarray) -> np.ndarray:
        rows = self._get("nrow")
        fits = rows > 0 and heights.size % rows == 0
        return heights.reshape(rows, -1)[::-1].ravel().copy() if fits else heights

    def _load(self) -> dict[str, Any]:
        numbers = np.frombuffer(_core.elementGetNumbers(self._element, "elevation"), np.float64)
        return {"userdata": MjFloatVec.of(self._turned(numbers.copy()))}

    def _store(self, values: dict[str, Any]) -> None:
        heights = self._turned(np.array(values["userdata"], np.float64))
        _core.elementSetNumbers(self._element, "elevation", heights.tobytes())


class MjsSkin(Named):
    """A skin; its bones are rows of several lists."""

    __slots__ = ()
    _home = ("asset", "skin")
    _options = (
        "name file material rgba inflate group vert texcoord face bodyname bindpos bindquat vertid "
        "vertweight info"
    )
    _own: dict[str, Any] = {
        "bodyname": MjStringVec.of([]), "bindpos": MjFloatVec.of([]), "bindquat": MjFloatVec.of([]),
        "vertid": [], "vertweight": [],
    }  # fmt: skip

    def _load(self) -> dict[str, Any]:
        result: dict[str, Any] = {name: [] for name in self._own}
        for bone in parts(self._element):
            result["bodyname"].append(_core.elementGetText(bone, "body") or "")
            for name in ("bindpos", "bindquat", "vertid", "vertweight"):
                row = np.frombuffer(_core.elementGetNumbers(bone, name), np.float64).tolist()
                row = [int(x) for x in row] if name == "vertid" else row
                result[name] += [row] if name.startswith("vert") else row
        return {name: cast(name, value, self._own[name]) for name, value in result.items()}

    def _store(self, values: dict[str, Any]) -> None:
        for bone in parts(self._element):
            _core.elementRemove(bone)
        pos, quat = (np.array(values[n], np.float64) for n in ("bindpos", "bindquat"))
        for i, body in enumerate(values["bodyname"]):
            bone = _core.elementAdd(self._element, "bone", None)
            _core.elementSetText(bone, "body", body)
            rows = {"bindpos": pos[3 * i :][:3], "bindquat": quat[4 * i :][:4]}
            rows |= {name: values[name][i] for name in ("vertid", "vertweight")}
            for name, row in rows.items():
                _core.elementSetNumbers(bone, name, np.asarray(row, np.float64).tobytes())
