"""TURNING_SETPOINTS: servos of ball joints and sites take the nearest of setpoints that differ by full turns."""

import numpy as np
import pytest

import sinew
from meanings import Meanings, agree, data, derivatives, lanes, near, run
from sinew import control

TEXT = """<mujoco><option timestep=".01" integrator="{integrator}" gravity="0 0 0"/><worldbody><site name="ref" euler="10 20 30"/>
  <body><joint name="j" type="ball" damping=".1"/><geom type="box" size=".1 .2 .3"/><site name="s" euler="40 0 5"/></body>
  <body pos="1 0 0"><joint name="h"/><geom size=".1"/></body>
  <body pos="2 0 0"><joint name="f" type="free"/><geom size=".1"/></body>
</worldbody><actuator>
  <position joint="j" gear="1 0 0" kp="1" kv=".1"/><position jointinparent="j" gear="1 2 2 5 5 5" kp="2"/>
  <position joint="j" gear="0 0 0" kp="1"/><position joint="h" kp="1"/><position joint="f" gear="0 0 0 1 0 0" kp="1"/>
  <position site="s" refsite="ref" gear="0 0 0 0 2 0" kp="1" timeconst=".1"/><position site="s" refsite="ref" gear="1e-9 0 0 0 2 0" kp="1"/>
  <position site="s" gear="0 0 0 0 2 0" kp="1"/><intvelocity joint="j" gear="0 0 .5" kp="1" actrange="-300 300"/>
  <general joint="j" gear="0 1 0" gainprm="2" biastype="affine" biasprm=".3 -2 -1" dyntype="filter" dynprm=".2" actearly="true"/>
  <general joint="j" gear="0 1 0" gainprm="2" biastype="affine" biasprm=".3 -2.0001 -1"/>
  <general joint="j" gear="0 1 0" gaintype="affine" gainprm="2" biastype="affine" biasprm=".3 -2 -1"/>
  <general joint="j" gear="0 1 0" gainprm="-1" biastype="affine" biasprm="0 1 0" forcerange="-2 2"/>
  <motor joint="j" gear="1 0 0"/><position joint="j" gear="1 0 0" kp="1" ctrlrange="3 8"/>
</actuator><sensor><actuatorfrc actuator="a"/></sensor></mujoco>""".replace(
    'kv=".1"', 'kv=".1" name="a"'
)
FIELDS = ("actuator_force", "actuator_length", "qacc", "sensordata")


def states(both, count, wide=20.0):
    found = both.states(count, speed=1)
    rng = np.random.default_rng(7)
    for state in found:
        state["ctrl"], state["act"] = (
            rng.normal(0, wide, both.older.nu),
            rng.normal(0, wide, both.older.na),
        )
    return found


def test_forces_are_the_peers():
    both = Meanings(
        TEXT.format(integrator="Euler")
    )  # 3.3.7 measures from site to site in its own way: below
    assert agree(both, "forward", states(both, 30), FIELDS, 1e-12, old=False) > 1


def test_old_forces_are_the_peers():
    text = TEXT.replace(' euler="10 20 30"', "").replace(' euler="40 0 5"', "")
    both = Meanings(text.format(integrator="Euler"))
    found = states(both, 10)
    for state in found:
        state["qpos"][:4] = 1, 0, 0, 0
    agree(both, "forward", found, FIELDS, 1e-12)


@pytest.mark.parametrize("integrator", ["implicitfast", "RK4", "implicit"])
def test_a_step_is_the_peers(integrator):
    both = Meanings(TEXT.format(integrator=integrator))
    wide = 20.0 if integrator != "RK4" else 3.0
    assert (
        agree(
            both,
            "step",
            states(both, 6, wide),
            ("qpos", "qvel", "act"),
            1e-11,
            old=False,
        )
        > 1e-4
    )


@pytest.mark.parametrize("u", [np.pi, -np.pi, np.nextafter(np.pi, 4), 3 * np.pi, 1e6, 3e9, 0])
def test_half_turns(u):
    """At half a turn to either side, where the force changes its sign, and far from it."""
    text = """<mujoco><worldbody><body><joint name="j" type="ball"/><geom type="box" size=".1 .2 .3"/></body></worldbody>
      <actuator><position joint="j" gear="1 0 0" kp="1"/></actuator></mujoco>"""
    both = Meanings(text)
    agree(both, "forward", [{"ctrl": np.array([u])}], ("actuator_force", "qacc"), 1e-9)
    force = run(both.new, "forward", [{"ctrl": np.array([u])}], ("actuator_force",))[0][
        "actuator_force"
    ]
    assert abs(force[0]) <= np.pi


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
def test_lanes(integrator):
    both = Meanings(TEXT.format(integrator=integrator))
    lanes(both.new, states(both, 9, 3.0), 1e-11)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4", "implicit"])
def test_derivatives(integrator):
    both = Meanings(TEXT.format(integrator=integrator))
    derivatives(both.new, states(both, 3, 3.0), 1e-6)


def test_gradient_by_gear_and_gain():
    both = Meanings(TEXT.format(integrator="Euler"))
    m, state = both.new, states(both, 1)[0]
    by = np.zeros(2 * m.nv + m.na)
    by[m.nv : 2 * m.nv] = np.random.default_rng(3).normal(size=m.nv)
    names = ["actuator_gear"]
    with pytest.raises(Exception, match="full turns of its activation"):
        sinew.stepVJP(m, data(m, state), by, model=names)
    m.actuator_gainprm[[5, 8, 9], 0] *= 1.01  # those with activations are no servos then
    found = sinew.stepVJP(m, data(m, state), by, model=names).model

    def after():
        return by[m.nv : 2 * m.nv] @ run(m, "step", [state], ("qvel",))[0]["qvel"]

    for i in (0, 1, 6, 12):
        for k in range(6):
            gear, ends, eps = m.actuator_gear[i, k], [], 1e-6
            if k >= 3 or i == 6:
                continue
            for side in (1, -1):
                m.actuator_gear[i, k] = gear + side * eps
                ends.append(after())
            m.actuator_gear[i, k] = gear
            near(
                found["actuator_gear"][i, k], (ends[0] - ends[1]) / (2 * eps), 1e-6, f"gear {i} {k}"
            )


def test_an_activation_stays_in_its_range():
    """4.0.1 takes full turns from it out of actrange, whose clamp then moves the setpoint in the next step."""
    text = """<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body><joint name="j" type="ball" armature="1e6"/><geom type="box" size=".1 .2 .3"/></body></worldbody>
      <actuator><intvelocity joint="j" gear="1 0 0" kp="1" actrange="5 8"/></actuator></mujoco>"""
    both = Meanings(text)
    both.newer.put(act=np.array([7.0]))
    both.newer.call("mj_step", 2)
    theirs = both.newer.look("act").act[0]
    assert abs((theirs - 7 + np.pi) % (2 * np.pi) - np.pi) > 1  # another setpoint
    d = data(both.new, {"act": np.array([7.0])})
    sinew.step(both.new, d, 2)
    assert d.act[0] == 7
    near(d.actuator_force[0], 7 - 2 * np.pi, 1e-9, "force")


@pytest.mark.parametrize("kp", [1, 30])
def test_controls_of_torques(kp):
    """Setpoints that a controller finds give its torques, in whichever turn their range is."""
    text = f"""<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="ball"/><geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody>
      <actuator><position joint="j" gear="1 0 0" kp="{kp}"/><position joint="j" gear="0 1 0" kp="{kp}" ctrlrange="4 9"/>
      <position joint="j" gear="0 0 1" kp="{kp}" ctrlrange="-40 -33"/></actuator></mujoco>"""
    m = sinew.Model.from_xml(text, physics="4.0")
    c = control.Controller(m, position_limits=False, friction_velocity=0)
    c.add_task(control.PostureTask(level=1, kp=20))
    rng = np.random.default_rng(0)
    for _ in range(20):
        d = sinew.Data(m)
        sinew.integratePos(m, d.qpos, rng.normal(0, 0.8, 3), 1)
        sinew.forward(m, d)
        assert c.solve(d) == sinew.QpStatus.SOLVED
        c.apply(d)
        sinew.forward(m, d)
        assert np.abs(c.tau).max() > 1e-3
        np.testing.assert_allclose(d.qfrc_actuator, c.tau, atol=1e-9)
        inside = (d.ctrl[1:] >= [4, -40]) & (d.ctrl[1:] <= [9, -33])
        assert inside.all()
