"""What pages are told of the selected body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import GeomType, JointType, ObjType  # type: ignore[attr-defined]
from .contacts import contact_forces, force_on
from .objects import bodies_of
from .view import View

MOST_CONTACTS = 20  # the strongest
_MOST = 100  # joints, geoms, sensors of a body


class Details:
    """The selected body of a page: what stays as it is once, poses, forces and contacts with each frame.

    Parameters
    ----------
    view : View
        The page's.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._body = -1  # of which the page knows what stays as it is
        self._about: dict[str, Any] = {}
        model = view.world.model
        self._sensor_body = bodies_of(model, "sensor")
        self._sensors: NDArray[np.int64] = np.zeros(0, np.int64)

    def frame(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray]]:
        """Return words and arrays of a frame; of the arrays each begins with the name."""
        body = int(self._view.pert.select)
        world = self._view.world
        if not 0 < body < world.model.nbody:
            self._body = -1
            return {name: None}, {}
        words: dict[str, Any] = {"body": body}
        if body != self._body:
            self._body = body
            words["about"] = self._describe(world.model, body)
        arrays = _standing(world.model, world.data, body)
        with np.errstate(all="ignore"):
            words["contacts"], arrays["contacts"], arrays["contact_force"] = _contacts(
                world.model, world.data, body
            )
        arrays["joints"] = _joint_values(world.model, world.data, body)
        arrays["sensors"] = world.data.sensordata[self._sensors]
        return {name: words}, {f"{name}.{key}": value for key, value in arrays.items()}

    def _describe(self, model: Any, body: int) -> dict[str, Any]:
        """Return what stays as it is; where there are too many joints, geoms or sensors, the first of them."""
        joints = _of_body(model, body, "jnt")
        geoms = _of_body(model, body, "geom")
        sensors = np.flatnonzero(self._sensor_body == body)
        told = sensors[:_MOST]
        self._sensors = _ranges(model.sensor_adr[told], model.sensor_dim[told])
        return {
            "parent": int(model.body_parentid[body]),
            "mass": float(model.body_mass[body]),
            "inertia": model.body_inertia[body].tolist(),
            "subtree_mass": float(model.body_subtreemass[body]),
            "joints": [_joint(model, i) for i in joints[:_MOST]],
            "geoms": [[i, GeomType(model.geom_type[i]).name.lower()] for i in geoms[:_MOST]],
            "sensors": [[int(i), int(model.sensor_dim[i])] for i in told],
            "counts": [len(joints), len(geoms), len(sensors)],
        }


def _of_body(model: Any, body: int, kind: str) -> range:
    """Return the joints or geoms of a body, which stand in a row."""
    first = int(getattr(model, f"body_{kind}adr")[body])
    return range(first, first + int(getattr(model, f"body_{kind}num")[body]))


def _ranges(first: NDArray, count: NDArray) -> NDArray[np.int64]:
    """Return the numbers of ranges, one range after the other."""
    rows = [np.arange(a, a + n) for a, n in zip(first.tolist(), count.tolist(), strict=True)]
    return np.concatenate(rows).astype(np.int64) if rows else np.zeros(0, np.int64)


def _joint(model: Any, i: int) -> list[Any]:
    """Return a joint as words: number, type, and limits where it has some."""
    limits = model.jnt_range[i].tolist() if model.jnt_limited[i] else None
    return [i, JointType(model.jnt_type[i]).name.lower(), limits]


def _standing(model: Any, data: Any, body: int) -> dict[str, NDArray]:
    """Return poses, velocity and forces of a body, all in the world."""
    _core.rnePostConstraint(model, data)  # few models ask for cfrc_ext themselves
    velocity = np.zeros(6)
    _core.objectVelocity(model, data, ObjType.BODY, body, velocity, 0)
    return {
        "xpos": data.xpos[body],
        "xquat": data.xquat[body],
        "xipos": data.xipos[body],
        "subtree_com": data.subtree_com[body],
        "velocity": velocity,
        "xfrc_applied": data.xfrc_applied[body],
        "cfrc_ext": data.cfrc_ext[body],
    }


def _joint_values(model: Any, data: Any, body: int) -> NDArray[np.float64]:
    """Return positions and then velocities of each joint of a body, joint after joint."""
    rows = []
    for i in _of_body(model, body, "jnt")[:_MOST]:
        size, dofs = {JointType.FREE: (7, 6), JointType.BALL: (4, 3)}.get(model.jnt_type[i], (1, 1))
        position, dof = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
        rows += [data.qpos[position : position + size], data.qvel[dof : dof + dofs]]
    return np.concatenate(rows) if rows else np.zeros(0)


def _contacts(model: Any, data: Any, body: int) -> tuple[int, NDArray, NDArray]:
    """Return how many contacts a body has, the strongest as rows, and the force of all on the body.

    A row: geom of the body, the other geom, its body, distance, normal and tangential force, position.
    """
    contact = data.contact
    geoms = contact.geom
    owners = np.where(geoms >= 0, model.geom_bodyid[geoms], -1) if model.ngeom else geoms
    mine = owners == body
    which = np.flatnonzero(mine.any(axis=1))
    force = contact_forces(model, data, which)
    # the force is on the second geom; the frame's rows are its axes
    sign = np.where(mine[which, 1], 1.0, -1.0) * ~mine[which].all(axis=1)
    frames = contact.frame[which].reshape(-1, 3, 3)
    total = (sign[:, None] * np.einsum("ni,nij->nj", force, frames)).sum(axis=0)
    pressed = np.nan_to_num(force[:, 0], nan=np.inf)  # what is no number is seen first
    order = np.argsort(-pressed, kind="stable")[:MOST_CONTACTS]
    rows = [_contact_row(model, data, int(i), mine[i], owners[i]) for i in which[order]]
    return len(which), np.array(rows).reshape(-1, 9), total


def _contact_row(model: Any, data: Any, i: int, mine: NDArray, owners: NDArray) -> list[float]:
    own = 0 if mine[0] else 1
    geoms = data.contact.geom[i]
    force = force_on(model, data, i)
    return [
        geoms[own], geoms[1 - own], owners[1 - own], data.contact.dist[i],
        force[0], np.hypot(force[1], force[2]), *data.contact.pos[i],
    ]  # fmt: skip
