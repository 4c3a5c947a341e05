"""What stays when a model is put in the place of another one: the state and the view of what both have."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from .. import _core
from .._enums import ObjType  # type: ignore[attr-defined]

_TRACKING, _FIXED = 1, 2  # mjtCamera
_QPOS, _DOFS = (7, 4, 1, 1), (6, 3, 1, 1)  # numbers of a joint, by mjtJoint


def _same(kind: Any, count: str, before: Any, after: Any) -> Iterator[tuple[int, int]]:
    """Return the numbers before and after of the objects of a kind that both models have, by names.

    An object without a name is the one of the same number that has none in the other model.
    """

    def key(model: Any, i: int) -> Hashable:
        return _core.id2name(model, kind, i) or i

    new = {key(after, i): i for i in range(getattr(after, count))}
    for i in range(getattr(before, count)):
        found = new.get(key(before, i))
        if found is not None:
            yield i, found


def keep_state(before: Any, old: Any, after: Any, new: Any) -> None:
    """Take over from the data of a model what another model has, too: joints, actuators and mocap bodies by name, time.

    Parameters
    ----------
    before, old : Model, Data
    after, new : Model, Data
        The data is changed.
    """
    new.time = old.time
    for i, k in _same(ObjType.JOINT, "njnt", before, after):
        kind = before.jnt_type[i]
        if kind == after.jnt_type[k]:
            _take(new.qpos, after.jnt_qposadr[k], old.qpos, before.jnt_qposadr[i], _QPOS[kind])
            _take(new.qvel, after.jnt_dofadr[k], old.qvel, before.jnt_dofadr[i], _DOFS[kind])
    for i, k in _same(ObjType.ACTUATOR, "nactuator", before, after):
        count = before.actuator_ctrlnum[i]
        if count == after.actuator_ctrlnum[k]:
            _take(new.ctrl, after.actuator_ctrladr[k], old.ctrl, before.actuator_ctrladr[i], count)
        count = before.actuator_actnum[i]
        if count and count == after.actuator_actnum[k]:
            _take(new.act, after.actuator_actadr[k], old.act, before.actuator_actadr[i], count)
    for i, k in _same(ObjType.BODY, "nbody", before, after):
        here, there = after.body_mocapid[k], before.body_mocapid[i]
        if here >= 0 and there >= 0:
            new.mocap_pos[here], new.mocap_quat[here] = old.mocap_pos[there], old.mocap_quat[there]


def _take(to: Any, at: int, source: Any, first: int, count: int) -> None:
    to[at : at + count] = source[first : first + count]


def _found(kind: Any, before: Any, index: int, after: Any) -> int:
    """Return the number in a model of an object of another one, by its name; -1: it is not there."""
    name = _core.id2name(before, kind, index) if index >= 0 else None
    return -1 if not name else _core.name2id(after, kind, name)


def keep_camera(cam: Any, before: Any, after: Any) -> None:
    """Let a camera look at what it looked at in another model; one that is gone becomes the free one."""
    if cam.type == _FIXED:
        cam.fixedcamid = _found(ObjType.CAMERA, before, cam.fixedcamid, after)
        gone = cam.fixedcamid < 0
    elif cam.type == _TRACKING:
        cam.trackbodyid = _found(ObjType.BODY, before, cam.trackbodyid, after)
        gone = cam.trackbodyid < 0
    else:
        return
    if gone:
        _core.mjv_defaultFreeCamera(after, cam)


def keep_selection(pert: Any, old: Any, before: Any, after: Any) -> None:
    """Select the body of the same name that another model has; nothing pulls at it.

    Parameters
    ----------
    pert, old : MjvPerturb
        Of this model, which is changed, and of the other one.
    before, after : Model
    """
    pert.select = max(0, _found(ObjType.BODY, before, old.select, after))
    if pert.select:
        pert.localpos[:] = np.array(old.localpos)
