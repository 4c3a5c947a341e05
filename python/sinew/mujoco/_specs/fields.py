"""What the peer's element structs (mjsGeom, mjsJoint, ...) call their members, and how they are read and set.

The members of a struct follow from the attributes of its element: most have the same name. Values are kept
in the struct while a program changes them, as arrays that it may write into, and reach the element when the
spec is compiled, written, copied or attached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._enums import make_enum
from ..._spec import Element
from .._names import enum_name, member_prefix

# Enumerations that only specs have: prefix, words of MJCF ("": none) in order, names where they differ.
_WORDS = {
    "mjtLimited": ("mjLIMITED_", "false true auto"),
    "mjtAlignFree": ("mjALIGNFREE_", "false true auto"),
    "mjtInertiaFromGeom": ("mjINERTIAFROMGEOM_", "false true auto"),
    "mjtGeomInertia": ("mjINERTIA_", "volume shell"),
    "mjtMeshInertia": ("mjMESH_INERTIA_", "convex exact legacy shell"),
    "mjtMeshBuiltin": (
        "mjMESH_BUILTIN_",
        "none sphere hemisphere cone supersphere supertorus wedge plate",
    ),
    "mjtBuiltin": ("mjBUILTIN_", "none gradient checker flat"),
    "mjtMark": ("mjMARK_", "none edge cross random"),
    "mjtOrientation": ("mjORIENTATION_", "quat axisangle xyaxes zaxis euler"),
    "mjtTextureRole": (
        "mjTEXROLE_",
        "user rgb occlusion roughness metallic normal opacity emissive rgba orm",
    ),
}
ENUMS: dict[str, Any] = {}  # by the peer's name
WORDS: dict[str, dict[int, str]] = {}
for _name, (_prefix, _words) in _WORDS.items():
    _rows = [(w.upper(), i, w, "") for i, w in enumerate(_words.split())]
    ENUMS[_name] = make_enum(_name, _rows, _prefix)
    WORDS[_name] = {row[1]: row[2] for row in _rows}
for _type, _prefix, _items in _core.tables()["enums"]:
    _name = enum_name(_type)
    WORDS[_name] = {row[1]: row[2] for row in _items}
    ENUMS[_name] = make_enum(_name, _items, member_prefix(_prefix))

# Attributes under another name: for all structs, then by tag.
_RENAMED = {
    "user": "userdata",
    "solreflimit": "solref_limit",
    "solimplimit": "solimp_limit",
    "solreffriction": "solref_friction",
    "solimpfriction": "solimp_friction",
    "actuatorfrcrange": "actfrcrange",
    "actuatorfrclimited": "actfrclimited",
    "actuatorgravcomp": "actgravcomp",
    "focal": "focal_length",
    "focalpixel": "focal_pixel",
    "principal": "principal_length",
    "principalpixel": "principal_pixel",
    "sensorsize": "sensor_size",
    "target": "targetbody",
    "mesh": "meshname",
    "hfield": "hfieldname",
    "shellinertia": "typeinertia",
    "geom1": "geomname1",
    "geom2": "geomname2",
    "body1": "bodyname1",
    "body2": "bodyname2",
    "fluidcoef": "fluid_coefs",
    "fluidshape": "fluid_ellipsoid",
    "angle": "degree",
}
_RENAMED_BY_TAG = {
    "mesh": {
        "vertex": "uservert",
        "normal": "usernormal",
        "texcoord": "usertexcoord",
        "face": "userface",
    },
    "hfield": {"elevation": "userdata"},
    "skin": {"vertex": "vert"},
    "pair": {"solreffriction": "solreffriction"},
    "compiler": {},
}
# Word attributes: plain ints at the peer, or members of an enumeration.
_INTS = {
    "limited": "mjtLimited",
    "actfrclimited": "mjtLimited",
    "ctrllimited": "mjtLimited",
    "forcelimited": "mjtLimited",
    "actlimited": "mjtLimited",
    "align": "mjtAlignFree",
    "inertiafromgeom": "mjtInertiaFromGeom",
    "builtin": "mjtBuiltin",
    "mark": "mjtMark",
    "integrator": "mjtIntegrator",
    "cone": "mjtCone",
    "jacobian": "mjtJacobian",
    "solver": "mjtSolver",
}
_ENUM_OF = {
    ("geom", "type"): "mjtGeom",
    ("site", "type"): "mjtGeom",
    ("joint", "type"): "mjtJoint",
    ("texture", "type"): "mjtTexture",
    ("texture", "colorspace"): "mjtColorSpace",
    ("mesh", "inertia"): "mjtMeshInertia",
    ("camera", "mode"): "mjtCamLight",
    ("light", "mode"): "mjtCamLight",
    ("general", "dyntype"): "mjtDyn",
    ("general", "gaintype"): "mjtGain",
    ("general", "biastype"): "mjtBias",
}
# Attributes that a struct has in another form.
_HIDDEN = {
    "name", "class", "childclass", "quat", "euler", "axisangle", "xyaxes", "zaxis", "directional",
    "coordinate", "texture_", "assetdir", "fileright", "fileleft", "fileup", "filedown", "filefront",
    "fileback", "params", "bodyname_",
}  # fmt: skip
_FLOATS = {
    "rgba", "texrepeat", "ambient", "diffuse", "specular", "attenuation", "focal_length", "focal_pixel",
    "principal_length", "principal_pixel", "sensor_size", "resolution",
}  # fmt: skip
# What stands for a value that is not there.
_UNDEFINED = dict.fromkeys(
    ("fromto", "mass", "center", "extent", "meaninertia", "meanmass", "meansize"), np.nan
)


class Field:
    """A member of a struct: the attribute behind it, its kind, its count of numbers, its enumeration."""

    __slots__ = ("attribute", "enum", "kind", "name", "size", "type")

    def __init__(self, tag: str, attribute: str, kind: str, most: int) -> None:
        renamed = _RENAMED_BY_TAG.get(tag, {})
        self.name = name = renamed.get(attribute, _RENAMED.get(attribute, attribute))
        self.attribute, self.kind, self.size = attribute, kind, most
        self.enum = _ENUM_OF.get((tag, name)) or _INTS.get(name)
        if kind == "word" and tag == "mesh" and name == "builtin":
            self.enum = "mjtMeshBuiltin"
        if name in ("typeinertia", "fluid_ellipsoid", "degree", "alignfree"):
            self.kind = name
        self.type = np.float32 if name in _FLOATS else np.int32 if kind == "ints" else np.float64

    def read(self, element: Any) -> Any:
        """The value of a core element's attribute."""
        kind = self.kind
        if kind in ("numbers", "ints", "number", "int", "list"):
            array = np.frombuffer(_core.elementGetNumbers(element, self.attribute), np.float64)
            return self._from_numbers(array)
        text = _core.elementGetText(element, self.attribute)
        if kind == "bool":
            return int(text == "true")
        if kind == "word" and self.enum:
            value = next((v for v, w in WORDS[self.enum].items() if w == text), 0)
            return value if self.name in _INTS else ENUMS[self.enum](value)
        if kind == "typeinertia":
            return ENUMS["mjtGeomInertia"](int(text == "true"))
        if kind == "fluid_ellipsoid":
            return float(text == "ellipsoid")
        if kind == "degree":
            return int(text != "radian")
        return text or ""

    def _from_numbers(self, array: np.ndarray) -> Any:
        missing = _UNDEFINED.get(self.name, 0.0)
        if self.kind == "number":
            return float(array[0]) if array.size else missing
        if self.kind == "int":
            return int(array[0]) if array.size else 0
        if self.kind == "list":
            return array.copy()
        result = np.zeros(self.size, self.type)
        if array.size:
            result[: array.size] = array
        elif missing:
            result[0] = missing
        return result

    def cast(self, value: Any) -> Any:
        """A value given by a program, in the form that `read` gives."""
        if self.kind in ("numbers", "ints"):
            try:
                array = np.array(value, np.float64).ravel()
            except (TypeError, ValueError):
                raise ValueError(f"{self.name} should be a list/array.") from None
            if array.size != self.size:
                raise ValueError(f"{self.name} should be a list/array of size {self.size}.")
            return array.astype(self.type)
        try:
            if self.kind == "list":
                return np.array(value, np.float64).ravel()
            if self.kind in ("number", "fluid_ellipsoid"):
                return float(value)
            if self.kind in ("int", "bool", "degree"):
                return int(value)
            if self.kind == "word" and self.enum:
                return int(value) if self.name in _INTS else ENUMS[self.enum](value)
            if self.kind == "typeinertia":
                return ENUMS["mjtGeomInertia"](value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} is the wrong type.") from None
        if not isinstance(value, str):
            raise ValueError(f"{self.name} is the wrong type.")
        return value

    def write(self, element: Any, value: Any) -> None:
        """Set a core element's attribute."""
        if self.kind in ("numbers", "ints", "number", "int", "list"):
            numbers = np.atleast_1d(np.asarray(value, np.float64))
            if (numbers.size == 0) or np.isnan(numbers[0]):
                _core.elementSetText(element, self.attribute, None)
            else:
                _core.elementSetNumbers(element, self.attribute, numbers.tobytes())
            return
        _core.elementSetText(element, self.attribute, self._word(value))

    def _word(self, value: Any) -> str | None:
        if self.kind in ("bool", "typeinertia"):
            return "true" if value else "false"
        if self.kind == "word" and self.enum:
            return WORDS[self.enum].get(int(value), str(value))
        if self.kind == "fluid_ellipsoid":
            return "ellipsoid" if value else "none"
        if self.kind == "degree":
            return "degree" if value else "radian"
        return value or None


_cache: dict[tuple[str, str], dict[str, Field]] = {}


def fields_of(element: Any) -> dict[str, Field]:
    """The members of the struct of a core element, by name."""
    tag, parent = _core.elementInfo(element)[0], _core.elementInfo(element)[3]
    key = (tag, _core.elementInfo(parent)[0] if parent else "")
    fields = _cache.get(key)
    if fields is None:
        rows = _core.elementAttributes(element)
        made = (Field(tag, row[0], row[1], row[3]) for row in rows if row[0] not in _HIDDEN)
        fields = _cache[key] = {f.name: f for f in made if f.kind not in ("orientation", "flag")}
    return fields


def same(a: Any, b: Any) -> bool:
    """Whether two values of a member are the same, NaN equal to NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b, equal_nan=True)
    return a == b or (a != a and b != b)


def keep(value: Any) -> Any:
    """A copy that later changes of the value do not reach."""
    return value.copy() if hasattr(value, "copy") else value


class Struct:
    """Members over an element. Subclasses say which of them are `_own`: kept here under a default value, read
    all at once by `_load` and set all at once by `_store`."""

    __slots__ = ("_element", "_saved", "_spec", "_values")
    _own: dict[str, Any] = {}
    _element: Any
    _saved: dict[str, Any]
    _spec: Any
    _values: dict[str, Any]

    def __init__(self, spec: Any, element: Any) -> None:
        put = object.__setattr__
        put(self, "_spec", spec)
        put(self, "_element", element)
        put(self, "_values", {})
        put(self, "_saved", {})

    def _fields(self) -> dict[str, Field]:
        return fields_of(self._element)

    def _load(self) -> dict[str, Any]:
        """The own members as the element has them."""
        return {}

    def _store(self, values: dict[str, Any]) -> None:
        """Set the element's attributes from the own members."""

    def _get(self, name: str) -> Any:
        if name not in self._values:
            if name in self._own:
                loaded = {**{k: keep(v) for k, v in self._own.items()}, **self._load()}
                for key, value in loaded.items():
                    self._values.setdefault(key, value)
                    self._saved.setdefault(key, keep(value))
            else:
                value = self._fields()[name].read(self._element)
                self._values[name], self._saved[name] = value, keep(value)
        return self._values[name]

    def _has(self, name: str) -> bool:
        return name in self._own or name in self._fields()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not self._has(name):
            raise AttributeError(f"{type(self).__name__}.{name} is not in Sinew yet")
        return self._get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)  # a property, or a slot
            return
        if not self._has(name):
            raise AttributeError(f"{type(self).__name__}.{name} is not in Sinew yet")
        old = self._get(name)
        self._values[name] = (
            self._cast(name, value, old) if name in self._own else self._fields()[name].cast(value)
        )

    def _cast(self, name: str, value: Any, old: Any) -> Any:
        if isinstance(self._own[name], np.ndarray):
            array = np.array(value, self._own[name].dtype).ravel()
            if array.size > old.size or (array.size < old.size and name != "data"):
                raise ValueError(f"{name} should be a list/array of size {old.size}.")
            result = np.zeros_like(self._own[name])
            result[: array.size] = array
            return result
        if isinstance(self._own[name], list):
            return list(value)
        return type(self._own[name])(value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._own, *self._fields()})

    def _flush(self) -> None:
        """Set what has changed at the element."""
        own = {k: v for k, v in self._values.items() if k in self._own}
        if any(not same(v, self._saved[k]) for k, v in own.items()):
            self._store(own)
        for name, value in self._values.items():
            if name not in self._own and not same(value, self._saved[name]):
                field = self._fields().get(name)
                if field is not None:
                    field.write(self._element, value)
        for name, value in self._values.items():
            self._saved[name] = keep(value)

    def _refresh(self, name: str, old: Any) -> None:
        """After a change of a default class: hold the value that this had before."""
        value = self._values.setdefault(name, old)
        if not same(self._fields()[name].read(self._element), value):
            self._fields()[name].write(self._element, value)
        self._saved[name] = keep(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self._element == other._element

    def __hash__(self) -> int:
        return hash(self._element)


class Section(Struct):
    """Members over a section such as <option>; parts of a section are members, too."""

    __slots__ = ("_path",)

    def __init__(self, spec: Any, path: str) -> None:
        super().__init__(spec, _core.specSection(spec._handle, path))
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        part = name.rstrip("_")
        if part in _PARTS.get(self._path, ()):
            return self._spec._section(f"{self._path}/{part}")
        return super().__getattr__(name)


_PARTS = {
    "visual": ("global", "quality", "headlight", "map", "scale", "rgba"),
}
_BITS = {
    "disableflags": [
        (row[2], row[1]) for t in _core.tables()["enums"] if t[0] == "snDisableBit" for row in t[2]
    ],
    "enableflags": [
        (row[2], row[1]) for t in _core.tables()["enums"] if t[0] == "snEnableBit" for row in t[2]
    ],
}


class OptionSection(Section):
    """<option> with its flags as bits."""

    __slots__ = ()
    _own = {"disableflags": 0, "enableflags": 0}

    def _flags(self) -> Any:
        return _core.specSection(self._spec._handle, "option/flag")

    def _load(self) -> dict[str, Any]:
        flags = self._flags()
        result = {}
        for name, bits in _BITS.items():
            word = "disable" if name == "disableflags" else "enable"
            result[name] = sum(bit for key, bit in bits if _core.elementGetText(flags, key) == word)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        flags = self._flags()
        for name, bits in _BITS.items():
            for key, bit in bits:
                on = bool(values[name] & bit) == (name == "enableflags")
                _core.elementSetText(flags, key, "enable" if on else "disable")


class CompilerSection(Section):
    """<compiler>."""

    __slots__ = ()
    _own = {"eulerseq": ["x", "y", "z"], "alignfree": 0}

    def _load(self) -> dict[str, Any]:
        text = _core.elementGetText(self._element, "eulerseq") or "xyz"
        align = _core.elementGetText(self._element, "alignfree")
        return {"eulerseq": list(text), "alignfree": int(align == "true")}

    def _store(self, values: dict[str, Any]) -> None:
        _core.elementSetText(self._element, "eulerseq", "".join(values["eulerseq"]))
        _core.elementSetText(self._element, "alignfree", "true" if values["alignfree"] else "false")


def element_of(struct: Struct) -> Element:
    """The `sinew.Element` of a struct."""
    return Element(struct._spec, struct._element)
