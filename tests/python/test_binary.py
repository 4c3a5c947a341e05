"""Compiled models as files."""

import numpy as np
import pytest

import sinew
from sinew import _core, mujoco
from yard import XML


def test_saved_model_comes_back(model, tmp_path):
    path = tmp_path / "yard.snb"
    model.opt.timestep = 0.003
    model.vis.rgba.fog[1] = 0.25
    model.save(path)
    back = sinew.Model.from_path(path)
    assert _core.compareModel(model, back) == -1
    assert path.read_bytes() == _core.packModel(model)


def test_contents_decide_not_the_name(model, tmp_path):
    path = tmp_path / "yard.xml"
    model.save(path)
    assert sinew.Model.from_path(path).nq == model.nq
    text = tmp_path / "yard.snb"
    text.write_text(XML)
    assert sinew.Model.from_path(text).nq == model.nq


def test_errors_name_the_file(model, tmp_path):
    with pytest.raises(OSError, match="folder"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "m.snb")
    path = tmp_path / "cut.snb"
    path.write_bytes(_core.packModel(model)[:-5])
    with pytest.raises(sinew.ModelError, match="should be") as caught:
        sinew.Model.from_path(path)
    assert caught.value.file == str(path)
    assert list(tmp_path.iterdir()) == [path]


def test_names_of_the_peer(tmp_path):
    m = mujoco.MjModel.from_xml_string(XML)
    path = str(tmp_path / "m.mjb")
    mujoco.mj_saveModel(m, path)
    back = mujoco.MjModel.from_binary_path(path)
    assert type(back) is mujoco.MjModel and _core.compareModel(m, back) == -1
    buffer = np.zeros(mujoco.mj_sizeModel(m), np.uint8)
    mujoco.mj_saveModel(m, None, buffer)
    back = mujoco.MjModel.from_binary_path("in memory", {"in memory": buffer.tobytes()})
    assert _core.compareModel(m, back) == -1
    with pytest.raises(mujoco.FatalError, match="buffer has 7 bytes"):
        mujoco.mj_saveModel(m, None, np.zeros(7, np.uint8))
    with pytest.raises(ValueError):
        mujoco.MjModel.from_binary_path("nowhere.mjb")
