"""Shaders: programs by what they are compiled for."""

from __future__ import annotations

from importlib import resources
from typing import Any

import moderngl

from . import geometry, instances

EYE, LIGHTS = 0, 1  # bindings of uniform blocks
# definitions that are 0 unless something else is said
COUNTS = (
    "PLAIN_LIGHTS", "SHADOW_LIGHTS", "SHADOW_CONES", "WIRES", "CULL", "TEXTURE", "FOG", "CLIPPED", "SKY", "DEPTH_ONLY", "SEGMENT",
)  # fmt: skip


def text(name: str) -> str:
    """Return the text of a shader of this package; nothing where there is none of this name."""
    file = resources.files(__package__) / "shaders" / name
    return file.read_text("utf-8") if file.is_file() else ""


def _part(program: moderngl.Program, buffer: Any, layout: str, names: tuple[str, ...]) -> tuple:
    """Return a part of a vertex array's content; what the program does not use is passed over."""
    layout, _, step = layout.partition("/")
    known = [name in program for name in names]
    formats = [
        f if k else f"{4 * int(f[:-1])}x" for f, k in zip(layout.split(), known, strict=True)
    ]
    used = [name for name, k in zip(names, known, strict=True) if k]
    return (buffer, " ".join(formats) + (f"/{step}" if step else ""), *used)


def _shadow_text(number: int, cones: int) -> dict[str, str]:
    """Return declarations of shadow maps, and the light that they let through (arrays of samplers want constants).

    `cones` has the bits of lights whose maps are seen in perspective.
    """
    each = range(number)
    let = [
        f"textureProj(shadow_map{i}, at.shadow_at[{i}])"
        if cones >> i & 1
        else f"texture(shadow_map{i}, at.shadow_at[{i}].xyz)"
        for i in each
    ]
    return {
        "SHADOW_MAPS": " ".join(f"uniform sampler2DShadow shadow_map{i};" for i in each),
        "SHADOWED_SUM": " ".join(f"+ at.shade[{i}] * {let[i]}" for i in each),
    }


class Programs:
    """Programs of the shaders of a name, one for each set of definitions; made when first asked for.

    Those with WIRES have the geometry shader, too.
    """

    def __init__(self, gl: moderngl.Context, name: str) -> None:
        self.gl = gl
        self._texts = {kind: text(f"{name}.{kind}") for kind in ("vert", "frag", "geom")}
        self._shared = text("eye.glsl") + text(f"{name}.glsl")
        self._made: dict[tuple, moderngl.Program] = {}
        self._arrays: dict[tuple, tuple] = {}

    def get(self, **definitions: int) -> moderngl.Program:
        """Return the program with these definitions (those that are 0 are left out)."""
        key = tuple(sorted((k, int(v)) for k, v in definitions.items() if v))
        if key not in self._made:
            program = self._compile(dict.fromkeys(COUNTS, 0) | dict(key))
            for name, binding in (("Eye", EYE), ("Lights", LIGHTS)):
                if name in program:
                    program[name].binding = binding
            self._made[key] = program
        return self._made[key]

    def _compile(self, definitions: dict[str, Any]) -> moderngl.Program:
        definitions = definitions | _shadow_text(
            definitions["SHADOW_LIGHTS"], definitions["SHADOW_CONES"]
        )
        lines = "".join(f"#define {k} {v}\n" for k, v in definitions.items())
        texts = {
            kind: "#version 330 core\n" + lines + self._shared + t
            for kind, t in self._texts.items()
        }
        return self.gl.program(
            vertex_shader=texts["vert"],
            fragment_shader=texts["frag"],
            geometry_shader=texts["geom"] if definitions["WIRES"] else None,
        )

    def array(self, program: moderngl.Program, shapes: geometry.Geometry, data: Any) -> Any:
        """Return the vertex array of all shapes with instances in `data`, made anew when a buffer is another."""
        version = shapes.vertices.version, shapes.indices.version, data.glo
        held = self._arrays.get(program.glo)
        if held is None or held[0] != version:
            if held is not None:
                held[1].release()
            content = [
                _part(program, shapes.vertices.buffer, geometry.FORMAT, geometry.NAMES),
                _part(program, data, instances.FORMAT, instances.NAMES),
            ]
            held = version, self.gl.vertex_array(program, content, shapes.indices.buffer)
            self._arrays[program.glo] = held
        return held[1]

    def release(self) -> None:
        """Free all."""
        for _, array in self._arrays.values():
            array.release()
        for program in self._made.values():
            program.release()
        self._arrays.clear()
        self._made.clear()
