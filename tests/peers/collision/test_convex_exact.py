"""Signed distances of the meshes of other people's robots are exact at the default options, at any depth and size.

Three proofs that ask no other engine. Along the normal the shapes are apart by just that distance, their vertices
looked at one by one; so the true distance is no less. Where two polytopes overlap the widest gap is along a normal
of a face of one of them or across an edge of each: all are tried. Where they are apart the two nearest points lie in
the shapes, so the true distance is no more. And as the result is the only one, it does not change when both shapes
are turned together, which no search that stops early would pass.

Lengths in parts of the shapes' size. 1e-7: vertices are rounded to floats after their hull was made, so one that the hull
leaves out may stick out of it by as much.
"""

import ctypes
import functools
import os
import pathlib

import dm_control
import mujoco
import numpy as np
import pinocchio
import pytest

import bridge

bridge.lib.sn_geomDistance.restype = ctypes.c_double
LONG = bool(os.environ.get("SINEW_LONG"))
SHARE = 1 if LONG else 4  # of the pairs each so many-th is looked at
CLOSE = 1e-7
TURNED = 1e-12  # of one pair in several places: rounding alone
DM = pathlib.Path(dm_control.__file__).parent
ROBOTS = pathlib.Path(pinocchio.__file__).parents[4] / "share/example-robot-data/robots"
FILES = [
    *sorted((DM / "third_party/kinova/meshes_decimated").glob("*.stl")),
    *sorted((DM / "locomotion/walkers/assets/fruitfly_v2").glob("*.obj"))[:8],
    *sorted((ROBOTS / "human_description/meshes").glob("*.STL")),
    *sorted((ROBOTS / "panda_description/meshes/collision").glob("*.stl")),
    *sorted((ROBOTS / "ur_description/meshes/ur10/collision").glob("*.stl")),
]
SIZES = {"whole": (1, 1), "millimetre": (1e-3, 1), "ten metres": (10, 1), "plates": (1, 0.01)}
OTHERS = {
    "sphere": "0.4",
    "capsule": "0.2 0.5",
    "ellipsoid": "0.3 0.5 0.7",
    "cylinder": "0.4 0.6",
    "box": "0.3 0.5 0.6",
}


def radius(path):
    text = f'<mujoco><asset><mesh name="m" file="{path}" inertia="shell"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    return mujoco.MjModel.from_xml_string(text).geom_rbound[0]


RADII = {path: radius(path) for path in FILES}


class Shapes:
    """Every mesh and primitive once, each of bounding radius about `size`."""

    def __init__(self, size, thin):
        scale = {p: f"{size / r} {size / r} {thin * size / r}" for p, r in RADII.items()}
        assets = "".join(
            f'<mesh name="{k}" file="{p}" inertia="shell" scale="{scale[p]}"/>'
            for k, p in enumerate(FILES)
        )
        geoms = "".join(f'<geom type="mesh" mesh="{k}"/>' for k in range(len(FILES)))
        for kind, numbers in OTHERS.items():
            numbers = " ".join(repr(size * float(x)) for x in numbers.split())
            geoms += f'<geom type="{kind}" size="{numbers}"/>'
        self.m = mujoco.MjModel.from_xml_string(
            f"<mujoco><asset>{assets}</asset><worldbody>{geoms}</worldbody></mujoco>"
        )
        self.size = size
        self.model = bridge.copy_model(self.m, hulls=True)
        self.data = bridge.make_data(self.model)
        self.xpos, self.xmat = self.data.geom_xpos, self.data.geom_xmat
        self.hulls = {}

    def hull(self, geom):
        if geom not in self.hulls:
            self.hulls[geom] = hull(self.m, geom)
        return self.hulls[geom]

    def distance(self, pair, mats, away):
        """Distance of two geoms, the second by `away` off the first, the normal and the points on both."""
        for geom, mat, pos in zip(pair, mats, (0, away), strict=True):
            self.xmat[geom] = mat.ravel()
            self.xpos[geom] = pos
        segment = np.zeros((2, 3))
        dist = bridge.lib.sn_geomDistance(
            self.model.pointer,
            self.data.pointer,
            *map(int, pair),
            ctypes.c_double(np.inf),
            segment.ctypes.data_as(ctypes.c_void_p),
        )
        return dist, (segment[1] - segment[0]) / dist, segment

    def farthest(self, geom, n):
        """Support value along n in the geom's own frame."""
        size = self.m.geom_size[geom]
        match mujoco.mjtGeom(self.m.geom_type[geom]).name:
            case "mjGEOM_MESH":
                return (vertices(self.m, geom) @ n).max()
            case "mjGEOM_SPHERE":
                return size[0]
            case "mjGEOM_CAPSULE":
                return size[0] + size[1] * abs(n[2])
            case "mjGEOM_ELLIPSOID":
                return np.linalg.norm(size * n)
            case "mjGEOM_CYLINDER":
                return size[0] * np.hypot(n[0], n[1]) + size[1] * abs(n[2])
            case _:
                return np.abs(n) @ size

    def gap(self, pair, mats, away, n):
        one, two = pair
        return away @ n - self.farthest(one, mats[0].T @ n) - self.farthest(two, -mats[1].T @ n)


def vertices(m, geom):
    mesh = m.geom_dataid[geom]
    return m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)


def hull(m, geom):
    """Vertices, unit normals of the faces and directions of the edges of a hull: of a mesh or box."""
    if m.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX:
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return corners * m.geom_size[geom], np.eye(3), np.eye(3)
    graph = m.mesh_graph[m.mesh_graphadr[m.geom_dataid[geom]] :]
    nvert, nface = graph[:2]
    faces = graph[2 + 3 * nvert + 3 * nface :][: 3 * nface].reshape(-1, 3)
    v = vertices(m, geom)
    normals = np.cross(v[faces[:, 1]] - v[faces[:, 0]], v[faces[:, 2]] - v[faces[:, 0]])
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    return v[np.unique(faces)], unit(normals), unit(v[ends[:, 1]] - v[ends[:, 0]])


def unit(x):
    length = np.linalg.norm(x, axis=-1)
    return x[length > 0] / length[length > 0, None]


def rotation(rng):
    q, mat = rng.normal(size=4), np.zeros(9)
    mujoco.mju_quat2Mat(mat, q / np.linalg.norm(q))
    return mat.reshape(3, 3)


def pose(rng, shapes, pair):
    """Any orientation; deep, shallow, touching, or apart along some direction."""
    mats = rotation(rng), rotation(rng)
    n = unit(rng.normal(size=(1, 3)))[0]
    touching = -shapes.gap(pair, mats, np.zeros(3), n)
    part = rng.choice(
        [
            rng.uniform(0, 0.6),
            rng.uniform(0.6, 1),
            1 - 10 ** rng.uniform(-8, -1),
            rng.uniform(1, 1.5),
        ]
    )
    return mats, touching * part * n


@functools.cache
def shapes_of(size):
    return Shapes(*SIZES[size])


@pytest.fixture(scope="module", params=SIZES)
def shapes(request):
    return shapes_of(request.param)


def kinds(shapes):
    """Pairs of a mesh with a mesh, and with each primitive."""
    mesh, count = len(FILES), shapes.m.ngeom
    return [("mesh", range(mesh))] + [(list(OTHERS)[g - mesh], [g]) for g in range(mesh, count)]


def test_turned_together(shapes):
    rng = np.random.default_rng(1)
    overlapping = 0
    for kind, geoms in kinds(shapes):
        for k in range((4000 if kind == "mesh" else 200) // SHARE):
            pair = rng.choice(len(FILES)), rng.choice(geoms)
            if pair[0] == pair[1]:
                continue
            mats, away = pose(rng, shapes, pair)
            dist, n, _ = shapes.distance(pair, mats, away)
            found = [dist]
            for _ in range(3):
                Q = rotation(rng)
                found.append(shapes.distance(pair, [Q @ R for R in mats], Q @ away)[0])
            assert np.ptp(found) < TURNED * shapes.size, (kind, k)
            if abs(dist) > 1e-3 * shapes.size:  # else the segment is too short to tell the normal
                gap = shapes.gap(pair, mats, away, n)
                assert gap == pytest.approx(dist, abs=CLOSE * shapes.size), (kind, k)
            overlapping += dist < 0
    assert overlapping > 1500 // SHARE


def widest(shapes, pair, mats, away):
    """The widest gap over the normals of both hulls and across every two edges."""
    (va, na, ea), (vb, nb, eb) = (
        [x @ R.T for x in shapes.hull(g)] for g, R in zip(pair, mats, strict=True)
    )
    across = unit(np.cross(ea[:, None], eb[None]).reshape(-1, 3))
    most = -np.inf
    for n in np.array_split(np.concatenate([na, nb, across]), 1 + len(across) // 20000):
        for side in (n, -n):
            gaps = side @ away - (side @ va.T).max(1) + (side @ vb.T).min(1)
            most = max(most, gaps.max())
    return most


def test_every_face_and_edge(shapes):
    """Hulls of up to 130 vertices: the greatest of hundreds of thousands of gaps is the distance."""
    rng = np.random.default_rng(2)
    box = shapes.m.ngeom - 1
    small = [g for g in range(len(FILES)) if len(shapes.hull(g)[0]) <= 130] + [box]
    assert len(small) > 6
    deep = apart = 0
    while min(deep, apart) < (12 if LONG else 3):
        pair = sorted(rng.choice(small, 2, replace=False))[::-1]
        mats, away = pose(rng, shapes, pair)
        dist, _, ends = shapes.distance(pair, mats, away)
        if dist < 0:
            deep += 1
            true = widest(shapes, pair, mats, away)
            assert dist == pytest.approx(true, abs=CLOSE * shapes.size)
            continue
        apart += 1
        for geom, R, pos, end in zip(pair, mats, (0, away), ends, strict=True):
            v, normals, _ = shapes.hull(geom)
            outside = ((end - pos) @ R) @ normals.T - (v @ normals.T).max(0)
            assert outside.max() < CLOSE * shapes.size


def test_one_in_the_other():
    """Two fine spheres about one centre are as deep one way as any other: there the search has an end of its own."""
    shapes = shapes_of("whole")
    ball = next(k for k, p in enumerate(FILES) if p.name == "neck_mesh.STL")
    other = next(k for k, p in enumerate(FILES) if p.name == "thight_mesh.STL")
    rng = np.random.default_rng(3)
    found = []
    for _ in range(20):
        mats = rotation(rng), rotation(rng)
        found.append(shapes.distance((ball, other), mats, 1e-9 * rng.normal(size=3))[0])
    assert max(found) < -1
    assert np.ptp(found) < 1e-3
