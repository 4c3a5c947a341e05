"""Textures that several drawings share."""

from __future__ import annotations

import hashlib
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

_SRGB8, _SRGB8_ALPHA8 = 0x8C41, 0x8C43


class Pool:
    """The textures of a context, each on the graphics card once, whatever models and drawings wear it."""

    def __init__(self, gl: moderngl.Context) -> None:
        self.gl = gl
        self._made: dict[bytes, Any] = {}
        self._keys: dict[int, bytes] = {}  # by OpenGL's name
        self._users: dict[bytes, int] = {}

    @staticmethod
    def of(gl: moderngl.Context) -> Pool:
        """Return the pool of a context."""
        found = getattr(gl, "_sinew_textures", None)
        if found is None:
            found = gl._sinew_textures = Pool(gl)  # type: ignore[attr-defined]
        return found

    def take(self, texels: NDArray[np.uint8], linear: bool, filters: tuple[int, int]) -> Any:
        """Return a texture for one more user.

        Parameters
        ----------
        texels : array [height, width, 3 or 4] or [6, width, width, 3 or 4]
        linear : bool
            False: they are sRGB, and mixed as the light that they stand for.
        filters : (int, int)
            How they are made smaller and larger.
        """
        data = np.ascontiguousarray(texels).data
        about = repr((texels.shape, linear, filters)).encode()
        key = hashlib.blake2b(data, digest_size=32, key=about[:64]).digest()
        if key not in self._made:
            made = self._made[key] = self._make(texels, data, linear, filters)
            self._keys[made.glo], self._users[key] = key, 0
        self._users[key] += 1
        return self._made[key]

    def _make(
        self, texels: NDArray, data: memoryview, linear: bool, filters: tuple[int, int]
    ) -> Any:
        size, channels = (texels.shape[-2], texels.shape[-3]), texels.shape[-1]
        stored = None if linear else {3: _SRGB8, 4: _SRGB8_ALPHA8}[channels]
        make = self.gl.texture if texels.ndim == 3 else self.gl.texture_cube
        made: Any = make(size, channels, data, alignment=1, internal_format=stored)
        made.build_mipmaps()
        made.filter = filters
        return made

    def leave(self, texture: Any) -> None:
        """Count one user less; the last one frees a texture."""
        key = self._keys[texture.glo]
        self._users[key] -= 1
        if not self._users[key]:
            del self._keys[texture.glo], self._made[key], self._users[key]
            texture.release()
