"""The struct of flexes."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS
from .._release import IS_LATER, SILENT
from .attributes import parts
from .fields import Field, fields_of
from .members import same
from .plugin import refuse
from .struct import Named
from .vectors import MjDoubleVec, MjStringVec

_PARTS = ("contact", "edge", "elasticity")
# Of what is not supported yet: members that have no effect alone, and those that do what is refused.
_IDLE: dict[str, Any] = {"node": MjDoubleVec.of([])}
_REFUSED: dict[str, Any] = {"nodebody": MjStringVec.of([])}
if IS_LATER:
    _IDLE |= {"size": np.zeros(3), "cellcount": np.ones(3, np.int32), "sectionsize": np.zeros(2)}
    _REFUSED |= {"order": 0, "shear": 0.0, "stressyield": np.zeros(2), "elastic3d": 0}
    _REFUSED |= {"section": ENUMS["mjtFlexSection"](0)}
# Attributes that members of other names, or none, stand for.
_HIDDEN = {"dof", "nodecoord", "yield"} | _IDLE.keys() | _REFUSED.keys()


@functools.cache
def _plain_part(tag: str) -> Any:
    """A part of a flex without attributes."""
    section = _core.specSection(_core.specMake(SILENT), "deformable")
    return _core.elementAdd(_core.elementAdd(section, "flex", None), tag, None)


def _part(element: Any, tag: str) -> Any:
    """The part of a flex with a tag; None: there is none."""
    return next((p for p in parts(element) if _core.elementInfo(p)[0] == tag), None)


class _PartField:
    """A member that is an attribute of a part."""

    __slots__ = ("field", "tag")

    def __init__(self, tag: str, field: Field) -> None:
        self.tag, self.field = tag, field

    @property
    def like(self) -> Any:
        return self.field.like

    def read(self, element: Any) -> Any:
        return self.field.read(_part(element, self.tag) or _plain_part(self.tag))

    def write(self, element: Any, value: Any) -> None:
        part = _part(element, self.tag) or _core.elementAdd(element, self.tag, None)
        self.field.write(part, value)


@functools.cache
def _fields_of_parts() -> dict[str, _PartField]:
    fields = ((tag, fields_of(_plain_part(tag))) for tag in _PARTS)
    return {name: _PartField(tag, f) for tag, found in fields for name, f in found.items()}


class MjsFlex(Named):
    """A flex; what stands in <contact>, <edge> and <elasticity> are members of it."""

    __slots__ = ()
    _home = ("deformable", "flex")
    _options = (
        "name contype conaffinity condim priority friction solmix solref solimp margin gap dim radius internal "
        "flatskin selfcollide vertcollide passive activelayers group edgestiffness edgedamping rgba material "
        "young poisson damping thickness elastic2d nodebody vertbody node vert elem texcoord elemtexcoord info"
    )
    _unused = _IDLE | _REFUSED
    _lists = {"vertbody": "body", **({"material": "material"} if IS_LATER else {})}
    _own: dict[str, Any] = {name: MjStringVec.of([]) for name in _lists}

    def _fields(self) -> Any:
        own = {
            k: f for k, f in super()._fields().items() if k not in _HIDDEN and k not in self._own
        }
        return {**own, **{k: f for k, f in _fields_of_parts().items() if k not in _HIDDEN}}

    def _put(self, name: str, value: Any) -> None:
        one = name in self._lists and isinstance(value, str)
        super()._put(name, [value] * bool(value) if one else value)

    def _load(self) -> dict[str, Any]:
        texts = {n: _core.elementGetText(self._element, a) or "" for n, a in self._lists.items()}
        return {name: MjStringVec.of(text.split()) for name, text in texts.items()}

    def _store(self, values: dict[str, Any]) -> None:
        for name, attribute in self._lists.items():
            for item in values[name]:
                if len(item.split()) != 1:
                    raise ValueError(f"{name}: '{item}' is no name that can stand in a list")
            _core.elementSetText(self._element, attribute, " ".join(values[name]) or None)

    def _flush(self) -> None:
        for name, standard in _REFUSED.items():
            if name in self._values and not same(self._values[name], standard):
                raise refuse(f"flexes with '{name}'")
        super()._flush()


# ---- made of a grid, a shape or a mesh

_EQUALITIES = {0: None, 1: "true", 3: "strain"}


def _numbers(name: str, value: Any) -> str | None:
    """Three numbers, or the four of a quaternion, as an attribute."""
    if value is None:
        return None
    size = 4 if name == "quat" else 3
    if len(value) != size:
        raise ValueError(f"{name} must have {size} elements")
    return " ".join(repr(x) for x in np.asarray(value).tolist())


def _of_mesh(spec: Any, name: str) -> dict[str, str | None]:
    """Attributes for a mesh of the assets; those of one that holds tetrahedra, for these."""
    mesh = spec.mesh(name)
    if mesh is None:
        raise ValueError(f"mesh '{name}' not found")
    nodes, corners = mesh.usernode, mesh.usertet
    if not len(corners):
        return {"type": "mesh", "mesh": name}
    point = (np.array(nodes).reshape(-1, 3) * mesh.scale).ravel().tolist()
    return {
        "type": "direct",
        "dim": "3",
        "point": " ".join(map(repr, point)),
        "element": " ".join(map(str, corners)),
    }


def make_flex(
    self: Any,
    name: str,
    type: str | None = None,
    dim: int = 3,
    dof: str | None = None,
    count: Any = None,
    cellcount: Any = None,
    spacing: Any = None,
    scale: Any = None,
    radius: float = 0.0,
    mass: float = 1.0,
    inertiabox: float = 0.005,
    equality: int = 0,
    rigid: int = 0,
    flatskin: int = 0,
    elastic2d: int = 0,
    pos: Any = None,
    quat: Any = None,
    origin: Any = None,
    file: str | None = None,
    mesh: str | None = None,
    vfs: Any = None,
) -> MjsFlex:
    """Make a flex and its bodies as a <flexcomp> of these attributes does; `equality`: 0 none, 1 of edges."""
    if equality not in _EQUALITIES:
        raise ValueError("Error: Invalid edge equality, must be 0 (none), 1 (edge) or 3 (strain)")
    if file and mesh:
        raise ValueError("both 'file' and 'mesh' specified")
    spec = self._spec
    if spec.flex(name) is not None:
        raise ValueError(f"Error: repeated name '{name}' in flex")
    given: dict[str, str | None] = {
        "name": name, "type": type, "dim": str(int(dim)), "dof": dof, "file": file or None,
        "radius": repr(float(radius)), "mass": repr(float(mass)), "inertiabox": repr(float(inertiabox)),
        "rigid": "true" if rigid else None, "flatskin": "true" if flatskin else None,
    }  # fmt: skip
    places = {"count": count, "cellcount": cellcount, "spacing": spacing, "scale": scale}
    places |= {"pos": pos, "quat": quat, "origin": origin}
    given |= {n: _numbers(n, value) for n, value in places.items()}
    if mesh:
        if type not in (None, "mesh", "gmsh"):
            raise ValueError("Error: mesh asset can only be used with flexcomp type mesh or gmsh")
        given |= _of_mesh(spec, mesh)
    if file and vfs is not None:
        files = vfs._opened()
        found = file if file in files else os.path.basename(file)
        spec.assets |= {file: files[found]} if found in files else {}
    _expand(self, given, _EQUALITIES[equality])
    flex = spec.flex(name)
    if elastic2d:
        flex.elastic2d = elastic2d
    return flex


def _expand(body: Any, given: dict[str, str | None], equality: str | None) -> None:
    """Put bodies and a flex in the place of a <flexcomp> in a body."""
    spec = body._spec
    element = _core.elementAdd(body._element, "flexcomp", None)
    try:
        for name, text in given.items():
            if text is not None:
                _core.elementSetText(element, name, text)
        if equality:
            _core.elementSetText(_core.elementAdd(element, "edge", None), "equality", equality)
        spec._run(lambda: _core.specExpand(spec._handle))
    finally:
        if spec._is_here(element):
            _core.elementRemove(element)


class DefaultFlex(MjsFlex):
    """The flex of a default class, whose values have no effect."""

    __slots__ = ()
    id = -1  # type: ignore[assignment]

    def __init__(self, spec: Any) -> None:
        section = _core.specSection(_core.specMake(SILENT), "deformable")
        super().__init__(spec, _core.elementAdd(section, "flex", None))
