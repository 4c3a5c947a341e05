"""Recordings and models: what fits, what does not, the model inside a recording."""

import numpy as np
import pytest
from PIL import Image

import sinew
from models import folder
from recording_files import GYMNASIUM, ODD, SUITE, load, simulate, store
from sinew import Recorder, Recording, RecordingWarning
from sinew._recording.attached import Inside


def test_what_does_not_fit(tmp_path):
    """All of it, in the order of the state."""
    model = sinew.Model.from_xml(ODD)
    rows = simulate(model, 3)
    store(tmp_path / "run.npy", rows)
    recording = Recording.from_path(tmp_path / "run.npy")
    ant = load(GYMNASIUM / "ant.xml")
    with pytest.raises(ValueError) as error:
        recording.fit(ant)
    assert str(error.value) == (
        f"{tmp_path}/run.npy does not fit the model: qpos has 6 numbers, the model 15 (nq); "
        "qvel has 5 numbers, the model 14 (nv); ctrl has 2 numbers, the model 8 (nu)"
    )
    named = recording.fit(model)
    other = sinew.Model.from_xml(ODD.replace("é, /0", "e").replace("framequat", "frameangvel"))
    recording.fit(other.__class__.from_xml(ODD.replace("é, /0", "e")))  # an .npy has no names
    with pytest.raises(ValueError) as error:
        named.fit(other)
    assert str(error.value).endswith(
        "does not fit the model: qpos[4] is of 'é, /0', in the model of 'e'; qvel[3] is of 'é, /0', in the model of 'e'; "
        "sensor/日本 _%(x)s has 4 numbers, the model's 3"
    )
    with pytest.raises(
        ValueError, match="the recording does not fit the model: qpos has 0 numbers"
    ):
        Recording([0.0], {"ctrl": [[1.0, 2.0]]}).fit(model)
    partial = Recording([0.0], {"qpos": rows["qpos"][:1]}).fit(model)
    assert partial.ctrl.shape == (1, 0) and list(partial.names) == ["qpos"]


def test_sensors_of_another_model():
    """Numbers may fit all the same: a warning."""
    model = load(SUITE / "hopper.xml")
    qpos = np.zeros((1, model.nq))
    recording = Recording([0.0], {"qpos": qpos, "sensor/nose": [1], "sensor/[2]": [1]})
    words = "the recording: the model has no sensor 'nose', '.2.': is it another model"
    with pytest.warns(RecordingWarning, match=words):
        recording.fit(model)


def test_what_stands_for_several_sizes():
    """A size that does not fit is told once."""
    model = load(folder("dm_control", "mujoco/testing/assets") / "cartpole.xml")
    rows = {
        "qpos": np.zeros((1, 2)),
        "mocap_pos": np.zeros((1, 1, 3)),
        "mocap_quat": np.zeros((1, 4)),
    }
    with pytest.raises(ValueError) as error:
        Recording([0.0], rows).fit(model)
    assert str(error.value).endswith(
        "fit the model: mocap_pos has 3 numbers, the model 6 (3 nmocap)"
    )


def test_arrays_of_ones_own():
    with pytest.raises(ValueError, match=r"qpos has shape \(3,\); \(2, k\) is wanted"):
        Recording([0, 1], {"qpos": [1, 2, 3]})
    with pytest.raises(ValueError, match="time has 2 dimensions"):
        Recording([[0, 1]], {})
    with pytest.raises(ValueError, match="1 names for the 2 numbers of qpos"):
        Recording([0], {"qpos": [[1, 2]]}, {"qpos": ["a"]})
    recording = Recording([0, 1], {"qpos": [1, 2]})
    assert len(recording) == 2 and recording.qpos.shape == (2, 1) and recording.act.shape == (2, 0)
    assert recording.model() is None and not recording.sensors
    assert repr(recording) == "<sinew.Recording '': 2 rows of qpos 1>"


def test_the_model_inside(tmp_path):
    """Compressed; of another version its source is read; without one it says so."""
    model = load(SUITE / "acrobot.xml")
    recording = Recording([0], {"qpos": np.zeros((1, 2))})
    recording.save(tmp_path / "run.mcap", model)
    # the sky alone has 12 MB
    assert (tmp_path / "run.mcap").stat().st_size < 600_000
    inside = Recording.from_path(tmp_path / "run.mcap")
    packed = inside._model.compiled()
    assert len(packed) > 10_000_000 and (inside.model().tex_data == model.tex_data).all()
    source = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>"
    for data, words in (
        (
            packed[:-1],
            f"run.mcap: the model in it: damaged model: {len(packed) - 1} bytes are there",
        ),
        (inside._model.data[:-9], "the model in it: cut short: "),
        (inside._model.data[:1000] + inside._model.data[1100:], "the model in it: "),
    ):
        inside._model = Inside(data)
        with pytest.raises(sinew.ModelError, match=words):
            inside.model()
        inside._model = Inside(data, source)
        assert inside.model().nbody == 2
    inside._model = Inside(
        packed[:-1], source.replace("<worldbody>", "<include file='gone.xml'/><worldbody>")
    )
    with pytest.raises(
        sinew.ModelError, match="damaged model: .*; nor does its source load: .*gone.xml"
    ):
        inside.model()


def test_a_model_whose_files_are_gone(tmp_path):
    """An .mcap has its meshes and images."""
    Image.fromarray(np.full((4, 4, 3), 200, np.uint8)).save(tmp_path / "t.png")
    (tmp_path / "m.xml").write_text(
        "<mujoco><asset><texture name='t' type='2d' file='t.png'/><material name='t' texture='t'/></asset>"
        "<worldbody><body><joint/><geom size='1' material='t'/></body></worldbody></mujoco>"
    )
    recorder = Recorder(sinew.Model.from_path(tmp_path / "m.xml"))
    recorder.step(sinew.Data(recorder.recording().model()))
    recorder.save(tmp_path / "run.mcap")
    (tmp_path / "t.png").unlink()
    assert (Recording.from_path(tmp_path / "run.mcap").model().tex_data == 200).all()
