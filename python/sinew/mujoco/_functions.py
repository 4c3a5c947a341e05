"""The peer's functions mj_..., mju_... and mjd_...: those whose arguments are not ours, then the rest."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._functions import setLengthRange
from .._types import _CONTACT, Data, Model
from ._errors import FatalError
from ._names import OURS_ALONE, function_name
from ._release import IS_LATER, RELEASE
from ._structs import MjLROpt, mj_isSparse  # noqa: F401
from ._user import warn

_Array = NDArray[np.float64]
_NSTATE = 13  # parts of the state at the peer


def mj_fullM(m: Model, dst: _Array, M: ArrayLike) -> None:
    """Write the dense inertia (nv, nv) of a sparse one (nM) into dst."""
    _core.fullM(m, M, dst)


def mj_RungeKutta(m: Model, d: Data, N: int) -> None:
    """Integrate by Runge-Kutta of order N, which must be 4."""
    if N != 4:
        raise FatalError(f"Runge-Kutta of order {N} is not in Sinew yet, only 4")
    _core.RungeKutta(m, d)


def mj_setKeyframe(m: Model, d: Data, k: int) -> None:
    """Write the state of d into keyframe k; FatalError when there is none of that number."""
    if k < 0:
        raise FatalError("mj_setKeyframe: keyframe index cannot be negative")
    if k >= m.nkey:
        raise FatalError(
            f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)"
        )
    _core.setKeyframe(m, d, k)


def mj_stateSize(m: Model, sig: int) -> int:
    """Numbers of the parts of the state whose bits are set in sig; FatalError for bits that are none."""
    if 1 << _NSTATE <= sig < 1 << 32:
        raise FatalError(f"mj_stateSize: invalid state signature {int(sig)} >= 2^mjNSTATE")
    if sig < 0 or sig >= 1 << 32:
        raise TypeError(f"sig is {int(sig)}, must be from 0 to 2^32 - 1")
    return _core.stateSize(m, sig)


def mju_euler2Quat(quat: _Array, euler: ArrayLike, seq: str) -> None:
    """Quaternion of three rotations about the axes of seq, fixed ones in capitals; FatalError for other letters."""
    if len(seq) != 3:
        raise FatalError("mju_euler2Quat: seq must contain exactly 3 characters")
    for i, letter in enumerate(seq):
        if letter not in "xyzXYZ":
            raise FatalError(
                f"mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z"
            )
    _core.euler2Quat(quat, euler, seq)


def mj_solveM2(m: Model, d: Data, x: _Array, y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """Half solve, rows x = sqrtInvD inv(L') y; with the square root of d.qLDiagInv, x x' = y inv(M) y'."""
    scale = np.asarray(sqrtInvD, np.float64).reshape(m.nv) / np.sqrt(d.qLDiagInv)
    _core.solveM2(m, d, x, y)
    x *= scale


def mj_constraintUpdate(
    m: Model, d: Data, jar: ArrayLike, cost: _Array | None, flg_coneHessian: int
) -> None:
    """States and forces of the constraint rows for jar (nefc), their cost (1) and, if asked, `contact.H`."""
    _core.constraintUpdate(m, d, jar, cost)
    if flg_coneHessian:
        for contact, H in zip(d.contact, _core.coneHessians(d, jar), strict=True):
            contact.H = H


def mj_addContact(m: Model, d: Data, con: Any) -> int:
    """Add a contact behind those there are, and drop all constraint rows; returns 1 when the arena is full."""
    contact = np.zeros((), _CONTACT)
    for name in _CONTACT.names:
        contact[name] = getattr(con, name, 0)  # the peer has not all
    return int(not _core.appendContact(d, contact.tobytes()))


def _realloc_con_efc(d: Data, ncon: int, nefc: int, nJ: int = -1) -> None:
    """Make room for contacts and constraint rows that the caller fills: all that were there are dropped, the new
    ones are zeros, and numbers of efc_J stand in d itself until rows are made anew.

    Parameters
    ----------
    d : MjData
        Whose contacts and rows they are.
    ncon, nefc : int
        How many of each.
    nJ : int
        Numbers in efc_J, at most nefc * nv. A dense Jacobian has them all, whether or not they are given.
    """
    if not _core.makeRoomForRows(d, operator.index(ncon), operator.index(nefc), operator.index(nJ)):
        raise FatalError("insufficient arena memory available")


def _check(m: Model, d: Data) -> None:
    if not isinstance(m, Model) or not isinstance(d, Data):
        raise TypeError(f"incompatible arguments: {type(m).__name__}, {type(d).__name__}")


def mj_island(m: Model, d: Data) -> None:
    """Find constraint islands: nothing to do, they are found when `MjData.nisland` and its like are asked for."""
    _check(m, d)


def mj_projectConstraint(m: Model, d: Data) -> None:
    """Compute efc_AR: nothing to do, it is made when it is asked for."""
    _check(m, d)


def mj_sizeModel(m: Model) -> int:
    """Bytes that `mj_saveModel` writes."""
    return len(_core.packModel(m))


def mj_saveModel(
    m: Model, filename: str | os.PathLike | None = None, buffer: NDArray[np.uint8] | None = None
) -> None:
    """Write the compiled model, in Sinew's own binary format, to a file or into a buffer."""
    if buffer is None:
        try:
            m.save("" if filename is None else filename)
        except OSError as error:
            warn(str(error))
        return
    data = np.frombuffer(_core.packModel(m), np.uint8)
    if buffer.dtype != np.uint8:
        raise TypeError(f"buffer must be an array of uint8, not of {buffer.dtype}")
    if buffer.size < data.size:
        raise FatalError(f"the buffer has {buffer.size} bytes, the model {data.size}")
    buffer.reshape(-1)[: data.size] = data


def mj_multiRay(
    m: Model,
    d: Data,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomgroup: ArrayLike | None,
    flg_static: int,
    bodyexclude: int,
    geomid: NDArray[np.int32],
    dist: _Array,
    nray: int,
    cutoff: float,
) -> None:
    """Rays from pnt along the rows of vec (nray x 3): writes geom ids and distances, -1: none."""
    vec = np.asarray(vec, np.float64).reshape(-1, 3)
    _core.multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, nray, cutoff)


def mj_versionString() -> str:
    """Version of the peer's interface that this is; Sinew's own is `sinew.__version__`."""
    return RELEASE.version


def mj_version() -> int:
    """Version of the peer's interface that this is, as a number."""
    return RELEASE.number


def mj_addM(
    m: Model,
    d: Data,
    dst: _Array,
    rownnz: NDArray[np.int32],
    rowadr: NDArray[np.int32],
    colind: NDArray[np.int32],
) -> None:
    """Add the lower triangle of the inertia to a sparse matrix whose rows hold those of M."""
    _core.addM(m, d, dst, rownnz, rowadr, colind)


def mj_local2Global(
    d: Data,
    xpos: _Array,
    xmat: _Array,
    pos: ArrayLike,
    quat: ArrayLike,
    body: int,
    sameframe: int,
) -> None:
    """World position (3) and orientation (9) of a frame fixed in a body."""
    _core.local2Global(d.model, d, xpos, xmat, pos, quat, body, sameframe)


def mj_setLengthRange(m: Model, d: Data, index: int, opt: MjLROpt) -> None:
    """Find the range of length of an actuator; ValueError when it does not settle."""
    members = [name for name in vars(MjLROpt) if not name.startswith("_")]
    setLengthRange(m, d, index, **{name: getattr(opt, name) for name in members})


def mj_invPosition(m: Model, d: Data) -> None:
    """What inverse dynamics need of position."""
    _core.fwdPosition(m, d)


def mj_invVelocity(m: Model, d: Data) -> None:
    """What inverse dynamics need of velocity."""
    _core.fwdVelocity(m, d)


def mj_isPyramidal(m: Model) -> int:
    """1: pyramidal friction cones."""
    return int(m.opt.cone == 0)


def mj_isDual(m: Model) -> int:
    """1: the solver works on constraint forces: PGS, or another one with noslip iterations."""
    return int(m.opt.solver == 0 or m.opt.noslip_iterations > 0)


def _nine(matrix: _Array | None) -> _Array | None:
    """The nine numbers of a matrix of any shape, which are written."""
    if matrix is None:
        return None
    if matrix.size != 9 or not matrix.flags.c_contiguous:
        raise _core.ShapeError("a matrix of 3 x 3 must be of 9 numbers, C-contiguous")
    return matrix.reshape(9)


def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: _Array | None, Db: _Array | None) -> None:
    """Derivatives (9) of mju_subQuat by rotations of qa and qb in their own frames."""
    _core.subQuatDerivative(qa, qb, _nine(Da), _nine(Db))


def mjd_quatIntegrate(
    vel: ArrayLike, scale: float, Dquat: _Array, Dvel: _Array, Dscale: _Array
) -> None:
    """Derivatives (9, 9, 3) of mju_quatIntegrate by a rotation of the quaternion, vel * scale and scale."""
    if Dscale.size != 3:
        raise _core.ShapeError("Dscale must be of 3 numbers")
    turn = np.multiply(vel, scale)
    _core.quatIntegrateDerivative(turn, 1.0, _nine(Dquat), _nine(Dvel), None)
    Dscale[...] = np.reshape(vel, Dscale.shape)


# Everything else has the same arguments in the same order.
for _name, *_ in _core.tables()["functions"]:
    if _name not in OURS_ALONE and function_name(_name) not in globals():
        globals()[function_name(_name)] = _core.peerFunction(_name, function_name(_name))
globals().update({name: getattr(_core, name) for name, *_ in _core.tables()["arithmetic"]})
if IS_LATER:
    from ._later_functions import FUNCTIONS

    globals().update(FUNCTIONS)
    del mju_rayFlex  # noqa: F821  # which has another name

__all__ = sorted(name for name in globals() if name.startswith(("mj_", "mju_", "mjd_")))  # noqa: PLE0605
