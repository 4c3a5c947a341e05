"""Members of models, data and options that release 4.0 of the peer has otherwise than 3.3.7, by class.

Arrays that are made here are not written into the engine: they are read-only.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .. import _core
from .._enums import EnableBit
from .._types import Data, Model
from ._enums import ENUMS
from ._later import BETWEEN, GONE_OF
from ._later_meshes import MADE as MESHES
from ._native import WARNINGS, by_name

_Ints = NDArray[np.int32]

# Numbers that are truth values there, bytes before.
_BOOLS = {
    "MjModel": (
        "actuator_actearly actuator_actlimited actuator_ctrllimited actuator_forcelimited eq_active0 flex_centered flex_flatskin "
        "flex_rigid flexedge_rigid geom_castshadow jnt_actfrclimited "
        "jnt_actgravcomp jnt_limited light_active light_castshadow mat_texuniform tendon_actfrclimited tendon_limited"
    ),
    "MjData": "bvh_active eq_active",
}
# Of ours under other names.
_RENAMED = {"MjModel": {"cam_projection": "cam_orthographic"}, "MjData": {}}
# Of ours as they stand, which 3.3.7 has in another form.
_NATIVE = {"MjModel": "flex_matid flex_bending", "MjData": "flexedge_J"}
# Of what Sinew has not: types and columns of arrays without rows, and sizes.
_ABSENT = {
    "MjModel": "efmC_perm:i efm0_dofid:i efm0_L_rownnz:i efm0_L_rowadr:i efm0_L_colind:i efm0_L:d",
    "MjData": "",
}
_ZEROS = {"MjModel": "nefmCvert nefm0dof nefm0L", "MjData": ""}
# The same with a row of each of something: types and columns, its size, the number in all of them.
_CONSTANT = {
    "MjModel": "flex_cellnum:i3:nflex:1 flex_plasticadr:i:nflex:-1 flex_plasticmode:i:nflex:0 flex_vertcell:i:nflexvert:-1 "
    "flex_yield:d2:nflex:0",
    "MjData": "flex_hessian_valid:?:nflex:0 flexedge_hessian:d9:nflexedge:0 flexvert_conage:i:nflexvert:0 "
    "flexvert_hessian:d6:nflexvert:0 flexvert_lambda:d:nflexvert:0 flexelem_krot:d:nflexstiffness:0",
}


def _read_only(array: Any, dtype: DTypeLike = np.int32) -> Any:
    out = np.array(array, dtype)
    out.flags.writeable = False
    return out


def _property(get: Callable[[Any], Any]) -> property:
    """A property that cannot be set, with the docstring of the function."""
    return property(get, doc=get.__doc__)


# ---- models


def flex_edgeequality(m: Any) -> _Ints:
    """1: an equality holds the edges of a flex, 0: none does."""
    return _read_only(Model.flex_edgeequality.__get__(m))  # type: ignore[attr-defined]


def _stretching(m: Any) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Say which flexes stretch, and how many numbers each has in flex_stiffness."""
    stretches = Model.flex_stiffnessadr.__get__(m) >= 0  # type: ignore[attr-defined]
    each = np.where(m.flex_dim == 3, 24, 21)
    return stretches, np.where(stretches, each * m.flex_elemnum, 0)


def flex_stiffness(m: Any) -> NDArray[np.float64]:
    """K of elements that stretch (docs/flex.md): 21 numbers a triangle, 24 a tetrahedron, the last of them 0."""
    rows, (stretches, _) = _core.PeerModel.flex_stiffness.__get__(m), _stretching(m)
    parts = [np.zeros(0)]
    for f in np.flatnonzero(stretches):
        first, more = m.flex_elemadr[f], 3 * (m.flex_dim[f] == 3)
        parts.append(np.pad(rows[first : first + m.flex_elemnum[f]], ((0, 0), (0, more))).ravel())
    return _read_only(np.concatenate(parts), np.float64)


def flex_stiffnessadr(m: Any) -> _Ints:
    """Where each flex begins in flex_stiffness; -1: it does not stretch."""
    stretches, counts = _stretching(m)
    return _read_only(np.where(stretches, np.cumsum(counts) - counts, -1))


def nflexstiffness(m: Any) -> int:
    """Numbers in flex_stiffness."""
    return int(_stretching(m)[1].sum())


def tex_adr(m: Model) -> NDArray[np.int64]:
    """Where the data of each texture begin in tex_data."""
    return _read_only(Model.tex_adr.__get__(m), np.int64)  # type: ignore[attr-defined]


def ten_J_rownnz(m: Any) -> _Ints:
    """Numbers in each row of `MjData.ten_J`."""
    return _read_only(m.tendon_dofnum)


def ten_J_rowadr(m: Any) -> _Ints:
    """Where each row of `MjData.ten_J` begins."""
    return _read_only(m.tendon_dofadr)


def ten_J_colind(m: Any) -> _Ints:
    """Dofs of the numbers in `MjData.ten_J`."""
    return _read_only(m.tendon_dofid)


def tendon_type(m: Any) -> _Ints:
    """Kind of each tendon (mjtTendon)."""
    fixed = m.wrap_type[m.tendon_adr] == int(ENUMS["mjtWrap"].mjWRAP_JOINT)
    return _read_only(~fixed)


def _trees(m: Any) -> list[list[int]]:
    """Trees that each tendon touches, ascending."""
    rows = zip(m.tendon_dofadr, m.tendon_dofnum, strict=True)
    return [
        sorted(set(m.dof_treeid[m.tendon_dofid[adr : adr + num]].tolist())) for adr, num in rows
    ]


def tendon_treenum(m: Any) -> _Ints:
    """How many trees each tendon touches."""
    return _read_only([len(trees) for trees in _trees(m)])


def tendon_treeid(m: Any) -> _Ints:
    """The first two trees that each tendon touches (ntendon x 2), -1: there is none."""
    return _read_only([[*trees, -1, -1][:2] for trees in _trees(m)]).reshape(-1, 2)


def _first(ids: _Ints, count: int) -> _Ints:
    """Where each tree is found first in an array of trees."""
    return _read_only([np.flatnonzero(ids == tree)[:1].sum() for tree in range(count)])


def tree_bodyadr(m: Any) -> _Ints:
    """First body of each tree."""
    return _first(m.body_treeid, m.ntree)


def tree_bodynum(m: Any) -> _Ints:
    """How many bodies each tree has."""
    return _read_only([(m.body_treeid == tree).sum() for tree in range(m.ntree)])


def tree_dofadr(m: Any) -> _Ints:
    """First dof of each tree."""
    return _first(m.dof_treeid, m.ntree)


def tree_dofnum(m: Any) -> _Ints:
    """How many dofs each tree has."""
    return _read_only([(m.dof_treeid == tree).sum() for tree in range(m.ntree)])


def nJmom(m: Any) -> int:
    """Numbers in `MjData.actuator_moment`."""
    tendons = m.actuator_trntype == int(ENUMS["mjtTrn"].mjTRN_TENDON)
    few = m.tendon_dofnum[m.actuator_trnid[tendons, 0]]
    return int(Model.nJmom.__get__(m) + (few - m.nv).sum())  # type: ignore[attr-defined]


# ---- data


def _frames(name: str, kind: str, size: str, doc: str) -> Callable[[Any], NDArray[np.float64]]:
    object_type = int(ENUMS["mjtObj"].__members__[f"mjOBJ_{kind}"])

    def get(d: Any) -> NDArray[np.float64]:
        out = np.empty((getattr(d.model, size), 4))
        _core.frameQuats(d, object_type, out)
        out.flags.writeable = False
        return out

    get.__name__, get.__doc__ = name, doc
    return get


geom_xquat = _frames("geom_xquat", "GEOM", "ngeom", "Orientation of each geom, world (ngeom x 4).")
site_xquat = _frames("site_xquat", "SITE", "nsite", "Orientation of each site, world (nsite x 4).")
xiquat = _frames(
    "xiquat",
    "BODY",
    "nbody",
    "Orientation of the principal axes of inertia of each body, world (nbody x 4).",
)


def efc_diagA(d: Any) -> NDArray[np.float64]:
    """Diagonal of J inv(M) J' that the regularisation of each row is of."""
    return Data.efc_diagApprox.__get__(d)  # type: ignore[attr-defined]


def actuator_moment(d: Any) -> NDArray[np.float64]:
    """Moment arms of actuators by rows (nJmom)."""
    return _core.Data.actuator_moment.__get__(d)[: d.model.nJmom]  # type: ignore[attr-defined]


def moment_colind(d: Any) -> _Ints:
    """Dofs of the numbers in `actuator_moment`."""
    return _core.Data.moment_colind.__get__(d)[: d.model.nJmom]  # type: ignore[attr-defined]


def ten_J(d: Any) -> NDArray[np.float64]:
    """Moment arms of tendons by rows (nJten): `MjModel.ten_J_rowadr`, `ten_J_rownnz`, `ten_J_colind`."""
    return _core.Data.ten_J.__get__(d)  # type: ignore[attr-defined]


def tree_awake(d: Any) -> _Ints:
    """1: a tree is awake, 0: it sleeps."""
    return _read_only(d.tree_asleep < 0)


def body_awake(d: Any) -> _Ints:
    """Whether each body is awake (mjtSleepState)."""
    return _read_only(np.append(tree_awake(d), -1)[d.model.body_treeid])  # static: no tree, -1


def _listed(which: NDArray[np.bool_]) -> _Ints:
    """Ids of what is told by an array of truth values, then zeros."""
    out = np.zeros(len(which), np.int32)
    ids = np.flatnonzero(which)
    out[: len(ids)] = ids
    return _read_only(out)


def _awake_bodies(d: Any) -> NDArray[np.bool_]:
    return np.asarray(d.body_awake != int(ENUMS["mjtSleepState"].mjS_ASLEEP))


def _with_awake_parent(d: Any) -> NDArray[np.bool_]:
    out = _awake_bodies(d)[d.model.body_parentid]
    out[0] = False
    return out


def _awake_dofs(d: Any) -> NDArray[np.bool_]:
    return np.asarray(d.tree_awake != 0)[d.model.dof_treeid]


def body_awake_ind(d: Any) -> _Ints:
    """Bodies that are not asleep, `nbody_awake` of them, then zeros."""
    return _listed(_awake_bodies(d))


def parent_awake_ind(d: Any) -> _Ints:
    """Bodies whose parent is not asleep, `nparent_awake` of them, then zeros."""
    return _listed(_with_awake_parent(d))


def dof_awake_ind(d: Any) -> _Ints:
    """Dofs of trees that are awake, `nv_awake` of them, then zeros."""
    return _listed(_awake_dofs(d))


def nbody_awake(d: Any) -> int:
    """How many bodies are not asleep."""
    return int(_awake_bodies(d).sum())


def nparent_awake(d: Any) -> int:
    """How many bodies have a parent that is not asleep."""
    return int(_with_awake_parent(d).sum())


def ntree_awake(d: Any) -> int:
    """How many trees are awake."""
    return int(np.count_nonzero(d.tree_awake))


def nv_awake(d: Any) -> int:
    """How many dofs are of trees that are awake."""
    return int(_awake_dofs(d).sum())


def tree_island(d: Any) -> _Ints:
    """Island of each tree, -1: it has no constraints."""
    if not d.nisland:
        return _read_only(np.full(d.model.ntree, -1))
    return _read_only(d.dof_island[tree_dofadr(d.model)])


def map_itree2tree(d: Any) -> _Ints:
    """Trees by islands, then those without constraints."""
    islands = tree_island(d)
    return _read_only(np.argsort(np.where(islands < 0, d.nisland, islands), kind="stable"))


def island_ntree(d: Any) -> _Ints:
    """How many trees each island has."""
    islands = tree_island(d)
    return _read_only([(islands == island).sum() for island in range(d.nisland)])


def island_itreeadr(d: Any) -> _Ints:
    """Where the trees of each island begin in `map_itree2tree`."""
    return _read_only(np.cumsum([0, *island_ntree(d)])[:-1])


_MADE = {
    "MjModel": (
        flex_edgeequality, flex_stiffness, flex_stiffnessadr, nflexstiffness, tex_adr, ten_J_rownnz,
        ten_J_rowadr, ten_J_colind, tendon_type, tendon_treenum, tendon_treeid, tree_bodyadr, tree_bodynum, tree_dofadr,
        tree_dofnum, nJmom, *MESHES,
    ),
    "MjData": (
        geom_xquat, site_xquat, xiquat, efc_diagA, actuator_moment, moment_colind, ten_J, tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind, nbody_awake,
        nparent_awake, ntree_awake, nv_awake, tree_island, map_itree2tree, island_ntree, island_itreeadr,
    ),
}  # fmt: skip


# ---- numbers of other enumerations


def _kinds(name: str, values: dict[int, int]) -> property:
    def get(m: Model) -> _Ints:
        array = getattr(Model, name).__get__(m)
        return _read_only([values[kind] for kind in array.tolist()])

    return property(get, doc=f"kind of each actuator; not written: `MjSpec` changes it ({name})")


_KINDS = {
    "actuator_dyntype": by_name("snDynType", "mjtDyn", "mjDYN_"),
    "actuator_gaintype": by_name("snGainType", "mjtGain", "mjGAIN_"),
    "actuator_biastype": by_name("snBiasType", "mjtBias", "mjBIAS_"),
}


class _Warnings:
    """The warnings of a data in the order of mjtWarning."""

    def __init__(self, all_of_them: Any) -> None:
        self._all = all_of_them

    number = property(lambda self: _read_only(self._all.number[WARNINGS]), doc="how often, each")
    lastinfo = property(
        lambda self: _read_only(self._all.lastinfo[WARNINGS]), doc="number of what, each"
    )

    def __len__(self) -> int:
        return len(WARNINGS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Warnings) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._all[k] for k in WARNINGS[index]]
        return self._all[WARNINGS[operator.index(index)]]

    def __iter__(self) -> Any:
        return (self._all[k] for k in WARNINGS)


def _warnings(member: Any) -> property:
    return property(
        lambda d: _Warnings(member.__get__(d)), doc="warnings since the last reset, by mjtWarning"
    )


# ---- classes


def _as_bool(cls: type, name: str) -> property:
    """An array of bytes as truth values in the same memory."""
    base = getattr(cls, name)

    def get(owner: Any) -> Any:
        return _kept(owner, name, base.__get__(owner).view(np.bool_))

    def put(owner: Any, value: Any) -> None:
        base.__get__(owner).view(np.bool_)[...] = value

    return property(get, put, doc=base.__doc__)


# Programs hold fields by weak references: what is made of one is the same array for as long as its owner lives.
_arrays: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def _kept(owner: Any, name: str, array: Any) -> Any:
    """The array of this name that an owner has given out before, if it is the same memory, or has the same numbers."""
    if not hasattr(owner, "__weakref__"):  # an element of a model, which is made anew each time
        return array
    known = _arrays.setdefault(owner, {})
    last = known.get(name)
    if last is not None and last.shape == array.shape:
        there = last.ctypes.data == array.ctypes.data
        if there or (array.base is None and np.array_equal(last, array)):
            return last
    known[name] = array
    return array


def _kept_property(get: Callable[[Any], Any]) -> property:
    """A property whose arrays are kept."""

    def keep(owner: Any) -> Any:
        made = get(owner)
        return _kept(owner, get.__name__, made) if isinstance(made, np.ndarray) else made

    return property(keep, doc=get.__doc__)


def _renamed(base: Any) -> property:
    """A member under another name."""

    def put(owner: Any, value: Any) -> None:
        base.__get__(owner)[...] = value

    return property(base.__get__, put, doc=base.__doc__)


def _no(cls: str, name: str) -> property:
    def get(_: Any) -> Any:
        raise AttributeError(f"{cls} of MuJoCo 4.0 has no {name}")

    return property(get)


def _absent(words: str) -> property:
    kind, columns = words[0], words[1:]
    empty = np.zeros((0, int(columns)) if columns else 0, {"i": np.int32}.get(kind, kind))
    return property(lambda _: empty, doc="of something that Sinew has not: no rows")


def _constant(name: str, words: str, size: str, value: int) -> property:
    kind, columns = {"i": np.int32}.get(words[0], words[0]), words[1:]

    def get(owner: Any) -> Any:
        rows = getattr(getattr(owner, "model", owner), size)
        full = np.full((rows, int(columns)) if columns else rows, value, kind)
        return _kept(owner, name, _read_only(full, kind))

    return property(get, doc="of something that Sinew has not")


_ENABLE, _DISABLE = _core.MjOption.enableflags, _core.MjOption.disableflags
_BITS = by_name("snEnableBit", "mjtEnableBit", "mjENBL_")
_MULTICCD = int(EnableBit.MULTICCD)  # which there is a bit that disables
_NO_MULTICCD = int(ENUMS["mjtDisableBit"].mjDSBL_MULTICCD)


def _enableflags(option: Any) -> int:
    """Bits of mjtEnableBit."""
    bits = _ENABLE.__get__(option)
    return sum(theirs for ours, theirs in _BITS.items() if bits & ours)


def _set_enableflags(option: Any, flags: int) -> None:
    unknown = operator.index(flags) & ~sum(_BITS.values())
    if unknown:
        raise ValueError(
            f"enableflags: {unknown} is no flag of Sinew's; mjENBL_IPC is not in Sinew yet"
        )
    bits = sum(ours for ours, theirs in _BITS.items() if flags & theirs)
    _ENABLE.__set__(option, bits | _ENABLE.__get__(option) & _MULTICCD)


def _disableflags(option: Any) -> int:
    """Bits of mjtDisableBit."""
    multiccd = _ENABLE.__get__(option) & _MULTICCD
    return _DISABLE.__get__(option) | (0 if multiccd else _NO_MULTICCD)


def _set_disableflags(option: Any, flags: int) -> None:
    multiccd = 0 if operator.index(flags) & _NO_MULTICCD else _MULTICCD
    _DISABLE.__set__(option, flags & ~_NO_MULTICCD)
    _ENABLE.__set__(option, _ENABLE.__get__(option) & ~_MULTICCD | multiccd)


def _change_option(cls: Any) -> None:
    cls.enableflags = property(_enableflags, _set_enableflags, doc=_enableflags.__doc__)
    cls.disableflags = property(_disableflags, _set_disableflags, doc=_disableflags.__doc__)


# Members of elements of models that are truth values there, bytes before.
_BOOLS_OF_VIEWS = (
    "actearly actlimited ctrllimited forcelimited active0 actfrclimited actgravcomp limited active castshadow texuniform "
    "_actfrclimited _limited"
).split()


def change_view(cls: Any) -> None:
    """Let elements of models have the types and kinds of release 4.0."""
    for name in _BOOLS_OF_VIEWS:
        if hasattr(cls, name):
            setattr(cls, name, _as_bool(cls, name))
    if cls.__name__ == "_MjDataActuatorViews":
        moment = cls.moment
        cls.moment = property(
            lambda view: _read_only(moment.__get__(view), float), doc=moment.__doc__
        )
    if cls.__name__ == "_MjModelTendonViews":
        cls.J_rownnz, cls.J_rowadr = (_read_only_of(cls, name) for name in ("dofnum", "dofadr"))
    if cls.__name__ == "_MjModelActuatorViews":
        for name, values in _KINDS.items():
            word = name.removeprefix("actuator_")
            setattr(cls, word, _kind_of(getattr(cls, word), values))
    if cls.__name__ == "_MjModelTextureViews":
        adr = cls.adr
        cls.adr = property(lambda view: _read_only(adr.__get__(view), np.int64), doc=adr.__doc__)


def _read_only_of(cls: type, name: str) -> property:
    member = getattr(cls, name)
    return property(lambda view: _read_only(member.__get__(view)), doc=member.__doc__)


def _kind_of(member: Any, values: dict[int, int]) -> property:
    return property(
        lambda view: _read_only([values[kind] for kind in member.__get__(view).tolist()]),
        doc=member.__doc__,
    )


def change(cls: Any) -> None:
    """Let MjModel, MjData or MjOption have the members of release 4.0."""
    kind = cls.__name__
    if kind == "MjOption":
        return _change_option(cls)
    for name in _NATIVE[kind].split():
        setattr(cls, name, getattr(Model if kind == "MjModel" else Data, name))
    for row in _CONSTANT[kind].split():
        name, words, size, value = row.split(":")
        setattr(cls, name, _constant(name, words, size, int(value)))
    for name in _BOOLS[kind].split():
        setattr(cls, name, _as_bool(cls, name))
    for name, ours in _RENAMED[kind].items():
        setattr(cls, name, _renamed(getattr(cls, ours)))
    for name in GONE_OF[kind]:
        setattr(cls, name, _no(kind, name))
    for row in f"{_ABSENT[kind]} {BETWEEN[kind]}".split():
        name, _, words = row.partition(":")
        setattr(cls, name, _absent(words))
    for name in _ZEROS[kind].split():
        setattr(cls, name, property(lambda _: 0, doc="number of something that Sinew has not: 0"))
    if kind == "MjData":
        cls.warning = _warnings(cls.warning)
    for get in _MADE[kind]:
        as_property = _kept_property if kind == "MjModel" else _property
        setattr(cls, get.__name__, as_property(get))
    if kind == "MjModel":
        for name, values in _KINDS.items():
            setattr(cls, name, _kinds(name, values))
