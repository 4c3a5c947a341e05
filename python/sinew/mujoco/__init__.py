"""Sinew under MuJoCo's own names: programs written for that API run with `from sinew import mujoco`.

Functions, classes and enumerations have the peer's names, arguments and behaviour, as of MuJoCo 3.3.7.
What is missing raises AttributeError that says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._core import Option as MjOption
from .._core import Statistic as MjStatistic
from .._core import Visual as MjVisual
from .._functions import setLengthRange
from .._types import Contact as MjContact
from .._types import Data, Model
from ._math import *  # noqa: F403
from ._names import CALLBACKS, OURS_ALONE, function_name
from ._specs import body as _body
from ._specs import elements as _elements
from ._specs import fields as _fields
from ._specs import parts as _parts
from ._specs.bind import bind
from ._specs.spec import MjSpec

__version__ = _core.__version__
__all__ = [
    "MjContact",
    "MjData",
    "MjLROpt",
    "MjModel",
    "MjOption",
    "MjSpec",
    "MjStatistic",
    "MjVisual",
]

_Array = NDArray[np.float64]
_TABLES = _core.tables()

for _name, _enum in _fields.ENUMS.items():
    globals()[_name] = _enum  # the same classes that specs give back
    __all__.append(_name)
for _part in (_body, _parts, _elements):
    for _name in (n for n in vars(_part) if n.startswith("Mjs")):
        globals()[_name] = getattr(_part, _name)
        __all__.append(_name)

for _name, _value in _TABLES["constants"].items():
    globals()["mj" + _name] = _value
    __all__.append("mj" + _name)

mjNISLAND = 20  # entries of solver_niter at the peer
__all__.append("mjNISLAND")


class MjModel(Model):
    """A compiled model, see `sinew.Model`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` it came from, or for several."""
        return bind(self, specs)

    @classmethod
    def from_xml_path(
        cls, filename: str | os.PathLike, assets: Mapping[str, bytes] | None = None
    ) -> MjModel:
        """Load an MJCF file; `assets` holds files by name."""
        try:
            if not assets:
                return cls.from_path(filename)
            text = assets.get(os.fspath(filename))
            if text is None:
                with open(filename, "rb") as file:
                    text = file.read()
            return cls.from_xml(text, assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def from_xml_string(cls, xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Load MJCF text; `assets` holds files by name."""
        try:
            return cls.from_xml(xml, assets)
        except OSError as error:
            raise ValueError(str(error)) from error

    @classmethod
    def from_binary_path(
        cls, filename: str | os.PathLike, assets: Mapping[str, bytes] | None = None
    ) -> MjModel:
        """Load a binary file of `mj_saveModel`; `assets` holds files by name."""
        data = (assets or {}).get(os.fspath(filename))
        try:
            return cls.from_path(filename) if data is None else _core.unpackModel(cls, data)
        except OSError as error:
            raise ValueError(str(error)) from error


class MjData(Data):
    """State of a simulation, see `sinew.Data`."""

    __slots__ = ()

    def bind(self, specs: Any) -> Any:
        """What it holds for an element of the `MjSpec` that its model came from, or for several."""
        return bind(self, specs)

    @property
    def efc_J(self) -> _Array:
        """Jacobian of the constraint rows, dense, as one row (nefc * nv)."""
        return super().efc_J.reshape(-1)

    @property
    def solver_niter(self) -> NDArray[np.int32]:
        """Solver iterations by island; all in the first entry."""
        result = np.zeros(mjNISLAND, np.int32)
        result[0] = super().solver_niter
        return result


_core.setPeerData(MjData)
MjSpec._model_type = MjModel


def _callback_access(kind: str) -> None:
    """Make set_mjcb_KIND and get_mjcb_KIND: a callback of every MjData that has none of its own."""

    def set_callback(f: Callable[..., Any] | None) -> None:
        _core.setCallback(None, kind, f)

    def get_callback() -> Callable[..., Any] | None:
        return _core.getCallback(None, kind)

    for function, verb in ((set_callback, "set"), (get_callback, "get")):
        function.__name__ = function.__qualname__ = f"{verb}_mjcb_{kind}"
        function.__doc__ = (
            f"{verb.capitalize()} the callback {kind} of all MjData; None: there is none."
        )
        globals()[function.__name__] = function
        __all__.append(function.__name__)


for _name in CALLBACKS:
    _callback_access(_name)


def mj_fullM(m: Model, dst: _Array, M: ArrayLike) -> None:
    """Write the dense inertia (nv, nv) of a sparse one (nM) into dst."""
    _core.fullM(m, M, dst)


def mj_RungeKutta(m: Model, d: Data, N: int) -> None:
    """Integrate by Runge-Kutta of order N, which must be 4."""
    if N != 4:
        raise ValueError(f"Runge-Kutta of order {N} is not in Sinew yet, only 4")
    _core.RungeKutta(m, d)


def mj_solveM2(m: Model, d: Data, x: _Array, y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """Half solve; sqrtInvD must be the square root of d.qLDiagInv."""
    if not np.allclose(sqrtInvD, np.sqrt(d.qLDiagInv), rtol=1e-12, atol=0):
        raise ValueError("sqrtInvD is not the square root of qLDiagInv")
    _core.solveM2(m, d, x, y)


def mj_constraintUpdate(
    m: Model, d: Data, jar: ArrayLike, cost: _Array | None, flg_coneHessian: int
) -> None:
    """States and forces of the constraint rows for jar (nefc), and their cost (1)."""
    _core.constraintUpdate(m, d, jar, cost)


def mj_sizeModel(m: Model) -> int:
    """Bytes that `mj_saveModel` writes."""
    return len(_core.packModel(m))


def mj_saveModel(
    m: Model, filename: str | os.PathLike | None = None, buffer: NDArray[np.uint8] | None = None
) -> None:
    """Write the compiled model, in Sinew's own binary format, to a file or into a buffer."""
    if buffer is None:
        if filename is None:
            raise ValueError("neither a filename nor a buffer given")
        m.save(filename)
        return
    data = np.frombuffer(_core.packModel(m), np.uint8)
    if buffer.size < data.size:
        raise ValueError(f"the buffer has {buffer.size} bytes, the model {data.size}")
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


def mj_isSparse(m: Model) -> int:
    """0: constraint rows are kept dense."""
    return 0


def mj_versionString() -> str:
    """Version of Sinew."""
    return __version__


def mj_addM(
    m: Model,
    d: Data,
    dst: _Array,
    rownnz: NDArray[np.int32],
    rowadr: NDArray[np.int32],
    colind: NDArray[np.int32],
) -> None:
    """Add the lower triangle of the inertia to a sparse matrix whose rows hold those of M."""
    nnz, adr = np.asarray(rownnz), np.asarray(rowadr)
    if len(nnz) != m.nv or np.any(nnz < 0) or np.any(adr < 0) or np.any(adr + nnz > len(dst)):
        raise ValueError("rownnz and rowadr do not describe m.nv rows of dst")
    _core.addM(m, d, dst, nnz, adr, colind)


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


class MjLROpt:
    """How `mj_setLengthRange` finds a range, see `sinew.setLengthRange`; all 0 when made."""

    __slots__ = (
        "accel", "interval", "inttotal", "maxforce", "mode", "timeconst", "timestep", "tolrange",
        "useexisting", "uselimit",
    )  # fmt: skip

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)


def mj_setLengthRange(m: Model, d: Data, index: int, opt: MjLROpt) -> None:
    """Find the range of length of an actuator; ValueError when it does not settle."""
    setLengthRange(m, d, index, **{name: getattr(opt, name) for name in MjLROpt.__slots__})


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
    """1: the solver works on constraint forces."""
    return int(m.opt.solver == 0)


# Everything else has the same arguments in the same order.
for _name, *_ in _TABLES["functions"]:
    if _name not in OURS_ALONE and function_name(_name) not in globals():
        globals()[function_name(_name)] = getattr(_core, _name)

__all__ += sorted(name for name in globals() if name.startswith(("mj_", "mju_")))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise AttributeError(f"{name} is not in Sinew yet")
