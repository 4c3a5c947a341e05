"""Lights of a scene to what shaders want."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import kinds

LIGHTS = 8
COLUMNS = 20


def block(scene: Any) -> tuple[int, NDArray[np.float32]]:
    """Return the number of lights and the contents of the block Lights, [LIGHTS, COLUMNS]."""
    count = min(scene.nlight, LIGHTS)
    out = np.zeros((LIGHTS, COLUMNS), np.float32)
    for row, light in zip(out, scene.lights[:count], strict=False):
        parallel = light.type == kinds.DIRECTIONAL
        row[0:3] = -light.dir if parallel else light.pos
        row[3] = not parallel
        row[4:7] = light.dir
        row[7] = np.cos(np.radians(light.cutoff)) if light.type == kinds.SPOT else -2
        row[8:11], row[12:15], row[16:19] = light.ambient, light.diffuse, light.specular
        row[11] = light.exponent
        row[15] = 1 if parallel else light.attenuation[0]
        row[19] = 0 if parallel else light.attenuation[1]
    return count, out
