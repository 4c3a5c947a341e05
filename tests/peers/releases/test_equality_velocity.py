"""EQUALITY_VELOCITY and TRACE_SCALE: rows of connect and weld, and what tolerance bounds, against both peers."""

import mujoco
import numpy as np

import newest
import sinew

# a four-bar linkage of connects, and welds with an offset, between sites too; all turns fast
TEXT = """<mujoco>
<option timestep="1e-3" tolerance="0" iterations="200"/>
<default><geom type="capsule" size=".02" density="800" contype="0" conaffinity="0"/></default>
<worldbody>
  <body name="crank"><joint axis="0 1 0"/><geom fromto="0 0 0 0 0 .3"/>
    <body name="rod" pos="0 0 .3"><joint axis="0 1 0"/><geom fromto="0 0 0 .5 0 0"/></body></body>
  <body name="rocker" pos=".5 0 0"><joint axis="0 1 0"/><geom fromto="0 0 0 0 0 .3"/></body>
  <body name="a" pos="0 1 0"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="sa" pos=".1 .1 0" euler="10 20 30"/></body>
  <body name="b" pos="0 2 0"><freejoint/><geom type="box" size=".1 .05 .2"/><site name="sb" pos="0 .1 0" euler="0 40 0"/></body>
  <body name="ball" pos="1 0 0"><joint type="ball"/><geom fromto="0 0 0 0 .3 .1"/>
    <body name="tip" pos="0 .3 .1"><joint type="ball"/><geom fromto="0 0 0 .2 0 0"/></body></body>
</worldbody>
<equality>
  <connect body1="rod" body2="rocker" anchor=".5 0 0"/>
  <weld body1="a" body2="b" torquescale="1.7" relpose=".1 .2 .3 .9 .1 .2 .3"/>
  <weld site1="sa" site2="sb"/>
  <weld body1="tip" anchor=".1 0 0"/>
</equality></mujoco>"""


def states():
    m = mujoco.MjModel.from_xml_string(TEXT)
    d = mujoco.MjData(m)
    rng = np.random.default_rng(5)
    for _ in range(20):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(size=m.nv), 0.5)
        yield d.qpos.copy(), 5 * rng.normal(size=m.nv)


def rows(physics, qpos, qvel):
    m = sinew.Model.from_xml(TEXT, physics=physics)
    d = sinew.Data(m)
    d.qpos[:], d.qvel[:] = qpos, qvel
    sinew.forward(m, d)
    return d


def test_against_both():
    peer, old_model = newest.load(TEXT), mujoco.MjModel.from_xml_string(TEXT)
    old = mujoco.MjData(old_model)
    for qpos, qvel in states():
        peer.put(qpos=qpos, qvel=qvel)
        peer.call("mj_forward")
        new = peer.look("efc_aref", "efc_vel", "qacc")
        d = rows("4.0", qpos, qvel)
        size = np.abs(new.efc_aref).max()
        np.testing.assert_allclose(d.efc_aref, new.efc_aref, atol=1e-12 * size)
        np.testing.assert_allclose(d.efc_vel, new.efc_vel, atol=1e-12)
        np.testing.assert_allclose(d.qacc, new.qacc, atol=1e-9 * np.abs(new.qacc).max())
        old.qpos[:], old.qvel[:] = qpos, qvel
        mujoco.mj_forward(old_model, old)
        before = rows("3.3.7", qpos, qvel)
        np.testing.assert_allclose(before.efc_aref, old.efc_aref, atol=1e-12 * size)
        assert np.abs(before.efc_aref - d.efc_aref).max() > 1e-3 * size


def test_lanes():
    m = sinew.Model.from_xml(TEXT, physics="4.0")
    given = list(states())[:8]
    batch = sinew.Batch(m, len(given))
    for i, (qpos, qvel) in enumerate(given):
        batch.qpos[i], batch.qvel[i] = qpos, qvel
    batch.step()
    for i, (qpos, qvel) in enumerate(given):
        d = rows("4.0", qpos, qvel)
        sinew.step(m, d)
        np.testing.assert_allclose(batch.qvel[i], d.qvel, rtol=1e-9, atol=1e-9)


def test_derivatives():
    m = sinew.Model.from_xml(TEXT, physics="4.0")
    for qpos, qvel in list(states())[:6]:
        d = sinew.Data(m)
        d.qpos[:], d.qvel[:] = qpos, qvel
        wide, narrow = (sinew.transitionFD(m, d, width, True)[0] for width in (2e-4, 1e-4))
        found = (4 * narrow - wide) / 3  # of fourth order: good to some 1e-9 of the largest
        exact = sinew.transitionDerivative(m, d)[0]
        np.testing.assert_allclose(exact, found, atol=1e-8 * np.abs(found).max())
