"""The struct of a body, and what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS
from .._release import IS_LATER
from .elements import InBody, MjsFrame, Placed
from .flex import make_flex
from .members import cast, same
from .orientation import MjsOrientation, load_orientation, store_orientation
from .struct import Plugged

_LISTS = {
    "bodies": "body",
    "joints": "joint",
    "geoms": "geom",
    "sites": "site",
    "cameras": "camera",
    "lights": "light",
    "frames": "frame",
}
KINDS = tuple(_LISTS.values())


class MjsBody(Placed, Plugged):
    """A body, or the world."""

    __slots__ = ()
    _home = ("worldbody", "body")
    _options = (
        "name childclass pos quat mass ipos iquat inertia fullinertia mocap gravcomp userdata "
        "explicitinertial plugin info"
    )
    _class_attribute = "childclass"
    _own = {
        **Placed._own,
        "mass": 0.0, "ipos": np.array([np.nan, 0, 0]), "iquat": np.array([1.0, 0, 0, 0]),
        "inertia": np.zeros(3), "ialt": MjsOrientation(), "explicitinertial": 0,
        "fullinertia": np.array([np.nan, 0, 0, 0, 0, 0]),
    }  # fmt: skip

    def _is_world(self) -> bool:
        return _core.elementInfo(self._element)[0] == "worldbody"

    def _parts(self) -> list[Any]:
        """Its elements: the world has one for each section <worldbody> of the source."""
        return self._spec._worlds() if self._is_world() else [self._element]

    def _inertial(self) -> Any:
        child = _core.elementInfo(self._element)[4]
        while child is not None and _core.elementInfo(child)[0] != "inertial":
            child = _core.elementInfo(child)[5]
        return child

    def _load(self) -> dict[str, Any]:
        result = {} if self._is_world() else super()._load()
        inertial = self._inertial()
        if inertial is None:
            return result
        result |= {"explicitinertial": 1, **load_orientation(inertial, "iquat", "ialt")}
        for name, attribute in (
            ("ipos", "pos"),
            ("inertia", "diaginertia"),
            ("fullinertia", "fullinertia"),
        ):
            numbers = np.frombuffer(_core.elementGetNumbers(inertial, attribute), np.float64)
            if numbers.size:
                result[name] = numbers.copy()
        mass = np.frombuffer(_core.elementGetNumbers(inertial, "mass"), np.float64)
        return {**result, "mass": float(mass[0]) if mass.size else 0.0}

    def _store(self, values: dict[str, Any]) -> None:
        if self._is_world():
            return
        saved = self._saved
        if any(not same(values[n], saved[n]) for n in Placed._own):
            super()._store(values)
        inertial = [n for n in self._own if n not in Placed._own]
        if any(not same(values[n], saved[n]) for n in inertial):
            self._store_inertial(values)

    def _store_inertial(self, values: dict[str, Any]) -> None:
        inertial = self._inertial()
        given = not np.isnan(values["ipos"][0])
        if not given and self.geoms:
            if inertial is not None:
                _core.elementRemove(inertial)
            return  # the peer takes the mass from the geoms then
        if inertial is None:
            inertial = _core.elementAdd(self._element, "inertial", None)
        ipos = values["ipos"] if given else np.zeros(3)
        _core.elementSetNumbers(inertial, "pos", ipos.tobytes())
        _core.elementSetNumbers(inertial, "mass", np.array([values["mass"]]).tobytes())
        full = values["fullinertia"]
        _core.elementSetText(inertial, "diaginertia", None)
        _core.elementSetText(inertial, "fullinertia", None)
        if np.isnan(full[0]):
            store_orientation(inertial, values["iquat"], values["ialt"])
            _core.elementSetNumbers(inertial, "diaginertia", values["inertia"].tobytes())
        else:
            _core.elementSetNumbers(inertial, "fullinertia", full.tobytes())

    @property
    def name(self) -> str:
        """Its name."""
        return "world" if self._is_world() else Placed.name.fget(self)  # type: ignore[attr-defined]

    @name.setter
    def name(self, value: str) -> None:
        Placed.name.fset(self, value)  # type: ignore[attr-defined]

    @property
    def id(self) -> int:
        """Its id in the model of the last compilation."""
        if self._is_world():
            return 0
        is_gone = IS_LATER and not self._spec._is_here(self._element)
        return -1 if is_gone else _core.elementInfo(self._element)[2]

    @property
    def childclass(self) -> str:
        """Name of the default class of what it holds."""
        return self.classname.name

    @childclass.setter
    def childclass(self, value: Any) -> None:
        value = cast("childclass", getattr(value, "name", value), "")
        _core.elementSetText(self._element, "childclass", value or None)

    # ---- what it holds

    def _direct(self, tag: str) -> list[Any]:
        found, tags = [], ("joint", "freejoint") if tag == "joint" else (tag,)
        stack = [_core.elementInfo(e)[4] for e in reversed(self._parts())]
        while stack:
            element = stack.pop()
            if element is None:
                continue
            info = _core.elementInfo(element)
            stack.append(info[5])
            if info[0] in tags and not self._spec._is_gone(element):
                found.append(self._spec._struct(element))
            if info[0] == "frame":
                stack.append(info[4])
        return found

    def _next(self, kind: str, after: Any = None) -> Any:
        found = self._direct(kind)
        index = 0 if after is None else found.index(after) + 1 if after in found else len(found)
        return found[index] if index < len(found) else None

    def find_child(self, name: str) -> Any:
        """The body of a name below this one, or None."""
        return next((b for b in self.find_all("body") if b.name == name), None)

    def find_all(self, kind: Any) -> list[Any]:
        """All elements of a kind, "body" or mjtObj, in this body and those below it."""
        if not isinstance(kind, str):
            kind = (
                "frame"
                if int(kind) == 100
                else ENUMS["mjtObj"](kind).name.removeprefix("mjOBJ_").lower()
            )
        kind = kind.replace("xbody", "body")
        if kind not in KINDS:
            kinds = "body, frame, geom, site, joint, light, camera"
            raise ValueError(f"body.find_all supports the types: {kinds}.")
        found = [] if kind == "body" else self._direct(kind)
        for body in self._direct("body"):
            found += [body] * (kind == "body") + body.find_all(kind)
        return found

    # ---- making more

    def _add(
        self,
        tag: str,
        default: Any,
        given: dict[str, Any],
        parent: Any = None,
        options: str | None = None,
    ) -> Any:
        self._spec._flush_defaults()
        element = _core.elementAdd(parent or self._parts()[-1], tag, None)
        struct = self._spec._struct(element)
        try:
            if default is not None:
                attribute = "childclass" if tag == "body" else "class"
                _core.elementSetText(element, attribute, default.name)
            struct._apply(given, options)
        except BaseException:
            self._spec._remove(struct)
            raise
        return struct

    def add_body(self, default: Any = None, **kwargs: Any) -> MjsBody:
        """Add a body."""
        return self._add("body", default, kwargs)

    def add_geom(self, default: Any = None, **kwargs: Any) -> Any:
        """Add a geom."""
        return self._add("geom", default, kwargs)

    def add_joint(self, default: Any = None, **kwargs: Any) -> Any:
        """Add a joint."""
        return self._add("joint", default, kwargs)

    def add_freejoint(self, **kwargs: Any) -> Any:
        """Add a free joint."""
        return self._add("freejoint", None, kwargs, options="align group name")

    def add_site(self, default: Any = None, **kwargs: Any) -> Any:
        """Add a site."""
        return self._add("site", default, kwargs)

    def add_camera(self, default: Any = None, **kwargs: Any) -> Any:
        """Add a camera."""
        return self._add("camera", default, kwargs)

    def add_light(self, default: Any = None, **kwargs: Any) -> Any:
        """Add a light."""
        return self._add("light", default, kwargs)

    def add_frame(self, default: MjsFrame | None = None, **kwargs: Any) -> MjsFrame:
        """Add a frame, inside another one if that is given."""
        return self._add("frame", None, kwargs, default and default._element)

    def attach_frame(self, frame: Any, prefix: str | None = None, suffix: str | None = None) -> Any:
        """Attach a copy of another spec's frame; returns the copy."""
        return self._spec._attach(self._parts()[-1], frame._spec, frame._element, prefix, suffix)

    def to_frame(self) -> Any:
        """Replace it by a frame that holds what it held, without joints and inertia; returns the frame."""
        self._flush()
        parent = _core.elementInfo(self._element)[3]
        frame = _core.elementAdd(parent, "frame", None)
        struct = self._spec._struct(frame)
        struct.pos, struct.quat, struct.alt = self.pos, self.quat, self.alt
        struct.childclass = _core.elementGetText(self._element, "childclass")
        child = _core.elementInfo(self._element)[4]
        while child is not None:
            following = _core.elementInfo(child)[5]
            if _core.elementInfo(child)[0] not in ("joint", "freejoint", "inertial"):
                _core.elementMove(child, frame)
            child = following
        struct._flush()
        self._spec._remove(self)
        return struct


def _lists(plural: str, kind: str) -> None:
    def direct(self: MjsBody) -> list[Any]:
        return self._direct(kind)

    def first(self: MjsBody) -> Any:
        return self._next(kind)

    def following(self: MjsBody, arg0: Any) -> Any:
        if not isinstance(arg0, InBody):
            raise TypeError(f"next_{kind}: a {kind} is needed.")
        return self._next(kind, arg0)

    setattr(MjsBody, plural, property(direct, doc=f"Its {plural}, those in its frames, too."))
    for verb, function in (("first", first), ("next", following)):
        function.__name__ = function.__qualname__ = f"{verb}_{kind}"
        function.__doc__ = f"The {verb} {kind} of it, or None."
        setattr(MjsBody, f"{verb}_{kind}", function)


for _plural, _kind in _LISTS.items():
    _lists(_plural, _kind)


def _frame_adder(kind: str) -> None:
    def add(self: MjsFrame, default: Any = None, **kwargs: Any) -> Any:
        body = self.parent
        if body is None:
            raise ValueError("the frame stands in no body")
        return body._add(kind, default, kwargs, self._element)

    def add_frame(self: MjsFrame, default: MjsFrame | None = None, **kwargs: Any) -> Any:
        inside = self if default is None else default
        return self.parent._add("frame", None, kwargs, inside._element)

    function = add_frame if kind == "frame" else add
    function.__name__ = function.__qualname__ = "add_" + kind
    function.__doc__ = f"Add a {kind} inside the frame."
    setattr(MjsFrame, "add_" + kind, function)


if IS_LATER:
    MjsBody.make_flex = make_flex  # type: ignore[attr-defined]
    for _kind in KINDS:
        _frame_adder(_kind)
