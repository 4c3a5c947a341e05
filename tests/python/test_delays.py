"""Delays, intervals and the histories behind them: what they mean, what is refused, and whoever carries a state."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import sinew
from sinew import Recorder, control

TEXT = """<mujoco><option timestep="{h!r}" integrator="{integrator}" gravity="0 0 0"/>
<worldbody><body><joint name="x" type="slide" damping="1"/><geom size=".1" contype="0"/><site name="s"/></body></worldbody>
<actuator><motor name="a" joint="x" {actuator}/><motor name="b" joint="x" gear=".1"/></actuator>
<sensor>{sensors}</sensor>{rest}</mujoco>"""
SENSORS = '<jointvel name="v" joint="x" nsample="6" delay=".03" interp="linear"/><clock name="c" nsample="2" interval=".05"/>'
HISTORY = int(sinew.StateBit.HISTORY)


def text(actuator='nsample="8" delay=".05"', sensors=SENSORS, h=0.01, integrator="Euler", rest=""):
    return TEXT.format(actuator=actuator, sensors=sensors, h=h, integrator=integrator, rest=rest)


def load(*args, strict=True, **how):
    return sinew.Model.from_xml(text(*args, **how), physics="4.0", strict=strict)


def drive(m, d, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        d.ctrl[:] = rng.normal(0, 1, m.nu)
        sinew.step(m, d)
    return np.concatenate([d.qpos, d.qvel, d.history, d.sensordata])


# ---- what a delay is


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("interp", ["zoh", "linear", "cubic"])
@pytest.mark.parametrize("h, steps", [(0.002, 1), (0.002, 10), (0.005, 7), (0.01, 4), (0.1, 3)])
def test_delays_are_exact_to_the_step(integrator, interp, h, steps):
    """A control acts so many steps after it was given, over 3,000 steps, in buffers that just hold it and in larger ones."""
    for more in (0, 3):
        m = load(
            f'nsample="{steps + more}" delay="{round(steps * h, 9)!r}" interp="{interp}"',
            h=h,
            integrator=integrator,
            sensors="",
        )
        d = sinew.Data(m)
        for k in range(3000 if interp == "zoh" and integrator == "Euler" else 300):
            d.ctrl[0] = k + 1
            sinew.forward(m, d)
            expected = max(0, k + 1 - steps)
            assert abs(d.actuator_force[0] - expected) < 1e-7 * (1 + k), k
            sinew.step(m, d)


@pytest.mark.parametrize("delay, lag", [(0.001, 1), (0.01, 1), (0.011, 2), (0.025, 3), (0.05, 5), (0.09, 8)])  # fmt: skip
def test_parts_of_a_step_count_whole(delay, lag):
    """What is held waits for the next step; beyond the buffer the oldest counts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = load(f'nsample="8" delay="{delay}"', strict=False)
    d = sinew.Data(m)
    for k in range(40):
        d.ctrl[0] = k + 1
        sinew.step(m, d)
        assert d.actuator_force[0] == max(0, k + 1 - lag)


def test_a_line_of_delays_is_a_shift():
    """A run with a delay is that without one, driven by controls of so many steps before."""
    late, now = load(sensors=""), load("", sensors="")
    controls = np.random.default_rng(0).normal(0, 1, (200, 2))
    d, e = sinew.Data(late), sinew.Data(now)
    for k, u in enumerate(controls):
        d.ctrl[:] = u
        e.ctrl[:] = controls[k - 5, 0] if k >= 5 else 0, u[1]
        sinew.step(late, d)
        sinew.step(now, e)
        assert (d.qpos == e.qpos).all() and (d.qvel == e.qvel).all()


def test_controls_are_kept_as_given_and_clamped_as_they_act():
    m = load('nsample="3" delay=".01" ctrlrange="-1 1"', sensors="")
    d = sinew.Data(m)
    d.ctrl[0] = 7
    sinew.step(m, d, 2)
    assert d.actuator_force[0] == 1 and sinew.readCtrl(m, d, 0, d.time) == 7
    m.actuator_ctrlrange[0] = -5, 5
    sinew.step(m, d)
    assert d.actuator_force[0] == 5


def test_a_number_that_is_none_counts_when_it_acts():
    m = load('nsample="3" delay=".02"', sensors="")
    d = sinew.Data(m)
    d.ctrl[:] = np.nan, 1
    sinew.step(m, d)
    d.ctrl[:] = 1
    sinew.step(m, d)
    assert d.actuator_force.tolist() == [0, 1]
    with pytest.warns(sinew.SimulationWarning, match="ctrl"):
        sinew.step(m, d)
    assert d.actuator_force.tolist() == [0, 0]
    sinew.step(m, d)
    assert d.actuator_force.tolist() == [1, 1]


def test_sensors_late_and_at_intervals():
    m = load("", '<clock nsample="4" delay=".03"/><clock nsample="4" interval=".025 -.01"/><clock nsample="4" interval=".04" delay=".02"/><clock nsample="4" interval=".04" delay=".02" interp="linear"/>')  # fmt: skip
    d, shown = sinew.Data(m), []
    for _ in range(13):
        sinew.step(m, d)
        shown.append(d.sensordata.copy())
    late, held, both, line = np.round(np.array(shown) / 0.01, 6).T
    assert late.tolist() == [0, 0, 0, *range(10)]
    assert held.tolist() == [0, 0, 2, 2, 4, 4, 4, 7, 7, 9, 9, 9, 12]
    assert both.tolist() == [0] * 6 + [4] * 4 + [8] * 3
    assert line[4:10].tolist() == [0, 0, 4, 4, 4, 4] or (np.diff(line) >= 0).all()


def test_forward_changes_no_history_and_shows_what_the_state_says():
    m = load()
    d = sinew.Data(m)
    drive(m, d, 20)
    before, shown = d.history.copy(), d.sensordata.copy()
    sinew.forward(m, d)
    shown = d.sensordata.copy()
    d.sensordata[:] = 99
    sinew.forward(m, d)
    assert (d.history == before).all() and (d.sensordata == shown).all()


def test_histories_go_on_with_sensors_off():
    m = load()
    on, off = sinew.Data(m), sinew.Data(m)
    drive(m, on, 20)
    m.opt.disableflags |= int(sinew.DisableBit.SENSOR)
    drive(m, off, 20)
    assert (on.history == off.history).all() and not off.sensordata.any()


# ---- whoever carries a state


def test_it_is_state():
    m = load()
    bits = sinew.StateBit
    assert HISTORY == 1 << 13 and m.nhistory == 2 + 8 * 2 + 2 + 6 * 2 + 2 + 2 * 2
    assert sinew.stateSize(m, HISTORY) == m.nhistory
    assert sinew.stateSize(m, int(bits.FULLPHYSICS)) == 1 + m.nq + m.nv + m.nhistory
    assert not int(bits.PHYSICS) & HISTORY and int(bits.INTEGRATION) & HISTORY
    plain = load("", "")
    assert sinew.stateSize(plain, HISTORY) == 0


@pytest.mark.parametrize("part", ["HISTORY", "PLASTIC", "ASLEEP", "FULLPHYSICS", "INTEGRATION"])
def test_states_of_other_lengths_are_refused(part):
    """Too short, too long, and of a model with another history; the data stays as it is."""
    body = text().replace('damping="1"', 'damping="1" springyield=".1" stiffness="1"')
    m = sinew.Model.from_xml(body, physics="4.0")
    other = sinew.Model.from_xml(
        body.replace('nsample="8"', 'nsample="9"').replace(' springyield=".1"', "").replace("</sensor>", "<clock/></sensor>"),
        physics="4.0",
    )  # fmt: skip
    bit, d = int(sinew.StateBit[part]), sinew.Data(m)
    before = sinew.getState(m, d, bit)
    wrong = [
        before[:-1],
        np.append(before, 0),
        sinew.getState(other, sinew.Data(other), bit),
        before[:0],
    ]
    for state in wrong:
        with pytest.raises(ValueError, match=rf"setState: state must have shape \({len(before)},\), not \({len(state)},\)"):  # fmt: skip
            sinew.setState(m, d, state, bit)
    with pytest.raises(ValueError, match="belongs to another model"):
        sinew.setState(other, d, before, bit)
    assert (sinew.getState(m, d, bit) == before).all()


@pytest.mark.parametrize("how", ["state", "copy", "pickle"])
def test_runs_go_on_with_the_same_bits(how):
    m = load()
    d = sinew.Data(m)
    drive(m, d, 23)
    if how == "state":
        other = sinew.Data(m)
        sinew.setState(m, other, sinew.getState(m, d, int(sinew.StateBit.INTEGRATION)), int(sinew.StateBit.INTEGRATION))  # fmt: skip
    elif how == "copy":
        other = copy.copy(d)
    else:
        other = pickle.loads(pickle.dumps(d))
    model = other.model if how == "pickle" else m
    assert (drive(model, other, 20, 1) == drive(m, d, 20, 1)).all()


def test_compiled_files_and_written_ones(tmp_path):
    m = load()
    want = drive(m, sinew.Data(m), 40)
    m.save(tmp_path / "m.snb")
    again = sinew.Model.from_path(tmp_path / "m.snb")
    assert (drive(again, sinew.Data(again), 40) == want).all()
    written = sinew.Spec.from_xml(text(), physics="4.0").to_xml()
    assert 'interval=".05"' in written
    again = sinew.Model.from_xml(written)
    assert again.physics == "4.0" and (drive(again, sinew.Data(again), 40) == want).all()


def test_resets_and_keyframes():
    m = load(rest='<keyframe><key time="3" qpos=".2" ctrl="5 6"/></keyframe>')
    d = sinew.Data(m)
    begin = d.history.copy()
    drive(m, d, 20)
    sinew.resetData(m, d)
    assert (d.history == begin).all()
    drive(m, d, 20)
    sinew.resetDataKeyframe(m, d, 0)
    assert (d.history == begin).all() and d.time == 3 and d.ctrl[0] == 5
    sinew.step(m, d)
    assert d.actuator_force[0] == 0  # nothing was given before


def test_batches_go_through_the_scalar_engine():
    m = load()
    batch = sinew.Batch(m, 5, threads=2)
    assert "histories of controls or sensors" in batch.scalar_features
    controls = np.random.default_rng(0).normal(0, 1, (5, 30, m.nu))
    state, sensors = batch.rollout(
        sinew.getState(m, sinew.Data(m), int(sinew.StateBit.FULLPHYSICS)), controls
    )
    for i in range(5):
        d = sinew.Data(m)
        for k in range(30):
            d.ctrl[:] = controls[i, k]
            sinew.step(m, d)
            assert (sensors[i, k] == d.sensordata).all()
        assert (state[i, -1] == sinew.getState(m, d, int(sinew.StateBit.FULLPHYSICS))).all()
        assert (batch.history[i] == d.history).all()
    with pytest.raises(ValueError, match="histories of controls or sensors"):
        sinew.Batch(m, 4, width=4)
    middle = state[:, 11]
    batch = sinew.Batch(m, 5)
    again, _ = batch.rollout(middle, controls[:, 12:])
    assert (again == state[:, 12:]).all()


def test_rollouts_on_threads():
    m = load()
    start = sinew.getState(m, sinew.Data(m), int(sinew.StateBit.FULLPHYSICS))
    controls = np.random.default_rng(0).normal(0, 1, (6, 25, m.nu))
    found = [sinew.rollout(m, start, controls, threads=n)[0] for n in (1, 3)]
    assert (found[0] == found[1]).all()
    d = sinew.Data(m)
    for u in controls[4]:
        d.ctrl[:] = u
        sinew.step(m, d)
    assert (found[0][4, -1] == sinew.getState(m, d, int(sinew.StateBit.FULLPHYSICS))).all()


@pytest.mark.parametrize("kind", ["npy", "mcap"])
def test_a_recording_goes_on_from_any_row(kind, tmp_path):
    m = load()
    d, recorder = sinew.Data(m), Recorder(m)
    rng = np.random.default_rng(0)
    for _ in range(30):
        d.ctrl[:] = rng.normal(0, 1, m.nu)
        recorder.step(d)
    recorder.recording().save(tmp_path / f"run.{kind}")
    rows = sinew.Recording.from_path(tmp_path / f"run.{kind}")
    d = sinew.Data(m)
    d.time = rows.time[10]
    for part in ("qpos", "qvel", "ctrl", "qacc_warmstart", "history"):
        getattr(d, part)[:] = rows.fields[part][10]
    for k in range(10, 29):
        d.ctrl[:] = rows.fields["ctrl"][k]
        sinew.step(m, d)
        assert (d.qpos == rows.fields["qpos"][k + 1]).all()
        assert (d.history == rows.fields["history"][k + 1]).all()


def test_a_model_that_grows_keeps_what_was_given():
    spec = sinew.Spec.from_xml(text(), physics="4.0")
    m = spec.compile()
    d = sinew.Data(m)
    drive(m, d, 12)
    kept = d.history.copy()
    spec.world.add("site", "more")
    spec.section("actuator").add("motor", "more", joint="x", nsample=3)
    m, d = spec.recompile(m, d)
    first = m.actuator_historyadr[2]
    assert (
        m.nhistory == kept.size + 8
        and (np.delete(d.history, range(first, first + 8)) == kept).all()
    )


# ---- from the user


def test_histories_are_given_and_read():
    m = load('nsample="4" delay=".01" interp="linear"')
    d = sinew.Data(m)
    sinew.initCtrlHistory(m, d, 0, [0.1, 0.2, 0.4, 0.5], [1, 2, 3, 4])
    d.time = 0.31
    sinew.forward(m, d)
    assert d.actuator_force[0] == pytest.approx(2.5, abs=1e-12)
    assert sinew.readCtrl(m, d, 0, 0.31, 0) == 2 and sinew.readCtrl(m, d, 0, 9) == 4
    sinew.initCtrlHistory(m, d, 0, None, [5, 6, 7, 8])
    assert sinew.readCtrl(m, d, 0, 0.21)[0] == pytest.approx(6)
    d.ctrl[1] = 3
    assert sinew.readCtrl(m, d, 1, 0) == 3  # it has no history
    sinew.initSensorHistory(m, d, 1, [0.1, 0.2], [[4], [5]], 0.2)
    assert sinew.readSensor(m, d, 1, 0.2) == 5 and d.history[m.sensor_historyadr[1]] == 0.2
    for bad, match in (
        (lambda: sinew.initCtrlHistory(m, d, 0, [0, 1, 1, 2], np.zeros(4)), r"increase, times\[2\] is 1"),
        (lambda: sinew.initCtrlHistory(m, d, 0, [0, 1, 2, np.nan], np.zeros(4)), "finite"),
        (lambda: sinew.initCtrlHistory(m, d, 0, None, np.zeros(3)), r"values must have shape \(4,1\).* not \(3,1\)"),
        (lambda: sinew.initCtrlHistory(m, d, 0, None, np.zeros((2, 2))), r"not \(2,2\)"),
        (lambda: sinew.initCtrlHistory(m, d, 0, None, np.zeros((1, 4))), r"not \(1,4\)"),
        (lambda: sinew.initCtrlHistory(m, d, 0, None, np.zeros((1, 4, 1))), "values must have shape"),
        (lambda: sinew.initCtrlHistory(m, d, 0, np.zeros((2, 2)), np.zeros(4)), "times must have shape"),
        (lambda: sinew.initSensorHistory(m, d, 1, None, np.zeros((1, 2)), 0), r"shape \(2,1\).* not \(1,2\)"),
        (lambda: sinew.initCtrlHistory(m, d, 1, None, np.zeros(4)), "actuator 1 has no history: give it nsample"),
        (lambda: sinew.initSensorHistory(m, d, 0, None, np.zeros(6), np.inf), "phase is inf"),
        (lambda: sinew.readCtrl(m, d, 0, 0, 5), "interp is 5"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=match):
            bad()


@pytest.mark.parametrize("what", [np.nan, np.inf, -np.inf, 1e300, -5, 7.5])
def test_histories_of_strangers_harm_nobody(what):
    m = load()
    d = sinew.Data(m)
    drive(m, d, 5)
    for k in range(m.nhistory):
        e = copy.copy(d)
        e.history[k] = what
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drive(m, e, 3)
    d.history[:] = what
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drive(m, d, 3)


# ---- what is refused

REFUSED = {
    'nsample="-1"': "nsample is -1, must be 0 to 16777216",
    'nsample="16777217"': "nsample is 16777217",
    'nsample="3" delay="-.1"': "delay is -0.1, must be a number of seconds from 0 on",
    'delay=".033"': r'delay is 0.033, but nsample is 0, so that nothing is kept: give nsample="4"',
    'nsample="3" interp="spline"': "zoh, linear, cubic",
}


@pytest.mark.parametrize("attributes", REFUSED)
def test_bad_histories_are_named(attributes):
    for how in (
        {"actuator": attributes},
        {"actuator": "", "sensors": f'<clock name="c" {attributes}/>'},
    ):
        with pytest.raises(sinew.ModelError, match=REFUSED[attributes]) as error:
            load(**how)
        assert "text:" in str(error.value)


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("number", ["nan", "inf"])
def test_times_that_are_no_numbers_are_named(number):
    for sensor, match in ((f'delay="{number}"', "delay"), (f'interval="{number}"', "interval")):
        with pytest.raises(sinew.ModelError, match=f"{match} is {number}, must be a number of seconds from 0 on"):  # fmt: skip
            load("", f'<clock nsample="3" {sensor}/>', strict=False)


@pytest.mark.parametrize(
    "interval, match",
    [("-.1", "interval is -0.1"), (".1 .05", "not above 0"), (".1 -.1", "above -0.1"), (".1 -.2", "above -0.1")],
)  # fmt: skip
def test_bad_intervals_are_named(interval, match):
    with pytest.raises(sinew.ModelError, match=match):
        load("", f'<clock nsample="2" interval="{interval}"/>')


@pytest.mark.parametrize(
    "actuator, sensors, match",
    [
        ('nsample="3" delay=".05"', "", r"keeps no more than 0.03 seconds.*nsample=\"5\""),
        ("", '<clock nsample="2" delay=".05"/>', "keeps no more than 0.02 seconds"),
        ("", '<clock nsample="2" delay=".5" interval=".1"/>', "keeps no more than 0.2 seconds"),
        ("", '<clock interval=".1"/>', "interval has no effect without a history"),
        ("", '<clock nsample="2" interval="0 -.1"/>', "without a period"),
    ],
)
def test_what_the_peer_passes_over_is_a_warning(actuator, sensors, match):
    with pytest.warns(sinew.ModelWarning, match=match):
        load(actuator, sensors, strict=False)
    with pytest.raises(sinew.ModelError, match=match):
        load(actuator, sensors, strict=True)


def test_older_models_have_none():
    for how in ({"actuator": 'nsample="3"'}, {"actuator": "", "sensors": '<clock nsample="3"/>'}):
        with pytest.raises(sinew.NotSupportedError, match=r"'nsample' came after .*3\.3\.7"):
            sinew.Model.from_xml(text(**{"sensors": "", **how}), physics="3.3.7")


def test_default_classes_and_copies():
    m = sinew.Model.from_xml(
        """<mujoco><option timestep=".01"/><default><motor nsample="4" delay=".03" interp="cubic"/></default>
        <worldbody><replicate count="2" offset="1 0 0"><body name="b"><joint name="j"/><geom size=".1"/><site name="s"/></body></replicate></worldbody>
        <actuator><motor joint="j0"/><motor joint="j1" delay=".02"/></actuator>
        <sensor><gyro site="s0" nsample="2" delay=".01"/></sensor></mujoco>""",
        physics="4.0",
        strict=True,
    )
    assert m.actuator_history.tolist() == [[4, 2]] * 2
    assert m.actuator_delay.tolist() == [0.03, 0.02]


def test_derivatives_name_what_is_late():
    m = load()
    d = sinew.Data(m)
    late = "a control of actuator 0 'a' acts 0.05 s later, in another step"
    for call in (
        lambda: sinew.transitionFD(m, d, 1e-6),
        lambda: sinew.transitionDerivative(m, d),
        lambda: sinew.stepVJP(m, d, np.zeros(2)),
        lambda: sinew.stepJVP(m, d, np.zeros(2)),
    ):
        with pytest.raises(sinew.NotSupportedError, match=late):
            call()
    m.actuator_delay[0] = 0
    for call in (lambda: sinew.transitionFD(m, d, 1e-6), lambda: sinew.transitionDerivative(m, d)):
        with pytest.raises(sinew.NotSupportedError, match="sensor 0 'v' shows what was measured"):
            call()
    m.sensor_delay[:] = 0
    m.sensor_interval[:] = 0
    for a, b in zip(sinew.transitionFD(m, d, 1e-6, centered=True), sinew.transitionDerivative(m, d), strict=True):  # fmt: skip
        np.testing.assert_allclose(a, b, atol=1e-8)
    state = d.history.copy()
    sinew.transitionFD(m, d, 1e-6)
    assert (d.history == state).all()


def test_controllers_name_what_is_late():
    m = load()
    with pytest.raises(
        sinew.NotSupportedError, match=r"a controller: a control of actuator 0 'a' acts"
    ):
        control.Controller(m)
    m.actuator_delay[0] = 0
    control.Controller(m)


def test_inverse_dynamics_and_rigid_contact_take_the_late_control():
    m = load(sensors="")
    d = sinew.Data(m)
    drive(m, d, 10)
    sinew.forward(m, d)
    force = d.actuator_force[0]
    assert force == sinew.readCtrl(m, d, 0, d.time)[0] != d.ctrl[0]
    sinew.inverse(m, d)
    np.testing.assert_allclose(d.qfrc_inverse, d.qfrc_actuator, atol=1e-12)
    m.opt.integrator = sinew.Integrator.IMPLICITFAST
    m.opt.enableflags |= int(sinew.EnableBit.INVDISCRETE)
    after = copy.copy(d)
    sinew.step(m, after)
    d.qacc[:] = (after.qvel - d.qvel) / m.opt.timestep
    sinew.inverse(m, d)
    np.testing.assert_allclose(d.qfrc_inverse, d.qfrc_actuator, atol=1e-12)
    m.opt.integrator = sinew.Integrator.EULER
    m.opt.contact = sinew.ContactModel.LCP
    sinew.step(m, d)
    assert d.actuator_force[0] == force


def test_loops_held_exactly():
    text = """<mujoco><option timestep=".01"/><worldbody>
      <body name="p"><joint name="p" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/></body>
      <body name="q" pos=".5 0 0"><joint name="q" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/></body>
    </worldbody><equality><joint joint1="p" joint2="q"/></equality>
    <actuator><motor joint="p" nsample="5" delay=".04"/></actuator><sensor><jointpos joint="q" nsample="3" delay=".02"/></sensor></mujoco>"""
    m = sinew.Model.from_xml(text, physics="4.0")
    m.opt.loops = sinew.Loops.EXACT
    d, turned = sinew.Data(m), []
    for k in range(20):
        d.ctrl[0] = 1
        sinew.step(m, d)
        turned.append(d.qpos[1])
        assert d.actuator_force[0] == (k >= 4)
        assert d.sensordata[0] == (turned[k - 3] if k >= 3 else 0)
    assert abs(d.qpos[0] - d.qpos[1]) < 1e-9
