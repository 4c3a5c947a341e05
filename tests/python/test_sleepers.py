"""The flag sleep against itself: what is awake has the bits that it has without the flag, and a state that is kept
goes on with the bits of the run that it was taken from."""

import copy
import pickle

import numpy as np
import pytest

import sinew
from sinew import StateBit, control

ALL = int(StateBit.INTEGRATION)
STACK = "".join(
    f"""<body name="p{i}" pos="{0.02 * i} 0 {0.1 + 0.2 * i}"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <site name="s{i}" size=".2"/></body>"""
    for i in range(3)
)
PENDULUM = """<body name="pen" pos="3 0 2"><joint name="jp" axis="0 1 0" damping=".01"/><geom size=".1" pos=".5 0 0"/>
  <body pos=".5 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body></body>"""
BALL = '<body pos="0 .05 1.2"><freejoint/><geom size=".08" condim="6" friction="1 .05 .05"/></body>'
FOUR_BAR = """<body pos="-2 0 .5"><joint axis="0 1 0" damping=".5"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".03"/>
  <body pos="0 0 .4"><joint axis="0 1 0" damping=".5"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/>
  <site name="tip" pos=".5 0 0" zaxis="0 1 0"/></body></body>
  <body pos="-1.5 0 .5"><joint axis="0 1 0" damping=".5"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".03"/>
  <site name="end" pos="0 0 .4" zaxis="0 1 0"/></body>"""
LOOP = '<text name="sinew_loop_bar" data="revolute tip end"/>'
SENSORS = """<sensor><framepos objtype="body" objname="p0"/><framelinacc objtype="body" objname="p0"/>
  <accelerometer site="s1"/><touch site="s0"/><clock/><e_potential/><jointpos joint="jp"/>
  <framelinvel objtype="body" objname="pen" reftype="body" refname="p1"/></sensor>"""


def scene(flag="enable", option="", custom="", loop=False):
    text = f"<custom>{LOOP if loop else ''}{custom}</custom>" if loop or custom else ""
    return f"""<mujoco><option timestep="0.005" {option}><flag sleep="{flag}"/></option>{text}<worldbody>
      <geom type="plane" size="5 5 1"/>{STACK}{PENDULUM}{BALL}{FOUR_BAR if loop else ""}</worldbody>{SENSORS}</mujoco>"""


def start(text):
    m = sinew.Model.from_xml(text, physics="4.0")
    return m, sinew.Data(m)


def state(m, d):
    return sinew.getState(m, d, ALL)


LCP = '<text name="sinew_contact" data="lcp"/>'
CASES = {
    "newton": {},
    "elliptic implicitfast": {"option": 'cone="elliptic" integrator="implicitfast"'},
    "implicit CG": {"option": 'integrator="implicit" solver="CG"'},
    "PGS": {"option": 'solver="PGS"'},
    "noslip": {"option": 'noslip_iterations="3"'},
    "rigid contact": {"custom": LCP},
    "loops": {"loop": True},
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_awake_has_the_same_bits(case):
    m, d = start(scene(**CASES[case]))
    m0, d0 = start(scene("disable", **CASES[case]))
    mt, dt = start(scene(**CASES[case]))
    mt.opt.sleep_tolerance = 0  # nothing ever rests
    for _ in range(600):
        sinew.step(m, d)
        sinew.step(m0, d0)
        sinew.step(mt, dt)
        np.testing.assert_array_equal(d.qpos[21:23], d0.qpos[21:23])  # the pendulum stands alone
        np.testing.assert_array_equal(dt.qpos, d0.qpos)
        np.testing.assert_array_equal(dt.sensordata, d0.sensordata)
    asleep = d.tree_asleep >= 0
    assert asleep.sum() == len(asleep) - 1, d.tree_asleep
    np.testing.assert_allclose(d.qpos, d0.qpos, atol=2e-3)  # what sleeps creeps no more


@pytest.mark.parametrize("case", CASES)
def test_a_state_goes_on_with_the_same_bits(case):
    m, d = start(scene(**CASES[case]))
    runs = []
    for i in range(500):
        if i % 61 == 0:
            other = sinew.Data(m)
            sinew.setState(m, other, state(m, d), ALL)
            np.testing.assert_array_equal(state(m, other), state(m, d))
            runs += [other, pickle.loads(pickle.dumps(d)), copy.copy(d)]
        sinew.step(m, d)
        for run in runs:
            sinew.step(m, run)
            np.testing.assert_array_equal(state(m, run), state(m, d))
        runs = runs[-9:]
    assert (d.tree_asleep >= 0).sum() > 3


def test_mechanism_with_loops_sleeps_whole():
    m, d = start(scene(loop=True))
    for _ in range(600):
        sinew.step(m, d)
    bars = d.tree_asleep[-2:]
    assert (bars >= 0).all() and set(bars) == {len(d.tree_asleep) - 2, len(d.tree_asleep) - 1}
    assert d.nclosure == 0
    where = d.qpos.copy()
    d.qfrc_applied[m.nv - 1] = 0.5
    for _ in range(20):
        sinew.step(m, d)
    assert (d.tree_asleep[-2:] < 0).all() and d.nclosure == 1
    assert abs(d.qpos[-3:] - where[-3:]).min() > 1e-5
    assert d.loop_error < 1e-6


HANGING = """<body name="{0}" pos="{1} 0 2"><joint name="{0}" axis="0 1 0" damping=".1" stiffness="2"/><geom size=".1" pos="0 0 -.5"/>
  <body pos="0 0 -.5"><joint type="ball" damping=".05"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/></body></body>"""


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "discrete"])
def test_who_is_woken_moves_as_if_never_asleep(integrator):
    """What hangs at rest keeps its state asleep or awake, so that a push has the same bits."""
    runs = []
    for flag in ("enable", "disable"):
        m, d = start(
            f"""<mujoco><option timestep=".005" integrator="{integrator}"><flag sleep="{flag}"/></option><worldbody>
            {HANGING.format("a", 0)}{HANGING.format("b", 1)}</worldbody><equality><joint joint1="a" joint2="b"/></equality></mujoco>"""
        )
        sinew.step(m, d, nstep=50)
        assert (d.tree_asleep >= 0).all() == (flag == "enable")
        d.qfrc_applied[0] = 1
        sinew.step(m, d, nstep=20)
        d.qfrc_applied[0] = 0
        sinew.step(m, d, nstep=100)
        runs.append(np.concatenate([d.qpos, d.qvel, [d.time]]))
    np.testing.assert_array_equal(*runs)


@pytest.mark.parametrize("case", [c for c in CASES if c != "loops"])
def test_a_woken_pile_goes_on_from_where_it_stands(case):
    """As one that was put there and never slept."""
    m, d = start(scene(**CASES[case]))
    never, other = start(scene("disable", **CASES[case]))
    sinew.step(m, d, nstep=600)
    assert (d.tree_asleep[:3] >= 0).all()
    for body in range(1, m.nbody):
        d.xfrc_applied[body, 0] = 0.3
    full = int(StateBit.INTEGRATION) & ~int(StateBit.ASLEEP)
    sinew.setState(never, other, sinew.getState(m, d, full), full)
    for _ in range(30):
        sinew.step(m, d)
        sinew.step(never, other)
        assert (d.tree_asleep < 0).all()
        np.testing.assert_array_equal(d.qpos, other.qpos)


def test_other_states_wake():
    """A state without the part asleep wakes what it moves, and only that."""
    m, d = start(scene())
    for _ in range(600):
        sinew.step(m, d)
    plain = sinew.getState(m, d, int(StateBit.FULLPHYSICS))
    asleep = d.tree_asleep.copy()
    sinew.setState(m, d, plain, int(StateBit.FULLPHYSICS))
    sinew.forward(m, d)
    np.testing.assert_array_equal(d.tree_asleep, asleep)
    fresh = sinew.Data(m)
    sinew.setState(m, fresh, plain, int(StateBit.FULLPHYSICS))
    sinew.forward(m, fresh)
    assert (fresh.tree_asleep < 0).all()


def test_state_of_3_3_7_has_no_sleep():
    m = sinew.Model.from_xml(
        scene("disable").replace('<flag sleep="disable"/>', ""), physics="3.3.7"
    )
    assert sinew.stateSize(m, int(StateBit.ASLEEP)) == 0
    m = sinew.Model.from_xml(scene(), physics="4.0")
    assert sinew.stateSize(m, int(StateBit.ASLEEP)) == m.ntree + m.nsensordata


def test_batch():
    m, d = start(scene())
    batch = sinew.Batch(m, 3)
    assert "flag sleep" in batch.scalar_features
    other = sinew.Data(m)
    for i in range(400):
        sinew.step(m, d)
        batch.step()
        if i == 150:
            batch.set_data(1, d)
            sinew.setState(m, other, state(m, d), ALL)
    for k in range(3):
        np.testing.assert_array_equal(batch.qpos[k], d.qpos)
        np.testing.assert_array_equal(batch.sensordata[k], d.sensordata)
    data = batch.get_data(2)
    np.testing.assert_array_equal(data.tree_asleep >= 0, d.tree_asleep >= 0)
    with pytest.raises(ValueError, match="flag sleep"):
        sinew.Batch(m, 2, width=4)


def test_derivatives_are_refused():
    m, d = start(scene())
    asked = [sinew.transitionFD, sinew.inverseFD, sinew.transitionDerivative]
    asked.append(lambda m, d: sinew.stepJVP(m, d, np.ones(2 * m.nv)))
    asked.append(lambda m, d: sinew.stepVJP(m, d, np.ones(2 * m.nv)))
    for ask in asked:
        with pytest.raises(Exception, match="the flag sleep holds"):
            ask(m, d)


def test_rk4_keeps_all_awake():
    with pytest.warns(sinew.ModelWarning, match="RK4 nothing sleeps"):
        m, d = start(scene(option='integrator="RK4"'))
    m0, d0 = start(scene("disable", option='integrator="RK4"'))
    for _ in range(300):
        sinew.step(m, d)
        sinew.step(m0, d0)
    np.testing.assert_array_equal(d.qpos, d0.qpos)
    assert (d.tree_asleep < 0).all()


def test_inverse():
    m, d = start(scene())
    m.opt.enableflags |= int(sinew.EnableBit.FWDINV)
    for _ in range(500):
        sinew.step(m, d)
    assert (d.tree_asleep >= 0).sum() > 2
    assert d.solver_fwdinv[0] < 1e-6 and d.solver_fwdinv[1] < 1e-6
    sinew.forward(m, d)
    sinew.inverse(m, d)
    awake = np.isin(m.dof_treeid, np.flatnonzero(d.tree_asleep < 0))
    np.testing.assert_array_equal(d.qfrc_inverse[~awake], 0)
    np.testing.assert_allclose(d.qfrc_inverse[awake], 0, atol=1e-9)


def test_init_that_cannot_is_a_warning():
    text = scene().replace('name="p0" pos="0.0 0 0.1"', 'name="p0" sleep="init" pos="0 0 .101"', 1)
    with pytest.warns(sinew.ModelWarning, match="starts awake"):
        m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    assert d.tree_asleep[0] < 0 and d.warning[sinew.Warning.INITAWAKE].number == 1
    with pytest.raises(sinew.ModelError, match="starts awake"):
        sinew.Model.from_xml(text, physics="4.0", strict=True)


def test_written_back():
    text = scene(option='sleep_tolerance="0.01"').replace('name="p0"', 'name="p0" sleep="never"', 1)
    spec = sinew.Spec.from_xml(text, physics="4.0")
    again = sinew.Model.from_xml(spec.to_xml(), physics="4.0")
    assert again.tree_sleep_policy[0] == sinew.SleepPolicy.NEVER
    assert again.opt.sleep_tolerance == 0.01
    assert again.opt.enableflags & sinew.EnableBit.SLEEP


def test_contacts_of_a_callback_and_controls():
    """A control callback that pushes keeps its tree awake."""
    m, d = start(scene())

    def control(model, data):
        data.qfrc_applied[0] = 1e-3

    d.set_callback("control", control)
    for _ in range(400):
        sinew.step(m, d)
    assert (d.tree_asleep[:3] < 0).all()
    d.set_callback("control", None)
    d.qfrc_applied[:] = 0
    for _ in range(200):
        sinew.step(m, d)
    assert (d.tree_asleep[:3] >= 0).all()


ARM = """<body name="arm" pos="1 0 1"><joint name="a" axis="0 1 0" damping=".1"/>
  <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/><body pos=".4 0 0"><joint name="b" axis="0 1 0" damping=".1"/>
  <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body></body>"""
MOTORS = '<actuator><motor joint="a"/><motor joint="b"/></actuator>'


def test_controller():
    """An arm is controlled beside sleepers as beside a pile that is awake."""
    ctrl = []
    for flag in ("enable", "disable"):
        m, d = start(
            f"""<mujoco><option timestep="0.005"><flag sleep="{flag}"/></option><worldbody>
            <geom type="plane" size="5 5 1"/>{STACK}{ARM}</worldbody>{MOTORS}</mujoco>"""
        )
        controller = control.Controller(m)
        posture = controller.add_task(control.PostureTask(level=1, kp=30, joints=["a", "b"]))
        posture.hold(d)
        for _ in range(300):
            controller.solve(d)
            controller.apply(d)
            sinew.step(m, d)
        assert ((d.tree_asleep[:3] >= 0) == (flag == "enable")).all()
        ctrl.append(d.ctrl.copy())
    np.testing.assert_allclose(ctrl[0], ctrl[1], atol=1e-8)


def test_recording(tmp_path):
    """Rows hold where all are, asleep or not; who goes on from one begins awake."""
    m, d = start(scene())
    recorder, qpos = sinew.Recorder(m), []
    for _ in range(300):
        qpos.append(d.qpos.copy())
        recorder.step(d)
    np.testing.assert_array_equal(recorder.recording().fields["qpos"], qpos)


def test_threads():
    m, d = start(scene())
    other = sinew.Data(m)
    other.threads = 2
    for _ in range(300):
        sinew.step(m, d)
        sinew.step(m, other)
    assert (d.tree_asleep >= 0).sum() > 2
    np.testing.assert_array_equal(state(m, other), state(m, d))


def test_the_peers_names_are_awake():
    """Vectors by the peer's names have its lengths; there is no sleep among its names."""
    import sinew.mujoco as mujoco

    m, d = start(scene())
    assert mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_INTEGRATION.value) == sinew.stateSize(
        m, 8191
    )
    assert not hasattr(mujoco.mjtState, "mjSTATE_ASLEEP") and not hasattr(
        mujoco.mjtEnableBit, "mjENBL_SLEEP"
    )
