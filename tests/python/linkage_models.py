"""Models of examples/ with closed loops, and what tests of them share."""

import pathlib

import numpy as np

import sinew

MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples/models"


def load(name, **options):
    """Model and data; options of the model by name."""
    model = sinew.Model.from_path(MODELS / f"{name}.xml")
    for option, value in options.items():
        setattr(model.opt, option, value)
    return model, sinew.Data(model)


def dof(model, name):
    """Address of the first dof of a joint."""
    return int(model.joint(name).dofadr[0])


def loop_K(model, data):
    """K [nlooprow, nv] of all loops."""
    K = np.zeros((data.nlooprow, model.nv))
    for c in range(data.ncluster):
        n, rows = data.cluster_dofnum[c], data.cluster_rownum[c]
        columns = data.loop_dof[data.cluster_dofadr[c] :][:n]
        block = data.loop_K[data.cluster_Kadr[c] :][: n * rows].reshape(rows, n)
        K[data.cluster_rowadr[c] :][:rows][:, columns] = block
    return K


def loop_work(data, qvel):
    """Power of the forces of all loops at the velocity with which the step began (W)."""
    rows = data.efc_J.T @ data.efc_force if data.nefc else 0
    return float(qvel @ (data.qfrc_constraint - rows))


def point_force(model, data, loop):
    """Force of a spherical or revolute loop joint on its successor, in the world (N)."""
    (place,) = np.flatnonzero(data.closure_id == loop)
    first, count = data.closure_rowadr[place], data.closure_rownum[place]
    site = model.loop_siteid[loop][1]
    return data.site_xmat[site].reshape(3, 3) @ data.loop_force[first + count - 3 : first + count]


def rotation(quaternion):
    """Matrix of a unit quaternion."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turn(axis, angle):
    """Rotation about a unit axis."""
    x, y, z = np.asarray(axis, float)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def runge_kutta(rate, state, h):
    """One step of the classical method."""
    a = rate(state)
    b = rate(state + h / 2 * a)
    c = rate(state + h / 2 * b)
    return state + h / 6 * (a + 2 * b + 2 * c + rate(state + h * c))
