"""Histories, delays and intervals against 4.0.1: buffers as they stand, what is read from them, what steps keep."""

import numpy as np
import pytest

import newest
import sinew
from meanings import near

H = 2.0**-7  # a power of two: sums of steps are exact, which 4.0.1's delays hang on
TEXT = """<mujoco><option timestep="{h!r}" integrator="{integrator}"/>
<worldbody>
  <geom type="plane" size="3 3 .1"/><site name="ref" pos=".1 .2 .3" euler="10 20 30"/>
  <body pos="0 0 .6"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".05"/>
    <body pos=".4 0 0"><joint name="b" axis="0 1 0" range="-40 70"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <site name="tip" pos=".3 0 0"/></body></body>
  <body name="ball" pos="1 0 .09"><freejoint/><geom name="ball" size=".1"/><site name="skin" size=".12"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed></tendon>
<actuator>
  <motor joint="a" nsample="7" delay="{d1!r}" ctrlrange="-2 2"/>
  <position joint="b" kp="5" nsample="9" delay="{d2!r}" interp="linear"/>
  <velocity tendon="t" kv=".3" nsample="12" delay="{d3!r}" interp="cubic"/>
  <general joint="a" dyntype="filter" dynprm=".1" gainprm="2" nsample="6" delay="{d1!r}" interp="cubic"/>
  <motor joint="b" nsample="3"/><motor joint="a"/>
</actuator>
<sensor>
  <accelerometer site="tip" nsample="5" delay="{d1!r}"/>
  <gyro site="tip" nsample="8" delay="{d2!r}" interp="linear"/>
  <framepos objtype="site" objname="tip" reftype="site" refname="ref" nsample="9" delay="{d3!r}" interp="cubic" cutoff=".4"/>
  <touch site="skin" nsample="4" interval="{p!r} {phase!r}"/>
  <actuatorfrc actuator="t" nsample="6" delay="{d1!r}" interval="{p!r}"/>
  <jointpos joint="a" nsample="6" delay="{d3!r}" interval="{p!r}" interp="linear"/>
  <contact geom1="ball" data="found force dist" nsample="4" delay="{d2!r}"/>
  <framequat objtype="body" objname="ball" nsample="3"/><clock nsample="2" interval="{h4!r}"/><jointvel joint="b"/>
  <jointlimitfrc joint="b" nsample="3" interval="{p!r}"/>
</sensor></mujoco>""".replace("<velocity tendon", '<velocity name="t" tendon')
STATE = ("qpos", "qvel", "act", "ctrl", "history")
SHOWN = ("sensordata", "actuator_force", "act_dot", "qacc", "history")
AFTER = ("qpos", "qvel", "act", "history", "sensordata")


class Pair:
    def __init__(self, integrator="Euler", h=H, d1=2.5, d2=3.25, d3=5.7, p=2.5, phase=-0.75):
        text = TEXT.format(
            integrator=integrator, h=h, d1=d1 * h, d2=d2 * h, d3=d3 * h, p=p * h, phase=phase * h, h4=4 * h
        )  # fmt: skip
        self.ours, self.theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
        for name, value in {"tolerance": 0, "iterations": 100}.items():
            setattr(self.ours.opt, name, value)
            self.theirs.set(**{name: value})

    def buffers(self):
        """Address, samples, numbers of a sample, interval of each buffer."""
        m = self.ours
        for i in range(m.nu):
            if m.actuator_historyadr[i] >= 0:
                yield m.actuator_historyadr[i], m.actuator_history[i, 0], 1, 0
        for s in range(m.nsensor):
            if m.sensor_historyadr[s] >= 0:
                yield (
                    m.sensor_historyadr[s],
                    m.sensor_history[s, 0],
                    m.sensor_dim[s],
                    m.sensor_interval[s, 0],
                )

    def history(self, rng, time):
        """Random samples at random times before a time, the cursor anywhere."""
        history = np.zeros(self.ours.nhistory)
        for at, n, dim, period in self.buffers():
            cursor = rng.integers(n)
            times = time - np.cumsum(rng.uniform(0.2, 2, n))[::-1] * self.ours.opt.timestep
            values = rng.normal(0, 1, (n, dim))
            order = (cursor + 1 + np.arange(n)) % n
            history[at + 1] = cursor
            history[at] = time - period * rng.uniform(0.1, 1.9)
            history[at + 2 + order] = times
            history[at + 2 + n : at + 2 + n * (1 + dim)].reshape(n, dim)[order] = values
        return history

    def state(self, rng):
        m, time = self.ours, rng.uniform(0, 20)
        qpos = m.qpos0.copy()
        qpos[:2] = rng.normal(0, 1, 2)
        return {
            "time": time, "qpos": qpos, "qvel": rng.normal(0, 1, m.nv), "act": rng.normal(0, 1, m.na),
            "ctrl": rng.normal(0, 2, m.nu), "history": self.history(rng, time),
        }  # fmt: skip

    def run(self, function, states, names):
        found = []
        for state in states:
            d = sinew.Data(self.ours)
            d.time = state["time"]
            for name in STATE:
                getattr(d, name)[...] = state[name]
            getattr(sinew, function)(self.ours, d)
            found.append({name: np.array(getattr(d, name)) for name in names})
        return found


def agree(pair, function, states, names, bound=1e-10):
    ours = pair.run(function, states, names)
    theirs = pair.theirs.run(f"mj_{function}", states, names)
    for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        for name in names:
            near(a[name], np.reshape(getattr(b, name), a[name].shape), bound, f"{name} {k}")


def test_fields_and_resets_are_the_peers():
    pair = Pair()
    m = pair.theirs.get()
    fields = ("actuator_history", "actuator_historyadr", "actuator_delay", "sensor_history", "sensor_historyadr",
              "sensor_delay", "sensor_interval", "sensor_dim", "sensor_adr")  # fmt: skip
    assert pair.ours.nhistory == m.nhistory
    for name in fields:
        np.testing.assert_array_equal(
            np.ravel(getattr(pair.ours, name)), np.ravel(getattr(m, name)), name
        )
    for h, interval in ((H, (2.5, -0.75)), (0.1, (3, 0)), (0.1, (0.5, 0)), (0.1, (0.3, -0.2)), (0.002, (7.5, -1.1))):  # fmt: skip
        pair.ours.opt.timestep = h
        pair.theirs.set(timestep=h)
        intervals = pair.ours.sensor_interval
        intervals[3:7] = np.array(interval) * h
        pair.theirs.set(sensor_interval=intervals)
        pair.theirs.call("mj_resetData")
        np.testing.assert_allclose(
            sinew.Data(pair.ours).history, pair.theirs.look("history").history, rtol=0, atol=1e-15
        )


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
def test_random_states_and_histories_are_the_peers(integrator):
    pair, rng = Pair(integrator), np.random.default_rng(1)
    states = [pair.state(rng) for _ in range(100)]
    agree(pair, "forward", states, SHOWN, 1e-9)
    agree(pair, "step", states, AFTER, 1e-9)


def test_inverse_dynamics_show_the_peers_sensors():
    pair, rng = Pair(), np.random.default_rng(2)
    agree(pair, "inverse", [pair.state(rng) for _ in range(10)], ("qfrc_inverse", "sensordata"), 1e-9)  # fmt: skip


def test_controls_are_kept_with_actuation_off():
    pair, rng = Pair(), np.random.default_rng(3)
    off = int(sinew.DisableBit.ACTUATION)
    pair.ours.opt.disableflags |= off
    pair.theirs.set(disableflags=off)
    agree(pair, "step", [pair.state(rng) for _ in range(10)], ("qvel", "history", "sensordata"), 1e-9)  # fmt: skip


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_a_run_is_the_peers(integrator):
    pair, rng = Pair(integrator), np.random.default_rng(4)
    d = sinew.Data(pair.ours)
    pair.theirs.call("mj_resetData")
    for k in range(150):
        u = rng.normal(0, 0.5, pair.ours.nu)
        d.ctrl[:] = u
        pair.theirs.put(ctrl=u)
        sinew.step(pair.ours, d)
        pair.theirs.call("mj_step")
        theirs = pair.theirs.look(*AFTER)
        for name in AFTER:
            near(getattr(d, name), getattr(theirs, name), 1e-7, f"{name} {k}")
        pair.theirs.put(qpos=d.qpos, qvel=d.qvel, qacc_warmstart=d.qacc_warmstart)


def test_values_between_samples_are_the_peers():
    """Uneven times, every way between them, at samples, between, before and after; delays included."""
    pair = Pair()
    times, values = [0.0, 0.1, 0.35, 0.4, 0.9, 1.0, 1.7], np.array([[1.0, 3, -2, 4, 1.5, 0, 7]]).T
    d = sinew.Data(pair.ours)
    sinew.initCtrlHistory(pair.ours, d, 0, times, values)
    pair.theirs.call("mj_resetData")
    pair.theirs.call("mj_initCtrlHistory", 1, 0, np.array(times), values)
    np.testing.assert_array_equal(d.history, pair.theirs.look("history").history)
    for delay in (0, 0.07):
        pair.ours.actuator_delay[0] = delay
        pair.theirs.set(actuator_delay=pair.ours.actuator_delay)
        for time in (-1, 0, 0.05, 0.1, 0.2, 0.349, 0.37, 0.5, 0.8, 0.95, 1.2, 1.7, 1.8, 9):
            for interp in (-1, 0, 1, 2):
                theirs = pair.theirs.answer("mj_readCtrl", 0, time, np.zeros(1), interp)
                ours = sinew.readCtrl(pair.ours, d, 0, time, interp)
                near(ours, theirs, 1e-14, f"{time} {interp}")


def test_the_peer_is_late_by_a_step_at_times():
    """4.0.1 compares sums of steps with delays as they are: a delay of ten steps is ten or eleven. Here it is ten."""
    text = """<mujoco><option timestep=".002"/><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="j" nsample="12" delay=".02"/></actuator></mujoco>"""
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    d, late = sinew.Data(m), []
    states = [{"ctrl": np.array([k])} for k in range(1500)]
    found = theirs.run("mj_step", states, ("actuator_force",), reset=False)
    for k in range(1500):
        d.ctrl[0] = k
        sinew.step(m, d)
        if k >= 10:
            assert d.actuator_force[0] == k - 10
            late.append(k - found[k].actuator_force[0])
    assert set(late) == {10, 11}
