"""Frame buffers: off screen, with as many samples a pixel as the quality asks for."""

from __future__ import annotations

import moderngl
import numpy as np
from numpy.typing import NDArray


class Offscreen:
    """A picture off screen of a size; drawn into with samples, then resolved to one value a pixel."""

    def __init__(self, gl: moderngl.Context, width: int, height: int, samples: int) -> None:
        self.gl, self.width, self.height = gl, width, height
        self.samples = min(samples, gl.max_samples) if samples > 1 else 0
        size = (width, height)
        self.drawn = gl.framebuffer(
            gl.renderbuffer(size, 4, samples=self.samples),
            gl.depth_renderbuffer(size, samples=self.samples),
        )
        self.resolved = self.drawn
        if self.samples:
            self.resolved = gl.framebuffer(gl.renderbuffer(size, 4), gl.depth_renderbuffer(size))

    def resolve(self) -> None:
        """Make one value of the samples of each pixel."""
        if self.samples:
            self.gl.copy_framebuffer(self.resolved, self.drawn)

    def colours(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.uint8]:
        """Return the colours of a rectangle, [height, width, 3], the lowest row first."""
        self.resolve()
        data = self.resolved.read((left, bottom, width, height), components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(height, width, 3)

    def depths(self, left: int, bottom: int, width: int, height: int) -> NDArray[np.float32]:
        """Return the depths of a rectangle as they stand in the buffer, [height, width]."""
        self.resolve()
        data = self.resolved.read(
            (left, bottom, width, height), attachment=-1, alignment=1, dtype="f4"
        )
        return np.frombuffer(data, np.float32).reshape(height, width)

    def release(self) -> None:
        """Free the buffers."""
        self.drawn.release()
        self.resolved.release()
