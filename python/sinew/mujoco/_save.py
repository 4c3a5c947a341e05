"""What has been changed in a compiled model, put into the spec that it came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._spec import Element, Spec
from .._types import Model
from ._placed import has_mesh, in_frame, place_moved, weigh

# By kind: what the fields' names begin with, and which attributes have the field's name behind that.
_SAME = {
    "body": ("body_", "pos quat gravcomp"),
    "joint": ("jnt_", "pos axis stiffness springyield margin group range actfrcrange"),
    "geom": ("geom_", "pos quat size rgba friction solref solimp margin gap solmix contype conaffinity condim "
             "group priority"),
    "site": ("site_", "pos quat size rgba group"),
    "camera": ("cam_", "pos quat fovy ipd"),
    "light": ("light_", "pos dir diffuse ambient specular attenuation cutoff exponent active castshadow"),
    "material": ("mat_", "rgba emission specular shininess reflectance metallic roughness texrepeat texuniform"),
    "pair": ("pair_", "solref solreffriction solimp margin gap friction"),
    "equality": ("eq_", "solref solimp"),
    "tendon": ("tendon_", "range actfrcrange margin stiffness springyield damping armature frictionloss width rgba group"),
    "actuator": ("actuator_", "ctrlrange forcerange actrange gear cranklength lengthrange damping armature group"),
    "sensor": ("sensor_", "cutoff noise"),
    "key": ("key_", "time qpos qvel act ctrl mpos mquat plastic"),
}  # fmt: skip
_GENERAL = ("gainprm", "biasprm", "dynprm")  # of <general> alone
_DOF = {"damping": "dof_damping", "armature": "dof_armature", "frictionloss": "dof_frictionloss"}
_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")
_PLACED = ("pos", "quat")


def _is_placed(element: Element, m: Model, kind: str) -> bool:
    """Whether pos and quat in the model are those of the text: no frame, ends or mesh between."""
    if in_frame(element) or has_mesh(element, m, kind):
        return False
    return "fromto" not in element._attributes() or element._text("fromto") is None


def _set(element: Element, attribute: str, value: Any) -> None:
    if attribute == "quat":
        for other in _ORIENTATIONS:
            if other in element._attributes():
                setattr(element, other, None)
    row = element._attributes().get(attribute)
    if row is None:
        return
    numbers = np.atleast_1d(value)
    if row[1] == "bool":
        setattr(element, attribute, bool(numbers[0]))
    elif row[1] in ("number", "int", "numbers", "ints", "list", "orientation"):
        most = row[3]
        setattr(element, attribute, numbers[:most] if most else numbers)


def _is_angle(m: Model, kind: str, attribute: str, index: int) -> bool:
    """Whether the text has degrees where it has any: ranges of joints without limits are left as they are."""
    if kind != "joint" or m.jnt_type[index] not in (1, 3):
        return False
    return attribute in ("ref", "springyield") or (
        attribute == "range" and bool(m.jnt_limited[index])
    )


def _fields(kind: str, element: Element, m: Model, index: int) -> list[tuple[str, str, int]]:
    """(attribute, field, row) of an element."""
    prefix, names = _SAME[kind]
    rows = [(name, prefix + name, index) for name in names.split()]
    if kind == "joint" and m.jnt_type[index] != 0:
        rows += [(name, field, m.jnt_dofadr[index]) for name, field in _DOF.items()]
        rows += [("ref", "qpos0", m.jnt_qposadr[index])] if m.jnt_type[index] in (2, 3) else []
    if kind == "actuator" and element.tag == "general":
        rows += [(name, "actuator_" + name, index) for name in _GENERAL]
    if not _is_placed(element, m, kind):
        rows = [row for row in rows if row[0] not in _PLACED]
    return rows


def _value(m: Model, field: str, row: int) -> Any:
    """A row of a field, of springs and dampers with the coefficients of higher powers."""
    now, others = getattr(m, field)[row], getattr(m, field + "poly", None)
    return now if others is None or not others[row].any() else np.array([now, *others[row]])


def _differs(m: Model, fresh: Model, field: str, row: int) -> bool:
    return not np.array_equal(_value(m, field, row), _value(fresh, field, row), equal_nan=True)


def _leave_ends(kind: str, element: Element, m: Model, fresh: Model) -> None:
    """A geom or site between two points that is elsewhere, or of another size, now has a position and orientation."""
    if kind not in ("geom", "site") or element._text("fromto") is None:
        return
    prefix = _SAME[kind][0]
    names = (*_PLACED, "size")
    if in_frame(element):
        return
    if any(_differs(m, fresh, prefix + name, element.id) for name in names):
        element.fromto = None
        for name in names:
            _set(element, name, getattr(m, prefix + name)[element.id])


def _change_element(kind: str, element: Element, m: Model, fresh: Model, degrees: bool) -> None:
    _leave_ends(kind, element, m, fresh)
    for attribute, field, row in _fields(kind, element, m, element.id):
        if not _differs(m, fresh, field, row):
            continue
        now = _value(m, field, row)
        angle = degrees and _is_angle(m, kind, attribute, element.id)
        _set(element, attribute, np.degrees(now) if angle else now)


def _change_settings(spec: Spec, m: Model, fresh: Model) -> None:
    words = {name: items for name, _, items in _core.tables()["enums"]}
    kinds = {
        "integrator": "snIntegrator",
        "cone": "snCone",
        "jacobian": "snJacobian",
        "solver": "snSolver",
    }
    option = None
    for name, _, _, _ in _core.tables()["option"]:
        now = getattr(m.opt, name)
        if np.array_equal(now, getattr(fresh.opt, name), equal_nan=True):
            continue
        option = option or spec.section("option")
        if name in kinds:
            setattr(option, name, next(w[2] for w in words[kinds[name]] if w[1] == now))
        elif name in option._attributes():
            setattr(option, name, now)
    flags = spec.section("option/flag") if _flags(m) != _flags(fresh) else None
    for name in flags._attributes() if flags else ():
        for table, field, on in (
            ("snDisableBit", "disableflags", "disable"),
            ("snEnableBit", "enableflags", "enable"),
        ):
            for _, bit, word, _ in words[table]:
                if word == name and (_native(m, field) ^ _native(fresh, field)) & bit:
                    off = "enable" if on == "disable" else "disable"
                    setattr(flags, name, on if _native(m, field) & bit else off)
    for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
        struct = group + "_" * (group == "global")
        _change_group(spec, group, getattr(m.vis, struct), getattr(fresh.vis, struct))
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        now = getattr(m.stat, name)
        if not np.array_equal(now, getattr(fresh.stat, name), equal_nan=True):
            setattr(spec.section("statistic"), name, now)


def _change_group(spec: Spec, group: str, now: Any, before: Any) -> None:
    """A group of the visual settings."""
    section = None
    for name in (n for n in dir(now) if not n.startswith("_")):
        value = getattr(now, name)
        if callable(value) or np.array_equal(value, getattr(before, name), equal_nan=True):
            continue
        section = section or spec.section("visual/" + group)
        if section._attributes().get(name, ("", ""))[1] == "bool":
            value = bool(value)
        if name in section._attributes():
            setattr(section, name, value)


def _flags(m: Model) -> tuple[int, int]:
    return _native(m, "disableflags"), _native(m, "enableflags")


def _native(m: Model, name: str) -> int:
    """A member of the options with our bits, whatever the interface's are."""
    return getattr(_core.MjOption, name).__get__(m.opt)


def _same_sizes(m: Model, fresh: Model) -> bool:
    return all(getattr(m, name) == getattr(fresh, name) for name, _ in _core.tables()["sizes"])


def changed_xml(handle: Any, m: Model, folder: str) -> str:
    """MJCF of a spec, with what differs in m from what it compiles to; m of other sizes changes nothing. Names of
    files are relative to the folder."""
    spec = Spec(_core.specCopy(handle))
    put_back(spec, m)
    return _core.specWrite(spec._handle, False, folder)


def put_back(spec: Spec, m: Model) -> None:
    """Change in a spec what differs in m from what it compiles to; m of other sizes changes nothing."""
    fresh = _core.specCompile(spec._handle, type(m))
    if not _same_sizes(m, fresh):
        return
    _change_settings(spec, m, fresh)
    degrees = spec.section("compiler")._text("angle") != "radian"
    for kind in _SAME:
        for element in spec.elements(kind):
            if element.id >= 0:
                _change_element(kind, element, m, fresh, degrees)
    place_moved(spec, m, fresh)
    weigh(spec, m, fresh)
