"""The struct of a tendon, and the points of its path."""

from __future__ import annotations

from typing import Any

from ... import _core
from .attributes import set_numbers, set_text
from .struct import Classed


class MjsWrap:
    """A point of a tendon's path."""

    __slots__ = ("info",)

    def __init__(self) -> None:
        self.info = ""


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
        return MjsWrap()

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
