"""ROTATION_STAGES: RK4 with ball and free joints is of fourth order under 4.0."""

import numpy as np
import pytest

import sinew
from meanings import Meanings, agree, derivatives, lanes

TREE = """<mujoco><option timestep=".02" integrator="RK4"/><worldbody>
  <body name="a"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body name="b" pos=".3 0 0"><joint name="ball" type="ball" damping=".1" stiffness=".3"/><geom type="box" pos=".2 0 0" size=".2 .05 .03"/>
      <body name="c" pos=".4 0 0"><joint name="hinge" axis="1 2 3"/><geom size=".1"/></body></body></body>
  <body name="d" pos="2 0 0"><joint axis="0 0 1" type="slide"/><joint type="ball"/><geom type="capsule" size=".1 .2" pos=".1 .2 .3"/></body>
</worldbody><actuator><motor joint="ball" gear="1 2 3"/><general joint="hinge" dyntype="filter" dynprm=".3" gainprm="2"/></actuator>
<sensor><framequat objtype="body" objname="c"/><velocimeter site="s"/></sensor></mujoco>""".replace(
    '<geom size=".1"/>', '<geom size=".1"/><site name="s" pos=".1 .2 0"/>'
)
TOP = """<mujoco><option timestep=".1" integrator="RK4" gravity="0 0 0"/><worldbody>
  <body><joint type="ball"/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""
CONTACT = """<mujoco><option timestep=".01" integrator="RK4"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom type="ellipsoid" size=".1 .12 .14"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("text", [TREE, TOP])
def test_a_step_is_the_peers(text):
    both = Meanings(text)
    states = both.states(8, speed=3)
    assert agree(both, "step", states, ("qpos", "qvel", "act"), 1e-13) > 1e-4


def test_tiny_and_long_turns():
    both = Meanings(TOP)
    states = [
        dict(both.states(1)[0], qvel=np.array([1.0, 2, 3]) * s)
        for s in (0, 1e-200, 1e-9, 1e-3, 2, 8, 12, 30)
    ]
    agree(
        both, "step", states, ("qpos", "qvel"), 1e-12
    )  # 8 turns by 3.16 in a stage, 30 by far more
    derivatives(both.new, states[4:6], 1e-7)


@pytest.mark.parametrize(("physics", "order"), [("4.0", 4), ("3.3.7", 2)])
def test_order(physics, order):
    """Half the step makes the error 2^order times less, against a far finer one."""

    def end(count):
        m = sinew.Model.from_xml(TOP, physics=physics)
        m.opt.timestep = 1 / count
        d = sinew.Data(m)
        d.qvel[:] = 2, -1, 3
        for _ in range(count):
            sinew.step(m, d)
        return d.qpos.copy()

    exact = end(4096)
    errors = [np.linalg.norm(end(n) - exact) for n in (16, 32, 64)]
    found = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(found, order, atol=0.3)


@pytest.mark.parametrize("text", [TREE, TOP, CONTACT])
def test_lanes(text):
    both = Meanings(text)
    lanes(both.new, both.states(9, speed=3, turn=0.02))


@pytest.mark.parametrize("text", [TREE, TOP, CONTACT])
def test_derivatives(text):
    both = Meanings(text)
    derivatives(both.new, both.states(2, speed=3, turn=0.02), 1e-7)


def test_loops_hold():
    """A loop that is held exactly stays closed."""
    text = """<mujoco><option timestep=".02" integrator="RK4"/><worldbody>
      <body name="a"><joint type="ball"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/>
        <body name="b" pos=".5 0 0"><joint type="ball"/><geom type="capsule" fromto="0 0 0 0 .5 0" size=".03"/>
        <site name="end" pos="0 .5 0"/></body></body></worldbody>
      <equality><connect body1="b" anchor="0 .5 0"/></equality>
      <custom><text name="sinew_loops" data="exact"/></custom></mujoco>"""
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    d.qvel[0], d.qvel[3] = 1, 1
    for _ in range(50):
        sinew.step(m, d)
    sinew.kinematics(m, d)
    assert d.nclosure == 1
    assert np.abs(d.qpos - m.qpos0).max() > 0.1
    np.testing.assert_allclose(d.site_xpos[0], [0.5, 0.5, 0], atol=1e-12)
    derivatives(m, [{"qpos": d.qpos.copy(), "qvel": d.qvel.copy()}], 1e-6)
