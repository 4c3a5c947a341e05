"""Textures by reference (compiler passthrough, texture embed) against 4.0.1: what the model holds, and what is loaded later."""

import copy
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import images
import newest
import sinew

FIELDS = ("tex_type", "tex_width", "tex_height", "tex_nchannel", "tex_colorspace", "tex_adr")
ALL = """
<texture name="a" type="2d" file="t/a.png"/><texture name="b" type="2d" file="t/a.png" embed="true"/>
<texture name="c" type="2d" file="t/u/../a.png" embed="false" nchannel="4" content_type="image/png"/>
<texture name="d" type="2d" file="t/a.png" hflip="true"/><texture name="e" builtin="flat" width="2" height="2"/>
<texture name="f" type="cube" fileup="t/u/b.png"/><texture name="g" file="t/u/b.png" gridsize="2 2" gridlayout="RLUD"/>
<texture name="h" type="skybox" file="t/u/b.png"/><texture name="i" type="cube" file="t/u/b.png" class="x"/>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("textures")
    (folder / "t/u").mkdir(parents=True)
    rng = np.random.default_rng(0)
    (folder / "t/a.png").write_bytes(images.png(rng.integers(0, 256, (3, 5, 3), dtype=np.uint8)))
    (folder / "t/u/b.png").write_bytes(images.png(rng.integers(0, 256, (4, 4, 3), dtype=np.uint8)))
    return folder


def write(folder, textures, compiler="", name="m.xml"):
    default = '<default><default class="x"><texture embed="false"/></default></default>'
    text = f"<mujoco><compiler {compiler}/>{default}<asset>{textures}</asset></mujoco>"
    (folder / name).write_text(text)
    return folder / name


def file_of(model, index):
    paths = bytes(model.paths)
    return paths[int(model.tex_pathadr[index]) :].split(b"\0")[0].decode()


@pytest.mark.parametrize("compiler", ["", 'passthrough="none"', 'passthrough="textures"', 'passthrough="textures" texturedir="."'])  # fmt: skip
def test_what_the_model_holds(folder, compiler):
    path = write(folder, ALL, compiler)
    ours, theirs = sinew.Model.from_path(path, strict=True), newest.load(str(path)).get()
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_array_equal(ours.tex_data, np.ravel(theirs.tex_data))
    away = np.flatnonzero(ours.tex_adr < 0)
    assert len(away) == (4 if "textures" in compiler else 2)
    for i in away:
        there = bytes(theirs.paths)[int(theirs.tex_pathadr[i]) :].split(b"\0")[0].decode()
        assert file_of(ours, i) == there and pathlib.Path(there).is_file()
    types = np.flatnonzero(ours.tex_contenttypeadr >= 0)
    np.testing.assert_array_equal(types, np.flatnonzero(theirs.tex_contenttypeadr >= 0))


def test_loading_gives_what_embedding_gives(folder):
    model = sinew.Model.from_path(write(folder, ALL, 'passthrough="textures"'))
    textures = ALL.replace('embed="false"', "").replace('class="x"', "")
    whole = sinew.Model.from_path(write(folder, textures, name="whole.xml"))
    embedded = model.embed_assets()
    for each in (*FIELDS, "tex_data"):
        np.testing.assert_array_equal(getattr(embedded, each), getattr(whole, each), err_msg=each)
    for i in range(model.ntex):
        pixels, colorspace = model.load_texture(i)
        size = (whole.tex_height[i], whole.tex_width[i], whole.tex_nchannel[i])
        assert pixels.shape == size and colorspace == whole.tex_colorspace[i]
        first = whole.tex_adr[i]
        assert bytes(pixels) == bytes(whole.tex_data[first : first + pixels.size])


def test_texts_and_bytes_keep_the_reference(folder, tmp_path):
    path = write(folder, ALL, 'passthrough="textures"')
    spec = sinew.Spec.from_path(path)
    model = spec.compile()
    spec.save(folder / "again.xml")
    again = sinew.Model.from_path(folder / "again.xml", strict=True)
    model.save(tmp_path / "m.snb")
    for other in (again, sinew.Model.from_path(tmp_path / "m.snb")):
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(other, name), getattr(model, name), err_msg=name)
        assert [file_of(other, i) for i in (0, 2)] == [file_of(model, i) for i in (0, 2)]


def test_attached_models_follow_the_policy_of_the_whole(folder):
    child = sinew.Spec.from_path(write(folder, ALL, 'passthrough="textures" texturedir="."'))
    parent = sinew.Spec()
    parent.attach(child, prefix="p_")
    model = parent.compile()
    assert (model.tex_adr < 0).sum() == 2  # the two that say embed="false"
    assert file_of(model, int(np.flatnonzero(model.tex_adr < 0)[0])) == str(folder / "t/a.png")


@pytest.mark.parametrize(
    ("texture", "words"),
    [
        ('builtin="flat" width="2" height="2"', "pattern"),
        ('fileup="t/u/b.png" type="cube"', "sides are files"),
        ('file="t/u/b.png" gridsize="2 2" gridlayout="RLUD"', "grid"),
        ('file="t/a.png" type="2d" hflip="true"', "mirrored"),
        ('file="t/a.png" type="2d" vflip="true"', "mirrored"),
    ],
)
def test_what_cannot_be_by_reference(folder, texture, words):
    path = write(folder, f'<texture name="x" {texture} embed="false"/>')
    with pytest.raises(ValueError, match="by reference"):
        newest.load(str(path))
    with pytest.raises(sinew.ModelError, match=f'(?s)name="x">: embed="false".*{words}'):
        sinew.Model.from_path(path)
    sinew.Model.from_path(write(folder, f'<texture name="x" {texture}/>', 'passthrough="textures"'))


def test_files_in_memory_stay_in_the_model():
    """There the peer refuses embed="false", Sinew warns."""
    pixels = images.png(np.zeros((2, 2, 3), np.uint8))
    text = '<mujoco><compiler passthrough="textures"/><asset><texture name="a" type="2d" file="q.png" {}/></asset></mujoco>'
    model = sinew.Model.from_xml(text.format(""), assets={"q.png": pixels}, strict=True)
    assert model.tex_adr[0] == 0
    with pytest.raises(ValueError, match="by reference"):
        newest.load(text.format('embed="false"'), {"q.png": pixels})
    with pytest.warns(sinew.ModelWarning, match="its file is in memory"):
        model = sinew.Model.from_xml(text.format('embed="false"'), assets={"q.png": pixels})
    assert model.tex_adr[0] == 0


def test_files_that_are_missing_or_no_images(folder, tmp_path):
    """They are found out when somebody wants the pixels."""
    (tmp_path / "junk.png").write_bytes(b"junk")
    textures = (
        '<texture name="a" type="2d" file="no.png"/><texture name="b" type="2d" file="junk.png"/>'
    )
    model = sinew.Model.from_path(write(tmp_path, textures, 'passthrough="textures"'))
    with pytest.raises(OSError, match=r"texture 0: .*no\.png"):
        model.load_texture(0)
    with pytest.raises(ValueError, match=r"texture 1: .*junk\.png"):
        model.load_texture(1)
    with pytest.raises(OSError, match=r"texture 0: .*no\.png"):
        model.embed_assets()
    for index in (-1, 2, 2**30):
        with pytest.raises(ValueError, match="out of range"):
            model.load_texture(index)


def test_a_model_of_strangers_names_no_file_outside(folder, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "in").mkdir()
    texture = '<texture name="a" type="2d" file="../secret.txt" embed="false"/>'
    with pytest.raises(OSError, match="outside of the model's folder"):
        sinew.Model.from_path(write(tmp_path / "in", texture))


def test_bytes_that_lie_are_refused(folder):
    model = sinew.Model.from_path(write(folder, ALL, 'passthrough="textures"'))
    for name, value in (("tex_adr", -2), ("tex_contenttypeadr", 10**6), ("tex_pathadr", -5)):
        other = copy.copy(model)
        getattr(other, name)[0] = value
        with pytest.raises(ValueError, match=name):
            other.save(folder / "bad.snb")
            sinew.Model.from_path(folder / "bad.snb")


def test_pictures_show_them(folder):
    """As were they in the model; without its file a material is drawn plain, with a warning."""
    text = """<mujoco><compiler {}/><asset><texture name="a" type="2d" file="t/a.png"/><material name="m" texture="a"/></asset>
      <worldbody><light pos="0 0 3"/><camera name="c" pos="0 0 2"/><geom type="plane" size="1 1 .1" material="m"/></worldbody></mujoco>"""
    seen = []
    for compiler in ("", 'passthrough="textures"', 'passthrough="textures" texturedir="gone"'):
        (folder / "p.xml").write_text(text.format(compiler))
        model = sinew.Model.from_path(folder / "p.xml")
        data = sinew.Data(model)
        sinew.forward(model, data)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with sinew.Renderer(model, 40, 40) as renderer:
                renderer.update_scene(data, "c")
                seen.append((renderer.render(), [str(w.message) for w in said]))
    assert np.array_equal(seen[0][0], seen[1][0]) and not seen[1][1]
    assert not np.array_equal(seen[0][0], seen[2][0]) and "gone/t/a.png" in seen[2][1][0]


def test_functions_of_the_peer(folder):
    program = "import mujoco,sys; m = mujoco.MjModel.from_xml_path(sys.argv[1]); p, c = mujoco.mj_loadTexture(m, 0); e = mujoco.mj_embedAssets(m); print(p.shape, c, e.tex_adr.tolist(), m.tex('a').adr, m.tex('a').data.shape)"  # fmt: skip
    path = str(write(folder, ALL, 'passthrough="textures"'))
    command = [sys.executable, "-m", "sinew.run", "--mujoco", "4.0", "-c", program, path]
    ours = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    command = [sys.executable, "-c", program, path]
    env = os.environ | {"PYTHONPATH": str(newest.FOLDER)}
    assert (
        ours == subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout
    )


def test_older_meanings_refuse_them():
    for text in ('<compiler passthrough="none"/>', '<asset><texture name="a" builtin="flat" width="2" height="2" embed="auto"/></asset>'):  # fmt: skip
        with pytest.raises(sinew.NotSupportedError, match=r"3\.3\.7"):
            sinew.Model.from_xml(f"<mujoco>{text}</mujoco>", physics="3.3.7")
