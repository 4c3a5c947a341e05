"""Single geoms of each type against the peer's pictures: colours, depths, wires; sizes that are none; rays."""

import functools

import numpy as np
import pytest

import sinew
from both_sides import different, pictures_of
from scene_calls import EMPTY, KINDS, PERSPECTIVE, geom, light, request
from sinew import mujoco

WIRES = {1: 1}
SIZES = {
    "plane": (0.4, 0.3, 1),
    "sphere": (0.4, 0.3, 1),
    "capsule": (0.3, 0.5, 1),
    "ellipsoid": (0.4, 0.3, 0.8),
    "cylinder": (0.3, 0.5, 1),
    "box": (0.4, 0.3, 0.8),
    "arrow": (0.1, 0.15, 2),
    "arrow1": (0.1, 0.15, 2),
    "arrow2": (0.1, 0.15, 2),
    "line": (3, 0.6, 1),
    "linebox": (0.5, 0.6, 0.7),
    "triangle": (0.8, 0.6, 1),
    "label": (0.3, 0.3, 0.3),
    "none": (0.3, 0.3, 0.3),
}
UNEQUAL = {"sphere": (0.5, 0.3, 0.2), "capsule": (0.4, 0.2, 0.3), "cylinder": (0.4, 0.2, 0.3)}


def _requests():
    for kind, size in SIZES.items():
        yield kind, request([geom(kind, size)])
        yield f"{kind} near", request([geom(kind, size)], cameras=[PERSPECTIVE])
        yield f"{kind} open", request([geom(kind, size)], flags={9: 0})
        yield f"{kind} behind the eye", request([geom(kind, size, (0, 0, 4.6))])
        yield f"{kind} wires", request([geom(kind, size)], flags=WIRES)
        yield f"{kind} open wires", request([geom(kind, size)], flags=WIRES | {9: 0})
    for kind, size in UNEQUAL.items():
        yield f"{kind} unequal", request([geom(kind, (1, 1, 1), sizes=size)])
    for kind in ("sphere", "capsule", "cylinder", "arrow"):
        for slices, stacks in ((3, 2), (5, 3), (28, 16)):
            quality = {"numslices": slices, "numstacks": stacks, "numquads": 1}
            given = request([geom(kind, SIZES[kind])], quality=quality)
            yield f"{kind} {slices} x {stacks}", given
    yield "box of one cell", request([geom("box", SIZES["box"])], quality={"numquads": 1})
    turned = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float)
    for samples in (0, 4):
        for width, slope in ((0, 0.3), (0.3, 0.3), (1, 1.2), (2.4, 0.3), (7.5, 0.8)):
            c, s = np.cos(slope), np.sin(slope)
            along = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ turned
            line = geom("line", (width, 1, 1), (-0.5, -0.5, 0), along.ravel().tolist())
            given = request([line], quality={"offsamples": samples}, linewidth=1.7)
            yield f"line {width} {slope} with {samples} samples", given
        given = request([geom("linebox", SIZES["linebox"])], quality={"offsamples": samples})
        yield f"linebox with {samples} samples", given


REQUESTS = dict(_requests())


@functools.cache
def drawn():
    return pictures_of(REQUESTS)


# wires and lines are not filled by the same rules: at their ends and corners a few pixels are another colour
FILLED = [name for name in REQUESTS if "wires" not in name and "line" not in name]
THIN = [name for name in REQUESTS if name not in FILLED]


@pytest.mark.parametrize("name", FILLED)
def test_filled_shapes_are_the_peers_to_the_pixel(name):
    (ours, our_depths), (theirs, their_depths) = drawn()[name]
    assert (theirs.any() or name.startswith(("label", "none"))) or "behind" in name
    assert different(ours, theirs) <= 3
    # the steps of 32 bits at the far end, and the slope of a facet over the error of a pixel's middle
    far = np.abs(our_depths - their_depths)
    assert np.count_nonzero(far > 1e-5) <= 3


@pytest.mark.parametrize("name", THIN)
def test_wires_and_lines(name):
    (ours, _), (theirs, _) = drawn()[name]
    covered = np.count_nonzero(theirs.any(axis=-1))
    # wires of arrows and of sides that are seen through others lie upon each other: the last one drawn is seen
    share = 0.12 if "arrow" in name or "open" in name else 0.05
    assert different(ours, theirs, 8) <= max(6, share * covered)


PLANES = {
    "finite": '<geom type="plane" size="3 2 .7"/>',
    "one cell": '<geom type="plane" size="3 2 9"/>',
    "many cells": '<geom type="plane" size="3 2 .01"/>',
    "endless": '<geom type="plane" size="0 0 .1"/>',
    "endless along x": '<geom type="plane" size="0 1 .3"/>',
    "tilted": '<geom type="plane" size="0 0 .1" euler="10 -15 30"/>',
    "turned away": '<geom type="plane" size="2 2 .5" euler="180 0 0"/>',
}
LAMPS = [
    light(diffuse=(0.3, 0.4, 0.5), specular=(0.4, 0.4, 0.4), dir=(0.3, 0.2, -1)),
    light(type=0, pos=(0.5, 0.5, 2), cutoff=40, exponent=3, diffuse=(0.5, 0.5, 0.3)),
]


@functools.cache
def planes():
    asked = {
        name: request(model=EMPTY.replace("<worldbody/>", f"<worldbody>{text}</worldbody>"), lights=LAMPS, cameras=[PERSPECTIVE])
        for name, text in PLANES.items()
    }  # fmt: skip
    return pictures_of(asked)


@pytest.mark.parametrize("name", PLANES)
def test_planes_of_a_model_have_the_peers_cells(name):
    (ours, our_depths), (theirs, their_depths) = planes()[name]
    # cells of endless planes are the peer's near the eye alone
    assert different(ours, theirs, 2) <= (60 if "endless" in name or name == "tilted" else 10)
    assert np.abs(ours.astype(int) - theirs).mean() < 0.25
    assert np.count_nonzero(np.abs(our_depths - their_depths) > 1e-5) <= 3


# ---- what cannot be drawn

NO_SIZES = [(0, 0, 0), (1e-30, 1e-30, 1e-30), (np.nan,) * 3, (np.inf, 1, 1), (1, np.nan, 0)]


@pytest.mark.parametrize("size", NO_SIZES, ids=str)
def test_sizes_that_are_none_draw_nothing(size):
    kinds = [KINDS[kind] for kind in SIZES if "line" not in kind]
    model = mujoco.MjModel.from_xml_string(EMPTY)
    with sinew.Renderer(model, 40, 40) as renderer:
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        renderer.update_scene(data)
        for row, kind in zip(renderer.scene.geoms, kinds, strict=False):
            mujoco.mjv_initGeom(row, kind, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4))
            row.size[:] = size
        renderer.scene.ngeom = len(kinds)
        picture = renderer.render()
    # a point may still cover the middle of a pixel
    assert np.count_nonzero(picture.any(axis=-1)) <= 4


@pytest.mark.parametrize("member", ["pos", "mat", "size", "rgba"])
def test_numbers_that_are_none_leave_the_others_alone(member):
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><light pos="0 0 5"/><geom size=".1"/><geom size=".2" pos="1 0 0"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with sinew.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data)
        before = renderer.render()
        getattr(renderer.scene.geoms[0], member)[:] = np.nan
        after = renderer.render()
    right = slice(40, None)
    assert np.array_equal(before[:, right], after[:, right]) and before[:, right].any()


@pytest.mark.parametrize("member", ["numslices", "numstacks", "numquads"])
@pytest.mark.parametrize("number", [-1, 0, 1, 2])
def test_hardly_any_facets_are_no_error(member, number):
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='.1'/><geom type='capsule' size='.1 .1'/><geom type='cylinder' size='.1 .1'/>"
        "<geom type='box' size='.1 .1 .1'/><geom type='plane' size='1 1 .1'/></worldbody></mujoco>"
    )
    setattr(model.vis.quality, member, number)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with sinew.Renderer(model, 40, 40) as renderer:
        renderer.update_scene(data)
        renderer.render()


# ---- depths against rays, which the engine casts at the exact shapes

RAYS = {
    "sphere": 'type="sphere" size=".4"',
    "capsule": 'type="capsule" size=".2 .4" euler="30 50 10"',
    "ellipsoid": 'type="ellipsoid" size=".4 .3 .5" euler="30 50 10"',
    "cylinder": 'type="cylinder" size=".3 .4" euler="30 50 10"',
    "box": 'type="box" size=".4 .3 .5" euler="30 50 10"',
    "plane": 'type="plane" size="1 1 .1" euler="30 20 0"',
    "mesh": 'type="mesh" mesh="m" euler="30 50 10"',
    "hfield": 'type="hfield" hfield="h" euler="30 20 0"',
}


@pytest.mark.parametrize("quality", [None, "fast"])
@pytest.mark.parametrize("kind", RAYS)
def test_depths_are_those_of_rays(kind, quality):
    size = 60
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><quality numslices="64" numstacks="48" offsamples="0" shadowsize="0"/></visual>
      <asset><mesh name="m" vertex="0 0 0 1.2 0 0 0 1.3 0 0 0 1.4"/>
        <hfield name="h" nrow="3" ncol="4" size=".6 .5 .3 .1" elevation="0 .3 0 1 .5 .2 .8 .1 0 .4 .9 1"/></asset>
      <worldbody><geom {RAYS[kind]}/><camera name="c" pos="0 0 5" fovy="30"/></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with sinew.Renderer(model, size, size, quality=quality) as renderer:
        renderer.enable_depth_rendering()
        renderer.update_scene(data, "c")
        depths = renderer.render()
    half = np.tan(np.radians(15))
    # what is small in a fast picture has fewer facets, up to half a pixel beside the shape
    bound = 3e-3 if quality == "fast" else 1e-3
    geomid, compared = np.zeros(1, np.int32), 0
    inside = _inside(depths)
    for row, column in np.argwhere(inside):
        x = (2 * (column + 0.5) / size - 1) * half
        y = (1 - 2 * (row + 0.5) / size) * half
        ray = np.array([x, y, -1.0])
        length = mujoco.mj_ray(model, data, np.array([0, 0, 5.0]), ray, None, 1, -1, geomid)
        assert length > 0
        assert abs(depths[row, column] - length) < bound * length, (row, column)
        compared += 1
    assert compared > 100


def _inside(depths):
    """Pixels all whose neighbours show the shape, too."""
    shown = depths < 10
    inside = shown.copy()
    for shift in (-1, 1):
        for axis in (0, 1):
            inside &= np.roll(shown, shift, axis)
    return inside
