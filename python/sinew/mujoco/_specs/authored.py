"""Which settings a model file gives: `MjSpec.authored` and `MjsCompiler.authored` of release 4.0, as bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .members import Members
from .settings import BITS

# Attributes by bits, from 0; "-": none.
_OPTION = (
    "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind magnetic density "
    "viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations "
    "noslip_iterations ccd_iterations - - - sdf_initpoints sdf_iterations"
)
_COMPILER = (
    "autolimits boundmass boundinertia settotalmass balanceinertia fitaabb angle eulerseq discardvisual usethread fusestatic "
    "inertiafromgeom inertiagrouprange saveinertial savecompiled savecanonical alignfree conflict passthrough - meshdir "
    "texturedir"
)
_GROUPS = {
    "global": "cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight ellipsoidinertia "
    "bvactive",
    "quality": "shadowsize offsamples numslices numstacks numquads",
    "headlight": "ambient diffuse specular active",
    "map": "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon",
    "scale": "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth "
    "actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum",
    "rgba": "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect "
    "contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank "
    "crankbroken frustum bv bvactive",
}


def given(spec: Any, path: str, names: str) -> int:
    """The bits of the attributes that some section of a path has."""
    element = _core.specSection(spec._handle, path)
    known = {row[0] for row in _core.elementAttributes(element)}
    return sum(
        1 << bit
        for bit, name in enumerate(names.split())
        if name in known and _core.elementGiven(element, name)
    )


def of_compiler(spec: Any) -> int:
    """The bits of <compiler>."""
    return given(spec, "compiler", _COMPILER)


class MjsAuthored(Members):
    """Bits of what the file gives. They may be set, which has no effect."""

    __slots__ = ("_spec",)
    _own = dict.fromkeys(
        ["option", "disableflags", "enableflags", "disableactuator"]
        + ["visual_" + group for group in _GROUPS],
        0,
    )

    def __init__(self, spec: Any = None) -> None:
        super().__init__()
        self._spec = spec

    def _read(self, name: str) -> None:
        self._values[name] = 0 if self._spec is None else self._look(name)

    def _look(self, name: str) -> int:
        if name == "option":
            return given(self._spec, "option", _OPTION)
        if name.startswith("visual_"):
            group = name.removeprefix("visual_")
            return given(self._spec, f"visual/{group}", _GROUPS[group])
        if name == "disableactuator":
            if not given(self._spec, "option", "actuatorgroupdisable"):
                return 0
            section = _core.specSection(self._spec._handle, "option")
            groups = np.frombuffer(_core.elementGetNumbers(section, "actuatorgroupdisable"))
            return sum(1 << int(i) for i in groups)
        rows = BITS[name]
        found = given(self._spec, "option/flag", " ".join(word for word, _ in rows))
        return sum(bit for i, (_, bit) in enumerate(rows) if found >> i & 1)
