"""A mesh, the convex hull that collides, and shapes fitted to it."""

import numpy as np

import sinew
from _studio import camera, caption, colours, draw, furnish, row, save


def knot() -> tuple[np.ndarray, np.ndarray]:
    """A tube along a trefoil: vertices and faces."""
    around, along = 20, 160
    t = np.linspace(0, 2 * np.pi, along, endpoint=False)
    line = (
        np.stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)], 1)
        / 12
    )
    ahead = np.roll(line, -1, 0) - np.roll(line, 1, 0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    side = np.cross(ahead, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, ahead)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)[None, :, None]
    points = line[:, None] + 0.035 * (np.cos(turn) * side[:, None] + np.sin(turn) * up[:, None])
    i, j = np.meshgrid(np.arange(along), np.arange(around), indexing="ij")
    corner = [
        ((i + a) % along) * around + (j + b) % around for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]
    faces = np.concatenate(
        [np.stack([corner[k].ravel() for k in three], 1) for three in ((0, 1, 2), (0, 2, 3))]
    )
    return points.reshape(-1, 3), faces


def stand(kind: str) -> sinew.Model:
    """The mesh above the floor as it is, or as a shape fitted to it."""
    spec = sinew.Spec.from_xml("<mujoco/>")
    colours(spec)
    vertices, faces = knot()
    spec.section("asset").add(
        "mesh",
        "knot",
        vertex=vertices.ravel(),
        face=faces.ravel(),
        inertia="shell",
        smoothnormal=True,
    )
    body = spec.world.add("body", pos=[0, 0, 0.24], euler=[70, 0, 25])
    body.add("geom", type="mesh", mesh="knot", material="clay")
    if kind != "mesh":
        body.add(
            "geom", type=kind, mesh="knot", rgba="0.20 0.46 0.66 0.35", contype=0, conaffinity=0
        )
    return furnish(spec).compile()


pictures = []
for kind, words, flags in (
    ("mesh", "mesh", ()),
    ("mesh", "convex hull", ("convexhull",)),
    ("ellipsoid", "fitted ellipsoid", ()),
):
    model = stand(kind)
    eye = camera(model, [0, 0, 0.24], 0.95, 110, -15)
    pictures.append(caption(draw(model, None, eye, (264, 264), flags), words))
save(row(pictures, 4))
