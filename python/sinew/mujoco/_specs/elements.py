"""Structs of what stands in bodies: geoms, joints, sites, cameras, lights, frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .orientation import MjsOrientation, load_orientation, store_orientation
from .struct import Classed

_LIGHT = ENUMS["mjtLightType"]


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
                return self._spec._struct(element)

    @property
    def frame(self) -> Any:
        """The frame that it stands in, None: directly in the body."""
        parent = _core.elementInfo(self._element)[3]
        if parent is None or _core.elementInfo(parent)[0] != "frame":
            return None
        return self._spec._struct(parent)

    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""
        _core.elementMove(self._element, frame._element)


class Placed(InBody):
    """A struct with an orientation."""

    __slots__ = ()
    _own = {"quat": np.array([1.0, 0, 0, 0]), "alt": MjsOrientation()}

    def _load(self) -> dict[str, Any]:
        return load_orientation(self._element, "quat", "alt")

    def _store(self, values: dict[str, Any]) -> None:
        store_orientation(self._element, values["quat"], values["alt"])

    def _cast(self, name: str, value: Any, old: Any) -> Any:
        if isinstance(old, MjsOrientation):
            return value.copy()
        return super()._cast(name, value, old)


class MjsGeom(Placed):
    """A geom."""

    __slots__ = ()


class MjsCamera(Placed):
    """A camera."""

    __slots__ = ()


class MjsJoint(InBody):
    """A joint; a free joint made by `add_freejoint` is one, too."""

    __slots__ = ()
    _free = {"type": ENUMS["mjtJoint"].mjJNT_FREE, "axis": (0, 0, 1), "pos": (0, 0, 0)}

    def __getattr__(self, name: str) -> Any:
        if name in self._free and _core.elementInfo(self._element)[0] == "freejoint":
            return self._free[name]
        return super().__getattr__(name)


class MjsLight(InBody):
    """A light; `directional` in a file is an older way to write its type."""

    __slots__ = ()
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

    def _target(self) -> Any:
        return self._element

    def attach_body(self, body: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
        """Attach a copy of another spec's body; returns the copy."""
        return self._spec._attach(self._target(), body._spec, body._element, prefix, suffix)


class MjsSite(Holder):
    """A site."""

    __slots__ = ()

    def _target(self) -> Any:
        self._flush()
        frame = _core.elementAdd(_core.elementInfo(self._element)[3], "frame", None)
        _core.elementSetNumbers(frame, "pos", _core.elementGetNumbers(self._element, "pos"))
        store_orientation(frame, self.quat, self.alt)
        return frame


class MjsFrame(Holder):
    """A frame."""

    __slots__ = ()

    @property
    def childclass(self) -> str:
        """Default class of what is inside."""
        return _core.elementGetText(self._element, "childclass") or ""

    @childclass.setter
    def childclass(self, value: Any) -> None:
        _core.elementSetText(self._element, "childclass", getattr(value, "name", value) or None)
