"""Geoms that are the signed distances of their meshes, beside the pinned peer: frame, mass, rays, and the field itself at
the corners of the peer's octree, where its distances mostly are those to the triangles."""

import mujoco
import numpy as np
import pytest

import sinew.mujoco as ours

BRACKET = (
    'inertia="exact" vertex="0 0 0 1 0 0 1 .3 0 .3 .3 0 .3 1 0 0 1 0 0 0 .4 1 0 .4 1 .3 .4 .3 .3 .4 .3 1 .4 0 1 .4" '
    'face="0 3 1 1 3 2 0 5 3 3 5 4 6 7 9 7 8 9 6 9 11 9 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 '
    '4 5 11 4 11 10 5 0 6 5 6 11"'
)
MESHES = {
    "bracket": BRACKET,
    "ball": 'builtin="sphere" params="2"',
    "frustum": 'builtin="cone" params="5 .3"',
}


def text(mesh, kind="sdf"):
    return f"""<mujoco>
  <custom><text name="sinew_physics" data="3.3.7"/></custom>
  <asset><mesh name="m" {mesh}/></asset>
  <worldbody>
    <body pos=".1 .2 .3" euler="10 20 30"><freejoint/><geom type="{kind}" mesh="m" contype="0" conaffinity="0"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module", params=MESHES)
def pair(request):
    words = text(MESHES[request.param])
    return ours.MjModel.from_xml_string(words), mujoco.MjModel.from_xml_string(words)


def weights(x):
    """Weights of three numbers at 0, 1/2 and 1."""
    return np.stack([(2 * x - 1) * (x - 1), 4 * x * (1 - x), x * (2 * x - 1)], axis=-1)


def looked_up(m, p):
    """The distance of a point in the box of the field, as docs/sdf.md says."""
    box = m.mesh_sdfbox[0].copy()
    node = 0
    while m.sdf_child[node] >= 0:
        upper = p >= box[:3]
        box[3:] /= 2
        box[:3] += np.where(upper, box[3:], -box[3:])
        node = m.sdf_child[node] + upper @ [1, 2, 4]
    code = -1 - m.sdf_child[node]
    sheets = m.sdf_sheet[code // 8 : code // 8 + code // 2 % 4 + 1].reshape(-1, 3, 3, 3)
    w = weights(0.5 + 0.5 * (p - box[:3]) / box[3:])
    each = np.einsum("szyx,z,y,x->s", sheets, w[2], w[1], w[0])
    return each.max() if code % 2 else each.min()


def side(m):
    return 2 * m.geom_aabb[0, 3:].max()


def test_it_stands_and_weighs_as_its_mesh(pair):
    mine, theirs = pair
    for name in "geom_pos geom_quat geom_size geom_aabb geom_rbound body_mass body_inertia body_ipos".split():
        np.testing.assert_allclose(
            getattr(mine, name), getattr(theirs, name), rtol=1e-6, atol=1e-7, err_msg=name
        )


def test_distances_are_those_of_the_peer(pair):
    mine, theirs = pair
    leaves = np.flatnonzero(theirs.oct_child[:, 0] < 0)
    rng = np.random.default_rng(0)
    off = []
    for leaf in rng.choice(leaves, 600):
        k = rng.integers(8)
        sign = 2 * ((k >> np.arange(3)) & 1) - 1
        p = theirs.oct_aabb[leaf, :3] + sign * theirs.oct_aabb[leaf, 3:]
        if (np.abs(p - mine.mesh_sdfbox[0, :3]) < mine.mesh_sdfbox[0, 3:]).all():
            off.append(abs(looked_up(mine, p) - theirs.oct_coeff[leaf, k]))
    assert len(off) > 300
    # where leaves of two sizes meet, the peer's corners are not the distances
    assert np.quantile(off, 0.9) < 1e-3 * side(mine)
    assert max(off) < 2e-2 * side(mine)
    assert mine.mesh_sdferror[0] < 1e-3 * side(mine)


def test_the_tree_under_the_peers_names(pair):
    mine, theirs = pair
    assert mine.mesh_octadr == [0] and mine.mesh_octnum == [mine.noct]
    for name in "oct_depth oct_child oct_aabb oct_coeff".split():
        ours_, theirs_ = getattr(mine, name), getattr(theirs, name)
        assert ours_.shape[1:] == theirs_.shape[1:] and ours_.dtype == theirs_.dtype
        assert len(ours_) == mine.noct
    rng = np.random.default_rng(1)
    for node in rng.integers(mine.noct, size=100):
        children = mine.oct_child[node]
        if children[0] >= 0:
            assert (mine.oct_depth[children] == mine.oct_depth[node] + 1).all()
            np.testing.assert_allclose(
                mine.oct_aabb[children, :3].mean(axis=0), mine.oct_aabb[node, :3], atol=1e-12
            )
        for k in range(8):
            p = (
                mine.oct_aabb[node, :3]
                + (1 - 1e-12) * (2 * ((k >> np.arange(3)) & 1) - 1) * (mine.oct_aabb[node, 3:])
            )
            assert abs(looked_up(mine, p) - mine.oct_coeff[node, k]) < 1e-6 * side(mine)


@pytest.mark.parametrize("kind", ["mesh", "sdf"])
@pytest.mark.parametrize("needed", [False, True])
def test_which_meshes_have_a_field(kind, needed):
    """Those of geoms that are it, and those that `needsdf` names."""
    found = []
    for peer in (ours, mujoco):
        spec = peer.MjSpec.from_string(text(MESHES["frustum"], kind))
        spec.add_mesh(name="other").make_sphere(0)
        spec.add_mesh(name="third", needsdf=1).make_sphere(0)
        assert spec.mesh("other").needsdf == 0
        spec.mesh("other").needsdf = int(needed)
        found.append(spec.compile().mesh_octnum > 0)
        assert spec.mesh("other").needsdf == needed
    np.testing.assert_array_equal(*found)
    assert found[0].tolist() == [kind == "sdf", needed, True]


def test_rays_meet_the_mesh(pair):
    mine, theirs = pair
    my_data, their_data = ours.MjData(mine), mujoco.MjData(theirs)
    ours.mj_kinematics(mine, my_data)
    mujoco.mj_kinematics(theirs, their_data)
    rng = np.random.default_rng(2)
    both = near = 0
    for _ in range(200):
        start = 3 * rng.normal(size=3)
        way = my_data.geom_xpos[0] + 0.3 * rng.normal(size=3) - start
        way /= np.linalg.norm(way)
        geom, other = np.zeros(1, np.int32), np.zeros(1, np.int32)
        x = ours.mj_ray(mine, my_data, start, way, None, 1, -1, geom)
        y = mujoco.mj_ray(theirs, their_data, start, way, None, 1, -1, other)
        both += x >= 0 and y >= 0
        near += x >= 0 and y >= 0 and abs(x - y) < 1e-2 * side(mine)
        assert (x >= 0) == (geom[0] == 0)
    assert both > 100 and near > 0.9 * both, (both, near)


def test_it_comes_back_from_files(pair, tmp_path):
    mine = pair[0]
    path = tmp_path / "m.mjb"
    ours.mj_saveModel(mine, str(path))
    back = ours.MjModel.from_binary_path(str(path))
    for name in "sdf_child sdf_sheet mesh_sdfbox mesh_sdferror mesh_sdfadr mesh_sheetnum".split():
        np.testing.assert_array_equal(getattr(back, name), getattr(mine, name))


def test_the_text_keeps_the_type():
    spec = ours.MjSpec.from_string(text(BRACKET))
    spec.compile()
    assert 'type="sdf"' in spec.to_xml()


@pytest.mark.parametrize("faces", ["0 1 2 0 2 3 0 3 1", "0 1 2 0 2 3 0 3 1 1 2 3"])
def test_what_is_not_closed_is_told(faces):
    mesh = f'inertia="shell" vertex="0 0 0 0 1 0 1 0 0 0 0 1" face="{faces}"'
    with pytest.warns(match="is not closed: edges that belong to one triangle"):
        ours.MjModel.from_xml_string(text(mesh))
