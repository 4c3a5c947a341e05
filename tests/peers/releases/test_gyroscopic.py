"""GYROSCOPIC: implicitfast moves lone free bodies as implicit does under 4.0."""

import numpy as np
import pytest

import sinew
from meanings import Meanings, agree, data, derivatives, lanes, near, run

HEAD = '<mujoco><option timestep=".02" integrator="implicitfast" {option}/><worldbody>{bodies}</worldbody>{rest}</mujoco>'
BOX = '<body><freejoint/><geom type="box" size=".1 .2 .3"/>{}</body>'
OFFSET = '<body><joint type="free" damping="2" armature=".1"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"/></body>'
TREE = """<body pos="3 0 0"><joint type="ball" damping=".3"/><geom type="capsule" size=".1 .2" pos=".2 0 0"/>
  <body pos=".4 0 0"><joint axis="1 2 3"/><geom size=".1"/></body></body>
  <body pos="0 3 0"><freejoint/><geom type="box" size=".1 .2 .3"/><body pos=".3 0 0"><joint/><geom size=".2"/></body></body>"""
SITE = '<site name="s" pos=".3 .1 .2" euler="20 30 40"/>'
SERVO = '<actuator><velocity name="a" site="s" kv="30" gear="1 2 3 .1 .2 .3"{}/></actuator>'
SENSORS = '<sensor><accelerometer site="s"/><gyro site="s"/></sensor>'


def text(bodies, option="", rest=""):
    return HEAD.format(option=option, bodies=bodies, rest=rest)


MODELS = {
    "box": text(BOX.format("")),
    "offset": text(OFFSET),
    "welded": text(
        BOX.format('<body pos=".3 .2 .1" euler="40 0 0"><geom type="box" size=".1 .3 .1"/></body>')
    ),
    "gravcomp": text(OFFSET.replace("<body", '<body gravcomp="1"')),
    "fluid": text(BOX.format(""), 'density="1000" viscosity="2" wind="1 2 3"'),
    "ellipsoid": text(
        OFFSET.replace("<geom", '<geom fluidshape="ellipsoid"') + TREE,
        'density="1000" viscosity="2" wind="1 2 3"',
    ),
    "servo": text(BOX.format(SITE), rest=SERVO.format("") + SENSORS),
    "beside": text(BOX.format("") + TREE + OFFSET),
    "simple": text(
        BOX.format("")
        + f'<body pos="0 0 4"><joint type="slide"/><joint type="slide" axis="0 1 0"/><geom size=".1"/>{SITE}</body>',
        rest=SERVO.format(""),
    ),
    "saturated": text(BOX.format(SITE), rest=SERVO.format(' forcerange="-20 20"')),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_step_is_the_peers(name):
    both = Meanings(MODELS[name])
    states = both.states(6, speed=4)
    # 3.3.7 takes the derivative of servos at their limits: see SATURATED
    assert agree(both, "step", states, ("qpos", "qvel"), 1e-12, name != "saturated") > 1e-6


@pytest.mark.parametrize("name", MODELS)
def test_as_implicit(name):
    """Lone bodies, the first six dofs in each model, to rounding."""
    both = Meanings(MODELS[name])
    states = both.states(4, speed=4)
    fast = run(both.new, "step", states, ("qvel",))
    both.new.opt.integrator = sinew.Integrator.IMPLICIT
    for a, b in zip(fast, run(both.new, "step", states, ("qvel",)), strict=True):
        near(a["qvel"][:6], b["qvel"][:6], 1e-13, name)


@pytest.mark.parametrize("name", ["beside", "ellipsoid"])
def test_other_bodies_keep_their_steps(name):
    """What is not lone moves as under 3.3.7."""
    both = Meanings(MODELS[name])
    states = both.states(4, speed=4)
    new, old = (run(m, "step", states, ("qvel",)) for m in (both.new, both.old))
    lone = 6 if name == "ellipsoid" else both.new.nv - 6
    for a, b in zip(new, old, strict=True):
        near(a["qvel"][6:lone] if name == "beside" else a["qvel"][6:], b["qvel"][6:lone] if name == "beside" else b["qvel"][6:], 1e-13, name)  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_lanes(name):
    both = Meanings(MODELS[name])
    lanes(both.new, both.states(9, speed=4), 1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_derivatives(name):
    both = Meanings(MODELS[name])
    derivatives(both.new, both.states(2, speed=2), 1e-7)


@pytest.mark.parametrize("name", MODELS)
def test_inverse_of_a_step(name):
    """With invdiscrete the force that is found gives the step's acceleration, as the peer's."""
    both = Meanings(MODELS[name], enableflags=int(sinew.EnableBit.INVDISCRETE))
    states = both.states(4, speed=4)
    for state in states:
        d = data(both.new, state)
        sinew.step(both.new, d)
        a = (d.qvel - state["qvel"]) / both.new.opt.timestep
        d = data(both.new, state)
        d.qacc[:] = a
        sinew.inverse(both.new, d)
        given = data(both.new, state)
        sinew.forward(both.new, given)
        applied = given.qfrc_smooth + given.qfrc_bias - given.qfrc_passive
        near(d.qfrc_inverse, applied, 1e-11, name)
        state["qacc"] = a
    if name != "saturated":  # the peer asks actuator_force, which an inverse does not make
        agree(both, "inverse", states, ("qfrc_inverse",), 1e-11)


CONTACT = """<mujoco><option timestep=".004" integrator="implicitfast"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .13"><freejoint/><geom type="ellipsoid" size=".1 .12 .14"/></body>
  <body pos="1 0 .09"><freejoint/><geom type="capsule" size=".1 .12" euler="90 0 0"/></body></worldbody></mujoco>"""


def test_with_contacts():
    both = Meanings(CONTACT)
    states = both.states(6, speed=3, turn=0.02)
    assert agree(both, "step", states, ("qpos", "qvel"), 1e-9) > 1e-6
    lanes(both.new, states, 1e-10)
    derivatives(both.new, states[:2], 1e-6)


def test_servo_whose_limits_hold_at_the_end():
    both = Meanings(MODELS["saturated"])
    both.new.opt.servo = sinew.Servo.END
    states = both.states(4, speed=2)
    fast = run(both.new, "step", states, ("qvel",))
    both.new.opt.integrator = sinew.Integrator.IMPLICIT
    for a, b in zip(fast, run(both.new, "step", states, ("qvel",)), strict=True):
        near(a["qvel"], b["qvel"], 1e-12, "servo")


@pytest.mark.parametrize("gravity", ["0 0 0", "0 0 -9.81"])
def test_energy_of_a_spinning_body(gravity):
    """It never grows under 4.0, and does under 3.3.7."""
    source = text(BOX.format(""), f'gravity="{gravity}"')
    ends = {}
    for physics in ("4.0", "3.3.7"):
        m = sinew.Model.from_xml(source, physics=physics)
        m.opt.timestep = 0.01
        d = sinew.Data(m)
        d.qvel[3:] = 6, 0.5, -0.3
        energies = []
        for _ in range(400):
            energies.append(m.body_inertia[1] @ d.qvel[3:] ** 2 / 2)
            sinew.step(m, d)
        ends[physics] = np.array(energies)
    assert np.diff(ends["4.0"]).max() <= 1e-9 * ends["4.0"][0]
    assert ends["3.3.7"][-1] > 1.001 * ends["3.3.7"][0]


def test_a_principal_spin_stays():
    m = sinew.Model.from_xml(text(BOX.format(""), 'gravity="0 0 0"'), physics="4.0")
    d = sinew.Data(m)
    d.qvel[3:] = 0, 0, 500
    for _ in range(100):
        sinew.step(m, d)
    np.testing.assert_allclose(d.qvel[3:], [0, 0, 500], rtol=1e-13)


@pytest.mark.parametrize("name", ["beside", "offset"])
def test_gradient_by_inertia(name):
    both = Meanings(MODELS[name])
    m, state = both.new, both.states(1, speed=3)[0]
    by = np.random.default_rng(3).normal(size=2 * m.nv)

    def after():
        d = data(m, state)
        sinew.step(m, d)
        return by[m.nv :] @ d.qvel

    by[: m.nv] = 0
    found = sinew.stepVJP(
        m, data(m, state), by, model=["body_mass", "body_inertia", "body_ipos"]
    ).model
    for field, gradient in found.items():
        values = getattr(m, field).reshape(-1)
        for i in range(np.size(values) // m.nbody, values.size):
            value, eps, ends = values[i], 1e-5, []
            for side in (1, -1):
                values[i] = value + side * eps
                ends.append(after())
            values[i] = value
            near(gradient.reshape(-1)[i], (ends[0] - ends[1]) / (2 * eps), 1e-5, f"{field} {i}")
