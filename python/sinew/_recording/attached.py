"""The model inside a recording: compiled, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _core

if TYPE_CHECKING:
    from .._types import Model


def pack(model: Model) -> bytes:
    """The compiled model, as `Model.save` writes it."""
    return _core.packModel(model)


def load(parts: tuple[bytes, str]) -> Model:
    """The model of what `pack` gave, or where another version of Sinew did, of its source."""
    from .._types import Model

    packed, source = parts
    try:
        return _core.unpackModel(Model, packed)
    except _core.ModelError:
        if not source:
            raise
    return Model.from_xml(source)
