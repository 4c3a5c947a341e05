"""Models that can be edited: `Spec` and its `Element`s."""

from __future__ import annotations

import os
import struct
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._enums import WrapType
from ._packages import Folders, folders
from ._types import Data, Model
from ._warn import ModelWarning

__all__ = ["Element", "PathPoint", "Spec"]

Value: TypeAlias = str | bool | float | ArrayLike | None
# Kinds of element that have names, by the word that finds them: "joint" is an snObjType.
_KINDS = {
    keyword: value
    for type_, _, items in _core.tables()["enums"]
    if type_ == "snObjType"
    for _, value, keyword, _ in items
    if keyword
}
_KINDS["frame"] = 0
_PLURALS = {
    "bodies": "body",
    "joints": "joint",
    "geoms": "geom",
    "sites": "site",
    "cameras": "camera",
    "lights": "light",
    "frames": "frame",
    "meshes": "mesh",
    "hfields": "hfield",
    "skins": "skin",
    "flexes": "flex",
    "textures": "texture",
    "materials": "material",
    "pairs": "pair",
    "excludes": "exclude",
    "equalities": "equality",
    "tendons": "tendon",
    "actuators": "actuator",
    "sensors": "sensor",
    "numerics": "numeric",
    "texts": "text",
    "tuples": "tuple",
    "keys": "key",
}


class PathPoint(NamedTuple):
    """A point of a tendon's path."""

    element: Element
    type: WrapType
    target: Element | None
    sidesite: Element | None
    factor: float


class Element:
    """An element of a `Spec`: a body, a geom, an actuator, a section, a default class, ...

    The attributes that docs/mjcf.md lists for its tag are attributes of the object. Reading one gives its value
    with default classes applied: float, int, bool, str, or a read-only array; None where there is none. Setting
    takes numbers, sequences, str and bool; None takes the attribute away, so that the default holds again.

    >>> geom = body.add("geom", type="capsule", size=[0.1, 0.2])
    >>> geom.size
    array([0.1, 0.2, 0. ])
    """

    __slots__ = ("_handle", "_spec")
    _spec: Spec
    _handle: Any

    def __init__(self, spec: Spec, handle: Any) -> None:
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_handle", handle)

    def _wrap(self, handle: Any) -> Any:
        return None if handle is None else type(self)(self._spec, handle)

    @property
    def spec(self) -> Spec:
        """The spec that it belongs to."""
        return self._spec

    @property
    def tag(self) -> str:
        """What it is called in a model file: "geom", "position", ..."""
        return _core.elementInfo(self._handle)[0]

    @property
    def kind(self) -> str:
        """What it becomes: "body", "actuator", ...; "" for settings and parts of others."""
        value = _core.elementInfo(self._handle)[1]
        return next((k for k, v in _KINDS.items() if v == value and v), "")

    @property
    def id(self) -> int:
        """Its id in the model of the last compilation; -1: it was not there."""
        return _core.elementInfo(self._handle)[2]

    @property
    def parent(self) -> Element | None:
        """The element that holds it."""
        return self._wrap(_core.elementInfo(self._handle)[3])

    def __iter__(self) -> Iterator[Element]:
        handle = _core.elementInfo(self._handle)[4]
        while handle is not None:
            yield self._wrap(handle)
            handle = _core.elementInfo(handle)[5]

    @property
    def children(self) -> list[Element]:
        """The elements that it holds."""
        return list(self)

    def walk(self) -> Iterator[Element]:
        """This element and all that it holds, in document order."""
        yield self
        for child in self:
            yield from child.walk()

    def add(self, tag: str, name: str | None = None, **attributes: Value) -> Element:
        """Add an element as the last child.

        Parameters
        ----------
        tag : str
            "body", "geom", "motor", ...
        name : str, optional
            Its name.
        **attributes
            As they can be set; `class_` stands for class.

        Returns
        -------
        Element
        """
        element = self._wrap(_core.elementAdd(self._handle, tag, name))
        try:
            for attribute, value in attributes.items():
                setattr(element, attribute, value)
        except BaseException:
            element.remove()
            raise
        return element

    def place(self, before: Element | None = None) -> None:
        """Move it among the children of its parent, in front of another one, or behind all."""
        _core.elementPlace(self._handle, None if before is None else before._handle)

    def target(self, attribute: str) -> Element | None:
        """The element that an attribute names: that of "site" of a tendon's point, of "joint" of an actuator."""
        return self._wrap(_core.elementTarget(self._handle, attribute))

    def given(self, attribute: str) -> bool:
        """Whether it gives an attribute itself, or, of a setting, any section of its kind does."""
        return _core.elementGiven(self._handle, attribute.removesuffix("_"))

    @property
    def path(self) -> list[PathPoint]:
        """The points of a tendon, which are its children; to change it add, set, `place` and `remove` these."""
        return [
            PathPoint(self._wrap(e), WrapType(type_), self._wrap(to), self._wrap(side), factor)
            for e, type_, to, side, factor in _core.elementPath(self._handle)
        ]

    def adopt_inertial(self) -> None:
        """Make the inertia that geoms give a body an `inertial` of it, which they no longer change."""
        _core.elementAdoptInertial(self._handle)

    def remove(self) -> None:
        """Take it out, with all that it holds and every element that refers to something in it."""
        _core.elementRemove(self._handle)

    def attach(
        self, child: Spec, what: Element | None = None, prefix: str = "", suffix: str = ""
    ) -> Element:
        """Attach a copy of another spec's body or frame, or of all of its world, below this one.

        This is a body, a frame or the world, or a site, where the copy gets a frame of its own; child may be the spec
        itself (physics 4.0). Settings that both models give are settled by `conflict` of the compiler: what stays
        behind, or is merged, is a warning (`ModelWarning`).

        Names that come along become prefix + name + suffix; see `sn_attach` for what comes along.
        """
        handle = None if what is None else what._handle
        made = self._wrap(_core.elementAttach(self._handle, child._handle, handle, prefix, suffix))
        if differs := _core.specConflicts(self._spec._handle):
            warnings.warn(
                f"of the settings of the two models, {differs}", ModelWarning, stacklevel=2
            )
        return made

    def _attributes(self) -> dict[str, tuple[str, str, int, int, str]]:
        return {row[0]: row for row in _core.elementAttributes(self._handle)}

    def _text(self, attribute: str) -> str | None:
        return _core.elementGetText(self._handle, attribute)

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        attribute = attribute.removesuffix("_")
        row = self._attributes().get(attribute)
        if row is None:
            if attribute == "name":
                return self._text("name")
            if self.tag in ("default", "mujoco") and attribute in ("class", "model"):
                return self._text(attribute)
            raise AttributeError(f"<{self.tag}> has no attribute '{attribute}'")
        kind = row[1]
        if kind in ("numbers", "ints", "list", "orientation"):
            array = np.frombuffer(_core.elementGetNumbers(self._handle, attribute), np.float64)
            if kind == "orientation" and not array.size:
                return None
            return array.astype(np.int64) if kind == "ints" else array
        if kind in ("number", "int"):
            numbers = np.frombuffer(_core.elementGetNumbers(self._handle, attribute), np.float64)
            if not numbers.size:
                return None
            return int(numbers[0]) if kind == "int" else float(numbers[0])
        text = self._text(attribute)
        return text == "true" if kind == "bool" else text

    def __setattr__(self, attribute: str, value: Value) -> None:
        attribute = attribute.removesuffix("_")
        if value is None or isinstance(value, str):
            self._set(_core.elementSetText, attribute, value)
        elif isinstance(value, bool | np.bool_):
            self._set(_core.elementSetText, attribute, "true" if value else "false")
        else:
            numbers = np.ascontiguousarray(value, np.float64).ravel()
            self._set(_core.elementSetNumbers, attribute, numbers.tobytes())

    def __delattr__(self, attribute: str) -> None:
        self.__setattr__(attribute, None)

    def _set(self, function: Any, attribute: str, value: Any) -> None:
        try:
            function(self._handle, attribute, value)
        except _core.ModelError as error:
            unknown = "unknown attribute" in str(error) or "not allowed" in str(error)
            if unknown and attribute not in self._attributes():
                raise AttributeError(str(error)) from None
            raise

    def __dir__(self) -> list[str]:
        keywords = {"class"}
        names = (n + "_" if n in keywords else n for n in self._attributes())
        return sorted({*super().__dir__(), *names})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self._handle == other._handle

    def __hash__(self) -> int:
        return hash(self._handle)

    def __repr__(self) -> str:
        name = self._text("name")
        return f"<{self.tag} '{name}'>" if name else f"<{self.tag}>"

    def __reduce__(self) -> Any:
        raise TypeError("elements cannot be pickled; write the spec with to_xml()")


class Spec:
    """A model that can be edited, and compiled as often as wanted.

    It is a tree of elements with attributes, those of MJCF; angles are in the units of its `compiler` section,
    degrees unless that says otherwise. `Spec()` is an empty one.

    >>> spec = sinew.Spec()
    >>> ball = spec.world.add("body", "ball", pos=[0, 0, 1])
    >>> ball.add("freejoint")
    >>> ball.add("geom", size=0.1)
    >>> model = spec.compile()
    """

    __slots__ = ("__weakref__", "_handle")
    _element = Element

    # Elements by name, and lists of them; made below.
    body: Callable[[str], Element]
    joint: Callable[[str], Element]
    geom: Callable[[str], Element]
    site: Callable[[str], Element]
    camera: Callable[[str], Element]
    light: Callable[[str], Element]
    frame: Callable[[str], Element]
    mesh: Callable[[str], Element]
    hfield: Callable[[str], Element]
    skin: Callable[[str], Element]
    flex: Callable[[str], Element]
    texture: Callable[[str], Element]
    material: Callable[[str], Element]
    pair: Callable[[str], Element]
    exclude: Callable[[str], Element]
    equality: Callable[[str], Element]
    tendon: Callable[[str], Element]
    actuator: Callable[[str], Element]
    sensor: Callable[[str], Element]
    numeric: Callable[[str], Element]
    text: Callable[[str], Element]
    tuple: Callable[[str], Element]
    key: Callable[[str], Element]
    bodies: list[Element]
    joints: list[Element]
    geoms: list[Element]
    sites: list[Element]
    cameras: list[Element]
    lights: list[Element]
    frames: list[Element]
    meshes: list[Element]
    hfields: list[Element]
    skins: list[Element]
    flexes: list[Element]
    textures: list[Element]
    materials: list[Element]
    pairs: list[Element]
    excludes: list[Element]
    equalities: list[Element]
    tendons: list[Element]
    actuators: list[Element]
    sensors: list[Element]
    numerics: list[Element]
    texts: list[Element]
    tuples: list[Element]
    keys: list[Element]

    def __init__(self, _handle: Any = None) -> None:
        self._handle = _core.specMake() if _handle is None else _handle

    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        strict: bool = False,
        anywhere: bool = False,
        physics: str | None = None,
    ) -> Spec:
        """Read a model file: MJCF, URDF, or a compiled model (.snb) that holds its source.

        Parameters
        ----------
        path : str or path
            The file.
        assets : dict of str to bytes or str, optional
            Files in memory, which come before those on disk.
        strict : bool
            A warning (`ModelWarning`) is an error.
        anywhere : bool
            The model may name any file; else only those below its folder, and models, meshes and PNG elsewhere
            (docs/assets.md).
        physics : str, optional
            As of `Model.from_path`; the spec and its copies say so from then on.

        Warns
        -----
        ModelWarning
            Of the text, such as words between elements; of what it says, when it is compiled.
        """
        options = ((), False, False, False, False, strict, anywhere)
        files = dict(assets) if assets else None
        return cls(_core.specLoad(path, files, *options, "", physics))

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike,
        package_dirs: Folders = (),
        *,
        floating_base: bool = False,
        keep_fixed: bool = False,
        keep_visuals: bool = False,
        actuators: bool = False,
        strict: bool = False,
        anywhere: bool = False,
        physics: str | None = None,
    ) -> Spec:
        """Read a URDF file, see docs/urdf.md.

        Parameters
        ----------
        path : str or path
            The file.
        package_dirs : path or iterable of paths, optional
            Folders of ROS packages, or packages themselves, for `package://`.
        floating_base, keep_fixed, keep_visuals, actuators : bool
            The root link gets a free joint; links on fixed joints stay bodies; visual shapes are kept;
            transmissions become motors.
        strict : bool
            A warning (`ModelWarning`) is an error.
        anywhere : bool
            The model may name any file; else only those below its folder, and models, meshes and PNG elsewhere
            (docs/assets.md).
        physics : str, optional
            As of `from_path`.

        Warns
        -----
        ModelWarning
            The file says what cannot be meant, or actuators are asked for and it has no transmissions.

        Raises
        ------
        ModelError, OSError
            The file is wrong, or a file that it names cannot be found.
        """
        options = (
            folders(package_dirs),
            floating_base,
            keep_fixed,
            keep_visuals,
            actuators,
            strict,
            anywhere,
            "",
            physics,
        )
        return cls(_core.specLoad(path, None, *options))

    @classmethod
    def from_xml(
        cls,
        text: str | bytes,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        strict: bool = False,
        anywhere: bool = False,
        physics: str | None = None,
    ) -> Spec:
        """Read MJCF or URDF text; `assets` holds files by name, strict: a warning is an error.

        anywhere: it may name any file; physics: both as of `from_path`.
        """
        files = dict(assets) if assets else None
        return cls(_core.specLoadText(text, files, strict, anywhere, physics))

    def _wrap(self, handle: Any) -> Any:
        return None if handle is None else self._element(self, handle)

    @property
    def root(self) -> Element:
        """The element that holds the sections; its attribute `model` is the model's name."""
        return self._wrap(_core.specRoot(self._handle))

    @property
    def world(self) -> Element:
        """The world, to which bodies are added."""
        return self.section("worldbody")

    def section(self, path: str) -> Element:
        """A section, made when there is none: "option", "option/flag", "asset", "actuator", ..."""
        return self._wrap(_core.specSection(self._handle, path))

    def default(self, name: str = "main") -> Element | None:
        """The default class of a name; None: there is none. Its children are the elements' defaults."""
        if name == "main":
            self.section("default")  # made when there is none
        return self._wrap(_core.specFind(self._handle, -1, name))

    def find(self, kind: str, name: str) -> Element | None:
        """The element of a kind ("body", "joint", "geom", "actuator", "frame", ...) and a name, or None."""
        if kind not in _KINDS:
            raise ValueError(f"unknown kind '{kind}', expected one of {', '.join(sorted(_KINDS))}")
        return self._wrap(_core.specFind(self._handle, _KINDS[kind], name))

    def elements(self, kind: str) -> list[Element]:
        """All elements of a kind in document order; for bodies, without the world."""
        value = _KINDS[kind]
        if kind == "frame":
            return [e for e in self.root.walk() if e.tag == "frame"]
        found = (e for e in self.root.walk() if _core.elementInfo(e._handle)[1] == value)
        return [e for e in found if e.tag != "worldbody"]

    def add_loop(
        self,
        name: str,
        type: str,
        site1: str | Element,
        site2: str | Element,
        **keys: float,
    ) -> Element:
        """Add a loop joint between two sites, which closes a loop exactly.

        Parameters
        ----------
        name : str
            Its name; the element is the text field `sinew_loop_NAME`, which MuJoCo loads and passes over.
        type : str
            "fixed", "revolute", "prismatic", "helical", "cylindrical", "planar", "spherical", "universal",
            "sphere-in-cylinder", "sphere-in-plane" or "distance"; z of the sites is the axis or the normal.
        site1, site2 : str or Element
            Sites that carry its frames, on the predecessor and on the successor.
        **keys : float
            pitch (helical), length (distance); stiffness, damping and ref (revolute, prismatic, helical).

        Returns
        -------
        Element
        """
        ends = [
            site._text("name") if isinstance(site, Element) else site for site in (site1, site2)
        ]
        if None in ends:
            raise ValueError("a site of a loop joint must have a name")
        text = " ".join(f"{key}={float(value)!r}" for key, value in keys.items())
        return self._wrap(_core.specAddLoop(self._handle, name, type, *ends, text))

    def set_loops(
        self,
        mode: str | None = "exact",
        *,
        solution: int | None = None,
        tstab: float | None = None,
        ranktol: float | None = None,
        project: bool | None = None,
    ) -> None:
        """Say how loops are held, in the text field `sinew_loops`.

        Parameters
        ----------
        mode : str or None
            "soft": connect, weld, joint and tendon equalities are soft constraints, the default; "exact": they
            are loops, as loop joints always are. None takes the field away.
        solution, tstab, ranktol, project : optional
            `loop_solution`, `loop_tstab`, `loop_ranktol` and `loop_project` of the model's options.
        """
        given = {"solution": solution, "tstab": tstab, "ranktol": ranktol, "project": project}
        settings = [f"{key}={float(value)!r}" for key, value in given.items() if value is not None]
        _core.specSetLoops(self._handle, None if mode is None else " ".join([mode, *settings]))

    def set_contact(
        self, model: str | None = "lcp", settings: str = "", **options: str | float
    ) -> None:
        """Say how contacts, limits and equalities are held, in text fields `sinew_contact` and `sinew_lcp`.

        Parameters
        ----------
        model : str or None
            "soft": they give way, the default; "lcp": they are rigid. None takes both fields away.
        settings : str
            Settings as the field `sinew_lcp` has them, "method=blockgs sweeps=50".
        **options
            The same one by one: `method="direct"`, `sweeps=100`; the options `lcp_...` of the model
            without `lcp_`. What neither names has its default.
        """
        words = [
            f"{key}={value if isinstance(value, str) else repr(float(value))}"
            for key, value in options.items()
        ]
        text = " ".join([settings, *words]) if model is not None else ""
        _core.specSetContact(self._handle, model, text)

    def set_servo(self, where: str | None = "end") -> None:
        """Say where in an implicit step the limits of servos' forces hold, in the text field `sinew_servo`.

        Parameters
        ----------
        where : str or None
            "begin": where the step begins, the default; "end": where it ends. None takes the field away.
        """
        _core.specSetServo(self._handle, where)

    def set_needsdf(self, mesh: str, needed: bool = True) -> None:
        """Say whether a mesh gets a field of signed distances, in the text field `sinew_needsdf_MESH`.

        Meshes of geoms of type `sdf` have one without it. Of geoms of type `mesh` only those whose meshes have one are felt by
        `tactile` sensors.

        Parameters
        ----------
        mesh : str
            Its name.
        needed : bool
            False takes the text field away.
        """
        _core.specSetNeedsdf(self._handle, mesh, needed)

    def needsdf(self, mesh: str) -> bool:
        """Whether `set_needsdf` has said that the mesh of this name gets a field."""
        return _core.specNeedsdf(self._handle, mesh)

    def set_physics(self, physics: str | None) -> None:
        """Say which MuJoCo's rules hold for the model, in the text field `sinew_physics`.

        Parameters
        ----------
        physics : str or None
            "3.3.7" or "4.0" (docs/releases.md). None takes the field away.
        """
        _core.specSetPhysics(self._handle, physics)

    @property
    def loops(self) -> list[Element]:
        """The text fields of all loop joints, in document order."""
        return [
            e for e in self.elements("text") if (e._text("name") or "").rpartition("sinew_loop_")[1]
        ]

    def add_asset(self, name: str, data: bytes | str) -> None:
        """Keep a file in memory, under the name by which elements refer to it."""
        _core.specAddAsset(self._handle, name, data)

    def attach(
        self,
        child: Spec,
        parent: Element | None = None,
        what: Element | None = None,
        prefix: str = "",
        suffix: str = "",
    ) -> Element:
        """Attach a copy of another spec; see `Element.attach`. parent: the world when None."""
        return (self.world if parent is None else parent).attach(child, what, prefix, suffix)

    def compile(
        self, *, strict: bool = False, anywhere: bool = False, physics: str | None = None
    ) -> Model:
        """The compiled model; the spec stays as it is and can be changed and compiled again.

        Warns of what cannot be meant (`ModelWarning`); strict: that is an error. anywhere: it may name any file,
        as of `from_path`. physics: as of `Model.from_path`; the spec says so from then on.
        """
        return _core.specCompile(self._handle, Model, strict, anywhere, physics)

    @property
    def compile_times(self) -> dict[str, float]:
        """Seconds that stages of the last compilation took; "assets" has those that follow it. Zeros before the first."""
        names = "total assets texture mesh_load mesh_hull mesh_polygon mesh_inertia mesh_bvh mesh_octree"
        return dict(
            zip(names.split(), struct.unpack("9d", _core.specTimes(self._handle)), strict=True)
        )

    def recompile(self, model: Model, data: Data, *, strict: bool = False) -> tuple[Model, Data]:
        """Compile again, the state of all that remains carried over from the last compilation's model and data.

        Returns
        -------
        (Model, Data)
            New ones; those given stay as they are.
        """
        return _core.specRecompile(self._handle, model, data, type(model), type(data), strict)

    def to_xml(self) -> str:
        """The spec as canonical MJCF."""
        return _core.specWrite(self._handle)

    def save(self, path: str | os.PathLike) -> None:
        """Write it as canonical MJCF; names of asset files are relative to the new file.

        Assets in memory are written into a folder beside it, those of `robot.xml` into `robot_assets`. A path that
        ends with `.snb` gets the compiled model with its source and all files, one that ends with `.mjz` or `.zip` an
        archive of the text and all files.
        """
        _core.specSave(self._handle, path)

    def fuse_static(self) -> int:
        """Make bodies without joints frames of their parents, as `fusestatic` of the compiler does; how many.

        The compiled model moves the same with fewer bodies. See `sn_fuseStatic` for bodies that stay.
        """
        return _core.specFuseStatic(self._handle)

    def discard_visual(self) -> int:
        """Remove textures, materials, geoms and meshes that are only seen, as `discardvisual` does; how many.

        Bodies keep the mass of geoms that go. See `sn_discardVisual` for what stays.
        """
        return _core.specDiscardVisual(self._handle)

    def expand(self) -> None:
        """Put what they stand for in the place of `flexcomp`, `composite`, `replicate` and `attach` that were added.

        `compile` does it, too; here their bodies, flexes and the like can be changed before.
        """
        _core.specExpand(self._handle)

    def dedup_assets(self) -> int:
        """Merge textures and meshes that say the same; how many went."""
        return _core.specDedupAssets(self._handle)

    def copy_back(self, model: Model) -> None:
        """Write the numbers that were changed in a model that this spec compiled to into the spec.

        In the frames and units of its elements; what the spec cannot say is an error (`ModelError`), and nothing is
        written then. See `sn_copyBack`.
        """
        _core.specCopyBack(self._handle, model)

    def copy(self) -> Spec:
        """A copy that shares nothing with this one."""
        return type(self)(_core.specCopy(self._handle))

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Spec:
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("specs cannot be pickled; write them with to_xml()")


def _finder(kind: str) -> Any:
    def find(self: Spec, name: str) -> Element:
        element = self.find(kind, name)
        if element is None:
            raise KeyError(f"there is no {kind} '{name}'")
        return element

    find.__doc__ = f"The {kind} of a name; KeyError when there is none."
    find.__name__ = kind
    return find


def _lister(kind: str, plural: str) -> property:
    def elements(self: Spec) -> list[Element]:
        return self.elements(kind)

    elements.__doc__ = f"All {plural} in document order."
    return property(elements)


for _plural, _kind in _PLURALS.items():
    setattr(Spec, _kind, _finder(_kind))
    setattr(Spec, _plural, _lister(_kind, _plural))
