"""Where elements of a spec are to stand so that they compile to what a model holds: frames and meshes are between."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._functions import mulPose, negPose
from .._spec import Element, Spec
from .._types import Model

_Pose = tuple[Any, Any]

# Kinds that have a position and an orientation, with what their fields' names begin with.
_POSED = {"body": "body_", "geom": "geom_", "site": "site_", "camera": "cam_"}
_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")
NOWHERE: _Pose = (np.zeros(3), np.array([1.0, 0, 0, 0]))


def _pose(m: Model, prefix: str, index: int) -> _Pose:
    return getattr(m, prefix + "pos")[index], getattr(m, prefix + "quat")[index]


def in_frame(element: Element) -> bool:
    """Whether it stands in a frame."""
    parent = element.parent
    return parent is not None and parent.tag == "frame"


def has_mesh(element: Element, m: Model, kind: str) -> bool:
    """Whether its pose in the model has that of a mesh in it."""
    return kind == "geom" and m.geom_dataid[element.id] >= 0


def _mesh(element: Element, m: Model, kind: str) -> _Pose:
    mesh = m.geom_dataid[element.id] if kind == "geom" else -1
    return _pose(m, "mesh_", mesh) if mesh >= 0 and m.geom_type[element.id] == 7 else NOWHERE


def _place(element: Element, pose: _Pose) -> None:
    for other in _ORIENTATIONS:
        if other in element._attributes():
            setattr(element, other, None)
    element.pos, element.quat = pose


def _moved(spec: Spec, m: Model, fresh: Model) -> list[tuple[str, Element]]:
    found = []
    for kind, prefix in _POSED.items():
        for element in spec.elements(kind):
            if element.id < 0 or not (in_frame(element) or has_mesh(element, m, kind)):
                continue
            if "fromto" in element._attributes() and element._text("fromto") is not None:
                continue
            before, now = _pose(fresh, prefix, element.id), _pose(m, prefix, element.id)
            if not all(np.array_equal(a, b) for a, b in zip(before, now, strict=True)):
                found.append((kind, element))
    return found


def place_moved(spec: Spec, m: Model, fresh: Model) -> None:
    """Move what has been moved in m. With all of it at the origin of its frames a compilation tells where those are."""
    moved = _moved(spec, m, fresh)
    if not moved:
        return
    for _, element in moved:
        _place(element, NOWHERE)
    there = spec.compile()
    for kind, element in moved:
        prefix, index = _POSED[kind], element.id
        back = negPose(*_mesh(element, m, kind))
        frame = mulPose(*_pose(there, prefix, index), *back)
        now = mulPose(*_pose(m, prefix, index), *back)
        _place(element, mulPose(*negPose(*frame), *now))


def weigh(spec: Spec, m: Model, fresh: Model) -> None:
    """Bodies whose mass or inertia has been changed in m get it as their own."""
    fields = ("body_mass", "body_ipos", "body_iquat", "body_inertia")
    for body in spec.elements("body"):
        index = body.id
        if index < 1 or all(
            np.array_equal(getattr(m, f)[index], getattr(fresh, f)[index]) for f in fields
        ):
            continue
        mass, pos, quat, inertia = (getattr(m, f)[index] for f in fields)
        for child in body.children:
            if child.tag == "inertial":
                child.remove()
        body.add("inertial", mass=mass, pos=pos, quat=quat, diaginertia=inertia)


def check_back(spec: Spec, m: Model, fresh: Model) -> None:
    """Raise a ValueError where a change in m is not what the spec compiles to now."""
    found = spec.compile()
    for name, *_ in _core.tables()["model"]:
        field = getattr(Model, name)
        was, wanted, now = (np.asarray(field.__get__(model)) for model in (fresh, m, found))
        if was.dtype.kind == "S" or np.array_equal(was, wanted, equal_nan=was.dtype.kind == "f"):
            continue
        if was.dtype.kind == "f":
            good = np.allclose(now, wanted, rtol=1e-6, atol=1e-9, equal_nan=True)
        else:
            good = np.array_equal(now, wanted)
        if not good:
            raise ValueError(f"{name} was changed in the model, to what the spec has no words for")
