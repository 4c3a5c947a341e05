"""Flags of rendering, transparency, eyes and the whole scene moved, against the peer's pictures."""

import functools
import itertools

import numpy as np
import pytest

import sinew
from both_sides import both, different, pictures_of, run
from scene_calls import EMPTY, PERSPECTIVE, TURNED, geom, light, request
from sinew import mujoco
from sinew.draw import geometry

FLAT = np.eye(3).ravel().tolist()
SHADOW, WIREFRAME, ADDITIVE, SEGMENT, IDCOLOR, CULL_FACE = 0, 1, 3, 7, 8, 9
LAMPS = [
    light(ambient=(0.2, 0.2, 0.2), diffuse=(0.5, 0.4, 0.3), specular=(0.3, 0.3, 0.3), dir=(0.3, 0.2, -1), castshadow=1),
    light(diffuse=(0.1, 0.2, 0.3), dir=(-0.5, 0.1, -1)),
]  # fmt: skip
MAPS = {"shadowsize": 1024}


def things():
    """A floor, and shapes over it of which some are clear; numbers of objects need one to three bytes."""
    return [
        geom("plane", (2, 2, 0.1), (0, 0, -0.5), FLAT, segid=0),
        geom("box", (0.3, 0.2, 0.2), (-0.5, -0.4, 0), TURNED, (0.9, 0.3, 0.2, 1), segid=254),
        geom("sphere", (0.3,) * 3, (0.5, 0.4, 0.1), FLAT, (0.3, 0.9, 0.2, 0.6), segid=255),
        geom("capsule", (0.15, 0.3, 0), (0.4, 0.1, 0.5), TURNED, (0.2, 0.3, 0.9, 0.3), segid=70000),
        geom("cylinder", (0.2, 0.3, 0), (-0.4, 0.5, 0.2), TURNED, (0.2, 0.8, 0.9, 1), segid=-1),
        geom("arrow", (0.05, 0.05, 1.5), (0.3, -0.7, 0), TURNED, (0.9, 0.8, 0.1, 1), segid=16777214),
        geom("line", (3, 1, 0.8), (-0.9, -0.9, 0.2), TURNED, (0.9, 0.8, 0.1, 1), segid=77),
    ]  # fmt: skip


FLAGS = {
    "none": {},
    "shadows": {SHADOW: 1},
    "wires": {WIREFRAME: 1},
    "additive": {ADDITIVE: 1},
    "additive with shadows": {ADDITIVE: 1, SHADOW: 1},
    "all sides": {CULL_FACE: 0},
    "all sides, additive": {CULL_FACE: 0, ADDITIVE: 1},
    "objects": {SEGMENT: 1, IDCOLOR: 1},
    "objects, bright": {SEGMENT: 1},
    "objects with shadows": {SEGMENT: 1, IDCOLOR: 1, SHADOW: 1},
    "objects, wires": {SEGMENT: 1, IDCOLOR: 1, WIREFRAME: 1},
    "numbers without objects": {IDCOLOR: 1},
    "fog, haze, sky": {4: 1, 5: 1, 6: 1},
}
_TURN = np.array([0.9, 0.1, 0.2, 0.3]) / np.linalg.norm([0.9, 0.1, 0.2, 0.3])
MOVED = {"enabletransform": 1, "translate": (0.3, 0.2, 0.1), "rotate": _TURN.tolist(), "scale": 0.7}
EYES = [
    PERSPECTIVE | {"pos": (-0.3, 0, 5), "frustum_center": -0.02},
    PERSPECTIVE | {"pos": (0.3, 0.1, 5), "frustum_center": 0.03},
]
WIDE = {"frustum_width": 0.2, "frustum_center": 0.05}
SCENES = {
    "moved": {"scene": MOVED},
    "moved, not enabled": {"scene": MOVED | {"enabletransform": 0}},
    "moved, near": {"scene": MOVED, "cameras": [PERSPECTIVE]},
    "one eye between two": {"cameras": EYES},
    "side by side": {"cameras": EYES, "scene": {"stereo": 2}},
    "two buffers that are not there": {"cameras": EYES, "scene": {"stereo": 1}},
    "wide": {"cameras": [PERSPECTIVE | WIDE]},
    "wide, parallel": {"cameras": [{"frustum_width": 2, "frustum_center": 0.3}]},
    "border": {"scene": {"framewidth": 7, "framergb": (0.3, 0.6, 0.9)}},
    "part of the buffer": {"rect": (30, 20, 90, 120)},
    "beyond the buffer": {"rect": (-30, 120, 150, 150)},
    "border of a part": {
        "rect": (30, 20, 90, 120),
        "scene": {"framewidth": 5, "framergb": (0.3, 0.6, 0.9)},
    },
}


def _requests():
    for name, flags in FLAGS.items():
        for samples in (0, 4):
            quality = MAPS | {"offsamples": samples}
            yield f"{name}, {samples}", request(things(), LAMPS, flags=flags, quality=quality)
    for name, given in SCENES.items():
        yield name, request(things(), LAMPS, flags={SHADOW: 1}, quality=MAPS, **given)
    white = [light(ambient=(1, 1, 1))]
    for heights in itertools.permutations((0, 0.5, 1)):
        panes = [
            geom("box", (0.8, 0.8, 0.01), (0.1 * k, 0, z), FLAT, (*np.eye(3)[k], 0.5))
            for k, z in enumerate(heights)
        ]
        yield f"panes at {heights}", request(panes, white)
    for opacity in (1, 0.996, 0.994, 0.5, 0.01, 0, -1, 2):
        panes = [geom("box", (0.5, 0.5, 0.1), (0, 0, z), FLAT, (1, z, 0, opacity)) for z in (0, 1)]
        yield f"opacity {opacity}", request(panes, white)
    for kind in ("plane", "box", "sphere"):
        for side, mat in {"front": np.eye(3), "back": np.diag([1.0, -1, -1])}.items():
            for opacity in (1, 0.5):
                given = geom(
                    kind, (0.5, 0.5, 0.5), (0, 0, 0), mat.ravel().tolist(), (1, 1, 1, opacity)
                )
                yield f"{side} of {kind}, {opacity}", request([given], white)
                yield f"{side} of {kind}, {opacity}, all sides", request([given], white, flags={CULL_FACE: 0})  # fmt: skip
    same = [geom("box", (0.5, 0.5, 0.1), (0, 0, 0), FLAT, (1, 0, 0, 1))]
    same += [geom("plane", (0.4, 0.4, 0.1), (0, 0, 0.1), FLAT, (0, 1, 0, 1))]
    for order in (same, same[::-1]):
        yield f"the last of two at one place is {order[-1]['kind']}", request(order, white)


REQUESTS = dict(_requests())


@functools.cache
def drawn():
    return pictures_of(REQUESTS)


OBJECTS = [name for name in REQUESTS if name.startswith("objects")]
WIRES = [name for name in REQUESTS if name.startswith("wires")]


@pytest.mark.parametrize("name", [n for n in REQUESTS if n not in OBJECTS + WIRES])
def test_pictures_are_the_peers(name):
    (ours, our_depths), (theirs, their_depths) = drawn()[name]
    # two steps of rounding, one for each kind of light; ends of lines and edges of shadows
    assert different(ours, theirs, 2) <= 0.001 * ours[..., 0].size
    # a line is as deep as it is half a pixel farther on
    assert np.count_nonzero(np.abs(our_depths - their_depths) > 2e-3) <= 0.001 * ours[..., 0].size


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_the_peers(name):
    (ours, _), (theirs, _) = drawn()[name]
    assert different(ours, theirs, 0) <= 4  # ends of a line
    colours = {tuple(colour) for colour in ours.reshape(-1, 3).tolist()}
    assert colours == {tuple(colour) for colour in theirs.reshape(-1, 3).tolist()}


def test_objects_have_no_colours_between_them():
    (ours, _), _ = drawn()["objects, 4"]
    numbers = ours.astype(int) @ (1, 256, 65536)
    assert set(np.unique(numbers)) == {1, 255, 256, 70001, 16777215, 78}


@pytest.mark.parametrize("name", WIRES)
def test_wires_are_the_peers(name):
    (ours, _), (theirs, _) = drawn()[name]
    # wires that lie upon each other: the last one drawn is seen
    assert different(ours, theirs, 8) <= 0.15 * np.count_nonzero(theirs.any(axis=-1))


def test_wires_have_no_shadows():
    """The peer's have, of wires, which fall upon themselves."""
    flags = [{WIREFRAME: 1, SHADOW: shadow} for shadow in (0, 1)]
    asked = [request(things(), LAMPS, flags=f, quality=MAPS) for f in flags]
    without, with_shadows = (
        picture for picture, _ in run("sinew.mujoco", "scene_calls", "pictures", asked)
    )
    assert np.array_equal(without, with_shadows) and without.any()


def test_both_eyes_have_a_border():
    """The peer gives it to the right one alone."""
    scene = {"stereo": 2, "framewidth": 6, "framergb": (0, 1, 0)}
    asked = [request(things(), LAMPS, cameras=EYES, scene=scene, size=(200, 100))]
    ours, theirs = (pictures[0][0] for pictures in both("scene_calls", "pictures", asked))
    assert different(ours[:, 100:], theirs[:, 100:], 2) <= 10
    inner = np.s_[6:-6, 6:94]
    assert different(ours[inner], theirs[inner], 2) <= 10
    border = np.ones((100, 100), bool)
    border[inner[0], 6:94] = False
    assert (ours[:, :100][border] == (0, 255, 0)).all()


def test_distance_and_clearness_are_noted_in_geoms():
    asked = request(things(), LAMPS)
    ours, theirs = both("scene_calls", "notes", [asked])
    for mine, other in zip(ours[0], theirs[0], strict=True):
        assert mine["transparent"] == other["transparent"]
        if mine["transparent"]:
            assert mine["camdist"] == pytest.approx(other["camdist"], rel=1e-6)


# ---- ours alone


def test_what_is_outside_of_the_picture_hides_nothing_in_it():
    """Shapes whose middle is outside, and which reach in; those that are left out cast shadows still."""
    text = """<mujoco><statistic extent="4"/><worldbody><light pos="0 0 6" dir="0 0 -1"/>
      <geom type="plane" size="0 0 .1"/><geom type="box" size="3 .1 .1" pos="3.2 0 .5"/>
      <geom type="sphere" size=".4" pos="0 0 5"/><camera name="c" pos="0 -2 2" xyaxes="1 0 0 0 .7 .7"/></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with sinew.Renderer(model, 120, 160) as renderer:
        renderer.update_scene(data, "c")
        picture = renderer.render()
        renderer.scene.flags[SHADOW] = 0
        lit = renderer.render()
        renderer.enable_segmentation_rendering()
        objects = renderer.render()[..., 0]
    assert {0, 1} <= set(np.unique(objects)) and 2 not in objects
    assert (picture.astype(int).sum(axis=-1) < lit.astype(int).sum(axis=-1) - 60).sum() > 50


@pytest.mark.parametrize("camera", ["near", "far", "below"])
def test_shapes_in_pieces_look_like_whole_ones(camera, monkeypatch):
    heights = " ".join(f"{h:.2f}" for h in np.random.default_rng(0).random(400))
    text = f"""<mujoco><statistic extent="4"/><visual><quality numslices="40" numstacks="40" numquads="20"/></visual>
      <asset><hfield name="h" nrow="20" ncol="20" size="2 2 .3 .1" elevation="{heights}"/></asset>
      <worldbody><light pos="1 1 3" dir="-.3 -.3 -1"/><light type="directional" pos="0 0 3" dir=".2 .1 -1"/>
      <geom type="hfield" hfield="h"/><geom type="plane" size="0 0 .1" pos="0 0 .1"/><geom type="plane" size="3 3 .1" euler="0 80 0" rgba=".5 .8 .5 .5"/>
      <geom size=".4 .2" type="capsule" pos="0 .5 .8" euler="20 30 40"/><geom type="ellipsoid" size=".5 .2 .3" pos="1 -1 1" euler="50 20 0"/>
      <camera name="near" pos="0 -1 .6" xyaxes="1 0 0 0 .6 .8"/><camera name="far" pos="0 -4 4" xyaxes="1 0 0 0 .7 .7"/>
      <camera name="below" pos="0 0 -2" xyaxes="1 0 0 0 -1 0"/></worldbody></mujoco>"""
    pictures = []
    for large, piece in ((10**9, 1000), (50, 20)):
        monkeypatch.setattr(geometry, "LARGE", large)
        monkeypatch.setattr(geometry, "PIECE", piece)
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        with sinew.Renderer(model, 120, 160) as renderer:
            renderer.update_scene(data, camera)
            pictures.append(renderer.render())
            pieces = renderer._drawing.geometry.pieces
            assert (pieces[:, 1].max() > 10) == (large < 100)
    # the order of faces of a clear shape is another one, and no face of a clear plane hides another
    assert different(*pictures, 0) <= 4 and pictures[0].any()


@pytest.mark.parametrize("quality", [None, "fast"])
def test_ten_thousand_geoms(quality):
    geoms = "".join(
        f'<geom type="{kind}" size=".05 .05 .05" pos="{k / 10} {row / 10} .05" rgba=".5 .5 .5 {1 - row % 2 / 2}"/>'
        for k in range(100)
        for row, kind in enumerate(20 * ("sphere", "box", "capsule", "cylinder", "ellipsoid"))
    )
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with sinew.Renderer(model, 120, 160, 10_100, quality=quality) as renderer:
        renderer.update_scene(data)
        renderer.scene.flags[SHADOW] = 0
        assert renderer.scene.ngeom == 10_000
        assert np.count_nonzero(renderer.render().any(axis=-1)) > 3000


def test_fast_pictures_look_like_fine_ones():
    model = mujoco.MjModel.from_xml_string(EMPTY.replace("<worldbody/>", """<worldbody>
      <light pos="1 1 3" dir="-.2 -.2 -1"/><geom type="plane" size="3 3 .1"/><geom size=".3" pos="0 0 .3"/>
      <geom type="capsule" size=".1 .4" pos=".7 0 .5"/><geom type="cylinder" size=".2 .3" pos="-.7 .3 .3"/>
      <geom type="ellipsoid" size=".2 .1 .3" pos="0 .8 .3"/></worldbody>"""))  # fmt: skip
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    pictures = []
    for quality in ("fast", "fine"):
        with sinew.Renderer(model, 240, 320, quality=quality) as renderer:
            renderer.update_scene(data)
            pictures.append(renderer.render())
    assert np.abs(pictures[0].astype(int) - pictures[1]).mean() < 2
