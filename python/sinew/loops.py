"""Closed loops: their equations, forces and properties, and how they are closed.

Loops are the loop joints of a model (text fields `sinew_loop_NAME`) and, with `model.opt.loops` at
`sinew.Loops.EXACT`, its connect, weld, joint and tendon equalities; docs/loops.md has the theory, in the letters
used here: K qacc = k, qacc = G y + g, forces lambda. Functions read what the last `sinew.forward` or
`sinew.step` has left in the data.

>>> import sinew.loops
>>> sinew.forward(model, data)
>>> sinew.loops.mobility(model, data)
1
>>> sinew.loops.forces(model, data)["pin"]
array([0., 0., 0., 3.1, 0., 9.8])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Data, Model

__all__ = [
    "G",
    "K",
    "Properties",
    "error",
    "forces",
    "g",
    "k",
    "mobility",
    "names",
    "properties",
    "solve",
]

_Array = NDArray[np.float64]
_SOLUTIONS = {"kkt": 1, "lambda": 2, "y": 3}


def _name(m: Model, loop: int) -> str:
    return _core.loopName(m, loop) or f"[{loop}]"


def _held(m: Model, d: Data) -> Iterator[tuple[str, int, slice]]:
    """Name, place and rows of each loop that holds."""
    starts, counts = d.closure_rowadr, d.closure_rownum
    for place, loop in enumerate(d.closure_id):
        yield _name(m, int(loop)), place, slice(starts[place], starts[place] + counts[place])


def names(m: Model, d: Data) -> list[str]:
    """Names of the loops that hold, in the order of their rows; "[id]" for an equality without one."""
    return [name for name, _, _ in _held(m, d)]


def K(m: Model, d: Data) -> _Array:
    """K of the equations of loops, K qacc = k: (nlooprow, nv)."""
    result = np.empty((d.nlooprow, m.nv))
    _core.loopK(m, d, result)
    return result


def k(m: Model, d: Data) -> _Array:
    """Right side of K qacc = k, with the part k_stab that lets errors decay: (nlooprow,)."""
    return np.array(d.loop_k)


def G(m: Model, d: Data) -> _Array:
    """G of qacc = G y + g, with K G = 0: (nv, mobility).

    y are the independent accelerations, in the order of their dofs; dofs in no loop are among them.
    """
    result = np.empty((m.nv, _core.loopMobility(m, d)))
    _core.loopG(m, d, result)
    return result


def g(m: Model, d: Data) -> _Array:
    """g of qacc = G y + g, with K g = k: (nv,)."""
    result = np.zeros(m.nv)
    result[d.loop_dof] = d.loop_g
    return result


def mobility(m: Model, d: Data) -> int:
    """Independent freedoms of the whole model: nv less the rank of K."""
    return _core.loopMobility(m, d)


def error(m: Model, d: Data) -> dict[str, float]:
    """How far each loop is open: name to the largest error of position of its rows (m or rad)."""
    return {name: float(np.abs(d.loop_delta[rows]).max()) for name, _, rows in _held(m, d)}


def forces(m: Model, d: Data) -> dict[str, _Array | float]:
    """Force of each loop that holds, by its name.

    Returns
    -------
    dict of str to array or float
        Of loop joints, connects and welds torque (3) and force (3) on the successor, at its frame and in its
        axes; of joint and tendon equalities the generalized force, a float.
    """
    result: dict[str, _Array | float] = {}
    for name, place, rows in _held(m, d):
        equality = d.closure_id[place] - m.nloop
        force = np.empty(6)
        _core.loopForceOf(m, d, place, force)
        couples = equality >= 0 and m.eq_type[equality] not in (0, 1)
        result[name] = float(d.loop_force[rows][0]) if couples else force
    return result


def solve(
    m: Model, d: Data, force: ArrayLike | None = None, solution: int | str | None = None
) -> tuple[_Array, _Array]:
    """Accelerations and loop forces, without contacts and other constraints.

    Parameters
    ----------
    force : array_like, optional
        Joint-space force (nv,); `qfrc_smooth` without it.
    solution : int or str, optional
        How: 1 or "kkt", the whole system at once; 2 or "lambda", the forces of the loops first; 3 or "y",
        independent accelerations first. Without it as `model.opt.loop_solution` says.

    Returns
    -------
    qacc : ndarray
        (nv,)
    lambda_ : ndarray
        Forces of the rows of K (nlooprow,), of least norm where loops are redundant.
    """
    if isinstance(solution, str):
        if solution not in _SOLUTIONS:
            raise ValueError(f"solution is {solution!r}, must be one of {', '.join(_SOLUTIONS)}")
        solution = _SOLUTIONS[solution]
    qacc, lambda_ = np.empty(m.nv), np.empty(d.nlooprow)
    number = m.opt.loop_solution if solution is None else solution
    _core.loopSolveBy(m, d, number, force, qacc, lambda_)
    return qacc, lambda_


@dataclass(frozen=True)
class Properties:
    """What a cluster of loops, or a whole model, is at a position.

    Attributes
    ----------
    n : int
        Dofs of its tree joints.
    nc : int
        Constraints of its loops, n^c.
    r : int
        Rank of K.
    condition : float
        Largest over smallest pivot of K that counts; 1 without loops.
    error : float
        Largest error of position (m or rad).
    loops : tuple of str
        Names of its loops.
    """

    n: int
    nc: int
    r: int
    condition: float
    error: float
    loops: tuple[str, ...]

    @property
    def mobility(self) -> int:
        """Independent freedoms, n - r."""
        return self.n - self.r

    @property
    def redundancy(self) -> int:
        """Constraints beyond the rank, n^c - r: 0 where it is properly constrained."""
        return self.nc - self.r

    @property
    def gruebler(self) -> int:
        """n_tot - 6 N_L = n - n^c: what the mobility would be if all constraints were independent."""
        return self.n - self.nc


def _largest(values: ArrayLike, least: float) -> float:
    return float(np.max(values, initial=least))


def properties(m: Model, d: Data) -> tuple[list[Properties], Properties]:
    """Mobility, redundancy and condition of each cluster of loops, and of the whole model.

    Clusters are loops that share dofs; dofs in no loop belong to the whole model alone.

    Returns
    -------
    clusters : list of Properties
        In the order of their first dofs.
    total : Properties
    """
    held = list(_held(m, d))
    clusters = []
    for c in range(d.ncluster):
        loops = [name for name, place, _ in held if d.closure_cluster[place] == c]
        start = d.cluster_rowadr[c]
        delta = d.loop_delta[start : start + d.cluster_rownum[c]]
        clusters.append(
            Properties(
                n=int(d.cluster_dofnum[c]),
                nc=int(d.cluster_rownum[c]),
                r=int(d.cluster_rank[c]),
                condition=float(d.cluster_condition[c]),
                error=_largest(np.abs(delta), 0),
                loops=tuple(loops),
            )
        )
    total = Properties(
        n=m.nv,
        nc=d.nlooprow,
        r=d.loop_rank,
        condition=_largest(d.cluster_condition, 1),
        error=_largest(np.abs(d.loop_delta), 0),
        loops=tuple(name for name, _, _ in held),
    )
    return clusters, total
