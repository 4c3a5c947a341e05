"""Going back in time, in the process that simulates."""

import numpy as np
import pytest
from worlds import MODELS, arm

import sinew
from sinew._enums import StateBit
from sinew.viewer import history
from sinew.viewer.history import History
from sinew.viewer.managed import Managed

ALL = int(StateBit.INTEGRATION)


def state(data):
    """All that the next step depends on, as bytes."""
    return sinew.getState(data.model, data, ALL).tobytes()


@pytest.fixture
def managed():
    """Begins viewers that step, without anybody who looks; they stand still until a test says otherwise."""
    made = []

    def make(model, data=None, **given):
        data = sinew.Data(model) if data is None else data
        sinew.forward(model, data)
        made.append(Managed(model, data, browser=False, **given))
        hear(made[-1], do="run", on=False)
        return made[-1], data

    yield make
    for viewer in made:
        viewer.close()


def hear(viewer, **message):
    """Let a viewer hear the server, and take it over."""
    viewer._hear(message)
    viewer.sync()


def test_states_come_back_bit_by_bit():
    model = sinew.Model.from_path(MODELS / "humanoid.xml")
    data, kept = sinew.Data(model), History(model)
    rng = np.random.default_rng(31)
    states = []
    for _ in range(20):
        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
        sinew.step(model, data)
        kept.add(data)
        states.append(state(data))
    for at in (-19, -3, 0, -7):
        kept.go(data, at)
        assert kept.at == at and state(data) == states[at - 1]
    kept.go(data, -1000)
    assert kept.at == -19 and state(data) == states[0]


def test_running_on_from_the_past_is_the_same_run():
    model = sinew.Model.from_path(MODELS / "humanoid.xml")
    data, kept = sinew.Data(model), History(model)
    sinew.step(model, data, 50)
    kept.add(data)
    sinew.step(model, data, 100)
    there = state(data)
    kept.go(data, -1)
    sinew.forward(model, data)  # for the picture
    sinew.step(model, data, 100)
    assert state(data) == there


def test_the_newest_states_stay(monkeypatch):
    monkeypatch.setattr(history, "MOST_STATES", 5)
    model, data = arm()
    kept = History(model)
    for time in range(12):
        data.time = time
        kept.add(data)
    assert kept.count == kept.room == 5
    for at in range(-4, 1):
        kept.go(data, at)
        assert data.time == 11 + at


def test_memory_has_a_bound(monkeypatch):
    model, data = arm()
    size = 8 * sinew.stateSize(model, ALL)
    assert History(model).room == history.MOST_STATES
    monkeypatch.setattr(history, "MOST_BYTES", 3 * size + 1)
    assert History(model)._states.nbytes == 3 * size
    monkeypatch.setattr(history, "MOST_BYTES", size - 1)  # not even one
    kept = History(model)
    kept.add(data)
    before = state(data)
    kept.go(data, -1)
    assert (kept.at, kept.count) == (0, 0) and state(data) == before


def test_where_one_stands_is_kept_to_come_back_to():
    model, data = arm()
    kept = History(model)
    kept.add(data)
    data.qpos[:] = 0.25  # by a slider: no step
    kept.go(data, -1)
    assert not data.qpos.any()
    kept.go(data, 0)
    assert data.qpos.tolist() == [0.25, 0.25] and kept.count == 2


def test_a_pull_of_the_past_is_over():
    model, data = arm()
    kept = History(model)
    data.xfrc_applied[1], data.xfrc_applied[2] = 1, 2  # the first is the program's own
    kept.add(data, pulled=2)
    data.xfrc_applied[:] = 0
    kept.add(data)
    kept.go(data, -1)
    assert data.xfrc_applied[1].tolist() == [1] * 6 and not data.xfrc_applied[2].any()


def test_steps_back_and_forward(managed):
    viewer, data = managed(arm()[0])
    times = [data.time]
    for _ in range(5):
        hear(viewer, do="step", steps=1)
        times.append(data.time)
    assert viewer._status()["history"] == [0, 6]
    for back in range(2, 5):
        hear(viewer, do="back")
        assert data.time == times[-back]
    assert viewer._status()["history"] == [-3, 6]
    hear(viewer, do="step", steps=1)  # a state on, and no step
    assert data.time == times[-3] and viewer._status()["history"] == [-2, 6]
    hear(viewer, do="history", at=-5)
    assert data.time == times[0]
    hear(viewer, do="back")  # there is none
    assert data.time == times[0] and viewer._status()["history"] == [-5, 6]
    hear(viewer, do="run", on=True)
    assert viewer._status()["history"] == [0, 6]  # what came after is kept
    hear(viewer, do="back")
    assert not viewer._simulation.running


def test_where_one_stood_before_a_step_is_one_back(managed):
    viewer, data = managed(arm()[0])
    data.qpos[:] = 0.25  # by a slider, or stopped between two states that are kept
    hear(viewer, do="step", steps=1)
    hear(viewer, do="back")
    assert data.qpos.tolist() == [0.25, 0.25] and data.time == 0
    hear(viewer, do="history", at=0)
    data.qpos[:] = 0.5
    hear(viewer, do="reset", key=-1)
    hear(viewer, do="back")
    assert data.qpos.tolist() == [0.5, 0.5]


def test_a_reset_is_a_state_more(managed):
    viewer, data = managed(arm()[0])
    hear(viewer, do="step", steps=10)
    there = data.time
    hear(viewer, do="reset", key=0)
    assert data.qpos[0] == -1.5
    hear(viewer, do="back")
    assert data.time == there
    hear(viewer, do="reset", key=-1)
    assert viewer._status()["history"] == [0, 4]


def test_what_is_computed_of_a_state_comes_back_with_it(managed):
    viewer, data = managed(arm()[0])
    before = data.xpos.copy()
    hear(viewer, do="step", steps=100)
    hear(viewer, do="back")
    np.testing.assert_array_equal(data.xpos, before)


def test_the_same_bits_as_a_program_of_its_own(managed):
    """Whom nobody touches steps as if there were no history and no noise."""
    model = sinew.Model.from_path(MODELS / "humanoid.xml")
    viewer, data = managed(model)
    alone = sinew.Data(model)
    sinew.forward(model, alone)
    hear(viewer, do="run", on=True)
    runs = viewer._simulation
    while data.time < 0.3:
        runs._align()
        runs.advance(runs._wall + 0.05)
        runs._noted = 0.0
        viewer.sync()
    while alone.time < data.time:
        sinew.step(model, alone)
    assert viewer._simulation.history.count > 3 and state(data) == state(alone)


# ---- noise


def test_without_noise_nothing_is_drawn(managed):
    viewer, data = managed(arm()[0])
    drawn = viewer._simulation.noise._random.bit_generator.state
    data.ctrl[:] = 0.5
    hear(viewer, do="noise", std=0.0, rate=1.0)
    viewer._simulation.noise.lay(data.model, data)
    assert viewer._simulation.noise._random.bit_generator.state == drawn and data.ctrl.tolist() == [
        0.5,
        0.5,
    ]


def test_noise_is_about_the_middle_and_as_wide_as_it_is_said(managed):
    viewer, data = managed(arm()[0])
    hear(viewer, do="noise", std=0.25, rate=0.01)
    assert viewer._status()["noise"] == [0.25, 0.01]
    rows = []
    for _ in range(20000):
        viewer._simulation.noise.lay(data.model, data)
        rows.append(data.ctrl.copy())
    drawn = np.array(rows)
    # some 2000 numbers that do not depend on each other: errors of 2 % of the deviation, five times
    np.testing.assert_allclose(drawn.mean(0), [0.5, 0], atol=0.06)
    np.testing.assert_allclose(drawn.std(0), [0.25 * 2.5, 0.25], rtol=0.1)
    kept = np.exp(-data.model.opt.timestep / 0.01)
    following = np.corrcoef(drawn[:-1, 1], drawn[1:, 1])[0, 1]
    assert abs(following - kept) < 0.02
    hear(viewer, do="noise", std=100.0, rate=0.0)
    for _ in range(100):
        viewer._simulation.noise.lay(data.model, data)
        assert -2 <= data.ctrl[0] <= 3  # it is limited
