"""Whose rules a model means: how it is chosen, what keeps it, what is refused."""

import copy
import pickle
import warnings

import pytest

import sinew
from sinew import ModelError, ModelWarning, Spec

BALL = "<body><freejoint/><geom size='.1'/></body>"


def text_of(*fields):
    texts = "".join(f"<text name='sinew_physics' data='{f}'/>\n" for f in fields)
    return f"<mujoco><custom>{texts}</custom><worldbody>{BALL}</worldbody></mujoco>"


def test_silent_is_new():
    assert sinew.Model.from_xml(text_of()).physics == "4.0"
    assert Spec().compile().physics == "4.0"


def test_order_of_strength():
    assert sinew.Model.from_xml(text_of("4.0")).physics == "4.0"
    with pytest.warns(
        ModelWarning, match=r"4\.0, and the argument, which holds, 3\.3\.7, at text:1"
    ):
        assert sinew.Model.from_xml(text_of("4.0"), physics="3.3.7").physics == "3.3.7"
    with pytest.raises(ModelError, match="argument"):
        sinew.Model.from_xml(text_of("4.0"), physics="3.3.7", strict=True)


def test_texts_that_differ():
    with pytest.raises(ModelError, match=r"3\.3\.7 here and 4\.0 at text:1, .* at text:2"):
        sinew.Model.from_xml(text_of("4.0", "3.3.7"))


@pytest.mark.parametrize("word", ["", "4", "4.0.1", "latest"])
def test_unknown_release(word):
    with pytest.raises(ModelError, match=r"3\.3\.7, 4\.0"):
        sinew.Model.from_xml(text_of(word))
    with pytest.raises(ValueError, match=r"3\.3\.7, 4\.0"):
        sinew.Model.from_xml(text_of(), physics=word)


def test_read_only():
    m = sinew.Model.from_xml(text_of("4.0"))
    with pytest.raises(AttributeError, match="physics=.*again|again with physics="):
        m.physics = "3.3.7"
    assert m.physics == "4.0"


def test_copies_keep_it():
    m = sinew.Model.from_xml(text_of(), physics="4.0")
    assert copy.copy(m).physics == "4.0"
    assert pickle.loads(pickle.dumps(m)).physics == "4.0"


def test_compiled_file(tmp_path):
    path = tmp_path / "ball.snb"
    sinew.Model.from_xml(text_of(), physics="4.0").save(path)
    assert sinew.Model.from_path(path).physics == "4.0"
    assert sinew.Model.from_path(path, physics="4.0").physics == "4.0"
    with pytest.raises(ValueError, match=r"compiled model means 4\.0; compile its source again"):
        sinew.Model.from_path(path, physics="3.3.7")


def test_spec_keeps_it(tmp_path):
    spec = Spec.from_xml(text_of(), physics="4.0")
    assert spec.compile().physics == "4.0"
    assert copy.copy(spec).compile().physics == "4.0"
    assert Spec.from_xml(spec.to_xml()).compile().physics == "4.0"
    spec.set_physics("3.3.7")
    assert spec.compile().physics == "3.3.7"
    spec.set_physics(None)
    assert spec.compile().physics == "4.0"
    assert spec.compile(physics="3.3.7").physics == "3.3.7"


@pytest.mark.parametrize("physics", [None, "3.3.7", "4.0"])
def test_source_of_a_compiled_file_keeps_it(tmp_path, physics):
    """What is written of it means the same to who reads it next; nobody adds a text that says the usual."""
    path, meaning = tmp_path / "ball.snb", physics or "4.0"
    Spec.from_xml(text_of(), physics=physics).save(path)
    assert sinew.Model.from_path(path).physics == meaning
    spec = Spec.from_path(path)
    assert spec.compile().physics == meaning
    assert Spec.from_xml(spec.to_xml()).compile().physics == meaning
    spec.save(tmp_path / "again.snb")
    assert Spec.from_path(tmp_path / "again.snb").compile().physics == meaning
    assert ("sinew_physics" in spec.to_xml()) == (physics is not None)


def test_attached_text_stays_behind():
    parent, child = Spec.from_xml(text_of("3.3.7")), Spec.from_xml(text_of("4.0"))
    parent.attach(child, prefix="child_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = parent.compile()
    assert m.physics == "3.3.7"
    assert m.ntext == 1


def test_attached_file_means_the_same(tmp_path):
    (tmp_path / "child.xml").write_text(text_of("3.3.7"))
    (tmp_path / "model.xml").write_text(
        "<mujoco><custom><text name='sinew_physics' data='4.0'/></custom><asset><model name='c' file='child.xml'/></asset>"
        "<worldbody><attach model='c' prefix='c_'/></worldbody></mujoco>"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sinew.Model.from_path(tmp_path / "model.xml").physics == "4.0"


def test_recording_of_another_meaning(tmp_path):
    m, other = (sinew.Model.from_xml(text_of(), physics=p) for p in ("4.0", "3.3.7"))
    d = sinew.Data(m)
    recorder = sinew.Recorder(m)
    for _ in range(3):
        sinew.step(m, d)
        recorder.add(d)
    recorder.save(tmp_path / "run.mcap")
    run = sinew.Recording.from_path(tmp_path / "run.mcap")
    assert run.model().physics == "4.0"
    assert len(run.fit(m)) == 3
    with pytest.raises(
        ValueError, match=r"its model means physics 4\.0, and this one 3\.3\.7; load it with"
    ):
        run.fit(other)


def test_batch_keeps_it():
    m = sinew.Model.from_xml(text_of(), physics="4.0")
    batch = sinew.Batch(m, 2)
    assert batch.model.physics == "4.0"
    for field in ("physics", "opt.physics"):
        with pytest.raises((ValueError, KeyError), match="physics.*compile .*again"):
            batch.parameter(field)
