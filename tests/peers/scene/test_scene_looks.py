"""Looks of geoms in scenes, against the pinned peer: materials, textures, hulls, planes without end, islands."""

import numpy as np
import pytest

from scene_pair import Pair, rows_of
from test_scene_parts import ALL, parts

TET = "0 0 0 .1 0 0 0 .2 0 0 0 .15"
MATERIALS = f"""<mujoco><visual><map alpha=".4"/><global glow=".27"/></visual>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <texture name="cube" type="cube" builtin="flat" width="8" height="8"/>
  <material name="tm" texture="t" rgba=".1 .2 .3 .9"/><material name="em" emission="-1" specular="2"/>
  <material name="m" rgba="1 0 0 .5" emission=".3" specular=".6" shininess=".7" reflectance=".2"/>
  <material name="cm" texture="cube"/><material name="layer"><layer texture="t" role="normal"/></material>
  <material name="pbr" metallic=".3" roughness=".4" rgba="0 1 0 1"/><material name="clear" rgba="1 1 1 0"/>
  <mesh name="tet" vertex="{TET}"/><mesh name="tex" vertex="{TET}" texcoord="0 0 1 0 1 1 0 1"/>
  <hfield name="h" nrow="3" ncol="3" size="1 1 .1 .1"/><hfield name="h2" nrow="3" ncol="3" size="1 2 .3 .4"/></asset>
<worldbody>
  <geom name="plain" size=".1"/><geom name="m" size=".1" material="m"/><geom size=".1" material="tm"/>
  <geom name="own colour" size=".1" material="m" rgba="0 1 0 .7"/><geom size=".1" material="cm"/>
  <geom size=".1" material="layer"/><geom size=".1" material="pbr"/><geom size=".1" material="em"/>
  <geom size=".1" material="clear"/><geom size=".1" material="clear" rgba="1 1 1 .1"/><geom type="hfield" hfield="h2"/>
  <body mocap="true" name="mocap"><geom size=".1"/><body><geom size=".1" material="tm"/></body></body>
  <body name="fixed"><geom size=".1"/><site name="fixed"/></body>
  <body name="moving" pos="1 0 0"><freejoint/><geom size=".1"/><geom size=".1" material="m"/>
    <geom size=".1" rgba="0 0 0 0"/><geom type="mesh" mesh="tet" name="mesh" material="tm"/>
    <geom type="mesh" mesh="tex" material="tm"/><geom type="mesh" mesh="tex" contype="0" conaffinity="0"/>
    <geom type="mesh" mesh="tex" contype="0" group="4"/>
    <site name="s" type="box" size=".1 .2 .3" material="m"/><site size=".1" material="tm"/>
    <site type="capsule" size=".1 .2" rgba="1 0 0 .3"/><site type="ellipsoid" size=".1 .2 .3" rgba="1 0 0 0"/>
    <body><geom type="cylinder" size=".1 .2"/><geom type="ellipsoid" size=".1 .2 .3"/></body></body>
</worldbody></mujoco>"""

PLANES = """<mujoco><statistic extent="2" center="0 0 0"/><visual><map zfar="30"/></visual>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <texture name="cube" type="cube" builtin="flat" width="8" height="8"/>
  <material name="tm" texture="t" texrepeat="3 5"/><material name="m" rgba="1 0 0 1"/>
  <material name="tu" texture="t" texuniform="true" texrepeat="3 .5"/>
  <material name="tc" texture="cube" texrepeat="3 5"/></asset>
<worldbody><geom type="plane" size="1 2 .1" group="4"/><geom size=".1"/><geom type="plane" size="0 0 .1"/>
  <geom type="plane" size="0 3 .1"/><geom type="plane" size="3 0 .2" material="tm"/>
  <geom type="plane" size="0 0 .1" material="tm"/><geom type="plane" size="0 0 .1" material="tu" pos="1 2 3"/>
  <geom type="plane" size="0 0 .1" material="m" euler="30 40 50" pos=".2 -.1 .3"/>
  <geom type="plane" size="0 0 .1" material="tc" euler="30 40 50" pos=".2 -.1 .3"/>
  <body mocap="true"><geom type="plane" size="0 0 1"/></body></worldbody></mujoco>"""

ISLANDS = (
    "<mujoco><asset><material name='m' rgba='1 0 0 .5' emission='.3'/></asset><worldbody><geom type='plane' size='9 9 1'/>"
    + "".join(
        f"<body pos='{i} 0 .09'><freejoint/><geom size='.1' rgba='1 1 0 {1 - i / 80}'/>"
        f"<geom size='.05' material='m'/><site name='s{i}' size='.2'/></body>"
        for i in range(40)
    )
    + "<body pos='0 5 5'><freejoint/><geom size='.1'/></body><body mocap='true'><geom size='.1' rgba='1 0 1 1'/></body>"
    "<body><joint/><geom size='.1' pos='0 8 3'/><body><geom size='.1' pos='0 8 4'/></body></body></worldbody></mujoco>"
)

SHOWN = [
    (),
    ("TEXTURE", "STATIC"),
    ("TRANSPARENT", "STATIC", "TEXTURE"),
    ("CONVEXHULL", "STATIC"),
    ("ISLAND", "STATIC", "TRANSPARENT", "TEXTURE"),
]


@pytest.mark.parametrize("flags", SHOWN, ids="-".join)
def test_materials(flags):
    pair = Pair(MATERIALS)
    for body in (0, 1, 3, 4, 5):
        pair.option(flags=flags, geomgroup=ALL, label="GEOM")
        pair.perturb(select=body)
        assert pair.check(choose=parts) > 8


def test_what_has_no_alpha_is_left_out():
    pair = Pair(MATERIALS)
    for alpha in (0, -1, 1):
        for m in pair.m:
            m.vis.map.alpha = alpha
        pair.option(flags=("TRANSPARENT", "STATIC"))
        pair.check(choose=parts)
    for m in pair.m:
        m.mat_rgba[:, 3] = 0
    pair.check(choose=parts)


def test_hulls_are_of_geoms_that_collide():
    pair = Pair(MATERIALS)
    pair.option(flags=("CONVEXHULL",), geomgroup=ALL)
    numbers = []
    for name in (None, "geom_contype", "geom_conaffinity"):
        for m in pair.m:
            if name:
                getattr(m, name)[:] = 0
        pair.check(choose=parts)
        rows = rows_of(pair.scene[0])
        numbers.append(sorted(rows["dataid"][rows["type"] == 7]))
    assert numbers == [[1, 2, 3, 3], [1, 2, 3, 3], [0, 2, 2, 2]]


def test_groups_out_of_range():
    pair = Pair(MATERIALS)
    for m in pair.m:
        m.geom_group[:6] = [-1, 7, 100, 5, -100, 2**31 - 1]
        m.site_group[:2] = [-1, 7]
    for k in range(6):
        group = [k == i for i in range(6)]
        pair.option(geomgroup=group, sitegroup=group)
        pair.check(choose=parts)


@pytest.mark.parametrize("seed", range(3))
def test_planes_without_end_follow_the_camera(seed):
    pair, rng = Pair(PLANES), np.random.default_rng(seed)
    for k in range(40):
        lookat = rng.normal(size=3) * 10 ** rng.uniform(-1, 3)
        pair.camera(lookat=lookat, distance=rng.uniform(1, 20), azimuth=rng.uniform(0, 360))
        if k == 30:
            for m in pair.m:
                m.mat_texrepeat[0] = [0, -1]
                m.mat_texrepeat[1] = [1e-4, 1e4]
        if k == 35:
            for m in pair.m:
                m.vis.map.zfar = 0
        pair.check(choose=parts)


def test_planes_stand_before_the_camera_of_this_picture():
    """The peer's stand before that of the picture before (docs/differences.md)."""
    pair = Pair(PLANES)
    pair.camera(lookat=[500, 0, 0])
    pair.each("mjv_updateScene", pair.m, pair.d, pair.opt, pair.pert, pair.cam, [7] * 2, pair.scene)
    mine, theirs = ((rows["pos"][rows["objid"] == 2])[0] for rows in pair.rows())
    assert abs(mine[0] - 500) < 1 and theirs[0] == 0


@pytest.mark.parametrize(
    "flags", [("ISLAND",), ("ISLAND", "STATIC", "TRANSPARENT"), ("ISLAND", "TEXTURE")]
)
def test_islands_have_colours(flags):
    pair = Pair(ISLANDS)
    pair.option(flags=flags)
    pair.check()
    rows = pair.rows()[0]
    colours = np.unique(rows["rgba"][rows["objtype"] == 5], axis=0)
    assert len(colours) == 40 + 2 + ("STATIC" in flags)  # one grey, the mocap body's, the ground's
    for disable in (1 << 18, 1 << 0):  # islands, constraints
        for m in pair.m:
            m.opt.disableflags = disable
        pair.forward()
        pair.check()
