"""Tactile sensors against both peers: pressures of 3.3.7, depths of 4.0.1."""

import mujoco
import numpy as np
import pytest

import newest
import peer_plugins  # noqa: F401
import sinew

STATES = 100
PLATE = 'builtin="plate" params="6 5" scale=".04 .03 .005"'
WEDGE = 'builtin="wedge" params="8 7 60 40 .3" scale=".04 .03 .015"'
BASE = '<geom name="base" type="box" size=".04 .04 .005" pos=".01 0 0"/>'
SPHERE = '<geom size=".05" pos=".01 .02 -.01"/>'
BOX = '<geom type="box" size=".05 .04 .03" pos=".02 .01 0"/>'


def text_of(skin, touching, base=BASE, world="", more="", carrier="<freejoint/>"):
    """A pad with a skin, and what touches it."""
    return f"""<mujoco><option gravity="0 0 0"/><asset><mesh name="skin" {skin}/>{more}</asset><worldbody>{world}
<body name="pad">{carrier}{base}<geom name="s" type="mesh" mesh="skin" pos=".01 .02 .003" euler="10 20 30" mass=".1"
  contype="0" conaffinity="0"/></body>
<body name="o" pos=".01 0 0"><freejoint/>{touching}</body></worldbody><sensor><tactile geom="s" mesh="skin"/></sensor></mujoco>"""


def states_of(m, count=STATES, seed=0, spread=0.03):
    rng, states = np.random.default_rng(seed), []
    free = np.flatnonzero(m.jnt_type == 0)
    for _ in range(count):
        qpos = m.qpos0.copy()
        for a in m.jnt_qposadr[free]:
            qpos[a : a + 3] += rng.normal(0, spread, 3)
            qpos[a + 3 : a + 7] = (q := rng.normal(size=4)) / np.linalg.norm(q)
        states.append({"qpos": qpos, "qvel": rng.normal(size=m.nv)})
    return states


def ours(text, physics, states):
    m = sinew.Model.from_xml(text, physics=physics)
    d, found = sinew.Data(m), []
    for state in states:
        d.qpos[:], d.qvel[:] = state["qpos"], state["qvel"]
        sinew.forward(m, d)
        found.append(d.sensordata.copy())
    return np.array(found)


def pinned(m, states):
    d, found = mujoco.MjData(m), []
    for state in states:
        d.qpos[:], d.qvel[:] = state["qpos"], state["qvel"]
        mujoco.mj_forward(m, d)
        found.append(d.sensordata.copy())
    return np.array(found)


def compare(text, count=STATES):
    """Numbers of both releases, and how many of them are not 0."""
    old, new = mujoco.MjModel.from_xml_string(text), newest.load(text)
    states = states_of(old, count)
    theirs = pinned(old, states)
    np.testing.assert_allclose(ours(text, "3.3.7", states), theirs, rtol=0, atol=1e-10)
    theirs = np.array([one.sensordata for one in new.run("mj_forward", states, ("sensordata",))])
    np.testing.assert_allclose(ours(text, "4.0", states), theirs, rtol=0, atol=1e-10)
    return np.count_nonzero(theirs)


TOUCHING = {
    "sphere": SPHERE,
    "capsule": '<geom type="capsule" size=".03 .04"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".03 .04 .05"/>',
    "cylinder": '<geom type="cylinder" size=".03 .04"/>',
    "box": BOX,
}


@pytest.mark.parametrize("skin", [PLATE, WEDGE], ids=["plate", "wedge"])
@pytest.mark.parametrize("touching", TOUCHING)
def test_it_is_the_peers(touching, skin):
    assert compare(text_of(skin, TOUCHING[touching])) > 400


OTHERS = {
    "plane": text_of(
        WEDGE,
        "<geom size='.01' contype='0' conaffinity='0'/>",
        world='<geom type="plane" size="1 1 1" euler="10 20 0"/>',
    ),
    "several geoms": text_of(WEDGE, SPHERE + BOX, base=BASE + '<geom size=".03" pos="-.02 0 0"/>'),
    "several bodies": text_of(
        WEDGE,
        f'{BOX}</body><body><freejoint/>{SPHERE}</body><body><freejoint/>{TOUCHING["capsule"]}',
        base='<geom size=".06"/>',
    ),
    "on the world": text_of(WEDGE, SPHERE, carrier=""),
    "by a welded body": text_of(
        WEDGE,
        SPHERE,
        base='<geom size=".0001" pos="0 0 3"/><body pos=".01 0 0" euler="10 0 0"><geom size=".05"/></body>',
    ),
    "through a gap": text_of(
        WEDGE,
        '<geom size=".03" margin=".06" gap=".06"/>',
        base='<geom size=".01" pos=".06 0 0"/>',
    ),
    "the frame of another geom": text_of(WEDGE, SPHERE).replace('geom="s"', 'geom="base"'),
    "a skin that collides": text_of(WEDGE, SPHERE, base="").replace('conaffinity="0"', ""),
    "a mesh without a field": text_of(
        WEDGE, '<geom type="mesh" mesh="m"/>', more='<mesh name="m" builtin="sphere" params="2" scale=".05 .05 .05"/>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_what_it_looks_at_is_what_the_peer_looks_at(name):
    assert (compare(OTHERS[name], 40) > 100) == (name != "a mesh without a field")


TORUS = '<mesh name="o"><plugin instance="o"/></mesh>'
SHAPES = {
    "torus": {"radius1": 0.06, "radius2": 0.03},
    "bowl": {"height": 0.02, "radius": 0.06, "thickness": 0.02},
    "gear": {"diameter": 0.15, "thickness": 0.04, "teeth": 12, "innerdiameter": 0.04},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_in_shapes_of_plugins(shape):
    """Where both find a contact: which points touch is found by searches of their own. Speeds of 3.3.7 are those of the
    geom's centre, which is that of a mesh of the shape, and where that is hangs on how the mesh is made."""
    keys = "".join(f'<config key="{k}" value="{v}"/>' for k, v in SHAPES[shape].items())
    touching = '<geom type="sdf" mesh="o" euler="30 20 10"><plugin instance="o"/></geom>'
    text = text_of(WEDGE, touching, base='<geom size=".05"/>', more=TORUS).replace(
        "<asset>",
        f'<extension><plugin plugin="mujoco.sdf.{shape}"><instance name="o">{keys}</instance></plugin></extension><asset>',
    )
    peer = mujoco.MjModel.from_xml_string(text)
    states = states_of(peer)
    theirs, mine = pinned(peer, states), ours(text, "3.3.7", states)
    both = theirs.any(axis=1) & mine.any(axis=1)
    pressures = slice(0, len(theirs[0]) // 3 if shape == "bowl" else None)
    np.testing.assert_allclose(mine[both, pressures], theirs[both, pressures], rtol=0, atol=1e-8)
    assert both.sum() > 15 and (theirs.any(axis=1) != mine.any(axis=1)).sum() <= 3
    new = newest.load(text)
    theirs = np.array([one.sensordata for one in new.run("mj_forward", states, ("sensordata",))])
    mine = ours(text, "4.0", states)
    both = theirs.any(axis=1) & mine.any(axis=1)
    np.testing.assert_allclose(mine[both], theirs[both], rtol=0, atol=1e-8)
    assert both.sum() > 15 and (theirs.any(axis=1) != mine.any(axis=1)).sum() <= 3


BALL = '<mesh name="ball" builtin="sphere" params="4" scale=".05 .05 .05"/>'


@pytest.mark.parametrize("kind", ["mesh", "sdf"])
def test_in_meshes_that_have_a_field(kind):
    """As in the ball that the mesh is of, but for what its triangles cut off (0.2 mm) and the field's error."""
    field = '<geom type="sdf" mesh="ball" contype="2" conaffinity="0" pos="9 0 0"/>'
    text = text_of(
        WEDGE,
        f'<geom type="{kind}" mesh="ball"/>',
        base='<geom size=".05"/>',
        more=BALL,
        world=field,
    )
    exact = text.replace(f'type="{kind}" mesh="ball"/>', 'size=".05"/>')
    m = sinew.Model.from_xml(text)
    states = states_of(m)
    depths, right = (np.split(ours(t, "4.0", states), 3, 1)[0] for t in (text, exact))
    both = depths.any(axis=1) & right.any(axis=1)
    np.testing.assert_allclose(depths[both], right[both], rtol=0, atol=4e-4)
    assert both.sum() > 40


ANGLE = (
    '<mesh name="angle" inertia="exact" scale=".08 .08 .1" '
    'vertex="0 0 0 1 0 0 1 .3 0 .3 .3 0 .3 1 0 0 1 0 0 0 .4 1 0 .4 1 .3 .4 .3 .3 .4 .3 1 .4 0 1 .4" '
    'face="0 3 1 1 3 2 0 5 3 3 5 4 6 7 9 7 8 9 6 9 11 9 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 '
    '4 5 11 4 11 10 5 0 6 5 6 11"/>'
)
FIELDS = {"ball": BALL, "angle": ANGLE}


def octree_at(octree, p):
    """The peer's field at a point: linear along each axis between the corners of a leaf; NaN: outside of its box."""

    def holds(node):
        return (abs(p - octree.oct_aabb[node, :3]) <= octree.oct_aabb[node, 3:]).all()

    if not holds(node := 0):
        return np.nan
    while (octree.oct_child[node] >= 0).any():
        node = next(child for child in octree.oct_child[node] if holds(child))
    centre, half = np.split(octree.oct_aabb[node], 2)
    corners = octree.oct_coeff[node].reshape(2, 2, 2)  # z, y, x
    for share in ((p - centre + half) / (2 * half))[::-1]:
        corners = (1 - share) * corners[0] + share * corners[1]
    return corners


def to_triangles(m, mesh, points):
    """Distances of points to the triangles of a mesh, one by one."""
    vert = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)
    a, b, c = vert[m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]]].transpose(1, 0, 2)
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    best = np.full(len(points), np.inf)
    for i, p in enumerate(points):
        over = np.ones(len(a), bool)
        for u, v in ((a, b), (b, c), (c, a)):
            e, off = v - u, p - u
            along = np.clip((off * e).sum(1) / (e * e).sum(1), 0, 1)
            best[i] = min(best[i], np.linalg.norm(off - along[:, None] * e, axis=1).min())
            over &= (np.cross(e, off) * n).sum(1) >= 0
        if over.any():
            best[i] = min(best[i], abs(((p - a) * n).sum(1))[over].min())
    return best


@pytest.mark.parametrize("mesh", FIELDS)
def test_in_meshes_as_far_as_the_peers_octree_allows(mesh):
    """What each takes for the depth is its field: the peer's, linear in cells of an octree, which is off by up to 1 mm
    inside of a ball of 5 cm and 2 mm beside the edges of an angle, and ours, off by 1e-3 of the side. Beside that both say
    the same: where both feel a taxel the speeds are equal."""
    field = f'<geom type="sdf" mesh="{mesh}" contype="2" conaffinity="0" pos="9 0 0"/>'
    text = text_of(
        WEDGE,
        f'<geom name="o" type="mesh" mesh="{mesh}"/>',
        base='<geom size=".05"/>',
        more=FIELDS[mesh],
        world=field,
    )
    m, peer = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    octree = peer.get("oct_aabb", "oct_child", "oct_coeff", "mesh_octnum")
    assert octree.mesh_octnum[0] == 0 and octree.mesh_octnum[1] > 1000
    states = states_of(m, 60)
    names = ("sensordata", "geom_xpos", "geom_xmat")
    skin, geom = m.mesh("skin").id, m.geom("o").id
    taxels = m.mesh_vert[m.mesh_vertadr[skin] :][: m.mesh_vertnum[skin]].astype(float)
    mine = ours(text, "4.0", states).reshape(len(states), 3, -1)
    felt, errors, peers_errors = 0, [], []
    for mine, one in zip(mine, peer.run("mj_forward", states, names), strict=True):
        theirs = one.sensordata.reshape(3, -1)
        assert theirs.any() == mine.any()
        if not theirs.any():
            continue
        turn = np.reshape(one.geom_xmat, (-1, 3, 3))
        points = one.geom_xpos[m.geom("s").id] + taxels @ turn[m.geom("s").id].T
        points = (points - one.geom_xpos[geom]) @ turn[geom]
        found = np.array([max(-octree_at(octree, p), 0) for p in points])
        np.testing.assert_allclose(theirs[0], np.nan_to_num(found), rtol=0, atol=1e-12)
        both = (theirs[0] > 0) & (mine[0] > 0)
        np.testing.assert_allclose(mine[1:, both], theirs[1:, both], rtol=0, atol=1e-10)
        exact = to_triangles(m, m.mesh(mesh).id, points[both])
        errors.extend(abs(mine[0, both] - exact))
        peers_errors.extend(abs(theirs[0, both] - exact))
        # near the surface one may be inside of one field and not of the other
        assert max(theirs[0, ~both].max(initial=0), mine[0, ~both].max(initial=0)) < 2e-3
        felt += both.sum()
    assert felt > 100
    assert max(errors) < 1e-4 < max(peers_errors) < 4e-3, (max(errors), max(peers_errors))


def test_a_mesh_is_felt_once_it_needs_its_field():
    """`needsdf`: without it neither feels geoms of type mesh, and what asks for it may be text, spec or element."""
    text = text_of(WEDGE, '<geom type="mesh" mesh="ball"/>', base='<geom size=".05"/>', more=BALL)
    by_sdf = text.replace(
        "<worldbody>", '<worldbody><geom type="sdf" mesh="ball" contype="0" conaffinity="0"/>'
    )
    spec = sinew.Spec.from_xml(text)
    states = states_of(spec.compile())
    assert not ours(text, "4.0", states).any()
    spec.set_needsdf("ball")
    assert spec.needsdf("ball") and not spec.needsdf("skin")
    written = spec.to_xml()
    assert '<text name="sinew_needsdf_ball" data="true"/>' in written
    found = ours(written, "4.0", states)
    assert found.any()
    np.testing.assert_array_equal(found, ours(by_sdf, "4.0", states))
    spec.mesh("ball").name = "round"  # the field follows
    assert spec.needsdf("round") and not spec.needsdf("ball")
    m = spec.compile()
    assert m.mesh_sdfnum[m.mesh("skin").id] == 0 < m.mesh_sdfnum[m.mesh("round").id]
    whole = sinew.Spec()
    whole.attach(spec, prefix="a-")
    assert whole.needsdf("a-round") and whole.compile().mesh_sdfnum.max() > 0
    whole.set_needsdf("a-round", False)
    assert not whole.needsdf("a-round") and whole.compile().mesh_sdfnum.max() == 0
    spec.set_needsdf("nothing")
    with pytest.raises(
        sinew.ModelError, match='sinew_needsdf_nothing">: MESH="nothing": there is no such mesh'
    ):
        spec.compile()
    with pytest.raises(
        sinew.ModelError, match='sinew_needsdf_ball">: data is "1", must be true or false'
    ):
        sinew.Model.from_xml(written.replace('data="true"', 'data="1"'))


def test_a_mesh_without_tangents_has_depths_alone():
    text = text_of('builtin="sphere" params="2" scale=".04 .03 .02"', SPHERE)
    new, old = newest.load(text), mujoco.MjModel.from_xml_string(text)
    states = states_of(old, 20)
    found = np.array([one.sensordata for one in new.run("mj_forward", states, ("sensordata",))])
    depths, speeds = np.split(ours(text, "4.0", states), [found.shape[1] // 3], 1)
    np.testing.assert_allclose(depths, found[:, : depths.shape[1]], rtol=0, atol=1e-10)
    assert depths.max() > 0.01 and not speeds.any() and not found[:, depths.shape[1] :].any()
    # 3.3.7 reads on behind its normals, which nobody can mean: pressures without them
    pressures, speeds = np.split(ours(text, "3.3.7", states), [found.shape[1] // 3], 1)
    np.testing.assert_allclose(pressures, -depths / (0.05 + depths), rtol=0, atol=1e-12)
    assert not speeds.any()


def test_the_model_is_the_peers():
    text = text_of(WEDGE, SPHERE)
    names = ("sensor_type", "sensor_datatype", "sensor_needstage", "sensor_objtype", "sensor_objid", "sensor_reftype",
             "sensor_refid", "sensor_dim", "sensor_intprm", "sensor_cutoff")  # fmt: skip
    old, new = mujoco.MjModel.from_xml_string(text), newest.load(text)
    mine = [sinew.Model.from_xml(text, physics=p) for p in ("3.3.7", "4.0")]
    for name in names:
        np.testing.assert_array_equal(
            np.ravel(getattr(mine[0], name)), np.ravel(getattr(old, name)), name
        )
        if name != "sensor_type":  # others stand between
            np.testing.assert_array_equal(np.ravel(getattr(mine[1], name)), np.ravel(getattr(new.get(name), name)), name)  # fmt: skip


def test_rule_tactile_depth():
    """TACTILE_DEPTH: a ball of 5 cm, 3 mm deep in the middle of a plate, slides along both of its axes."""
    text = """<mujoco><asset><mesh name="m" builtin="plate" params="3 3" scale=".1 .1 .1"/></asset><worldbody>
<geom name="s" type="mesh" mesh="m" contype="0" conaffinity="0"/><geom size=".1"/><body pos="0 0 -.147"><freejoint/>
<geom size=".05"/></body></worldbody><sensor><tactile geom="s" mesh="m"/></sensor></mujoco>"""
    for physics, first, stage in (("3.3.7", -0.003 / 0.053, 3), ("4.0", 0.003, 2)):
        m = sinew.Model.from_xml(text, physics=physics)
        d = sinew.Data(m)
        d.qvel[:3] = -2, 3, 4
        sinew.forward(m, d)
        middle = d.sensordata.reshape(3, 9)[:, 4]
        np.testing.assert_allclose(middle, [first, 3, 4], atol=1e-9)
        assert np.count_nonzero(d.sensordata) == 3 and m.sensor_needstage[0] == stage


def test_cutoff_delay_and_interval():
    text = text_of(WEDGE, SPHERE)
    bound = text.replace("<tactile ", '<tactile cutoff=".004" ')
    late = text.replace("<tactile ", '<tactile nsample="3" delay=".004" ')
    for each in (bound, late):
        peer = newest.load(each)
        m = sinew.Model.from_xml(each, physics="4.0")
        d = sinew.Data(m)
        d.qvel[:] = peer_qvel = np.linspace(-0.1, 0.1, m.nv)
        peer.put(qvel=peer_qvel)
        for _ in range(4):
            sinew.step(m, d)
        peer.call("mj_step", 4)
        theirs = peer.look("sensordata").sensordata
        np.testing.assert_allclose(d.sensordata, theirs, atol=1e-9)
        assert theirs.any() and (each is late or theirs.max() == 0.004)


def test_sleepers_keep_what_they_felt():
    text = """<mujoco><option><flag sleep="enable"/></option><asset><mesh name="m" builtin="plate" params="9 9"
scale=".04 .04 .005"/></asset><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .01">{}<geom type="box"
size=".04 .04 .005"/><geom name="s" type="mesh" mesh="m" contype="0" conaffinity="0" euler="180 0 0" mass=".1"/></body>
<body pos="0 0 .03"><freejoint/><geom size=".02 .02 .005" type="box"/></body></worldbody>
<sensor><tactile geom="s" mesh="m"/></sensor></mujoco>"""
    for joint, keeps in (("<freejoint/>", True), ("", False)):
        peer = newest.load(text.format(joint))
        m = sinew.Model.from_xml(text.format(joint), physics="4.0")
        d = sinew.Data(m)
        sinew.step(m, d, 600)
        peer.call("mj_step", 600)
        assert (d.tree_asleep >= 0).all()
        assert d.sensordata.any() == peer.look("sensordata").sensordata.any() == keeps


REFUSED = {
    "needs a geom that collides": text_of(WEDGE, SPHERE, base="<geom size='.1' contype='0' conaffinity='0'/>"),
    "cannot be scaled": text_of(WEDGE, SPHERE).replace('<body name="pad">', '<frame scale="2 2 2"><body name="pad">').replace('<body name="o"', '</frame><body name="o"'),
    'object="p": there is no such mesh': text_of(WEDGE, SPHERE).replace('geom="s" mesh="skin"', 'geom="s" mesh="p"'),
    'refname="p": there is no such geom': text_of(WEDGE, SPHERE).replace('geom="s" mesh="skin"', 'geom="p" mesh="skin"'),
}  # fmt: skip


@pytest.mark.parametrize("needle", REFUSED)
def test_refused_by_both(needle):
    with pytest.raises(ValueError):
        newest.load(REFUSED[needle])
    with pytest.raises(sinew.ModelError, match=needle):
        sinew.Model.from_xml(REFUSED[needle], physics="4.0")


def test_geoms_of_its_body_must_collide():
    """3.3.7 looks at geoms of other bodies."""
    text = text_of(WEDGE, SPHERE, world='<geom size=".1" contype="0" conaffinity="0" pos="9 0 0"/>')
    with pytest.raises(ValueError, match="at least one collision geom"):
        mujoco.MjModel.from_xml_string(text)
    newest.load(text)
    assert sinew.Model.from_xml(text, physics="3.3.7").nsensor == 1


def test_discardvisual_keeps_its_mesh():
    text = text_of(WEDGE, SPHERE).replace("<asset>", '<compiler discardvisual="true"/><asset>')
    apart = text.replace('geom="s" mesh', 'geom="base" mesh')
    for each in (text, apart):
        peer = newest.load(each).get("nmesh", "ngeom")
        m = sinew.Model.from_xml(each, physics="4.0")
        assert (m.nmesh, m.ngeom) == (peer.nmesh, peer.ngeom)


def test_written_and_read_again_and_compiled_and_refused_where_it_is_not():
    text = text_of(WEDGE, SPHERE).replace("<tactile ", '<tactile name="t" cutoff=".5" ')
    spec = sinew.Spec.from_xml(text, physics="4.0")
    again = spec.to_xml()
    assert '<tactile name="t" cutoff=".5" geom="s" mesh="skin"/>' in again
    m = sinew.Model.from_xml(again, physics="4.0")
    batch = sinew.Batch(m, 2)
    assert "tactile sensors" in batch.scalar_features
    d = sinew.Data(m)
    for _ in range(3):
        batch.step()
        sinew.step(m, d)
    np.testing.assert_allclose(np.asarray(batch.sensordata)[1], d.sensordata, atol=1e-12)
    with pytest.raises(sinew.NotSupportedError, match="no derivative"):
        sinew.transitionDerivative(m, d)
