"""How a hull is searched, and what a data has been through, changes no bit of a result.

A heap of meshes nobody here wrote, each touching others and the floor, some flat on it.
"""

import mujoco
import numpy as np
import pytest

import bridge
import hull_tables
import sinew
from test_convex_exact import FILES, RADII, vertices

PARTS = [FILES[k] for k in range(0, len(FILES), 2)]


def heap_text(flag):
    """Sixteen meshes of bounding radius 1 in a pit of planes."""
    rng = np.random.default_rng(4)
    assets = "".join(
        f'<mesh name="{k}" file="{p}" inertia="shell" scale="{" ".join([str(1 / RADII[p])] * 3)}"/>'
        for k, p in enumerate(PARTS)
    )
    bodies = "".join(
        f'<body pos="{x} {y} {0.6 * z + 0.5}" euler="{turn}"><joint type="free" damping="1e4"/>'
        f'<geom type="mesh" mesh="{rng.choice(len(PARTS))}"/></body>'
        for x in (-0.4, 0.4)
        for y in (-0.4, 0.4)
        for z in range(4)
        for turn in ["0 0 0" if z == 0 else "{} {} {}".format(*rng.uniform(-180, 180, 3))]
    )
    walls = "".join(
        f'<geom type="plane" size="9 9 1" pos="{-x} {-y} 0" zaxis="{x} {y} .5"/>'
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    return f"""<mujoco><option><flag multiccd="{flag}"/></option><asset>{assets}</asset><worldbody>
        <geom type="plane" size="9 9 1"/>{walls}{bodies}</worldbody></mujoco>"""


def heap(flag):
    """As the peer compiles it."""
    return mujoco.MjModel.from_xml_string(heap_text(flag))


def contacts(model, data):
    bridge.call("kinematics", model, data)
    bridge.call("comPos", model, data)
    bridge.call("collision", model, data)
    return data.contact.tobytes()


@pytest.mark.parametrize("flag", ["disable", "enable"])
def test_search(flag):
    """All vertices of a hull, or those that its tables name: the same contacts, whichever way they were found."""
    m = heap(flag)
    rng = np.random.default_rng(5)
    model = bridge.copy_model(m, narena=1 << 26, hulls=True)
    tables = model.mesh_hullcell.copy()
    assert ((tables[:, 1::2] > 0).all(axis=1) == (m.mesh_graphadr >= 0)).all()
    data = bridge.make_data(model)
    touching = 0
    for _ in range(30):
        data.qpos[:, 0] = m.qpos0 + rng.normal(size=m.nq) * rng.choice([0, 1e-7, 0.1])
        model.mesh_hullcell[...] = 0
        first = contacts(model, data)
        touching += data.scalar("ncon")
        model.mesh_hullcell[...] = tables
        assert contacts(model, data) == first
    assert touching > 900


def test_compiled():
    """The compiler's tables are those that another way gives."""
    model = sinew.Model.from_xml(heap_text("disable"), physics="3.3.7")
    expected = hull_tables.tables(model)
    assert model.mesh_hullinner == pytest.approx(expected["mesh_hullinner"].ravel(), rel=1e-5)
    assert model.nmesh == len(PARTS)
    for mesh in range(model.nmesh):
        places = zip(
            model.mesh_hullcell[mesh].reshape(-1, 2),
            expected["mesh_hullcell"][mesh].reshape(-1, 2),
            strict=True,
        )
        for (first, count), (other, number) in places:
            rows = model.mesh_hullblock[first : first + count]
            assert rows.tobytes() == expected["mesh_hullblock"][other : other + number].tobytes()


def test_changed_vertices():
    """Contacts of two meshes are those of the hulls that were compiled; the peer's follow `mesh_vert`."""
    text = heap_text("disable")
    model, m = sinew.Model.from_xml(text, physics="3.3.7"), mujoco.MjModel.from_xml_string(text)
    data, d = sinew.Data(model), mujoco.MjData(m)
    sinew.forward(model, data)
    mujoco.mj_forward(m, d)
    before = between_meshes(data)
    assert before.min() == pytest.approx(between_meshes(d).min(), abs=1e-6)
    model.mesh_vert[...] *= 2
    m.mesh_vert[...] *= 2
    sinew.forward(model, data)
    mujoco.mj_forward(m, d)
    assert between_meshes(data).tobytes() == before.tobytes()
    assert between_meshes(d).min() < before.min() - 0.1


def between_meshes(data):
    return data.contact.dist[data.contact.geom[:, 0] >= 5]


def test_lowest_vertex():
    """The first contact with a plane is with the lowest of all vertices of the hull."""
    m = heap("disable")
    model = bridge.copy_model(m, narena=1 << 26, hulls=True)
    data = bridge.make_data(model)
    rng = np.random.default_rng(6)
    checked = 0
    for _ in range(40):
        data.qpos[:, 0] = m.qpos0 + 0.2 * rng.normal(size=m.nq)
        contacts(model, data)
        lowest = {}
        for c in data.contact[: data.scalar("ncon"), 0]:
            if c["geom"][0] < 5:
                lowest.setdefault(tuple(c["geom"]), c["dist"])
        for (plane, geom), dist in lowest.items():
            graph = m.mesh_graph[m.mesh_graphadr[m.geom_dataid[geom]] :]
            hull = vertices(m, geom)[graph[2 + graph[0] : 2 + 2 * graph[0]]]
            n = data.geom_xmat[plane].reshape(3, 3)[:, 2]
            pos = data.geom_xpos[geom] - data.geom_xpos[plane]
            height = n @ pos + hull @ (n @ data.geom_xmat[geom].reshape(3, 3))
            assert dist == pytest.approx(height.min(), abs=1e-14)
            checked += 1
    assert checked > 200


def test_fresh_data():
    """A state set into a fresh data goes on with the same bits as in the data that ran there."""
    m = heap("enable")
    model = bridge.copy_model(m, narena=1 << 26, hulls=True)
    ran = bridge.make_data(model)
    touching = 0
    for _ in range(4):
        for _ in range(5):
            bridge.call("step", model, ran)
        fresh = bridge.make_data(model)
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(fresh, name)[...] = getattr(ran, name)
        fresh.time = ran.time
        for _ in range(10):
            for data in (ran, fresh):
                bridge.call("step", model, data)
            assert fresh.qpos.tobytes() == ran.qpos.tobytes()
            assert fresh.qvel.tobytes() == ran.qvel.tobytes()
            assert fresh.contact.tobytes() == ran.contact.tobytes()
            touching += ran.scalar("ncon")
    assert touching > 600
