"""Sky, haze, fog and mirrors against the peer's pictures."""

import io

import numpy as np
import pytest
from PIL import Image

import models
import sinew
from picture_pair import distance, ours, pair
from sinew import mujoco

# Equal facets lit alike: what differs are single samples at edges, by the rounding of clip space.
EDGES = 0.005

AMBIENT = '<headlight ambient=".6 .6 .6" diffuse="0 0 0" specular="0 0 0"/>'
SKY = (
    '<texture name="s" type="skybox" builtin="gradient" width="64" height="384" rgb1=".3 .5 .9" rgb2=".9 .7 .2" '
    'mark="random" markrgb="1 1 1" random=".02"/>'
)
ASSETS = """
  <texture name="t" type="2d" builtin="checker" width="64" height="48" rgb1=".2 .3 .4" rgb2=".8 .3 .2" mark="edge"
   markrgb="1 1 0"/>
  <texture name="c" type="cube" builtin="gradient" width="32" height="192" rgb1=".6 .3 .3" rgb2=".2 .6 .3"
   mark="cross" markrgb="1 1 1"/>
  <material name="t" texture="t" texrepeat="2 3" texuniform="true"/>
  <material name="c" texture="c"/>
  <material name="mirror" reflectance=".4" rgba=".7 .7 .8 1"/>
  <material name="dim" reflectance=".15" rgba=".3 .5 .4 1"/>
  <material name="chequered" texture="t" texrepeat="4 4" reflectance=".4"/>
  <material name="veil" reflectance=".4" rgba=".7 .7 .8 .5"/>"""
VIEW = '<camera name="c" pos="0 -2.6 2.2" xyaxes="1 0 0 0 .65 .76"/><camera name="o" pos="0 -2.6 2.2" xyaxes="1 0 0 0 .65 .76" orthographic="true" fovy="3"/>'
THINGS = (
    '<geom type="capsule" size=".1 .2" pos=".3 .2 .5" material="c"/>'
    '<geom type="box" size=".1 .2 .1" pos="-.3 .2 .5" rgba="1 .2 .2 1"/>'
    '<geom size=".15" pos="0 -.2 .3" rgba=".2 1 .3 1"/>'
    '<geom type="cylinder" size=".1 .2" pos=".5 -.1 .1" material="t"/>'
)
LEVEL = {"distance": 5, "elevation": -3, "azimuth": 80, "lookat": (0, 0, 0.5)}  # sees the horizon
FLOOR = '<geom type="plane" size="0 0 1" material="t"/>'


def model(world, sky=SKY, visual=AMBIENT):
    """The text of a model."""
    return f"<mujoco><visual>{visual}</visual><asset>{sky}{ASSETS}</asset><worldbody>{VIEW}{world}</worldbody></mujoco>"


# ---- sky


@pytest.mark.parametrize("camera", ["c", "o", {"distance": 5, "elevation": 40, "azimuth": 200}])
def test_the_sky_of_a_cube(camera):
    assert distance(*pair(model(THINGS), camera=camera)) < EDGES


def test_the_sky_of_one_picture():
    file = io.BytesIO()
    values = np.random.default_rng(2).integers(0, 256, (16, 16, 3), dtype=np.uint8)
    Image.fromarray(values).save(file, "PNG")
    sky = '<texture name="s" type="skybox" file="x.png"/>'
    for azimuth in (10, 130, 250):
        camera = {"distance": 4, "azimuth": azimuth, "elevation": 20, "lookat": (0, 0, 1)}
        given = {"camera": camera, "assets": {"x.png": file.getvalue()}}
        assert distance(*pair(model(THINGS, sky), **given)) < EDGES


def test_of_two_skies_the_first_is_drawn():
    second = SKY.replace('name="s"', 'name="s2"').replace(".3 .5 .9", "1 0 0")
    assert distance(*pair(model(THINGS, SKY + second), camera="c")) < EDGES


@pytest.mark.parametrize(
    ("sky", "flags"), [(SKY, {"SKYBOX": 0}), ("", {}), (SKY, {"WIREFRAME": 1, "CULL_FACE": 0})]
)
def test_without_a_sky_all_is_black_behind_the_geoms(sky, flags):
    mine, peer = pair(model("", sky), camera="c", flags=flags)
    assert distance(mine, peer) < EDGES
    assert mine.any() == ("WIREFRAME" in flags)


def test_objects_and_depths_have_no_sky():
    m = mujoco.MjModel.from_xml_string(model("<geom size='.3'/>"))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        renderer.enable_segmentation_rendering()
        assert set(np.unique(renderer.render()[..., 0])) == {-1, 0}
        renderer.enable_depth_rendering()
        depths = renderer.render()
        far = m.vis.map.zfar * m.stat.extent
        assert np.isclose(depths[0, 0], far, rtol=1e-3)
        assert depths.min() < 4


# ---- haze and fog


@pytest.mark.parametrize(
    ("haze", "tilt", "flag"),
    [(0.3, "0 0 0", 1), (0.05, "8 5 0", 1), (0, "0 0 0", 1), (0.3, "8 5 0", 0)],
)
def test_haze_hides_the_horizon(haze, tilt, flag):
    visual = f'{AMBIENT}<map haze="{haze}"/><rgba haze=".9 .6 .3 .5"/>'
    floor = FLOOR.replace("/>", f' euler="{tilt}"/>')
    text = model(floor + THINGS, visual=visual)
    # haze of no height is a line whose pixels are met by chance
    assert distance(*pair(text, camera=LEVEL, flags={"HAZE": flag})) < EDGES + 0.2 * (haze == 0)


@pytest.mark.parametrize(
    ("floor", "sky"),
    [
        (FLOOR, ""),
        (FLOOR.replace("0 0 1", "9 9 1"), SKY),
        (FLOOR.replace("0 0 1", "0 9 1"), SKY),
        (FLOOR.replace("/>", ' pos="0 0 5"/>'), SKY),
    ],
)
def test_there_is_haze_only_over_endless_floors_before_a_sky(floor, sky):
    text = model(floor + THINGS, sky)
    shown = [ours(text, camera=LEVEL, flags={"HAZE": flag}) for flag in (0, 1)]
    assert np.array_equal(*shown)


@pytest.mark.parametrize(
    ("sky", "camera", "limits"), [(0, "c", (1, 8)), (1, "o", (1, 8)), (1, "c", (0.5, 2))]
)
def test_fog(sky, camera, limits):
    visual = f'{AMBIENT}<map fogstart="{limits[0]}" fogend="{limits[1]}"/><rgba fog=".7 .8 .9 .3"/>'
    text = model(FLOOR + THINGS, visual=visual)
    mine, peer = pair(text, camera=camera, flags={"FOG": 1, "SKYBOX": sky})
    assert distance(mine, peer) < EDGES


def test_the_colour_of_fog_may_be_set():
    m = mujoco.MjModel.from_xml_string(model(FLOOR, visual='<map fogstart=".1" fogend=".2"/>'))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        renderer.scene.flags[mujoco.mjtRndFlag.mjRND_FOG] = 1
        renderer._mjr_context.fogRGBA = 1, 0, 0, 1
        picture = renderer.render()
    assert (picture[0] == (255, 0, 0)).all()


@pytest.mark.parametrize("flags", [{}, {"FOG": 1}])
def test_a_room_moved_as_a_whole(flags):
    turn = np.array([0.97, 0.2, 0.1, 0.05])
    moved = {
        "enabletransform": 1,
        "scale": 0.5,
        "translate": (0.3, 0.2, -0.5),
        "rotate": turn / np.linalg.norm(turn),
    }
    visual = f'{AMBIENT}<map fogstart="1" fogend="8" haze=".3"/>'
    text = model(FLOOR.replace('material="t"', 'material="mirror"') + THINGS, visual=visual)
    assert distance(*pair(text, camera="c", scene=moved, flags=flags)) < EDGES


# ---- mirrors


MIRRORS = {
    "plane": '<geom type="plane" size="1 1 .1" material="mirror"/>',
    "chequered": '<geom type="plane" size="1 1 .1" material="chequered"/>',
    "tilted": '<geom type="plane" size="1 1 .1" material="mirror" euler="15 10 0"/>',
    "endless": '<geom type="plane" size="0 0 .1" material="mirror"/>',
    "box": '<geom type="box" size=".8 .7 .1" material="mirror" euler="10 10 0"/>',
    "first of two": '<geom type="plane" size=".6 1 .1" material="mirror"/>'
    '<geom type="box" size=".3 .2 .1" material="dim" pos="-.5 -.5 .1"/>',
    "none before the eye": '<geom type="plane" size="1 1 .1" material="mirror" euler="0 100 0"/>'
    '<geom type="plane" size="1 1 .1" material="dim" pos="0 0 -.2"/>',
    "seen from below": '<geom type="box" size="1 1 .1" material="mirror" euler="180 0 0"/>',
    "veil": '<geom type="plane" size="1 1 .1" material="veil"/>',
    "other shapes": '<geom type="cylinder" size="1 .1" material="mirror"/>',
}


@pytest.mark.parametrize("name", MIRRORS)
def test_mirrors(name):
    light = '<light pos="1 -2 5" dir="-.2 .4 -1"/>'
    # floors without end have fewer cells far away than the peer's; what is mixed twice is rounded twice
    most = {"endless": 0.3, "veil": 0.05, "none before the eye": 0.05}.get(name, EDGES)
    assert distance(*pair(model(light + MIRRORS[name] + THINGS, visual=""), camera="c")) < most


def test_a_mirror_shows_emission_and_the_sheen_of_metal():
    shiny = '<material name="shiny" emission=".4" specular="1" shininess=".8" rgba=".2 .4 .6 1"/>'
    text = model(
        MIRRORS["plane"] + '<geom size=".3" pos="0 0 .5" material="shiny"/>', SKY + shiny, ""
    )
    assert distance(*pair(text, camera="c")) < EDGES


def test_a_mirror_in_fog_and_in_wires():
    text = model(MIRRORS["plane"] + THINGS, visual='<map fogstart="1" fogend="8"/>')
    assert distance(*pair(text, camera="c", flags={"FOG": 1})) < EDGES


def test_without_the_flag_nothing_is_mirrored():
    text = model(MIRRORS["plane"] + THINGS, visual="")
    mine, peer = pair(text, camera="c", flags={"REFLECTION": 0})
    assert distance(mine, peer) < EDGES
    dull = text.replace('reflectance=".4"', 'reflectance="0"')
    assert np.array_equal(mine, ours(dull, camera="c"))
    assert distance(mine, ours(text, camera="c")) > 0.3
    fast = ours(text, camera="c", quality="fast")
    assert np.array_equal(fast, ours(dull, camera="c", quality="fast"))


@pytest.mark.parametrize("flag", ["REFLECTION", "HAZE"])
def test_mirrors_and_haze_leave_depths_as_they_are(flag):
    m = mujoco.MjModel.from_xml_string(model(MIRRORS["box"] + FLOOR + THINGS))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m) as renderer:
        camera = mujoco.MjvCamera()
        camera.distance, camera.elevation, camera.lookat[2] = 5, -10, 0.5
        renderer.update_scene(d, camera)
        found = []
        for on in (0, 1):
            renderer.scene.flags[getattr(mujoco.mjtRndFlag, "mjRND_" + flag)] = on
            mujoco.mjr_render(mujoco.MjrRect(0, 0, 320, 240), renderer.scene, renderer._mjr_context)
            depths = np.zeros((240, 320), np.float32)
            mujoco.mjr_readPixels(
                None, depths, mujoco.MjrRect(0, 0, 320, 240), renderer._mjr_context
            )
            found.append(depths)
    assert len(np.unique(found[0])) > 1000
    assert np.array_equal(*found)


def test_a_picture_does_not_hang_on_the_one_before():
    m = mujoco.MjModel.from_xml_string(model(MIRRORS["chequered"] + FLOOR + THINGS))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        first = renderer.render()
        for flag in range(10):
            renderer.scene.flags[flag] = 1 - renderer.scene.flags[flag]
            renderer.render()
            renderer.scene.flags[flag] = 1 - renderer.scene.flags[flag]
            assert np.array_equal(renderer.render(), first)


def test_lines_are_seen_however_they_run_and_in_a_mirror():
    rays = "".join(
        f'<body pos="0 0 .5" euler="0 0 {45 * k}"><body euler="110 0 0"><site name="s{k}"/></body></body>'
        for k in range(8)
    )
    sensors = "".join(f'<rangefinder site="s{k}"/>' for k in range(8))
    floor = MIRRORS["plane"].replace("1 1 .1", "3 3 .1")
    text = model(floor + rays, visual='<rgba rangefinder="1 1 .1 .5"/>')
    text = text.replace("</worldbody>", f"</worldbody><sensor>{sensors}</sensor>")
    for flag in (0, 1):
        assert distance(*pair(text, camera="c", flags={"CULL_FACE": flag})) < 2 * EDGES


def test_a_picture_after_one_that_failed_in_a_mirror_is_right():
    m = mujoco.MjModel.from_xml_string(model(MIRRORS["plane"] + THINGS))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        channels = m.tex_nchannel.copy()
        m.tex_nchannel[1:] = 9
        with pytest.raises(ValueError, match="9 channels"):
            renderer.render()
        m.tex_nchannel[:] = channels
        found = renderer.render()
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        assert np.array_equal(renderer.render(), found)


# ---- of other people

WALKERS = ("humanoid", "cheetah", "quadruped", "fish", "dog")


@pytest.mark.parametrize("name", WALKERS)
def test_the_surroundings_of_dm_control(name):
    path = models.folder("dm_control", "suite", f"{name}.xml")
    camera = {"distance": 4, "elevation": -15, "azimuth": 70, "lookat": (0, 0, 0.6)}
    assert distance(*pair(path, camera=camera)) < 0.05  # lights near floors without end
