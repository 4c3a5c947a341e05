"""The integrator discrete beside everything else: words, states, batches, derivatives, loops, rigid contact, controllers."""

import copy
import pickle

import numpy as np
import pytest

import sinew
from sinew import control

ARM = """<mujoco><option integrator="discrete" timestep=".02"/><worldbody><geom type="plane" size="3 3 1"/>
<body pos="0 0 .5"><joint name="a" axis="0 1 0" stiffness="400" damping=".1"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
  <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.4"/></body></body>
<body pos="1 1 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body></worldbody>
<tendon><fixed name="t" stiffness="900" damping="2"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
<actuator><position joint="a" kp="4000" kv="30"/><position joint="b" kp="4000" kv="30"/></actuator></mujoco>"""
LOOP = """<mujoco><option integrator="{}" timestep="{}" gravity="0 0 {}"/><custom><text name="sinew_loops" data="exact"/></custom>
<worldbody><site name="o" pos="1 0 0"/>
<body><joint name="a" axis="0 1 0" stiffness="{}" damping=".5"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 1"/>
 <body pos="0 0 1"><joint name="b" axis="0 1 0" stiffness="40"/><geom type="capsule" size=".04" fromto="0 0 0 1 0 0"/>
  <body pos="1 0 0"><joint name="c" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 -1"/>
   <site name="e" pos="0 0 -1"/><site name="g" pos=".1 0 -.5"/></body></body></body>
<body pos="2 0 .5"><freejoint/><geom size=".1"/><site name="q"/></body></worldbody>
<tendon><spatial name="t" stiffness="{}" damping="1" springlength=".5"><site site="g"/><site site="q"/></spatial></tendon>
<equality><connect site1="e" site2="o"/></equality><actuator><position joint="a" kp="{}" kv="1"/></actuator></mujoco>"""


def arm(text=ARM):
    return sinew.Model.from_xml(text, physics="4.0")


def pushed(model, seed=0):
    d, rng = sinew.Data(model), np.random.default_rng(seed)
    d.qpos[:] = sinew.integratePos(model, d.qpos, rng.normal(0, 0.1, model.nv), 1)
    d.qvel[:], d.ctrl[:] = rng.normal(0, 1, model.nv), rng.normal(0, 0.3, model.nu)
    return d


def test_the_word():
    model = arm()
    assert model.opt.integrator == sinew.Integrator.DISCRETE
    with pytest.raises(sinew.ModelError, match="discrete.*came after the MJCF"):
        sinew.Model.from_xml(ARM, physics="3.3.7")
    with pytest.raises(sinew.ModelError) as error:
        sinew.Model.from_xml(ARM.replace('"discrete"', '"discreet"'), physics="3.3.7")
    assert "discrete" not in str(error.value).replace("discreet", "")


def test_discrete_written_and_read(tmp_path):
    spec = sinew.Spec.from_xml(ARM, physics="4.0")
    assert 'integrator="discrete"' in spec.to_xml()
    model = sinew.Model.from_xml(spec.to_xml())
    assert model.opt.integrator == sinew.Integrator.DISCRETE
    model.save(str(tmp_path / "arm.snb"))
    assert (
        sinew.Model.from_path(str(tmp_path / "arm.snb")).opt.integrator == sinew.Integrator.DISCRETE
    )


def test_steps_go_on_from_copies():
    """Copied, pickled and split steps have the same bits; passes that are repeated, too."""
    model, d = arm(), pushed(arm())
    for _ in range(30):
        sinew.step(model, d)
    others = [copy.copy(d), pickle.loads(pickle.dumps(d)), copy.copy(d), copy.copy(d)]
    for _ in range(5):
        sinew.step(model, d)
        for k, other in enumerate(others):
            if k == 2:
                sinew.step1(model, other)
                sinew.step2(model, other)
                continue
            if k == 3:
                sinew.forward(model, other)
                sinew.fwdAcceleration(model, other)
                sinew.fwdConstraint(model, other)
            sinew.step(model, other)
        assert all(np.array_equal(d.qpos, other.qpos) for other in others)


def test_batches_go_by_the_scalar_engine():
    model = arm()
    batch = sinew.Batch(model, 3)
    assert "integrator discrete" in batch.scalar_features
    d = sinew.Data(model)
    batch.step(nstep=20)
    sinew.step(model, d, nstep=20)
    assert all(np.array_equal(q, d.qpos) for q in batch.qpos)


def test_rollouts_on_threads():
    model = arm()
    d = sinew.Data(model)
    start = np.array([np.concatenate([[0.0], d.qpos, d.qvel])] * 3)
    start[1, 3] += 0.1
    one, two = (sinew.rollout(model, start, nstep=20, threads=n)[0] for n in (1, 2))
    assert np.array_equal(one, two)
    sinew.step(model, d, nstep=20)
    assert np.array_equal(one[0, -1, 1 : 1 + model.nq], d.qpos)


def test_discrete_steps_by_differences():
    model = arm()
    d = pushed(model)
    with pytest.raises(sinew.NotSupportedError, match="a step of the integrator discrete"):
        sinew.transitionDerivative(model, d)
    with pytest.raises(sinew.NotSupportedError, match="a step of the integrator discrete"):
        sinew.rolloutGradient(model, d, np.zeros((2, model.nu)), np.ones((3, 2 * model.nv)))
    A, B = (x for x in sinew.transitionFD(model, d, 1e-6, True)[:2])
    state, dq = (d.qpos.copy(), d.qvel.copy()), np.random.default_rng(3).normal(size=2 * model.nv)
    ends = []
    for sign in (1, -1):
        other = copy.copy(d)
        other.qpos[:] = sinew.integratePos(model, state[0], dq[: model.nv], sign * 1e-5)
        other.qvel[:] = state[1] + sign * 1e-5 * dq[model.nv :]
        sinew.step(model, other)
        ends.append(other)
    v = (ends[0].qvel - ends[1].qvel) / 2e-5
    assert np.abs(A[model.nv :] @ dq - v).max() < 1e-3 * max(1, np.abs(v).max())
    assert B.shape == (2 * model.nv, model.nu)


def test_what_a_discrete_step_refuses():
    model = arm()
    for name, value, words in (
        ("servo", sinew.Servo.END, "set servo to begin"),
        ("loop_solution", sinew.LoopSolution.KKT, "set loop_solution to y"),
    ):
        with pytest.raises(ValueError, match=words):
            setattr(model.opt, name, value)
    with pytest.raises(
        sinew.NotSupportedError, match="does not know the inertia of the integrator discrete"
    ):
        control.Controller(model, integrator=True)


def loop(integrator="discrete", h=0.01, gravity=-9.8, k=30, tendon=300, kp=200):
    return sinew.Model.from_xml(LOOP.format(integrator, h, gravity, k, tendon, kp), physics="4.0")


@pytest.mark.parametrize("solver", ["NEWTON", "CG"])
def test_discrete_steps_of_exact_loops(solver):
    """They hold, inverse dynamics gives the step's forces, and small steps are those of Euler's method."""
    model = loop()
    model.opt.enableflags |= int(sinew.EnableBit.FWDINV)
    model.opt.solver, model.opt.tolerance = sinew.Solver[solver], 0
    d = pushed(model, 1)
    d.qpos[:3] = [0.3, -0.3, 0.3]
    d.qvel[:3] = [1, -1, 1]
    for _ in range(100):
        sinew.step(model, d)
        assert d.solver_fwdinv.max() < 1e-8
        assert d.loop_error < 1e-12
    gaps = []
    for h in (1e-3, 1e-4):
        ends = []
        for integrator in ("discrete", "Euler"):
            m = loop(integrator, h)
            d = pushed(m, 1)
            d.qpos[:3], d.qvel[:3] = [0.3, -0.3, 0.3], [1, -1, 1]
            sinew.forward(m, d)
            ends.append(d.qacc.copy())
        gaps.append(np.abs(ends[0] - ends[1]).max())
    assert gaps[1] < 0.15 * gaps[0]


def test_stiff_springs_in_loops():
    """Far beyond the explicit limit: no step of 20 ms gains energy."""
    model = loop(h=0.02, gravity=0, k=20_000, tendon=3000, kp=5000)
    model.opt.enableflags |= int(sinew.EnableBit.ENERGY)
    d = sinew.Data(model)
    d.qpos[:3] = [0.3, -0.3, 0.3]
    sinew.forward(model, d)
    energy = start = d.energy.sum()
    for _ in range(500):
        sinew.step(model, d)
        energy = max(energy, d.energy.sum())
    assert energy <= start and d.energy.sum() < 1e-3 * start


PASSIVE = """<mujoco><option integrator="discrete" gravity="0 0 {}"><flag energy="enable" contact="disable"/></option><worldbody>{}
</worldbody>{}</mujoco>"""
SLIDES = """<body><joint name="x" type="slide" stiffness="1e5"/><joint name="y" type="slide" axis="0 1 0" stiffness="30" damping=".01 .1"/>
  <geom size=".1"/><body pos="0 0 1"><joint name="z" type="slide" axis="1 1 0" stiffness="4000 0 1e6"/><geom size=".05"/></body></body>"""
STRING = '<tendon><fixed stiffness="1e6 0 1e5"><joint joint="x" coef="1"/><joint joint="z" coef="-2"/></fixed></tendon>'
LIMB = """<body><joint axis="0 1 0" stiffness="1000" damping=".05"/><geom type="capsule" size=".04" fromto="0 0 0 .5 0 0"/><body pos=".5 0 0">
  <joint axis="0 1 0" stiffness="1e4"/><geom type="capsule" size=".04" fromto="0 0 0 .5 0 0"/><body pos=".5 0 0"><joint type="ball" stiffness="300"/>
  <geom type="capsule" size=".04" fromto="0 0 0 .5 .1 0"/></body></body></body>"""
TOP = '<body><freejoint/><geom type="box" size=".1 .2 .3"/></body>'


@pytest.mark.parametrize("h", [0.001, 0.02, 0.2])
@pytest.mark.parametrize(("bodies", "rest", "steady"), [(SLIDES, STRING, True), (LIMB, "", False), (TOP, "", True)], ids=("slides", "limb", "top"))  # fmt: skip
def test_no_energy_is_gained(bodies, rest, steady, h):
    """Of springs and dampers, however stiff for the step, over 100,000 of them; step by step where no inertia changes with the pose."""
    model = sinew.Model.from_xml(PASSIVE.format(0, bodies, rest), physics="4.0")
    model.opt.timestep = h
    d, rng = sinew.Data(model), np.random.default_rng(2)
    d.qpos[:] = sinew.integratePos(model, d.qpos, rng.normal(0, 0.3, model.nv), 1)
    d.qvel[:] = rng.normal(0, 2, model.nv)
    sinew.forward(model, d)
    start = last = d.energy.sum()
    for _ in range(5000):
        sinew.step(model, d)
        sinew.forward(model, d)
        now = d.energy.sum()
        assert now <= (last if steady else start) * (1 + 1e-12) + 1e-12
        last = now
    sinew.step(model, d, nstep=95_000)
    sinew.forward(model, d)
    assert d.energy.sum() <= last * (1 + 1e-9) + 1e-12 and not d.warning.number.any()


def test_discrete_steps_of_rigid_contact():
    """qacc belongs to the impulses in the inertia of the step; servos at 20 ms hold where Euler's steps explode."""
    text = ARM.replace(
        "<worldbody>", '<custom><text name="sinew_contact" data="lcp"/></custom><worldbody>', 1
    )
    model = arm(text)
    d = sinew.Data(model)
    d.ctrl[:] = [0.2, 0.3]
    sinew.step(model, d, nstep=100)
    assert np.abs(d.qvel).max() < 1e-6 and d.ncon
    sinew.forward(model, d)
    qacc, force, at = d.qacc.copy(), d.qfrc_constraint.copy(), d.qacc_smooth.copy()
    columns = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        d.qfrc_applied[i] += 1
        sinew.fwdAcceleration(model, d)
        columns[:, i] = d.qacc_smooth - at
        d.qfrc_applied[i] -= 1
    assert np.abs(columns @ force - (qacc - at)).max() < 1e-9 * max(1, np.abs(qacc).max())
    other = arm(text.replace('"discrete"', '"Euler"'))
    d = sinew.Data(other)
    d.ctrl[:] = [0.2, 0.3]
    with pytest.warns(sinew.SimulationWarning):
        sinew.step(other, d, nstep=100)
    with pytest.raises(ValueError, match="no maximal coordinates"):
        model.opt.lcp_coordinates = sinew.Coordinates.MAXIMAL


SLEEPERS = """<mujoco><option integrator="discrete" timestep=".01"><flag sleep="{}"/></option><worldbody><geom type="plane" size="9 9 1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="2 0 1"><joint name="a" axis="0 1 0" stiffness="50"/><geom type="capsule" size=".04" fromto="0 0 0 .5 0 0"/></body>
<body pos="2 1 1"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 .5 0 0"/></body>
<body pos="4 0 1"><joint name="c" axis="0 1 0" stiffness="9" damping="20"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 -.5"/></body></worldbody>
<tendon><fixed name="t" stiffness="300"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon></mujoco>"""


def test_discrete_steps_beside_sleepers():
    """What is awake goes on with the same bits, sleepers have no acceleration, forces come back from it, and all wake."""
    models = [arm(SLEEPERS.format(flag)) for flag in ("enable", "disable")]
    models[0].opt.enableflags |= int(sinew.EnableBit.FWDINV)
    both = [sinew.Data(m) for m in models]
    for _ in range(300):
        for m, d in zip(models, both, strict=True):
            sinew.step(m, d)
    d, awake = both
    assert (d.tree_asleep >= 0).tolist() == [True, True, False, False, True]
    assert np.array_equal(d.qpos[14:16], awake.qpos[14:16]) and np.abs(d.qvel[12:14]).max() > 0.1
    assert not d.qacc[:12].any() and d.qacc[14] == 0 and d.qacc[12:14].any()
    assert d.solver_fwdinv.max() < 1e-8
    copied = copy.copy(d)
    for _ in range(20):
        sinew.step(models[0], d)
        sinew.step(models[0], copied)
    assert np.array_equal(d.qpos, copied.qpos)
    d.xfrc_applied[2, 0] = 30
    sinew.step(models[0], d, nstep=5)
    assert (d.tree_asleep[:2] < 0).all() and d.tree_asleep[4] >= 0 and d.qvel[6] > 0
