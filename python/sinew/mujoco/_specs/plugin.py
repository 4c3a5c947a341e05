"""Structs of what Sinew has not: flexes and plugins. They hold values, as parts of other structs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._release import IS_LATER
from .members import Members
from .vectors import MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec


def refuse(what: str) -> Exception:
    """What is raised where one is to be used."""
    return _core.NotSupportedError(f"{what} are not supported")


class MjsPlugin(Members):
    """What would name a plugin; active ones are refused when the spec is compiled."""

    __slots__ = ()
    _own: dict[str, Any] = {"name": "", "plugin_name": "", "active": 0, "info": "", "config": {}}
    id = -1
    signature = 0


# What flexes have in the later release.
_LATER: dict[str, Any] = {
    "size": np.zeros(3), "cellcount": np.ones(3, np.int32), "order": 0, "shear": 0.0, "stressyield": np.zeros(2),
    "elastic3d": 0, "section": 0, "sectionsize": np.zeros(2), "material": MjStringVec.of([]),
}  # fmt: skip
_GONE = ("internal", "vertcollide")


class MjsFlex(Members):
    """A flex of a default class; it has no effect."""

    __slots__ = ()
    _own: dict[str, Any] = {
        "name": "", "contype": 1, "conaffinity": 1, "condim": 3, "priority": 0,
        "friction": np.array([1, 0.005, 0.0001]), "solmix": 1.0, "solref": np.array([0.02, 1]),
        "solimp": np.array([0.9, 0.95, 0.001, 0.5, 2]), "margin": 0.0, "gap": 0.0, "dim": 2,
        "radius": 0.005, "internal": 0, "flatskin": 0, "selfcollide": 4, "vertcollide": 0, "passive": 0,
        "activelayers": 1, "group": 0, "edgestiffness": 0.0, "edgedamping": 0.0,
        "rgba": np.array([0.5, 0.5, 0.5, 1], np.float32), "material": "", "young": 0.0, "poisson": 0.0,
        "damping": 0.0, "thickness": -1.0, "elastic2d": 0, "nodebody": MjStringVec.of([]),
        "vertbody": MjStringVec.of([]), "node": MjDoubleVec.of([]), "vert": MjDoubleVec.of([]),
        "elem": MjIntVec.of([]), "texcoord": MjFloatVec.of([]), "elemtexcoord": MjIntVec.of([]),
        "info": "",
    }  # fmt: skip
    if IS_LATER:
        _own = {n: v for n, v in (_own | _LATER).items() if n not in _GONE}
    id = -1
    signature = 0
