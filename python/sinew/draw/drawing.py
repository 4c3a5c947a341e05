"""What is kept of a model on an OpenGL context, and the picture of a scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from . import camera, context, instances, kinds, lights, reflection, shadows, shapes
from .assets import Assets
from .boxes import Boxes, Cover
from .frame import Frame
from .geometry import Geometry
from .instances import Rect
from .masks import Masked
from .planes import Planes
from .programs import EYE, LIGHTS, Programs
from .quality import Quality
from .quality import quality as quality_of
from .sky import Fog, Sky
from .targets import Target, Targets
from .text import Text
from .textures import Textures

_MULTISAMPLE = 0x809D


class Drawing:
    """Draws scenes of a model into the context that is current when it is made, else into one of ours.

    What others hook into: `geometry.makers` (shapes by type and dataid), `textures` (see Textures), `passes`
    (functions of a Frame, called in their order for each eye), `starts` (functions of a Frame, called before
    the geoms are gathered: whoever moves vertices does it there).

    Parameters
    ----------
    model : Model
        What is drawn.
    quality : str, Quality or None
        None: as model.vis.quality says; "fast"; "fine".
    size : (int, int), optional
        Width and height of the picture off screen; None: as model.vis says.
    where : Context, optional
        What is drawn into, counted by the caller; None: the context that is current, else one of ours.
    """

    def __init__(
        self,
        model: Any,
        quality: str | Quality | None = None,
        size: tuple[int, int] | None = None,
        where: context.Context | None = None,
    ) -> None:
        self.model = model
        self.quality = quality if isinstance(quality, Quality) else quality_of(model, quality)
        self.line_width = model.vis.global_.linewidth
        self._fontscale = 150
        self._letters: Text | None = None
        self.context = where or context.current()
        try:
            with self.context as self.gl:
                self._make(size)
        except BaseException:
            self.context.leave()
            raise

    def _make(self, size: tuple[int, int] | None) -> None:
        self.clip = context.ClipControl(self.context)
        self.indirect = self.context.draws_indirect()
        visual = self.model.vis.global_
        width, height = size or (visual.offwidth, visual.offheight)
        self.targets = Targets(self.context, width, height, self.quality.offsamples)
        self.programs = Programs(self.gl, "scene")
        self.geometry = Geometry(self.gl)
        self.planes = Planes(self.model, self.quality)
        self.geometry.makers.update(shapes.makers(self.quality, self.planes))
        model = self.model
        maps = model.vis.map
        side = min(int(self.quality.shadowsize), self.gl.info["GL_MAX_TEXTURE_SIZE"])
        reach = maps.shadowclip * model.stat.extent
        self.shadows = shadows.Shadows(self.gl, side, reach, maps.shadowscale)
        self.assets = Assets(self.geometry, model, self.quality)
        self.textures = Textures(self.gl, model, self.quality.smooth_textures)
        self.sky = Sky(self)
        self.fog = Fog(model)
        self.mirror = reflection.Mirror(self)
        self.starts: list[Callable[[Frame], None]] = [self.assets.follow]
        self.passes: list[Callable[[Frame], None]] = [
            self.mirror.draw,
            self.draw_opaque,
            self.sky.draw,
            self.draw_transparent,
            self.write_labels,
            self.draw_border,
        ]
        self._instances = self.gl.buffer(reserve=instances.COLUMNS * 4 * 256, dynamic=True)
        self._commands = self.gl.buffer(reserve=20 * 256, dynamic=True)
        self._eye = self.gl.buffer(reserve=4 * 48, dynamic=True)
        self._lights = self.gl.buffer(reserve=4 * lights.BLOCK, dynamic=True)

    @property
    def offscreen(self) -> Target:
        """The picture off screen."""
        return self.targets.offscreen

    # ---- a picture

    def render(self, rect: Rect, scene: Any) -> None:
        """Draw a scene into a rectangle of the buffer that is drawn into (left, bottom, width, height)."""
        # poses that are no numbers are left out: nobody needs to hear of each sum with them
        with self.context, np.errstate(invalid="ignore", over="ignore"):
            if scene.stereo == kinds.NO_STEREO:
                self._render(rect, scene, camera.middle(scene))
                return
            half = rect[2] // 2
            self._render((*rect[:2], half, rect[3]), scene, scene.camera[0])
            self._render((rect[0] + half, rect[1], half, rect[3]), scene, scene.camera[1])

    def _render(self, rect: Rect, scene: Any, eye: Any) -> None:
        if not camera.opened(eye):
            return
        frame = Frame(scene, rect, eye)
        self.gl.enable_only(moderngl.DEPTH_TEST)
        self.gl.depth_func = ">="
        self.gl.wireframe = False
        try:
            if camera.sees(eye):
                self._pass(frame)
            else:
                self._begin(frame)
        finally:
            self._sample(True)
            self.targets.current.use()

    def _pass(self, frame: Frame) -> None:
        frame.aim()
        for start in self.starts:
            start(frame)
        self.gather(frame)
        with self.clip:
            self.light(frame)
            self.cast_shadows(frame)
            self._begin(frame)
            self._sample(not frame.segment)
            self.look(frame)
            for step in self.passes:
                step(frame)

    def _begin(self, frame: Frame) -> None:
        """Draw into the rectangle of a frame, which is emptied."""
        self.targets.current.use()
        target = self.targets.current.drawn
        target.viewport = target.scissor = frame.rect
        target.clear(0.0, 0.0, 0.0, 1.0, depth=0.0)

    def draw_border(self, frame: Frame) -> None:
        """Draw the border of a scene over the edges of its picture; depths stay."""
        left, bottom, width, height = frame.rect
        edge = min(max(0, int(frame.scene.framewidth)), width // 2, height // 2)
        if not edge:
            return
        colour = *map(float, frame.scene.framergb), 1.0
        with Masked(self.gl, depths=False):
            for part in (
                (left, bottom, width, edge),
                (left, bottom + height - edge, width, edge),
                (left, bottom, edge, height),
                (left + width - edge, bottom, edge, height),
            ):
                self.targets.current.drawn.clear(*colour, viewport=part)

    def _sample(self, on: bool) -> None:
        """Let the samples of a pixel differ, or be as the pixel's middle: numbers of objects and depths have no mean."""
        (self.gl.enable_direct if on else self.gl.disable_direct)(_MULTISAMPLE)

    def gather(self, frame: Frame) -> None:
        """Find what is drawn of the scene, and write its instances."""
        rows, eye = frame.rows, frame.position()
        fewer = instances.fewer_facets(frame) if self.quality.by_size else np.zeros(len(rows), int)
        shape = instances.find_shapes(rows, self.geometry, fewer)
        there = np.flatnonzero((shape >= 0) & instances.there(rows))
        parts = instances.Parts(there, shape[there], self.textures.keys(rows)[there])
        if frame.segment:
            there = there[rows["segid"][there] >= 0]
            parts = instances.Parts(there, shape[there], np.zeros_like(there))
        behind = instances.behind(rows, eye)
        clear = instances.transparent(rows, behind)[parts.row] & (not frame.segment)
        rows["transparent"][parts.row] = clear
        opaque, transparent = parts.taken(~clear), parts.taken(clear)
        frame.mirror = self.mirror.find(frame, opaque)
        if frame.mirror < 0:  # a mirror shows what the eye does not see
            seen = instances.seen(rows, frame.view)
            opaque, transparent = (p.taken(seen[p.row]) for p in (opaque, transparent))
        near = instances.order_transparent(rows, transparent.row, eye)
        # once from near to far and once more from far to near, as in the peer
        once = bool(frame.flags[kinds.F_ADDITIVE])
        transparent = transparent.taken(near if once else np.concatenate([near, near[::-1]]))
        casting = instances.casting(parts, rows, fewer, self.geometry)
        self._write(frame, behind, (opaque, transparent, casting))
        frame.transparent, frame.casting = (
            instances.in_pieces(parts, self.geometry) for parts in (transparent, casting)
        )
        self._sort_out(frame, opaque)

    def _write(self, frame: Frame, behind: NDArray, lists: tuple[instances.Parts, ...]) -> None:
        """Write the instances of lists, one list after the other; the last has what casts shadows."""
        row = np.concatenate([parts.row for parts in lists])
        geoms = frame.rows[row]
        data = instances.columns(geoms, behind[row], self.planes, self.line_width, len(lists[-1]))
        if frame.segment:
            data[:, instances.COLOUR] = instances.numbers(
                geoms["segid"], bool(frame.flags[kinds.F_IDCOLOR])
            )
        self.textures.columns(geoms, data[:, instances.TEXTURE])
        first = 0
        for parts in lists:
            parts.place = first + np.arange(len(parts))
            first += len(parts)
        self._rows = data
        if self.indirect:
            _fill(self._instances, data)
        frame.data = data

    def _sort_out(self, frame: Frame, opaque: instances.Parts) -> None:
        """Leave out what neither the eye nor a mirror can see, and part what both see from the mirror."""
        is_mirror = opaque.row == frame.mirror
        frame.face = opaque.taken(is_mirror)
        rest = instances.in_pieces(opaque.taken(~is_mirror), self.geometry)
        frame.mirrored = rest.taken(slice(0, 0))
        if frame.mirror >= 0:
            frame.mirrored = self.mirror.pick(frame, rest)
        frame.covers = self._covers(frame, opaque)
        there = Boxes.of(rest, frame.data, self.geometry)
        shown = there.reach(frame.view)
        if len(rest) > len(opaque):  # there are pieces: what is hidden is worth to be found
            for cover in frame.covers:
                shown &= ~np.logical_and(*cover.hide(there))
        frame.opaque = rest.taken(shown)
        frame.shown = there.taken(shown)
        if frame.mirror < 0 and len(frame.transparent):
            there = Boxes.of(frame.transparent, frame.data, self.geometry)
            frame.transparent = frame.transparent.taken(there.reach(frame.view))

    def _covers(self, frame: Frame, opaque: instances.Parts) -> list[Cover]:
        """Return the planes that hide from the eye what is behind them."""
        if frame.segment or frame.wires:
            return []
        rows, planes, eye = frame.rows, self.planes, frame.position()
        along = frame.forward if frame.eye.orthographic else None
        flat = opaque.row[instances.known_planes(rows[opaque.row], planes)]
        covers = [
            Cover(geom, rows[geom], planes.half[index], planes.endless[index], eye, along)
            for geom, index in zip(flat.tolist(), rows["dataid"][flat].tolist(), strict=True)
        ]
        return [cover for cover in covers if cover.before(frame.near_reach())]

    def look(self, frame: Frame, mirrored: reflection.Mirrored | None = None) -> None:
        """Let shaders see the scene with the eye of a picture, or with it in a mirror."""
        view, position, forward, tint = frame.view, frame.position(), frame.forward, 1.0
        data = np.zeros((12, 4), np.float32)
        if mirrored is not None:
            view, data[7], tint = view @ mirrored.turn, mirrored.plane, mirrored.reflectance
            position, forward = mirrored.point(position), mirrored.direction(forward)
        data[:4] = view.T
        data[4] = *position, not self.clip.there
        data[5] = *frame.rect[2:], self.line_width, tint
        data[6] = *[frame.lights.ambient] * 3, frame.turn.scale
        data[8, :3] = forward
        sampled = self.targets.current.samples > 1 and not frame.segment
        mirror = 1 if mirrored is None else -1
        data[9], data[10] = self.fog.rgba, (self.fog.start, self.fog.end, sampled, mirror)
        self._eye.write(data)

    def bind_eye(self) -> None:
        """Let the next shader see what `look` has written."""
        self._eye.bind_to_uniform_block(EYE)

    def light(self, frame: Frame) -> None:
        """Let shaders see the lights of the scene."""
        shadows = bool(frame.flags[kinds.F_SHADOW]) and self.shadows.there and not frame.wires
        frame.lights = lights.Lights(frame.scene, shadows and not frame.segment)
        frame.maps = [self.shadows.view(light, frame.eye) for light in frame.lights.casting]
        self._lights.write(frame.lights.block(frame.maps))

    def cast_shadows(self, frame: Frame) -> None:
        """Draw the shadow maps of the lights that have one."""
        data = np.zeros((12, 4), np.float32)
        data[4, 3] = not self.clip.there
        cast = Boxes.of(frame.casting, frame.data, self.geometry)
        for index, view in enumerate(frame.maps):
            drawn = self._casting(frame, cast, index)
            self.shadows.begin(index, self.shadows.covered(cast.taken(drawn), view))
            data[:4] = view.T
            self._eye.write(data)
            parts = frame.casting.taken(drawn)
            # of what the near plane does not cut open only outer faces can be in the map
            beyond = cast.taken(drawn).along((view[3] - view[2])[None])[0][:, 0] > 0
            closed = kinds.among(frame.rows["type"][parts.row], kinds.CLOSED)
            closed = beyond & (closed | self.geometry.closed[parts.shape])
            self.draw(frame, parts.taken(closed), cull=True, DEPTH_ONLY=1)
            self.draw(frame, parts.taken(~closed), cull=False, DEPTH_ONLY=1)
        if frame.maps:
            self.shadows.end()

    def _casting(self, frame: Frame, cast: Boxes, index: int) -> NDArray[np.int64]:
        """Return which of the parts that cast shadows are drawn into the map of a light."""
        light, view, row = frame.lights.casting[index], frame.maps[index], frame.casting.row
        seen = frame.shown.taken(frame.shown.reach(view))
        out = shadows.needless(row, cast, seen, frame.covers, light, view)
        return np.flatnonzero(cast.reach(view) & ~out)

    # ---- passes

    def draw_opaque(self, frame: Frame) -> None:
        """Draw what hides what is behind it; a mirror adds to what it shows."""
        if len(frame.face):
            self.mirror.add(frame)
        self.draw(frame, frame.opaque, shadows=True)

    def draw_transparent(self, frame: Frame, **definitions: int) -> None:
        """Draw what lets through what is behind it; it hides nothing, and no shadow falls on it."""
        if not len(frame.transparent):
            return
        additive = bool(frame.flags[kinds.F_ADDITIVE])
        self.gl.enable(moderngl.BLEND)
        self.gl.blend_func = (
            moderngl.SRC_ALPHA,
            moderngl.ONE if additive else moderngl.ONE_MINUS_SRC_ALPHA,
        )
        with Masked(self.gl, depths=False):
            self.draw(frame, frame.transparent, **definitions)
        self.gl.disable(moderngl.BLEND)

    def write_labels(self, frame: Frame) -> None:
        """Write the labels of geoms over all that has been drawn, in the order of the scene."""
        labelled = np.flatnonzero(frame.rows["label"] != b"")
        if frame.segment or not len(labelled):
            return
        rows = frame.rows[labelled]
        depth, one = (np.c_[rows["pos"], np.ones(len(rows))] @ frame.view[2:].T).T
        rows = rows[(depth >= 0) & (depth <= one)]  # between the near plane and the far one
        texts = [label.decode(errors="replace") for label in rows["label"].tolist()]
        self.letters().labels(frame.rect, frame.view, rows["pos"], texts)

    def letters(self) -> Text:
        """Return what writes text, made when it is asked for first."""
        if self._letters is None:
            self._letters = Text(self.gl, self._fontscale)
        return self._letters

    def write_with(self, fontscale: int) -> None:
        """Write text in another size (one of Text's)."""
        if self._letters is not None:
            with self.context:
                self._letters.release()
        self._fontscale, self._letters = fontscale, None

    def draw(
        self,
        frame: Frame,
        parts: instances.Parts,
        shadows: bool = False,
        cull: bool | None = None,
        **definitions: int,
    ) -> None:
        """Draw instances in their order; `definitions` go to the program beside those of lights and textures.

        `shadows` : whether the maps of lights that have one take light away. `cull` : whether faces that look away
        are left out; None: as the scene says.
        """
        if not len(parts):
            return
        wires = frame.wires
        cull = bool(frame.flags[kinds.F_CULL_FACE]) if cull is None else cull
        alone = parts.place - np.arange(len(parts))  # changes where instances are not neighbours
        starts = instances.runs(parts.texture, parts.shape, alone)
        commands = self._command(parts, starts, wires)
        texture = parts.texture[starts[:-1]]
        bounds = instances.runs(texture)
        self.bind_eye()
        self._lights.bind_to_uniform_block(LIGHTS)
        definitions |= {"WIRES": wires, "CULL": wires and cull}
        definitions |= self._lit(frame, shadows)
        mode = moderngl.LINES_ADJACENCY if wires else moderngl.TRIANGLES
        if cull and not wires:
            self.gl.enable(moderngl.CULL_FACE)
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            key = int(texture[begin])
            program = self.programs.get(**self.textures.definitions(key), **definitions)
            self.textures.bind(key, program)
            if shadows:
                self.shadows.bind(program, frame.lights.shadowed)
            array = self.programs.array(program, self.geometry, self._instances)
            if self.indirect:
                array.render_indirect(self._commands, mode, end - begin, begin)
            else:
                self._draw_each(array, mode, commands[begin:end])
        self.gl.disable(moderngl.CULL_FACE)

    def _lit(self, frame: Frame, shadows: bool) -> dict[str, int]:
        """Return what programs are compiled with for the lights of a frame."""
        if frame.segment:
            return {"SEGMENT": 1}
        plain, shadowed = frame.lights.plain, frame.lights.shadowed
        fog = {"FOG": bool(frame.flags[kinds.F_FOG])}
        if shadows:
            cones = frame.lights.cones
            return {
                "PLAIN_LIGHTS": plain,
                "SHADOW_LIGHTS": shadowed,
                "SHADOW_CONES": cones,
                **fog,
            }
        return {"PLAIN_LIGHTS": plain + shadowed, **fog}

    def _draw_each(self, array: Any, mode: int, commands: NDArray) -> None:
        """Do what commands say one by one, where OpenGL (4.1 of macOS) does not take them from a buffer.

        It does not begin at an instance, either, so that the buffer has those of one command at a time.
        """
        for number, count, first, _, place in commands.tolist():
            self._instances.orphan()
            self._instances.write(self._rows[place : place + count])
            array.render(mode, number, first=first, instances=count)

    def _command(self, parts: instances.Parts, starts: NDArray, wires: bool) -> NDArray:
        """Return commands that draw runs of equal shapes: number, instances, first index, 0, first instance."""
        places = self.geometry.places[parts.shape[starts[:-1]]]
        commands = np.zeros((len(places), 5), np.uint32)
        commands[:, [0, 2]] = places[:, [3, 2]] if wires else places[:, [1, 0]]
        commands[:, 1] = np.diff(starts)
        commands[:, 4] = parts.place[starts[:-1]]
        if self.indirect:
            _fill(self._commands, commands)
        else:
            _make_room(self._instances, 4 * instances.COLUMNS * int(commands[:, 1].max()))
        return commands

    # ---- what of the model has changed

    def upload_mesh(self, index: int) -> None:
        """Take a mesh of the model again, whose numbers have changed."""
        self.assets.upload_mesh(index)

    def upload_hfield(self, index: int) -> None:
        """Take a height field of the model again, whose numbers have changed."""
        self.assets.upload_hfield(index)

    def upload_texture(self, index: int) -> None:
        """Take a texture of the model again, whose texels have changed."""
        with self.context:
            self.textures.upload(index)

    def release(self) -> None:
        """Free what is kept; it draws no more."""
        if self.context.usable():
            with self.context:
                self._free()
                if not self.context.owned:
                    self.context.forget()
        self.context.leave()

    def abandon(self) -> None:
        """Free it as far as the thread that finds it unused can: what it leaves, the next drawing there frees."""
        if self.context.owned:
            self.context.leave()
        else:
            self.release()

    def _free(self) -> None:
        if self._letters is not None:
            self._letters.release()
        for part in (
            self.mirror,
            self.sky,
            self.textures,
            self.shadows,
            self.programs,
            self.geometry,
        ):
            part.release()
        self.targets.release()
        for buffer in (self._instances, self._commands, self._eye, self._lights):
            buffer.release()


def _make_room(buffer: moderngl.Buffer, size: int) -> None:
    """Let a buffer grow."""
    if size > buffer.size:
        buffer.orphan(2 * size)


def _fill(buffer: moderngl.Buffer, data: NDArray) -> None:
    """Write an array to the start of a buffer, which grows."""
    _make_room(buffer, data.nbytes)
    if data.size:
        buffer.write(data)
