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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Data, Model

__all__ = [
    "Assembly",
    "G",
    "Inverse",
    "K",
    "Properties",
    "SparseCount",
    "assemble",
    "error",
    "forces",
    "g",
    "independent",
    "inverse",
    "k",
    "mobility",
    "names",
    "properties",
    "solve",
    "sparse",
    "sparse_count",
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
    mobility : int
        Independent freedoms, n - r.
    redundancy : int
        Constraints beyond the rank, n^c - r: 0 where it is properly constrained.
    nloop : int
        Loop joints, connects and welds, N_L.
    ntot : int
        Freedoms of its tree joints and loop joints.
    gruebler : int
        n_tot - 6 N_L: what the mobility would be if all constraints were independent.
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
    mobility: int
    redundancy: int
    nloop: int
    ntot: int
    gruebler: int
    condition: float
    error: float
    loops: tuple[str, ...]


def _properties(m: Model, d: Data, cluster: int, loops: Iterator[str]) -> Properties:
    out = np.empty(10)
    _core.loopProperties(m, d, cluster, out)
    return Properties(*(int(x) for x in out[:8]), *(float(x) for x in out[8:]), tuple(loops))


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
    clusters = [
        _properties(m, d, c, (name for name, place, _ in held if d.closure_cluster[place] == c))
        for c in range(d.ncluster)
    ]
    return clusters, _properties(m, d, -1, (name for name, _, _ in held))


def _mask(m: Model, dofs: ArrayLike | Iterable[str], what: str) -> NDArray[np.uint8]:
    """Marks of dofs (nv,), from such marks or from names of joints."""
    given = list(dofs) if not isinstance(dofs, np.ndarray) else dofs
    if len(given) and isinstance(given[0], str):
        marks = np.zeros(m.nv, np.uint8)
        for name in given:
            joint = _core.name2id(m, 3, name)
            if joint < 0:
                raise KeyError(f"{what}: there is no joint '{name}'")
            start = m.jnt_dofadr[joint]
            marks[start : start + (6, 3, 1, 1)[m.jnt_type[joint]]] = 1
        return marks
    marks = np.asarray(given)
    if marks.dtype != bool or marks.shape != (m.nv,):
        raise ValueError(f"{what} must be names of joints, or truth values of shape ({m.nv},)")
    return marks.astype(np.uint8)


@dataclass(frozen=True)
class Assembly:
    """How loops were closed.

    Attributes
    ----------
    error : float
        How far the loop stays open that does most (m or rad).
    loop : str
        Which that is; "" without loops.
    iterations : int
        Positions looked at.
    """

    error: float
    loop: str
    iterations: int


def assemble(
    m: Model,
    d: Data,
    fixed: ArrayLike | Iterable[str] | None = None,
    seeds: int = 20,
    seed: int = 0,
    *,
    iterations: int = 100,
    tolerance: float = 1e-12,
) -> Assembly:
    """Close all loops: move `qpos` to where they are closed, near where it is, and make `qvel` consistent.

    Call `sinew.forward` afterwards.

    Parameters
    ----------
    fixed : array_like of bool or iterable of str, optional
        Dofs (nv,) whose positions stay, or the names of their joints.
    seeds : int
        Other starts that are tried, random ones around `qpos`.
    seed : int
        Not 0: other starts come first, far ones, so that other branches of the assembly are found.
    iterations : int
        Most from one start.
    tolerance : float
        Errors of position below it count as closed (m or rad).

    Raises
    ------
    ModelError
        A loop cannot be closed: which, and by how much at best. `qpos` and `qvel` stay as they were.
    """
    marks = None if fixed is None else _mask(m, fixed, "fixed")
    out = np.empty(3)
    _core.assemble(m, d, marks, seeds, seed, iterations, tolerance, out)
    return Assembly(float(out[0]), _name(m, int(out[1])) if out[1] >= 0 else "", int(out[2]))


def independent(m: Model, d: Data, dofs: ArrayLike | Iterable[str]) -> tuple[_Array, _Array]:
    """G and g of qacc = G y + g for independent accelerations y of your own choice.

    Parameters
    ----------
    dofs : array_like of bool or iterable of str
        Marks (nv,) of those in loops that are y, or the names of their joints; dofs in no loop always are.

    Returns
    -------
    G : ndarray
        (nv, mobility), columns in the order of dofs.
    g : ndarray
        (nv,)

    Raises
    ------
    ValueError
        They are more or fewer than the mobility of a cluster, or do not determine the other dofs here.
    """
    G_, g_ = np.empty((m.nv, _core.loopMobility(m, d))), np.empty(m.nv)
    _core.loopIndependent(m, d, _mask(m, dofs, "dofs"), G_, g_)
    return G_, g_


@dataclass(frozen=True)
class Inverse:
    """Forces that produce accelerations in spite of the loops.

    Attributes
    ----------
    u : ndarray
        Forces (p,) of the actuated dofs in their order, or of the actuators; of least norm where several do.
    tau : ndarray
        Their joint-space force (nv,).
    G_u : ndarray
        (p, mobility), rows of G of the actuated dofs, or moment arms times G.
    rank : int
        Rank of G_u.
    kernel : int
        Dimension of all u that do nothing.
    underactuated : bool
        Not every acceleration can be produced; u is then that of least squares.
    redundant : bool
        More forces than are needed.
    residual : float
        Largest generalized force that u leaves open.
    inconsistency : float
        How far the given qacc is from what the loops allow, max |K qacc - k|.
    """

    u: _Array
    tau: _Array
    G_u: _Array
    rank: int
    kernel: int
    underactuated: bool
    redundant: bool
    residual: float
    inconsistency: float


def inverse(
    m: Model,
    d: Data,
    actuated: ArrayLike | Iterable[str] | None = None,
    weight: ArrayLike | None = None,
    project: bool = False,
) -> Inverse:
    """Inverse dynamics of closed loops: forces of actuated dofs that produce `qacc`.

    Parameters
    ----------
    actuated : array_like of bool or iterable of str, optional
        Marks (nv,) of the dofs that have a force, or the names of their joints; the model's actuators
        without it.
    weight : array_like, optional
        Above 0 (p,): the sum of weight u^2 is the least; all 1 without it.
    project : bool
        `qacc` first moves to what the loops allow.
    """
    marks = None if actuated is None else _mask(m, actuated, "actuated")
    p = m.nout if marks is None else int(np.count_nonzero(marks))
    u, tau, out = np.empty(p), np.empty(m.nv), np.empty(6)
    G_u = np.empty((p, _core.loopMobility(m, d)))
    _core.loopInverse(m, d, marks, u, weight, int(project), tau, G_u, out)
    rank, kernel, under, redundant = (int(x) for x in out[:4])
    return Inverse(
        u, tau, G_u, rank, kernel, bool(under), bool(redundant), float(out[4]), float(out[5])
    )


def sparse(m: Model, d: Data, tau: ArrayLike | None = None) -> tuple[_Array, _Array]:
    """Accelerations and loop forces by the sparse method in maximal coordinates, without contacts.

    Parameters
    ----------
    tau : array_like, optional
        Joint-space force (nv,) beside bias and `xfrc_applied`; without it `qfrc_passive`, `qfrc_actuator` and
        `qfrc_applied`.

    Returns
    -------
    qacc : ndarray
        (nv,)
    lambda_ : ndarray
        Forces of the rows of K (nlooprow,), of least norm where loops are redundant.
    """
    qacc, lambda_ = np.empty(m.nv), np.empty(d.nlooprow)
    _core.loopSparse(m, d, tau, qacc, lambda_)
    return qacc, lambda_


@dataclass(frozen=True)
class SparseCount:
    """Sizes of the matrix of the sparse method and of its factor L.

    Attributes
    ----------
    unknowns : int
        6 a body, one a dof with armature, and one a constraint of a joint or loop.
    rows : int
        Constraints of loops.
    dependent : int
        Constraints that depend on others: the redundancy.
    refinements : int
        Corrections with the residual until that was at rounding.
    nonzeros : int
        Numbers in L below its diagonal; the work grows with them.
    """

    unknowns: int
    rows: int
    dependent: int
    refinements: int
    nonzeros: int


def sparse_count(m: Model, d: Data) -> SparseCount:
    """How large the matrix of `sparse` and its factor are, and how it went, under the forces of `d`."""
    out = np.empty(5)
    _core.loopSparseCount(m, d, out)
    return SparseCount(*(int(x) for x in out))
