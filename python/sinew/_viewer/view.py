"""What one page looks at: its camera, what it shows, and the messages that bring it there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import MjvCamera, MjvOption, MjvPerturb
from ..draw import camera, flexes, instances, kinds, lights
from ..draw.frame import Frame
from ..picture.scene import MjvScene
from ..viewer import wire
from ..viewer.keeping import keep_camera, keep_selection
from ..viewer.records import take_words, words_of
from .looks import Looks
from .poses import packed
from .world import World

MAX_GEOM = 20000
MANY = 500  # geoms of a scene of which the small ones have fewer facets
_ALL = 7  # mjCAT_ALL
_POSE = slice(0, 12)
_CASTS = 4  # mjCAT_DECOR casts no shadow
_NO_VIEWS: NDArray[np.float32] = np.zeros((0, 16), np.float32)


class Watch(Protocol):
    """What a frame has besides the picture."""

    def frame(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray]]:
        """Return words and arrays of a frame, by names that are the watch's own or begin with it."""


class View:
    """What a page sees of a world.

    Parameters
    ----------
    world : World

    Attributes
    ----------
    cam, opt : MjvCamera, MjvOption
        The page's own.
    pert : MjvPerturb
        What its pointer pulls at.
    size : (int, int)
        Pixels of its picture.
    watches : dict
        What frames have besides the picture, by name.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        model = world.model
        self.cam, self.opt, self.pert = MjvCamera(), MjvOption(), MjvPerturb()
        _core.mjv_defaultFreeCamera(model, self.cam)
        self.scene = MjvScene(model, MAX_GEOM)
        self.size = 640, 480
        self._option: dict[str, Any] = {}
        self.watches: dict[str, Watch] = {}
        self._sent_shapes: set[int] = set()
        self._sent_textures: set[tuple[int, int]] = set()  # number, and how often it was changed
        self._looks = Looks(self.instances)
        self._rooms = flexes.Rooms(model)
        self._sky = -1  # texture of the sky
        self._told: dict[str, tuple[bytes, Any]] = {}  # words of structs, and their bytes
        self._lit_by: tuple[Any, ...] = ()  # what the lights below are of
        self._lights, self._shadow_views = lights.Lights(self.scene, False), _NO_VIEWS
        self._light_bytes = [_core.structBytes(light) for light in self.scene.lights]
        self._version = -1  # of looks of the world

    def go_on(self, before: View, keep: bool) -> None:
        """Show what the view of another model showed; keep: look from where it looked, at what has the same name."""
        self.opt, self.size = before.opt, before.size
        self.scene.flags[:] = before.scene.flags
        if keep:
            self.cam = before.cam
            keep_camera(self.cam, before.world.model, self.world.model)
            keep_selection(self.pert, before.pert, before.world.model, self.world.model)

    def update(self) -> None:
        """Make the scene anew, as the page sees it."""
        world = self.world
        _core.mjv_updateScene(
            world.model, world.data, self.opt, self.pert, self.cam, _ALL, self.scene
        )
        world.add_user_geoms(self.scene)

    def messages(self) -> list[bytes]:
        """Return what the page lacks: shapes, textures, and the frame with what has changed since the last."""
        self.update()
        rows = flexes.spelled_out(instances.scene_rows(self.scene), self.scene)
        eye = camera.middle(self.scene)
        looks, anew = self._looks, self._version != self.world.looks
        if anew:
            self._version = self.world.looks
            looks.forget()
        with np.errstate(invalid="ignore", over="ignore"):
            behind = instances.behind(rows, np.asarray(eye.pos, float))
            looks.take(rows, behind, self._fewer_facets(rows, eye))
        out = []
        if anew or len(looks.changed):
            shapes = self.world.shapes
            out += [shapes.messages[i] for i in self._new_shapes(looks.look[looks.changed])]
            out += [shapes.texture(i) for i in self._new_textures(looks.look)]
        out.append(self._frame(rows, eye))
        return out

    def instances(
        self, rows: NDArray, behind: NDArray, fewer: NDArray | int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return poses [n, 12] and what else a shader wants [n, 28] of geoms.

        `behind` says which are planes seen from behind, `fewer` leads to shapes with fewer facets.
        """
        shapes = self.world.shapes
        width = self.world.model.vis.global_.linewidth
        data = instances.columns(rows, behind, shapes.planes, width, 0)
        shapes.images.columns(rows, data[:, instances.TEXTURE])
        shape = instances.find_shapes(rows, shapes, fewer)  # type: ignore[arg-type]
        shape[~instances.there(rows)] = -1
        more = np.stack(
            [
                rows["segid"],
                shape,
                shapes.images.keys(rows),
                instances.transparent(rows, behind),
                (rows["category"] & _CASTS) == 0,
                rows["objtype"],
                rows["objid"],
                instances.radii(rows),
            ],
            axis=1,
        )
        return data[:, _POSE], np.concatenate([data[:, 12:32], more], axis=1, dtype=np.float32)

    def _fewer_facets(self, rows: NDArray, eye: Any) -> NDArray[np.int64] | int:
        """Return what leads from types of geoms to shapes that a graphics card has less to do with, where there are many."""
        if len(rows) < MANY or not camera.opened(eye) or not camera.sees(eye):
            return 0
        frame = Frame(self.scene, (0, 0, *self.size), eye)
        frame.aim()
        return instances.fewer_facets(frame)

    def _new_shapes(self, look: NDArray) -> list[int]:
        wanted = {int(i) for i in np.unique(look[:, 21]) if i >= 0}
        new = sorted(wanted - self._sent_shapes)
        self._sent_shapes |= wanted
        return new

    def _new_textures(self, look: NDArray) -> list[int]:
        wanted = {int(key) - 1 for key in np.unique(look[:, 22]) if key > 0}
        self._sky = self.world.shapes.images.sky()
        if self._sky >= 0:
            wanted.add(self._sky)
        changes = self.world.shapes.texture_changes
        now = {(index, changes.get(index, 0)) for index in wanted}
        new = sorted(now - self._sent_textures)
        self._sent_textures |= now
        return [index for index, _ in new]

    def _frame(self, rows: NDArray, eye: Any) -> bytes:
        looks = self._looks
        arrays = packed(looks.moved, looks.pose[looks.moved], looks.new, len(rows))
        arrays |= {"look_rows": looks.changed.astype(np.uint32), "look": looks.look[looks.changed]}
        shining = self.lights(eye, arrays)
        words = {
            "kind": "frame",
            "geoms": len(rows),
            "time": float(self.world.data.time),
            "camera": self._words("camera", eye, camera_words),
            "horizon": _horizon(rows),
            "cam": self._words("cam", self.cam, words_of),
            "opt": self._words("opt", self.opt, words_of),
            "flags": self.scene.flags.tolist(),
            "lights": shining.plain + shining.shadowed,
            "plain": shining.plain,
            "ambient": shining.ambient,
            "sky": self._sky,
            "labels": _labels(rows),
            "skins": self._skins(rows, arrays),
            "flexes": self._flexes(rows, arrays),
            "select": int(self.pert.select),
            "status": {**self.world.words, "warnings": self.world.warnings()},
        }
        if self.world.options != self._option:
            self._option = words["option"] = self.world.options
        for name, watch in self.watches.items():
            more, values = watch.frame(name)
            words |= more
            arrays |= values
        return wire.pack(words, arrays)

    def _words(self, name: str, record: Any, make: Callable[[Any], Any]) -> Any:
        """Return words of a struct, which are made anew when it is another."""
        now = _core.structBytes(record).tobytes()
        before, words = self._told.get(name, (None, None))
        if now != before:
            words = make(record)
            self._told[name] = now, words
        return words

    def lights(self, eye: Any, arrays: dict[str, NDArray]) -> lights.Lights:
        """Add the lights, those with shadows last, and the matrices from the room to the shadow maps of these."""
        flags, model = self.scene.flags, self.world.model
        shadows = flags[kinds.F_SHADOW] and not flags[kinds.F_WIREFRAME]
        shadows = bool(
            shadows and not flags[kinds.F_SEGMENT] and self.world.shapes.quality.shadowsize
        )
        reach, part = model.vis.map.shadowclip * model.stat.extent, model.vis.map.shadowscale
        shining = b"".join(self._light_bytes[: self.scene.nlight])
        by = shining, shadows, reach, part, eye.frustum_near, eye.frustum_far
        if by != self._lit_by:
            self._lights = lights.Lights(self.scene, shadows)
            views = [lights.map_view(one, eye, reach, part) for one in self._lights.casting]
            self._shadow_views = np.array(views, np.float32).reshape(-1, 16)
            self._lit_by = by
        arrays["lights"], arrays["shadow_views"] = self._lights.rows, self._shadow_views
        return self._lights

    def _skins(self, rows: NDArray, arrays: dict[str, NDArray]) -> list[int]:
        """Add vertices and normals of the skins that are drawn; return their numbers."""
        if not self.world.model.nskin:
            return []
        drawn = np.unique(rows["objid"][rows["type"] == kinds.SKIN]).tolist()
        for index in drawn:
            first, number = int(self.scene.skinvertadr[index]), int(self.scene.skinvertnum[index])
            at = slice(3 * first, 3 * (first + number))
            arrays[f"skin_{index}"] = np.stack(
                [np.reshape(a[at], (-1, 3)) for a in (self.scene.skinvert, self.scene.skinnormal)]
            ).astype(np.float32)
        return drawn

    def _flexes(self, rows: NDArray, arrays: dict[str, NDArray]) -> list[int]:
        """Add vertices, normals and texture coordinates of the faces of flexes that are drawn; return their numbers."""
        drawn = []
        for number, vertices in flexes.moved(self._rooms, self.scene, rows):
            arrays[f"flex_{number}"] = np.stack([vertices[:, 0:3], vertices[:, 4:7]])
            arrays[f"flextex_{number}"] = np.ascontiguousarray(vertices[:, 7:9])
            drawn.append(number)
        return drawn

    # ---- deeds of the program and the page

    def take(self, name: str, words: Any) -> None:
        """Take a camera (`cam`), options (`opt`) or flags of the picture (`flags`)."""
        if name == "flags":
            self.scene.flags[:] = words
        else:
            take_words(getattr(self, name), words)

    def move_camera(self, action: int, dx: float, dy: float) -> None:
        """Move the camera by the pointer (mjtMouse), a way in heights of the picture."""
        _core.mjv_moveCamera(self.world.model, action, dx, dy, self.scene, self.cam)

    def select(self, x: float, y: float) -> None:
        """Select the body at a point of the picture, from 0 to 1 from the left and from below."""
        point = np.zeros(3)
        found = [np.full(1, -1, np.int32) for _ in range(3)]
        world, (width, height) = self.world, self.size
        body = _core.mjv_select(
            world.model, world.data, self.opt, width / height, x, y, self.scene, point, *found
        )
        self.pert.select, self.pert.active = max(body, 0), 0
        self.pert.skinselect, self.pert.flexselect = int(found[2][0]), int(found[1][0])
        if body > 0:
            turn = np.reshape(world.data.xmat[body], (3, 3))
            self.pert.localpos[:] = turn.T @ (point - world.data.xpos[body])

    def choose(self, body: int) -> None:
        """Select a body by its number; 0: none."""
        self.pert.select, self.pert.active = body, 0
        self.pert.skinselect = self.pert.flexselect = -1
        self.pert.localpos[:] = 0

    def begin_pull(self, bits: int) -> None:
        """Let the pointer pull (1) or turn (2) the selected body, from where it is."""
        if self.pert.select > 0:
            if not self.pert.active:
                _core.mjv_initPerturb(self.world.model, self.world.data, self.scene, self.pert)
            self.pert.active = bits

    def pull(self, action: int, dx: float, dy: float) -> None:
        """Move where the body is wanted by the pointer."""
        if self.pert.active:
            _core.mjv_movePerturb(
                self.world.model, self.world.data, action, dx, dy, self.scene, self.pert
            )

    def let_go(self) -> None:
        """Let the body go."""
        self.pert.active = 0


def camera_words(eye: Any) -> dict[str, Any]:
    """Return a camera of a scene as words."""
    return {
        "pos": np.asarray(eye.pos, float).tolist(),
        "forward": np.asarray(eye.forward, float).tolist(),
        "up": np.asarray(eye.up, float).tolist(),
        **{
            name: float(getattr(eye, f"frustum_{name}"))
            for name in ("center", "width", "bottom", "top", "near", "far")
        },
        "orthographic": bool(eye.orthographic),
    }


def _horizon(rows: NDArray) -> int:
    """Return the row of the plane without end over which there is haze, -1 without one."""
    endless = instances.endless_planes(rows)
    return int(endless[0]) if len(endless) else -1


def _labels(rows: NDArray) -> list[list[Any]]:
    """Return place and text of each label."""
    first = rows.dtype.fields["label"][1]  # type: ignore[index]
    there = rows.view(np.uint8).reshape(len(rows), rows.itemsize)[:, first].nonzero()[0]
    return [
        [rows["pos"][i].astype(float).tolist(), rows["label"][i].decode(errors="replace")]
        for i in there
    ]
