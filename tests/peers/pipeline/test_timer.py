"""Timers of the stages: the peer's names and numbers, and durations that fit into each other."""

import copy
import itertools
import pickle
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sinew
import sinew.mujoco

HUMANOID = str(Path(__file__).parents[3] / "examples" / "models" / "humanoid.xml")
TIMERS = [t for t in mujoco.mjtTimer.__members__.values() if t != mujoco.mjtTimer.mjNTIMER]
PROJECT = mujoco.mjtTimer.mjTIMER_POS_PROJECT


def step(api, m, d):
    api.mj_step(m, d)


def halves(api, m, d):
    api.mj_step1(m, d)
    api.mj_step2(m, d)


def forward(api, m, d):
    api.mj_forward(m, d)


def inverse(api, m, d):
    api.mj_inverse(m, d)


def clock():
    """One that goes on by 1 whenever it is looked at: whatever is between two looks takes some time."""
    return itertools.count().__next__


@pytest.fixture
def clocks():
    """Both packages under a clock."""
    apis = (sinew.mujoco, mujoco)
    for api in apis:
        api.set_mjcb_time(clock())
    yield apis
    for api in apis:
        api.set_mjcb_time(None)


def run(api, function, integrator, count):
    m = api.MjModel.from_xml_path(HUMANOID)
    m.opt.integrator = integrator
    d = api.MjData(m)
    d.qpos[2] = 0.9
    function(api, m, d)
    assert d.ncon > 0
    for _ in range(count - 1):
        function(api, m, d)
    return m, d


def test_names():
    ours = {name: int(t) for name, t in sinew.mujoco.mjtTimer.__members__.items()}
    theirs = {name: int(t) for name, t in mujoco.mjtTimer.__members__.items()}
    theirs.pop("mjNTIMER")
    assert {name: n for name, n in ours.items() if name != "mjNTIMER"} == theirs
    assert [t.name for t in sinew.Timer] == [t.name.removeprefix("mjTIMER_") for t in TIMERS]


@pytest.mark.parametrize("integrator", range(4))
@pytest.mark.parametrize("function", [step, halves, forward, inverse])
def test_numbers_are_the_peers(clocks, function, integrator):
    if function is halves and integrator == mujoco.mjtIntegrator.mjINT_RK4:
        integrator = mujoco.mjtIntegrator.mjINT_EULER
    ours, theirs = (run(api, function, integrator, 40)[1] for api in clocks)
    for timer in TIMERS:
        expected = 0 if timer == PROJECT else theirs.timer[timer].number
        assert ours.timer[timer].number == expected, timer
        assert (ours.timer[timer].duration > 0) == (expected > 0), timer


def test_parts_fit_into_the_whole(clocks):
    _, d = run(clocks[0], step, 0, 50)
    t = dict(zip(sinew.Timer.__members__, d.timer.duration, strict=True))
    assert t["COL_BROAD"] + t["COL_NARROW"] <= t["POS_COLLISION"]
    parts = ("POS_KINEMATICS", "POS_INERTIA", "POS_COLLISION", "POS_MAKE")
    assert sum(t[part] for part in parts) <= t["POSITION"]
    stages = ("POSITION", "VELOCITY", "ACTUATION", "CONSTRAINT")
    assert sum(t[stage] for stage in stages) <= t["FORWARD"]
    assert t["FORWARD"] + t["ADVANCE"] <= t["STEP"]


def test_off_means_zeros_and_the_same_bits():
    model = sinew.Model.from_path(HUMANOID)
    plain, timed = sinew.Data(model), sinew.Data(model)
    timed.set_callback("time", clock())
    sinew.step(model, plain, nstep=300)
    sinew.step(model, timed, nstep=300)
    assert not plain.timer.number.any() and not plain.timer.duration.any()
    assert timed.timer[sinew.Timer.STEP].number == 300
    state = [sinew.getState(model, d, sinew.StateBit.INTEGRATION) for d in (plain, timed)]
    assert np.array_equal(*state)
    timed.set_callback("time", None)
    before = timed.timer.copy()
    sinew.step(model, timed)
    assert np.array_equal(timed.timer, before)
    assert copy.copy(timed).timer.number.any()
    assert not pickle.loads(pickle.dumps(timed)).timer.number.any()
    sinew.resetData(model, timed)
    assert not timed.timer.number.any() and not timed.timer.duration.any()


def test_a_clock_that_fails():
    model = sinew.Model.from_path(HUMANOID)
    data = sinew.Data(model)
    data.set_callback("time", lambda: "noon")
    with pytest.raises(TypeError, match="callback time must return a number"):
        sinew.step(model, data)
    assert data.time == 0 and np.array_equal(data.qpos, model.qpos0)
