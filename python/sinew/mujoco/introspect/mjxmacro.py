"""MJMODEL, MJDATA: (rows, columns) of every array, as the interface's header has them."""

from __future__ import annotations

from . import structs


def _shapes(name: str) -> dict[str, tuple[str | int, str]]:
    extents = {f.name: f.array_extent for f in structs.STRUCTS[name].fields if f.array_extent}
    return {n: (e[0], str(e[1]) if len(e) > 1 else "1") for n, e in extents.items()}


MJMODEL = _shapes("mjModel")
MJDATA = _shapes("mjData")
