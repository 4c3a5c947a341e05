"""Signals: numbers of a simulation that pages watch, frame by frame."""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import StateBit, Timer  # type: ignore[attr-defined]
from .contacts import contact_forces
from .world import World

MOST = 200  # signals that a page watches at once
_POSED = StateBit.TIME | StateBit.PHYSICS | StateBit.MOCAP_POS | StateBit.MOCAP_QUAT
_WHILE = 1.0  # seconds over which the real-time factor is taken
_MICRO = 1e6
_SHARE = 20  # times what it has cost to find islands until they are found anew
_STAGES = tuple(
    row[2]
    for name, _, rows in _core.tables()["enums"]
    if name == "snTimer"
    for row in sorted(rows, key=lambda row: row[1])
)


class Kind(NamedTuple):
    """Signals of one kind: those of an array.

    `labels` name them where their objects do not.
    """

    title: str
    unit: str
    count: Callable[[Any], int]
    values: Callable[[Signals], Any]
    labels: tuple[str, ...] = ()


class Signals:
    """Signals that a page has chosen.

    Parameters
    ----------
    world : World
    chosen : sequence of (str, int)
        Kind of each, of `KINDS`, and its number in the kind.
    serial : int
        The page's own number for this choice.
    """

    def __init__(self, world: World, chosen: Sequence[tuple[str, int]], serial: int) -> None:
        self._world, self._serial, self._count = world, serial, len(chosen)
        self._places: dict[str, tuple[list[int], list[int]]] = {}
        for place, (kind, index) in enumerate(chosen):
            places, indices = self._places.setdefault(kind, ([], []))
            places.append(place)
            indices.append(index)
        self._stages = Stages()
        self._islands, self._islands_due = 0, 0.0
        self._pace: collections.deque[tuple[float, float]] = collections.deque()

    def frame(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray]]:
        """Return as words for which choice a frame has values, and as arrays the values in its order."""
        out = np.full(self._count, np.nan)
        with np.errstate(all="ignore"):
            for kind, (places, indices) in self._places.items():
                out[places] = np.asarray(KINDS[kind].values(self), float)[indices]
        return {name: self._serial}, {name: out}

    @property
    def kinds(self) -> Set[str]:
        """Kinds of the signals."""
        return self._places.keys()

    # ---- what kinds ask

    @property
    def model(self) -> Any:
        """The model."""
        return self._world.model

    @property
    def data(self) -> Any:
        """The newest state."""
        return self._world.data

    def energies(self) -> list[float]:
        """Return potential and kinetic energy of the positions and velocities as they are now, and their sum.

        `data.energy` is of the beginning of the last step, and there under a flag alone.
        """
        model, scratch = self.model, self._world.scratch
        state = np.zeros(_core.stateSize(model, _POSED))
        _core.getState(model, self.data, state, _POSED)
        _core.setState(model, scratch, state, _POSED)
        for stage in (_core.kinematics, _core.comPos, _core.tendon, _core.makeM):
            stage(model, scratch)
        scratch.loop_energy = self.data.loop_energy
        _core.energyPos(model, scratch)
        _core.energyVel(model, scratch)
        return [*scratch.energy, scratch.energy.sum()]

    def pressing(self) -> tuple[float, float]:
        """Return the sum of the normal forces of all contacts, and the largest."""
        normal = contact_forces(self.model, self.data)[:, 0]
        return (normal.sum(), normal.max()) if len(normal) else (0.0, 0.0)

    def islands(self) -> int:
        """Return how many islands the constraint rows make; of many rows as they were a little before."""
        if not self.data.nefc:
            return 0
        begun = time.perf_counter()
        if begun >= self._islands_due:
            self._islands = _core.copyData(_core.PeerData, self.model, self.data).nisland
            ended = time.perf_counter()
            self._islands_due = ended + _SHARE * (ended - begun)
        return self._islands

    def improvement(self) -> float:
        """Return by how much the last iteration of the solver lowered its cost; none: not a number."""
        last = min(self.data.solver_niter, len(self.data.solver)) - 1
        return self.data.solver.improvement[last] if last >= 0 else np.nan

    def stages(self) -> NDArray[np.float64]:
        """Return microseconds of each stage in a step, by `Timer`; see `Stages`."""
        return self._stages.take(self._world.times())

    def pace(self) -> float:
        """Return simulated seconds in a second, over about the last one."""
        now = time.monotonic(), float(self.data.time)
        pace = self._pace
        if pace and not now[1] >= pace[-1][1]:  # it was reset
            pace.clear()
        pace.append(now)
        while len(pace) > 2 and now[0] - pace[1][0] >= _WHILE:
            pace.popleft()
        passed = now[0] - pace[0][0]
        return (now[1] - pace[0][1]) / passed if passed > 0 else np.nan


class Stages:
    """Where time goes in a step: what timers have counted from one frame to the next."""

    def __init__(self) -> None:
        self._before: NDArray | None = None
        self._last = np.full(len(Timer), np.nan)

    def take(self, now: NDArray) -> NDArray[np.float64]:
        """Return microseconds of each stage; not a number without a clock, and before there were two frames.

        They are those of a step, or where a program makes none of a call of `forward`.
        """
        before, self._before = self._before, now
        if before is None:
            return self._last
        duration, number = now - before
        calls = number[Timer.STEP] or number[Timer.FORWARD]
        if calls > 0:
            self._last = _MICRO * duration / calls
        elif calls < 0 or not now[1].any():  # it was reset, or is counted no more
            self._last = np.full(len(Timer), np.nan)
        return self._last


def _one(_: Any) -> int:
    return 1


KINDS: dict[str, Kind] = {
    "realtime": Kind("real-time factor", "", _one, lambda s: [s.pace()]),
    "energy": Kind("energy", "J", lambda m: 3, lambda s: s.energies(), ("potential energy", "kinetic energy", "energy")),
    "ncon": Kind("contacts", "", _one, lambda s: [s.data.ncon]),
    "nefc": Kind("constraint rows", "", _one, lambda s: [s.data.nefc]),
    "nisland": Kind("islands", "", _one, lambda s: [s.islands()]),
    "contact_force": Kind("normal force of contacts", "N", lambda m: 2, lambda s: s.pressing(), ("normal forces, sum", "normal force, strongest")),
    "solver_niter": Kind("iterations of the solver", "", _one, lambda s: [s.data.solver_niter]),
    "solver_improvement": Kind("last improvement", "", _one, lambda s: [s.improvement()]),
    "solver_residual": Kind("residual", "", _one, lambda s: [s.data.solver_residual]),
    "timer": Kind("time of stages", "µs", lambda m: len(Timer), lambda s: s.stages(), _STAGES),
    "arena": Kind("arena in use", "bytes", _one, lambda s: [s.data.maxuse_arena]),
    "sensordata": Kind("sensors", "", lambda m: m.nsensordata, lambda s: s.data.sensordata),
    "qpos": Kind("positions", "", lambda m: m.nq, lambda s: s.data.qpos),
    "qvel": Kind("velocities", "", lambda m: m.nv, lambda s: s.data.qvel),
    "ctrl": Kind("controls", "", lambda m: m.nu, lambda s: s.data.ctrl),
    "actuator_force": Kind("forces of actuators", "", lambda m: m.nout, lambda s: s.data.actuator_force),
}  # fmt: skip
NEEDS_CLOCK = "timer"


def known(model: Any) -> list[list[Any]]:
    """Return the kinds of signals of a model as words: name, title, unit, how many there are, labels."""
    return [
        [name, kind.title, kind.unit, kind.count(model), kind.labels]
        for name, kind in KINDS.items()
    ]
