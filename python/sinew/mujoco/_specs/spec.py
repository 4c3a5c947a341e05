"""MjSpec, the peer's model that can be edited, over `sinew.Spec`."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from ... import _core
from ..._spec import _KINDS, _PLURALS, Spec
from ..._warn import tell
from .._release import IS_LATER, SILENT
from .actuator import MjsActuator
from .assets import MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from .authored import MjsAuthored, of_compiler
from .body import KINDS as _IN_BODIES
from .body import MjsBody
from .compiler import MjsCompiler
from .constraint import MjsEquality, MjsExclude, MjsPair
from .custom import MjsKey, MjsNumeric, MjsText, MjsTuple
from .default import MjsDefault, is_in
from .elements import Holder, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from .encode import encode
from .faults import explain
from .flex import MjsFlex
from .members import cast, keep
from .operations import OPERATIONS
from .orientation import MjsOrientation, quaternion
from .plugin import MjsPlugin, children, declared
from .sensor import MjsSensor
from .settings import OptionSettings, SectionMembers, StatisticSettings, VisualSettings
from .struct import Struct
from .tendon import MjsTendon, MjsWrap
from .zip import from_zip, to_zip

_CLASSES: dict[str, type[Struct]] = {
    "body": MjsBody, "joint": MjsJoint, "geom": MjsGeom, "site": MjsSite, "camera": MjsCamera,
    "light": MjsLight, "frame": MjsFrame, "mesh": MjsMesh, "hfield": MjsHField, "skin": MjsSkin,
    "flex": MjsFlex,
    "texture": MjsTexture, "material": MjsMaterial, "pair": MjsPair, "exclude": MjsExclude,
    "equality": MjsEquality, "tendon": MjsTendon, "actuator": MjsActuator, "sensor": MjsSensor,
    "numeric": MjsNumeric, "text": MjsText, "tuple": MjsTuple, "key": MjsKey,
}  # fmt: skip
_KIND_OF = {value: kind for kind, value in _KINDS.items() if kind in _CLASSES and kind != "frame"}
# What add_KIND makes: section, tag, whether it takes a default class.
_ADDED = {
    "mesh": ("asset", "mesh", True),
    "material": ("asset", "material", True),
    "texture": ("asset", "texture", IS_LATER),
    "hfield": ("asset", "hfield", False),
    "skin": ("asset", "skin", False),
    "flex": ("deformable", "flex", False),
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
_OF_FILES = ("mesh", "texture", "hfield", "skin")
# Those whose elements go along with what is attached.
_SECTIONS = {section for section, _, _ in _ADDED.values()} - {"keyframe"} | {"deformable"}


_UNPREFIXED = "what was attached without a prefix may prevent the model from being saved correctly"
_UNSET = -1 if IS_LATER else 2**64 - 1  # a size that is not given


class _Sizes(SectionMembers):
    """<size>, whose members the spec has."""

    __slots__ = ()
    _path = "size"
    _options = (
        "nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator "
        "nuser_sensor nkey njmax nconmax"
    )


def _files(*groups: Mapping[str, Any] | None) -> dict[str, Any]:
    """Files in memory, their text as bytes; those that stand for files in any folder as they are."""
    for group in groups:
        if getattr(group, "anywhere", False):
            return group  # type: ignore[return-value]
    files = {name: data for group in groups if group for name, data in group.items()}
    return {name: d.encode() if isinstance(d, str) else d for name, d in files.items()}


def _name(element: Any) -> str:
    return _core.elementGetText(element, "name") or ""


def _held(element: Any) -> list[Any]:
    """The elements directly in an element."""
    found, child = [], _core.elementInfo(element)[4]
    while child is not None:
        found.append(child)
        child = _core.elementInfo(child)[5]
    return found


def _kept(name: str, default: Any, doc: str) -> property:
    """A member without effect on the model."""

    def get(self: MjSpec) -> Any:
        return self._kept.get(name, default)

    def put(self: MjSpec, value: Any) -> None:
        self._kept[name] = cast(name, value, default)

    return property(get, put, doc=doc)


class MjSpec:
    """A model that can be edited, as the peer's class of this name; see docs/spec.md."""

    __slots__ = (
        "__weakref__", "_assets", "_cautions", "_compiled", "_copies", "_defaults", "_flexes", "_infos", "_kept", "_late",
        "_moved", "_override", "_parent", "_pending", "_pixels", "_plugins", "_sections", "_spec", "_structs", "_told", "_wraps", "_compilers",
    )  # fmt: skip
    _model_type: Any = None  # MjModel; set by the module that has it
    _lengthrange_type: Any = None  # MjLROpt, so too
    _setting_types: Any = None  # makes an option, a visual and a statistic, so too

    def __init__(self, _spec: Spec | None = None) -> None:
        self._spec = Spec(_core.specMake(SILENT)) if _spec is None else _spec
        self._structs: dict[Any, Any] = {}
        self._moved: dict[Any, tuple[MjSpec, Any]] = {}  # where what was attached is since
        self._defaults: dict[Any, Any] = {}
        self._flexes: dict[Any, MjsFlex] = {}
        self._sections: dict[str, Any] = {}
        self._infos: dict[Any, str] = {}
        self._wraps: dict[Any, MjsWrap] = {}
        self._compilers: dict[Any, MjSpec] = {}  # where what was attached has its settings
        self._pending: dict[Any, str] = {}  # names that others have
        self._pixels: dict[str, bytes] = {}
        self._told: dict[str, Any] = {}  # files in memory that the core has
        self._plugins: list[MjsPlugin] = []
        self._late: list[Any] = []  # keyframes attached since the last compilation
        self._kept: dict[str, Any] = {}
        self._cautions: list[
            str
        ] = []  # what the later release warns of since something was attached
        self._copies, self._override = False, True
        self._parent: MjSpec | None = None
        self._assets: dict[str, Any] = {}
        self._compiled = (None, 0)  # signatures of the last compilation: of the spec, of the model

    @property
    def _handle(self) -> Any:
        return self._spec._handle

    @property
    def _address(self) -> int:
        raise AttributeError(
            "MjSpec has no _address: it is no struct of MuJoCo's library, and code that is compiled against "
            "that would crash on it; give such code a spec of the package mujoco"
        )

    @classmethod
    def from_file(
        cls,
        filename: str | os.PathLike,
        include: Mapping[str, bytes] | None = None,
        assets: dict | None = None,
    ) -> MjSpec:
        """Read a model file; `include` and `assets` hold files by name."""
        try:
            result = cls._of(
                Spec(_core.specLoad(filename, _files(assets, include), silent=SILENT)), assets
            )
        except OSError as error:
            raise ValueError(f"ParseXML: {error}") from error
        folder = os.path.dirname(os.fspath(filename))
        result._kept["modelfiledir"] = folder + "/" if folder else ""
        return result

    @classmethod
    def from_string(
        cls,
        xml: str | bytes,
        include: Mapping[str, bytes] | None = None,
        assets: dict | None = None,
    ) -> MjSpec:
        """Read model text; `include` and `assets` hold files by name."""
        try:
            return cls._of(
                Spec(_core.specLoadText(xml, _files(assets, include), silent=SILENT)), assets
            )
        except OSError as error:
            raise ValueError(str(error)) from error

    @staticmethod
    def from_zip(file: str | os.PathLike | IO[bytes]) -> MjSpec:
        """Read a spec and its assets from a zip file."""
        return from_zip(file)

    def to_zip(self, file: str | os.PathLike | IO[bytes]) -> None:
        """Write the spec and its assets into a zip file."""
        to_zip(self, file)

    @classmethod
    def _of(cls, spec: Spec, assets: Mapping[str, bytes] | None) -> MjSpec:
        result = cls(spec)
        if IS_LATER:
            result._name_by_files()
        result._assets.update(assets or {})
        result._told.update(result._assets)
        return result

    def _name_by_files(self) -> None:
        """Assets of a file that have no name have that of their own file."""
        for kind in _OF_FILES:
            for element in self._spec.elements(kind):
                file = _core.elementGetText(element._handle, "file")
                if file and not _name(element._handle):
                    with contextlib.suppress(
                        ValueError
                    ):  # a name that is taken: the compiler tells
                        _core.elementSetText(element._handle, "name", pathlib.PurePath(file).stem)

    # ---- structs and what they have not yet told the spec

    def _struct(self, element: Any) -> Any:
        if element is None:
            return None
        if element in self._moved:
            owner, there = self._moved[element]
            return owner._struct(there)
        struct = self._structs.get(element)
        if struct is None and _core.elementInfo(element)[0] == "worldbody":
            element = self._worlds()[0]  # all sections are one body
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

    def _is_gone(self, element: Any) -> bool:
        """Whether the spec that it was attached to has removed it since."""
        if element not in self._moved:
            return False
        owner, there = self._moved[element]
        top = there
        while (above := _core.elementInfo(top)[3]) is not None:
            top = above
        return _core.elementInfo(top)[0] != "mujoco" or owner._is_gone(there)

    def _worlds(self) -> list[Any]:
        """All sections <worldbody>, the first made when there is none."""
        found, element = [], _core.specSection(self._handle, "worldbody")
        while element is not None:
            info = _core.elementInfo(element)
            found += [element] * (info[0] == "worldbody")
            element = info[5]
        return found

    def _default_struct(self, element: Any, member: str, plural: str) -> Any:
        if element not in self._defaults:
            self._defaults[element] = (_CLASSES[member](self, element), member, plural)
        return self._defaults[element][0]

    def _section(self, path: str, make: Any) -> Any:
        if path not in self._sections:
            self._sections[path] = make()
        return self._sections[path]

    def _flush_defaults(self) -> None:
        """Defaults count for what is made after they are set: the rest keeps its values."""
        for struct, member, plural in list(self._defaults.values()):
            changed = struct._changed()
            if not changed:
                continue
            others = [s for s in getattr(self, plural) if hasattr(s, "classname")]
            others += self._subclasses(struct, member)
            own = [n for n in changed if n in struct._own]
            held = [
                (s, {n: keep(s._get(n)) for n in changed if n in s._own or n in s._fields()})
                for s in others
            ]
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

    def _flush(self, leaving: Any = None) -> None:
        """Tell the spec what structs hold, but for what is in an element that is about to go."""
        self._flush_defaults()
        for section in list(self._sections.values()):
            if hasattr(section, "flush"):
                section.flush()
        for plugin in self._plugins:
            plugin._write_instance()
        for struct in list(self._structs.values()):
            held = struct._values or hasattr(struct, "_plugin")
            if held and not (leaving and is_in(struct._element, leaving)):
                try:
                    struct._flush()
                except ValueError as error:
                    raise explain(self, error, struct._element) from None
        self._flush_assets()

    def _flush_assets(self) -> None:
        files = {**self._assets, **self._pixels}
        for name in [n for n in self._told if n not in files]:
            _core.specRemoveAsset(self._handle, name)
            del self._told[name]
        for name, data in files.items():
            if name not in self._told or self._told[name] is not data:
                self._spec.add_asset(name, data)
                self._told[name] = data

    def _settle_names(self) -> None:
        """Gives elements the names that others had when they were added."""
        for element, name in list(self._pending.items()):
            try:
                _core.elementSetText(element, "name", name)
            except ValueError as error:
                raise explain(self, error, element) from None
            del self._pending[element]

    def _remove(self, struct: Any) -> None:
        _core.elementRemove(struct._element)
        for known in (self._structs, self._defaults):
            for element in [e for e in known if not self._is_here(e)]:
                del known[element]

    # ---- whole specs

    def _run(self, work: Any) -> Any:
        """Do what needs the spec as a whole; errors name the element in the form that programs know."""
        if self._cautions:
            tell([(text, "", 0) for text in self._cautions])
        try:
            self._flush()
            self._settle_names()
            return work()
        except (ValueError, OSError) as error:
            raise explain(self, error) from None

    def compile(self) -> Any:
        """The compiled model."""
        return self._note(self._run(lambda: _core.specCompile(self._handle, self._model_type)))

    def recompile(self, m: Any, d: Any) -> Any:
        """Compile again; returns a model and a data that carry on the state of the old ones."""
        result = self._run(lambda: self._spec.recompile(m, d))
        self._note(result[0])
        return result

    def _note(self, model: Any) -> Any:
        self._compiled = (_core.specSignature(self._handle), _core.modelSignature(model))
        self._late.clear()
        return model

    def _signature(self) -> int:
        """That of the model, if the spec is still what it was compiled from."""
        now = _core.specSignature(self._handle)
        return self._compiled[1] if now == self._compiled[0] else now

    def to_xml(self) -> str:
        """The spec as MJCF text, with its default classes; names of files are relative to the folder it was read from."""
        return self._text(self.modelfiledir)

    def _text(self, folder: str) -> str:
        return self._run(lambda: _core.specWrite(self._handle, True, folder or "."))

    def to_file(self, filename: str | os.PathLike) -> None:
        """Write it as canonical MJCF."""
        self._run(lambda: self._spec.save(filename))

    def copy(self) -> MjSpec:
        """A copy that shares nothing with this one."""
        self._flush()
        result = self._of(self._spec.copy(), self._assets)
        result._kept.update(self._kept)
        result._pixels.update(self._pixels)
        result._override = self._override
        for old, new in zip(self._spec.root.walk(), result._spec.root.walk(), strict=True):
            for mine, theirs in ((self._infos, result._infos), (self._pending, result._pending)):
                if old._handle in mine:
                    theirs[new._handle] = mine[old._handle]
        return result

    def _forget(self) -> None:
        """After a change of elements: structs read their members anew."""
        alive = {e._handle for e in self._spec.root.walk()}
        for element, struct in list(self._structs.items()):
            kind = _core.elementInfo(element)[0]
            became_frame = kind == "frame" and not isinstance(struct, MjsFrame)
            if element not in alive or became_frame:
                del self._structs[element]
            else:
                struct._forget()
        for section in self._sections.values():
            if hasattr(section, "refresh"):
                section.refresh()

    def _is_here(self, element: Any) -> bool:
        """Whether an element is part of the spec."""
        return is_in(element, _core.specRoot(self._handle))

    def _place(self, element: Any) -> int:
        """Which of its kind an element is."""
        kind = self._kind(element)
        found = self._list(kind) if kind else []  # none: a part of a default class
        return next((i for i, struct in enumerate(found) if struct._element == element), -1)

    def _kind(self, element: Any) -> str:
        tag, value = _core.elementInfo(element)[:2]
        if tag in ("worldbody", "body", "inertial"):
            return "body"
        return "frame" if tag == "frame" else _KIND_OF.get(value, "")

    def _kind_word(self, element: Any) -> str:
        return self._kind(element) or _core.elementInfo(element)[0]

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> MjSpec:
        return self.copy()

    def delete(self, element: Any) -> None:
        """Take an element out; with a body what refers to it and to what it holds."""
        if isinstance(element, MjsPlugin) and element._spec is self:
            self._plugins = [p for p in self._plugins if p is not element]
            if element._element is not None:
                _core.elementRemove(element._element)
            return
        if not isinstance(element, Struct | MjsDefault):
            raise TypeError("delete: an element or a default class is needed.")
        if IS_LATER:
            self._check_deletable(element)
        if element._spec is not self and isinstance(element, Struct):
            element._spec.delete(element)  # attached to that spec since
            return
        self._flush(element._element)
        if isinstance(element, MjsBody):
            self._spread_keys()
        if isinstance(element, MjsDefault):
            if element == self.default:
                raise ValueError("Error: cannot remove the global default ('main')")
            users = [s for s in self._classed() if s.classname._is_in(element)]
            for user in users:
                user._hold_all()
            self._remove(element)
            for user in users:
                user._release_all()
        else:
            if not isinstance(element, MjsBody):
                if isinstance(element, MjsMesh):
                    _core.specSetNeedsdf(self._handle, element._shown_name(), False)
                # what refers to it stays, an error until it is mended or deleted, too
                name, element.name = element.name, ""
            self._remove(element)
            if IS_LATER and not isinstance(element, MjsBody):
                element._last_name = name

    def _check_deletable(self, element: Any) -> None:
        if self._parent is not None:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        if not self._is_here(element._element):
            kind = type(element).__name__.removeprefix("Mjs").lower()
            raise ValueError(f"Error: {kind} is not in this model")

    def _spread_keys(self) -> None:
        """What keyframes hold for the bodies that stay is theirs when others go."""
        lists = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
        if not any(len(getattr(key, name)) for key in self._list("key") for name in lists):
            return
        with contextlib.suppress(ValueError):  # keyframes that do not fit are told by the compiler
            _core.specSpreadKeys(self._handle)
        for key in self._list("key"):
            for name in lists:
                key._values.pop(name, None)

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
        if IS_LATER and what is None and prefix is None:
            prefix = "/"
        prefix, suffix = prefix or "", suffix or ""
        self._flush()
        child._flush()
        new = {} if child is self else self._names_of_files(child, what is None, prefix, suffix)
        source, part = child._with_files(new, what) if new else (child, what)
        overridden = [n for n in new.values() if n in self._assets]
        self._assets.update({n: source._assets[n] for n in overridden})
        self._flush_assets()
        keys = {e._handle for e in self._spec.elements("key")}
        before = self._listed()
        try:
            made = _core.elementAttach(parent, source._handle, part, prefix, suffix)
        except ValueError as error:
            raise explain(self, error) from None
        self._late += [e._handle for e in self._spec.elements("key") if e._handle not in keys]
        if IS_LATER:
            self._cautions += [_UNPREFIXED] * (not prefix)
            self._cautions += filter(None, [_core.specConflicts(self._handle)])
        for section in self._sections.values():  # of which a conflict may have changed some
            if hasattr(section, "refresh"):
                section.refresh()
        if child is not self:
            self._pixels.update(source._pixels)
            self._assets.update(source._assets)
            if not self._copies:
                world = _core.specSection(child._handle, "worldbody")
                self._adopt(child, world if what is None else what, made)
                self._adopt_listed(child, before, prefix, suffix)
        return self._struct(made)

    def _names_of_files(
        self, child: MjSpec, whole: bool, prefix: str, suffix: str
    ) -> dict[str, str]:
        """New names for another spec's files in memory: those of a whole spec get the prefix and suffix that
        names get; of a part, those that are other ones here."""
        result = {}
        for name, data in child._assets.items():
            folder, base = os.path.split(name)
            stem, ending = os.path.splitext(base)
            renamed = (folder and folder + "/") + prefix + stem + suffix + ending
            if whole and renamed in self._assets and not self._override:
                raise ValueError(f"Asset {name} already exists in parent spec.")
            if (whole or self._assets.get(name, data) != data) and renamed != name:
                result[name] = renamed
        return result

    def _with_files(self, new: dict[str, str], what: Any) -> tuple[MjSpec, Any]:
        """A copy whose files in memory have other names, and its copy of an element."""
        copy = self.copy()
        for plural in ("meshes", "textures", "hfields", "skins"):
            for struct in getattr(copy, plural):
                file = struct.file
                name = next(
                    (n for n in new if file and (file == n or n.endswith("/" + file))), None
                )
                if name:
                    struct.name = struct.name or pathlib.PurePath(file).stem
                    struct.file = os.path.join(os.path.dirname(file), os.path.basename(new[name]))
        copy._assets = {new.get(n, n): data for n, data in copy._assets.items()}
        copy._flush()
        walks = zip(self._spec.root.walk(), copy._spec.root.walk(), strict=True)
        return copy, next((b._handle for a, b in walks if a._handle == what), None)

    def _take(self, child: MjSpec, old: Any, new: Any) -> None:
        struct = child._structs.pop(old, None)
        if struct is not None:
            struct._spec, struct._element = self, new
            self._structs[new] = struct
        child._moved[old] = (self, new)
        self._compilers[new] = child._compilers.get(old, child)
        if old in child._infos:
            self._infos[new] = child._infos[old]

    def _adopt(self, child: MjSpec, old: Any, new: Any) -> None:
        """Structs of what was attached, and lists of them, are those of the copies from now on, as the peer moves it."""
        if _core.elementInfo(old)[0] != "worldbody":
            self._take(child, old, new)
        if _core.elementInfo(old)[0] == "worldbody" and _core.elementInfo(new)[0] == "body":
            self._take(child, old, new)
        worlds = child._worlds() if _core.elementInfo(old)[0] == "worldbody" else [old]
        pairs = zip([e for world in worlds for e in _held(world)], _held(new), strict=False)
        for a, b in pairs:
            if _core.elementInfo(a)[0] != _core.elementInfo(b)[0]:
                return
            self._adopt(child, a, b)

    def _listed(self) -> dict[str, list[Any]]:
        """What stands in sections beside bodies, by the sections' tags; keyframes stay with their spec."""
        found: dict[str, list[Any]] = {}
        for section in _held(_core.specRoot(self._handle)):
            tag = _core.elementInfo(section)[0]
            if tag in _SECTIONS:
                found.setdefault(tag, []).extend(_held(section))
        return found

    def _adopt_listed(
        self, child: MjSpec, before: dict[str, list[Any]], prefix: str, suffix: str
    ) -> None:
        """The same of sections, whose elements keep their order; where some stay behind, names tell which."""
        here = self._listed()
        for tag, old in child._listed().items():
            known = set(before.get(tag, ()))
            new = [e for e in here.get(tag, ()) if e not in known]
            if len(old) == len(new):
                pairs = list(zip(old, new, strict=True))
            else:
                places = {_name(e): e for e in new}
                decorated = ((e, prefix + _name(e) + suffix) for e in old if _name(e))
                pairs = [(e, places[name]) for e, name in decorated if name in places]
            for a, b in pairs:
                self._take(child, a, b)

    def attach(
        self,
        child: MjSpec,
        prefix: str | None = None,
        suffix: str | None = None,
        site: Any = None,
        frame: Any = None,
    ) -> Any:
        """Attach a copy of another spec's world to a site or frame, given itself or by name; returns its frame."""
        if site is None and frame is None:
            raise ValueError("One of frame or site must be specified.")
        if site is not None and frame is not None:
            raise ValueError("Only one of frame or site can be specified.")
        kind = "Site" if frame is None else "Frame"
        target = site if frame is None else frame
        if isinstance(target, str):
            target = self._find(kind.lower(), target)
            if target is None:
                raise ValueError(f"{kind} not found.")
        if not isinstance(target, Holder):
            raise TypeError(f"{kind.lower()} is the wrong type.")
        result = self._attach(target._element, child, None, prefix, suffix)
        if child is not self:
            child._parent = self
        return result

    # ---- elements

    def _find_core(self, kind: str, name: str) -> Any:
        return _core.specFind(self._handle, _KINDS[kind], name)

    def _find(self, kind: str, name: str) -> Any:
        if kind == "body" and name == "world":
            return self.worldbody
        if self._moved and kind != "key":  # some have other names here
            return next((s for s in self._list(kind) if s.name == name), None) if name else None
        found = self._struct(self._find_core(kind, name))
        if found is None and kind in _OF_FILES and not IS_LATER:  # by its file
            unnamed = (s for s in self._list(kind) if not s.name)
            found = next((s for s in unnamed if pathlib.PurePath(s.file).stem == name), None)
        return found

    def _list(self, kind: str) -> list[Any]:
        """In the order of ids: what bodies hold comes body by body."""
        if kind in _IN_BODIES:
            world = self.worldbody
            return [world] * (kind == "body") + world.find_all(kind)
        handles = [e._handle for e in self._spec.elements(kind)]
        return [self._struct(h) for h in handles if not self._is_gone(h)]

    def _add(self, kind: str, default: Any, given: dict[str, Any]) -> Any:
        section, tag, _ = _ADDED[kind]
        self._flush_defaults()
        element = _core.elementAdd(_core.specSection(self._handle, section), tag, None)
        struct = self._struct(element)
        try:
            if default is not None:
                _core.elementSetText(element, "class", default.name)
            struct._apply(given)
            if kind == "key":
                for late in self._late:  # what was attached comes last, until it is compiled
                    _core.elementMove(late, _core.specSection(self._handle, section))
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
        """The outermost default class; of several sections the last, which starts from those before."""
        last = section = _core.specSection(self._handle, "default")
        while section is not None:
            info = _core.elementInfo(section)
            last, section = section if info[0] == "default" else last, info[5]
        return MjsDefault(self, last)

    def find_default(self, name: str) -> MjsDefault | None:
        """The default class of a name, or None."""
        if name == "main":
            return self.default
        element = _core.specFind(self._handle, -1, name)
        return None if element is None else MjsDefault(self, element)

    def add_default(self, name: str, parent: MjsDefault | None) -> MjsDefault | None:
        """Add a default class inside another one; None when there is one of this name."""
        self._flush_defaults()
        if self.find_default(name) is not None:
            return None
        parent = parent or self.default
        return MjsDefault(self, _core.elementAdd(parent._element, "default", name))

    def activate_plugin(self, name: str) -> None:
        """Declare that the model needs a plugin, which must be registered."""
        if name not in {row[0] for row in _core.listPlugins()}:
            raise ValueError(f"failed to activate plugin: unknown plugin '{name}'")
        declared(self._handle, name)

    def add_plugin(self, **kwargs: Any) -> MjsPlugin:
        """Add an instance of a plugin: name, plugin_name, config."""
        self._find_plugins()
        result = MjsPlugin()
        result._spec = self
        for member, value in kwargs.items():
            if member not in MjsPlugin._own:
                raise TypeError(f"Invalid keyword argument: {member}")
            setattr(result, member, value)
        self._plugins.append(result)
        return result

    def plugin(self, name: str) -> MjsPlugin | None:
        """The instance of a plugin by its name; None: there is none."""
        return next((p for p in self.plugins if p.name == name), None)

    @property
    def plugins(self) -> list[MjsPlugin]:
        """The instances of plugins that the model has of its own."""
        self._find_plugins()
        return list(self._plugins)

    def _find_plugins(self) -> None:
        """Bring the list up to the elements that there are."""
        known = {p._element for p in self._plugins if p._element is not None}
        section = _core.specSection(self._handle, "extension")
        here = [i for p in children(section, "plugin") for i in children(p, "instance")]
        self._plugins = [p for p in self._plugins if p._element is None or p._element in here]
        for element in here:
            if element not in known:
                plugin = MjsPlugin._of_instance(self, element)
                plugin._told = plugin.copy()
                self._plugins.append(plugin)

    # ---- settings

    @property
    def modelname(self) -> str:
        """The model's name."""
        return _core.elementGetText(_core.specRoot(self._handle), "model") or "MuJoCo Model"

    @modelname.setter
    def modelname(self, value: str) -> None:
        _core.elementSetText(_core.specRoot(self._handle), "model", cast("modelname", value, ""))

    @property
    def memory(self) -> int:
        """Limit of the arena in bytes; -1, for 3.3.7 all bits set: 2 GiB."""
        numbers = _core.elementGetText(_core.specSection(self._handle, "size"), "memory")
        return int(numbers) if numbers and numbers.isdigit() else _UNSET

    @memory.setter
    def memory(self, value: int) -> None:
        value = cast("memory", value, 0)
        text = None if value < 0 or value == 2**64 - 1 else str(value)
        _core.elementSetText(_core.specSection(self._handle, "size"), "memory", text)

    @property
    def compiler(self) -> MjsCompiler:
        """Settings of the compiler."""
        return self._section("compiler", lambda: MjsCompiler(self))

    def _settings(self, path: str) -> Any:
        types = {"option": OptionSettings, "visual": VisualSettings, "statistic": StatisticSettings}
        return self._section(path, lambda: types[path](self, self._setting_types[path]()))

    @property
    def option(self) -> Any:
        """Options of the simulation."""
        return self._settings("option").struct

    @option.setter
    def option(self, value: Any) -> None:
        self._settings("option").assign(value)

    @property
    def visual(self) -> Any:
        """Settings of pictures."""
        return self._settings("visual").struct

    @visual.setter
    def visual(self, value: Any) -> None:
        self._settings("visual").assign(value)

    @property
    def stat(self) -> Any:
        """Statistics of the model; NaN: computed."""
        return self._settings("statistic").struct

    @stat.setter
    def stat(self, value: Any) -> None:
        self._settings("statistic").assign(value)

    @property
    def assets(self) -> dict[str, Any]:
        """Files in memory by name."""
        return self._assets

    @assets.setter
    def assets(self, value: dict[str, Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError("assets should be a dict.")
        self._assets = value

    @property
    def parent(self) -> MjSpec | None:
        """The spec that this one was attached to."""
        return self._parent

    @property
    def override_assets(self) -> bool:
        """Whether files of what is attached take the place of those of the same name."""
        return self._override

    @override_assets.setter
    def override_assets(self, value: bool) -> None:
        self._override = bool(value)

    @property
    def copy_during_attach(self) -> bool:
        """Whether structs of what is attached stay with their own spec; can only be set."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._copies = bool(value)

    comment = _kept("comment", "", "A note at the head of the model.")
    modelfiledir = _kept("modelfiledir", "", "Folder of the file that it was read from.")
    hasImplicitPluginElem = _kept("hasImplicitPluginElem", False if IS_LATER else 0, "No effect.")
    nemax = _kept("nemax", 0, "No effect.")
    nstack = _kept("nstack", _UNSET, "No effect.")


def _through(name: str, section: Any, doc: str) -> None:
    """A member of the spec that is one of a section."""

    def get(self: MjSpec) -> Any:
        return getattr(section(self), name)

    def put(self: MjSpec, value: Any) -> None:
        setattr(section(self), name, value)

    setattr(MjSpec, name, property(get, put, doc=doc))


for _member in _Sizes._options.split():
    _through(_member, lambda spec: spec._section("size", lambda: _Sizes(spec)), "A size.")
for _member in ("meshdir", "texturedir", "strippath"):
    _through(_member, lambda spec: spec.compiler, "A setting of the compiler.")


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


def _timer(self: MjSpec) -> np.ndarray:
    """Seconds that stages of the last compilation took, by mjtCTimer."""
    return np.frombuffer(_core.specTimes(self._handle), np.float64).copy()


def _authored(self: MjSpec) -> MjsAuthored:
    """Which settings the file gives, as bits."""
    return self._section("authored", lambda: MjsAuthored(self))


def _set_authored(self: MjSpec, value: MjsAuthored) -> None:
    for name in MjsAuthored._own:
        setattr(self.authored, name, getattr(value, name))  # type: ignore[attr-defined]


if IS_LATER:
    for _function in (encode, *OPERATIONS):
        setattr(MjSpec, _function.__name__, _function)
    MjSpec.authored = property(_authored, _set_authored, doc=_authored.__doc__)  # type: ignore[attr-defined]
    MjsCompiler.authored = property(  # type: ignore[attr-defined]
        lambda self: of_compiler(self._spec), doc="Bits of what the file gives."
    )
    MjSpec.timer = property(_timer, doc=_timer.__doc__)  # type: ignore[attr-defined]
for _plural, _kind in _PLURALS.items():
    if _kind in _CLASSES:
        _access(_kind, _plural)
for _kind, (_, _, _classed) in _ADDED.items():
    _adder(_kind, _classed)

__all__ = ["MjSpec"]
