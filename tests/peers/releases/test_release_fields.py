"""What Sinew compiles under the meaning of 4.0 of other people's files, field by field against the newest engine.

Integers are equal, reals agree to 1e-9 of a field's scale (floats to a rounding of a float). Axes of inertia may be turned
where moments are equal, and with them frames of meshes: bodies are compared by their tensors, meshes by where vertices are.
"""

import numpy as np
import pytest

import newest
from newest_pair import MESH, chosen, load, name_of, our_flags, source
from test_model import option, option_names, sizes, statistic, tensors
from test_packages import difference, hull

# Nodes of bounding volumes and polygons of meshes come in another order, the peer's paths are those of the machine, and
# its counts of what a row may hold are bounds. Hash maps differ by design.
LEFT_OUT = (
    "names_map nnames_map nJmom nJten nbuffer narena nbvh nbvhstatic bvh_aabb bvh_child bvh_depth bvh_nodeid "
    "body_bvhadr body_bvhnum mesh_bvhadr mesh_bvhnum paths npaths mesh_pathadr tex_pathadr skin_pathadr hfield_pathadr "
    "mesh_graph mesh_graphadr nmeshgraph mesh_pos mesh_quat mesh_vert mesh_normal body_iquat body_inertia"
).split()
POLYGONS = ("mesh_poly", "nmeshpoly")
OF_SHAPE = "geom_pos geom_quat geom_size geom_aabb geom_rbound geom_sameframe geom_dataid".split()
# Ours notes in text fields of its own what a robot's file says of transmissions and masses.
OF_ROBOT = "names nnames ntext ntextdata name_textadr text_adr text_data text_size".split()


def rotation(quat):
    w, x, y, z = np.moveaxis(quat, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def placed(model, mesh):
    """Vertices of a mesh where its file has them."""
    first, count = np.ravel(model.mesh_vertadr)[mesh], np.ravel(model.mesh_vertnum)[mesh]
    return (
        model.mesh_pos[mesh] + model.mesh_vert[first:][:count] @ rotation(model.mesh_quat[mesh]).T
    )


def of_body(model, geom):
    """Vertices of a mesh in the frame of the body that a geom belongs to."""
    mesh = np.ravel(model.geom_dataid)[geom]
    first, count = np.ravel(model.mesh_vertadr)[mesh], np.ravel(model.mesh_vertnum)[mesh]
    return (
        model.geom_pos[geom] + model.mesh_vert[first:][:count] @ rotation(model.geom_quat[geom]).T
    )


def meshes(ours, peer):
    """What differs of meshes: their places, those of geoms, hulls."""
    found, tolerance = [], 1e-6 * max(1.0, peer.stat.extent)
    for i in range(peer.nmesh):
        if np.abs(placed(ours, i) - placed(peer, i)).max(initial=0) > tolerance:
            found.append(f"vertices of mesh {i}")
        if hull(ours, i) != hull(peer, i):
            found.append(f"hull of mesh {i}")
    for g in np.flatnonzero(peer.geom_type == MESH):
        if np.abs(of_body(ours, g) - of_body(peer, g)).max(initial=0) > tolerance:
            found.append(f"geom {g} of a mesh")
    return found


def differing(ours, peer, robot):
    """Names of all that differs."""
    left_out = set(LEFT_OUT) | set(OF_ROBOT if robot else ())
    names = [n for n in sizes(ours) if hasattr(peer, n)] + [
        n for n in ours.fields if hasattr(peer, n)
    ]
    names = [n for n in names if n not in left_out and not n.startswith(POLYGONS)]
    shaped, found = np.ravel(peer.geom_type) != MESH, []
    for name in names:
        mine = sizes(ours)[name] if name in sizes(ours) else getattr(ours, name)
        theirs = getattr(peer, name)
        if name in OF_SHAPE:
            mine, theirs = mine[shaped], theirs[shaped]
        elif name == "eq_data":
            theirs = theirs[:, :11]
        error, tolerance = difference(np.atleast_1d(mine), theirs)
        if not error <= tolerance:
            found.append(f"{name} by {error:.1e}")
    flags = dict(zip(("disableflags", "enableflags"), our_flags(peer.opt), strict=True))
    for name in option_names():
        theirs = flags.get(name, getattr(peer.opt, name))
        if not np.array_equal(option(ours, name), np.atleast_1d(theirs)):
            found.append(f"opt.{name}")
    s = peer.stat
    stat = np.array([s.meaninertia, s.meanmass, s.meansize, s.extent, *s.center])
    if not difference(statistic(ours), stat, 1e-6)[0] <= 1e-6:
        found.append("stat")
    return found + inertia(ours, peer) + meshes(ours, peer)


def inertia(ours, peer):
    """Whether tensors of bodies differ: 1e-8, as axes of the flat parts of a mesh hang on rounding."""
    if len(ours.body_inertia) != peer.nbody:
        return ["inertia"]
    mine, theirs = (tensors(m.body_iquat, m.body_inertia) for m in (ours, peer))
    scale = np.abs(theirs).max(axis=(1, 2), keepdims=True) + 1e-300
    return ["inertia"] if (np.abs(mine - theirs) / scale).max() > 1e-8 else []


@pytest.mark.parametrize("path", chosen(seed=2), ids=name_of)
def test_fields(path):
    try:
        peer = newest.load(source(path)).get()
    except ValueError:
        if path.suffix == ".xml":
            with pytest.raises(ValueError):
                load(path)
        return
    assert not differing(load(source(path)), peer, path.suffix == ".urdf")
