"""Textures on geoms against the peer's pictures; what is on the graphics card against the model."""

import io

import numpy as np
import pytest
from PIL import Image

import models
import sinew
from picture_pair import distance, ours, pair, peers
from sinew import mujoco
from sinew.draw.drawing import Drawing

RNG = np.random.default_rng(7)

# Equal facets lit alike: what differs are single samples at edges, by the rounding of clip space.
EDGES = 0.002
# Floors without end have fewer cells far away than the peer's, so light on them differs a little.
FLOORS = 0.05

SHAPES = {
    "sphere": ".2",
    "capsule": ".12 .2",
    "ellipsoid": ".1 .2 .3",
    "cylinder": ".15 .2",
    "box": ".15 .2 .1",
    "plane": ".2 .3 .1",
}
ASSETS = """
  <texture name="t" type="2d" builtin="checker" width="64" height="48" rgb1=".2 .3 .4" rgb2=".8 .3 .2" mark="edge"
   markrgb="1 1 0"/>
  <texture name="c" type="cube" builtin="gradient" width="32" height="192" rgb1=".6 .3 .3" rgb2=".2 .6 .3"
   mark="cross" markrgb="1 1 1"/>
  <material name="2d" texture="t" texrepeat="2 3"/>
  <material name="2d uniform" texture="t" texrepeat="2 3" texuniform="true"/>
  <material name="cube" texture="c"/>
  <material name="cube uniform" texture="c" texuniform="true"/>"""
VIEW = '<camera name="c" pos="0 -2.6 2.2" xyaxes="1 0 0 0 .65 .76"/>'


def model(world, assets=ASSETS, visual=""):
    """The text of a model."""
    return f"<mujoco><visual>{visual}</visual><asset>{assets}</asset><worldbody>{VIEW}{world}</worldbody></mujoco>"


def shapes(materials):
    """Geoms of all shapes, a row a material."""
    return "".join(
        f'<geom type="{kind}" size="{size}" material="{name}" pos="{0.6 * k - 1.5} {0.7 * i - 0.8} 0" '
        f'euler="20 30 {40 * k}"/>'
        for i, name in enumerate(materials)
        for k, (kind, size) in enumerate(SHAPES.items())
    )


def drawing(text, assets=None):
    """A drawing of a model."""
    return Drawing(mujoco.MjModel.from_xml_string(text, assets or {}))


@pytest.mark.parametrize("materials", [("2d", "2d uniform"), ("cube", "cube uniform")])
def test_each_shape_wears_a_texture_as_the_peers(materials):
    assert distance(*pair(model(shapes(materials)), camera="c")) < EDGES


@pytest.mark.parametrize("name", ["humanoid", "ant", "walker2d", "pusher", "reacher", "swimmer"])
def test_gymnasiums_models(name):
    path = models.folder("gymnasium", "envs", "mujoco", "assets", f"{name}.xml")
    assert distance(*pair(path)) < FLOORS


@pytest.mark.parametrize("name", ["cheetah", "walker", "fish", "manipulator", "finger", "acrobot"])
def test_dm_controls_models(name):
    assert distance(*pair(models.folder("dm_control", "suite", f"{name}.xml"), camera=0)) < FLOORS


@pytest.mark.parametrize("uniform", ["true", "false"])
def test_the_pattern_of_an_endless_floor_stays_where_it_is(uniform):
    # light from everywhere alone, so that facets do not matter
    text = model(
        '<geom type="plane" size="0 0 1" material="f"/>',
        f'{ASSETS}<material name="f" texture="t" texrepeat=".7 .3" texuniform="{uniform}"/>',
        '<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>',
    )
    for place in ((0, 0, 0), (3.3, -7.1, 0), (41, 55, 0)):
        camera = {"lookat": place, "distance": 6, "azimuth": 70, "elevation": -35}
        assert distance(*pair(text, camera=camera)) < EDGES


def test_a_floor_blurs_in_the_distance():
    text = model(
        '<geom type="plane" size="60 60 1" material="f"/>',
        f'{ASSETS}<material name="f" texture="t" texrepeat="3 3" texuniform="true"/>',
        '<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>',
    )
    camera = {"lookat": (0, 0, 0), "distance": 20, "elevation": -6}
    mine, peer = pair(text, camera=camera)
    assert distance(mine, peer) < EDGES
    far = ours(text, camera=camera, quality="fast")
    assert distance(far, peer) < 3  # the nearer of two sizes of a texture, and one sample a pixel
    flat = mine[90:100].astype(float).std(axis=1).mean()
    assert flat < 0.5 * mine[-20:].astype(float).std(axis=1).mean()


@pytest.mark.usefixtures("own_smaller_sizes")
@pytest.mark.parametrize("name", ["2d", "cube"])
def test_smaller_sizes_of_ours_are_those_of_the_driver_but_for_its_rounding(name):
    text = model(
        f'<geom type="sphere" size="60" material="{name}"/>',
        f'{ASSETS}<texture type="skybox" builtin="gradient" rgb1=".1 .2 .3" rgb2=".9 .8 .7" width="400" height="2400"/>',
        '<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>',
    )
    for distant in (100, 700, 4000):
        given = {
            "camera": {"lookat": (0, 0, 0), "distance": distant},
            "changes": {"mat_texrepeat": 20},
        }
        apart = np.abs(np.subtract(*pair(text, **given), dtype=int))
        assert apart.mean() < 0.2 and (apart > 4).mean() < 1e-3


def png(values):
    """The bytes of a picture's file."""
    file = io.BytesIO()
    Image.fromarray(values.squeeze()).save(file, "PNG")
    return file.getvalue()


def pixels(channels):
    """A picture of random colours, 8 x 6, as the text of a model's file."""
    values = RNG.integers(0, 256, (6, 8, channels), dtype=np.uint8)
    if channels == 4:
        values[..., 3] = RNG.choice([40, 255], (6, 8))
    return values, {"x.png": png(values)}


WORN = (
    '<texture name="x" type="2d" file="x.png" nchannel="{channels}" colorspace="{space}"/>'
    '<material name="x" texture="x" rgba="{rgba}"/>'
)
BALL = '<geom size=".3" rgba=".2 .3 .8 1" pos="0 .8 0"/><geom type="box" size=".6 .5 .1" material="x" euler="0 0 20"/>'


@pytest.mark.parametrize(
    ("space", "channels", "rgba"),
    [
        ("linear", 3, "1 1 1 1"),
        ("sRGB", 3, ".9 .6 1 1"),
        ("auto", 3, "1 1 1 1"),
        ("linear", 4, "1 1 1 1"),
        ("sRGB", 4, "1 1 1 .7"),
        ("auto", 4, ".9 .6 1 .4"),
    ],
)
def test_channels_and_colour_spaces(space, channels, rgba):
    _, files = pixels(channels)
    text = model(BALL, WORN.format(channels=channels, space=space, rgba=rgba))
    assert distance(*pair(text, camera="c", assets=files)) < EDGES


def test_opacity_of_a_texture_does_not_shade_what_is_opaque():
    # the peer's lamps with a shadow leave out what a texture makes clearer than all but opaque, those without do not
    texels = np.full((8, 8, 4), 200, np.uint8)
    texels[..., 3] = 128
    text = model(
        '<light pos="0 0 3"/>' + BALL, WORN.format(channels=4, space="linear", rgba="1 1 1 1")
    )
    given = {"camera": "c", "assets": {"x.png": png(texels)}}
    clear, lit = pair(text, flags={"SHADOW": 1}, **given)
    texels[..., 3] = 255
    given["assets"] = {"x.png": png(texels)}
    assert distance(clear, ours(text, flags={"SHADOW": 1}, **given)) == 0
    assert distance(peers(text, flags={"SHADOW": 1}, **given), lit) > 5


def test_a_texture_of_one_channel_is_grey():
    # the peer refuses to draw such a model; it is held against one whose three channels are the same
    values, files = pixels(1)
    text = WORN.format(channels=1, space="linear", rgba="1 1 1 1")
    grey = {"x.png": png(np.repeat(values, 3, axis=-1))}
    alike = WORN.format(channels=3, space="linear", rgba="1 1 1 1")
    with pytest.raises(RuntimeError, match="channels"):
        peers(model(BALL, text), camera="c", assets=files)
    mine = ours(model(BALL, text), camera="c", assets=files)
    assert distance(mine, peers(model(BALL, alike), camera="c", assets=grey)) < EDGES


@pytest.mark.parametrize(
    "role", ["rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "orm"]
)
def test_of_a_materials_textures_only_the_one_of_its_colours_is_drawn(role):
    layer = f'<material name="l"><layer role="{role}" texture="t"/></material>'
    text = model('<geom size=".5" material="l"/>', ASSETS + layer)
    mine, peer = pair(text, camera="c")
    assert distance(mine, peer) < EDGES
    bare = ours(model('<geom size=".5" rgba="1 1 1 1"/>'), camera="c")
    assert (distance(mine, bare) < EDGES) == (role != "rgb")


def test_without_the_flag_no_texture_is_drawn():
    text = model(shapes(("2d", "cube")))
    mine, peer = pair(text, camera="c", options={"TEXTURE": 0})
    assert distance(mine, peer) < EDGES
    assert distance(mine, ours(text, camera="c")) > 1


# ---- on the graphics card


def test_texels_are_those_of_the_model_to_the_bit():
    values, files = pixels(4)
    text = model("", ASSETS + WORN.format(channels=4, space="sRGB", rgba="1 1 1 1"))
    made = drawing(text, files)
    m = made.model
    with made.context:
        for index in range(m.ntex):
            texture = made.textures.get(index)
            first, size = m.tex_adr[index], m.tex_height[index] * m.tex_width[index]
            kept = m.tex_data[first : first + size * m.tex_nchannel[index]].tobytes()
            if m.tex_type[index] == mujoco.mjtTexture.mjTEXTURE_2D:
                assert texture.read() == kept
            else:
                assert b"".join(texture.read(side) for side in range(6)) == kept
        assert texture.read() == values.tobytes()
    made.release()


def test_a_cube_of_one_picture_has_it_on_all_sides():
    values = RNG.integers(0, 256, (8, 8, 3), dtype=np.uint8)
    made = drawing(
        model("", '<texture name="x" type="cube" file="x.png"/>'), {"x.png": png(values)}
    )
    with made.context:
        texture = made.textures.get(0)
        assert all(texture.read(side) == values.tobytes() for side in range(6))
    made.release()


@pytest.mark.parametrize("name", ["2d", "cube"])
def test_a_changed_texture_is_drawn_after_its_upload(name):
    m = mujoco.MjModel.from_xml_string(
        model(f'<geom type="box" size=".5 .5 .5" material="{name}"/>')
    )
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        before = renderer.render()
        m.tex_data[:] = 255 - m.tex_data
        assert np.array_equal(renderer.render(), before)
        for index in range(m.ntex):
            mujoco.mjr_uploadTexture(m, renderer._mjr_context, index)
        after = renderer.render()
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        assert np.array_equal(renderer.render(), after)
    assert distance(before, after) > 1


def test_a_changed_material_is_drawn_at_once():
    m = mujoco.MjModel.from_xml_string(model(shapes(("2d",))))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        before = renderer.render()
        m.mat_texrepeat[:] = 7
        assert distance(before, renderer.render()) > 0.1


def test_drawings_share_textures_until_one_changes_and_the_last_frees_them():
    first, second = drawing(model("")), drawing(model(""))
    with first.context:
        shared = [made.textures.get(0) for made in (first, second)]
        assert shared[0] is shared[1]
        kept = shared[0].read()
        second.model.tex_data[:] = 255 - second.model.tex_data
        second.upload_texture(0)
        changed = second.textures.get(0)
        assert changed is not shared[0]
        assert shared[0].read() == kept != changed.read()
        names = {shared[0].glo, changed.glo}
    first.release()
    assert not first.textures.names()
    with second.context as gl:
        assert changed.read() != kept
        pool = gl._sinew_textures
        assert names & set(pool._keys) == {changed.glo}
        second.textures.release()
        assert not names & set(pool._keys)
    second.release()


# ---- what cannot be


@pytest.mark.parametrize(("member", "value"), [("matid", 99), ("matid", -7), ("texcoord", 1)])
def test_geoms_that_name_what_is_not_there_are_drawn_plain(member, value):
    text = model('<geom size=".5" material="2d"/>')
    wrong = ours(text, camera="c", geoms=[(0, member, value)])
    plain = ours(text, camera="c", geoms=[(0, "matid", -1)] if member == "matid" else [])
    assert distance(wrong, plain) < EDGES


@pytest.mark.parametrize(
    ("name", "value"), [("mat_texid", 99), ("mat_texid", -3), ("tex_width", 0), ("tex_height", -1)]
)
def test_materials_whose_texture_is_not_there_are_drawn_plain(name, value):
    text = model('<geom size=".5" material="2d"/>')
    plain = ours(text, camera="c", changes={"mat_texid": -1})
    assert distance(ours(text, camera="c", changes={name: value}), plain) < EDGES


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("tex_nchannel", 9, "texture 0 has 9 channels"),
        ("tex_adr", 10**6, "texture 0 of 64 x 48 texels at 1000000"),
        ("tex_width", 10**5, "texture 0 of 100000 x 48 texels"),
    ],
)
def test_textures_whose_numbers_cannot_be_are_told(name, value, said):
    with pytest.raises(ValueError, match=said):
        ours(model('<geom size=".5" material="2d"/>'), camera="c", changes={name: value})


def test_textures_that_are_not_there_cannot_be_uploaded():
    made = drawing(model(""))
    with pytest.raises(ValueError, match="texture 7 of a model with 2"):
        made.upload_texture(7)
    made.release()
