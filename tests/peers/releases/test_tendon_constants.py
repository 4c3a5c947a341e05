"""DAMPING_RATIO, SET_CONST, TENDON_LIMITS, TENDON_INERTIA and SATURATED: actuators, tendons and what is computed at qpos0."""

import re

import mujoco
import numpy as np
import pytest

import newest
import sinew
from meanings import Meanings, agree, lanes, near, run

TEXT = """<mujoco><worldbody>
  <body><joint name="a" axis="0 1 0" armature=".2"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".1"/>
    <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".1"/><site name="end" pos="1 0 0"/></body></body>
  <body pos="3 0 0"><joint name="s" type="slide"/><geom size=".1"/></body>
  <body pos="0 3 0"><joint name="s2" type="slide"/><geom size=".1"/></body><site name="ref"/></worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed>
  <fixed name="u" armature="5" actuatorfrcrange="-2 3"><joint joint="s" coef="1"/></fixed>
  <fixed name="z" actuatorfrclimited="false" actuatorfrcrange="-1 1"><joint joint="s2" coef="0"/></fixed>
  <spatial name="w" actuatorfrcrange="-2 2" actuatorfrclimited="true"><site site="ref"/><site site="end"/></spatial>
  <spatial name="open" stiffness="1"><site site="ref"/><site site="end"/></spatial></tendon>
<actuator><position joint="a" kp="100" dampratio="1"/><position joint="b" gear="2" kp="100" dampratio=".7"/>
  <position tendon="t" kp="100" dampratio=".5"/><position tendon="u" kp="10" dampratio="1"/><position tendon="z" kp="10" dampratio="1"/>
  <position tendon="w" kp="10" dampratio="1"/><position site="end" refsite="ref" gear="0 0 1 0 0 0" kp="5" dampratio="2"/>
  <motor tendon="u" gear="3"/></actuator></mujoco>"""
FIELDS = (
    "actuator_biasprm actuator_acc0 tendon_actfrclimited tendon_invweight0 tendon_length0 tendon_lengthspring "
    "body_simple dof_simplenum body_invweight0 dof_invweight0"
).split()


def fields(m):
    return {name: np.array(getattr(m, name), float) for name in FIELDS}


def same(ours, theirs, bound=1e-12):
    for name, value in fields(ours).items():
        other = np.array(getattr(theirs, name), float).reshape(len(value), -1)
        value = value.reshape(len(value), -1)
        near(value, other[:, : value.shape[1]], bound, name)


def test_compiled():
    both = Meanings(TEXT)
    same(both.new, both.newer.get(*FIELDS))
    same(both.old, both.older)
    for name in ("actuator_biasprm", "tendon_actfrclimited", "body_simple", "dof_invweight0"):
        assert np.abs(fields(both.new)[name] - fields(both.old)[name]).max() > 0.01, name


def test_two_equal_links():
    """A closed form: M of two equal links."""
    both = Meanings(TEXT.replace(' armature=".2"', ""))
    m = both.new
    d = sinew.Data(m)
    sinew.forward(m, d)
    M = sinew.fullM(m, d)
    J = np.array([0, 2.0])
    mass = 1 / (J @ np.linalg.solve(M[:2, :2], J))
    near(m.actuator_biasprm[1, 2], -2 * 0.7 * np.sqrt(100 * mass), 1e-12, "kv")


def test_set_const_keeps_what_was_resolved():
    both = Meanings(TEXT)
    for m in (both.new, both.old):
        m.actuator_biasprm[0, 2] = 1
        m.tendon_lengthspring[4] = -1
        m.stat.extent = 99
        sinew.setConst(m, sinew.Data(m))
    assert both.new.actuator_biasprm[0, 2] == 1 and both.old.actuator_biasprm[0, 2] < 0
    assert both.new.tendon_lengthspring[4, 0] == -1 and both.old.tendon_lengthspring[4, 0] > 0
    assert both.new.stat.extent == 99 != both.old.stat.extent
    peer = newest.load(TEXT)
    peer.set(tendon_lengthspring=np.tile([-1.0, -1.0], (5, 1)), extent=99)
    peer.call("mj_setConst")
    assert peer.get("tendon_lengthspring").tendon_lengthspring[4, 0] == -1


def test_limits_act():
    both = Meanings(TEXT)
    assert agree(both, "forward", both.states(5), ("actuator_force", "qfrc_actuator"), 1e-11) > 0.1
    fixed = Meanings(
        re.sub("<spatial.*?</spatial>|<position tendon=.w.[^>]*>", "", TEXT, flags=re.DOTALL)
    )
    lanes(fixed.new, fixed.states(9), 1e-11)  # spatial ones are left to the scalar engine


def test_a_default_class_and_autolimits():
    text = """<mujoco><compiler autolimits="{}"/><default><tendon {}/></default><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <tendon><fixed {}><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""
    cases = [
        ("true", "", 'actuatorfrcrange="-1 1"'),
        ("true", "", 'actuatorfrcrange="-1 1" actuatorfrclimited="auto"'),
        ("true", "", ""),
        ("false", "", 'actuatorfrcrange="-1 1" actuatorfrclimited="true"'),
    ]
    for case in cases:
        both = Meanings(text.format(*case))
        found = both.new.tendon_actfrclimited[0], both.old.tendon_actfrclimited[0]
        theirs = (
            both.newer.get("tendon_actfrclimited").tendon_actfrclimited[0],
            both.older.tendon_actfrclimited[0],
        )
        assert [bool(x) for x in found] == [bool(x) for x in theirs], case
    with pytest.raises(Exception, match="actuatorfrclimited"):
        sinew.Model.from_xml(text.format("false", "", 'actuatorfrcrange="-1 1"'), physics="4.0")


SERVO = """<mujoco><option timestep=".1" gravity="0 0 0" integrator="{}"/><worldbody><body><joint name="s" type="slide" {}/><geom size=".1" mass="2"/></body></worldbody>
  <tendon><fixed name="t" {}><joint joint="s" coef="1"/></fixed></tendon><actuator><position {} kp="30" kv="4" {}/></actuator></mujoco>"""
LIMITS = {
    "forcerange": ("", "", 'joint="s"', 'forcerange="-1 1"'),
    "joint": ('actuatorfrcrange="-1 1"', "", 'joint="s"', ""),
    "tendon": ("", 'actuatorfrcrange="-1 1" actuatorfrclimited="true"', 'tendon="t"', ""),
}


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("limit", LIMITS)
def test_saturated(limit, integrator):
    """SATURATED: at limits the same bits under both, as 4.0.1; inside 3.3.7 does so, too."""
    both = Meanings(SERVO.format(integrator, *LIMITS[limit]))
    states = [{"ctrl": np.array([u]), "qvel": np.array([0.1])} for u in (0.7, -3, 0.014)]
    agree(both, "step", states, ("qpos", "qvel"), 1e-13, old=False)
    new, old = (run(m, "step", states, ("qvel",)) for m in (both.new, both.old))
    assert all(a["qvel"] == b["qvel"] for a, b in zip(new, old, strict=True))
    near(new[0]["qvel"], 0.1 + 0.1 * 0.5, 1e-14, "1 N on 2 kg")
    d = mujoco.MjData(both.older)
    d.ctrl[:], d.qvel[:] = 0.7, 0.1
    mujoco.mj_step(both.older, d)
    assert abs(d.qvel[0] - new[0]["qvel"][0]) > 1e-3
