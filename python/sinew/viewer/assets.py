"""Meshes, height fields and textures of a model that a program changes while it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._types import Model

COUNTS = {"mesh": "nmesh", "hfield": "nhfield", "texture": "ntex"}


def _rows(model: Model, kind: str, index: int) -> dict[str, tuple[int, int]]:
    """Return for each array that shows an asset its first row and how many it has."""
    m: Any = model
    match kind:
        case "mesh":
            parts = {"vert": "vert", "normal": "normal", "texcoord": "texcoord", "face": "face"}
            found = {
                f"mesh_{array}": (
                    int(getattr(m, f"mesh_{at}adr")[index]),
                    int(getattr(m, f"mesh_{at}num")[index]),
                )
                for array, at in parts.items()
            }
            for corners in ("mesh_facenormal", "mesh_facetexcoord"):
                found[corners] = found["mesh_face"]
        case "hfield":
            cells = int(m.hfield_nrow[index]) * int(m.hfield_ncol[index])
            found = {"hfield_data": (int(m.hfield_adr[index]), cells), "hfield_size": (index, 1)}
        case _:
            size = m.tex_width[index] * m.tex_height[index] * m.tex_nchannel[index]
            found = {"tex_data": (int(m.tex_adr[index]), int(size))}
    return {name: rows for name, rows in found.items() if rows[0] >= 0}


def asset_of(model: Model, kind: str, index: int) -> dict[str, NDArray]:
    """Return what shows an asset: rows of arrays of the model, by their names.

    Parameters
    ----------
    model : Model
    kind : str
        "mesh", "hfield" or "texture".
    index : int

    Raises
    ------
    ValueError
        There is no such asset.
    """
    number = int(getattr(model, COUNTS[kind]))
    if not 0 <= index < number:
        raise ValueError(f"{kind} {index} of a model with {number}: there is none")
    rows = _rows(model, kind, index)
    return {
        name: np.asarray(getattr(model, name)[first : first + count])
        for name, (first, count) in rows.items()
    }


def put_asset(model: Model, kind: str, index: int, arrays: dict[str, NDArray]) -> None:
    """Write what `asset_of` has returned into a copy of the model."""
    for name, rows in asset_of(model, kind, index).items():
        rows[...] = arrays[name]
