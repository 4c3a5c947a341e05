"""Textures that several drawings share."""

from __future__ import annotations

import ctypes
import hashlib
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from .. import _core
from .state import Finder

_SRGB8, _SRGB8_ALPHA8 = 0x8C41, 0x8C43
_FORMATS = {3: (0x1907, 0x8051), 4: (0x1908, 0x8058)}  # GL_RGB, GL_RGBA, each with 8 bits
_FLAT, _CUBE = 0x0DE1, 0x8515  # GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X
_UNPACK_ALIGNMENT, _BYTE = 0x0CF5, 0x1401


class Pool:
    """The textures of a context, each on the graphics card once, whatever models and drawings wear it."""

    def __init__(self, gl: moderngl.Context) -> None:
        self.gl = gl
        self._made: dict[bytes, Any] = {}
        self._keys: dict[int, bytes] = {}  # by OpenGL's name
        self._users: dict[bytes, int] = {}
        find = Finder(gl)
        self._store = find("glPixelStorei", None, ctypes.c_uint, ctypes.c_int)
        numbers = [ctypes.c_uint, *[ctypes.c_int] * 5, *[ctypes.c_uint] * 2, ctypes.c_void_p]
        self._give = find("glTexImage2D", None, *numbers)

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
        self._give_smaller(made, texels, linear, stored)
        made.filter = filters
        return made

    def _give_smaller(self, made: Any, texels: NDArray, linear: bool, stored: int | None) -> None:
        """Give a texture its smaller sizes, which a driver may take long to make."""
        height, width, channels = texels.shape[-3:]
        order, plain = _FORMATS[channels]
        faces, first = ([texels], _FLAT) if texels.ndim == 3 else (texels, _CUBE)
        made.use(self.gl.default_texture_unit)
        self._store(_UNPACK_ALIGNMENT, 1)
        for face, image in enumerate(faces):
            data = _core.smallerTextures(
                np.ascontiguousarray(image), width, height, channels, linear
            )
            start, size, level = ctypes.cast(data, ctypes.c_void_p).value or 0, (width, height), 1
            while size != (1, 1):
                size = max(size[0] // 2, 1), max(size[1] // 2, 1)
                self._give(first + face, level, stored or plain, *size, 0, order, _BYTE, start)
                start, level = start + size[0] * size[1] * channels, level + 1

    def leave(self, texture: Any) -> None:
        """Count one user less; the last one frees a texture."""
        key = self._keys[texture.glo]
        self._users[key] -= 1
        if not self._users[key]:
            del self._keys[texture.glo], self._made[key], self._users[key]
            texture.release()
