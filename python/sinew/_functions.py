"""The library's functions in Python's shape: what C writes into arrays is returned here.

Functions without outputs are the extension's own. `sinew.mujoco` has the variants that write into
arrays of the caller.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Data, Model

_Array = NDArray[np.float64]
_WRITES = {
    name
    for name, signature, _ in _core.tables()["functions"]
    if any(":w" in word for word in signature.split())
}
# Those that write nothing but the data are offered as they are.
_PLAIN = [name for name, *_ in _core.tables()["functions"] if name not in _WRITES]
globals().update({name: getattr(_core, name) for name in _PLAIN})

__all__ = [
    "angmomMat",
    "applyFT",
    "constraintUpdate",
    "contactForce",
    "differentiatePos",
    "fullM",
    "getState",
    "integratePos",
    "jac",
    "jacBody",
    "jacBodyCom",
    "jacDot",
    "jacGeom",
    "jacPointAxis",
    "jacSite",
    "jacSubtreeCom",
    "mulJacTVec",
    "mulJacVec",
    "mulM",
    "mulM2",
    "noise",
    "normalizeQuat",
    "objectAcceleration",
    "objectVelocity",
    "rne",
    "solveM",
    "solveM2",
    *_PLAIN,
]


def fullM(m: Model, d: Data) -> _Array:
    """Joint-space inertia of the data, dense (nv, nv)."""
    dense = np.empty((m.nv, m.nv))
    _core.fullM(m, d.qM, dense)
    return dense


def mulM(m: Model, d: Data, vec: ArrayLike) -> _Array:
    """M vec, (nv)."""
    result = np.empty(m.nv)
    _core.mulM(m, d, result, vec)
    return result


def solveM(m: Model, d: Data, y: ArrayLike) -> _Array:
    """inv(M) y, for one vector (nv) or for rows (n, nv)."""
    y = np.ascontiguousarray(y, np.float64)
    x = np.empty_like(y)
    _core.solveM(m, d, x, y)
    return x


def solveM2(m: Model, d: Data, y: ArrayLike) -> _Array:
    """Half solve x of rows y (n, nv): x @ x.T = y @ inv(M) @ y.T."""
    y = np.ascontiguousarray(y, np.float64)
    x = np.empty_like(y)
    _core.solveM2(m, d, x, y)
    return x


def rne(m: Model, d: Data, flg_acc: bool = False) -> _Array:
    """Inverse dynamics without constraints and armature: M qacc (if flg_acc) + bias, (nv)."""
    result = np.empty(m.nv)
    _core.rne(m, d, int(flg_acc), result)
    return result


def _jacobians(function, m: Model, d: Data, *args) -> tuple[_Array, _Array]:
    jacp, jacr = np.empty((3, m.nv)), np.empty((3, m.nv))
    function(m, d, jacp, jacr, *args)
    return jacp, jacr


def jac(m: Model, d: Data, point: ArrayLike, body: int) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a world point fixed in a body: translation, rotation."""
    return _jacobians(_core.jac, m, d, point, body)


def jacBody(m: Model, d: Data, body: int) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a body's origin: translation, rotation."""
    return _jacobians(_core.jacBody, m, d, body)


def jacBodyCom(m: Model, d: Data, body: int) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a body's centre of mass: translation, rotation."""
    return _jacobians(_core.jacBodyCom, m, d, body)


def jacGeom(m: Model, d: Data, geom: int) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a geom's origin: translation, rotation."""
    return _jacobians(_core.jacGeom, m, d, geom)


def jacSite(m: Model, d: Data, site: int) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a site's origin: translation, rotation."""
    return _jacobians(_core.jacSite, m, d, site)


def jacPointAxis(
    m: Model, d: Data, point: ArrayLike, axis: ArrayLike, body: int
) -> tuple[_Array, _Array]:
    """Jacobians (3, nv) of a world point and of a world axis fixed in a body."""
    return _jacobians(_core.jacPointAxis, m, d, point, axis, body)


def jacDot(m: Model, d: Data, point: ArrayLike, body: int) -> tuple[_Array, _Array]:
    """Rates of the Jacobians (3, nv) of a world point fixed in a body."""
    return _jacobians(_core.jacDot, m, d, point, body)


def angmomMat(m: Model, d: Data, body: int) -> _Array:
    """Matrix (3, nv) from qvel to the angular momentum of a body's subtree about its centre of mass."""
    mat = np.empty((3, m.nv))
    _core.angmomMat(m, d, mat, body)
    return mat


def jacSubtreeCom(m: Model, d: Data, body: int) -> _Array:
    """Jacobian (3, nv) of the centre of mass of a body's subtree."""
    jacp = np.empty((3, m.nv))
    _core.jacSubtreeCom(m, d, jacp, body)
    return jacp


def objectVelocity(m: Model, d: Data, objtype: int, objid: int, local: bool = False) -> _Array:
    """Velocity (6) of an object, rotation first, in world axes or its own."""
    result = np.empty(6)
    _core.objectVelocity(m, d, objtype, objid, result, int(local))
    return result


def objectAcceleration(m: Model, d: Data, objtype: int, objid: int, local: bool = False) -> _Array:
    """Acceleration (6) of an object, rotation first; after `rnePostConstraint`."""
    result = np.empty(6)
    _core.objectAcceleration(m, d, objtype, objid, result, int(local))
    return result


def contactForce(m: Model, d: Data, contact: int) -> _Array:
    """Force (3, normal first) and torque (3) of a contact in its frame."""
    result = np.empty(6)
    _core.contactForce(m, d, contact, result)
    return result


def applyFT(
    m: Model,
    d: Data,
    force: ArrayLike | None,
    torque: ArrayLike | None,
    point: ArrayLike,
    body: int,
) -> _Array:
    """Generalized force (nv) of a force and a torque at a world point of a body."""
    result = np.zeros(m.nv)
    _core.applyFT(m, d, force, torque, point, body, result)
    return result


def mulM2(m: Model, d: Data, vec: ArrayLike) -> _Array:
    """sqrt(D) L vec, (nv), with M = L'DL: its square is vec' M vec."""
    result = np.empty(m.nv)
    _core.mulM2(m, d, result, vec)
    return result


def mulJacVec(m: Model, d: Data, vec: ArrayLike) -> _Array:
    """J vec, (nefc)."""
    result = np.empty(d.nefc)
    _core.mulJacVec(m, d, result, vec)
    return result


def mulJacTVec(m: Model, d: Data, vec: ArrayLike) -> _Array:
    """J' vec, (nv)."""
    result = np.empty(m.nv)
    _core.mulJacTVec(m, d, result, vec)
    return result


def constraintUpdate(m: Model, d: Data, jar: ArrayLike) -> float:
    """States and forces of the rows for jar (nefc) = J qacc - aref; returns their cost."""
    cost = np.zeros(1)
    _core.constraintUpdate(m, d, jar, cost)
    return float(cost[0])


def differentiatePos(m: Model, dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> _Array:
    """Velocity (nv) that leads from qpos1 to qpos2 in the time dt."""
    qvel = np.empty(m.nv)
    _core.differentiatePos(m, qvel, dt, qpos1, qpos2)
    return qvel


def integratePos(m: Model, qpos: ArrayLike, qvel: ArrayLike, dt: float) -> _Array:
    """Position (nq) that the velocity leads to from qpos in the time dt."""
    result = np.array(qpos, np.float64)
    _core.integratePos(m, result, qvel, dt)
    return result


def normalizeQuat(m: Model, qpos: ArrayLike) -> _Array:
    """qpos (nq) with its quaternions normalised."""
    result = np.array(qpos, np.float64)
    _core.normalizeQuat(m, result)
    return result


def getState(m: Model, d: Data, signature: int) -> _Array:
    """Parts of the state as one array; signature is a sum of `StateBit`."""
    state = np.empty(_core.stateSize(m, signature))
    _core.getState(m, d, state, signature)
    return state


def noise(n: int, seed: int = 0, index: int = 0) -> _Array:
    """n repeatable normal numbers from place `index` of the sequence of a seed.

    `sinew simulate --ctrl noise:STD:SEED` applies STD times the nu numbers from index step*nu.
    """
    out = np.empty(n)
    _core.noise(out, seed, index)
    return out
