"""What is kept of a model on an OpenGL context, and the picture of a scene."""

from __future__ import annotations

from importlib import resources
from typing import Any

import moderngl
import numpy as np

from . import camera, context, instances, shapes
from .targets import Offscreen

LIGHTS = 8


def shader(name: str) -> str:
    """Return the text of a shader."""
    return (resources.files(__package__) / "shaders" / name).read_text()


def part(
    program: moderngl.Program, buffer: moderngl.Buffer, layout: str, names: tuple[str, ...]
) -> tuple:
    """Return a part of a vertex array's content; what the program does not use is passed over."""
    layout, _, step = layout.partition("/")
    formats = layout.split()
    known = [name in program for name in names]
    formats = [f if k else f"{4 * int(f[:-1])}x" for f, k in zip(formats, known, strict=True)]
    used = [name for name, k in zip(names, known, strict=True) if k]
    return (buffer, " ".join(formats) + (f"/{step}" if step else ""), *used)


class Drawing:
    """Draws scenes of a model into the context that is current when it is made, else into one of ours.

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
        self.program = self.gl.program(shader("scene.vert"), shader("scene.frag"))
        self._shapes: dict[int, Any] = {}
        self._instances = self.gl.buffer(reserve=instances.COLUMNS * 4 * 256, dynamic=True)

    # ---- shapes

    def _vertices(self, kind: int) -> np.ndarray | None:
        slices, stacks, quads = (
            self.quality.numslices,
            self.quality.numstacks,
            self.quality.numquads,
        )
        match kind:
            case instances.PLANE:
                return shapes.plane(quads)
            case instances.SPHERE | instances.ELLIPSOID:
                return shapes.sphere(slices, stacks)
            case instances.CAPSULE:
                return shapes.capsule(slices, stacks)
            case instances.CYLINDER:
                return shapes.cylinder(slices, stacks)
            case instances.BOX:
                return shapes.box(quads)
        return None

    def _shape(self, kind: int) -> Any:
        if kind not in self._shapes:
            vertices = self._vertices(kind)
            made = None
            if vertices is not None:
                buffer = self.gl.buffer(np.ascontiguousarray(vertices, np.float32))
                content = [
                    part(self.program, buffer, shapes.FORMAT, shapes.NAMES),
                    part(self.program, self._instances, instances.FORMAT, instances.NAMES),
                ]
                made = self.gl.vertex_array(self.program, content)
            self._shapes[kind] = made
        return self._shapes[kind]

    # ---- a picture

    def render(self, rect: tuple[int, int, int, int], scene: Any) -> None:
        """Draw a scene into a rectangle of the buffer (left, bottom, width, height)."""
        target = self.offscreen.drawn
        target.use()
        target.viewport = target.scissor = rect
        target.clear(0.0, 0.0, 0.0, 1.0, depth=0.0)
        self.gl.enable_only(moderngl.DEPTH_TEST)
        self.gl.depth_func = ">="
        with self.clip:
            self._camera(scene.camera[0], rect[2] / max(1, rect[3]))
            self._lights(scene)
            self._geoms(scene)
        target.scissor = None

    def _camera(self, eye: Any, aspect: float) -> None:
        box = camera.frustum(eye, aspect)
        view = camera.projection(*box, bool(eye.orthographic)) @ camera.look(
            eye.pos, eye.forward, eye.up
        )
        self.program["view"].write(np.ascontiguousarray(view.T, np.float32))
        self.program["depth_is_whole"] = not self.clip.there
        self.program["eye"] = tuple(eye.pos)

    def _lights(self, scene: Any) -> None:
        program = self.program
        count = min(scene.nlight, LIGHTS)
        program["nlight"] = count
        for i in range(count):
            light = scene.lights[i]
            parallel = light.type == 1
            program[f"lights[{i}].position"] = (
                *(-light.dir if parallel else light.pos),
                0.0 if parallel else 1.0,
            )
            program[f"lights[{i}].direction"] = tuple(light.dir)
            for name in ("ambient", "diffuse", "specular"):
                program[f"lights[{i}].{name}"] = tuple(getattr(light, name))
            program[f"lights[{i}].attenuation"] = (
                (1.0, 0.0, 0.0) if parallel else tuple(light.attenuation)
            )
            spot = light.type == 0
            program[f"lights[{i}].cutoff"] = (
                float(np.cos(np.radians(light.cutoff))) if spot else -2.0
            )
            program[f"lights[{i}].exponent"] = light.exponent

    def _geoms(self, scene: Any) -> None:
        rows = scene._geom_rows[: scene.ngeom]
        kinds = rows["type"]
        for kind in np.unique(kinds):
            shape = self._shape(int(kind))
            if shape is None:
                continue
            data = instances.instances(rows[kinds == kind])
            if data.nbytes > self._instances.size:
                self._instances.orphan(2 * data.nbytes)
            self._instances.write(data)
            shape.render(instances=len(data))
