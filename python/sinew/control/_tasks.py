"""What a robot is to do: one class a type of task, with what it needs by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._arrays import matrix, vector
from .._enums import ObjType, TaskType
from .._named import dofs_of_joint, find

_LINEAR = ("x", "y", "z")
_ANGULAR = ("rx", "ry", "rz")
_POSE = _LINEAR + _ANGULAR
_FRAMES = {"body": ObjType.BODY, "site": ObjType.SITE, "geom": ObjType.GEOM}


# ---- names to numbers


def find_frame(
    model: _core.Model, given: dict[str, str | int | None], what: str
) -> tuple[int, int] | None:
    """Type and id of the one of body, site and geom that is given; None without any."""
    there = {kind: key for kind, key in given.items() if key is not None}
    if len(there) > 1:
        raise ValueError(f"{what}: {' and '.join(there)} are given, must be one of them")
    for kind, key in there.items():
        kind = kind.removeprefix("ref_")
        return int(_FRAMES[kind]), find(model, kind, key)
    return None


def dofs(model: _core.Model, joints: str | int | Iterable[str | int]) -> np.ndarray:
    """Dofs of joints, in the order in which these are given.

    Parameters
    ----------
    model : Model
        Whose joints they are.
    joints : str or int or iterable of them
        Names or ids.

    Returns
    -------
    ndarray
        int32: one dof of a hinge or slide joint, three of a ball, six of a free one.
    """
    given = [joints] if isinstance(joints, str | int) else list(joints)
    parts = [np.arange(model.nv)[dofs_of_joint(model, find(model, "joint", j))] for j in given]
    return np.concatenate(parts).astype(np.int32) if parts else np.zeros(0, np.int32)


def _axes(value: str | Sequence[bool] | None, names: tuple[str, ...], what: str) -> int:
    """Bits of the rows that are used; 0: all."""
    if value is None:
        return 0
    if isinstance(value, str):
        words = value.split()
        wrong = [w for w in words if w not in names]
        if wrong or not words:
            raise ValueError(f"{what}: axes is {value!r}, must be words of '{' '.join(names)}'")
        return sum(1 << i for i, name in enumerate(names) if name in words)
    marks = np.asarray(value)
    if marks.shape != (len(names),) or not marks.any():
        raise ValueError(
            f"{what}: axes has {marks.size} marks, must have {len(names)}, not all false"
        )
    return sum(1 << i for i in range(len(names)) if marks[i])


# ---- types of task


@dataclass(frozen=True, kw_only=True)
class TaskSpec:
    """What all tasks have: give one of the classes below to `Controller.add_task`.

    References start where the model is at `qpos0`, not where a data is: a posture that holds what is there
    wants `task.pos = data.qpos`, a centre of mass `task.pos = data.subtree_com[0]`.

    Attributes
    ----------
    name : str, optional
        In errors and diagnostics.
    level : int
        Priority; 0 is the highest, where limits and friction stand, with which a task there is weighed.
    weight : float
        Of the squared error, among tasks of one level; 0 or more.
    kp, kd : float
        Gains on the error (1/s^2, in mode velocity 1/s) and on that of velocity (1/s); without kd critical
        damping, 2 sqrt(kp).
    """

    name: str | None = None
    level: int = 1
    weight: float = 1.0
    kp: float = 100.0
    kd: float | None = None

    _type: ClassVar[TaskType | None] = None
    _rows: ClassVar[tuple[str, ...]] = ()

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        """Settings as the library takes them."""
        kd = -1.0 if self.kd is None else self.kd
        if self.kd is not None and not kd >= 0:
            raise ValueError(f"{type(self).__name__}: kd is {kd}, must be 0 or more")
        if self._type is None:
            name = type(self).__name__
            raise TypeError(f"{name} is no type of task: give PoseTask or another of them")
        return {
            "type": int(self._type),
            "level": self.level,
            "weight": self.weight,
            "kp": self.kp,
            "kd": kd,
        }

    def _dofs(self, model: _core.Model) -> np.ndarray | None:
        """Dofs of the joints that are selected; None: all."""
        return None

    def _begin(self, task: _core.ControlTask) -> None:
        """Writes what a task starts with."""


@dataclass(frozen=True, kw_only=True)
class FrameTask(TaskSpec):
    """What tasks of a frame have.

    Attributes
    ----------
    body, site, geom : str or int, optional
        Name or id of the frame: one of the three.
    ref_body, ref_site, ref_geom : str or int, optional
        The task is relative to this frame, to the world without one.
    offset : array_like, optional
        The frame's origin is moved to this point (3,) of it.
    axes : str or sequence of bool, optional
        Rows that are used: words like "x y rz", or a mark for each row; all without it.
    local : bool
        Rows in the axes of the frame itself; else in those of the reference frame.
    """

    body: str | int | None = None
    site: str | int | None = None
    geom: str | int | None = None
    ref_body: str | int | None = None
    ref_site: str | int | None = None
    ref_geom: str | int | None = None
    offset: ArrayLike | None = None
    axes: str | Sequence[bool] | None = None
    local: bool = False

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        what = type(self).__name__
        settings = super()._settings(model)
        own = {"body": self.body, "site": self.site, "geom": self.geom}
        ref = {"ref_body": self.ref_body, "ref_site": self.ref_site, "ref_geom": self.ref_geom}
        frame, other = find_frame(model, own, what), find_frame(model, ref, what)
        if frame is None:
            raise ValueError(f"{what}: give body, site or geom, whose frame it is")
        settings["objtype"], settings["objid"] = frame
        if other is not None:
            settings["reftype"], settings["refid"] = other
        if self.offset is not None:
            settings["offset"] = vector(self.offset, f"{what}: offset", 3)
        settings["axes"] = _axes(self.axes, self._rows, what)
        settings["local"] = self.local
        return settings


@dataclass(frozen=True, kw_only=True)
class PositionTask(FrameTask):
    """The origin of a frame is at `pos` (3,), `vel` and `acc` (3,)."""

    _type = TaskType.POSITION
    _rows = _LINEAR


@dataclass(frozen=True, kw_only=True)
class OrientationTask(FrameTask):
    """A frame is turned as `pos` (4,), a quaternion, says; `vel` and `acc` (3,) angular."""

    _type = TaskType.ORIENTATION
    _rows = _ANGULAR


@dataclass(frozen=True, kw_only=True)
class PoseTask(FrameTask):
    """A frame is at `pos` (7,), position and quaternion; `vel` and `acc` (6,), linear then angular."""

    _type = TaskType.POSE
    _rows = _POSE


@dataclass(frozen=True, kw_only=True)
class ContactTask(FrameTask):
    """A frame does not move: it is held where its first cycle finds it, `pos` (7,).

    After `fresh = True` the next cycle takes it from where it is then. kp and kd are gains on its drift.
    """

    kp: float = 0.0
    kd: float | None = 20.0

    _type = TaskType.CONTACT
    _rows = _POSE


@dataclass(frozen=True, kw_only=True)
class MassTask(FrameTask):
    """What `ImpedanceTask` and `AdmittanceTask` have.

    kp is the spring (N/m, N m/rad), kd the damper (N s/m, N m s/rad); without kd 2 sqrt(kp mass).

    Attributes
    ----------
    mass : array_like
        Of each row (6,) or one for all (kg, kg m^2), above 0.
    """

    mass: ArrayLike = 1.0

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        mass = vector(self.mass, f"{type(self).__name__}: mass", 6)
        return super()._settings(model) | {"mass": mass}


@dataclass(frozen=True, kw_only=True)
class ImpedanceTask(MassTask):
    """A frame moves as a mass on a spring and a damper, pushed by `wrench` (6,), around `pos` (7,).

    mass (a - acc) + kd (v - vel) - kp e = wrench.
    """

    _type = TaskType.IMPEDANCE
    _rows = _POSE


@dataclass(frozen=True, kw_only=True)
class AdmittanceTask(MassTask):
    """As `ImpedanceTask`, by a reference that yields, `state` (13,), which the frame follows stiffly.

    Attributes
    ----------
    follow : float
        How fast (1/s).
    """

    follow: float = 100.0

    _type = TaskType.ADMITTANCE
    _rows = _POSE

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        return super()._settings(model) | {"follow": self.follow}


@dataclass(frozen=True, kw_only=True)
class GazeTask(FrameTask):
    """An axis of a frame points at `pos` (3,), `vel` and `acc` (3,) of that point.

    Attributes
    ----------
    axis : array_like
        (3,) in the frame.
    """

    axis: ArrayLike = (0.0, 0.0, 1.0)

    _type = TaskType.GAZE
    _rows = ("1", "2")

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        return super()._settings(model) | {"axis": vector(self.axis, "GazeTask: axis", 3)}


@dataclass(frozen=True, kw_only=True)
class ManipulabilityTask(FrameTask):
    """log sqrt det(J J') of the frame's rows grows at the rate `vel` (1,), 1/s.

    kd is the gain on that rate, of mode acceleration; kp is not read.
    """

    _type = TaskType.MANIPULABILITY
    _rows = _POSE


@dataclass(frozen=True, kw_only=True)
class SubtreeTask(TaskSpec):
    """What tasks of several bodies have.

    Attributes
    ----------
    body : str or int, optional
        Root of the subtree; all that moves without it.
    axes : str or sequence of bool, optional
        Rows that are used: words like "x y", or a mark for each row; all without it.
    """

    body: str | int | None = None
    axes: str | Sequence[bool] | None = None

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        body = 0 if self.body is None else find(model, "body", self.body)
        axes = _axes(self.axes, self._rows, type(self).__name__)
        return super()._settings(model) | {"objid": body, "axes": axes}


@dataclass(frozen=True, kw_only=True)
class ComTask(SubtreeTask):
    """The centre of mass of a subtree is at `pos` (3,), `vel` and `acc` (3,)."""

    _type = TaskType.COM
    _rows = _LINEAR


@dataclass(frozen=True, kw_only=True)
class MomentumTask(SubtreeTask):
    """The momentum of a subtree about its centre of mass is `vel` (6,), linear then angular, its rate `acc`.

    World axes, kg m/s and kg m^2/s. kp is the gain on it (1/s), of mode acceleration; kd is not read.
    """

    _type = TaskType.MOMENTUM
    _rows = _POSE


@dataclass(frozen=True, kw_only=True)
class CapturePointTask(SubtreeTask):
    """The capture point c + cdot / omega, omega = sqrt(g / height), is at `pos` (2,), `vel` (2,).

    It is where the robot would come to rest, in the plane z = 0 (m). kp is the gain on it (1/s), of mode
    acceleration; kd is not read.

    Attributes
    ----------
    height : float
        Of the centre of mass above the ground (m); 0: as it is.
    """

    height: float = 0.0

    _type = TaskType.CAPTURE_POINT
    _rows = ("x", "y")

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        return super()._settings(model) | {"height": self.height}


@dataclass(frozen=True, kw_only=True)
class JointTask(TaskSpec):
    """What tasks of joints have.

    Attributes
    ----------
    joints : str or int or iterable of them, optional
        Names or ids; all but free joints without it.
    """

    joints: str | int | Iterable[str | int] | None = None

    def _dofs(self, model: _core.Model) -> np.ndarray | None:
        if self.joints is None:
            return None
        found = dofs(model, self.joints)
        if not len(found):
            raise ValueError(f"{type(self).__name__}: joints is empty, must name one or be None")
        return found


@dataclass(frozen=True, kw_only=True)
class PostureTask(JointTask):
    """Joints are at `pos` (nq,), `vel` and `acc` (nv,), of which the rows of these joints are read."""

    _type = TaskType.POSTURE


@dataclass(frozen=True, kw_only=True)
class JointVelocityTask(JointTask):
    """Joints have the velocities `vel` (nv,), `acc` (nv,), of which the rows of these joints are read.

    kp is the gain on them (1/s), of mode acceleration; kd is not read.
    """

    _type = TaskType.JOINT_VELOCITY


@dataclass(frozen=True, kw_only=True)
class ForceTask(TaskSpec):
    """The forces of a contact are `pos` (3 npoint,), in the contact's axes.

    Attributes
    ----------
    contact : Contact
        What `Controller.add_contact` returned.
    """

    contact: Any = None

    _type = TaskType.FORCE

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        index = getattr(self.contact, "index", None)
        if index is None:
            raise TypeError("ForceTask: contact must be what add_contact returned")
        return super()._settings(model) | {"objid": index}


@dataclass(frozen=True, kw_only=True)
class DistanceTask(TaskSpec):
    """Two geoms stay apart: an inequality.

    Attributes
    ----------
    geom, other : str or int
        Names or ids of the two.
    distance_min : float
        They are kept this far apart (m).
    distance_max : float
        Farther than this nothing is asked of them (m).
    """

    geom: str | int | None = None
    other: str | int | None = None
    distance_min: float = 0.02
    distance_max: float = 0.2

    _type = TaskType.DISTANCE

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        if self.geom is None or self.other is None:
            raise ValueError("DistanceTask: give geom and other, the two geoms")
        return super()._settings(model) | {
            "objtype": int(ObjType.GEOM),
            "objid": find(model, "geom", self.geom),
            "reftype": int(ObjType.GEOM),
            "refid": find(model, "geom", self.other),
            "distance_min": self.distance_min,
            "distance_max": self.distance_max,
        }


@dataclass(frozen=True, kw_only=True)
class LinearTask(TaskSpec):
    """lower <= A x <= upper, x the velocities, or the accelerations (and the forces of the contacts behind).

    Attributes
    ----------
    A : array_like
        (rows, nv) or, with columns for forces, (rows, more); the task's `A` is a copy that may be written.
    lower, upper : array_like, optional
        (rows,) or a number for all; equal ones make an equality. Without one of them there is no such bound.
    """

    A: ArrayLike | None = None
    lower: ArrayLike | None = None
    upper: ArrayLike | None = None

    _type = TaskType.LINEAR

    def _settings(self, model: _core.Model) -> dict[str, Any]:
        if self.A is None:
            raise ValueError("LinearTask: A is not given")
        rows, columns = matrix(self.A, "LinearTask: A", None, None).shape
        for name in ("lower", "upper"):
            vector(getattr(self, name), f"LinearTask: {name}", rows)
        return super()._settings(model) | {"rows": rows, "columns": columns}

    def _begin(self, task: _core.ControlTask) -> None:
        task.A = self.A
        task.lower = -np.inf if self.lower is None else self.lower
        task.upper = np.inf if self.upper is None else self.upper
