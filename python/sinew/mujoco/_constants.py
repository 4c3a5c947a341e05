"""The peer's constants, mjMINVAL and its like."""

from .. import _core

mjNISLAND = 20  # entries of solver_niter at the peer
mjVERSION_HEADER = 337  # of the interface
__all__ = ["mjNISLAND", "mjVERSION_HEADER"]

for _name, _value in _core.tables()["constants"].items():
    globals()["mj" + _name] = _value
    __all__.append("mj" + _name)  # noqa: PYI056
