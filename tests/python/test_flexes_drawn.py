"""Pictures of flexes: faces where the elements are, edges and vertices, textures, both sides, what they are of."""

import numpy as np
import pytest

import sinew.mujoco as mj
from sinew.draw import flexes, kinds

NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
HEAD = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><quality shadowsize="0"/></visual>
<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
<material name="m" texture="t"/></asset>"""
SKIN, FACE, EDGE, VERT = 27, 26, 25, 24  # mjtVisFlag


def bodies(places):
    slides = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
    inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    return "".join(
        f'<body name="b{i}" pos="{x} {y} {z}">{inertia}{slides}</body>'
        for i, (x, y, z) in enumerate(places)
    )


def scene(places, element, attributes, head=HEAD):
    """A model of one flex, seen from above from 0 to 1 along both axes."""
    dim = len(element[0]) - 1
    flex = (
        f'<flex name="f" dim="{dim}" body="{" ".join(f"b{i}" for i in range(len(places)))}" '
        f'element="{" ".join(str(v) for e in element for v in e)}" {attributes}>{NONE}</flex>'
    )
    camera = '<camera name="c" pos=".5 .5 3" projection="orthographic" fovy="1"/>'
    text = f"{head}<worldbody>{camera}{bodies(places)}</worldbody><deformable>{flex}</deformable></mujoco>"
    model = mj.MjModel.from_xml_string(
        text.replace(' projection="orthographic"', ' orthographic="true"')
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    return model, data


def picture(model, data, *flags, camera="c", segmentation=False):
    option = mj.MjvOption()
    for flag in (SKIN, FACE, EDGE, VERT):
        option.flags[flag] = flag in flags
    with mj.Renderer(model, 100, 100) as renderer:
        if segmentation:
            renderer.enable_segmentation_rendering()
        renderer.update_scene(data, camera, option)
        return renderer.render().copy()


SQUARE = [(0.2, 0.2, 0), (0.8, 0.2, 0), (0.8, 0.8, 0), (0.2, 0.8, 0)]
TRIANGLES = [(0, 1, 2), (0, 2, 3)]


def at(image, x, y):
    """The pixel at a place."""
    return image[round(99 * (1 - y)), round(99 * x)].tolist()


@pytest.mark.parametrize("flag", [SKIN, FACE])
def test_faces(flag):
    model, data = scene(SQUARE, TRIANGLES, 'rgba="0 1 0 1" radius=".001"')
    image = picture(model, data, flag)
    assert at(image, 0.5, 0.5) == at(image, 0.3, 0.7) == [0, 255, 0]
    assert at(image, 0.1, 0.5) == at(image, 0.9, 0.9) == [0, 0, 0]
    data.qpos[0::3] += 0.15  # all of it moves along x
    mj.mj_forward(model, data)
    image = picture(model, data, flag)
    assert at(image, 0.9, 0.5) == [0, 255, 0] and at(image, 0.25, 0.5) == [0, 0, 0]


def test_both_sides():
    model, data = scene(SQUARE, [e[::-1] for e in TRIANGLES], 'rgba="0 1 0 1" radius=".001"')
    assert at(picture(model, data, SKIN), 0.5, 0.5) == [0, 255, 0]


def test_texture_by_its_coordinates():
    model, data = scene(SQUARE, TRIANGLES, 'material="m" texcoord="0 0 1 0 1 1 0 1" radius=".001"')
    image = picture(model, data, SKIN)
    corners = [at(image, x, y) for x, y in ((0.3, 0.3), (0.7, 0.7), (0.3, 0.7), (0.7, 0.3))]
    assert corners[0] == corners[1] != corners[2] == corners[3]
    assert sorted(map(tuple, corners))[::3] == [(0, 0, 255), (255, 0, 0)]


def test_edges_and_vertices():
    model, data = scene(SQUARE, TRIANGLES, 'rgba="0 1 0 1" radius=".02"')
    edges = picture(model, data, EDGE)
    assert at(edges, 0.5, 0.2) == at(edges, 0.5, 0.5) == [0, 255, 0]
    assert at(edges, 0.4, 0.7) == [0, 0, 0]
    balls = picture(model, data, VERT)
    assert at(balls, 0.2, 0.2) == [0, 255, 0] and at(balls, 0.5, 0.2) == [0, 0, 0]
    assert not picture(model, data).any()


@pytest.mark.parametrize("flag", [SKIN, EDGE])
def test_strings_are_capsules(flag):
    model, data = scene(SQUARE, [(0, 1), (1, 2)], 'rgba="0 1 0 1" radius=".03"')
    image = picture(model, data, flag)
    assert at(image, 0.5, 0.2) == at(image, 0.8, 0.5) == [0, 255, 0] and at(image, 0.5, 0.5) == [
        0,
        0,
        0,
    ]


@pytest.mark.parametrize("flag", [SKIN, FACE])
def test_tetrahedra(flag):
    top = [*SQUARE[:3], (0.5, 0.4, 0.5)]
    model, data = scene(top, [(0, 1, 2, 3)], 'rgba="0 1 0 1" radius="0"')
    image = picture(model, data, flag)
    assert at(image, 0.6, 0.4) == [0, 255, 0] and at(image, 0.3, 0.7) == [0, 0, 0]


LOOKS = HEAD.replace(
    "</asset>", '<material name="a" rgba="1 0 0 1"/><material name="b" rgba="0 1 0 1"/></asset>'
)


def coloured(places, element, material, attributes='radius=".001"'):
    return scene(places, element, f'material="{material}" {attributes}', LOOKS)


@pytest.mark.parametrize("flag", [SKIN, FACE])
def test_each_element_has_its_material(flag):
    model, data = coloured(SQUARE, TRIANGLES, "b a")
    image = picture(model, data, flag)
    assert (at(image, 0.6, 0.4), at(image, 0.4, 0.6)) == ([0, 255, 0], [255, 0, 0])
    found = picture(model, data, flag, segmentation=True)
    assert set(map(tuple, found.reshape(-1, 2).tolist())) == {(-1, -1), (0, 9)}
    assert len(sinew_scene_rows(model, data)) == 2


def test_edges_and_vertices_have_the_material_of_their_first_element():
    model, data = coloured(SQUARE, TRIANGLES, "b a", 'radius=".02"')
    image = picture(model, data, EDGE)
    assert at(image, 0.5, 0.2) == at(image, 0.5, 0.5) == [0, 255, 0]
    assert at(image, 0.5, 0.8) == at(image, 0.2, 0.5) == [255, 0, 0]
    balls = picture(model, data, VERT)
    assert (at(balls, 0.8, 0.8), at(balls, 0.2, 0.8)) == ([0, 255, 0], [255, 0, 0])


def test_strings_of_several_materials():
    model, data = coloured(SQUARE, [(0, 1), (1, 2), (2, 3)], "b a b", 'radius=".03"')
    image = picture(model, data, SKIN)
    assert at(image, 0.5, 0.2) == at(image, 0.5, 0.8) == [0, 255, 0]
    assert at(image, 0.8, 0.5) == [255, 0, 0]


@pytest.mark.parametrize("flag", [SKIN, FACE])
def test_tetrahedra_of_two_materials(flag):
    places = [*SQUARE, (0.5, 0.5, 0.5)]
    model, data = coloured(places, [(0, 1, 2, 4), (0, 2, 3, 4)], "b a", 'radius="0"')
    image = picture(model, data, flag)
    assert (at(image, 0.6, 0.4), at(image, 0.4, 0.6)) == ([0, 255, 0], [255, 0, 0])


def sinew_scene_rows(model, data):
    made = mj.MjvScene(model, 10)
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, mj.MjvCamera(), 7, made)
    return [g for g in made.geoms[: made.ngeom] if g.type == kinds.FLEX]


def test_segmentation_tells_the_flex():
    model, data = scene(SQUARE, TRIANGLES, 'radius=".01"')
    for flags in ((SKIN,), (EDGE, VERT)):
        found = picture(model, data, *flags, segmentation=True)
        assert set(map(tuple, found.reshape(-1, 2).tolist())) == {(-1, -1), (0, 9)}  # mjOBJ_FLEX


def test_room_is_that_of_scenes():
    for places, element in ((SQUARE, TRIANGLES), ([*SQUARE[:3], (0.5, 0.4, 0.5)], [(0, 1, 2, 3)])):
        model, _ = scene(places, element, "")
        assert flexes.room(model, 0) == mj.MjvScene(model, 10).flexfacenum[0]


def test_scenes_of_another_model_are_told():
    model, _ = scene(SQUARE, TRIANGLES, "")
    with pytest.raises(ValueError, match="it is of another model"):
        flexes.vertices(mj.MjvScene(model, 10), {"objid": 0, "dataid": -1}, 3)
    rows = mj.MjvScene(model, 10)._geom_rows[:1].copy()
    rows["type"], rows["objid"] = kinds.FLEX, 5
    assert len(flexes.spelled_out(rows, mj.MjvScene(model, 10))) == 1
    assert np.array_equal(rows, flexes.spelled_out(rows, mj.MjvScene(model, 10)))
