"""Colours of a bent cable in a scene: its `vmax`, against the pinned peer, whose scene recolours the model itself."""

import mujoco
import numpy as np
import pytest

from sinew import mujoco as ours
from test_own_plugins import CABLE, Pair, text_of

CHAIN = """<geom name="before" size=".05" pos="2 0 0"/>
<body pos="0 0 1"><plugin instance="i"/><joint type="ball"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".005"/>
<body pos=".2 0 0" euler="0 20 30"><plugin instance="i"/><joint type="ball"/>
 <geom type="box" pos=".1 0 0" size=".1 .004 .006" rgba=".9 .8 .7 .6"/><geom size=".02" pos="0 .1 0" group="1"/>
<body pos=".2 0 0"><plugin instance="i"/><joint type="ball"/>
 <geom type="capsule" fromto="0 0 0 .2 0 0" size=".005" material="mat"/>
<body pos=".2 0 0"><plugin instance="i"/><joint type="ball"/><geom type="cylinder" fromto="0 0 0 .2 0 0" size=".004"/>
<body pos=".2 0 0"><joint type="ball"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".005"/>
</body></body></body></body></body>"""
MATERIAL = '<asset><material name="mat" rgba=".3 .4 .5 .6" shininess=".3"/></asset>'


def colours(package, model, data, change=lambda option: None):
    scene, option = package.MjvScene(model, 400), package.MjvOption()
    change(option)
    package.mjv_updateScene(model, data, option, None, package.MjvCamera(), 7, scene)
    return [[g.objid, g.objtype, g.matid, *g.rgba, g.shininess] for g in scene.geoms[: scene.ngeom]]


def transparent(option):
    option.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = 1


def islands(option):
    option.flags[mujoco.mjtVisFlag.mjVIS_ISLAND] = 1


def frames(option):
    option.frame = mujoco.mjtFrame.mjFRAME_GEOM


@pytest.mark.parametrize("flat", ["true", "false"])
@pytest.mark.parametrize("vmax", [".02", "1", "0"])
def test_a_bent_chain(flat, vmax):
    config = {"twist": "1e7", "bend": "4e6", "flat": flat, "vmax": vmax}
    text = text_of(CABLE, config, CHAIN, MATERIAL)
    pair = Pair(text)
    m = ours.MjModel.from_xml_string(text)
    d = ours.MjData(m)
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(25):
        # its colours are written into its model, and stay there
        pair = Pair(text)
        pair.shake(rng, turn=rng.choice([0.003, 0.03, 0.3]))
        d.qpos[:] = pair.d.qpos
        mujoco.mj_forward(pair.m, pair.d)
        ours.mj_forward(m, d)
        for change in (lambda option: None, transparent, islands, frames):
            theirs = colours(mujoco, pair.m, pair.d, change)
            # colours are floats of a quotient with rounding of its own
            np.testing.assert_allclose(colours(ours, m, d, change), theirs, rtol=0, atol=2e-6)
            seen |= {tuple(np.round(row[3:6], 1)) for row in theirs}
        assert (m.geom_rgba[:, :3] == Pair(text).m.geom_rgba[:, :3]).all()  # ours keeps the model's
    assert (len(seen) > 12) == (vmax == ".02") and ((1, 0, 0) in seen) == (vmax == ".02")


def test_a_composite():
    text = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
    <composite type="cable" curve="s" count="9 1 1" size="1" offset="0 0 1" initial="none">
    <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/>
    <config key="vmax" value=".05"/></plugin><joint kind="main" damping=".02"/>
    <geom type="capsule" size=".005" density="2000" rgba=".8 .2 .1 .7"/></composite></worldbody></mujoco>"""
    pair = Pair(text)
    pair.step(300)
    m = ours.MjModel.from_xml_string(text)
    d = ours.MjData(m)
    d.qpos[:] = pair.d.qpos
    mujoco.mj_forward(pair.m, pair.d)
    ours.mj_forward(m, d)
    theirs = colours(mujoco, pair.m, pair.d)
    np.testing.assert_allclose(colours(ours, m, d), theirs, rtol=0, atol=2e-6)
    assert len({tuple(np.round(row[3:6], 2)) for row in theirs}) > 4
