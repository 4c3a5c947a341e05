"""What the peer's element structs (mjsGeom, mjsJoint, ...) call their members, and how they are read and set.

The members of a struct follow from the attributes of its element: most have the same name. Values are kept
in the struct while a program changes them, as arrays that it may write into, and reach the element when the
spec is compiled, written, copied or attached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS

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
            if numbers.size == 0 or (self.name in _UNDEFINED and np.isnan(numbers[0])):
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
