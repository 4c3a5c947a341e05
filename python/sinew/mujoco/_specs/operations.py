"""Operations on whole specs that release 4.0 has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _core
from .body import MjsBody


def _operate(self: Any, what: str, work: Callable[[], Any]) -> Any:
    """Do what changes elements of the spec; structs are read anew afterwards."""
    if self._parent is not None:
        raise ValueError(f"Error: Cannot {what} of an attached mjSpec.")
    try:
        return self._run(work)
    finally:
        self._forget()


def fuse_static(self: Any) -> int:
    """Fuse bodies without joints with those that they stand in, as <compiler fusestatic>; returns how many."""
    return _operate(self, "fuse the static bodies", lambda: _core.specFuseStatic(self._handle))


def discard_visual(self: Any) -> int:
    """Take out what can only be seen: geoms that collide with nothing, and then materials, textures and meshes that
    nothing has any more. Bodies keep their mass. Returns how many elements that were."""
    return _operate(
        self, "discard the visual elements", lambda: _core.specDiscardVisual(self._handle)
    )


def dedup_assets(self: Any) -> int:
    """Of equal assets keep the first, which those that named the others name then; returns how many went."""
    return _operate(self, "merge the assets", lambda: _core.specDedupAssets(self._handle))


def adopt_inertial(self: Any, body: MjsBody) -> None:
    """Give a body the mass and inertia that the compiler makes of its geoms, as its own."""
    if not isinstance(body, MjsBody):
        raise TypeError(
            "adopt_inertial(): incompatible function arguments: body must be an MjsBody"
        )
    spec = body._spec
    try:
        spec._run(lambda: _core.elementAdoptInertial(body._element))
    finally:
        spec._forget()


def copy_back(self: Any, model: Any) -> None:
    """Take numbers that have been changed in the model of the last compilation into the spec."""
    if not isinstance(model, self._model_type):
        raise TypeError("copy_back(): incompatible function arguments: model must be an MjModel")
    if not self._compiled[1]:
        raise ValueError("Error: the spec has not been compiled, in CopyBack")
    self._flush()
    if _core.specSignature(self._handle) != self._compiled[0]:
        raise ValueError("Error: incompatible signatures in CopyBack: compile the spec again")
    if _core.modelSignature(model) != self._compiled[1]:
        raise ValueError("Error: incompatible models in CopyBack: it is of another spec")
    try:
        self._run(lambda: _core.specCopyBack(self._handle, model))
    finally:
        self._forget()
        self._compiled = (_core.specSignature(self._handle), self._compiled[1])


OPERATIONS = (fuse_static, discard_visual, dedup_assets, adopt_inertial, copy_back)
