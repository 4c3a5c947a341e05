"""Warnings of models: what is told, to whom, once; and that they can be errors."""

import gc
import warnings

import pytest

import sinew
from sinew import mujoco

TEXT = """<mujoco>
<option iterations="-1" gravity="0 0 nan"/>words
<worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
OF_TEXT = ["<mujoco>: text inside it is passed over, only elements may stand here at text:2"]
OF_MODEL = [
    '<option>: gravity="0 0 nan": nan is not a number at text:2',
    "<option>: iterations is -1, must not be negative at text:2",
]


def told(function, *arguments, **keywords):
    """What it returns and the messages of the warnings, which name this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*arguments, **keywords)
    assert all(w.category is sinew.ModelWarning and w.filename == __file__ for w in caught)
    return result, [str(w.message) for w in caught]


def test_a_model_tells_each_once(tmp_path):
    model, messages = told(lambda: sinew.Model.from_xml(TEXT))
    assert messages == OF_TEXT + OF_MODEL
    path = tmp_path / "m.xml"
    path.write_text(TEXT)
    there = [m.replace("text:", f"{path}:") for m in OF_TEXT + OF_MODEL]
    assert told(lambda: sinew.Model.from_path(path))[1] == there
    assert told(lambda: mujoco.MjModel.from_xml_path(str(path)))[1] == there
    assert told(lambda: mujoco.MjModel.from_xml_string(TEXT))[1] == messages
    model.save(tmp_path / "m.snb")
    assert told(lambda: sinew.Model.from_path(tmp_path / "m.snb"))[1] == []


def test_a_warning_knows_its_place():
    with pytest.warns(sinew.ModelWarning) as caught:
        sinew.Model.from_xml("<mujoco>\n\nwords</mujoco>")
    assert (caught[0].message.file, caught[0].message.line) == ("text", 3)
    assert issubclass(sinew.ModelWarning, UserWarning)


@pytest.mark.parametrize("make", [sinew.Spec.from_xml, mujoco.MjSpec.from_string])
def test_a_spec_tells_of_its_text_then_of_itself(make):
    spec, messages = told(lambda: make(TEXT))
    assert messages == OF_TEXT
    for _ in range(2):
        assert told(lambda: spec.compile())[1] == OF_MODEL


def test_recompiling_tells():
    spec, _ = told(lambda: sinew.Spec.from_xml(TEXT))
    model, _ = told(lambda: spec.compile())
    data = sinew.Data(model)
    (model, data), messages = told(lambda: spec.recompile(model, data))
    assert messages == OF_MODEL and data.qpos.shape == (1,)


def test_strict_makes_errors(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(TEXT)
    for load in (
        lambda: sinew.Model.from_xml(TEXT, strict=True),
        lambda: sinew.Model.from_path(path, strict=True),
        lambda: sinew.Spec.from_xml(TEXT, strict=True),
        lambda: sinew.Spec.from_path(path, strict=True),
    ):
        with pytest.raises(sinew.ModelError, match="text inside it"):
            told(load)
    spec, _ = told(lambda: sinew.Spec.from_xml(TEXT))
    with pytest.raises(sinew.ModelError, match="nan is not a number"):
        spec.compile(strict=True)
    robot = tmp_path / "r.urdf"
    robot.write_text('<robot name="r"><link name="a"/></robot>')
    assert sinew.Spec.from_urdf(robot, strict=True).compile(strict=True).nbody >= 1


def test_a_filter_that_raises_leaves_nothing():
    before = len(gc.get_objects())
    for _ in range(50):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for load in (sinew.Model.from_xml, sinew.Spec.from_xml):
                with pytest.raises(sinew.ModelWarning, match="text inside it"):
                    load(TEXT)
    gc.collect()
    assert len(gc.get_objects()) < before + 500


def test_there_are_not_too_many():
    geoms = "\n".join('<geom size=".1" user="nan"/>' for _ in range(150))
    _, messages = told(
        lambda: sinew.Model.from_xml(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    )
    assert len(messages) == 101 and messages[-1] == "and 50 more"
