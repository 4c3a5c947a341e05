"""Flexes in scenes: geoms, vertices and faces as the pinned peer makes them, what the pointer picks."""

import numpy as np
import pytest

import flexes
from scene_pair import Pair, ours, peer

ALL = [1] * 6
NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
REST = """<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" rgba="1 0 0 1" texture="t"/>
<material name="glass" rgba="0 1 0 .4"/></asset>"""
BALL = '<geom name="stand" size=".02" pos="-1 0 0"/><body name="free" pos="-1 1 0"><freejoint/><geom size=".1"/></body>'
MAP = "texcoord='" + " ".join(f"{u / 3} {v / 2}" for u in range(4) for v in range(3)) + "'"


def wave(places):
    return places * [1, 2, 1] + 0.04 * np.sin(9 * places[:, [1, 2, 0]])


def text():
    string = flexes.part((4,), name="s", children=NONE, shape=wave)
    sheet = flexes.part((4, 3), name="f", children=NONE, offset=(0, 0, 1), shape=wave,
                        attributes=f'material="m" {MAP}')  # fmt: skip
    flat = flexes.part((3, 3), name="g", children=NONE, offset=(1, 0, 0), shape=wave,
                       attributes='flatskin="true" rgba=".1 .2 .3 .5" radius=".01" group="2"')  # fmt: skip
    solid = flexes.part(
        (4, 3, 3),
        name="b",
        children=NONE,
        offset=(0, 1, 0),
        shape=wave,
        attributes='material="glass"',
    )
    stone = flexes.part(
        (2, 2, 2), name="r", children=NONE, offset=(0, 2, 0), attributes='flatskin="true" group="4"'
    )
    return flexes.model(string, sheet, flat, solid, stone, world=BALL, rest=REST)


TEXT = text()
FIELDS = "nflex flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceused flexedge".split()
SWITCHES = "flexvertopt flexedgeopt flexfaceopt flexskinopt".split()


def same_flexes(pair):
    here, there = pair.scene
    for name in FIELDS + SWITCHES:
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name), err_msg=name)
    np.testing.assert_allclose(here.flexvert, there.flexvert, atol=1e-6)
    for f in range(here.nflex):
        for name, each in (("flexface", 9), ("flexnormal", 9), ("flextexcoord", 6)):
            if name == "flextexcoord" and pair.m[0].flex_texcoordadr[f] < 0:
                continue
            mine, theirs = (faces_of(scene, f, name, each) for scene in pair.scene)
            if name == "flexnormal" and pair.m[0].flex_flatskin[f]:
                mine, theirs = (
                    np.abs(mine),
                    np.abs(theirs),
                )  # 3.3.7 leaves those of back sides, 4.0.1 does not
            np.testing.assert_allclose(mine, theirs, atol=2e-6, err_msg=f"{name} of flex {f}")


def faces_of(scene, flex, name, each):
    first, count = int(scene.flexfaceadr[flex]), int(scene.flexfaceused[flex])
    return getattr(scene, name)[each * first : each * (first + count)]


def pair_of(**options):
    pair = Pair(TEXT)
    pair.randomise(np.random.default_rng(1))
    pair.option(flexgroup=ALL, **options)
    return pair


@pytest.mark.parametrize("vert", [0, 1])
@pytest.mark.parametrize(
    "edge, face, skin", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 1, 1)]
)
def test_switches(vert, edge, face, skin):
    flags = {"FLEXVERT": vert, "FLEXEDGE": edge, "FLEXFACE": face, "FLEXSKIN": skin}
    pair = pair_of(flags=flags)
    pair.check()
    if any(flags.values()):
        same_flexes(pair)


@pytest.mark.parametrize("layer", [0, 1, 5])
def test_layers(layer):
    pair = pair_of(flags={"FLEXSKIN": 0, "FLEXFACE": 1}, flex_layer=layer)
    pair.check()
    same_flexes(pair)


def test_groups_labels_selection_and_glass():
    pair = pair_of(label="FLEX")
    pair.perturb(flexselect=1)
    pair.check()
    pair.option(flexgroup=[1, 1, 0, 1, 1, 1], flags={"TRANSPARENT": 1})
    pair.check()
    same_flexes(pair)
    for categories in (1, 2, 4):
        pair.check(categories)


def test_the_pointer_picks_the_nearest_vertex():
    pair = pair_of()
    for cam in pair.cam:
        cam.lookat[:], cam.distance, cam.elevation, cam.azimuth = (0.2, 0.2, 1), 2, -60, 80
    pair.check()
    found = 0
    rng = np.random.default_rng(2)
    for x, y in rng.uniform(0.35, 0.65, (30, 2)):
        answers = []
        for module, m, d, opt, scene in zip(
            (ours, peer), pair.m, pair.d, pair.opt, pair.scene, strict=True
        ):
            point, ids = np.zeros(3), [np.full((1, 1), -9, np.int32) for _ in range(3)]
            body = module.mjv_select(m, d, opt, 1.0, x, y, scene, point, *ids)
            answers.append((body, [int(i[0, 0]) for i in ids], point))
        assert answers[0][:2] == answers[1][:2]
        np.testing.assert_allclose(answers[0][2], answers[1][2], atol=1e-6)
        found += answers[0][1][1] == 1
    assert found > 3


def picked(pair, x, y):
    """What both pick at a place: body, ids, point."""
    answers = []
    parts = zip((ours, peer), pair.m, pair.d, pair.opt, pair.scene, strict=True)
    for module, m, d, opt, scene in parts:
        point, ids = np.zeros(3), [np.full((1, 1), -9, np.int32) for _ in range(3)]
        body = module.mjv_select(m, d, opt, 1.0, x, y, scene, point, *ids)
        answers.append((body, [int(i[0, 0]) for i in ids], point.round(5).tolist()))
    return answers


@pytest.mark.parametrize("flags", ["SKIN", "FACE", "EDGE", "VERT", "EDGE VERT", "FACE EDGE", ""])
def test_what_is_shown_is_picked(flags):
    """Strings with their skin, too, as they are drawn then."""
    switches = {f"FLEX{k}": int(k in flags.split()) for k in ("VERT", "EDGE", "FACE", "SKIN")}
    pair, found = pair_of(flags=switches, flex_layer=0), set()
    for lookat in ((0.2, 0.2, 1), (0.2, 1.2, 0), (0.2, 0, 0)):
        for cam in pair.cam:
            cam.lookat[:], cam.distance, cam.elevation, cam.azimuth = lookat, 0.8, -60, 80
        pair.check()
        for x, y in np.random.default_rng(3).uniform(0.2, 0.8, (80, 2)):
            here, there = picked(pair, x, y)
            string = here[1][1] == 0 and flags == "SKIN"
            assert string or here == there
            found.add(here[1][1])
    assert found >= {"SKIN": {0, 1, 3}, "FACE": {1, 3}, "EDGE": {0, 1, 3}}.get(flags, {-1})


def test_a_scene_of_another_model_keeps_its_flexes():
    model = ours.MjModel.from_xml_string(TEXT)
    data = ours.MjData(model)
    ours.mj_forward(model, data)
    scene = ours.MjvScene(ours.MjModel.from_xml_string(flexes.grid((3,), children=NONE)), 100)
    before = np.copy(scene.flexvert)
    ours.mjv_updateScene(model, data, ours.MjvOption(), None, ours.MjvCamera(), 7, scene)
    np.testing.assert_array_equal(scene.flexvert, before)
