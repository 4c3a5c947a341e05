"""Textures of a model as arrays, and where on a geom they lie.

A geom wears the texture that its material has in the role rgb; textures in other roles are not drawn, as in the
peer. Where a shape has texture coordinates of its own and `texcoord` of its geom says so, these are taken. Else a
point (x, y, z) of the shape, of size 1 before its geom scales it, finds its texel at

    2D      s = x repeat_x / 2 - 1/2,  t = -y repeat_y / 2 - 1/2
    cube    the direction (x, y, z)

(the halves of spheres at the ends of a capsule go on from z = 1 to 2, and from -1 to -2), and with `texuniform` at (x, y, z) times the size of the geom. Planes, height fields and meshes have vertices of
real size: there 2D textures repeat so many times across the size, or with `texuniform` across two units of length.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from . import kinds

FLAT, CUBE = 1, 2  # the definition TEXTURE of programs
_UNIT_SIZE, _REAL_SIZE, _GIVEN = 0.0, 1.0, 2.0  # fourth number of g_texture

_RGB = 1  # mjTEXROLE_RGB
_2D, _SKYBOX = 0, 2  # mjTEXTURE_2D, mjTEXTURE_SKYBOX
_SRGB = 2  # mjCOLORSPACE_SRGB
_SCALED = (kinds.PLANE, *kinds.REAL_SIZE)  # textures lie on them as they are scaled
_OWN = (
    kinds.MESH,
    kinds.SDF,
    kinds.FLEX,
    kinds.SKIN,
)  # types with texture coordinates of their own


class Images:
    """The textures of a model, and what geoms wear of them.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._loaded: dict[int, tuple[NDArray[np.uint8], int]] = {}  # those by reference
        for index in np.flatnonzero(np.asarray(model.tex_adr) < 0).tolist():
            self.load(index)
        skies = np.flatnonzero(np.asarray(model.tex_type) == _SKYBOX)
        self._sky = int(skies[0]) if len(skies) else -1

    def load(self, index: int) -> bool:
        """Read a texture by reference, again if it has been; False: it stays as it was, without its file."""
        if not 0 <= index < self.model.ntex or self.model.tex_adr[index] >= 0:
            return True
        try:
            data, height, width, colorspace = _core.loadTexture(self.model, index)
        except (OSError, ValueError) as error:
            self._warn(f"texture {index}: not uploaded: {error}")
            return False
        pixels = np.frombuffer(data, np.uint8).reshape(height, width, -1)
        self._loaded[index] = pixels, colorspace
        return True

    @staticmethod
    def _warn(text: str) -> None:
        """Tell the function that a program under MuJoCo's names has for warnings, else a Python warning."""
        user = _core.getUserWarning()
        if user is not None:
            user(text)
        else:
            warnings.warn(text, stacklevel=4)

    def sky(self) -> int:
        """Return the first texture of the model that is a sky and has texels, -1 without one."""
        return self._sky if self._there(np.array([self._sky]))[0] else -1

    def image(self, index: int) -> NDArray[np.uint8]:
        """Return the texels of a texture: [height, width, 3 or 4] of a 2D one, [6, width, width, ...] of the others.

        The sides of a cube come in the order right, left, up, down, front, back; where the model has only one,
        all are the same.

        Raises
        ------
        ValueError
            The model's numbers of it cannot be: no size, channels, data that end too early.
        """
        model = self.model
        if not 0 <= index < model.ntex:
            raise ValueError(f"texture {index} of a model with {model.ntex}: there is none")
        if index in self._loaded:
            return self._texels(index, self._loaded[index][0])
        width, height = int(model.tex_width[index]), int(model.tex_height[index])
        channels, first = int(model.tex_nchannel[index]), int(model.tex_adr[index])
        size = width * height * channels
        if not 1 <= channels <= 4:
            raise ValueError(f"texture {index} has {channels} channels: 1 to 4 can be drawn")
        if min(width, height) < 1 or first < 0 or first + size > len(model.tex_data):
            raise ValueError(
                f"texture {index} of {width} x {height} texels at {first}: tex_data has {len(model.tex_data)} bytes"
            )
        texels = np.asarray(model.tex_data[first : first + size]).reshape(height, width, channels)
        return self._texels(index, texels)

    def _texels(self, index: int, texels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the texels of a texture in colours, those of cubes by sides."""
        height, width, _ = texels.shape
        texels = _coloured(texels)
        if int(self.model.tex_type[index]) == _2D:
            return texels
        if height not in (width, 6 * width):
            raise ValueError(
                f"texture {index} of {width} x {height} texels: a cube has 1 or 6 squares"
            )
        sides = texels.reshape(-1, width, width, texels.shape[-1])
        return np.broadcast_to(sides, (6, *sides.shape[1:]))

    def is_linear(self, index: int) -> bool:
        """Return whether texels are light as they are; else they are sRGB, and mixed as the light that they stand for."""
        known = (
            self._loaded[index][1] if index in self._loaded else self.model.tex_colorspace[index]
        )
        return int(known) != _SRGB

    def _there(self, index: NDArray) -> NDArray[np.bool_]:
        """Say which textures there are and have texels."""
        model = self.model
        known = (index >= 0) & (index < model.ntex)
        if model.ntex:
            size = np.minimum(model.tex_width, model.tex_height)
            size[list(self._loaded)] = 1
            known &= size[np.clip(index, 0, model.ntex - 1)] > 0
        return known

    # ---- what geoms wear

    def worn(self, rows: NDArray) -> NDArray[np.int64]:
        """Return the texture of each geom [n], -1 where it wears none."""
        material = rows["matid"].astype(np.int64)
        if not self.model.nmat or not self.model.ntex:
            return np.full(len(rows), -1)
        known = (material >= 0) & (material < self.model.nmat)
        texture = np.where(known, self.model.mat_texid[np.where(known, material, 0), _RGB], -1)
        return np.where(self._there(texture), texture, -1)

    def keys(self, rows: NDArray) -> NDArray[np.int64]:
        """Return for each geom [n] what must be bound to draw it, 0 for nothing."""
        return self.worn(rows) + 1

    def columns(self, rows: NDArray, out: NDArray[np.float32]) -> None:
        """Fill the columns g_texture and g_texture2 of instances, [n, 8]."""
        texture = self.worn(rows)
        dressed = np.flatnonzero(texture >= 0)
        if not len(dressed):
            return
        rows, texture = rows[dressed], texture[dressed]
        flat = np.asarray(self.model.tex_type)[texture] == _2D
        material = rows["matid"].astype(np.int64)
        scale = _cube_scale(rows, self._uniform(material))
        scale[flat] = self._flat_scale(rows[flat], material[flat])
        whole = np.isin(rows["type"], _SCALED)
        mode = np.where(whole, _REAL_SIZE, _UNIT_SIZE)
        hull = (rows["type"] == kinds.MESH) & (rows["dataid"].astype(np.int64) & 1 == 1)
        own = (rows["texcoord"] != 0) & np.isin(rows["type"], _OWN) & ~hull & flat
        mode[own] = _GIVEN
        out[dressed, :3], out[dressed, 3] = scale, mode

    def _uniform(self, material: NDArray) -> NDArray[np.bool_]:
        return np.asarray(self.model.mat_texuniform)[material] != 0

    def _flat_scale(self, rows: NDArray, material: NDArray) -> NDArray[np.float64]:
        """Return what x and y are multiplied with to be texture coordinates, [n, 3]; z is 0."""
        uniform = self._uniform(material)[:, None]
        size = np.asarray(rows["size"], float)[:, :2]
        whole = np.isin(rows["type"], _SCALED)[:, None]
        given = np.where(size > 0, size, 1.0)
        factor = np.where(uniform, size, 1.0)
        factor = np.where(whole, np.where(uniform, 1.0, 1 / given), factor)
        out = np.zeros((len(rows), 3))
        out[:, :2] = 0.5 * np.asarray(self.model.mat_texrepeat)[material] * factor * (1, -1)
        return out

    def definitions(self, key: int) -> dict[str, int]:
        """Return what the program of such geoms is compiled with."""
        if not key:
            return {}
        return {"TEXTURE": FLAT if int(self.model.tex_type[key - 1]) == _2D else CUBE}


def _coloured(texels: NDArray) -> NDArray[np.uint8]:
    """Return texels with three or four channels: one is grey, two are grey and how much it covers."""
    channels = texels.shape[-1]
    if channels > 2:
        return texels
    grey = np.repeat(texels[..., :1], 3, axis=-1)
    return grey if channels == 1 else np.concatenate([grey, texels[..., 1:]], axis=-1)


def _cube_scale(rows: NDArray, uniform: NDArray) -> NDArray[np.float64]:
    """Return what points are multiplied with to be directions, [n, 3]."""
    return np.where(uniform[:, None], np.asarray(rows["size"], float), 1.0)
