"""Structs of what stands in bodies: geoms, joints, sites, cameras, lights, frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .._release import IS_LATER
from .members import keep, same
from .orientation import MjsOrientation, load_orientation, store_orientation
from .struct import Classed, Plugged
from .vectors import MemberError

_LIGHT = ENUMS["mjtLightType"]
_OUTPUTS = WORDS.get("snCamOutput", {})  # words of what a camera gives, by bits


class InBody(Classed):
    """A struct of an element that stands in a body."""

    __slots__ = ()

    @property
    def parent(self) -> Any:
        """The body that it belongs to."""
        element = self._element
        while True:
            element = _core.elementInfo(element)[3]
            if element is None:
                return None
            if _core.elementInfo(element)[0] in ("body", "worldbody"):
                is_gone = IS_LATER and not self._spec._is_here(element)
                return None if is_gone else self._spec._struct(element)

    @property
    def frame(self) -> Any:
        """The frame that it stands in, None: directly in the body."""
        parent = _core.elementInfo(self._element)[3]
        if parent is None or _core.elementInfo(parent)[0] != "frame":
            return None
        return self._spec._struct(parent)

    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""
        if not isinstance(frame, MjsFrame):
            raise TypeError("set_frame: a frame is needed.")
        _core.elementMove(self._element, frame._element)


class Placed(InBody):
    """A struct with an orientation."""

    __slots__ = ()
    _own = {"quat": np.array([1.0, 0, 0, 0]), "alt": MjsOrientation()}

    def _load(self) -> dict[str, Any]:
        return load_orientation(self._element, "quat", "alt")

    def _store(self, values: dict[str, Any]) -> None:
        store_orientation(self._element, values["quat"], values["alt"])


class MjsGeom(Placed, Plugged):
    """A geom."""

    __slots__ = ()
    _home = ("worldbody", "geom")
    _options = (
        "name type pos quat fromto size contype conaffinity condim priority friction solmix solref solimp "
        "margin gap mass density typeinertia fluid_ellipsoid fluid_coefs material rgba group hfieldname "
        "meshname fitscale userdata plugin info"
    )


class MjsCamera(Placed):
    """A camera."""

    __slots__ = ()
    _home = ("worldbody", "camera")
    _options = (
        "name pos quat mode targetbody orthographic fovy ipd intrinsic sensor_size resolution focal_length "
        "focal_pixel principal_length principal_pixel userdata info"
    )
    _unused = {"intrinsic": np.zeros(4, np.float32)}  # the compiler makes it of the others
    _own = {**Placed._own, "output": 1} if IS_LATER else Placed._own

    def _load(self) -> dict[str, Any]:
        result = super()._load()
        if IS_LATER:
            words = (_core.elementGetText(self._element, "output") or "rgb").split()
            result["output"] = sum(bit for bit, word in _OUTPUTS.items() if word in words)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        super()._store(values)
        if not IS_LATER or values["output"] == self._saved["output"]:
            return
        bits = int(values["output"])
        if bits & ~sum(_OUTPUTS) or bits < 1:
            raise ValueError(f"output is {bits}, must be bits of mjtCamOutBit, one or more")
        words = [word for bit, word in _OUTPUTS.items() if bits & bit]
        _core.elementSetText(self._element, "output", " ".join(words))


class MjsJoint(InBody):
    """A joint; a free joint made by `add_freejoint` is one, too."""

    __slots__ = ()
    _home = ("worldbody", "joint")
    _options = (
        "name type pos axis ref align stiffness springref springdamper limited range margin solref_limit "
        "solimp_limit actfrclimited actfrcrange armature damping frictionloss solref_friction "
        "solimp_friction group actgravcomp userdata info"
    )
    _unused = {"align": 2}

    def _is_free(self) -> bool:
        return _core.elementInfo(self._element)[0] == "freejoint"

    def _read(self, name: str) -> None:
        super()._read(name)
        if name == "type" and self._is_free():
            self._values[name] = self._saved[name] = ENUMS["mjtJoint"].mjJNT_FREE

    def _flush(self) -> None:
        if self._is_free() and any(name not in self._fields() for name in self._changed()):
            self._become_joint()
        super()._flush()

    def _become_joint(self) -> None:
        """Another element, for what a <freejoint> cannot say; nothing of it comes from default classes."""
        plain = self._plain_fields()
        for name in plain:
            self._get(name)
        align = self._get("align")
        _core.elementChangeTag(self._element, "joint")
        for name, field in plain.items():
            if not same(field.read(self._element), self._values[name]):
                field.write(self._element, self._values[name])
            self._saved[name] = keep(self._values[name])
        self._saved["align"] = align


class MjsLight(InBody):
    """A light; `directional` in a file is an older way to write its type."""

    __slots__ = ()
    _home = ("worldbody", "light")
    _options = (
        "name pos dir mode targetbody active type texture castshadow bulbradius intensity range "
        "attenuation cutoff exponent ambient diffuse specular info"
    )
    _own = {"type": _LIGHT.mjLIGHT_SPOT}

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k != "type"}

    def _load(self) -> dict[str, Any]:
        if directional := _core.elementGetText(self._element, "directional"):
            return {"type": _LIGHT(int(directional == "true"))}
        word = _core.elementGetText(self._element, "type")
        return {"type": next(_LIGHT(v) for v, w in WORDS["mjtLightType"].items() if w == word)}

    def _store(self, values: dict[str, Any]) -> None:
        word = WORDS["mjtLightType"][int(values["type"])]
        _core.elementSetText(self._element, "directional", None)
        if _core.elementGetText(self._element, "directional"):  # of its class; it cannot have both
            word = "true" if values["type"] != _LIGHT.mjLIGHT_SPOT else "false"
            _core.elementSetText(self._element, "directional", word)
        else:
            _core.elementSetText(self._element, "type", word)


class Holder(Placed):
    """What can get copies of other specs: frames and sites."""

    __slots__ = ()

    def attach_body(self, body: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
        """Attach a copy of another spec's body; returns the copy."""
        return self._spec._attach(self._element, body._spec, body._element, prefix, suffix)


class MjsSite(Holder):
    """A site."""

    __slots__ = ()
    _home = ("worldbody", "site")
    _options = "name pos quat fromto size type material group rgba userdata info"


class MjsFrame(Holder):
    """A frame."""

    __slots__ = ()
    _home = ("worldbody", "frame")
    _unlisted = "classname copy"
    _options = "name childclass pos quat info"

    def _put(self, name: str, value: Any) -> None:
        if name == "scale":
            scale = np.asarray(value, np.float64)
            if scale.shape not in ((), (3,)):
                raise MemberError("scale: expected a scalar or a sequence of size 3")
            value = np.broadcast_to(scale, 3)
        super()._put(name, value)

    @property
    def childclass(self) -> str:
        """Default class of what is inside."""
        return _core.elementGetText(self._element, "childclass") or ""

    @childclass.setter
    def childclass(self, value: Any) -> None:
        _core.elementSetText(self._element, "childclass", getattr(value, "name", value) or None)
