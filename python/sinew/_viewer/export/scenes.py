"""What the moments of a recording show: geoms, each at a place that is its own in all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ..._core import MjvOption
from ..._enums import ObjType  # type: ignore[attr-defined]
from ..._types import Data, Model
from ...draw import camera, instances, kinds
from ..shapes import Shapes
from ..view import MANY, View
from . import flexes
from .poses import join, seen_from

BASE = 255  # the layer of what is shown without a flag that adds something to it
# columns of looks; shape -1: nothing is drawn
_SEGID, SHAPE, TEXTURE, OBJTYPE = 20, 21, 22, 25
# flags that add geoms of their own: joints, cameras, lights, range finders, equalities, inertias, contacts, their forces,
# centres of mass, vertices and edges of flexes
LAYERS = 2, 3, 6, 8, 9, 10, 14, 16, 20, 24, 25
_RANGEFINDER, _STATIC = 8, 22  # mjtVisFlag
_FEW = 500  # bodies of a model that is recorded with all of them
_ALL = 7  # mjCAT_ALL
_DYNAMIC = 2  # mjCAT_DYNAMIC
_GROUPS = (
    "geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "skingroup", "flexgroup",
)  # fmt: skip
_PARTS = ("geomgroup", "sitegroup", "tendongroup", "skingroup")
# where the groups of objects of a type stand, and the bodies that they are on
_GROUP_OF = {
    ObjType.GEOM: "geom_group", ObjType.SITE: "site_group", ObjType.JOINT: "jnt_group",
    ObjType.TENDON: "tendon_group", ObjType.ACTUATOR: "actuator_group", ObjType.SKIN: "skin_group",
    ObjType.FLEX: "flex_group",
}  # fmt: skip
_BODY_OF = {
    ObjType.GEOM: "geom_bodyid", ObjType.SITE: "site_bodyid", ObjType.JOINT: "jnt_bodyid",
    ObjType.CAMERA: "cam_bodyid", ObjType.LIGHT: "light_bodyid",
}  # fmt: skip
_MOST_FOLLOWED = 16
# types of geoms that look the same (but for their facets) however they are turned about z
_ROLL = kinds.CAPSULE, kinds.CYLINDER, kinds.ARROW, kinds.ARROW1, kinds.ARROW2, kinds.LINE


@dataclass
class Moment:
    """What there is at one: poses [n, 12], looks [slots, 28] of geoms, lights and the views of their shadow maps."""

    poses: NDArray[np.float64]
    looks: NDArray[np.float32]
    shining: NDArray[np.float32]


class _World:
    """A model and a data, as a View wants them."""

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data, self.shapes = model, data, Shapes(model)

    def add_user_geoms(self, scene: Any) -> None:
        """There are none."""


class Slots:
    """Places of geoms, by their layers, what they are of, and the how manieth of that they are."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}
        self._last = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def of(self, rows: NDArray, layer: NDArray) -> NDArray[np.int64]:
        """Return the slots [n] of geoms; new ones are counted on."""
        what = layer.astype(np.int64) << 48 | rows["objtype"].astype(np.int64) << 32
        what |= rows["objid"].astype(np.int64) + 1
        if np.array_equal(self._last[0], what):
            return self._last[1]
        order = np.argsort(what, kind="stable")
        begins = np.flatnonzero(np.diff(what[order], prepend=-1))
        nth = np.zeros(len(what), np.int64)
        nth[order] = np.arange(len(what)) - np.repeat(begins, np.diff([*begins, len(what)]))
        keys = zip(what.tolist(), nth.tolist(), strict=True)
        found = [self._known.setdefault(key, len(self._known)) for key in keys]
        self._last = what, np.array(found, np.int64)
        return self._last[1]


class Scenes:
    """Shows the moments of a recording, and knows what there has been in them.

    The poses of a moment are those of bodies, cameras, centres of mass that cameras may follow, then geoms.

    Parameters
    ----------
    model : Model
    data : Data
        Put where it was before each call of `now`.

    Attributes
    ----------
    before : int
        Poses that come before those of geoms.
    poses, looks : array [n, 12], [slots, 28]
        Of each pose and each geom the first.
    rides : array [n]
        The body that goes where a pose goes, if one does; -1: none.
    held : array [n, 12]
        Poses as those bodies have them.
    rolls : array [n]
        What looks the same however it is turned about its z axis.
    layer, group, dynamic : array [slots]
        Of each geom: the flag that shows it (BASE: none), its group, whether it moves.
    """

    def __init__(self, model: Model, data: Data) -> None:
        self.model, self.data = model, data
        self.world = _World(model, data)
        self.view = View(self.world)  # type: ignore[arg-type]
        for name in _GROUPS:
            getattr(self.view.opt, name)[:] = 1
        self.view.opt.flags[_RANGEFINDER] = 0
        few = model.nbody <= _FEW
        self._layers = {flag: _layer(flag) for flag in LAYERS if few}
        self.followed = _followed(model)
        self.before = model.nbody + model.ncam + len(self.followed)
        self._slots = Slots()
        self.poses, self.held = np.zeros((0, 12)), np.zeros((0, 12))
        self.looks = np.zeros((0, 28), np.float32)
        self.rides, self.rolls = np.zeros(0, np.int32), np.zeros(0, bool)
        self.layer, self.group, self.dynamic = (np.zeros(0, np.uint8) for _ in range(3))
        self._last = self.poses, self.looks
        self.planes: list[dict[str, Any]] = []
        self._round: dict[int, tuple[int, int]] = {}  # types and data of shapes
        self.plain = self.ambient = 0.0

    @np.errstate(invalid="ignore", over="ignore")  # of simulations gone wrong
    def now(self) -> Moment:
        """Return what there is where the data is."""
        self.view.update()
        lit = self._lights()
        rows, layer = self._rows()
        self._put_planes_back(rows)
        nowhere = np.zeros(len(rows), bool)  # planes that are seen from behind: the page knows
        pose, look = self.view.instances(rows, nowhere, 0)
        slots = self._slots.of(rows, layer)
        look[:, _SEGID] = slots
        fixed = self._fixed()
        if not len(self.poses):
            self._begin(fixed)
        new = np.flatnonzero(slots >= len(self.looks))
        if len(new):
            self._take_new(rows[new], layer[new], pose[new], look[new], fixed)
        # what is not there stays as it was when it was seen last
        poses, looks = (
            np.concatenate([last, first[len(last) :]])
            for last, first in zip(self._last, (self.poses, self.looks), strict=True)
        )
        poses[: self.before], poses[self.before + slots] = fixed, pose
        looks[:, SHAPE] = -1
        looks[slots] = look
        self._last = poses, looks
        return Moment(poses, looks, lit)

    def _lights(self) -> NDArray[np.float32]:
        """Return the lights of the scene, and the views of their shadow maps."""
        found: dict[str, NDArray] = {}
        shining = self.view.lights(camera.middle(self.view.scene), found)
        self.plain, self.ambient = shining.plain, shining.ambient
        return np.concatenate([found["lights"].ravel(), found["shadow_views"].ravel()])

    def _rows(self) -> tuple[NDArray, NDArray[np.uint8]]:
        """Return the geoms of the scene, then those that flags add, and the layer of each."""
        view = self.view
        rows, strings = flexes.spelled_out(instances.scene_rows(view.scene), view.scene)
        parts, layers = [rows.copy()], [np.where(strings, flexes.SKIN, BASE)]
        for flag, option in self._layers.items():
            _core.mjv_updateScene(
                self.model, self.data, option, view.pert, view.cam, _ALL, view.scene
            )
            rows, _ = flexes.spelled_out(instances.scene_rows(view.scene), view.scene)
            parts.append(rows[~flexes.faces_of(rows)].copy())
            layers.append(np.full(len(parts[-1]), flag))
        return np.concatenate(parts), np.concatenate(layers).astype(np.uint8)

    def _put_planes_back(self, rows: NDArray) -> None:
        """Put planes without end, which go where the eye goes, where the model has them."""
        which = np.flatnonzero((rows["type"] == kinds.PLANE) & (rows["objtype"] == ObjType.GEOM))
        rows["pos"][which] = self.data.geom_xpos[rows["objid"][which]]

    def _fixed(self) -> NDArray[np.float64]:
        """Return poses of bodies, cameras and centres of mass."""
        data = self.data
        coms = data.subtree_com[self.followed]
        turn = [data.xmat, data.cam_xmat, np.tile(np.eye(3), (len(coms), 1, 1))]
        place = np.concatenate([data.xpos, data.cam_xpos, coms])
        return join(np.concatenate([np.reshape(t, (-1, 3, 3)) for t in turn]), place)

    # ---- what is new

    def _begin(self, fixed: NDArray) -> None:
        model = self.model
        none = np.full(model.nbody, -1), np.full(len(self.followed), -1)
        rides = np.concatenate([none[0], model.cam_bodyid, none[1]])
        self._add_poses(fixed, rides, np.zeros(len(rides), bool), fixed)

    def _add_poses(self, poses: NDArray, rides: NDArray, rolls: NDArray, fixed: NDArray) -> None:
        held = seen_from(fixed[np.maximum(rides, 0)], poses)
        self.poses = np.concatenate([self.poses, poses])
        self.held = np.concatenate([self.held, held])
        self.rides = np.concatenate([self.rides, rides.astype(np.int32)])
        self.rolls = np.concatenate([self.rolls, rolls])

    def _take_new(
        self, rows: NDArray, layer: NDArray, pose: NDArray, look: NDArray, fixed: NDArray
    ) -> None:
        """Take geoms that were never there before; their slots are the next ones, in whatever order."""
        order = np.argsort(look[:, _SEGID])
        rows, layer, pose, look = rows[order], layer[order], pose[order], look[order]
        objects = list(zip(rows["objtype"].tolist(), rows["objid"].tolist(), strict=True))
        rides = np.array([self._body(*one) for one in objects])
        self._add_poses(pose, rides, kinds.among(rows["type"], _ROLL), fixed)
        self.looks = np.concatenate([self.looks, look])
        groups = np.array([self._group(*one) for one in objects], np.uint8)
        self.layer = np.concatenate([self.layer, layer])
        self.group = np.concatenate([self.group, groups])
        self.dynamic = np.concatenate(
            [self.dynamic, (rows["category"] == _DYNAMIC).astype(np.uint8)]
        )
        for i in np.flatnonzero(kinds.among(rows["type"], kinds.ROUND)).tolist():
            self._round[int(look[i, SHAPE])] = int(rows["type"][i]), int(rows["dataid"][i])
        planes = (rows["type"] == kinds.PLANE) & (rows["objtype"] == ObjType.GEOM)
        for i in np.flatnonzero(planes).tolist():
            self.planes.append(self._plane(int(look[i, _SEGID]), int(rows["objid"][i])))

    def fewer(self) -> dict[int, list[int]]:
        """Return of shapes of round geoms, where there are many, the type and the shapes with fewer facets."""
        if len(self.looks) < MANY:
            return {}
        find = self.world.shapes.find
        return {
            shape: [kind, *(find((kind + less, data)) for less in (kinds.SMALL, kinds.TINY))]
            for shape, (kind, data) in self._round.items()
            if shape >= 0
        }

    def flexes(self) -> list[int]:
        """Return the numbers of the shapes of flexes (draw.flexes)."""
        return self.world.shapes.made(kinds.FLEX)

    def _body(self, kind: int, index: int) -> int:
        if kind in (ObjType.BODY, ObjType.XBODY):
            return index
        return int(getattr(self.model, _BODY_OF[kind])[index]) if kind in _BODY_OF else -1

    def _group(self, kind: int, index: int) -> int:
        found = getattr(self.model, _GROUP_OF[kind])[index] if kind in _GROUP_OF else 0
        return int(np.clip(found, 0, 5))

    def _plane(self, slot: int, geom: int) -> dict[str, Any]:
        """Return what a page wants to know of a plane: the steps by which it goes where the eye goes, 0 for none."""
        model = self.model
        material = int(model.geom_matid[geom])
        repeat = model.mat_texrepeat[material] if 0 <= material < model.nmat else np.zeros(2)
        tile = 2.1 * float(model.vis.map.zfar) * float(model.stat.extent) / 99
        endless = (model.geom_size[geom, :2] <= 0).tolist()
        steps = [4 / float(r) if r > 0 else tile for r in repeat]
        return {"slot": slot, "steps": [s if e else 0 for s, e in zip(steps, endless, strict=True)]}


def _layer(flag: int) -> MjvOption:
    """Return the option that shows what a flag adds, and no parts of bodies."""
    option = MjvOption()
    for name in _GROUPS:
        getattr(option, name)[:] = name not in _PARTS
    on = option.flags.copy()
    option.flags[:] = 0
    option.flags[flag] = 1
    option.flags[_STATIC] = on[_STATIC]  # also of what cannot move
    return option


def _followed(model: Model) -> list[int]:
    """Return the bodies whose subtrees a camera may follow: those that move in the world, some of them."""
    moving = (model.body_dofnum > 0) | (model.body_mocapid >= 0)
    return np.unique(model.body_rootid[moving])[:_MOST_FOLLOWED].tolist()
