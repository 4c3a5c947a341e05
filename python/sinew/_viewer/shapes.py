"""Shapes and textures of a model as messages for pages: those of `sinew render`."""

from __future__ import annotations

import itertools
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import assets, images, kinds, planes, quality, shapes
from ..draw.solid import Solid
from ..viewer import wire

Key = tuple[int, int]  # type of geom and dataid, or of skins their number


class Shapes:
    """What `draw.instances.find_shapes` and pages ask of the shapes of a model.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.quality = quality.quality(model, None)
        self.planes = planes.Planes(model, self.quality)
        self.images = images.Images(model)
        self._makers = shapes.makers(self.quality, self.planes)
        self._makers.update(assets.makers(model, self.quality))
        self._numbers: dict[Key, int] = {}
        self.messages: list[bytes] = []
        self.texture_changes: dict[int, int] = {}  # how often each was changed

    def find(self, key: Key) -> int:
        """Return the number of a shape, under which `messages` has what brings it to a page; -1: nothing is drawn."""
        if key not in self._numbers:
            kind, dataid = key
            maker = self._makers.get(kind)
            solid = None if maker is None else maker(dataid)
            self._numbers[key] = -1 if solid is None else len(self.messages)
            if solid is not None:
                self.messages.append(_shape(len(self.messages), key, solid))
        return self._numbers[key]

    def made(self, kind: int) -> list[int]:
        """Return which shapes of a type there are, by the second of their keys."""
        return sorted(d for (k, d), number in self._numbers.items() if k == kind and number >= 0)

    def forget(self, kind: str, index: int) -> None:
        """Make what shows an asset anew when it is next asked for: its numbers have changed."""
        if kind == "texture":
            self.texture_changes[index] = self.texture_changes.get(index, 0) + 1
            return
        types = (kinds.HFIELD,) if kind == "hfield" else (kinds.MESH, kinds.SDF)
        numbers = (index,) if kind == "hfield" else (2 * index, 2 * index + 1)
        for key in itertools.product(types, numbers):
            number = self._numbers.pop(key, -1)
            if number >= 0:
                self.messages[number] = b""  # nobody asks for it again

    def texture(self, index: int) -> bytes:
        """Return the message that brings a texture to a page, packed by zlib.

        Raises
        ------
        ValueError
            The model's numbers of it cannot be.
        """
        texels = self.images.image(index)
        sides = texels if texels.ndim == 4 else texels[None]
        words = {
            "kind": "texture", "index": index, "cube": texels.ndim == 4, "linear": self.images.is_linear(index),
            "shape": list(sides.shape),
        }  # fmt: skip
        packed = np.frombuffer(zlib.compress(np.ascontiguousarray(sides).tobytes(), 6), np.uint8)
        return wire.pack(words, {"texels": packed})


def _shape(number: int, key: Key, solid: Solid) -> bytes:
    triangles: NDArray[Any] = solid.triangles()
    return wire.pack(
        {"kind": "shape", "number": number, "key": key},
        {
            "vertices": np.asarray(solid.vertices, np.float32),
            "triangles": triangles.astype(np.uint32),
        },
    )
