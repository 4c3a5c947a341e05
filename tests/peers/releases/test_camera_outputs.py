"""HEADLIGHT_AUTO, FRUSTUM and what 4.0 has of looks beside: fields, words and errors against 4.0.1, texts that say them again."""

import itertools

import numpy as np
import pytest

import newest
import sinew

FIELDS = ("cam_output", "light_softness", "geom_castshadow", "cam_fovy")
WORDS = ("rgb", "depth", "distance", "normal", "segmentation")
CLASSES = """
<mujoco>
  <default><camera output="depth normal" projection="orthographic" fovy="2"/><light softness="0"/><geom castshadow="false"/>
    <default class="x"><camera output="rgb" projection="perspective"/><light softness="1"/><geom castshadow="true"/></default></default>
  <worldbody>
    <camera/><camera class="x"/><camera output="distance"/><camera class="x" projection="orthographic"/>
    <light/><light class="x"/><light softness=".3" type="point"/><geom size="1"/><geom class="x" size="1"/>
    <replicate count="2" sep="_"><body name="b"><camera name="c" output="segmentation"/><geom size="1" castshadow="true"/></body></replicate>
  </worldbody>
</mujoco>
"""
BODY = "<mujoco><worldbody>{}</worldbody></mujoco>"


def same(text, **load):
    ours, theirs = sinew.Model.from_xml(text, physics="4.0", **load), newest.load(text).get()
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_array_equal(ours.cam_orthographic, theirs.cam_projection)
    return ours


def active(model):
    return model.vis.headlight.active


def test_classes_and_what_is_written_again():
    model = same(CLASSES, strict=True)
    for text in (
        sinew.Spec.from_xml(CLASSES).to_xml(),
        sinew.Spec.from_xml(CLASSES).copy().to_xml(),
    ):
        again = same(text, strict=True)
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(again, name), getattr(model, name))


def test_all_sets_of_outputs_in_any_order():
    """Bits 1 2 4 8 16."""
    sets = [s for n in range(6) for s in itertools.combinations(WORDS, n)]
    rows = [f'<camera output="{"  ".join(reversed(s))}"/>' for s in sets]
    model = same(BODY.format("".join(rows)))
    bits = [sum(1 << WORDS.index(w) for w in s) or 1 for s in sets]
    assert model.cam_output.tolist() == bits


@pytest.mark.parametrize(
    "element",
    [
        '<camera output="rgb rgb"/>', '<camera output="RGB"/>', '<camera output="rgb, depth"/>', '<camera output="none"/>',
        '<camera projection="ortho"/>', '<light softness="1.1"/>', '<light softness="-.1"/>', '<light softness="1 1"/>',
        '<geom size="1" castshadow="auto"/>', '<geom size="1" castshadow="1"/>',
    ],
)  # fmt: skip
def test_errors(element):
    with pytest.raises(ValueError):
        newest.load(BODY.format(element))
    attribute = element.split('="')[-2].split()[-1]
    with pytest.raises(sinew.ModelError, match=rf"{attribute}.* at text:1"):
        sinew.Model.from_xml(BODY.format(element))


@pytest.mark.parametrize("word", ["0", "1", "2", "false", "true", "auto"])
def test_headlight(word):
    text = f'<mujoco><visual><headlight active="{word}"/></visual></mujoco>'
    value = {"false": 0, "true": 1, "auto": 2}.get(word, word)
    spec = sinew.Spec.from_xml(text)
    for model in (spec.compile(), sinew.Model.from_xml(spec.to_xml())):
        assert active(model) == int(value)
    if word.isdigit():
        assert active(sinew.Model.from_xml(text, physics="3.3.7")) == int(value)
    else:
        with pytest.raises(sinew.NotSupportedError, match=f'active="{word}".*3.3.7'):
            sinew.Model.from_xml(text, physics="3.3.7")


def test_headlight_that_is_not_said():
    assert active(sinew.Model.from_xml("<mujoco/>", physics="4.0")) == 2
    assert active(sinew.Model.from_xml("<mujoco/>", physics="3.3.7")) == 1
    for word in ("3", "-1"):
        text = f'<mujoco><visual><headlight active="{word}"/></visual></mujoco>'
        with pytest.raises(ValueError):
            newest.load(text)
        with pytest.warns(sinew.ModelWarning, match="false, true or auto"):
            assert active(sinew.Model.from_xml(text)) == int(word)


def test_projection_and_what_it_was():
    """The older word is still understood, with a warning; of both the last holds."""
    older = BODY.format('<camera orthographic="true" fovy="2"/>')
    with pytest.warns(sinew.ModelWarning, match="projection"):
        assert sinew.Model.from_xml(older).cam_orthographic == [1]
    spec = sinew.Spec()
    camera = spec.world.add("camera", projection="orthographic", output="normal depth", fovy=2)
    assert camera.projection == "orthographic"
    model = spec.compile()
    assert (model.cam_orthographic[0], model.cam_output[0]) == (1, 10)


def test_bytes_hold_them(tmp_path):
    model = sinew.Model.from_xml(CLASSES)
    model.save(tmp_path / "m.snb")
    again = sinew.Model.from_path(tmp_path / "m.snb")
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
