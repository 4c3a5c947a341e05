"""Forces of many contacts at once, as `contactForce` gives them one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import Cone, ContactModel  # type: ignore[attr-defined]

_EDGES = 10  # most edges of the pyramid of a contact


def contact_forces(model: Any, data: Any, which: Any = slice(None)) -> NDArray[np.float64]:
    """Return the forces of contacts in their frames [n, 3]: normal, two tangential.

    The first three numbers of `contactForce`; a contact without rows has none.
    """
    contact = data.contact[which]
    dim, first = contact.dim, contact.efc_address
    edged = model.opt.cone == Cone.PYRAMIDAL and model.opt.contact == ContactModel.SOFT
    rows = np.where(dim > 1, 2 * (dim - 1), dim) if edged else dim
    there = (first >= 0) & (first + rows <= data.nefc)
    at = np.arange(_EDGES)
    padded = np.append(data.efc_force, 0.0)
    within = there[:, None] & (at < rows[:, None])
    force = padded[np.where(within, first[:, None] + at, len(padded) - 1)]
    if not edged:
        return force[:, :3]
    out = force[:, :3].copy()
    out[:, 1:] = contact.friction[:, :2] * (force[:, 0:4:2] - force[:, 1:4:2])
    out[:, 0] = force.sum(axis=1)
    out[dim == 1, 1:] = 0
    return out


def force_on(model: Any, data: Any, index: int) -> NDArray[np.float64]:
    """Return the force of one contact in its frame, with torque [6]."""
    out = np.zeros(6)
    _core.contactForce(model, data, index, out)
    return out
