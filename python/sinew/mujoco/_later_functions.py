"""Functions that release 4.0 of the peer has beside 3.3.7's, or with other arguments."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, _functions
from .._types import Data, Model
from ._enums import ENUMS
from ._errors import FatalError
from ._native import PARTS, WARNINGS, pieces, signature

_Array = NDArray[np.float64]

# ---- states, whose parts come in another order

_COUNT = max(PARTS).bit_length()


def _checked(sig: int, function: str) -> int:
    sig = operator.index(sig)
    if sig < 0 or sig >= 1 << 32:
        raise TypeError(f"sig is {sig}, must be from 0 to 2^32 - 1")
    if sig >= 1 << _COUNT:
        raise FatalError(f"{function}: invalid state signature {sig} >= 2^mjNSTATE")
    return sig


def mj_stateSize(m: Model, sig: int) -> int:
    """Numbers of the parts of the state whose bits are set in sig; FatalError for bits that are none."""
    return _core.stateSize(m, signature(_checked(sig, "mj_stateSize")))


def mj_getState(m: Model, d: Data, state: _Array, sig: int) -> None:
    """Write the parts of the state whose bits are set in sig."""
    _in_pieces(_core.getState, m, d, state, _checked(sig, "mj_getState"))


def mj_setState(m: Model, d: Data, state: ArrayLike, sig: int) -> None:
    """Set the parts of the state whose bits are set in sig."""
    _in_pieces(_core.setState, m, d, np.asarray(state, np.float64), _checked(sig, "mj_setState"))


def _in_pieces(function: Any, m: Model, d: Data, state: _Array, sig: int) -> None:
    parts = pieces(sig)
    if len(parts) < 2 or not m.nhistory:
        function(m, d, state, signature(sig))
        return
    size = _core.stateSize(m, signature(sig))
    if state.size != size:
        raise _core.ShapeError(f"state must be of {size} numbers, not {state.size}")
    rest = state.reshape(-1)
    for piece in parts:
        size = _core.stateSize(m, piece)
        function(m, d, rest[:size], piece)
        rest = rest[size:]


def mj_copyState(m: Model, src: Data, dst: Data, sig: int) -> None:
    """Copy the parts of the state whose bits are set in sig from one data to another."""
    bits = signature(_checked(sig, "mj_copyState"))
    _core.setState(m, dst, _functions.getState(m, src, bits), bits)


def mj_extractState(m: Model, src: ArrayLike, srcsig: int, dst: _Array, dstsig: int) -> None:
    """Write some parts of a state, whose bits are set in dstsig, all of which srcsig has."""
    srcsig, dstsig = (
        _checked(srcsig, "mj_extractState"),
        _checked(dstsig, "mj_extractState"),
    )
    if dstsig & ~srcsig:
        raise FatalError("mj_extractState: state signature is not a subset of source signature")
    state = np.asarray(src, np.float64).reshape(-1)
    parts, at = [np.empty(0)], 0
    for theirs, bit in sorted(PARTS.items()):
        size = _core.stateSize(m, bit) if srcsig & theirs else 0
        if dstsig & theirs:
            parts.append(state[at : at + size])
        at += size
    if at != state.size:
        raise _core.ShapeError(f"src must be of {at} numbers, not {state.size}")
    values = np.concatenate(parts)
    if dst.size != values.size:
        raise _core.ShapeError(f"dst must be of {values.size} numbers, not {dst.size}")
    dst.reshape(-1)[...] = values


# ---- the past


def _index(function: str, name: str, index: int, count: int) -> int:
    if not 0 <= operator.index(index) < count:
        raise IndexError(f"{function}: {name} is {index}, must be from 0 to {count - 1}")
    return operator.index(index)


def mj_initCtrlHistory(
    m: Model, d: Data, id: int, times: ArrayLike | None, values: ArrayLike
) -> None:
    """Fill the history of an actuator: times (n), oldest first, or None: as they are; values (n, its controls)."""
    _index("mj_initCtrlHistory", "id", id, m.nactuator)
    _core.initCtrlHistory(m, d, id, times, values)


def mj_initSensorHistory(
    m: Model, d: Data, id: int, times: ArrayLike | None, values: ArrayLike, phase: float
) -> None:
    """Fill the history of a sensor: times (n), oldest first, or None; values (n, its dim); phase: when it was last due."""
    _index("mj_initSensorHistory", "id", id, m.nsensor)
    _core.initSensorHistory(m, d, id, times, values, phase)


def mj_readCtrl(m: Model, d: Data, id: int, time: float, result: _Array, interp: int) -> _Array:
    """Controls of an actuator as they act at a time, its delay included; interp: -1: the model's, 0, 1 or 2."""
    _index("mj_readCtrl", "id", id, m.nactuator)
    _core.readCtrl(m, d, id, time, interp, result)
    return result


def mj_readSensor(m: Model, d: Data, id: int, time: float, result: _Array, interp: int) -> _Array:
    """Output of a sensor as it is shown at a time, its delay included; interp: -1: the model's, 0, 1 or 2."""
    _index("mj_readSensor", "id", id, m.nsensor)
    _core.readSensor(m, d, id, time, interp, result)
    return result


# ---- rays, which may give the normal


def mj_ray(
    m: Model,
    d: Data,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomgroup: ArrayLike | None,
    flg_static: int,
    bodyexclude: int,
    geomid: NDArray[np.int32] | None,
    normal: _Array | None = None,
) -> float:
    """Distance in units of vec to the nearest visible geom, -1: none; writes its id, and its normal (3) there."""
    hit = np.empty(1, np.int32) if geomid is None else geomid
    x = _core.ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, hit)
    if normal is not None:
        _core.rayNormal(m, d, max(0, int(hit.reshape(-1)[0])), pnt, vec, x, normal)
    return x


def mj_multiRay(
    m: Model,
    d: Data,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomgroup: ArrayLike | None,
    flg_static: int,
    bodyexclude: int,
    geomid: NDArray[np.int32] | None,
    dist: _Array,
    normal: _Array | None,
    nray: int,
    cutoff: float,
) -> None:
    """Rays from pnt along the rows of vec (nray x 3): writes geom ids, distances, -1: none, and normals (nray x 3)."""
    rays = np.asarray(vec, np.float64).reshape(-1, 3)
    hits = np.empty(len(rays), np.int32) if geomid is None else geomid
    _core.multiRay(m, d, pnt, rays, geomgroup, flg_static, bodyexclude, hits, dist, nray, cutoff)
    if normal is None:
        return
    if normal.size != rays.size or not normal.flags.c_contiguous:
        raise _core.ShapeError(f"normal must be of {rays.size} numbers, C-contiguous")
    rows = zip(rays, hits.reshape(-1), dist.reshape(-1), normal.reshape(-1, 3), strict=True)
    for along, hit, x, row in rows:
        _core.rayNormal(m, d, max(0, int(hit)), pnt, along, x, row)


def mj_rayMesh(
    m: Model, d: Data, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Array | None = None
) -> float:
    """Distance in units of vec to the triangles of a mesh, -1: none; writes the normal (3) there."""
    x = _core.rayMesh(m, d, geomid, pnt, vec)
    if normal is not None:
        _core.rayNormal(m, d, geomid, pnt, vec, x, normal)
    return x


def mj_rayHfield(
    m: Model, d: Data, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Array | None = None
) -> float:
    """Distance in units of vec to a height field, -1: none; writes the normal (3) there."""
    x = _core.rayHfield(m, d, geomid, pnt, vec)
    if normal is not None:
        _core.rayNormal(m, d, geomid, pnt, vec, x, normal)
    return x


def mju_rayGeom(
    pos: ArrayLike,
    mat: ArrayLike,
    size: ArrayLike,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomtype: int,
    normal: _Array | None = None,
) -> float:
    """Distance in units of vec to a shape of a given pose, -1: none; writes the normal (3) there."""
    x = _core.mju_rayGeom(pos, mat, size, pnt, vec, geomtype)
    if normal is not None:
        _core.rayGeomNormal(pos, mat, size, pnt, vec, geomtype, x, normal)
    return x


def mj_rayFlex(
    m: Model,
    d: Data,
    flex_layer: int,
    flg_vert: bool,
    flg_edge: bool,
    flg_face: bool,
    flg_skin: bool,
    flexid: int,
    pnt: ArrayLike,
    vec: ArrayLike,
    vertid: NDArray[np.int32] | None = None,
    normal: _Array | None = None,
) -> float:
    """Distance in units of vec to a flex, -1: none; writes the nearest vertex (1) and the normal (3) there."""
    if not 0 <= flexid < m.nflex:
        raise IndexError(f"mj_rayFlex: flexid is {flexid}, but there are {m.nflex}")
    return _core.rayFlex(
        m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid, normal
    )


# ---- the rest


def mjd_inverseFD(
    m: Model,
    d: Data,
    eps: float,
    flg_actuation: int,
    DfDq: _Array | None,
    DfDv: _Array | None,
    DfDa: _Array | None,
    DsDq: _Array | None,
    DsDv: _Array | None,
    DsDa: _Array | None,
    DmDq: _Array | None,
) -> None:
    """Derivatives of inverse dynamics, of sensors and of M (nv x nC, as `MjData.M`) by differences; rows are by what."""
    full = None if DmDq is None else np.empty((m.nv, m.nM))
    _core.inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, full)
    if full is None or DmDq is None:
        return
    if DmDq.shape != (m.nv, m.nC):
        raise _core.ShapeError(f"DmDq must have shape ({m.nv},{m.nC}), not {DmDq.shape}")
    DmDq[...] = full[:, m.mapM2M]


def mj_fullM(m: Model, d: Data, dst: _Array) -> None:
    """Write the dense inertia (nv, nv) of the data into dst."""
    _core.fullM(m, Data.qM.__get__(d), dst)  # type: ignore[attr-defined]


def mj_fwdKinematics(m: Model, d: Data) -> None:
    """Poses, centres of mass, cameras and lights, tendons: what depends on position without forces."""
    for function in (_core.kinematics, _core.comPos, _core.camlight, _core.tendon):
        function(m, d)


def mj_copyData(dest: Data, m: Model, src: Data) -> None:
    """Copy a data into another one of the same model."""
    if not isinstance(dest, Data) or not isinstance(src, Data):
        raise TypeError(f"incompatible arguments: {type(dest).__name__}, {type(src).__name__}")
    _core.unpackInto(dest, _core.packData(src))


def mj_insideSite(m: Model, d: Data, siteid: int, point: ArrayLike) -> int:
    """1: a point, world, is in the volume of a site; else 0."""
    return _core.insideSite(m, d, _index("mj_insideSite", "siteid", siteid, m.nsite), point)


_INPUTS = {1: ("pos",), 2: ("vel",), 4: ("ff",), 8: ("voltage",), 32: ("pressure",)}
_SO3 = int(ENUMS["mjtTrn"].mjTRN_SO3)
_CHARTS = {1: ("rx", "ry", "rz"), 2: ("qw", "qx", "qy", "qz")}  # of what turns to an orientation


def mj_actuatorInputName(m: Model, id: int, input: int) -> str | None:
    """Name of a control of an actuator: pos, vel, ff, voltage, ...; None: it has none, or there is no such control."""
    if not 0 <= operator.index(id) < m.nactuator:
        return None
    turns = m.actuator_trntype[id] == _SO3
    bits, table = int(m.actuator_ctrlspec[id]), _CHARTS if turns else _INPUTS
    names = [name for bit, words in table.items() if bits & bit for name in words]
    return names[input] if 0 <= operator.index(input) < len(names) else None


_SHAPES = {name.removeprefix("mjGEOM_"): int(v) for name, v in ENUMS["mjtGeom"].__members__.items()}
# Most contacts of two shapes; of those with two numbers the second is without multiccd. Of others: 1.
_MOST = {
    frozenset(_SHAPES[name] for name in pair.split()): counts
    for pair, counts in {
        "PLANE": (0, 0), "PLANE HFIELD": (0, 0), "HFIELD": (0, 0), "PLANE CAPSULE": (2, 2), "PLANE CYLINDER": (4, 4),
        "PLANE BOX": (4, 4), "PLANE MESH": (4, 4), "CAPSULE": (2, 2), "CAPSULE BOX": (4, 4), "BOX": (8, 8),
        "CAPSULE CYLINDER": (2, 1), "CAPSULE MESH": (2, 1), "CYLINDER": (4, 1), "CYLINDER BOX": (4, 1),
        "CYLINDER MESH": (4, 1), "BOX MESH": (4, 1), "MESH": (4, 1),
    }.items()
}  # fmt: skip


def mj_maxContact(m: Model, g1: int, g2: int, has_margin: int) -> int:
    """Most contacts that two geoms can have."""
    kinds = [int(m.geom_type[_index("mj_maxContact", "geom", g, m.ngeom)]) for g in (g1, g2)]
    if _SHAPES["HFIELD"] in kinds and _SHAPES["PLANE"] not in kinds and kinds[0] != kinds[1]:
        return _core.tables()["constants"]["MAXCONPAIR"]
    multiccd = not m.opt.disableflags & int(ENUMS["mjtDisableBit"].mjDSBL_MULTICCD)
    return _MOST.get(frozenset(kinds), (1, 1))[not multiccd]


def mju_sym2dense(
    res: _Array,
    mat: ArrayLike,
    rownnz: NDArray[np.int32],
    rowadr: NDArray[np.int32],
    colind: NDArray[np.int32],
) -> None:
    """Write a symmetric matrix, of which the lower triangle is given by rows, into a dense one."""
    _core.mju_sparse2dense(res, mat, rownnz, rowadr, colind)
    res += np.tril(res, -1).T


def mju_warningText(warning: int, info: int) -> str:
    """Text of a warning (mjtWarning)."""
    return _core.mju_warningText(
        WARNINGS[_index("mju_warningText", "warning", warning, len(WARNINGS))], info
    )


def mju_threadpool(d: Data, nthread: int) -> None:
    """Let steps of a data use threads, the caller's counted; 0 and 1: none beside it."""
    if operator.index(nthread) < 0:
        raise FatalError(f"mju_threadpool: nthread is {nthread}, must be 0 or more")
    d.threads = max(1, operator.index(nthread))


def mj_loadTexture(m: Model, id: int) -> tuple[NDArray[np.uint8], int]:
    """Pixels (height x width x channels) and colour space of a texture, of one by reference from its file."""
    if not 0 <= operator.index(id) < m.ntex:
        raise ValueError(f"texture id {id} out of range")
    try:
        return m.load_texture(id)
    except OSError as error:
        raise ValueError(str(error)) from None


def mj_embedAssets(m: Model) -> Model:
    """A copy of a model in which no texture is by reference."""
    try:
        return m.embed_assets()
    except OSError as error:
        raise ValueError(str(error)) from None


mj_resetCtrl = _core.peerFunction("resetCtrl", "mj_resetCtrl")

FUNCTIONS = {
    name: function
    for name, function in globals().items()
    if name.startswith(("mj_", "mju_", "mjd_"))
}
