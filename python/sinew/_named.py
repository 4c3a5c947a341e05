"""Access to the elements of a model by name or id: `model.body("torso").mass`.

Which fields an element has comes from the field tables: a field whose rows count bodies belongs to
`body(...)`, and its name loses the prefix `body_`. Dofs and coordinates belong to their joint, and
sensor outputs to their sensor.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core

_TABLES = _core.tables()
_OBJECT = {
    name: value for name, value, *_ in dict((t, i) for t, _, i in _TABLES["enums"])["snObjType"]
}

# kind: (object kind, size that counts it, prefix of its fields)
_KINDS = {
    "body": ("BODY", "nbody", "body_"),
    "joint": ("JOINT", "njnt", "jnt_"),
    "geom": ("GEOM", "ngeom", "geom_"),
    "site": ("SITE", "nsite", "site_"),
    "camera": ("CAMERA", "ncam", "cam_"),
    "light": ("LIGHT", "nlight", "light_"),
    "texture": ("TEXTURE", "ntex", "tex_"),
    "material": ("MATERIAL", "nmat", "mat_"),
    "pair": ("PAIR", "npair", "pair_"),
    "exclude": ("EXCLUDE", "nexclude", "exclude_"),
    "equality": ("EQUALITY", "neq", "eq_"),
    "tendon": ("TENDON", "ntendon", "tendon_"),
    "actuator": ("ACTUATOR", "nu", "actuator_"),
    "sensor": ("SENSOR", "nsensor", "sensor_"),
    "numeric": ("NUMERIC", "nnumeric", "numeric_"),
    "text": ("TEXT", "ntext", "text_"),
    "tuple": ("TUPLE", "ntuple", "tuple_"),
    "key": ("KEY", "nkey", "key_"),
}
_IN_DATA = ("body", "joint", "geom", "site", "camera", "light", "equality", "tendon", "actuator")


def _rows_of_joint(model: _core.Model, index: int, size: str) -> slice:
    """The dofs or the coordinates of a joint."""
    adr = model.jnt_dofadr if size == "nv" else model.jnt_qposadr
    end = getattr(model, size) if index + 1 == model.njnt else adr[index + 1]
    return slice(int(adr[index]), int(end))


def _part(kind: str, array: Any, size: str, model: _core.Model, index: int) -> Any:
    if kind == "joint" and size in ("nv", "nq"):
        return array[_rows_of_joint(model, index, size)]
    return array[index : index + 1] if array.ndim == 1 else array[index]


def _attributes(kind: str, table: str) -> dict[str, tuple[str, str]]:
    """Attribute names of a kind: (field, size that counts its rows)."""
    _, size, prefix = _KINDS[kind]
    prefixes = {size: prefix}
    if kind == "tendon" and table != "model":
        prefixes = {size: "ten_"}
    if kind == "joint":
        prefixes |= {"nv": "dof_", "nq": ""}
    found = {}
    # A joint's own fields win over those of its dofs with the same name (solref).
    for rows, start in prefixes.items():
        for name, ctype, field_rows, _, group, _ in _TABLES[table]:
            if (
                field_rows != rows
                or ctype == "char"
                or name.startswith("name_")
                or group == "cache"
            ):
                continue
            found.setdefault(name.removeprefix(start), (name, rows))
    return found


def _make_getter(kind: str, name: str, field: str, size: str, doc: str) -> property:
    def get(self):
        return _part(kind, getattr(self._owner, field), size, self._model, self.id)

    def put(self, value):
        get(self)[...] = value

    get.__name__ = name
    return property(get, put, doc=doc)


class Element:
    """One element of a model; its attributes are views of the element's rows.

    Attributes
    ----------
    id : int
        Index of the element among its kind.
    name : str
        Its name; empty when it has none.
    """

    __slots__ = ("_model", "_owner", "id")
    _kind = ""
    _fields: tuple[str, ...] = ()

    def __init__(self, owner: Any, model: _core.Model, index: int) -> None:
        self._owner = owner
        self._model = model
        self.id = index

    @property
    def name(self) -> str:
        """Name of the element."""
        return _core.id2name(self._model, _OBJECT[_KINDS[self._kind][0]], self.id) or ""

    def __repr__(self) -> str:
        lines = [f"  {n}: {getattr(self, n)!r}" for n in ("id", "name", *self._fields)]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _find(model: _core.Model, kind: str, key: Any) -> int:
    """Id of an element from its name or its id."""
    objtype = _OBJECT[_KINDS[kind][0]]
    count = _core.objectCount(model, objtype)
    if isinstance(key, str):
        index = _core.name2id(model, objtype, key)
        if index >= 0:
            return index
        names = [n for i in range(count) if (n := _core.id2name(model, objtype, i))]
        near = difflib.get_close_matches(key, names, n=3, cutoff=0.5)
        hint = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
        known = f" Valid names: {names}" if not near else ""
        raise KeyError(f"no {kind} is called {key!r}{hint}{known}")
    index = int(key.__index__())
    if not 0 <= index < count:
        raise IndexError(f"{kind} {index} does not exist: valid ids are 0 to {count - 1}")
    return index


def _make_class(kind: str, table: str, properties: dict[str, property]) -> type[Element]:
    name = f"{'Model' if table == 'model' else 'Data'}{kind.capitalize()}"
    members = {"__slots__": (), "_kind": kind, "_fields": tuple(properties), **properties}
    return type(name, (Element,), {"__module__": __name__, **members})


def _field_class(kind: str, table: str) -> type[Element]:
    meanings = {row[0]: row[5] for row in _TABLES[table]}
    properties = {
        name: _make_getter(kind, name, field, size, meanings[field])
        for name, (field, size) in sorted(_attributes(kind, table).items())
        if name.isidentifier()
    }
    if table == "data" and kind == "actuator":
        properties.pop("moment", None)
        properties["moment"] = property(_moment, doc="moment arms over all dofs, a copy (nv)")
    if table == "data" and kind == "tendon":
        properties["J"] = property(_arms, doc="moment arms over all dofs, a copy (nv)")
        properties["J_colind"] = property(_arm_dofs, doc="dofs of its moment arms")
    if table == "model" and kind in _SPANS:
        properties["data"] = property(_SPANS[kind], doc="its part of the data of all")
    return _make_class(kind, table, properties)


def _moment(self) -> np.ndarray:
    d, row = self._owner, np.zeros(self._model.nv)
    start = d.moment_rowadr[self.id]
    span = slice(start, start + d.moment_rownnz[self.id])
    np.add.at(row, d.moment_colind[span], d.actuator_moment[span])
    return row


def _arms(self) -> np.ndarray:
    return self._owner.ten_J[self.id]


def _arm_dofs(self) -> np.ndarray:
    d, dofs = self._owner, self._owner.ten_J_colind
    if dofs.ndim == 2:  # as the peer has them
        return dofs[self.id]
    start = d.ten_J_rowadr[self.id]
    return dofs[start : start + d.ten_J_rownnz[self.id]]


def _numeric_data(self) -> np.ndarray:
    m, i = self._model, self.id
    return m.numeric_data[m.numeric_adr[i] : m.numeric_adr[i] + m.numeric_size[i]]


def _text_data(self) -> str:
    m, i = self._model, self.id
    return m.text_data[m.text_adr[i] : m.text_adr[i] + m.text_size[i] - 1].decode()


_SPANS: dict[str, Callable] = {"numeric": _numeric_data, "text": _text_data}


def _sensor_data(self) -> np.ndarray:
    m, i = self._model, self.id
    return self._owner.sensordata[m.sensor_adr[i] : m.sensor_adr[i] + m.sensor_dim[i]]


def _set_sensor_data(self, value) -> None:
    _sensor_data(self)[...] = value


_MODEL = {kind: _field_class(kind, "model") for kind in _KINDS}
_DATA = {kind: _field_class(kind, "data") for kind in _IN_DATA}
_DATA["sensor"] = _make_class(
    "sensor",
    "data",
    {"data": property(_sensor_data, _set_sensor_data, doc="outputs of the sensor")},
)


def _accessor(kind: str, classes: dict[str, type[Element]], whole: bool) -> Callable:
    cls = classes[kind]

    def element(self, key: str | int):
        model = self if whole else self.model
        return cls(self, model, _find(model, kind, key))

    element.__name__ = element.__qualname__ = kind
    element.__doc__ = f"The {kind} with this name or id.\n\nAttributes: {', '.join(cls._fields)}."
    return element


MODEL_ACCESSORS = {kind: _accessor(kind, _MODEL, True) for kind in _MODEL}
DATA_ACCESSORS = {kind: _accessor(kind, _DATA, False) for kind in _DATA}
ALIASES = {
    "joint": "jnt",
    "equality": "eq",
    "camera": "cam",
    "texture": "tex",
    "material": "mat",
    "key": "keyframe",
}
for _accessors in (MODEL_ACCESSORS, DATA_ACCESSORS):
    for _kind, _alias in ALIASES.items():
        if _kind in _accessors:
            _accessors[_alias] = _accessors[_kind]
