"""The mirror of a picture: a plane, or the upper face of a box, that shows what stands over it.

As in the peer there is one a picture, the first opaque plane or box of the scene that reflects and whose upper
side is seen. What it shows is drawn first, mirrored, without shadows, its colours times the reflectance; the
mirror's own colours are then added. The depth buffer keeps what is mirrored to where the mirror is: it starts all
near, and the mirror opens it.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import instances, kinds
from .boxes import Boxes, narrowed, overlap
from .instances import Parts, Rect
from .masks import Masked
from .planes import Planes
from .programs import Programs

_CLIP_DISTANCE0 = 0x3000


def find(rows: NDArray, opaque: NDArray, eye: NDArray) -> int:
    """Return which geom is the mirror of a picture, -1: none.

    Parameters
    ----------
    rows : structured array [n]
        The geoms of the scene.
    opaque : array [k]
        Those that hide what is behind them.
    eye : array [3]
        Where they are seen from.
    """
    opaque = np.sort(opaque)
    flat = np.isin(rows["type"][opaque], (kinds.PLANE, kinds.BOX))
    able = opaque[flat & (rows["reflectance"][opaque] > 0)]
    if not len(able):
        return -1
    normal, point = face(rows[able])
    seen = able[np.einsum("ij,ij->i", normal, eye - point) > 0]
    return int(seen[0]) if len(seen) else -1


def face(rows: NDArray) -> tuple[NDArray, NDArray]:
    """Return normals [n, 3] and centres [n, 3] of the upper sides of planes and boxes [n]."""
    normal = rows["mat"].reshape(-1, 3, 3)[:, :, 2].astype(float)
    height = np.where(rows["type"] == kinds.BOX, rows["size"][:, 2], 0)
    return normal, rows["pos"] + height[:, None] * normal


class Mirrored:
    """What is seen in a mirror, from where its plane is and how much it reflects.

    turn : matrix [4, 4] that mirrors points; plane [4]: points p before it have plane @ (p, 1) > 0.
    """

    def __init__(self, row: NDArray, planes: Planes) -> None:
        normal, centre = (part[0] for part in face(row[None]))
        self.reflectance = float(row["reflectance"])
        self.turn = np.eye(4)
        self.turn[:3, :3] -= 2 * np.outer(normal, normal)
        self.turn[:3, 3] = 2 * (normal @ centre) * normal
        self.plane = np.append(normal, -normal @ centre)
        self.place = np.eye(4)  # of the square from -1 to 1 that is the mirror's face
        self.place[:3, :3] = row["mat"].reshape(3, 3) * (
            *instances.sizes(row[None], planes)[0, :2],
            1,
        )
        self.place[:3, 3] = centre

    def point(self, at: NDArray) -> NDArray:
        """Return a mirrored point."""
        return self.turn[:3, :3] @ at + self.turn[:3, 3]

    def direction(self, along: NDArray) -> NDArray:
        """Return a mirrored direction."""
        return self.turn[:3, :3] @ along


class Mirror:
    """Draws what the mirror of a picture shows."""

    def __init__(self, drawing: Any) -> None:
        self.drawing = drawing
        self.wanted = drawing.quality.reflections
        self.programs = Programs(drawing.gl, "mirror")
        self._opening = drawing.gl.vertex_array(self.programs.get(), [])

    def find(self, frame: Any, opaque: Any) -> int:
        """Return which geom is the mirror of a picture, -1: none."""
        flags = frame.flags
        if not self.wanted or not flags[kinds.F_REFLECTION] or flags[kinds.F_SEGMENT]:
            return -1
        return find(frame.rows, opaque.row, frame.position())

    def draw(self, frame: Any) -> None:
        """Draw what is seen in the mirror, and leave depths as they were found: nothing drawn yet."""
        if frame.mirror < 0:
            return
        drawing, gl = self.drawing, self.drawing.gl
        seen = Mirrored(frame.rows[frame.mirror], drawing.planes)
        shown = Boxes.of(frame.mirrored, frame.data, drawing.geometry)
        part = self._part(frame, shown, seen)
        if not (part[2] and part[3]):
            return
        # samples of pixels beside what is cut off are drawn now and then: there, too, the mirror is not open
        wide = overlap((part[0] - 1, part[1] - 1, part[2] + 2, part[3] + 2), frame.rect)
        gl.fbo.scissor = wide
        self._open(seen)
        gl.fbo.scissor = part
        drawing.look(frame, seen)
        gl.front_face = "cw"
        gl.enable_direct(_CLIP_DISTANCE0)
        clear = shown.along(seen.plane[None])[0][:, 0] > 0
        try:
            drawing.draw(frame, frame.mirrored.taken(clear))
            drawing.draw(frame, frame.mirrored.taken(~clear), CLIPPED=1)
            drawing.draw_transparent(frame, CLIPPED=1)
        finally:  # what cannot be drawn is told, and the next picture is right
            gl.disable_direct(_CLIP_DISTANCE0)
            gl.front_face = "ccw"
        drawing.look(frame)
        gl.fbo.scissor = wide
        _clear_depths(gl, 0.0)
        gl.fbo.scissor = frame.rect

    def pick(self, frame: Any, parts: Parts) -> Parts:
        """Return what may be seen in the mirror of a picture."""
        seen = Mirrored(frame.rows[frame.mirror], self.drawing.planes)
        there = Boxes.of(parts, frame.data, self.drawing.geometry)
        over = there.along(seen.plane[None])[1][:, 0] > 0
        through = narrowed(frame.view, self._face(frame), frame.rect[2:])
        return parts.taken(over & there.reach(through @ seen.turn))

    def _face(self, frame: Any) -> Rect:
        """Return the part of a picture in which the mirror may be seen."""
        face = Boxes.of(frame.face, frame.data, self.drawing.geometry)
        return face.window(frame.view, frame.rect[2:])

    def _part(self, frame: Any, shown: Boxes, seen: Mirrored) -> Rect:
        """Return the part of the buffer in which something can be mirrored."""
        clear = Boxes.of(self.pick(frame, frame.transparent), frame.data, self.drawing.geometry)
        part = shown.joined(clear).window(frame.view @ seen.turn, frame.rect[2:])
        left, bottom, width, height = overlap(part, self._face(frame))
        return frame.rect[0] + left, frame.rect[1] + bottom, width, height

    def add(self, frame: Any) -> None:
        """Draw the mirror itself, over what it shows."""
        drawing, gl = self.drawing, self.drawing.gl
        gl.enable(moderngl.BLEND)
        gl.blend_func = moderngl.ONE, moderngl.ONE
        drawing.draw(frame, frame.face, shadows=True)
        gl.disable(moderngl.BLEND)

    def _open(self, seen: Mirrored) -> None:
        """Let only what is drawn over the mirror's face be seen."""
        drawing, gl = self.drawing, self.drawing.gl
        _clear_depths(gl, 1.0)
        self.programs.get()["place"].write(np.ascontiguousarray(seen.place.T, np.float32))
        drawing.bind_eye()
        gl.depth_func = "1"
        with Masked(gl, colours=False):
            self._opening.render(moderngl.TRIANGLE_STRIP, vertices=4)
        gl.depth_func = ">="

    def release(self) -> None:
        """Free what is kept."""
        self._opening.release()
        self.programs.release()


def _clear_depths(gl: moderngl.Context, depth: float) -> None:
    with Masked(gl, colours=False):
        gl.fbo.clear(depth=depth)
