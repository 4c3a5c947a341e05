"""The peer's constants, mjMINVAL and its like, and its tuples of words."""

import numpy as np

from .. import _core
from . import _later
from ._release import IS_LATER, RELEASE

_TABLES = _core.tables()

mjVERSION_HEADER = RELEASE.number  # of the interface
mjNISLAND = 20  # entries of solver_niter at the peer
mjMAXFLEXNODES = 27  # limits that only the peer has
mjMAXTREEDEPTH = 50
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200

mjDISABLESTRING = (
    "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity", "Clampctrl",
    "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase", "Eulerdamp", "AutoReset",
    "NativeCCD", "Island",
)  # fmt: skip
mjENABLESTRING = ("Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD")
mjTIMERSTRING = (
    "step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance",
    "pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project", "col_broadphase",
    "col_narrowphase",
)  # fmt: skip


def _labels(enum: str) -> tuple[str, ...]:
    """Labels of what can be chosen in a view."""
    return next(
        tuple(row[2] for row in items) for name, _, items in _TABLES["scene"] if name == enum
    )


def _switches(enum: str) -> tuple[tuple[str, str, str], ...]:
    """Label, default and key of what can be switched in a view."""
    return tuple((label, str(initial), key) for label, initial, key in _TABLES["switches"][enum])


mjLABELSTRING = _labels("snLabel")
mjFRAMESTRING = _labels("snFrameType")
mjVISSTRING = _switches("snVisFlag")
mjRNDSTRING = _switches("snRndFlag")
globals().update({"mj" + name: value for name, value in _TABLES["constants"].items()})
if IS_LATER:
    mjDISABLESTRING += ("MultiCCD",)
    globals().update(_later.CONSTANTS)
    MJTNUM_DTYPE, MJTNUM_BYTES = np.float64, np.float64().nbytes

__all__ = sorted(name for name in globals() if name.startswith(("mj", "MJ")))  # noqa: PLE0605
