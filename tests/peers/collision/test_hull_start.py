"""Where a search on a hull starts, and what a data has been through, changes no bit of a result.

A heap of meshes nobody here wrote, each touching others and the floor, some flat on it.
"""

import mujoco
import numpy as np
import pytest

import bridge
from test_convex_exact import FILES, RADII, vertices

PARTS = [FILES[k] for k in range(0, len(FILES), 2)]


def heap(flag):
    """Sixteen meshes of bounding radius 1 in a pit of planes, as the peer compiles them."""
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
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><option><flag multiccd="{flag}"/></option><asset>{assets}</asset><worldbody>
        <geom type="plane" size="9 9 1"/>{walls}{bodies}</worldbody></mujoco>"""
    )


def random_starts(m, model, rng):
    """Any vertices of the hulls."""
    for mesh in range(m.nmesh):
        count = m.mesh_graph[m.mesh_graphadr[mesh]]
        model.mesh_hullstart[mesh] = rng.integers(0, count, model.mesh_hullstart.shape[1])


def contacts(model, data):
    bridge.call("kinematics", model, data)
    bridge.call("comPos", model, data)
    bridge.call("collision", model, data)
    return data.contact.tobytes()


@pytest.mark.parametrize("flag", ["disable", "enable"])
def test_starts(flag):
    m = heap(flag)
    rng = np.random.default_rng(5)
    model = bridge.copy_model(m, narena=1 << 26)
    data = bridge.make_data(model)
    touching = 0
    for _ in range(30):
        data.qpos[:, 0] = m.qpos0 + rng.normal(size=m.nq) * rng.choice([0, 1e-7, 0.1])
        model.mesh_hullstart[...] = 0
        first = contacts(model, data)
        touching += data.scalar("ncon")
        for _ in range(2):
            random_starts(m, model, rng)
            assert contacts(model, data) == first
    assert touching > 900


def test_lowest_vertex():
    """The first contact with a plane is with the lowest of all vertices of the hull."""
    m = heap("disable")
    model = bridge.copy_model(m, narena=1 << 26)
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
    model = bridge.copy_model(m, narena=1 << 26)
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
