"""The peer's enumerations, and the words of MJCF for their members."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._enums import make_enum
from ._names import enum_name, member_prefix

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
