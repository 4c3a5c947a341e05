"""Structs of the peer for the elements of bodies and assets: what all of them share, and each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .fields import ENUMS, WORDS, Struct, keep

_ORIENT, _LIGHT = ENUMS["mjtOrientation"], ENUMS["mjtLightType"]
_FORMS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class MjsOrientation:
    """An orientation in another form than a quaternion; `type` says which form counts."""

    __slots__ = ("axisangle", "euler", "type", "xyaxes", "zaxis")

    def __init__(self) -> None:
        object.__setattr__(self, "type", _ORIENT.mjORIENTATION_QUAT)
        for name, size in _FORMS.items():
            object.__setattr__(self, name, np.zeros(size))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FORMS:
            value = np.array(value, np.float64).ravel()
            if value.size != _FORMS[name]:
                raise ValueError(f"{name} should be a list/array of size {_FORMS[name]}.")
        elif name == "type":
            value = _ORIENT(value)
        object.__setattr__(self, name, value)

    def copy(self) -> MjsOrientation:
        """A copy."""
        result = MjsOrientation()
        for name in self.__slots__:
            setattr(result, name, getattr(self, name))
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsOrientation) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]

    def _load(self, element: Any) -> None:
        for name in _FORMS:
            numbers = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
            if numbers.size == _FORMS[name]:
                setattr(self, name, numbers)
                self.type = _ORIENT["mjORIENTATION_" + name.upper()]


def quaternion(orientation: MjsOrientation, degree: bool, sequence: str) -> np.ndarray:
    """The quaternion of an orientation."""
    quat, unit = np.array([1.0, 0, 0, 0]), np.pi / 180 if degree else 1.0
    form = orientation.type.name.removeprefix("mjORIENTATION_").lower()
    if form == "axisangle":
        axis, angle = orientation.axisangle[:3], orientation.axisangle[3]
        _core.axisAngle2Quat(quat, axis / np.linalg.norm(axis), angle * unit)
    elif form == "zaxis":
        _core.quatZ2Vec(quat, orientation.zaxis)
    elif form == "euler":
        _core.euler2Quat(quat, orientation.euler * unit, sequence)
    elif form == "xyaxes":
        x, y = orientation.xyaxes[:3], orientation.xyaxes[3:]
        x = x / np.linalg.norm(x)
        y = y - x * (x @ y)
        y = y / np.linalg.norm(y)
        _core.mat2Quat(quat, np.column_stack([x, y, np.cross(x, y)]).ravel())
    return quat


def _load_orientation(element: Any, quat: str, alt: str) -> dict[str, Any]:
    orientation = MjsOrientation()
    orientation._load(element)
    result: dict[str, Any] = {alt: orientation}
    numbers = np.frombuffer(_core.elementGetNumbers(element, "quat"), np.float64)
    if numbers.size == 4:
        result[quat] = numbers.copy()
    return result


def _store_orientation(element: Any, quat: np.ndarray, alt: MjsOrientation) -> None:
    name = alt.type.name.removeprefix("mjORIENTATION_").lower()
    value = quat if name == "quat" else getattr(alt, name)
    for other in _FORMS:
        if other != name:
            _core.elementSetText(element, other, None)
    _core.elementSetNumbers(element, name, value.tobytes())


class Named(Struct):
    """A struct with a name."""

    __slots__ = ()
    _infos: dict[Any, str] = {}

    @property
    def name(self) -> str:
        """Its name, "" when it has none."""
        return _core.elementGetText(self._element, "name") or ""

    @name.setter
    def name(self, value: str) -> None:
        _core.elementSetText(self._element, "name", value or None)

    @property
    def info(self) -> str:
        """A note of the program; it has no effect."""
        return self._spec._infos.get(self._element, "")

    @info.setter
    def info(self, value: str) -> None:
        self._spec._infos[self._element] = str(value)

    @property
    def id(self) -> int:
        """Its id in the model of the last compilation, -1 before."""
        return _core.elementInfo(self._element)[2]

    def _apply(self, given: dict[str, Any]) -> None:
        """Set members from the keywords of an add function."""
        for prefix, alt in (("", "alt"), ("i", "ialt")):
            forms = [f for f in _FORMS if prefix + f in given]
            if not forms or alt not in self._own:
                continue
            if len(forms) > 1:
                names = ", ".join(prefix + f for f in _FORMS)
                raise ValueError(f"Only one of: {names} can be set.")
            orientation = getattr(self, alt)
            setattr(orientation, forms[0], given.pop(prefix + forms[0]))
            orientation.type = _ORIENT["mjORIENTATION_" + forms[0].upper()]
        for name, value in given.items():
            known = name in ("name", "info", "childclass") or self._has(name)
            if not known:
                options = ", ".join(["name", *self._own, *self._fields(), "info"])
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {options}.")
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<sinew.mujoco.{type(self).__name__} '{self.name}'>"


class Classed(Named):
    """A struct that takes its first values from a default class."""

    __slots__ = ()
    _class_attribute = "class"

    @property
    def classname(self) -> Any:
        """Its default class."""
        name = _core.elementGetText(self._element, self._class_attribute)
        body = self._element
        while not name and body is not None:
            if _core.elementInfo(body)[0] in ("body", "frame"):
                name = _core.elementGetText(body, "childclass")
            body = _core.elementInfo(body)[3]
        return self._spec.find_default(name or "main") or self._spec.default

    @classname.setter
    def classname(self, value: Any) -> None:
        if _core.elementInfo(self._element)[0] == "freejoint":
            return  # nothing of it comes from a class
        self._hold_all()
        _core.elementSetText(self._element, self._class_attribute, value.name)
        self._release_all()

    def _hold_all(self) -> None:
        """Keep all values of now, before a change of classes."""
        for name in (*self._fields(), *self._own):
            self._get(name)

    def _release_all(self) -> None:
        for name in self._fields():
            self._refresh(name, self._values[name])
        if self._own:
            self._store({k: self._values[k] for k in self._own})
            for name in self._own:
                self._saved[name] = keep(self._values[name])


class InBody(Classed):
    """A struct of an element that stands in a body."""

    __slots__ = ()

    @property
    def parent(self) -> Any:
        """The body that it belongs to."""
        element = self._element
        while True:
            element = _core.elementInfo(element)[3]
            if element is None:
                return None
            if _core.elementInfo(element)[0] in ("body", "worldbody"):
                return self._spec._struct(element)

    @property
    def frame(self) -> Any:
        """The frame that it stands in, None: directly in the body."""
        parent = _core.elementInfo(self._element)[3]
        if parent is None or _core.elementInfo(parent)[0] != "frame":
            return None
        return self._spec._struct(parent)

    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""
        _core.elementMove(self._element, frame._element)


class Placed(InBody):
    """A struct with an orientation."""

    __slots__ = ()
    _own = {"quat": np.array([1.0, 0, 0, 0]), "alt": MjsOrientation()}

    def _load(self) -> dict[str, Any]:
        return _load_orientation(self._element, "quat", "alt")

    def _store(self, values: dict[str, Any]) -> None:
        _store_orientation(self._element, values["quat"], values["alt"])

    def _cast(self, name: str, value: Any, old: Any) -> Any:
        if isinstance(old, MjsOrientation):
            return value.copy()
        return super()._cast(name, value, old)


class MjsGeom(Placed):
    """A geom."""

    __slots__ = ()


class MjsCamera(Placed):
    """A camera."""

    __slots__ = ()


class MjsJoint(InBody):
    """A joint; a free joint made by `add_freejoint` is one, too."""

    __slots__ = ()
    _free = {"type": ENUMS["mjtJoint"].mjJNT_FREE, "axis": (0, 0, 1), "pos": (0, 0, 0)}

    def __getattr__(self, name: str) -> Any:
        if name in self._free and _core.elementInfo(self._element)[0] == "freejoint":
            return self._free[name]
        return super().__getattr__(name)


class MjsLight(InBody):
    """A light; `directional` in a file is an older way to write its type."""

    __slots__ = ()
    _own = {"type": _LIGHT.mjLIGHT_SPOT}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "type"}

    def _load(self) -> dict[str, Any]:
        if directional := _core.elementGetText(self._element, "directional"):
            return {"type": _LIGHT(int(directional == "true"))}
        word = _core.elementGetText(self._element, "type")
        return {"type": next(_LIGHT(v) for v, w in WORDS["mjtLightType"].items() if w == word)}

    def _store(self, values: dict[str, Any]) -> None:
        word = WORDS["mjtLightType"][int(values["type"])]
        _core.elementSetText(self._element, "directional", None)
        if _core.elementGetText(self._element, "directional"):  # of its class; it cannot have both
            word = "true" if values["type"] else "false"
            _core.elementSetText(self._element, "directional", word)
        else:
            _core.elementSetText(self._element, "type", word)


class Holder(Placed):
    """What can get copies of other specs: frames and sites."""

    __slots__ = ()

    def _target(self) -> Any:
        return self._element

    def attach_body(self, body: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
        """Attach a copy of another spec's body; returns the copy."""
        return self._spec._attach(self._target(), body._spec, body._element, prefix, suffix)


class MjsSite(Holder):
    """A site."""

    __slots__ = ()

    def _target(self) -> Any:
        self._flush()
        frame = _core.elementAdd(_core.elementInfo(self._element)[3], "frame", None)
        _core.elementSetNumbers(frame, "pos", _core.elementGetNumbers(self._element, "pos"))
        _store_orientation(frame, self.quat, self.alt)
        return frame


class MjsFrame(Holder):
    """A frame."""

    __slots__ = ()

    @property
    def childclass(self) -> str:
        """Default class of what is inside."""
        return _core.elementGetText(self._element, "childclass") or ""

    @childclass.setter
    def childclass(self, value: Any) -> None:
        _core.elementSetText(self._element, "childclass", getattr(value, "name", value) or None)


# ---- assets and settings of a model


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
    _roles = ("user", "rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive",
              "rgba", "orm")  # fmt: skip

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "texture"}

    def _load(self) -> dict[str, Any]:
        textures = [""] * 10
        textures[1] = _core.elementGetText(self._element, "texture") or ""
        for layer in _parts(self._element):
            role = _core.elementGetText(layer, "role")
            textures[self._roles.index(role)] = _core.elementGetText(layer, "texture") or ""
        return {"textures": textures}

    def _store(self, values: dict[str, Any]) -> None:
        textures = values["textures"]
        for layer in _parts(self._element):
            _core.elementRemove(layer)
        several = any(t for i, t in enumerate(textures) if i != 1)
        _core.elementSetText(self._element, "texture", textures[1] or None if not several else None)
        for role, texture in zip(self._roles, textures, strict=False):
            if several and texture:
                layer = _core.elementAdd(self._element, "layer", None)
                _core.elementSetText(layer, "role", role)
                _core.elementSetText(layer, "texture", texture)


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


def _parts(element: Any) -> list[Any]:
    """The core elements that one holds."""
    parts, part = [], _core.elementInfo(element)[4]
    while part is not None:
        parts.append(part)
        part = _core.elementInfo(part)[5]
    return parts


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
        for bone in _parts(self._element):
            result["bodyname"].append(_core.elementGetText(bone, "body") or "")
            for name in ("bindpos", "bindquat", "vertid", "vertweight"):
                row = np.frombuffer(_core.elementGetNumbers(bone, name), np.float64).tolist()
                row = [int(x) for x in row] if name == "vertid" else row
                result[name] += [row] if name.startswith("vert") else row
        return result

    def _store(self, values: dict[str, Any]) -> None:
        for bone in _parts(self._element):
            _core.elementRemove(bone)
        for i, body in enumerate(values["bodyname"]):
            bone = _core.elementAdd(self._element, "bone", None)
            _core.elementSetText(bone, "body", body)
            rows = {"bindpos": values["bindpos"][3 * i :][:3]}
            rows["bindquat"] = values["bindquat"][4 * i :][:4]
            rows |= {name: values[name][i] for name in ("vertid", "vertweight")}
            for name, row in rows.items():
                _core.elementSetNumbers(bone, name, np.asarray(row, np.float64).tobytes())


class MjsPair(Classed):
    """A pair of geoms that collide."""

    __slots__ = ()


class MjsExclude(Named):
    """A pair of bodies that do not collide."""

    __slots__ = ()


class MjsNumeric(Named):
    """Numbers of the model's own; size 0: as many as there are."""

    __slots__ = ()
    _own = {"size": 0}

    def _load(self) -> dict[str, Any]:
        numbers = np.frombuffer(_core.elementGetNumbers(self._element, "size"), np.float64)
        return {"size": max(0, int(numbers[0])) if numbers.size else 0}

    def _store(self, values: dict[str, Any]) -> None:
        text = str(values["size"]) if values["size"] > 0 else None
        _core.elementSetText(self._element, "size", text)


class MjsText(Named):
    """Text of the model's own."""

    __slots__ = ()


class MjsKey(Named):
    """A keyframe."""

    __slots__ = ()


class MjsTuple(Named):
    """A list of objects."""

    __slots__ = ()
    _own: dict[str, Any] = {"objtype": [], "objname": [], "objprm": []}

    def _load(self) -> dict[str, Any]:
        result: dict[str, Any] = {"objtype": [], "objname": [], "objprm": []}
        for part in _parts(self._element):
            word = _core.elementGetText(part, "objtype")
            result["objtype"].append(int(ENUMS["mjtObj"]["mjOBJ_" + (word or "unknown").upper()]))
            result["objname"].append(_core.elementGetText(part, "objname") or "")
            numbers = np.frombuffer(_core.elementGetNumbers(part, "prm"), np.float64)
            result["objprm"].append(float(numbers[0]) if numbers.size else 0.0)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        for part in _parts(self._element):
            _core.elementRemove(part)
        rows = zip(values["objtype"], values["objname"], values["objprm"], strict=False)
        for kind, name, prm in rows:
            part = _core.elementAdd(self._element, "element", None)
            word = ENUMS["mjtObj"](kind).name.removeprefix("mjOBJ_").lower()
            _core.elementSetText(part, "objtype", word)
            _core.elementSetText(part, "objname", name)
            _core.elementSetNumbers(part, "prm", np.array([prm], np.float64).tobytes())
