"""Loading: what a user gets when a file or a model is wrong."""

import pickle

import pytest

import sinew
from yard import XML


def test_files(tmp_path):
    path = tmp_path / "yard.xml"
    path.write_text(XML)
    by_path = sinew.Model.from_path(path)
    assert sinew._core.compareModel(by_path, sinew.Model.from_path(str(path))) == -1
    assert by_path.body("crate").id == 1
    with pytest.raises(FileNotFoundError, match="nowhere.xml"):
        sinew.Model.from_path(tmp_path / "nowhere.xml")
    with pytest.raises(OSError):
        sinew.Model.from_path(tmp_path)  # a folder
    with pytest.raises(TypeError):
        sinew.Model.from_path(3)
    with pytest.raises(ValueError, match="null"):
        sinew.Model.from_path("a\0b")


def test_assets():
    main = '<mujoco><include file="part.xml"/></mujoco>'
    part = (
        '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    )
    for asset in (part, part.encode(), bytearray(part.encode()), memoryview(part.encode())):
        assert sinew.Model.from_xml(main, assets={"part.xml": asset}).nq == 7
    assert sinew.Model.from_xml(main.encode(), {"part.xml": part}).nq == 7
    with pytest.raises((OSError, sinew.ModelError), match="part.xml"):
        sinew.Model.from_xml(main)
    with pytest.raises(TypeError, match="an asset must be str or bytes"):
        sinew.Model.from_xml(main, {"part.xml": 3})
    with pytest.raises(TypeError):
        sinew.Model.from_xml(main, {3: part})
    with pytest.raises(TypeError, match="the model must be str or bytes"):
        sinew.Model.from_xml(3)


def test_wrong_models(tmp_path):
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_xml('<mujoco>\n<worldbody>\n<geom szie="1"/>\n</worldbody></mujoco>')
    error = caught.value
    assert isinstance(error, ValueError) and error.line == 3 and error.status > 0
    assert "szie" in str(error) and "size" in str(error)
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco>\n<worldbody>\n</mujoco>")
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_path(path)
    assert caught.value.line == 3 and caught.value.file.endswith("broken.xml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.line == 3 and str(again) == str(caught.value)


def test_not_supported():
    text = '<mujoco><extension><plugin plugin="p"/></extension></mujoco>'
    with pytest.raises(sinew.NotSupportedError, match="not supported yet") as caught:
        sinew.Model.from_xml(text)
    assert isinstance(caught.value, sinew.ModelError)
    assert isinstance(caught.value, NotImplementedError)


def test_models_come_from_files():
    with pytest.raises(TypeError, match="from_path"):
        sinew.Model()
    with pytest.raises(TypeError):
        sinew.Data("model")
    with pytest.raises(TypeError):
        sinew.Data()


def test_subclasses():
    class Robot(sinew.Model):
        """A subclass with its own attributes."""

    class State(sinew.Data):
        """And of the data."""

        def __init__(self, model):
            self.log = []

    robot = Robot.from_xml(XML)
    robot.colour = "red"
    state = State(robot)
    sinew.step(robot, state)
    assert type(robot) is Robot and state.log == [] and state.model.colour == "red"
