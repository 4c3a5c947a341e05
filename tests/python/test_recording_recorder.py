"""Recorder: rows of simulations that run in Python."""

import numpy as np
import pytest

import sinew
from models import folder
from recording_files import GYMNASIUM, SUITE, load
from sinew import Recorder, Recording

CARTPOLE = folder("dm_control", "mujoco/testing/assets") / "cartpole.xml"


def test_rows_of_steps():
    """State before the step, sensors that the step computes from it: as a forward pass at the row has them."""
    model = load(SUITE / "walker.xml")
    data, recorder = sinew.Data(model), Recorder(model)
    for i in range(300):
        data.ctrl[:] = np.sin(0.1 * i)
        recorder.step(data, reward=i)
    recording = recorder.recording()
    assert len(recorder) == len(recording) == 300
    state = ["qpos", "qvel", "ctrl", "qacc_warmstart", "reward"]
    assert list(recording.fields) == [*state, *(f"sensor/{n}" for n in recording.sensors)]
    assert recording.fields["reward"].ravel().tolist() == list(range(300))
    assert recording.model().nq == model.nq and recording.names["ctrl"][0] == "right_hip"
    again = sinew.Data(model)
    for row in (0, 150, 299):
        again.time = recording.time[row]
        for part in ("qpos", "qvel", "ctrl", "qacc_warmstart"):
            getattr(again, part)[:] = recording.fields[part][row]
        sinew.forward(model, again)
        sensors = [recording.sensors[model.sensor(i).name][row] for i in range(model.nsensor)]
        assert (np.concatenate(sensors) == again.sensordata).all()


def test_a_run_goes_on_from_any_row():
    """What a row holds is all that a step starts from."""
    model = load(GYMNASIUM / "ant.xml")
    data, recorder = sinew.Data(model), Recorder(model)
    for i in range(60):
        data.ctrl[:] = np.cos(0.2 * i + np.arange(model.nu))
        recorder.add(data)
        sinew.step(model, data)
    recorder.add(data)
    recording = recorder.recording()
    assert "sensor/torso" not in recording.fields and np.diff(recording.time).min() > 0
    again = sinew.Data(model)
    again.time = recording.time[20]
    for row in range(20, 60):
        for part in recording.fields if row == 20 else ["ctrl"]:
            values = getattr(again, part)
            values[:] = recording.fields[part][row].reshape(values.shape)
        sinew.step(model, again)
    assert (again.qpos == recording.qpos[60]).all() and (again.qvel == recording.qvel[60]).all()


def test_what_is_seldom():
    """Forces, equalities and user data are there where a row has them otherwise than the model."""
    model = sinew.Model.from_xml(
        """<mujoco>
          <size nuserdata="3"/>
          <worldbody><body name="a"><joint name="j"/><geom size=".1"/></body><body name="b"><geom size=".1"/></body></worldbody>
          <equality><weld name="held" body1="a" body2="b"/><joint joint1="j" active="false"/></equality>
        </mujoco>"""
    )
    data, recorder = sinew.Data(model), Recorder(model)
    recorder.add(data)
    assert list(recorder.recording().fields) == ["qpos", "qvel", "qacc_warmstart"]
    data.eq_active[0] = 0
    data.xfrc_applied[1, 2] = 3
    data.qfrc_applied[0] = 4
    data.userdata[2] = 5
    recorder.add(data)
    recording = recorder.recording()
    assert recording.fields["eq_active"].tolist() == [[1, 0], [0, 0]]
    assert recording.names["eq_active"] == ["held", "[1]"]
    assert recording.fields["xfrc_applied"][1].tolist() == [0] * 8 + [3] + [0] * 9
    assert recording.names["xfrc_applied"][8] == "a" and recording.names["qfrc_applied"] == ["j"]
    assert recording.fields["userdata"][1].tolist() == [0, 0, 5]
    # what was given before does not change
    data.qpos[0] = 9
    recorder.add(data)
    assert len(recording) == 2 and recording.qpos.tolist() == [[0], [0]]


def test_files(tmp_path, quiet):
    model = load(CARTPOLE)
    data, recorder = sinew.Data(model), Recorder(model)
    for _ in range(5000):  # more than a block
        data.mocap_pos[1, 0] += 0.001
        recorder.step(data)
    whole = recorder.recording()
    for ending in ("npy", "mcap"):
        recorder.save(tmp_path / f"run.{ending}")
        again = Recording.from_path(tmp_path / f"run.{ending}")
        assert list(again.fields) == list(whole.fields)
        assert all((again.fields[n] == whole.fields[n]).all() for n in whole.fields)
    assert (
        again.names == whole.names and again.names["mocap_pos"] == ["mocap1"] * 3 + ["mocap2"] * 3
    )
    assert again.model().nmocap == 2


def test_wrong_rows():
    model, other = load(SUITE / "walker.xml"), load(SUITE / "acrobot.xml")
    recorder = Recorder(model)
    data = sinew.Data(model)
    with pytest.raises(ValueError, match="the data is of another model: qpos has another length"):
        recorder.add(sinew.Data(other))
    recorder.add(data, reward=1, contact=[1, 2])
    for more, words in (
        (
            {},
            r"row 1 has the fields none besides; the rows before have reward \[1\], contact \[2\]",
        ),
        ({"reward": [1, 2], "contact": [1, 2]}, r"row 1 has the fields reward \[2\], contact"),
        ({"time": 1}, "time is in the row as the data has it; call the field otherwise"),
        ({"qpos": [1]}, "qpos is in the row as the data has it"),
    ):
        with pytest.raises(ValueError, match=words):
            recorder.add(data, **more)
    with pytest.raises(ValueError, match="row 1 has the fields "):
        recorder.step(data)
    assert len(recorder) == 1 and data.time == 0
    empty = Recorder(model).recording()
    assert len(empty) == 0 and empty.qpos.shape == (0, model.nq)
