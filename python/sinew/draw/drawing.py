"""What is kept of a model on an OpenGL context, and the picture of a scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import camera, context, instances, kinds, lights, shadows, shapes
from .geometry import Geometry
from .programs import EYE, LIGHTS, Programs
from .targets import Offscreen

Rect = tuple[int, int, int, int]


class NoTextures:
    """What `Drawing.textures` must answer; this one knows of none."""

    def keys(self, rows: NDArray) -> NDArray[np.int64]:
        """Return for each geom [n] what must be bound to draw it, 0 for nothing."""
        return np.zeros(len(rows), np.int64)

    def columns(self, rows: NDArray, out: NDArray[np.float32]) -> None:
        """Fill the columns g_texture and g_texture2 of instances, [n, 8]."""

    def definitions(self, key: int) -> dict[str, int]:
        """Return what the program of such geoms is compiled with."""
        return {}

    def bind(self, key: int, program: moderngl.Program) -> None:
        """Bind what such geoms want; `program` is about to draw them."""


class Frame:
    """A picture while it is drawn: the scene, one eye's view of it, and what of it is drawn in which order."""

    def __init__(self, scene: Any, rect: Rect) -> None:
        self.scene = scene
        self.rect = rect
        self.flags = np.asarray(scene.flags)
        self.wires = bool(self.flags[kinds.F_WIREFRAME])
        self.rows = instances.scene_rows(scene)
        self.eye = scene.camera[0]
        self.opaque: instances.Parts
        self.transparent: instances.Parts
        self.lights: lights.Lights


class Drawing:
    """Draws scenes of a model into the context that is current when it is made, else into one of ours.

    What others hook into: `geometry.makers` (shapes by type and dataid), `textures` (see NoTextures), `passes`
    (functions of a Frame, called in their order for each eye), `starts` (functions of a Frame, called before
    the geoms are gathered: whoever moves vertices does it there).

    Parameters
    ----------
    model : Model
        What is drawn.
    quality : visual quality
        model.vis.quality, or what has its members.
    """

    def __init__(self, model: Any, quality: Any = None) -> None:
        self.model = model
        self.quality = quality or model.vis.quality
        self.gl = context.current()
        self.clip = context.ClipControl(self.gl)
        visual = (
            model.vis.global_ if hasattr(model.vis, "global_") else getattr(model.vis, "global")
        )
        self.offscreen = Offscreen(
            self.gl, visual.offwidth, visual.offheight, self.quality.offsamples
        )
        self.line_width = visual.linewidth
        self.programs = Programs(self.gl, "scene")
        self.geometry = Geometry(self.gl)
        self.geometry.makers.update(shapes.makers(self.quality))
        extent, maps = model.stat.extent, model.vis.map
        size = min(int(self.quality.shadowsize), self.gl.info["GL_MAX_TEXTURE_SIZE"])
        self.shadows = shadows.Shadows(self.gl, size, maps.shadowclip * extent, maps.shadowscale)
        self.textures: Any = NoTextures()
        self.starts: list[Callable[[Frame], None]] = []
        self.passes: list[Callable[[Frame], None]] = [self.draw_opaque, self.draw_transparent]
        self._instances = self.gl.buffer(reserve=instances.COLUMNS * 4 * 256, dynamic=True)
        self._commands = self.gl.buffer(reserve=20 * 256, dynamic=True)
        self._eye = self.gl.buffer(reserve=4 * 32, dynamic=True)
        self._lights = self.gl.buffer(reserve=4 * lights.BLOCK, dynamic=True)

    # ---- a picture

    def render(self, rect: Rect, scene: Any) -> None:
        """Draw a scene into a rectangle of the buffer (left, bottom, width, height)."""
        target = self.offscreen.drawn
        target.use()
        target.viewport = target.scissor = rect
        target.clear(0.0, 0.0, 0.0, 1.0, depth=0.0)
        self.gl.enable_only(moderngl.DEPTH_TEST)
        self.gl.depth_func = ">="
        self.gl.wireframe = False
        frame = Frame(scene, rect)
        for start in self.starts:
            start(frame)
        self.gather(frame)
        with self.clip:
            self.light(frame)
            self.look(frame.eye, rect, frame.lights.ambient)
            for step in self.passes:
                step(frame)
        target.scissor = None

    def gather(self, frame: Frame) -> None:
        """Find what is drawn of the scene, and write its instances."""
        rows = frame.rows
        shape = instances.find_shapes(rows, self.geometry)
        there = np.flatnonzero(shape >= 0)
        parts = instances.Parts(there, shape[there], self.textures.keys(rows)[there])
        clear = rows["rgba"][there, 3] < 1
        opaque, transparent = parts.taken(~clear), parts.taken(clear)
        opaque = opaque.taken(instances.order_opaque(opaque))
        transparent = transparent.taken(instances.order_transparent(transparent, rows))
        order = rows[np.concatenate([opaque.row, transparent.row])]
        data = instances.columns(order, self.line_width)
        self.textures.columns(order, data[:, instances.TEXTURE])
        opaque.first, transparent.first = 0, len(opaque)
        frame.opaque, frame.transparent = opaque, transparent
        _fill(self._instances, data)

    def look(self, eye: Any, rect: Rect, ambient: float = 0.0) -> None:
        """Let shaders see the scene with the eyes of a MjvGLCamera."""
        box = camera.frustum(eye, rect[2] / max(1, rect[3]))
        view = camera.projection(*box, bool(eye.orthographic)) @ camera.look(
            eye.pos, eye.forward, eye.up
        )
        data = np.zeros(32, np.float32)
        data[:16] = view.T.ravel()
        data[16:19] = eye.pos
        data[19] = not self.clip.there
        data[20:22] = rect[2:]
        data[22] = max(1, round(self.line_width))
        data[24:27] = ambient
        self._eye.write(data)

    def light(self, frame: Frame) -> None:
        """Let shaders see the lights of the scene."""
        shadows_on = bool(frame.flags[kinds.F_SHADOW]) and self.shadows.size > 2 and not frame.wires
        frame.lights = lights.Lights(frame.scene, shadows_on)
        self._lights.write(frame.lights.rows)

    # ---- passes

    def draw_opaque(self, frame: Frame) -> None:
        """Draw what hides what is behind it."""
        self.draw(frame, frame.opaque)

    def draw_transparent(self, frame: Frame) -> None:
        """Draw what lets through what is behind it, from far to near."""
        if not len(frame.transparent):
            return
        self.gl.enable(moderngl.BLEND)
        self.gl.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.draw(frame, frame.transparent)
        self.gl.disable(moderngl.BLEND)

    def draw(self, frame: Frame, parts: instances.Parts, **definitions: int) -> None:
        """Draw instances in their order; `definitions` go to the program beside those of lights and textures."""
        if not len(parts):
            return
        wires = frame.wires
        starts = instances.runs(parts.texture, parts.shape)
        self._command(parts, starts, wires)
        texture = parts.texture[starts[:-1]]
        bounds = instances.runs(texture)
        self._eye.bind_to_uniform_block(EYE)
        self._lights.bind_to_uniform_block(LIGHTS)
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            key = int(texture[begin])
            program = self.programs.get(
                PLAIN_LIGHTS=frame.lights.plain,
                SHADOW_LIGHTS=frame.lights.shadowed,
                WIRES=wires,
                CULL=wires and bool(frame.flags[kinds.F_CULL_FACE]),
                **self.textures.definitions(key),
                **definitions,
            )
            self.textures.bind(key, program)
            array = self.programs.array(program, self.geometry, self._instances)
            mode = moderngl.LINES_ADJACENCY if wires else moderngl.TRIANGLES
            array.render_indirect(self._commands, mode, end - begin, begin)

    def _command(self, parts: instances.Parts, starts: NDArray, wires: bool) -> None:
        """Write the commands that draw runs of equal shapes: number, instances, first index, 0, first instance."""
        places = self.geometry.places[parts.shape[starts[:-1]]]
        commands = np.zeros((len(places), 5), np.uint32)
        commands[:, [0, 2]] = places[:, [3, 2]] if wires else places[:, [1, 0]]
        commands[:, 1] = np.diff(starts)
        commands[:, 4] = starts[:-1] + parts.first
        _fill(self._commands, commands)

    def release(self) -> None:
        """Free what is kept."""
        self.programs.release()
        self.geometry.release()
        self.offscreen.release()
        for buffer in (self._instances, self._commands, self._eye, self._lights):
            buffer.release()


def _fill(buffer: moderngl.Buffer, data: NDArray) -> None:
    """Write an array to the start of a buffer, which grows."""
    if data.nbytes > buffer.size:
        buffer.orphan(2 * data.nbytes)
    if data.size:
        buffer.write(data)
