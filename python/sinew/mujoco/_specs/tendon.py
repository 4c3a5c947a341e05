"""The struct of a tendon, and the points of its path."""

from __future__ import annotations

from typing import Any

from ... import _core
from .._enums import ENUMS
from .._release import IS_LATER
from .attributes import numbers, parts, set_numbers, set_text
from .default import children, outward
from .struct import Classed


class MjsWrap:
    """A point of a tendon's path."""

    __slots__ = ("_element", "_spec", "info")

    def __init__(self, spec: Any, element: Any) -> None:
        self._spec, self._element, self.info = spec, element, ""

    def _tag(self) -> str:
        return _core.elementInfo(self._element)[0]

    def _named(self, attribute: str, kind: str) -> Any:
        name = _core.elementGetText(self._element, attribute)
        return self._spec._find(kind, name) if name else None

    def _number(self, tag: str) -> float | None:
        attribute = "coef" if tag == "joint" else "divisor"
        return numbers(self._element, attribute, 1.0) if self._tag() == tag else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsWrap) and self._element == other._element

    def __hash__(self) -> int:
        return hash(self._element)


def _later_members() -> None:
    """What a point of a path tells since the later release."""
    wrap = ENUMS["mjtWrap"]

    def kind(self: MjsWrap) -> Any:
        """Whether it is a joint, pulley, site, sphere or cylinder."""
        tag = self._tag()
        if tag != "geom":
            return wrap["mjWRAP_" + tag.upper()]
        geom = self._named("geom", "geom")
        round_ = geom is None or geom.type != ENUMS["mjtGeom"].mjGEOM_CYLINDER
        return wrap.mjWRAP_SPHERE if round_ else wrap.mjWRAP_CYLINDER

    def target(self: MjsWrap) -> Any:
        """The joint, site or geom; None: it is a pulley, or there is none of that name."""
        tag = self._tag()
        return None if tag == "pulley" else self._named(tag, tag)

    def sidesite(self: MjsWrap) -> Any:
        """The site on whose side a geom is passed, or None."""
        return self._named("sidesite", "site") if self._tag() == "geom" else None

    def coef(self: MjsWrap) -> float | None:
        """The joint's coefficient, or None."""
        return self._number("joint")

    def divisor(self: MjsWrap) -> float | None:
        """The pulley's divisor, or None."""
        return self._number("pulley")

    def path(self: MjsTendon) -> MjsTendonPath:
        """The points of its path."""
        return MjsTendonPath(self)

    for name, get in (
        ("type", kind), ("target", target), ("sidesite", sidesite), ("coef", coef), ("divisor", divisor),
    ):  # fmt: skip
        setattr(MjsWrap, name, property(get, doc=get.__doc__))
    MjsTendon.path = property(path, doc=path.__doc__)  # type: ignore[attr-defined]


class MjsTendonPath:
    """The points of a tendon's path, by index from 0."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon: MjsTendon) -> None:
        self._tendon = tendon

    def __len__(self) -> int:
        return len(parts(self._tendon._element))

    def __getitem__(self, index: int) -> MjsWrap:
        found = parts(self._tendon._element)
        if not 0 <= index < len(found):
            raise IndexError("Index out of range.")
        return self._tendon._point(found[index])


class MjsTendon(Classed):
    """A tendon: <spatial>, or <fixed> when it is made of joints."""

    __slots__ = ()
    _home = ("tendon", "spatial")
    _unlisted = "classname copy"
    _options = (
        "name stiffness springlength damping frictionloss solref_friction solimp_friction armature limited "
        "actfrclimited range actfrcrange margin solref_limit solimp_limit material width rgba group "
        "userdata info"
    )
    _tags = ("spatial", "fixed")

    def _read(self, name: str) -> None:
        super()._read(name)
        if IS_LATER and name == "actfrclimited" and not self._gives("actuatorfrclimited"):
            self._values[name] = self._saved[name] = 2  # where older releases said no

    def _gives(self, attribute: str) -> bool:
        """Whether it, or a default class of it, has an attribute."""
        above = _core.elementInfo(self._element)[3]
        inside = above is not None and _core.elementInfo(above)[0] == "default"
        classes = outward(above if inside else self.classname._element)
        held = (c for e in classes for c in children(e) if _core.elementInfo(c)[0] == "tendon")
        return any(_core.elementGiven(e, attribute) for e in (self._element, *held))

    def _wrap(self, tag: str, **attributes: Any) -> MjsWrap:
        whole = "fixed" if tag == "joint" else "spatial"
        info = _core.elementInfo(self._element)
        if info[0] != whole:
            if info[4] is not None:
                raise ValueError(f"a tendon of other parts cannot have a {tag}")
            self._flush()
            _core.elementChangeTag(self._element, whole)
            for name in ("width", "rgba", "material"):
                self._values.pop(name, None)
        part = _core.elementAdd(self._element, tag, None)
        for name, value in attributes.items():
            if isinstance(value, str):
                set_text(part, name, value)
            else:
                set_numbers(part, name, value)
        return self._point(part)

    def _point(self, part: Any) -> MjsWrap:
        known = self._spec._wraps
        if part not in known:
            known[part] = MjsWrap(self._spec, part)
        return known[part]

    def wrap_site(self, name: str) -> MjsWrap:
        """The path passes a site."""
        return self._wrap("site", site=name)

    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        """The path wraps around a geom."""
        return self._wrap("geom", geom=name, sidesite=sidesite)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """The length is a sum over joints."""
        return self._wrap("joint", joint=name, coef=float(coef))

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """A pulley divides what follows."""
        return self._wrap("pulley", divisor=float(divisor))

    def default(self) -> Any:
        """Its default class."""
        return self.classname


if IS_LATER:
    _later_members()
