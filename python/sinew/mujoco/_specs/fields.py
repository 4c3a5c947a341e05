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
from .._release import IS_LATER
from .vectors import MjDoubleVec, MjFloatVec, MjIntVec

# Members under another name than in our records: for all structs, then by tag.
_RENAMED = {
    "user": "userdata",
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
    "flex": {"vertex": "vert", "element": "elem", "body": "vertbody"},
}
# Words that are members of an enumeration at the peer; the others are plain ints.
_ENUM_OF = {
    "snGeomType": "mjtGeom",
    "snJointType": "mjtJoint",
    "snTextureType": "mjtTexture",
    "snColorSpace": "mjtColorSpace",
    "snCamLight": "mjtCamLight",
    "MESHINERTIA": "mjtMeshInertia",
}
# Attributes that a struct has in another form.
_HIDDEN = {
    "name", "class", "childclass", "quat", "euler", "axisangle", "xyaxes", "zaxis", "directional",
    "coordinate", "texture_", "assetdir", "fileright", "fileleft", "fileup", "filedown", "filefront",
    "fileback", "params", "bodyname_", "enclosed", "output",
}  # fmt: skip
# Numbers of which 3.3.7 has the first alone.
_FIRST = set() if IS_LATER else {"stiffness", "damping"}
if IS_LATER:
    _RENAMED["projection"] = "proj"
    _ENUM_OF["snProjection"] = "mjtProjection"
else:
    _HIDDEN |= {
        "springyield",
        "plastic",
        "nsample",
        "interp",
        "delay",
        "sleep",
        "simple",
        "fuse",
        "surfacevel",
        "projection",
        "softness",
        "embed",
        "passthrough",
    }
_LATER = (
    set() if IS_LATER else {("site", "mesh"), ("geom", "castshadow")}
)  # where others of that name are older
# Lists of whole numbers.
_WHOLE = {"userface", "userfacenormal", "userfacetexcoord", "face", "elem", "elemtexcoord"}
# What stands for a value that is not there.
_UNDEFINED = dict.fromkeys(
    ("fromto", "mass", "center", "extent", "meaninertia", "meanmass", "meansize"), np.nan
)


class Field:
    """A member of a struct: the attribute behind it, its kind, its count of numbers, its words."""

    __slots__ = ("attribute", "enum", "kind", "name", "size", "type", "vector", "words")

    def __init__(self, tag: str, row: tuple) -> None:
        self.attribute, self.kind, _, self.size, _, member, words, single = row
        self.name = _RENAMED_BY_TAG.get(tag, {}).get(member, _RENAMED.get(member, member))
        self.words = WORDS[words] if self.kind == "word" else {}
        self.enum = ENUMS[_ENUM_OF[words]] if words in _ENUM_OF else int
        if self.name in ("typeinertia", "fluid_ellipsoid", "degree", "alignfree"):
            self.kind = self.name
        if self.name in _FIRST:
            self.kind, self.size = "number", 1
        pixels = self.name == "resolution"
        single = single or pixels
        whole = IS_LATER if pixels else self.kind == "ints"
        self.type = np.int32 if whole else np.float32 if single else np.float64
        self.vector = MjIntVec if self.name in _WHOLE else MjFloatVec if single else MjDoubleVec

    def read(self, element: Any) -> Any:
        """The value of a core element's attribute."""
        kind = self.kind
        if kind in ("numbers", "ints", "number", "int", "list"):
            array = np.frombuffer(_core.elementGetNumbers(element, self.attribute), np.float64)
            return self._from_numbers(array)
        text = _core.elementGetText(element, self.attribute)
        if kind == "bool":
            return int(text == "true")
        if kind == "word":
            return self.enum(next((v for v, w in self.words.items() if w == text), 0))
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
            return float(self.type(array[0])) if array.size else missing
        if self.kind == "int":
            return int(array[0]) if array.size else 0
        if self.kind == "list":
            return self.vector.of(array.astype(self.vector._type))
        result = np.zeros(self.size, self.type)
        if array.size:
            result[: array.size] = array
        elif missing:
            result[0] = missing
        return result

    @property
    def like(self) -> Any:
        """A value of the form that `read` gives."""
        if self.kind in ("numbers", "ints"):
            return np.zeros(self.size, self.type)
        if self.kind in ("number", "fluid_ellipsoid"):
            return 0.0
        if self.kind in ("int", "bool", "degree", "alignfree"):
            return 0
        if self.kind == "list":
            return self.vector.of([])
        if self.kind == "typeinertia":
            return ENUMS["mjtGeomInertia"](0)
        if self.kind == "word":
            return self.enum(next(iter(self.words)))
        return ""

    def write(self, element: Any, value: Any) -> None:
        """Set a core element's attribute."""
        if self.kind in ("numbers", "ints", "number", "int", "list"):
            numbers = np.atleast_1d(np.array(value, np.float64))
            if self.name in _FIRST:
                given = np.frombuffer(_core.elementGetNumbers(element, self.attribute), np.float64)
                numbers = np.concatenate([numbers, given[1:]])
            if numbers.size == 0 or (self.name in _UNDEFINED and np.isnan(numbers[0])):
                _core.elementSetText(element, self.attribute, None)
            else:
                _core.elementSetNumbers(element, self.attribute, numbers.tobytes())
            return
        _core.elementSetText(element, self.attribute, self._word(value))

    def _word(self, value: Any) -> str | None:
        if self.kind in ("bool", "typeinertia"):
            return "true" if int(value) else "false"
        if self.kind == "word":
            return self.words.get(int(value), str(value))
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
        made = (
            Field(tag, row) for row in rows if row[0] not in _HIDDEN and (tag, row[0]) not in _LATER
        )
        fields = _cache[key] = {f.name: f for f in made if f.kind not in ("orientation", "flag")}
    return fields
