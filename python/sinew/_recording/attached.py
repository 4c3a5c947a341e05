"""The model inside a recording: compiled, and as text."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .._types import Model
    from .recording import Recording

    Load = Callable[[str], Model]

_ZSTD = b"\x28\xb5\x2f\xfd"
# What unpacks to more is attached as it is, and refused where it is read.
_MOST = 1 << 30


def pack(model: Model) -> bytes:
    """The compiled model, as `Model.save` writes it."""
    return _core.packModel(model)


def small(packed: bytes) -> bytes | None:
    """What `pack` gave, smaller: textures and meshes shrink a lot. None: too large to be unpacked again."""
    import zstandard

    if len(packed) > _MOST:
        return None
    return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(packed)


@dataclass(frozen=True)
class Inside:
    """The model that a recording holds: what `pack` or `small` gave, and its source, or nothing."""

    data: bytes
    source: str = ""

    def compiled(self) -> bytes:
        """What `pack` gave.

        Raises
        ------
        ModelError
            It is damaged.
        """
        if not self.data.startswith(_ZSTD):
            return self.data
        import zstandard

        # by and by: the length that stands at the start may be anything
        out = io.BytesIO()
        try:
            with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(self.data)) as reader:
                while piece := reader.read(1 << 20):
                    out.write(piece)
                    if out.tell() > _MOST:
                        raise _core.ModelError(f"it unpacks to more than {_MOST} bytes")
            wanted = zstandard.frame_content_size(self.data)
        except zstandard.ZstdError as error:
            raise _core.ModelError(f"damaged: {error}") from None
        if wanted not in (-1, out.tell()):
            raise _core.ModelError(f"cut short: {out.tell()} bytes where {wanted} are wanted")
        return out.getvalue()

    def model(self, load: Load | None = None) -> Model:
        """The model, or where another version of Sinew packed it, that of its source.

        load: called with that; None: as `Model.from_xml`.
        """
        from .._types import Model

        try:
            return _core.unpackModel(Model, self.compiled())
        except _core.ModelError as error:
            if not self.source:
                raise
            packed = error
        try:
            return (load or Model.from_xml)(self.source)
        except (ValueError, OSError) as error:
            raise _core.ModelError(f"{packed}; nor does its source load: {error}") from None


def model_in(recording: Recording, load: Load | None = None) -> Model | None:
    """The model that a recording holds, as of `Recording.model`; `load` loads its source, as of `Inside.model`."""
    if recording._model is None:
        return None
    try:
        return recording._model.model(load)
    except _core.ModelError as error:
        text = f"{recording.path or 'the recording'}: the model in it: {error}"
        raise _core.ModelError(text) from None


def models_of(recordings: Sequence[Recording]) -> list[Model | None]:
    """The models that recordings hold, one for all that hold the same; None where there is none."""
    known: dict[Inside, Model | None] = {}
    found: list[Model | None] = []
    for recording in recordings:
        inside = recording._model
        if inside is not None and inside not in known:
            known[inside] = recording.model()
        found.append(None if inside is None else known[inside])
    return found


def models_for(recordings: Sequence[Recording]) -> list[Model] | None:
    """For each recording the model that it holds, or the first that one holds; None: no one holds any."""
    held = models_of(recordings)
    first = next((model for model in held if model is not None), None)
    return None if first is None else [model or first for model in held]
