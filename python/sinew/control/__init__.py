"""Whole-body control: tasks with priorities become velocities, or accelerations, contact forces and torques.

>>> import sinew
>>> from sinew import control
>>> controller = control.Controller(model)
>>> hand = controller.add_task(control.PoseTask(body="hand", level=1, kp=400, name="hand"))
>>> posture = controller.add_task(control.PostureTask(level=2, kp=25))
>>> while data.time < 2:
...     hand.pos[:3] = where(data.time)
...     controller.solve(data)
...     controller.apply(data)
...     sinew.step(model, data)

Parts of it need no model: pseudo-inverses and tasks by projection into null spaces, quadratic programs,
hierarchies of them, trajectories.

>>> first = ([[1, 1]], None, 2)  # x + y <= 2 before
>>> second = ([[1, 0], [0, 1]], [3, 1])  # x = 3, y = 1
>>> control.solve_hqp([first, second]).x.round(6).tolist()
[2.0, 0.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._arrays import floats, vector
from .._enums import ControlMode, ControlOutput, ControlRowKind, HqpState, QpStatus, TaskType
from ._algebra import (
    SingularValues,
    null_basis,
    null_projector,
    pseudo_inverse,
    singular_values,
    solve_priorities,
)
from ._qp import Hqp, HqpResult, Qp, QpResult, solve_hqp, solve_qp
from ._tasks import (
    AdmittanceTask,
    CapturePointTask,
    ComTask,
    ContactTask,
    DistanceTask,
    ForceTask,
    FrameTask,
    GazeTask,
    ImpedanceTask,
    JointTask,
    JointVelocityTask,
    LinearTask,
    ManipulabilityTask,
    MassTask,
    MomentumTask,
    OrientationTask,
    PoseTask,
    PositionTask,
    PostureTask,
    SubtreeTask,
    TaskSpec,
    dofs,
    find_frame,
)
from ._trajectory import polynomial, pose_trajectory

__all__ = [
    "AdmittanceTask",
    "CapturePointTask",
    "ComTask",
    "Contact",
    "ContactTask",
    "Controller",
    "Diagnostics",
    "DistanceTask",
    "ForceTask",
    "FrameTask",
    "GazeTask",
    "Hqp",
    "HqpResult",
    "ImpedanceTask",
    "JointTask",
    "JointVelocityTask",
    "LinearTask",
    "ManipulabilityTask",
    "MassTask",
    "MomentumTask",
    "OrientationTask",
    "PoseTask",
    "PositionTask",
    "PostureTask",
    "Qp",
    "QpResult",
    "Row",
    "SingularValues",
    "SubtreeTask",
    "Task",
    "TaskSpec",
    "dofs",
    "null_basis",
    "null_projector",
    "polynomial",
    "pose_trajectory",
    "pseudo_inverse",
    "singular_values",
    "solve_hqp",
    "solve_priorities",
    "solve_qp",
]

_MODES = {member.name.lower(): member for member in ControlMode}


class Task(_core.ControlTask):
    """A task at work: what `Controller.add_task` returns.

    Its arrays are views of the controller's memory, which they keep alive; they stay valid when more tasks
    are added. Write references, gains and weights at any time: `task.pos = ...`, `task.kp[:3] = ...`.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """As it was given; empty without one."""
        return _core.controlName(self)

    def hold(self, data: _core.Data) -> None:
        """Set the reference to where the robot is now, at rest.

        `pos` comes from the data's `qpos`, `vel` and `acc` are 0. Before, a reference is where the model is at
        `qpos0`. Runs the kinematics of the data.
        """
        _core.holdTask(self, data)

    def __repr__(self) -> str:
        kind = TaskType(self.type).name.lower()
        return f"<sinew.control.Task {kind} {self.name!r} level={self.level} rows={self.rows}>"


class Contact(_core.ControlContact):
    """A contact of a controller: what `Controller.add_contact` returns.

    Attributes
    ----------
    index : int
        Its place among the controller's contacts.
    """

    __slots__ = ("index",)
    index: int

    @property
    def name(self) -> str:
        """As it was given; empty without one."""
        return _core.controlName(self)

    @property
    def active(self) -> bool:
        """Whether it is on. Switching it takes effect at the next cycle, over its ramp if it has one.

        Raises ValueError where more points would be at work than the controller has room for.
        """
        return _core.isActive(self)

    @active.setter
    def active(self, value: bool) -> None:
        _core.switchContact(self, bool(value))

    @property
    def motion(self) -> Task:
        """The task that holds it."""
        return _core.contactMotion(self, Task)

    def __repr__(self) -> str:
        state = "on" if self.active else "off"
        return f"<sinew.control.Contact {self.name!r} points={self.npoint} {state}>"


@dataclass(frozen=True)
class Row:
    """A row of a controller's hierarchy at the last cycle.

    Attributes
    ----------
    text : str
        What it is: "torque of joint 'knee', row 0".
    kind : sinew.ControlRowKind
        What its id means.
    id : int
        Of the dof, contact or task whose it is.
    index : int
        Which of its rows.
    level : int
        Whose level.
    state : sinew.HqpState
        Held at a bound, violated, free.
    slack : float
        By how much it is violated; 0: it holds.
    """

    text: str
    kind: ControlRowKind
    id: int
    index: int
    level: int
    state: HqpState
    slack: float


@dataclass(frozen=True)
class Diagnostics:
    """What the last cycle of a controller came to; `print` shows it.

    Attributes
    ----------
    status : sinew.QpStatus
        SOLVED or ITERATIONS.
    level : int
        Levels that are solved.
    iterations : int
        Changes of active sets.
    passes : int
        1: the active sets of the cycle before were right.
    freedom : int
        Dimension of what the least norm decided.
    cones : int
        Solutions that friction cones took.
    ranks : list of int
        Directions that each level took.
    violations : list of float
        sqrt(sum w v^2) of each level.
    active : list of Row
        Inequalities that are held at a bound or violated.
    violated : list of Row
        All rows that are violated by more than 1e-8, level by level, in each the worst first.
    infeasible : Row or None
        Of the rows of dynamics, loops and limits the one that is violated most.
    out_of_reach : list of Task
        Tasks whose reference the robot cannot come to; their `beyond` says in which direction and how far.
    time_rows, time_solve : float
        To make the rows and to solve them (s).
    """

    status: QpStatus
    level: int
    iterations: int
    passes: int
    freedom: int
    cones: int
    ranks: list[int]
    violations: list[float]
    active: list[Row]
    violated: list[Row]
    infeasible: Row | None
    out_of_reach: list[Task]
    time_rows: float
    time_solve: float

    def __str__(self) -> str:
        micro = 1e6 * self.time_rows, 1e6 * self.time_solve
        lines = [
            f"{self.status.name.lower()}: {self.iterations} changes, {self.passes} passes, "
            f"freedom {self.freedom}; rows {micro[0]:.0f} us, solve {micro[1]:.0f} us"
        ]
        for k, (rank, violation) in enumerate(zip(self.ranks, self.violations, strict=True)):
            lines.append(f"level {k}: rank {rank}, violation {violation:.3g}")
            lines += [
                f"  {row.state.name.lower():5} {row.text}"
                + (f", by {row.slack:.3g}" if row.slack else "")
                for row in self.active
                if row.level == k
            ]
        if self.infeasible is not None:
            lines.append(f"infeasible: {self.infeasible.text}, by {self.infeasible.slack:.3g}")
        lines += [
            f"out of reach: {task!r}, by {_vector(task.beyond)}" for task in self.out_of_reach
        ]
        return "\n".join(lines)


class Controller(_core.Controller):
    """Tasks, contacts and limits of a model, which every cycle brings together.

    Parameters
    ----------
    model : Model
        What is controlled; the controller holds it.
    mode : str or sinew.ControlMode
        "acceleration": accelerations, contact forces and torques; "velocity": differential inverse
        kinematics.
    dt : float, optional
        Of a cycle (s); the model's timestep without it.
    max_tasks, max_contacts : int
        Room for them; 32 and 8 without it.
    max_points : int
        Of contacts that are active at the same time; 0, and without it: all.
    max_rows : int
        Of all levels; 0, and without it: what tasks and contacts need.
    position_limits, velocity_limits, acceleration_limits, torque_limits : bool
        Whether limits hold, as they do without it; arrays say which are finite.
    limit_level : int
        Level of the limits and of friction; 0 without it.
    force_norm : float
        Weight of squared forces beside qacc' M qacc in what freedom is left; 1e-6 without it.
    integrator : bool
        The inertia is that of the model's integrator, with damping: velocities after the step are then
        exactly qvel + dt qacc.
    friction_velocity : float
        Friction loss of joints is taken as -frictionloss tanh(qvel / this) (rad/s or m/s), 0.01 without it;
        0: left out.
    singular : float
        A direction of a task in which the robot moves by less than this part of the task's size, 0.025 without
        it, is near a singular pose: targets beyond reach are then waited for at rest. 0: never.
    iterations : int
        Changes of active sets in a cycle, at most; 0: by size.
    tolerance, rank_tolerance : float
        As `solve_hqp`; rank_tolerance is 1e-3 without it: what a nearly singular task would ask of the joints
        is left out. Dynamics and loops count to rounding.
    warmstart : bool
        A cycle begins with the active sets of the one before.
    weighted : bool
        No strict levels: level 0 as it is, all others as one, the weights of level k times
        level_weight^(1 - k).
    level_weight : float
        1 or more; 1000 without it.

    Attributes
    ----------
    model : Model
    tasks : list of Task
        In the order in which they were added.
    contacts : list of Contact

    Raises
    ------
    ValueError
        A setting out of its range; a model without joints.

    Notes
    -----
    `qpos_lower`, `qpos_upper`, `velocity_max`, `acceleration_max`, `torque_lower`, `torque_upper`,
    `actuated` and `frozen` are views (nv,) to be written at any time, `qvel`, `qacc` and `tau` views (nv,) of
    the last cycle's results. They keep the memory alive. `x`, `rank`, `violation`, `row`, `state` and `slack`,
    whose sizes change, are copies.

    One thread at a time: a second one gets RuntimeError. The lock of Python is free while it solves.
    """

    __slots__ = ("__weakref__", "contacts", "model", "tasks")
    model: _core.Model
    tasks: list[Task]
    contacts: list[Contact]

    def __new__(
        cls,
        model: _core.Model,
        mode: str | int = "acceleration",
        *,
        dt: float | None = None,
        max_tasks: int | None = None,
        max_contacts: int | None = None,
        max_points: int | None = None,
        max_rows: int | None = None,
        position_limits: bool | None = None,
        velocity_limits: bool | None = None,
        acceleration_limits: bool | None = None,
        torque_limits: bool | None = None,
        limit_level: int | None = None,
        force_norm: float | None = None,
        integrator: bool | None = None,
        friction_velocity: float | None = None,
        singular: float | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        rank_tolerance: float | None = None,
        warmstart: bool | None = None,
        weighted: bool | None = None,
        level_weight: float | None = None,
    ) -> Controller:
        settings = {
            k: v for k, v in locals().items() if k not in ("cls", "model", "mode") and v is not None
        }
        if isinstance(mode, str):
            if mode not in _MODES:
                raise ValueError(f"mode is {mode!r}, must be one of {', '.join(_MODES)}")
            mode = _MODES[mode]
        self = _core.makeController(cls, model, settings | {"mode": int(mode)})
        self.model, self.tasks, self.contacts = model, [], []
        return self

    def add_task(self, task: TaskSpec) -> Task:
        """Add a task, before the first cycle or later, when the next cycle makes room for it.

        Parameters
        ----------
        task : TaskSpec
            What it is: `PoseTask(body="hand", level=1)` or another of this module's types.

        Returns
        -------
        Task
            With views of its reference, gains and weights.

        Raises
        ------
        ValueError, TypeError
            Sizes, a negative weight or gain, a frame that nothing moves, more tasks than there is room for.
        KeyError, IndexError
            There is no body, site, geom or joint of that name or id.
        """
        if not isinstance(task, TaskSpec):
            raise TypeError(
                f"task is a {type(task).__name__}, must be a PoseTask or another TaskSpec"
            )
        settings, chosen = task._settings(self.model), task._dofs(self.model)
        count = 0 if chosen is None else len(chosen)
        made = _core.addTask(self, Task, settings, task.name, chosen, count)
        task._begin(made)
        self.tasks.append(made)
        return made

    def add_contact(
        self,
        *,
        site: str | int | None = None,
        body: str | int | None = None,
        geom: str | int | None = None,
        ref_site: str | int | None = None,
        ref_body: str | int | None = None,
        ref_geom: str | int | None = None,
        name: str | None = None,
        points: ArrayLike | None = None,
        normal: ArrayLike = (0.0, 0.0, 1.0),
        world: bool = False,
        mu: float = 1.0,
        facets: int = 4,
        force_min: float = 0.0,
        force_max: float = np.inf,
        cop: ArrayLike | None = None,
        ramp: float = 0.0,
        rows: int = 0,
        level: int = 0,
        weight: float = 1.0,
        kp: float = 0.0,
        kd: float | None = 20.0,
        active: bool = True,
    ) -> Contact:
        """Add a contact: points that are fixed in a frame and pressed against another body.

        Parameters
        ----------
        site, body, geom : str or int, optional
            Name or id of the frame: one of the three.
        ref_site, ref_body, ref_geom : str or int, optional
            What it touches and bears the opposite force; the world without it.
        name : str, optional
            In errors and diagnostics.
        points : array_like, optional
            (npoint, 3) in the frame, at most 8; its origin without it.
        normal : array_like
            (3,) from the other body to this one, in the frame.
        world : bool
            The normal is in world axes, as of a foot that is a ball.
        mu : float
            Coefficient of friction.
        facets : int
            Of the friction pyramid, 3 or more; 4: |fx|, |fy| <= mu fz; 0: the cone itself.
        force_min, force_max : float
            Bounds of the sum of normal forces (N).
        cop : array_like, optional
            Bounds x_min, x_max, y_min, y_max of the centre of pressure, in the contact's axes (m).
        ramp : float
            In which force_max rises after switching on and falls after switching off (s).
        rows : int
            Of the motion held: 3, of the points' mean; 6; 0: 3 for one point, else 6.
        level, weight, kp, kd
            Of the motion held; kp and kd against drift, which on soft floors kd stops; kd None: critical
            damping, 2 sqrt(kp).
        active : bool
            Whether it begins switched on.

        Returns
        -------
        Contact
            With views of its forces, and `active` to switch it.

        Raises
        ------
        ValueError, TypeError
            Sizes, points, friction, forces; more contacts than there is room for.
        KeyError, IndexError
            There is no site, body or geom of that name or id.
        """
        own = {"site": site, "body": body, "geom": geom}
        ref = {"ref_site": ref_site, "ref_body": ref_body, "ref_geom": ref_geom}
        frame = find_frame(self.model, own, "contact")
        other = find_frame(self.model, ref, "contact")
        if frame is None:
            raise ValueError("contact: give site, body or geom, whose frame it is")
        settings: dict[str, Any] = {
            "objtype": frame[0],
            "objid": frame[1],
            "normal": vector(normal, "normal", 3),
            "world": world,
            "mu": mu,
            "facets": facets,
            "force_min": force_min,
            "force_max": force_max,
            "ramp": ramp,
            "rows": rows,
            "level": level,
            "weight": weight,
            "kp": kp,
            "kd": _damping(kd),
        }
        if other is not None:
            settings |= {"reftype": other[0], "refid": other[1]}
        if points is not None:
            settings |= _points(points)
        if cop is not None:
            settings["cop"] = vector(cop, "cop", 4)
        made = _core.addContact(self, Contact, settings, name)
        made.index = len(self.contacts)
        self.contacts.append(made)
        if active:
            made.active = True
        return made

    def solve(self, data: _core.Data) -> QpStatus:
        """One cycle: from the data's `qpos` and `qvel` to `qacc`, `tau` and the contacts' forces, or `qvel`.

        It runs the stages that it needs on the data, whose contacts and constraint rows are then gone; loads
        are `qfrc_applied` and `xfrc_applied`.

        Returns
        -------
        sinew.QpStatus
            SOLVED; ITERATIONS: the results are those of the levels that are solved, or forces are outside of
            their friction cones (`cones`).

        Raises
        ------
        ValueError
            Limits that contradict each other, with the joint; sizes; a state that is not finite.
        MemoryError
            The data's arena is full.
        """
        return QpStatus(_core.solveController(self, self.model, data))

    def apply(self, data: _core.Data) -> ControlOutput:
        """Write the torques of the last cycle into the data, in mode velocity `qvel`.

        Returns
        -------
        sinew.ControlOutput
            CTRL: all went through the actuators; APPLIED: all into `qfrc_applied`; BOTH.
        """
        return ControlOutput(_core.applyController(self, data))

    def diagnostics(self) -> Diagnostics:
        """Levels, active rows by name, iterations and times of the last cycle."""
        status, *counts = _core.controllerResult(self)
        rows, states, slacks = self.row, self.state, self.slack

        def row(i: int) -> Row:
            kind, owner, index, level = rows[i].tolist()
            text = _core.controllerRowText(self, i)
            state, slack = HqpState(int(states[i])), float(slacks[i])
            return Row(text, ControlRowKind(kind), owner, index, level, state, slack)

        inequality = (states != HqpState.FREE) & (states != HqpState.EQUAL)
        violated = np.flatnonzero(np.abs(slacks) > 1e-8)
        worst = violated[np.lexsort((-np.abs(slacks[violated]), rows[violated, 3]))]
        return Diagnostics(
            QpStatus(status),
            *counts,
            self.cones,
            self.rank.tolist(),
            self.violation.tolist(),
            [row(i) for i in np.flatnonzero(inequality).tolist()],
            [row(i) for i in worst.tolist()],
            row(self.infeasible) if self.infeasible >= 0 else None,
            [task for task in self.tasks if task.out_of_reach],
            self.time_rows,
            self.time_solve,
        )

    def __reduce__(self) -> Any:
        raise TypeError(
            "a Controller cannot be copied or pickled; make another one of the same tasks"
        )

    def __repr__(self) -> str:
        mode = ControlMode(self.mode).name.lower()
        return f"<sinew.control.Controller {mode} tasks={len(self.tasks)} contacts={len(self.contacts)}>"


def _vector(numbers: np.ndarray) -> str:
    """Numbers to three digits."""
    return "(" + ", ".join(f"{x:.3g}" for x in numbers) + ")"


def _damping(kd: float | None) -> float:
    """As the library takes it."""
    if kd is not None and not kd >= 0:
        raise ValueError(f"kd is {kd}, must be 0 or more")
    return -1.0 if kd is None else kd


def _points(points: ArrayLike) -> dict[str, Any]:
    """Points of a contact as the library takes them."""
    given = floats(points, "points")
    if given.shape == (3,):
        given = given[None]
    if given.ndim != 2 or given.shape[1] != 3 or not 1 <= len(given) <= 8:
        raise ValueError(f"points has shape {given.shape}, must be (npoint, 3) with 1 to 8 points")
    room = np.zeros((8, 3))
    room[: len(given)] = given
    return {"npoint": len(given), "point": room}
