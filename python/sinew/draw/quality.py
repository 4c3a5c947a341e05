"""How fine a picture is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Quality:
    """Members of model.vis.quality, whether planes reflect, and whether textures blend from size to size."""

    shadowsize: int = 4096
    offsamples: int = 4
    numslices: int = 28
    numstacks: int = 16
    numquads: int = 4
    reflections: bool = True
    smooth_textures: bool = True


def quality(model: Any, name: str | None) -> Quality:
    """Return a quality by its name: None as model.vis.quality says, "fast" or "fine"."""
    said = model.vis.quality
    shape = {key: getattr(said, key) for key in ("numslices", "numstacks", "numquads")}
    match name:
        case None:
            return Quality(said.shadowsize, said.offsamples, **shape)
        case "fast":
            return Quality(1024, 0, **shape, reflections=False, smooth_textures=False)
        case "fine":
            return Quality(4096, 4, **shape)
    raise ValueError(
        f'quality is {name!r}: it is None (as model.vis.quality says), "fast" or "fine"'
    )
