"""Two pictures side by side: MuJoCo's, by its own renderer, and one drawn by moderngl; text, boxes and figures over them."""

from types import SimpleNamespace

import moderngl
import mujoco
import numpy as np
from mujoco.egl import GLContext

from sinew.draw.text import Text

WIDTH, HEIGHT = 480, 360


class Peer:
    """MuJoCo's renderer off screen."""

    def __init__(self, fontscale=100, samples=4):
        self.gl = GLContext(WIDTH, HEIGHT)
        self.gl.make_current()
        xml = (
            f"<mujoco><visual><global offwidth='{WIDTH}' offheight='{HEIGHT}'/>"
            f"<quality offsamples='{samples}' shadowsize='1'/></visual><worldbody/></mujoco>"
        )
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.context = mujoco.MjrContext(self.model, 150)
        self.font(fontscale)

    def close(self):
        """Free the context: else its memory stays with the process."""
        self.gl.make_current()
        self.context.free()
        self.gl.free()

    def font(self, fontscale):
        """Change the size of text."""
        self.gl.make_current()
        mujoco.mjr_changeFont(fontscale, self.context)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self.context)

    def picture(self, draw, ground=(0.0, 0.0, 0.0)):
        """What `draw(context)` leaves over a ground of one colour, upside down as OpenGL has it."""
        self.gl.make_current()
        mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, WIDTH, HEIGHT), *ground, 1)
        draw(self.context)
        pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        mujoco.mjr_readPixels(pixels, None, mujoco.MjrRect(0, 0, WIDTH, HEIGHT), self.context)
        return pixels


class Ours:
    """A frame buffer of moderngl's."""

    def __init__(self, fontscale=100, samples=4):
        self.gl = moderngl.create_context(standalone=True, backend="egl")
        size = (WIDTH, HEIGHT)
        self.drawn = self.gl.framebuffer(
            self.gl.renderbuffer(size, 4, samples=samples),
            self.gl.depth_renderbuffer(size, samples=samples),
        )
        self.read = self.gl.framebuffer(self.gl.renderbuffer(size, 4))
        self.texts = {}
        self.font(fontscale)

    def close(self):
        """Free the context."""
        self.gl.release()

    def font(self, fontscale):
        """Change the size of text."""
        with self.gl:
            if fontscale not in self.texts:
                self.texts[fontscale] = Text(self.gl, fontscale)
        self.text = self.texts[fontscale]

    def picture(self, draw, ground=(0.0, 0.0, 0.0)):
        """What `draw(text)` leaves over a ground of one colour, upside down as OpenGL has it."""
        with self.gl:
            self.drawn.use()
            self.drawn.clear(*ground, 1.0)
            draw(self.text)
            self.gl.copy_framebuffer(self.read, self.drawn)
            data = self.read.read(components=3, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH, 3)


def rect(left, bottom, width, height):
    """A rectangle for both."""
    return SimpleNamespace(left=left, bottom=bottom, width=width, height=height)


def box(mask):
    """Where a mask is set: left, bottom, right, top, all of them inside; None where it is not."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])


def painted(picture, ground=(0, 0, 0)):
    """Box of what is not ground."""
    return box((picture != np.array(ground, np.uint8)).any(2))
