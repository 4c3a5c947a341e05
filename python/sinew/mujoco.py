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

from . import _core
from ._core import Option as MjOption
from ._core import Statistic as MjStatistic
from ._core import Visual as MjVisual
from ._enums import make_enum
from ._peer_names import CALLBACKS, OURS_ALONE, enum_name, member_prefix
from ._types import Contact as MjContact
from ._types import Data, Model

__version__ = _core.__version__
__all__ = ["MjContact", "MjData", "MjModel", "MjOption", "MjStatistic", "MjVisual"]

_Array = NDArray[np.float64]
_TABLES = _core.tables()

for _type, _prefix, _items in _TABLES["enums"]:
    _name = enum_name(_type)
    globals()[_name] = make_enum(_name, _items, member_prefix(_prefix))
    __all__.append(_name)

for _name, _value in _TABLES["constants"].items():
    globals()["mj" + _name] = _value
    __all__.append("mj" + _name)

mjNISLAND = 20  # entries of solver_niter at the peer
__all__.append("mjNISLAND")


class MjModel(Model):
    """A compiled model, see `sinew.Model`."""

    __slots__ = ()

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


def mj_isSparse(m: Model) -> int:
    """0: constraint rows are kept dense."""
    return 0


def mj_versionString() -> str:
    """Version of Sinew."""
    return __version__


def mju_negQuat(res: _Array, quat: ArrayLike) -> None:
    """Conjugate of a quaternion."""
    res[:] = np.asarray(quat) * (1, -1, -1, -1)


def mju_mulQuat(res: _Array, quat1: ArrayLike, quat2: ArrayLike) -> None:
    """Product of two quaternions."""
    a, b = np.asarray(quat1, float), np.asarray(quat2, float)
    w = a[0] * b[0] - a[1:] @ b[1:]
    res[1:] = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    res[0] = w


def mju_rotVecQuat(res: _Array, vec: ArrayLike, quat: ArrayLike) -> None:
    """Rotate a vector by a unit quaternion."""
    q, v = np.asarray(quat, float), np.asarray(vec, float)
    t = 2 * np.cross(q[1:], v)
    res[:] = v + q[0] * t + np.cross(q[1:], t)


def mju_axisAngle2Quat(res: _Array, axis: ArrayLike, angle: float) -> None:
    """Quaternion of a rotation by an angle about a unit axis."""
    res[0] = np.cos(angle / 2)
    res[1:] = np.sin(angle / 2) * np.asarray(axis, float)


def mju_quat2Mat(res: _Array, quat: ArrayLike) -> None:
    """Rotation matrix (9) of a unit quaternion."""
    w, x, y, z = np.asarray(quat, float)
    res[:] = (
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    )  # fmt: skip


# Everything else has the same arguments in the same order.
for _name, *_ in _TABLES["functions"]:
    if _name not in OURS_ALONE and "mj_" + _name not in globals():
        globals()["mj_" + _name] = getattr(_core, _name)

__all__ += sorted(name for name in globals() if name.startswith(("mj_", "mju_")))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise AttributeError(f"{name} is not in Sinew yet")
