"""How fine a picture is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Quality:
    """Members of model.vis.quality, whether planes reflect, and whether textures blend from size to size.

    side_stacks : stacks of the sides of capsules and cylinders, None: as numstacks; light differs little along them.
    few_cells : cut planes into fewer cells than the peer does. by_size : let round geoms that are small in the picture
    have fewer facets.
    """

    shadowsize: int = 4096
    offsamples: int = 4
    numslices: int = 28
    numstacks: int = 16
    numquads: int = 4
    reflections: bool = True
    smooth_textures: bool = True
    side_stacks: int | None = None
    few_cells: bool = False
    by_size: bool = False


def quality(model: Any, name: str | None) -> Quality:
    """Return a quality by its name: None as model.vis.quality says, "fast" or "fine"."""
    said = model.vis.quality
    shape = {key: max(1, getattr(said, key)) for key in ("numslices", "numstacks", "numquads")}
    match name:
        case None:
            return Quality(said.shadowsize, said.offsamples, **shape)
        case "fast":
            less = {
                "reflections": False,
                "smooth_textures": False,
                "few_cells": True,
                "by_size": True,
            }
            return Quality(1024, 0, **shape, side_stacks=2, **less)
        case "fine":
            return Quality(4096, 4, **shape)
    raise ValueError(
        f'quality is {name!r}: it is None (as model.vis.quality says), "fast" or "fine"'
    )
