"""What data of release 4.0 keep of their solver, made when somebody asks: the whitened Jacobian of dual solvers, and of the
metric of the integrator discrete, which Sinew has in another form, what other integrators have: zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import Integrator, Solver
from ._data import mj_isSparse

_Y = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]

# By extent: columns of dofs, of actuators, of tendons, of numbers in M, and none; the type with each name.
_METRIC = {
    "nv": "efm_c:d efm_diag:d efm_ck:d efm_sdiag:d efm_ca:d efm_K_rownnz:i efm_K_rowadr:i",
    "nactuator": "efm_aid:i efm_as:d efm_ak:d",
    "ntendon": "efm_tid:i efm_ts:d efm_tk:d",
    "nC": "efm_fluid:d",
    "": "efm_K_colind:i efm_K_val:d efm_dofid:i efm_con_ind:i efm_con_val:d efm_L:d",
}
_SIZES = "efm_active nefmK nefmcon nefmT nefmA nefmdof nefmL"


def _ancestors(d: Any, dofs: NDArray[np.int32]) -> list[int]:
    """Dofs and those that they hang on, ascending."""
    found: set[int] = set()
    for dof in dofs.tolist():
        while dof >= 0 and dof not in found:
            found.add(dof)
            dof = int(d.model.dof_parentid[dof])
    return sorted(found)


def _whitened(d: Any) -> _Y:
    """Y = J inv(sqrt(M)) of solvers that are dual, with the dofs of its rows: numbers, counts, addresses, dofs."""
    m, nefc = d.model, d.nefc
    none = np.zeros(nefc, np.int32)
    if not nefc or (m.opt.solver != Solver.PGS and not m.opt.noslip_iterations):
        return np.zeros(0), none, none, np.zeros(0, np.int32)
    full = np.zeros((nefc, m.nv))
    if mj_isSparse(m):
        _core.mju_sparse2dense(full, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
    else:
        full[:] = d.efc_J.reshape(nefc, m.nv)
    y = np.empty_like(full)
    _core.solveM2(m, d, y, full)
    if not mj_isSparse(m):
        return y.reshape(-1), none, none, np.zeros(y.size, np.int32)
    rows = [
        _ancestors(d, d.efc_J_colind[adr : adr + count])
        for adr, count in zip(d.efc_J_rowadr, d.efc_J_rownnz, strict=True)
    ]
    counts = np.array([len(row) for row in rows], np.int32)
    dofs = np.array([dof for row in rows for dof in row], np.int32)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int32)
    return y[np.repeat(np.arange(nefc), counts), dofs], counts, starts, dofs


def _part(index: int, doc: str) -> property:
    def get(d: Any) -> NDArray[Any]:
        array = _whitened(d)[index]
        array.flags.writeable = False
        return array

    return property(get, doc=doc)


def _of_metric(name: str, make: Callable[[Any], Any]) -> property:
    def get(d: Any) -> Any:
        if d.model.opt.integrator == Integrator.DISCRETE:
            raise AttributeError(
                f"{name}: the metric of the integrator discrete has another form here: qMstep, qfrc_step"
            )
        return make(d)

    return property(get, doc="of the metric of the integrator discrete; zeros with another one")


def _zeros(extent: str, kind: str) -> Callable[[Any], NDArray[Any]]:
    dtype = np.int32 if kind == "i" else np.float64

    def make(d: Any) -> NDArray[Any]:
        array = np.zeros(getattr(d.model, extent) if extent else 0, dtype)
        array.flags.writeable = False
        return array

    return make


def change_solver(data: Any) -> None:
    """Let MjData have these members."""
    data.efc_Y = _part(0, "whitened Jacobian J inv(sqrt(M)) of PGS and noslip, by rows")
    data.efc_Y_rownnz = _part(1, "numbers in each row of efc_Y; dense: 0")
    data.efc_Y_rowadr = _part(2, "where each row begins; dense: 0")
    data.efc_Y_colind = _part(3, "dofs of its numbers; dense: 0")
    data.nY = property(lambda d: len(_whitened(d)[0]), doc="numbers in efc_Y")
    for name in _SIZES.split():
        setattr(data, name, _of_metric(name, lambda _: 0))
    for extent, words in _METRIC.items():
        for word in words.split():
            name, _, kind = word.partition(":")
            setattr(data, name, _of_metric(name, _zeros(extent, kind)))
