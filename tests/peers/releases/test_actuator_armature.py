"""Armature and damping of actuators, which their joints and tendons bear."""

import re

import numpy as np
import pytest

import sinew
from meanings import INTEGRATORS, data, derivatives, lanes, near
from resisting import Both, float_lanes, text

ACTUATORS = """<actuator>
  <motor name="m" joint="h" gear="2" armature=".3" damping=".1 .2 .3"/>
  <position joint="h" kp="3" kv=".2" armature=".1"/>
  <motor joint="g"/>
  <velocity joint="g" kv="2" gear="-3" damping=".5 0 .1"/>
  <motor joint="b" gear="1.5 2 3" armature=".2" damping=".3 .1"/>
  <motor jointinparent="l" gear="2 0 0 1" armature=".1" damping=".3 .1"/>
  <general joint="f" gear="1 2 3" armature=".05"/>
  <motor joint="x" gear="0.5" armature="3" damping="0 0 2"/>
  <motor tendon="t" gear="2" armature=".2" damping=".3 .2"/>
  <motor tendon="t" armature=".4"/>
  <position tendon="u" gear="1.5" armature=".3" damping="1 .5 .3" kp="4"/>
  <damper joint="s" ctrlrange="0 1" kv="2" armature=".2"/>
  <intvelocity joint="y" actrange="-1 1" armature=".2" damping=".1"/>
  <cylinder joint="y" timeconst=".3" armature=".1"/>
</actuator>"""
OWN = {
    "fixed": 'armature=".1" damping=".2"',
    "spatial": 'armature=".2"',
    "hinge": 'armature=".1" damping=".3 .1"',
}
STAGES = (
    "qfrc_damper",
    "qfrc_passive",
    "qfrc_bias",
    "qacc",
    "qfrc_smooth",
    "energy",
    "actuator_force",
)
FIELDS = (
    "actuator_armature", "actuator_damping", "actuator_dampingpoly", "jnt_actuatorid", "tendon_actuatorid",
    "dof_armature", "dof_M0", "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0",
)  # fmt: skip


def source(option="", own=True):
    return text(option, ACTUATORS, **(OWN if own else {}))


def without_spatial(xml):
    xml = re.sub(r"<spatial.*?</spatial>", "", xml)
    return re.sub(r'<position tendon="u".*?/>', "", xml)


def test_rotor_stages_are_the_peers():
    both = Both(source())
    both.same_fields(*FIELDS)
    near(both.m.stat.meaninertia, both.peer.get("stat").stat.meaninertia, 1e-12, "meaninertia")
    states = both.states(100)
    both.agree("forward", states, STAGES)
    for state in states[:10]:
        d = data(both.m, state)
        sinew.forward(both.m, d)
        M = sinew.fullM(both.m, d)
        near(M, both.peer.run("mj_forward", [state], ["full_M"])[0].full_M, 1e-12, "M")


ALONE = """<mujoco><worldbody><site name="o" pos="1 1 1"/>
  <body><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s" pos=".1 .05 .02"/></body>
  <body pos="2 0 0"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><geom size=".1"/></body>
</worldbody><tendon><spatial name="t" {}><site site="o"/><site site="s"/></spatial>
  <fixed name="f" {}><joint joint="x" coef="1"/><joint joint="y" coef="2"/></fixed></tendon>
<actuator><motor tendon="t" {}/><motor tendon="f" {}/></actuator></mujoco>"""


@pytest.mark.parametrize("place", range(5))
def test_bodies_that_a_rotor_couples_are_not_simple(place):
    """The inertia of a tendon, its own or an actuator's, has places in M beside the diagonal."""
    both = Both(ALONE.format(*('armature="1"' if k == place else "" for k in range(4))))
    both.same_fields("body_simple", "dof_simplenum", "M_rownnz", "dof_M0", "dof_invweight0")
    for state in both.states(3):
        d = data(both.m, state)
        sinew.forward(both.m, d)
        M = both.peer.run("mj_forward", [state], ["full_M"])[0].full_M
        near(sinew.fullM(both.m, d), M, 1e-12, "M")


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_rotor_steps_are_the_peers(integrator):
    both = Both(source(f'integrator="{integrator}"'))
    both.agree("step", both.states(10), ("qpos", "qvel", "act"), 1e-10)


def test_as_if_the_joint_had_them():
    """Of one actuator with a gear g a joint has g^2 times as much."""
    x = '<actuator><motor joint="x" gear="3" {}/></actuator>'
    moved = Both(text(rest=x.format('armature=".2" damping=".3 .2 .1"')))
    own = Both(text(rest=x.format(""), x='armature="1.8" damping="2.7 1.8 .9"'))
    for state in moved.states(5):
        a, b = data(moved.m, state), data(own.m, state)
        for _ in range(5):
            sinew.step(moved.m, a)
            sinew.step(own.m, b)
        near(a.qvel, b.qvel, 1e-12, "qvel")


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_derivatives_of_rotors(integrator):
    both = Both(source(f'integrator="{integrator}"'))
    derivatives(both.m, both.states(2), 1e-6)


def test_inverse_of_rotors():
    for integrator in ("Euler", "implicit", "implicitfast"):
        m = sinew.Model.from_xml(source(f'integrator="{integrator}"'), physics="4.0")
        m.opt.enableflags |= 8
        for state in Both(source()).states(3):
            d, stepped = data(m, state), data(m, state)
            sinew.forward(m, d)
            force = d.qfrc_actuator.copy()
            sinew.step(m, stepped)
            d.qacc[:] = (stepped.qvel - state["qvel"]) / m.opt.timestep
            sinew.inverse(m, d)
            near(d.qfrc_inverse, force, 1e-9, integrator)


def test_rotors_in_lanes():
    for integrator in ("Euler", "RK4", "implicitfast"):
        both = Both(without_spatial(source(f'integrator="{integrator}"', own=False)))
        lanes(both.m, both.states(5))


def test_rotors_in_float_lanes():
    both = Both(without_spatial(source(own=False)))
    float_lanes(both.m, both.states(5))


def test_it_does_not_matter_whether_they_act():
    for option in ('actuatorgroupdisable="0"', ""):
        both = Both(source(option))
        if not option:
            both.m.opt.disableflags |= 1 << 11  # actuation
            both.peer.set(disableflags=1 << 11 | 1 << 4)
        both.agree("forward", both.states(3), STAGES)


WRONG = {
    "armature": ('<motor site="tip" armature="1"/>', "armature is added to the joint or tendon"),
    "damping": (
        '<motor site="tip" refsite="base" damping="0 0 1"/>',
        "damping is added to the joint or tendon",
    ),
    "crank": (
        '<motor cranksite="tip" slidersite="base" cranklength="1" damping="1"/>',
        "damping is added",
    ),
    "numbers": ('<motor joint="h" armature="1 2"/>', "expected 1 number"),
    "many": ('<motor joint="h" damping="1 2 3 4"/>', "expected 1 to 3 numbers"),
    "adhesion": (
        '<adhesion body="world" damping="1" ctrlrange="0 1"/>',
        "unknown attribute 'damping'",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_rotors_that_are_refused(case):
    element, words = WRONG[case]
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text(rest=f"<actuator>{element}</actuator>"), physics="4.0")


def test_armature_of_a_tendon_around_a_geom_is_refused():
    xml = text(rest='<actuator><motor tendon="u" armature="1"/></actuator>')
    xml = xml.replace('<site site="base"/>', '<geom geom="wheel"/><site site="base"/>').replace(
        '<site name="base"',
        '<geom name="wheel" type="sphere" size=".05" pos="1 1 1"/><site name="base"',
    )
    with pytest.raises(sinew.ModelError, match="around geoms exclude each other"):
        sinew.Model.from_xml(xml, physics="4.0")


def test_older_files_have_no_rotors():
    with pytest.raises(sinew.NotSupportedError, match="'armature' came after"):
        sinew.Model.from_xml(
            text(rest='<actuator><motor joint="h" armature="1"/></actuator>'), physics="3.3.7"
        )


def test_gradients_by_the_gear_are_refused():
    m = sinew.Model.from_xml(source(), physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    with pytest.raises(sinew.NotSupportedError, match="go by the square of the gear"):
        sinew.stepVJP(m, d, np.ones(2 * m.nv + m.na), model=["actuator_gear"])


def test_rotors_are_written():
    m = sinew.Model.from_xml(source(), physics="4.0")
    again = sinew.Model.from_xml(sinew.Spec.from_xml(source(), physics="4.0").to_xml())
    for name in FIELDS:
        near(getattr(again, name), getattr(m, name), 1e-12, name)


def test_set_const_finds_them():
    m = sinew.Model.from_xml(
        text(rest='<actuator><motor joint="h"/><motor joint="h"/></actuator>'), physics="4.0"
    )
    h = 2
    assert m.jnt_actuatorid[h] == -1
    for values, target in (((1, 0), 0), ((0, 2), 1), ((1, 2), -2)):
        m.actuator_armature[:] = values
        d = sinew.Data(m)
        sinew.setConst(m, d)
        assert m.jnt_actuatorid[h] == target


SIMPLE = """<mujoco><worldbody><body><joint name="h" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
  <body pos=".3 0 0"><joint name="x" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body></worldbody>
  <actuator><motor joint="h" gear="2" armature=".1" damping=".1"/>{}</actuator></mujoco>"""


def test_rotors_of_simulations():
    """Each with a rotor of its own; of actuators without any they are refused."""
    m = sinew.Model.from_xml(SIMPLE.format(""), physics="4.0")
    batch, values = sinew.Batch(m, 4), [0.0, 0.1, 0.2, 0.3]
    batch.parameter("actuator_armature")[:, 0] = values
    batch.set_const()
    batch.qvel[:] = 1
    batch.step(nstep=3)
    for i, value in enumerate(values):
        m.actuator_armature[0] = value
        d = sinew.Data(m)
        d.qvel[:] = 1
        sinew.step(m, d, 3)
        near(batch.qvel[i], d.qvel, 1e-11, f"simulation {i}")
    two = sinew.Model.from_xml(SIMPLE.format('<motor joint="x"/>'), physics="4.0")
    with pytest.raises(
        ValueError, match="actuator 1 of the model has neither armature nor damping"
    ):
        sinew.Batch(two, 2).parameter("actuator_damping")
