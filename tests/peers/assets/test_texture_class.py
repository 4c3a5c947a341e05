"""Default classes of textures, and layers in those of materials, against 4.0.1."""

import numpy as np
import pytest

import newest
import sinew

FIELDS = ("tex_type", "tex_width", "tex_height", "tex_nchannel", "tex_colorspace", "mat_texid")
CLASSES = """
<mujoco>
  <default>
    <texture type="2d" builtin="checker" width="5" height="6" rgb1="1 0 0" mark="edge" markrgb="0 1 0" random=".3"/>
    <material specular=".1"><layer role="rgb" texture="a"/></material>
    <default class="x"><texture builtin="gradient" rgb1="0 0 1" colorspace="sRGB"/><material rgba="1 0 0 1"/></default>
    <default class="y"><texture type="cube" width="4" vflip="true"/>
      <material shininess=".9"><layer role="normal" texture="b"/></material>
      <default class="z"><texture mark="cross"/><material texture="c"/></default></default>
    <default class="w"><material><layer role="rgb" texture="b"/><layer role="rgb" texture="d"/></material></default>
  </default>
  <asset>
    <texture name="a"/><texture name="b" class="x"/><texture name="c" class="y"/><texture name="d" class="z" rgb2="1 1 0"/>
    <texture name="e" class="main" height="3"/><texture name="f" class="x" builtin="flat"/>
    <material name="m"/><material name="n" class="x"/><material name="o" class="y"/><material name="p" class="z"/>
    <material name="q" class="y"><layer role="opacity" texture="e"/><layer role="normal" texture="f"/></material>
    <material name="r" class="y" texture="f"/><material name="s" class="w"/><material name="t"><layer role="orm" texture="f"/></material>
  </asset>
</mujoco>
"""


def same(ours, text):
    theirs = newest.load(text).get()
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_array_equal(ours.tex_data, np.ravel(theirs.tex_data))


def test_classes():
    same(sinew.Model.from_xml(CLASSES, strict=True), CLASSES)


def test_texts_say_it_again():
    """With classes worked in, and with those that stay, in both interfaces."""
    spec = sinew.Spec.from_xml(CLASSES)
    model, worked_in = spec.compile(), spec.to_xml()
    assert "class" not in worked_in and worked_in.count("<layer") == 14
    same(sinew.Model.from_xml(worked_in, strict=True), CLASSES)
    kept = sinew._core.specWrite(spec._handle, True)
    assert 'class="z"' in kept and kept.count("<layer") == 7
    same(sinew.Model.from_xml(kept, strict=True), CLASSES)
    same(model, kept)


def test_classes_come_along_with_what_is_attached():
    parent, child = sinew.Spec.from_xml(CLASSES), sinew.Spec.from_xml(CLASSES)
    parent.attach(child, prefix="p_")
    model, alone = parent.compile(), child.compile()
    n, k = alone.ntex, alone.nmat
    assert (model.ntex, model.nmat) == (2 * n, 2 * k)
    for name in FIELDS[:-1]:
        np.testing.assert_array_equal(getattr(model, name)[n:], getattr(alone, name), err_msg=name)
    ids = np.where(alone.mat_texid >= 0, alone.mat_texid + n, -1)
    np.testing.assert_array_equal(model.mat_texid[k:], ids)
    again = sinew.Model.from_xml(parent.to_xml())
    np.testing.assert_array_equal(again.mat_texid, model.mat_texid)
    np.testing.assert_array_equal(again.tex_data, model.tex_data)


def test_a_texture_is_told_its_class():
    spec = sinew.Spec.from_xml(CLASSES)
    setattr(spec.find("texture", "a"), "class", "z")
    assert spec.compile().tex_type[0] == 1
    assert spec.find("texture", "d").mark == "cross" and spec.find("texture", "c").width == 4


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('<default><texture file="x.png"/></default>', "'file' is not allowed in a default"),
        ('<default><texture fileup="x.png"/></default>', "'fileup' is not allowed in a default"),
        ('<default><texture content_type="image/png"/></default>', "'content_type' is not allowed"),
        ('<default><texture name="x"/></default>', "'name' is not allowed in a default"),
        ('<default><texture class="x"/></default>', "'class' is not allowed in a default"),
        ('<default><texture/><texture/></default>', "only one"),
        ('<default><texture><layer/></texture></default>', "no children"),
        ('<asset><texture name="a" class="no" builtin="flat" width="2" height="2"/></asset>', "no such default class"),
        ('<default><texture builtin="flat"/></default><asset><texture name="a"/></asset>', "positive width"),
        ('<default><material texture="a"><layer role="rgb" texture="a"/></material></default>', "exclude each other"),
        ('<default><material><layer role="rgb"/></material></default>', "'texture' is missing"),
        ('<default><material><layer texture="a"/></material></default>', "'role' is missing"),
        ('<default><material><layer role="x" texture="a"/></material></default>', "expected one of|did you mean"),
        ('<default><material><layer role="rgb" texture="no"/></material></default><asset><material name="m"/></asset>', "no such texture"),
    ],
)  # fmt: skip
def test_errors(body, words):
    text = f"<mujoco>{body}</mujoco>"
    with pytest.raises(ValueError):
        newest.load(text)
    with pytest.raises(sinew.ModelError, match=rf"(?s)({words}).*at text:1"):
        sinew.Model.from_xml(text)


def test_older_meanings_refuse_them():
    for body in (
        "<default><texture/></default>",
        '<default><material><layer role="rgb" texture="a"/></material></default>',
        '<asset><texture name="a" class="main" builtin="flat" width="2" height="2"/></asset>',
    ):
        with pytest.raises(ValueError, match=r"3\.3\.7"):
            sinew.Model.from_xml(f"<mujoco>{body}</mujoco>", physics="3.3.7")
    text = '<mujoco><asset><texture name="a" builtin="flat" width="2" height="2"/><material name="m"><layer role="orm" texture="a"/></material></asset></mujoco>'
    assert sinew.Model.from_xml(text, physics="3.3.7").mat_texid[0, 9] == 0
