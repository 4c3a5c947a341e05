"""Polynomial springs and dampers, armature and damping of actuators, springs that yield: beside all else.

A step goes by the forces at its begin, by their slopes and by the inertia. So a model has a twin without any of this: dampers as
strong as the tangents, armature at the joints, and what is missing in forces as applied ones. Both take the same step.
"""

import pickle

import numpy as np
import pytest

import sinew
from sinew import control

JOINT = {
    "polynomial": ('stiffness="3 2 40" damping=".1 .3 .2"', "", ""),
    "negative": ('stiffness="3 -2 4" damping="-.01 .3"', "", ""),
    "actuators": (
        'damping=".05"',
        'gear="2" armature=".002" damping=".03 .02 .01"',
        '<motor joint="rear" armature=".003"/>',
    ),
    "yielding": ('stiffness="30 0 9" springyield="3" damping=".1"', "", ""),
}
LEG = """<mujoco>
  <option timestep=".002" {option}/>
  <default><geom density="500" size=".02" friction=".6" contype="2"/><joint axis="0 1 0" {joint}/></default>
  <worldbody>
    <geom type="plane" size="5 5 1" contype="1"/>
    <body name="base" pos="0 0 .3"><freejoint/><geom type="box" size=".2 .08 .02"/>
      <body pos="-.12 0 0"><joint name="rear"/><geom type="capsule" fromto="0 0 0 -.03 0 -.2"/>
        <body pos="-.03 0 -.2"><joint name="knee"/><geom type="capsule" fromto="0 0 0 .26 0 -.04" size=".03"/>
          <site name="coupler" pos=".26 0 -.04"/></body></body>
      <body pos=".12 0 0"><joint name="front"/><geom type="capsule" fromto="0 0 0 -.01 0 -.24"/>
        <site name="rocker" pos="-.01 0 -.24"/></body>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="front" {motor}/>{more}<motor joint="rear"/><motor joint="knee"/></actuator>
  {custom}
</mujoco>"""
LOOP = '<text name="sinew_loop_pin" data="revolute coupler rocker"/>'
RIGID = '<text name="sinew_contact" data="lcp"/>'


def leg(kind, *custom, option=""):
    joint, motor, more = JOINT[kind]
    custom = f"<custom>{''.join(custom)}</custom>" if custom else ""
    text = LEG.format(joint=joint, motor=motor, more=more, custom=custom, option=option)
    return sinew.Model.from_xml(text, physics="4.0")


def gears(m, dof):
    """Squares of gears of the actuators of a joint, by actuator."""
    joint = m.dof_jntid[dof]
    return [(i, m.actuator_gear[i, 0] ** 2) for i in range(m.nu) if m.actuator_trnid[i, 0] == joint]


def twin(m, d):
    """The linear model that takes the same step from here, and its data."""
    plain = pickle.loads(pickle.dumps(m))
    for k in range(m.nv):
        b, v = np.array([m.dof_damping[k], *m.dof_dampingpoly[k]]), abs(d.qvel[k])
        for i, square in gears(m, k):
            b = b + square * np.array([m.actuator_damping[i], *m.actuator_dampingpoly[i]])
            plain.dof_armature[k] += square * m.actuator_armature[i]
        plain.dof_damping[k] = b @ [1, 2 * v, 3 * v * v]
    for name in (
        "dof_dampingpoly",
        "jnt_stiffness",
        "jnt_stiffnesspoly",
        "actuator_damping",
        "actuator_dampingpoly",
        "actuator_armature",
    ):
        getattr(plain, name)[:] = 0
    plain.jnt_actuatorid[:] = -1
    other, probe = sinew.Data(plain), sinew.Data(m)
    for data in (other, probe):
        for name in ("qpos", "qvel", "ctrl", "qacc_warmstart", "plastic"):
            getattr(data, name)[:] = getattr(d, name)
        data.time = d.time
    sinew.forward(m, probe)
    other.qfrc_applied[:] = probe.qfrc_passive + plain.dof_damping * d.qvel
    return plain, other


def moving(m, steps=40, seed=1):
    """Data on the way, with controls."""
    d, rng = sinew.Data(m), np.random.default_rng(seed)
    d.ctrl[:] = rng.normal(0, 1, m.nu)
    d.qvel[:] = rng.normal(0, 0.5, m.nv)
    sinew.step(m, d, steps)
    return d


def same_step(m, steps=10):
    """From states on the way the twin takes the same step."""
    d = moving(m)
    contacts = 0
    for _ in range(steps):
        plain, other = twin(m, d)
        if m.opt.contact:
            state = sinew.getState(m, d, sinew.StateBit.WARMSTART)
            sinew.setState(plain, other, state, sinew.StateBit.WARMSTART)
        sinew.step(m, d)
        sinew.step(plain, other)
        contacts += d.ncon
        np.testing.assert_allclose(d.qvel, other.qvel, atol=1e-8)
        np.testing.assert_allclose(d.qpos, other.qpos, atol=1e-10)
    return contacts


@pytest.mark.parametrize("kind", JOINT)
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_a_soft_step_is_its_twins(kind, integrator):
    same_step(leg(kind, option=f'integrator="{integrator}" tolerance="0"'))


@pytest.mark.parametrize("kind", JOINT)
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_resistance_in_loops(kind, integrator):
    m = leg(kind, LOOP, option=f'integrator="{integrator}" tolerance="0"')
    same_step(m)
    d = moving(m)
    assert d.nclosure == 1


@pytest.mark.parametrize("kind", JOINT)
@pytest.mark.parametrize("loop", [(), (LOOP,)])
def test_resistance_under_rigid_contact(kind, loop):
    m = leg(kind, RIGID, *loop)
    m.opt.lcp_tolerance, m.opt.lcp_sweeps = 1e-12, 20_000
    assert same_step(m) > 0


@pytest.mark.parametrize("kind", JOINT)
def test_a_controller_knows_resistance(kind):
    """Torques and accelerations are those of the twin; the step has the velocity that was solved for."""
    m = leg(kind)
    m.opt.disableflags |= int(sinew.DisableBit.CONTACT)
    d = moving(m, 10)
    plain, other = twin(m, d)
    results = []
    for model, data in ((m, d), (plain, other)):
        sinew.forward(model, data)
        if model is plain:
            data.qfrc_applied[:] = other.qfrc_applied
        controller = control.Controller(model, integrator=True)
        task = controller.add_task(control.PostureTask(level=1, kp=50))
        task.hold(data)
        controller.solve(data)
        results.append((controller.qacc.copy(), controller.tau.copy()))
    np.testing.assert_allclose(results[0][0], results[1][0], atol=1e-7)
    np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-7)


@pytest.mark.parametrize("kind", JOINT)
def test_threads_change_no_bit(kind):
    m = leg(kind)
    d = moving(m)
    start = np.tile(sinew.getState(m, d, sinew.StateBit.FULLPHYSICS), (5, 1))
    ctrl = np.random.default_rng(2).normal(size=(5, 30, m.nu))
    found = [sinew.rollout(m, start, ctrl, threads=n) for n in (1, 2)]
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)
    one = sinew.Data(m)
    sinew.setState(m, one, start[0], sinew.StateBit.FULLPHYSICS)
    for u in ctrl[0]:
        one.ctrl[:] = u
        sinew.step(m, one)
    exact, _ = sinew.rollout(m, start, ctrl, width=1)
    np.testing.assert_array_equal(exact[0, -1], sinew.getState(m, one, sinew.StateBit.FULLPHYSICS))
