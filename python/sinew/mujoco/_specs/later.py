"""What structs of specs have otherwise in release 4.0 of the peer, as data: nothing here has an effect before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._enums import ENUMS
from .._release import IS_LATER

# Members that came, and that went, by class.
_ADDED = {
    "MjsActuator": "type ctrlspec velrange ffrange damping armature nsample interp delay",
    "MjsBody": "sleep simple fuse",
    "MjsCamera": "proj output",
    "MjsCompiler": "conflict passthrough savecanonical savecompiled",
    "MjsFlex": "size shear stressyield elastic3d section sectionsize cellcount order",
    "MjsFrame": "scale scaling massscale",
    "MjsGeom": "surfacevel adhesion castshadow",
    "MjsJoint": "springyield",
    "MjsKey": "plastic",
    "MjsLight": "softness",
    "MjsMesh": "usernode usertet octree_maxdepth",
    "MjsPair": "adhesion",
    "MjsSensor": "nsample interp delay interval",
    "MjsSite": "meshname",
    "MjsTendon": "springyield",
    "MjsTexture": "embed",
}
_GONE = {"MjsCamera": "orthographic", "MjsFlex": "internal vertcollide"}
# Numbers that are truth values there, and members of an enumeration.
_BOOLS = {
    "MjsActuator": "actearly",
    "MjsBody": "explicitinertial mocap",
    "MjsCompiler": "alignfree autolimits balanceinertia degree discardvisual fitaabb fusestatic savecanonical savecompiled strippath "
    "saveinertial usethread",
    "MjsEquality": "active",
    "MjsFlex": "flatskin",
    "MjsGeom": "castshadow",
    "MjsJoint": "actgravcomp",
    "MjsLight": "active castshadow",
    "MjsMaterial": "texuniform",
    "MjsMesh": "needsdf smoothnormal",
    "MjsPlugin": "active",
    "MjsTexture": "hflip vflip",
}
_ENUMS = {
    "MjsActuator": "actlimited:mjtLimited ctrllimited:mjtLimited forcelimited:mjtLimited type:mjtActuator",
    "MjsBody": "sleep:mjtSleepPolicy",
    "MjsCamera": "proj:mjtProjection",
    "MjsCompiler": "conflict:mjtConflict inertiafromgeom:mjtInertiaFromGeom passthrough:mjtPassthrough",
    "MjsFlex": "section:mjtFlexSection selfcollide:mjtFlexSelf",
    "MjsFrame": "scaling:mjtScaling",
    "MjsJoint": "actfrclimited:mjtLimited align:mjtAlignFree limited:mjtLimited",
    "MjsTendon": "actfrclimited:mjtLimited limited:mjtLimited",
    "MjsTexture": "builtin:mjtBuiltin embed:mjtEmbed mark:mjtMark",
}
# Arguments of the adders that may be shorter than the member.
_PARTIAL = {
    "MjsActuator": "damping",
    "MjsGeom": "size",
    "MjsJoint": "stiffness damping",
    "MjsSite": "size",
    "MjsTendon": "stiffness damping",
}


def options(cls: str, names: str) -> str:
    """The names of a class's members, in those of the release that runs."""
    if not IS_LATER:
        return names
    gone, added = _GONE.get(cls, "").split(), _ADDED.get(cls, "").split()
    kept = [n for n in names.split() if n not in gone]
    at = len(kept) - ("info" in kept[-1:])  # which stays last
    return " ".join([*kept[:at], *added, *kept[at:]])


def form(cls: str, name: str) -> Callable[[Any], Any] | None:
    """What makes the value that programs see of the number that is kept; None: it is that."""
    if not IS_LATER:
        return None
    if name in _BOOLS.get(cls, "").split():
        return bool
    if (cls, name) == ("MjsTexture", "data"):
        return bytes
    words = dict(pair.split(":") for pair in _ENUMS.get(cls, "").split())
    return ENUMS[words[name]] if name in words else None


def is_partial(cls: str, name: str) -> bool:
    """Whether an adder takes less numbers for a member than it has."""
    return IS_LATER and name in _PARTIAL.get(cls, "").split()
