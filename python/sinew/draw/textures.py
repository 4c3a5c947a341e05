"""Textures of a model on the graphics card."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from .images import Images
from .pool import Pool

UNIT = 0  # texture unit of what geoms wear
_CUBE_SEAMLESS = 0x884F


class Textures(Images):
    """What `Drawing.textures` answers for a model; a texture goes to the card when it is first worn.

    Parameters
    ----------
    gl : moderngl.Context
    model : Model
    smooth : bool
        Blend between two sizes of a texture, too (trilinear), as the peer; without it the nearer one is taken.

    Attributes
    ----------
    own_sky : array [6, width, width, 3] or None
        The sky of a model that has none.
    """

    def __init__(self, gl: moderngl.Context, model: Any, smooth: bool = True) -> None:
        super().__init__(model)
        self._pool = Pool.of(gl)
        self._filter = (
            moderngl.LINEAR_MIPMAP_LINEAR if smooth else moderngl.LINEAR_MIPMAP_NEAREST,
            moderngl.LINEAR,
        )
        self._made: dict[int, Any] = {}
        self.own_sky: NDArray[np.uint8] | None = None
        gl.enable_direct(_CUBE_SEAMLESS)

    # ---- on the card

    def get(self, index: int) -> Any:
        """Return a texture of the model on the card, made when first asked for."""
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]

    def _make(self, index: int) -> Any:
        texels = self.image(index)
        return self._pool.take(texels, self.is_linear(index), self._filter)

    def upload(self, index: int) -> None:
        """Take a texture of the model again, whose texels, or whose file, have changed."""
        if not self.load(index):
            return
        made, old = self._make(index), self._made.get(index)
        self._made[index] = made
        if old is not None:
            self._pool.leave(old)

    def names(self) -> dict[int, int]:
        """Return OpenGL's names of the textures that are on the card."""
        return {index: texture.glo for index, texture in self._made.items() if index >= 0}

    def skybox(self) -> Any:
        """Return the first texture of the model that is a sky, else one that was given, or None."""
        if self.sky() >= 0:
            return self.get(self.sky())
        if self.own_sky is not None and -1 not in self._made:
            self._made[-1] = self._pool.take(self.own_sky, True, self._filter)
        return self._made.get(-1)

    def release(self) -> None:
        """Free what is on the card."""
        for texture in self._made.values():
            self._pool.leave(texture)
        self._made.clear()

    # ---- what geoms wear

    def bind(self, key: int, program: moderngl.Program) -> None:
        """Bind what such geoms want; `program` is about to draw them."""
        if key:
            self.get(key - 1).use(UNIT)
