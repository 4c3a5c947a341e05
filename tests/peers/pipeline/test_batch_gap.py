"""Lanes of sinew.Batch and the peer where contacts are seen without being held: in the gap of their geoms."""

import mujoco
import numpy as np
import pytest

import sinew

N = 11
XML = """<mujoco>
<option cone="{cone}"/>
<default><geom margin=".03" gap=".02"/></default>
<worldbody>
  <geom name="wall" type="box" size=".2 .2 .02"/>
  <body name="foot" pos="0 0 .09"><freejoint/>
    <geom type="capsule" size=".02" fromto="-.05 0 0 .05 0 0"/><geom size=".03" pos="0 .1 0"/><site name="pad" size=".1"/>
    <body name="toe" pos=".1 0 0"><joint axis="0 1 0" range="-.5 .5"/><geom type="box" size=".04 .02 .02"/></body>
  </body>
</worldbody>
<actuator><adhesion body="foot" gain="4" ctrlrange="0 1"/><adhesion body="toe" gain="2" ctrlrange="0 1"/></actuator>
<sensor>
  <contact geom1="wall" num="3" data="found dist pos normal" reduce="mindist"/>
  <contact site="pad" num="2" data="found force" reduce="maxforce"/>
  <contact subtree1="foot" num="1" data="found force" reduce="netforce"/>
  <touch site="pad"/>
</sensor>
</mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_what_is_in_the_gap_is_seen_and_pulls(cone):
    text = XML.format(cone=cone)
    peer = mujoco.MjModel.from_xml_string(text)
    batch = sinew.Batch(
        sinew.Model.from_xml(text, physics="3.3.7"),
        N,
        fields=["actuator_velocity", "qfrc_actuator"],
    )
    assert batch.width > 1 and not batch.scalar_features
    rng = np.random.default_rng(0)
    batch.qpos[:, 2] = np.linspace(0.02, 0.08, N)
    batch.qpos[:, 4:6] = rng.normal(0, 0.05, (N, 2))
    batch.qvel = rng.normal(0, 0.1, batch.qvel.shape)
    batch.ctrl = rng.uniform(0, 1, batch.ctrl.shape)
    start = batch.qpos.copy(), batch.qvel.copy()
    batch.step()
    in_gap = 0
    for i in range(N):
        data = mujoco.MjData(peer)
        data.qpos, data.qvel, data.ctrl = start[0][i], start[1][i], batch.ctrl[i]
        mujoco.mj_step(peer, data)
        in_gap += sum(c.exclude == 1 for c in data.contact)
        for name in ("actuator_velocity", "qfrc_actuator", "sensordata", "qvel"):
            ours, theirs = getattr(batch, name)[i], getattr(data, name)
            # the solvers end at opt.tolerance
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6, err_msg=f"{name} {i}")
    assert in_gap > N
