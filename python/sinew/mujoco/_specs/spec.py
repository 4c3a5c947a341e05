"""MjSpec, the peer's model that can be edited, over `sinew.Spec`."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

from ... import _core
from ..._spec import _KINDS, _PLURALS, Spec
from .actuator import MjsActuator
from .assets import MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from .body import KINDS as _IN_BODIES
from .body import MjsBody
from .constraint import MjsEquality, MjsExclude, MjsPair
from .custom import MjsKey, MjsNumeric, MjsText, MjsTuple
from .default import MjsDefault
from .elements import MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from .fields import keep, same
from .orientation import MjsOrientation, quaternion
from .section import CompilerSection, OptionSection, Section
from .sensor import MjsSensor
from .struct import Struct
from .tendon import MjsTendon

_CLASSES: dict[str, type[Struct]] = {
    "body": MjsBody, "joint": MjsJoint, "geom": MjsGeom, "site": MjsSite, "camera": MjsCamera,
    "light": MjsLight, "frame": MjsFrame, "mesh": MjsMesh, "hfield": MjsHField, "skin": MjsSkin,
    "texture": MjsTexture, "material": MjsMaterial, "pair": MjsPair, "exclude": MjsExclude,
    "equality": MjsEquality, "tendon": MjsTendon, "actuator": MjsActuator, "sensor": MjsSensor,
    "numeric": MjsNumeric, "text": MjsText, "tuple": MjsTuple, "key": MjsKey,
}  # fmt: skip
_KIND_OF = {value: kind for kind, value in _KINDS.items() if kind in _CLASSES and kind != "frame"}
# What add_KIND makes: section, tag, whether it takes a default class.
_ADDED = {
    "mesh": ("asset", "mesh", True),
    "material": ("asset", "material", True),
    "texture": ("asset", "texture", False),
    "hfield": ("asset", "hfield", False),
    "skin": ("asset", "skin", False),
    "pair": ("contact", "pair", True),
    "exclude": ("contact", "exclude", False),
    "equality": ("equality", "connect", True),
    "tendon": ("tendon", "spatial", True),
    "actuator": ("actuator", "general", True),
    "sensor": ("sensor", "touch", False),
    "numeric": ("custom", "numeric", False),
    "text": ("custom", "text", False),
    "tuple": ("custom", "tuple", False),
    "key": ("keyframe", "key", False),
}
_SIZES = (
    "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon",
    "nuser_actuator", "nuser_sensor", "nkey", "njmax", "nconmax",
)  # fmt: skip


def _files(*groups: Mapping[str, Any] | None) -> dict[str, Any]:
    """Files in memory, their text as bytes."""
    files = {name: data for group in groups if group for name, data in group.items()}
    return {name: d.encode() if isinstance(d, str) else d for name, d in files.items()}


class MjSpec:
    """A model that can be edited, as the peer's class of this name; see docs/spec.md."""

    __slots__ = (
        "__weakref__",
        "_copies",
        "_defaults",
        "_infos",
        "_sections",
        "_spec",
        "_structs",
        "parent",
        "assets",
        "comment",
    )
    _model_type: Any = None  # MjModel; set by the module that has it

    def __init__(self, _spec: Spec | None = None) -> None:
        put = object.__setattr__
        put(self, "_spec", Spec() if _spec is None else _spec)
        put(self, "_structs", {})
        put(self, "_defaults", {})
        put(self, "_sections", {})
        put(self, "_infos", {})
        put(self, "_copies", False)
        put(self, "parent", None)
        put(self, "assets", {})
        put(self, "comment", "")

    @property
    def _handle(self) -> Any:
        return self._spec._handle

    @classmethod
    def from_file(
        cls,
        filename: str | os.PathLike,
        include: Mapping[str, bytes] | None = None,
        assets: Mapping[str, bytes] | None = None,
    ) -> MjSpec:
        """Read a model file; `include` and `assets` hold files by name."""
        try:
            return cls._of(Spec.from_path(filename, _files(assets, include)), assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def from_string(
        cls,
        xml: str | bytes,
        include: Mapping[str, bytes] | None = None,
        assets: Mapping[str, bytes] | None = None,
    ) -> MjSpec:
        """Read model text; `include` and `assets` hold files by name."""
        try:
            return cls._of(Spec.from_xml(xml, _files(assets, include)), assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def _of(cls, spec: Spec, assets: Mapping[str, bytes] | None) -> MjSpec:
        result = cls(spec)
        result.assets.update(assets or {})
        return result

    # ---- structs and what they have not yet told the spec

    def _struct(self, element: Any) -> Any:
        if element is None:
            return None
        struct = self._structs.get(element)
        if struct is None:
            tag, value = _core.elementInfo(element)[:2]
            tags = {
                "worldbody": "body",
                "body": "body",
                "frame": "frame",
            }  # kinds also of what is removed
            kind = tags.get(tag) or _KIND_OF[value]
            struct = self._structs[element] = _CLASSES[kind](self, element)
        return struct

    def _default_struct(self, element: Any, member: str, plural: str) -> Any:
        if element not in self._defaults:
            self._defaults[element] = (_CLASSES[member](self, element), member, plural)
        return self._defaults[element][0]

    def _section(self, path: str) -> Any:
        if path not in self._sections:
            kinds = {"option": OptionSection, "compiler": CompilerSection}
            self._sections[path] = kinds.get(path, Section)(self, path)
        return self._sections[path]

    def _flush_defaults(self) -> None:
        """Defaults count for what is made after they are set: the rest keeps its values."""
        for struct, member, plural in list(self._defaults.values()):
            changed = [n for n, v in struct._values.items() if not same(v, struct._saved[n])]
            if not changed:
                continue
            others = [s for s in getattr(self, plural) if hasattr(s, "classname")]
            others += self._subclasses(struct, member)
            own = [n for n in changed if n in struct._own]
            held = [(s, {n: keep(s._get(n)) for n in changed if s._has(n)}) for s in others]
            struct._flush()
            for other, values in held:
                for name in values:
                    if name in other._fields():
                        other._refresh(name, values[name])
                if own and all(n in values for n in own):
                    other._store({k: other._get(k) for k in other._own})

    def _subclasses(self, struct: Struct, member: str) -> list[Any]:
        found = []
        node = _core.elementInfo(_core.elementInfo(struct._element)[3])[4]
        while node is not None:
            info = _core.elementInfo(node)
            if info[0] == "default":
                other = getattr(MjsDefault(self, node), member)
                found += [other, *self._subclasses(other, member)]
            node = info[5]
        return found

    def _flush(self) -> None:
        self._flush_defaults()
        for section in list(self._sections.values()):
            section._flush()
        for struct in list(self._structs.values()):
            if struct._values:
                struct._flush()
        for name, data in self.assets.items():
            self._spec.add_asset(name, data)

    def _remove(self, struct: Any) -> None:
        _core.elementRemove(struct._element)
        alive = {e._handle for e in self._spec.root.walk()}
        for known in (self._structs, self._defaults):
            for element in [e for e in known if e not in alive]:
                del known[element]

    # ---- whole specs

    def compile(self) -> Any:
        """The compiled model."""
        self._flush()
        return _core.specCompile(self._handle, self._model_type)

    def recompile(self, m: Any, d: Any) -> Any:
        """Compile again; returns a model and a data that carry on the state of the old ones."""
        self._flush()
        return self._spec.recompile(m, d)

    def to_xml(self) -> str:
        """The spec as canonical MJCF."""
        self._flush()
        return self._spec.to_xml()

    def to_file(self, filename: str | os.PathLike) -> None:
        """Write it as canonical MJCF."""
        self._flush()
        self._spec.save(filename)

    def copy(self) -> MjSpec:
        """A copy that shares nothing with this one."""
        self._flush()
        return self._of(self._spec.copy(), self.assets)

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> MjSpec:
        return self.copy()

    def delete(self, element: Any) -> None:
        """Take an element out; with a body what refers to it and to what it holds."""
        self._flush()
        if isinstance(element, MjsDefault):
            users = [s for s in self._classed() if s.classname == element]
            for user in users:
                user._hold_all()
            self._remove(element)
            for user in users:
                user._release_all()
        else:
            if not isinstance(element, MjsBody):
                element.name = (
                    ""  # what refers to it stays, an error until it is mended or deleted, too
                )
            self._remove(element)

    def _classed(self) -> list[Any]:
        kinds = (p for p, kind in _PLURALS.items() if kind not in ("body", "frame"))
        return [s for plural in kinds for s in getattr(self, plural) if hasattr(s, "classname")]

    @staticmethod
    def resolve_orientation(
        degree: bool = True, sequence: Any = "xyz", orientation: MjsOrientation | None = None
    ) -> list[float]:
        """The quaternion of an orientation in another form; degree: its angles are in degrees."""
        return quaternion(orientation or MjsOrientation(), bool(degree), "".join(sequence)).tolist()

    # ---- attaching

    def _attach(self, parent: Any, child: MjSpec, what: Any, prefix: Any, suffix: Any) -> Any:
        self._flush()
        if child is not self:
            child._part_files(self.assets, prefix or "", suffix or "")
        child._flush()
        self.assets.update(child.assets)
        made = _core.elementAttach(parent, child._handle, what, prefix or "", suffix or "")
        if not self._copies and child is not self:
            world = _core.specSection(child._handle, "worldbody")
            self._adopt(child, world if what is None else what, made)
            self._adopt_named(child, prefix or "", suffix or "")
        if child is not self:
            object.__setattr__(child, "parent", self)
        return self._struct(made)

    def _part_files(self, others: dict[str, Any], prefix: str, suffix: str) -> None:
        """Rename files in memory that are other ones in a spec which this one will be attached to."""
        taken = [n for n, data in self.assets.items() if n in others and others[n] != data]
        for name in taken:
            folder, base = os.path.split(name)
            stem, ending = os.path.splitext(base)
            number, new = 0, os.path.join(folder, prefix + stem + suffix + ending)
            while new in others or new in self.assets:
                number += 1
                new = os.path.join(folder, f"{prefix}{stem}{suffix}_{number}{ending}")
            self.assets[new] = self.assets.pop(name)
            self._spec.add_asset(name, _files({name: others[name]})[name])
            for struct in (
                s for p in ("meshes", "textures", "hfields", "skins") for s in getattr(self, p)
            ):
                file = struct.file
                if file == name or (file and name.endswith("/" + file)):
                    struct.name = struct.name or stem
                    struct.file = os.path.join(os.path.dirname(file), os.path.basename(new))

    def _take(self, child: MjSpec, old: Any, new: Any) -> None:
        struct = child._structs.pop(old, None)
        if struct is not None:
            object.__setattr__(struct, "_spec", self)
            object.__setattr__(struct, "_element", new)
            self._structs[new] = struct

    def _adopt(self, child: MjSpec, old: Any, new: Any) -> None:
        """A program's structs of what was attached are those of the copies from now on, as the peer moves it."""
        if _core.elementInfo(old)[0] != "worldbody":
            self._take(child, old, new)
        a, b = _core.elementInfo(old)[4], _core.elementInfo(new)[4]
        while a is not None and b is not None:
            first, second = _core.elementInfo(a), _core.elementInfo(b)
            if first[0] != second[0]:
                return
            self._adopt(child, a, b)
            a, b = first[5], second[5]

    def _adopt_named(self, child: MjSpec, prefix: str, suffix: str) -> None:
        kinds = {_CLASSES[kind]: kind for kind in _ADDED}
        for old, struct in list(child._structs.items()):
            kind = kinds.get(type(struct))
            new = kind and struct.name and self._find_core(kind, prefix + struct.name + suffix)
            if new:
                self._take(child, old, new)

    def attach(
        self,
        child: MjSpec,
        prefix: str | None = None,
        suffix: str | None = None,
        site: Any = None,
        frame: Any = None,
    ) -> Any:
        """Attach a copy of another spec's world to a site or frame, given itself or by name; returns its frame."""
        if (site is None) == (frame is None):
            raise ValueError("Specify either a site or a frame, not both.")
        kind = "Site" if frame is None else "Frame"
        target = site if frame is None else frame
        if isinstance(target, str):
            target = self._find(kind.lower(), target)
            if target is None:
                raise ValueError(f"{kind} not found.")
        return self._attach(target._target(), child, None, prefix, suffix)

    # ---- elements

    def _find_core(self, kind: str, name: str) -> Any:
        return _core.specFind(self._handle, _KINDS[kind], name)

    def _find(self, kind: str, name: str) -> Any:
        if kind == "body" and name == "world":
            return self.worldbody
        found = self._struct(self._find_core(kind, name))
        if found is None and kind in ("mesh", "texture", "hfield", "skin"):  # by its file
            unnamed = (s for s in self._list(kind) if not s.name)
            found = next((s for s in unnamed if pathlib.PurePath(s.file).stem == name), None)
        return found

    def _list(self, kind: str) -> list[Any]:
        """In the order of ids: what bodies hold comes body by body."""
        if kind in _IN_BODIES:
            world = self.worldbody
            return [world] * (kind == "body") + world.find_all(kind)
        return [self._struct(e._handle) for e in self._spec.elements(kind)]

    def _add(self, kind: str, default: Any, given: dict[str, Any]) -> Any:
        section, tag, _ = _ADDED[kind]
        self._flush_defaults()
        element = _core.elementAdd(_core.specSection(self._handle, section), tag, None)
        struct = self._struct(element)
        try:
            if default is not None:
                _core.elementSetText(element, "class", default.name)
            struct._apply(given)
        except BaseException:
            self._remove(struct)
            raise
        return struct

    @property
    def worldbody(self) -> Any:
        """The world."""
        return self._struct(_core.specSection(self._handle, "worldbody"))

    @property
    def default(self) -> MjsDefault:
        """The outermost default class."""
        return MjsDefault(self, _core.specSection(self._handle, "default"))

    def find_default(self, name: str) -> MjsDefault | None:
        """The default class of a name, or None."""
        if name == "main":
            return self.default
        element = _core.specFind(self._handle, -1, name)
        return None if element is None else MjsDefault(self, element)

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """Add a default class inside another one."""
        self._flush_defaults()
        if self.find_default(name) is not None:
            raise ValueError(f"default class '{name}' is there already")
        parent = parent or self.default
        return MjsDefault(self, _core.elementAdd(parent._element, "default", name))

    # ---- settings

    @property
    def modelname(self) -> str:
        """The model's name."""
        return _core.elementGetText(_core.specRoot(self._handle), "model") or "MuJoCo Model"

    @modelname.setter
    def modelname(self, value: str) -> None:
        _core.elementSetText(_core.specRoot(self._handle), "model", value)

    @property
    def memory(self) -> int:
        """Limit of the arena in bytes; all bits set: 2 GiB."""
        numbers = _core.elementGetText(_core.specSection(self._handle, "size"), "memory")
        return int(numbers) if numbers and numbers.isdigit() else 2**64 - 1

    @memory.setter
    def memory(self, value: int) -> None:
        text = None if value < 0 or value == 2**64 - 1 else str(int(value))
        _core.elementSetText(_core.specSection(self._handle, "size"), "memory", text)

    def __getattr__(self, name: str) -> Any:
        if name in ("compiler", "option", "visual"):
            return self._section(name)
        if name == "stat":
            return self._section("statistic")
        if name in ("meshdir", "texturedir", "strippath"):
            return getattr(self._section("compiler"), name)
        if name in _SIZES:
            return getattr(self._section("size"), name)
        raise AttributeError(f"MjSpec.{name} is not in Sinew yet")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("meshdir", "texturedir", "strippath"):
            setattr(self._section("compiler"), name, value)
        elif name in _SIZES:
            setattr(self._section("size"), name, value)
        elif name == "copy_during_attach":
            object.__setattr__(self, "_copies", bool(value))
        elif name in dir(type(self)):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"MjSpec.{name} is not in Sinew yet")


def _access(kind: str, plural: str) -> None:
    def find(self: MjSpec, name: str) -> Any:
        return self._find(kind, name)

    def elements(self: MjSpec) -> list[Any]:
        return self._list(kind)

    find.__name__ = find.__qualname__ = kind
    find.__doc__ = f"The {kind} of a name, or None."
    setattr(MjSpec, kind, find)
    setattr(MjSpec, plural, property(elements, doc=f"All {plural}."))


def _adder(kind: str, classed: bool) -> None:
    def add(self: MjSpec, default: Any = None, **kwargs: Any) -> Any:
        return self._add(kind, default, kwargs)

    def add_plain(self: MjSpec, **kwargs: Any) -> Any:
        return self._add(kind, None, kwargs)

    function = add if classed else add_plain
    function.__name__ = function.__qualname__ = "add_" + kind
    function.__doc__ = f"Add a {kind}."
    setattr(MjSpec, "add_" + kind, function)


for _plural, _kind in _PLURALS.items():
    if _kind in _CLASSES:
        _access(_kind, _plural)
for _kind, (_, _, _classed) in _ADDED.items():
    _adder(_kind, _classed)

__all__ = ["MjSpec"]
