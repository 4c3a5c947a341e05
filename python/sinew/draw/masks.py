"""What of pixels is written."""

from __future__ import annotations

from typing import Any

import moderngl


class Masked:
    """Colours or depths of the frame buffer in use stay as they are while this is entered."""

    def __init__(self, gl: moderngl.Context, colours: bool = True, depths: bool = True) -> None:
        self._target: Any = gl.fbo
        self._written = colours, depths

    def __enter__(self) -> None:
        self._write(*self._written)

    def __exit__(self, *_: object) -> None:
        self._write(True, True)

    def _write(self, colours: bool, depths: bool) -> None:
        self._target.color_mask = (colours,) * 4
        self._target.depth_mask = depths
        self._target.use()  # masks hold from then on
