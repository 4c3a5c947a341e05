"""Lights and shadows against the peer's pictures; what cannot be drawn, and what is left out because nobody sees it."""

import functools

import numpy as np
import pytest

import sinew
from both_sides import different, pictures_of, run
from scene_calls import EMPTY, PERSPECTIVE, TURNED, geom, light, request
from sinew import mujoco
from sinew.draw import boxes, shadows

FLAT = np.eye(3).ravel().tolist()
LAMP = {"ambient": (0.1, 0.12, 0.14), "diffuse": (0.5, 0.4, 0.3), "specular": (0.4, 0.5, 0.6)}
SLANTED = {"dir": (0.4, 0.2, -1), "pos": (-1.2, -0.6, 3)}
CONE = {"type": 0, "cutoff": 50, "exponent": 3, "attenuation": (0.6, 0.1, 0.05)}


def things(**look):
    """A floor and three shapes over it."""
    look = {"emission": 0.1, "specular": 0.4, "shininess": 0.3} | look
    return [
        geom("plane", (2, 2, 0.1), (0, 0, -0.5), FLAT, **look),
        geom("box", (0.3, 0.2, 0.2), (-0.5, -0.4, 0), TURNED, (0.9, 0.3, 0.2, 1), **look),
        geom("sphere", (0.3,) * 3, (0.5, 0.4, 0.1), FLAT, (0.3, 0.9, 0.2, 1), **look),
        geom("capsule", (0.15, 0.3, 0), (0.5, -0.6, 0.3), TURNED, (0.2, 0.3, 0.9, 1), **look),
    ]


SHINING = {
    "none": ([], {}),
    "one that is dark": ([light()], {}),
    "from above": ([light(**LAMP)], {}),
    "from the side": ([light(**LAMP | SLANTED)], {}),
    "from below": ([light(**LAMP, dir=(0.1, 0.1, 1))], {}),
    "headlight": ([light(**LAMP, headlight=1, pos=(0, 0, 5))], {}),
    "cone": ([light(**LAMP | SLANTED | CONE)], {}),
    "cone of 90 degrees": ([light(**LAMP | SLANTED | CONE | {"cutoff": 90})], {}),
    "cone of 180 degrees": ([light(**LAMP | SLANTED | CONE | {"cutoff": 180})], {}),
    "cone of 1 degree": ([light(**LAMP | SLANTED | CONE | {"cutoff": 1})], {}),
    "sharp cone": ([light(**LAMP | SLANTED | CONE | {"exponent": 128})], {}),
    "attenuation": ([light(**LAMP | SLANTED | CONE | {"attenuation": (0, 0.5, 0.2)})], {}),
    "three": (
        [light(**LAMP), light(**LAMP | SLANTED), light(**LAMP | CONE, pos=(0.5, 0.5, 2))],
        {},
    ),
    "eight": ([light(diffuse=(0.05, 0.04, 0.03), dir=(k - 4, k, -5)) for k in range(8)], {}),
    "ten": ([light(diffuse=(0.05, 0.04, 0.03), dir=(k - 4, k, -5)) for k in range(10)], {}),
    "too bright": ([light(ambient=(2, 0, 0), diffuse=(0, 3, 0), specular=(0, 0, 9))], {}),
    "less than none": ([light(ambient=(-0.2, 0.1, 0.1)), light(ambient=(0.5, 0.5, 0.5))], {}),
    "matt": ([light(**LAMP | SLANTED)], {"specular": 0, "emission": 0}),
    "mirror-like": ([light(**LAMP | SLANTED)], {"specular": 1, "shininess": 1}),
    "shiny": ([light(**LAMP | SLANTED)], {"specular": 2, "shininess": 0.1}),
    "glowing": ([light(**LAMP | SLANTED)], {"emission": 1.5}),
    "glowing in the dark": ([], {"emission": 0.7}),
    "its direction is no number of length 1": ([light(**LAMP | {"dir": (0.8, 0.4, -2)})], {}),
    "no direction": ([light(**LAMP | {"dir": (0, 0, 0)})], {}),
}
SHADOWS = {
    "parallel": [light(**LAMP | SLANTED, castshadow=1)],
    "straight down": [light(**LAMP, castshadow=1)],
    "along x": [light(**LAMP, castshadow=1, dir=(1, 0.02, -0.03), pos=(-2, 0, 0.3))],
    "cone": [light(**LAMP | SLANTED | CONE, castshadow=1)],
    "wide cone": [light(**LAMP | SLANTED | CONE | {"cutoff": 90}, castshadow=1)],
    "two": [light(**LAMP | SLANTED, castshadow=1), light(**LAMP, castshadow=1)],
    "two and two without": [
        light(diffuse=(0.1, 0.2, 0.1), dir=(1, 1, -1)),
        light(**LAMP | SLANTED, castshadow=1),
        light(ambient=(0.1, 0.05, 0.1)),
        light(**LAMP | SLANTED | CONE, castshadow=1),
    ],
    "eight": [
        light(diffuse=(0.1, 0.1, 0.1), dir=(k - 4, 2, -5), pos=(4 - k, -2, 5), castshadow=1)
        for k in range(8)
    ],
    "among the shapes": [light(**LAMP, castshadow=1, pos=(0, 0, 0.4))],
}


def _lit():
    """All lights without shadows, from afar and near."""
    for name, (lights, look) in SHINING.items():
        yield name, request(things(**look), lights)
        yield f"{name}, near", request(things(**look), lights, cameras=[PERSPECTIVE])


def _in_shadow():
    """All lights with shadows, by coarse maps and fine ones."""
    for name, lights in SHADOWS.items():
        for size in (256, 2048):
            given = {"flags": {0: 1}, "quality": {"shadowsize": size}, "cameras": [PERSPECTIVE]}
            yield f"shadows, {name}, {size}", request(things(), lights, **given)


CASTERS = {
    "clear": {"rgba": (0.9, 0.3, 0.2, 0.5)},
    "not there": {"rgba": (0.9, 0.3, 0.2, 0)},
    "decoration": {"members": {"category": 4}},
    "static": {"members": {"category": 1}},
}


def _cast_by():
    """Shadows of a box that is not as others are."""
    for name, change in CASTERS.items():
        geoms = things()
        geoms[1] = geoms[1] | change
        given = {"flags": {0: 1}, "quality": {"shadowsize": 1024}}
        yield f"shadows, {name}", request(geoms, SHADOWS["parallel"], **given)


def _in_a_region():
    """Maps of a part of the scene, and none."""
    yield "no maps", request(things(), SHADOWS["parallel"], flags={0: 1})
    region = EMPTY.replace("<visual>", '<visual><map shadowclip=".4" shadowscale="1.2"/>')
    for name in ("parallel", "cone"):
        given = {"flags": {0: 1}, "quality": {"shadowsize": 512}, "model": region}
        yield f"shadows, {name}, region", request(things(), SHADOWS[name], **given)


REQUESTS = dict((*_lit(), *_in_shadow(), *_cast_by(), *_in_a_region()))


CAST = """
<mujoco>
  <visual><headlight active="false"/></visual>
  <worldbody>
    <light type="directional" dir=".5 0 -1" pos="0 0 3" diffuse=".8 .8 .8" specular="0 0 0"/>
    <camera name="c" pos="0 0 5" fovy="40"/>
    <geom type="plane" size="5 5 .1" rgba=".8 .8 .8 1"/><geom type="box" size=".3 .3 .3" pos="0 0 1" castshadow="{}"/>
  </worldbody>
</mujoco>
"""


@functools.cache
def drawn():
    return {name: (a[0], b[0]) for name, (a, b) in pictures_of(REQUESTS).items()}


def test_a_geom_that_casts_no_shadow_takes_it_as_others_do():
    """Where its shadow would be the floor is as bright as elsewhere, and nothing else has changed."""
    seen = {}
    for word in ("true", "false"):
        model = sinew.Model.from_xml(CAST.format(word))
        data = sinew.Data(model)
        sinew.forward(model, data)
        with sinew.Renderer(model, 60, 80) as renderer:
            renderer.update_scene(data, "c")
            seen[word] = renderer.render().astype(int).sum(-1)
    shadow = seen["true"] < 20
    assert 50 < shadow.sum() < 500
    assert (seen["false"][shadow] == seen["false"][0, 0]).all()
    assert (seen["false"] != seen["true"])[~shadow].sum() < 0.3 * shadow.sum()  # along its edges


@pytest.mark.parametrize("name", [name for name in REQUESTS if not name.startswith("shadows")])
def test_light_is_the_peers_to_a_step_of_colour(name):
    ours, theirs = drawn()[name]
    assert different(ours, theirs, 1) <= 3


@pytest.mark.parametrize("name", [name for name in REQUESTS if name.startswith("shadows")])
def test_shadows_are_the_peers(name):
    ours, theirs = drawn()[name]
    lights = len(REQUESTS[name]["lights"])
    # the peer rounds what each light adds
    assert different(ours, theirs, 1 + lights) <= 0.001 * ours[..., 0].size
    assert theirs.any()


def test_shadows_take_light_away():
    ours, _ = drawn()["shadows, parallel, 2048"]
    without = request(things(), SHADOWS["parallel"], cameras=[PERSPECTIVE])
    lit = run("sinew.mujoco", "scene_calls", "pictures", [without])[0][0]
    darker = (ours.astype(int) - lit).min(axis=-1) < -20
    assert 500 < np.count_nonzero(darker) < 0.2 * darker.size
    assert (ours <= lit + 1).all()


# ---- what the peer cannot draw


def _renderer(text, size=60, **given):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data, sinew.Renderer(model, size, size, **given)


def test_a_point_shines_all_round():
    """The peer ends with an error; a cone of 180 degrees shines as a point does."""
    text = """<mujoco><visual><headlight active="0"/></visual><worldbody>
      <light name="l" type="{}" pos=".3 .2 1" cutoff="180" exponent="0" castshadow="false"/>
      <geom type="box" size="1 1 .1"/><geom size=".2" pos="0 0 .4"/><camera name="c" pos="0 0 4"/></worldbody></mujoco>"""
    pictures = []
    for kind in ("point", "spot"):
        _, data, renderer = _renderer(text.format(kind))
        with renderer:
            renderer.update_scene(data, "c")
            pictures.append(renderer.render())
    assert np.array_equal(*pictures) and pictures[0].max() > 100


def test_lights_that_cannot_be_drawn_are_named():
    _, data, renderer = _renderer(
        '<mujoco><worldbody><light/><light/><geom size="1"/></worldbody></mujoco>'
    )
    with renderer:
        renderer.update_scene(data)
        for kind, said in ((3, "image"), (17, "17")):
            renderer.scene.lights[1].type = kind
            with pytest.raises(
                ValueError, match=f"light 1 of the scene has type {said}.*active=false"
            ):
                renderer.render()
        renderer.scene.lights[1].type = 1
        assert renderer.render().any()


def test_faces_at_one_place_are_lit_once():
    """The peer adds the light of lamps with shadows for each of them."""
    text = """<mujoco><worldbody><light diffuse=".3 .3 .3" pos="0 0 3" dir="0 0 -1"/>{}</worldbody></mujoco>"""
    box = '<geom type="box" size=".5 .5 .1" rgba=".5 .5 .5 1"/>'
    pictures = []
    for count in (1, 2):
        _, data, renderer = _renderer(text.format(count * box))
        with renderer:
            renderer.update_scene(data)
            pictures.append(renderer.render())
    assert np.array_equal(*pictures) and pictures[0].any()


# ---- what is left out of shadow maps

FLOOR = """<mujoco><statistic extent="3"/><worldbody><light pos="1 1 4" dir="-.3 -.2 -1"/>
  <light type="directional" pos="-1 1 3" dir=".3 -.3 -1"/>{}
  <geom size=".2" pos="0 0 .15"/><geom type="capsule" size=".1 .2" pos=".5 .3 .2" euler="80 0 0"/>
  <geom type="box" size=".1 .1 .3" pos="-.5 .4 .2"/></worldbody></mujoco>"""
FLOORS = {
    "endless": '<geom type="plane" size="0 0 .1"/>',
    "large": '<geom type="plane" size="4 4 .1"/>',
    "small": '<geom type="plane" size=".4 .4 .1"/>',
    "seen from below": '<geom type="plane" size="0 0 .1" pos="0 0 5" euler="180 0 0"/>',
    "clear": '<geom type="plane" size="0 0 .1" rgba="1 1 1 .5"/>',
    "and a wall": '<geom type="plane" size="4 4 .1"/><geom type="plane" size="2 2 .1" pos="-1 0 0" euler="0 90 0"/>',
}


@pytest.mark.parametrize("elevation", [-20, -70, 20])
@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_left_out_of_the_maps_changes_nothing(name, elevation, monkeypatch):
    camera = mujoco.MjvCamera()
    camera.distance, camera.elevation, camera.azimuth = 4, elevation, 60
    pictures = []
    for every in (False, True):
        if every:
            monkeypatch.setattr(shadows, "needless", lambda rows, row, *_: np.zeros(len(row), bool))
        _, data, renderer = _renderer(FLOOR.format(FLOORS[name]), 200)
        with renderer:
            renderer.update_scene(data, camera)
            pictures.append(renderer.render())
    # here and there a pixel of the floor is dark by the floor's own map, whose steps are coarse far away
    assert different(*pictures, 0) <= 60
    assert (pictures[0] >= pictures[1]).all()


def _left_out(renderer, monkeypatch):
    """Return for each light the geoms that are left out of its map."""
    said, ask = [], shadows.needless

    def heard(row, *rest):
        said.append((row, ask(row, *rest)))
        return said[-1][1]

    with monkeypatch.context() as patch:
        patch.setattr(shadows, "needless", heard)
        renderer.render()
    return [sorted(set(row[out].tolist())) for row, out in said]


def test_large_floors_are_left_out(monkeypatch):
    _, data, renderer = _renderer(FLOOR.format(FLOORS["large"]), 40)
    with renderer:
        renderer.update_scene(data)
        assert _left_out(renderer, monkeypatch) == [[0], [0]]
        for lamp in renderer.scene.lights[1:3]:
            lamp.dir[2] *= -1
            lamp.pos[2] = -3
        assert _left_out(renderer, monkeypatch) == [[], []]


GROUND = """<mujoco><statistic extent="3"/><asset><hfield name="h" nrow="101" ncol="101" size="6 6 2 .1" elevation="{}"/></asset>
  <worldbody><light pos="0 0 4" dir="0 0 -1" cutoff="40"/><geom type="plane" size="{} {} .1"/>
  <geom type="hfield" hfield="h" pos="0 0 {}"/><geom size=".3" pos="0 0 .6"/></worldbody></mujoco>"""
HILLS = " ".join(
    str(int(max(abs(x - 50), abs(y - 50)) > 38)) for x in range(101) for y in range(101)
)


@pytest.mark.parametrize(
    ("side", "height", "distance", "left_out"),
    [(4, -0.1, 8, {0, 1}), (4, -3, 30, set()), (0.5, -0.1, 8, set()), (4, 0.1, 8, {0})],
)
def test_ground_below_a_floor_is_left_out(side, height, distance, left_out, monkeypatch):
    """Where nobody sees it: not from the side where it is deep, nor beside a small floor; nor where it is above the floor."""
    camera = mujoco.MjvCamera()
    camera.distance, camera.elevation, camera.azimuth = distance, -40, 60
    pictures, model = [], GROUND.format(HILLS, side, side, height)
    for every in (False, True):
        _, data, renderer = _renderer(model, 200)
        with renderer:
            renderer.update_scene(data, camera)
            if not every:
                assert set(_left_out(renderer, monkeypatch)[0]) == left_out
            else:
                monkeypatch.setattr(shadows, "needless", lambda row, *_: np.zeros(len(row), bool))
                monkeypatch.setattr(
                    boxes.Cover, "hide", lambda self, those, *_: [np.zeros(len(those), bool)] * 2
                )
            pictures.append(renderer.render())
    # as above, the floor's own map darkens a pixel of it here and there
    assert different(*pictures, 0) <= 60


MOVING = """<mujoco><statistic extent="3"/><worldbody><light pos="1 1 4" dir="-.3 -.2 -1"/>
  <light type="directional" pos="-1 1 3" dir=".3 -.3 -1"/><geom type="plane" size="4 4 .1"/>
  <body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".3" pos="0 0 .6"/></body>
  </worldbody></mujoco>"""


def _at(places):
    """Pictures of one renderer, with the ball at one place after the other."""
    model, data, renderer = _renderer(MOVING, 120)
    with renderer:
        for place in places:
            data.qpos[:] = place
            mujoco.mj_forward(model, data)
            renderer.update_scene(data)
            yield renderer.render()


def test_pictures_do_not_hang_on_those_before():
    """What a picture leaves in shadow maps is not in the next one."""
    places = [(0, 0), (1, 0.5), (-1, -1), (5, 5), (0.2, 0.1)]
    for place, picture in zip(places, list(_at(places)), strict=True):
        (alone,) = _at([place])
        assert np.array_equal(alone, picture), place
