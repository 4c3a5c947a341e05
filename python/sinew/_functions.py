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
    "addM",
    "angmomMat",
    "applyFT",
    "axisAngle2Quat",
    "bodyPoses",
    "centroidalDerivative",
    "centroidalMomentum",
    "constraintUpdate",
    "contactForce",
    "derivQuat",
    "differentiatePos",
    "energyDerivative",
    "energyRegressor",
    "euler2Quat",
    "forwardDynamicsDerivative",
    "fullM",
    "geomDistance",
    "getState",
    "gravityDerivative",
    "inertialParameters",
    "integratePos",
    "integrateQuat",
    "inverseDynamics",
    "inverseFD",
    "inverseInertia",
    "jac",
    "jacBody",
    "jacBodyCom",
    "jacDot",
    "jacGeom",
    "jacPointAxis",
    "jacSite",
    "jacSubtreeCom",
    "local2Global",
    "mat2Quat",
    "mat2Rot",
    "massMatrix",
    "mulJacTVec",
    "mulJacVec",
    "mulM",
    "mulM2",
    "mulPose",
    "mulQuat",
    "mulQuatAxis",
    "multiRay",
    "negPose",
    "negQuat",
    "noise",
    "normalizeQuat",
    "objectAcceleration",
    "objectAccelerationDerivative",
    "objectPoseDerivative",
    "objectVelocity",
    "objectVelocityDerivative",
    "quat2Mat",
    "quat2Vel",
    "quatIntegrateDerivative",
    "quatZ2Vec",
    "ray",
    "rayFlex",
    "rayNormal",
    "readCtrl",
    "readSensor",
    "rne",
    "rneDerivative",
    "rneRegressor",
    "rotVecQuat",
    "setLengthRange",
    "solveM",
    "solveM2",
    "stageHashes",
    "subQuat",
    "subQuatDerivative",
    "subtreeComHessian",
    "transformSpatial",
    "transitionFD",
    "trnVecPose",
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


def bodyPoses(m: Model, d: Data, qpos: ArrayLike) -> tuple[_Array, _Array]:
    """Origins (nbody, 3) and matrices (nbody, 9) of all bodies at qpos. The data lends scratch alone."""
    xpos, xmat = np.empty((m.nbody, 3)), np.empty((m.nbody, 9))
    _core.bodyPoses(m, d, qpos, xpos, xmat)
    return xpos, xmat


def inverseDynamics(m: Model, d: Data, qpos: ArrayLike, qvel: ArrayLike, qacc: ArrayLike) -> _Array:
    """M qacc + bias, (nv), of the tree alone with its armature. The data lends scratch alone."""
    tau = np.empty(m.nv)
    _core.inverseDynamics(m, d, qpos, qvel, qacc, tau)
    return tau


def massMatrix(m: Model, d: Data, qpos: ArrayLike) -> _Array:
    """Joint-space inertia at qpos, dense (nv, nv), without that of tendons. The data lends scratch alone."""
    qM, dense = np.empty(m.nM), np.empty((m.nv, m.nv))
    _core.massMatrix(m, d, qpos, qM, None, None)
    _core.fullM(m, qM, dense)
    return dense


def _acceleration(d: Data, qacc: ArrayLike | None) -> ArrayLike:
    return d.qacc if qacc is None else qacc


def rneDerivative(
    m: Model, d: Data, qacc: ArrayLike | None = None
) -> tuple[_Array, _Array, _Array]:
    """Derivatives (nv, nv) of inverse dynamics M qacc + bias by position, velocity and acceleration.

    qacc is held; None: that of the data. Needs `forward` first, as all derivatives here.
    """
    result = tuple(np.empty((m.nv, m.nv)) for _ in range(3))
    _core.rneDerivative(m, d, _acceleration(d, qacc), *result)
    return result


def forwardDynamicsDerivative(
    m: Model, d: Data, qacc: ArrayLike | None = None
) -> tuple[_Array, _Array, _Array]:
    """Derivatives (nv, nv) of the acceleration inv(M) (tau - bias) by position, velocity and the force tau.

    qacc is the acceleration that the held force gives; None: qacc_smooth.
    """
    result = tuple(np.empty((m.nv, m.nv)) for _ in range(3))
    _core.forwardDynamicsDerivative(m, d, qacc, *result)
    return result


def inverseInertia(m: Model, d: Data) -> _Array:
    """Inverse of the joint-space inertia, dense (nv, nv)."""
    inverse = np.empty((m.nv, m.nv))
    _core.inverseInertia(m, d, inverse)
    return inverse


def gravityDerivative(m: Model, d: Data) -> _Array:
    """Derivative (nv, nv) of the gravity force, the bias at rest, by position."""
    result = np.empty((m.nv, m.nv))
    _core.gravityDerivative(m, d, result)
    return result


def inertialParameters(m: Model) -> _Array:
    """Inertial parameters (nbody, 10) about the origin of each body, in its axes.

    Mass, mass times centre of mass (3), Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
    """
    pi = np.empty((m.nbody, 10))
    _core.inertialParameters(m, pi)
    return pi


def rneRegressor(m: Model, d: Data, qacc: ArrayLike | None = None) -> _Array:
    """Regressor Y (nv, nbody, 10): M qacc + bias = Y pi + armature qacc, pi of `inertialParameters`."""
    Y = np.empty((m.nv, m.nbody, 10))
    _core.rneRegressor(m, d, _acceleration(d, qacc), Y)
    return Y


def energyRegressor(m: Model, d: Data) -> tuple[_Array, _Array]:
    """Regressors (nbody, 10) of kinetic energy and of the potential energy of gravity."""
    result = np.empty((m.nbody, 10)), np.empty((m.nbody, 10))
    _core.energyRegressor(m, d, *result)
    return result


def energyDerivative(m: Model, d: Data) -> tuple[_Array, _Array, _Array]:
    """Derivatives (nv) of potential energy by position, of kinetic energy by position and by velocity."""
    result = tuple(np.empty(m.nv) for _ in range(3))
    _core.energyDerivative(m, d, *result)
    return result


def centroidalMomentum(m: Model, d: Data, body: int = 0) -> tuple[_Array, _Array]:
    """Centroidal momentum matrix A (6, nv) of a subtree and its momentum h (6) = A qvel, angular part first."""
    A, h = np.empty((6, m.nv)), np.empty(6)
    _core.centroidalMomentum(m, d, body, A, h)
    return A, h


def centroidalDerivative(
    m: Model, d: Data, body: int = 0, qacc: ArrayLike | None = None
) -> tuple[_Array, _Array, _Array, _Array]:
    """Derivatives (6, nv) of the momentum of `centroidalMomentum` and of its rate under qacc.

    Momentum by position, its rate by position, its rate by velocity, and the rate itself (6). The
    derivatives of momentum by velocity and of its rate by acceleration are A.
    """
    result = *(np.empty((6, m.nv)) for _ in range(3)), np.empty(6)
    _core.centroidalDerivative(m, d, body, _acceleration(d, qacc), *result)
    return result


def subtreeComHessian(m: Model, d: Data, body: int = 0) -> _Array:
    """Second derivative H (3, nv, nv) of a subtree's centre of mass: H[:, i, k] = d J[:, i] / dq[k]."""
    H = np.empty((3, m.nv, m.nv))
    _core.subtreeComHessian(m, d, body, H)
    return H


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


def objectPoseDerivative(
    m: Model,
    d: Data,
    objtype: int,
    objid: int,
    point: ArrayLike | None = None,
    local: bool = False,
) -> tuple[_Array, _Array, _Array, _Array]:
    """First and second derivatives of position and orientation of an object.

    Parameters
    ----------
    point
        World point (3) that moves with the object's body; None: the object's origin.
    local
        In the object's axes instead of the world's.

    Returns
    -------
    jacp, jacr
        Jacobians (3, nv) of the point and of the rotation, as `jac`.
    Hp, Hr
        Their derivatives (3, nv, nv): Hp[r, k, i] is that of jacp[r, k] along dof i.
    """
    jacobians = tuple(np.empty((3, m.nv)) for _ in range(2))
    hessians = tuple(np.empty((3, m.nv, m.nv)) for _ in range(2))
    _core.objectPoseDerivative(m, d, objtype, objid, point, int(local), *jacobians, *hessians)
    return *jacobians, *hessians


def objectVelocityDerivative(
    m: Model,
    d: Data,
    objtype: int,
    objid: int,
    point: ArrayLike | None = None,
    local: bool = False,
) -> tuple[_Array, _Array]:
    """Derivatives (6, nv) of the velocity of an object by position and velocity, rotation first.

    As `objectVelocity`, or that of a world point that moves with the object's body.
    """
    result = tuple(np.empty((6, m.nv)) for _ in range(2))
    _core.objectVelocityDerivative(m, d, objtype, objid, point, int(local), *result)
    return result


def objectAccelerationDerivative(
    m: Model,
    d: Data,
    objtype: int,
    objid: int,
    point: ArrayLike | None = None,
    local: bool = False,
    gravity: bool = True,
) -> tuple[_Array, _Array, _Array]:
    """Derivatives (6, nv) of the acceleration of an object by position, velocity and qacc, rotation first.

    As `objectAcceleration`, or that of a world point that moves with the object's body. Without gravity it is not
    counted as an upward acceleration, which only axes of the object's show.
    """
    result = tuple(np.empty((6, m.nv)) for _ in range(3))
    _core.objectAccelerationDerivative(
        m, d, objtype, objid, point, int(local), int(gravity), *result
    )
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


def stageHashes(m: Model, d: Data) -> dict[str, int]:
    """Hashes of what each stage has made: by them two runs tell in which step and stage they begin to differ.

    Returns
    -------
    dict
        Of 64 bits each: "all", then the stages in the order of a step, "kinematics", ..., "integration", the state
        at its end. Bits count: 0 and -0 differ. The same on every machine, for one version of Sinew. They are those
        of ``sinew simulate --hashes``.
    """
    return _core.stageHashes(m, d)


def readCtrl(m: Model, d: Data, actuator: int, time: float, interp: int = -1) -> _Array:
    """Controls of an actuator as they act at a time, its delay included, not clamped.

    interp: `Interpolation`; -1: that of the model. Without a history it is that of now.
    """
    if not 0 <= actuator < m.nactuator:
        raise IndexError(f"readCtrl: actuator is {actuator}, but there are {m.nactuator}")
    result = np.empty(int(m.actuator_ctrlnum[actuator]))
    _core.readCtrl(m, d, actuator, time, interp, result)
    return result


def readSensor(m: Model, d: Data, sensor: int, time: float, interp: int = -1) -> _Array:
    """Output of a sensor (its dim) as it is shown at a time, its delay included; interp as in `readCtrl`."""
    if not 0 <= sensor < m.nsensor:
        raise IndexError(f"readSensor: sensor is {sensor}, but there are {m.nsensor}")
    result = np.empty(int(m.sensor_dim[sensor]))
    _core.readSensor(m, d, sensor, time, interp, result)
    return result


def noise(n: int, seed: int = 0, index: int = 0) -> _Array:
    """n repeatable normal numbers from place `index` of the sequence of a seed.

    `sinew simulate --ctrl noise:STD:SEED` applies STD times the nu numbers from index step*nu.
    """
    out = np.empty(n)
    _core.noise(out, seed, index)
    return out


def addM(m: Model, d: Data, dst: _Array) -> None:
    """Add the lower triangle of the inertia to a dense matrix (nv, nv)."""
    if not isinstance(dst, np.ndarray) or not dst.flags.c_contiguous:
        raise TypeError("addM: dst must be a writable, C-contiguous array of float64")
    if np.shape(dst) != (m.nv, m.nv):
        raise ValueError(f"addM: dst must have shape ({m.nv}, {m.nv}), not {np.shape(dst)}")
    _core.addM(m, d, dst.reshape(-1), None, None, None)


def local2Global(
    m: Model, d: Data, pos: ArrayLike, quat: ArrayLike, body: int
) -> tuple[_Array, _Array]:
    """World position (3) and orientation (3, 3) of a frame fixed in a body."""
    xpos, xmat = np.empty(3), np.empty(9)
    _core.local2Global(m, d, xpos, xmat, pos, quat, body, 0)
    return xpos, xmat.reshape(3, 3)


def setLengthRange(
    m: Model,
    d: Data,
    actuator: int,
    *,
    mode: int = 3,
    useexisting: bool = False,
    uselimit: bool = False,
    accel: float = 20,
    maxforce: float = 0,
    timeconst: float = 1,
    timestep: float = 0.01,
    inttotal: float = 10,
    interval: float = 2,
    tolrange: float = 0.05,
) -> None:
    """Find the range of length of an actuator, `m.actuator_lengthrange`; resets the data.

    Parameters
    ----------
    mode : int
        Which actuators it is done for: 0 none, 1 muscles, 2 those and user's, 3 all.
    useexisting, uselimit : bool
        A range that is there stays; limits of the joint or tendon are the range.
    accel, maxforce : float
        Norm of the acceleration that pushes to each end; largest force, 0: no bound.
    timeconst, timestep, inttotal, interval : float
        Decay of velocities, step, time of each push, and of its end that is measured (s).
    tolrange : float
        Most change of length in that end, as a part of the range.

    Raises
    ------
    ModelError
        It does not settle, or the range is empty.
    """
    opt = mode, useexisting, uselimit, accel, maxforce, timeconst, timestep, inttotal, interval
    _core.setLengthRange(m, d, actuator, np.array([*opt, tolrange], np.float64))


def _made(function, size: int, *args) -> _Array:
    result = np.empty(size)
    function(result, *args)
    return result


def rotVecQuat(vec: ArrayLike, quat: ArrayLike) -> _Array:
    """Vector (3) rotated by a quaternion."""
    return _made(_core.rotVecQuat, 3, vec, quat)


def negQuat(quat: ArrayLike) -> _Array:
    """Conjugate of a quaternion: the opposite rotation."""
    return _made(_core.negQuat, 4, quat)


def mulQuat(quat1: ArrayLike, quat2: ArrayLike) -> _Array:
    """Product of quaternions: first quat2, then quat1."""
    return _made(_core.mulQuat, 4, quat1, quat2)


def mulQuatAxis(quat: ArrayLike, axis: ArrayLike) -> _Array:
    """Product of a quaternion with (0, axis)."""
    return _made(_core.mulQuatAxis, 4, quat, axis)


def axisAngle2Quat(axis: ArrayLike, angle: float) -> _Array:
    """Quaternion of a rotation by an angle (rad) about a unit axis."""
    return _made(_core.axisAngle2Quat, 4, axis, angle)


def quat2Vel(quat: ArrayLike, dt: float) -> _Array:
    """Angular velocity (3, rad/s) that makes a rotation in the time dt."""
    return _made(_core.quat2Vel, 3, quat, dt)


def subQuat(qa: ArrayLike, qb: ArrayLike) -> _Array:
    """Rotation vector (3, rad), in the frame of qb, that leads from qb to qa."""
    return _made(_core.subQuat, 3, qa, qb)


def quat2Mat(quat: ArrayLike) -> _Array:
    """Rotation matrix (3, 3) of a quaternion."""
    return _made(_core.quat2Mat, 9, quat).reshape(3, 3)


def mat2Quat(mat: ArrayLike) -> _Array:
    """Quaternion of a rotation matrix (3, 3)."""
    return _made(_core.mat2Quat, 4, np.reshape(mat, 9))


def mat2Rot(mat: ArrayLike, quat: ArrayLike = (1, 0, 0, 0)) -> _Array:
    """Quaternion of the rotation nearest to a matrix (3, 3), found from a first guess."""
    result = np.array(quat, np.float64)
    _core.mat2Rot(result, np.reshape(mat, 9))
    return result


def derivQuat(quat: ArrayLike, vel: ArrayLike) -> _Array:
    """Rate of a quaternion under an angular velocity (3, rad/s) in the frame around."""
    return _made(_core.derivQuat, 4, quat, vel)


def integrateQuat(quat: ArrayLike, vel: ArrayLike, dt: float) -> _Array:
    """Quaternion after turning with an angular velocity (3, rad/s) in its own frame."""
    result = np.array(quat, np.float64)
    _core.integrateQuat(result, vel, dt)
    return result


def quatZ2Vec(vec: ArrayLike) -> _Array:
    """Quaternion of the shortest rotation that takes the z axis to a vector (3)."""
    return _made(_core.quatZ2Vec, 4, vec)


def euler2Quat(euler: ArrayLike, seq: str) -> _Array:
    """Quaternion of three angles (rad) about the axes that seq names: xyz moving, XYZ fixed."""
    return _made(_core.euler2Quat, 4, euler, seq)


def mulPose(
    pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike
) -> tuple[_Array, _Array]:
    """Position and quaternion of pose 2 seen through pose 1."""
    pos, quat = np.empty(3), np.empty(4)
    _core.mulPose(pos, quat, pos1, quat1, pos2, quat2)
    return pos, quat


def negPose(pos: ArrayLike, quat: ArrayLike) -> tuple[_Array, _Array]:
    """Position and quaternion of the opposite pose."""
    result, turn = np.empty(3), np.empty(4)
    _core.negPose(result, turn, pos, quat)
    return result, turn


def trnVecPose(pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> _Array:
    """Vector (3) seen through a pose: pos + vec rotated by quat."""
    return _made(_core.trnVecPose, 3, pos, quat, vec)


def transformSpatial(
    vec: ArrayLike,
    force: bool,
    newpos: ArrayLike,
    oldpos: ArrayLike,
    rotnew2old: ArrayLike | None = None,
) -> _Array:
    """Spatial velocity or force (6), rotation first, about another point and in other axes (3, 3)."""
    rot = None if rotnew2old is None else np.reshape(rotnew2old, 9)
    return _made(_core.transformSpatial, 6, vec, int(force), newpos, oldpos, rot)


def geomDistance(
    m: Model, d: Data, geom1: int, geom2: int, distmax: float = np.inf
) -> tuple[float, _Array]:
    """Signed distance of two geoms, distmax if it is larger, and the points (2, 3) on each that span it."""
    fromto = np.empty(6)
    distance = _core.geomDistance(m, d, geom1, geom2, distmax, fromto)
    return distance, fromto.reshape(2, 3)


def ray(
    m: Model,
    d: Data,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomgroup: ArrayLike | None = None,
    flg_static: int = 1,
    bodyexclude: int = -1,
) -> tuple[float, int]:
    """Distance in units of vec from pnt to the nearest visible geom, and its id; (-1, -1): none."""
    geomid = np.empty(1, np.int32)
    distance = _core.ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid)
    return distance, int(geomid[0])


def rayFlex(
    m: Model,
    d: Data,
    flexid: int,
    pnt: ArrayLike,
    vec: ArrayLike,
    vertices: bool = True,
    edges: bool = True,
    faces: bool = True,
    skin: bool = False,
    layer: int = 0,
) -> tuple[float, int, _Array]:
    """Distance in units of vec from pnt to a flex, the vertex nearest to the hit, and the normal (3) there; -1: none.

    Vertices are balls of the flex's radius, edges capsules, faces triangles, or all sides of the tetrahedra of one layer;
    `skin`: edges and the faces of the outermost layer.
    """
    if not 0 <= flexid < m.nflex:
        raise IndexError(f"rayFlex: flexid is {flexid}, but there are {m.nflex}")
    vertex, normal = np.empty(1, np.int32), np.empty(3)
    distance = _core.rayFlex(
        m, d, layer, vertices, edges, faces, skin, flexid, pnt, vec, vertex, normal
    )
    return distance, int(vertex[0]), normal


def rayNormal(m: Model, d: Data, geomid: int, pnt: ArrayLike, vec: ArrayLike, x: float) -> _Array:
    """Unit normal (3), world, of a geom where a ray meets it: at pnt + x vec, x as `ray` gives it; zeros if it is negative."""
    normal = np.empty(3)
    _core.rayNormal(m, d, geomid, pnt, vec, x, normal)
    return normal


def multiRay(
    m: Model,
    d: Data,
    pnt: ArrayLike,
    vec: ArrayLike,
    geomgroup: ArrayLike | None = None,
    flg_static: int = 1,
    bodyexclude: int = -1,
    cutoff: float = np.inf,
) -> tuple[_Array, NDArray[np.int32]]:
    """Rays from one point along the rows of vec (n, 3): distances and geom ids (n), -1: none."""
    vec = np.ascontiguousarray(vec, np.float64).reshape(-1, 3)
    n = len(vec)
    geomid, dist = np.empty(n, np.int32), np.empty(n)
    _core.multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, n, cutoff)
    return dist, geomid


def transitionFD(
    m: Model, d: Data, eps: float = 1e-6, centered: bool = False
) -> tuple[_Array, _Array, _Array, _Array]:
    """Derivatives of a step by finite differences, on the threads of the data.

    A state x is (dq, qvel, act) with the tangent dq of `integratePos`, nx = 2 nv + na numbers.

    Returns
    -------
    A, B : (nx, nx), (nx, nu)
        Of the next state by state and control.
    C, D : (nsensordata, nx), (nsensordata, nu)
        Of the sensors by state and control.
    """
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    A, B, C, D = np.empty((nx, nx)), np.empty((nx, m.nu)), np.empty((ns, nx)), np.empty((ns, m.nu))
    _core.transitionFD(m, d, eps, int(centered), A, B, C, D)
    return A, B, C, D


def inverseFD(
    m: Model, d: Data, eps: float = 1e-6, actuation: bool = False
) -> tuple[_Array, _Array, _Array, _Array, _Array, _Array, _Array]:
    """Derivatives of inverse dynamics by finite differences at the state and qacc, a row a variable.

    Returns
    -------
    DfDq, DfDv, DfDa : (nv, nv)
        Of the force qfrc_inverse, with `actuation` less qfrc_actuator, by position, velocity, acceleration.
    DsDq, DsDv, DsDa : (nv, nsensordata)
        Of the sensors.
    DmDq : (nv, nM)
        Of qM by position.
    """
    nv, ns = m.nv, m.nsensordata
    force = [np.empty((nv, nv)) for _ in range(3)]
    sensor = [np.empty((nv, ns)) for _ in range(3)]
    inertia = np.empty((nv, m.nM))
    _core.inverseFD(m, d, eps, int(actuation), *force, *sensor, inertia)
    return (*force, *sensor, inertia)


def subQuatDerivative(qa: ArrayLike, qb: ArrayLike) -> tuple[_Array, _Array]:
    """Derivatives (3, 3) of subQuat(qa, qb) by rotations of qa and of qb in their own frames."""
    Da, Db = np.empty(9), np.empty(9)
    _core.subQuatDerivative(qa, qb, Da, Db)
    return Da.reshape(3, 3), Db.reshape(3, 3)


def quatIntegrateDerivative(vel: ArrayLike, scale: float) -> tuple[_Array, _Array, _Array]:
    """Derivatives of the rotation that integrateQuat ends in, in its own frame.

    By a rotation of the quaternion in its frame (3, 3), by vel (3, 3) and by the time, scale (3).
    """
    Dquat, Dvel, Dscale = np.empty(9), np.empty(9), np.empty(3)
    _core.quatIntegrateDerivative(vel, scale, Dquat, Dvel, Dscale)
    return Dquat.reshape(3, 3), Dvel.reshape(3, 3), Dscale
