"""TENSION and WELD_TORQUE: forces of tendons and welds on bodies, against MuJoCo 4.0.1."""

import mujoco
import numpy as np
import pytest

import newest
import sinew

# pulleys, wrapped and passed geoms, each kind of force; the last tendon is slack
TEXT = """<mujoco>
<option timestep="1e-3" tolerance="0" iterations="300" solver="Newton"/>
<default><geom contype="0" conaffinity="0"/></default>
<worldbody>
  <site name="top" pos="0 0 1"/><site name="side" pos=".5 .2 1"/>
  <body name="arm" pos="0 0 .5"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/>
    <geom name="drum" type="cylinder" size=".06 .1" pos=".2 0 .05" euler="90 0 0"/><site name="elbow" pos=".4 0 .03"/>
    <body name="hand" pos=".4 0 0"><joint type="ball"/><geom type="box" size=".1 .04 .03" pos=".1 0 0"/><site name="tip" pos=".2 0 .03"/>
      <site name="palm" pos=".1 .04 0"/></body></body>
  <body name="load" pos=".6 0 .2"><freejoint/><geom name="ball" type="sphere" size=".05"/><site name="hook" pos="0 0 .05"/></body>
  <body name="held" pos="-.5 0 .3"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
</worldbody>
<tendon>
  <spatial name="spring" stiffness="80" damping="3" springlength="0 .1"><site site="top"/><geom geom="drum"/><site site="tip"/></spatial>
  <spatial name="motor" armature=".2"><site site="side"/><site site="hook"/><site site="palm"/></spatial>
  <spatial name="limit" limited="true" range="0 .2"><site site="elbow"/><site site="hook"/><pulley divisor="2"/>
    <site site="top"/><site site="palm"/></spatial>
  <spatial name="rough" frictionloss="2"><site site="side"/><geom geom="ball"/><site site="tip"/></spatial>
  <spatial name="first"><site site="top"/><site site="elbow"/></spatial>
  <spatial name="second"><site site="side"/><site site="palm"/></spatial>
  <spatial name="slack" stiffness="50" springlength="0 9"><site site="top"/><site site="hook"/></spatial>
</tendon>
<actuator><motor tendon="motor" gear="3"/><position tendon="second" kp="20" gear="-2"/><motor tendon="motor" gear="-1"/></actuator>
<equality><tendon tendon1="first" tendon2="second" polycoef="0 .5 .3 -.2 .1"/><tendon tendon1="second"/>
  <weld body1="held" torquescale="1.6" relpose="0 0 0 .9 .3 .2 .1"/><weld body1="held" body2="load" anchor=".1 .2 .3"/></equality>
<sensor><force site="tip"/><torque site="tip"/><force site="elbow"/><torque site="elbow"/><force site="hook"/></sensor></mujoco>"""


def states():
    m = mujoco.MjModel.from_xml_string(TEXT)
    rng = np.random.default_rng(3)
    for _ in range(20):
        qpos = m.qpos0.copy()
        mujoco.mj_integratePos(m, qpos, 0.7 * rng.normal(size=m.nv), 1)
        yield {"qpos": qpos, "qvel": rng.normal(size=m.nv), "ctrl": rng.normal(size=m.nu)}


def forward(physics, state, flags=0, text=TEXT):
    m = sinew.Model.from_xml(text, physics=physics)
    m.opt.disableflags |= flags
    d = sinew.Data(m)
    for name, value in state.items():
        getattr(d, name)[:] = value
    sinew.forward(m, d)
    return d


@pytest.mark.parametrize("flags", [0, 32, 64])  # springs, dampers off
def test_against_newest(flags):
    peer = newest.load(TEXT)
    peer.set(disableflags=flags)
    for state in states():
        peer.put(**state)
        peer.call("mj_forward")
        new = peer.look("cfrc_ext", "cfrc_int", "sensordata", "qacc")
        d = forward("4.0", state, flags)
        size = np.abs(new.cfrc_ext).max()
        assert np.abs(d.cfrc_ext - new.cfrc_ext).max() < 1e-9 * size
        assert np.abs(d.cfrc_int - new.cfrc_int).max() < 1e-9 * size
        assert np.abs(d.sensordata - new.sensordata).max() < 1e-9 * size


def test_old_leaves_them_out():
    for state in states():
        old, new = (forward(physics, state) for physics in ("3.3.7", "4.0"))
        assert np.abs(old.cfrc_ext[1:3] - new.cfrc_ext[1:3]).max() > 1
        assert np.abs(old.cfrc_ext[1]).max() == 0  # what is on the arm is of tendons alone


def test_forces_make_the_accelerations():
    """What acts between bodies has no part along the joints: all forces on the bodies are in cfrc_ext.

    Without armature, of which M has no part between trees.
    """
    text = TEXT.replace('armature=".2"', "")
    m = sinew.Model.from_xml(text, physics="4.0")
    for state in states():
        d = forward("4.0", state, text=text)
        along = np.array([d.cdof[k] @ d.cfrc_int[m.dof_bodyid[k]] for k in range(m.nv)])
        assert np.abs(along).max() < 1e-9 * np.abs(d.cfrc_ext).max()


def test_weld_torque_is_the_same_in_both():
    for state in states():
        old, new = (forward(physics, {"qpos": state["qpos"]}) for physics in ("3.3.7", "4.0"))
        # principal axes differ in rounding, and with them the states of the solver
        assert np.abs(old.cfrc_ext[4] - new.cfrc_ext[4]).max() < 1e-12 * np.abs(new.cfrc_ext).max()
