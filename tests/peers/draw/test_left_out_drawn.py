"""What is left out of a picture because nobody sees it: sky below a floor, what a mirror's face does not show, backs."""

import numpy as np
import pytest

import sinew
from sinew import mujoco
from sinew.draw import assets, boxes, geometry, reflection, sky, solid

SCENE = """<mujoco><statistic extent="3"/><visual><headlight ambient=".4 .4 .4"/></visual>
  <asset><texture name="s" type="skybox" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="64" height="384"/>
  <material name="m" reflectance=".5"/></asset>
  <worldbody><light pos="1 1 4" dir="-.3 -.2 -1"/>{}
  <geom size=".2" pos="0 0 .15"/><geom type="capsule" size=".1 .2" pos=".5 .3 .2" euler="80 0 0"/>
  <geom type="box" size=".1 .1 .3" pos="-.5 .4 .2"/><geom size=".2" pos="0 .7 .3" rgba=".2 .9 .2 .5"/></worldbody></mujoco>"""
FLOORS = {
    "endless": '<geom type="plane" size="0 0 .1"/>',
    "large": '<geom type="plane" size="9 9 .1"/>',
    "small": '<geom type="plane" size=".6 .6 .1"/>',
    "below": '<geom type="plane" size="0 0 .1" pos="0 0 9" euler="180 0 0"/>',
    "slanted": '<geom type="plane" size="9 9 .1" euler="20 30 0"/>',
    "mirror": '<geom type="plane" size="9 9 .1" material="m"/>',
    "small mirror": '<geom type="plane" size=".4 .6 .1" material="m"/>',
    "upright mirror": '<geom type="plane" size=".4 .6 .1" pos="-1 0 .5" euler="0 80 0" material="m"/>',
    "box that mirrors": '<geom type="box" size=".4 .6 .1" pos="0 0 -.2" material="m"/>',
}


def _picture(text, elevation, distance=3.0, **changes):
    return _pictures(text, [elevation], distance, **changes)[0]


def _pictures(text, elevations, distance=3.0, **changes):
    """One from each elevation, of one Renderer."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.distance, camera.azimuth = distance, 60
    pictures = []
    with sinew.Renderer(model, 120, 160) as renderer:
        for camera.elevation in elevations:
            renderer.update_scene(data, camera)
            for name, value in changes.items():
                setattr(renderer.scene.camera[0], name, value)
                setattr(renderer.scene.camera[1], name, value)
            pictures.append(renderer.render())
    return pictures


def _all_of(frame):
    return frame.rect


@pytest.mark.parametrize("name", FLOORS)
def test_pictures_are_the_same_with_all_that_is_left_out(name, monkeypatch):
    text, elevations = SCENE.format(FLOORS[name]), (-70, -25, -8, 15)
    less = _pictures(text, elevations)
    monkeypatch.setattr(sky, "open_part", _all_of)
    monkeypatch.setattr(reflection.Mirror, "_face", lambda _, frame: (0, 0, *frame.rect[2:]))
    monkeypatch.setattr(boxes.Boxes, "reach", lambda self, _: np.ones(len(self), bool))
    for elevation, ours, whole in zip(elevations, less, _pictures(text, elevations), strict=True):
        assert np.array_equal(ours, whole) and ours.any(), elevation


TILES = "".join(
    f'<geom type="plane" size="{x} 2 .1" pos="{x} {y} 0"/>' for x in (-1, 1) for y in (-2, 2)
).replace('size="-1', 'size="1')
FIELD = f"""<geom type="hfield" hfield="h" pos="0 0 -1"/>{TILES}"""


@pytest.mark.parametrize("orthographic", [0, 1])
@pytest.mark.parametrize("floor", [FLOORS["large"], TILES, TILES + TILES, FIELD])
def test_what_floors_do_not_hide_is_seen(floor, orthographic, monkeypatch):
    """Floors side by side hide nothing of each other, nor do those that lie in each other."""
    monkeypatch.setattr(geometry, "LARGE", 50)
    monkeypatch.setattr(geometry, "PIECE", 20)
    heights = " ".join(f"{h:.2f}" for h in np.random.default_rng(0).random(400))
    field = f'<hfield name="h" nrow="20" ncol="20" size="3 3 .5 .1" elevation="{heights}"/></asset>'
    text = SCENE.format(floor).replace("</asset>", field)
    asked = {"orthographic": 1, "frustum_bottom": -2.0, "frustum_top": 2.0} if orthographic else {}
    less = _picture(text, -50, 8, **asked)
    monkeypatch.setattr(
        boxes.Cover, "hide", lambda self, those, *_: [np.zeros(len(those), bool)] * 2
    )
    assert np.array_equal(less, _picture(text, -50, 8, **asked)) and less.any()


def test_sky_is_drawn_where_it_is_seen(monkeypatch):
    parts, ask = [], sky.open_part

    def heard(frame):
        parts.append(ask(frame))
        return parts[-1]

    monkeypatch.setattr(sky, "open_part", heard)
    _pictures(SCENE.format(FLOORS["endless"]), (-70, -15, 15))
    _picture(SCENE.format(FLOORS["small"]), -70)
    (_, _, _, none), (_, low, _, some), under, beside = parts
    assert none == 0 and 30 < low < 110 and low + some == 120
    assert under[1:] == (0, 160, 120) and beside == (0, 0, 160, 120)


CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def _solid(sides):
    return assets._faceted(CUBE[np.array(sides)])


def test_shapes_with_an_inside_are_known():
    assert solid.is_closed(_solid(SIDES))
    assert not solid.is_closed(_solid(SIDES[1:]))
    assert not solid.is_closed(_solid([side[::-1] for side in SIDES]))
    assert not solid.is_closed(_solid([SIDES[0][::-1], *SIDES[1:]]))


def test_shadows_of_meshes_with_and_without_an_inside(monkeypatch):
    """An open bowl casts the shadow of its inside, too."""
    corners = " ".join(f"{x:g}" for x in 0.3 * CUBE.ravel())
    faces = {
        name: " ".join(f"{a} {b} {c} {a} {c} {d}" for a, b, c, d in sides)
        for name, sides in (("whole", SIDES), ("open", SIDES[:5]))
    }
    meshes = "".join(
        f'<mesh name="{n}" vertex="{corners}" face="{f}" inertia="shell"/>'
        for n, f in faces.items()
    )
    text = f"""<mujoco><statistic extent="3"/><asset>{meshes}</asset><worldbody>
      <light type="directional" pos="0 0 3" dir=".3 .2 -1"/><geom type="plane" size="3 3 .1"/>
      <geom type="mesh" mesh="whole" pos="-.6 0 .6" euler="20 30 0"/>
      <geom type="mesh" mesh="open" pos=".6 0 .6" euler="20 30 0"/></worldbody></mujoco>"""
    less = _picture(text, -50)
    monkeypatch.setattr(geometry, "is_closed", lambda _: False)
    assert np.array_equal(less, _picture(text, -50)) and less.any()
    monkeypatch.setattr(geometry, "is_closed", lambda _: True)
    assert not np.array_equal(less, _picture(text, -50))
