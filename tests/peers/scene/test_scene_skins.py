"""Skins that follow their bones, against the pinned peer and by themselves."""

import numpy as np
import pytest

from scene_pair import Pair, ours
from test_scene_parts import ALL, LONG, SKINNED, parts

# vertex 3 has no triangle, triangle 1 no area
ODD = """<mujoco><asset><skin name="skin" vertex="0 0 0 .1 0 0 0 .1 0 5 5 5 1 1 1 2 2 2" face="0 1 2 4 4 5">
  <bone body="a" bindpos="0 0 1" bindquat="1 0 0 1" vertid="0 1 2 3 4 5" vertweight="1 1 1 1 1 .5"/>
  <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="1 5" vertweight="3 1"/></skin></asset>
<worldbody><body name="a" pos="1 2 3"><freejoint/><geom size="1"/></body>
  <body name="b" pos="0 1 0" euler="10 20 30"><freejoint/><geom size="1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    "source",
    [ODD, *SKINNED] if LONG else [ODD, SKINNED[0]],
    ids=lambda s: getattr(s, "stem", "odd"),
)
def test_skins(source):
    pair, rng = Pair(source), np.random.default_rng(0)
    pair.option(skingroup=ALL)
    for inflate in (0, 0.01):
        for m in pair.m:
            m.skin_inflate[:] = inflate
        pair.randomise(rng)
        pair.check(choose=parts)
        for scene in pair.scene:
            scene.skinvert[:] = scene.skinnormal[:] = 7
        pair.each("mjv_updateSkin", pair.m, pair.d, pair.scene)
        pair.same_skins()


def test_vertices_without_triangles_have_no_normal():
    pair = Pair(ODD)
    pair.check(choose=parts)
    lengths = np.linalg.norm(np.reshape(pair.scene[0].skinnormal, (-1, 3)), axis=1)
    assert np.allclose(lengths, [1, 1, 1, 0, 0, 0])


def test_what_is_hidden_moves_or_not_as_at_the_peer():
    """Without the flag vertices stay, skins of hidden groups have none."""
    pair = Pair(ODD)
    pair.check(choose=parts)
    held = pair.scene[0].skinvert.copy()
    for d in pair.d:
        d.qpos[:3] += 1
    pair.forward()
    pair.option(flags={"SKIN": 0})
    pair.check(choose=parts)
    assert np.array_equal(pair.scene[0].skinvert, held)
    pair.option(flags={"SKIN": 1}, skingroup=[0] * 6)
    pair.check(choose=parts)
    assert not pair.scene[0].skinvert.any()
    pair.option(skingroup=ALL)
    pair.check(4, choose=parts)
    assert pair.scene[0].skinvert.any()


def test_a_skin_moves_with_its_body():
    """A rigid motion of all bones is that of the vertices."""
    pair = Pair(ODD)
    m, d, scene = pair.m[0], pair.d[0], pair.scene[0]
    ours.mjv_updateSkin(m, d, scene)
    before, turned = np.reshape(scene.skinvert.copy(), (-1, 3)), np.zeros(9)
    ours.mju_quat2Mat(turned, np.array([0.5, 0.5, 0.5, 0.5]))
    turned = turned.reshape(3, 3)
    for body in (0, 7):
        d.qpos[body : body + 3] = turned @ d.qpos[body : body + 3] + [1, 2, 3]
        quat = np.zeros(4)
        ours.mju_mulQuat(quat, np.array([0.5, 0.5, 0.5, 0.5]), d.qpos[body + 3 : body + 7].copy())
        d.qpos[body + 3 : body + 7] = quat
    ours.mj_forward(m, d)
    ours.mjv_updateSkin(m, d, scene)
    after = np.reshape(scene.skinvert, (-1, 3))
    assert np.allclose(
        after, before @ turned.T + [1, 2, 3], rtol=0, atol=1e-5
    )  # float at distance 10


def test_scenes_of_another_model_keep_their_skins():
    skinned, other = Pair(ODD), Pair("<mujoco/>")
    m, d = skinned.m[0], skinned.d[0]
    small = ours.MjvScene(other.m[0], 10)
    ours.mjv_updateSkin(m, d, small)
    wrong = skinned.scene[0]
    wrong.skinvertnum[0] = 10**6
    wrong.skinvert[:] = 7
    ours.mjv_updateSkin(m, d, wrong)
    assert (wrong.skinvert == 7).all() and small.skinvert.size == 0
