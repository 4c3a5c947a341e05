"""Distances and objects of pictures against rays that the engine casts through the middles of pixels."""

import functools
import os

import mujoco as peer
import numpy as np
import pytest

import models
import sinew
from sinew import mujoco

LONG = bool(os.environ.get("SINEW_LONG"))
SIZE = (240, 320) if LONG else (60, 80)  # rows and columns
# Of the distance. Round shapes are drawn with SLICES flat facets around, which lie inside the shape by
# 1 - cos(pi / 256) = 8e-5 of the radius, and by a few times that along rays that graze it: hence so many. Shapes of
# models are seen from several radii away, where half of them are as near.
NEAR = 1e-3
SLICES = 256
SLICES_OF_MODELS = 128
FOLDS = 3  # pixels of a picture
GEOM = mujoco.mjtObj.mjOBJ_GEOM

ROCK = "0 0 0 .6 0 0 0 .4 0 0 0 .5 .4 .5 .3 .1 .12 .1"
SHAPES = {
    "plane": 'type="plane" size="3 3 .1"',
    "endless plane": 'type="plane" size="0 0 .1"',
    "sphere": 'type="sphere" size=".7"',
    "capsule": 'type="capsule" size=".3 .5"',
    "ellipsoid": 'type="ellipsoid" size=".3 .7 .5"',
    "cylinder": 'type="cylinder" size=".4 .6"',
    "box": 'type="box" size=".3 .5 .6"',
    "mesh": 'type="mesh" mesh="rock"',
    "height field": 'type="hfield" hfield="hills"',
}
HILLS = " ".join(str(k * k * 7 % 23) for k in range(120))


def text(*geoms, orthographic=False):
    """The text of a model with a camera that looks at geoms."""
    kind = 'orthographic="true" fovy="3.1"' if orthographic else 'fovy="50"'
    return f"""
    <mujoco><visual><quality numslices="{SLICES}" numstacks="{SLICES}"/></visual>
      <asset><mesh name="rock" vertex="{ROCK}" inertia="shell" scale="2 2 2"/>
        <hfield name="hills" nrow="10" ncol="12" size="1 .8 .5 .2" elevation="{HILLS}"/></asset>
      <worldbody><light pos="0 0 4"/>
        <camera name="side" pos="1.7 -2.1 1.6" xyaxes=".78 .63 0 -.27 .34 .9" {kind}/>
        {"".join(geoms)}</worldbody></mujoco>"""


def free_camera(m, **members):
    """A camera of the caller's."""
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(m, camera)
    for name, value in members.items():
        setattr(camera, name, value)
    return camera


def drawn(m, d, camera, size=SIZE):
    """Distances along the axis of the camera and numbers of geoms, -1 where there is none, of a picture of geoms only."""
    option = mujoco.MjvOption()
    option.flags[:] = 0
    option.flags[mujoco.mjtVisFlag.mjVIS_STATIC] = 1
    option.geomgroup[:] = 1
    option.sitegroup[:] = 0
    with sinew.Renderer(m, *size) as renderer:
        renderer.update_scene(d, camera, option)
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.enable_segmentation_rendering()
        objects = renderer.render()
    assert np.isin(objects[..., 1], (-1, GEOM)).all()
    return depth, objects[..., 0]


def eye(m, d, camera):
    """Place, right, up and forward of a camera, half the height of what it sees (at distance 1), whether orthographic."""
    if isinstance(camera, mujoco.MjvCamera):
        turn, rise = np.radians([camera.azimuth, camera.elevation])
        forward = np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
        right = np.array([np.sin(turn), -np.cos(turn), 0])
        place = camera.lookat - camera.distance * forward
        fovy, flat = m.vis.global_.fovy, bool(m.vis.global_.orthographic)
    else:
        right, _, backward = d.cam_xmat[camera].reshape(3, 3).T
        place, forward = d.cam_xpos[camera], -backward
        fovy, flat = m.cam_fovy[camera], bool(m.cam_orthographic[camera])
    half = fovy / 2 if flat else np.tan(np.radians(fovy) / 2)
    return place, right, np.cross(right, forward), forward, half, flat


def rays(m, d, camera, size=SIZE):
    """As `drawn`, by rays."""
    place, right, up, forward, half, flat = eye(m, d, camera)
    height, width = size
    across = (np.arange(width) + 0.5 - width / 2) * 2 * half / height
    upward = (height / 2 - np.arange(height) - 0.5) * 2 * half / height
    aside = across[None, :, None] * right + upward[:, None, None] * up
    if flat:
        starts = (place + aside).reshape(-1, 3)
        found = np.empty(len(starts))
        number = np.empty((len(starts), 1), np.int32)
        for k, start in enumerate(starts):
            found[k] = mujoco.mj_ray(m, d, start, forward, None, 1, -1, number[k])
        return found.reshape(size), number.reshape(size)
    way = (forward + aside).reshape(-1, 3)
    # along a direction whose part along the axis is 1, the length is the distance along the axis
    found, number = np.empty(len(way)), np.empty(len(way), np.int32)
    mujoco.mj_multiRay(
        m, d, place, way.ravel(), None, 1, -1, number, found, len(way), mujoco.mjMAXVAL
    )
    return found.reshape(size), number.reshape(size)


def inside(number):
    """Pixels whose neighbours show the same object; the outermost ones have not all."""
    middle = number[1:-1, 1:-1]
    height, width = number.shape
    same = np.ones(middle.shape, bool)
    for row in range(3):
        for column in range(3):
            same &= number[row : row + height - 2, column : column + width - 2] == middle
    return np.pad(same, 1)


def between(depth, distance):
    """Pixels whose depth is one of those that rays find about them."""
    around = np.lib.stride_tricks.sliding_window_view(np.pad(distance, 1, "edge"), (3, 3))
    low, high = around.min((2, 3)), around.max((2, 3))
    return (depth > (1 - NEAR) * low) & (depth < (1 + NEAR) * high)


def compare(m, d, camera, least=0.01, size=SIZE):
    """Both agree inside shapes, which are at least that part of the picture; return how far they are apart."""
    depth, number = drawn(m, d, camera, size)
    distance, hit = rays(m, d, camera, size)
    within = inside(number) & inside(hit)
    assert within[number >= 0].sum() > least * number.size, "nothing to see"
    assert (number != hit).mean() < 0.02  # edges only
    wrong = within & (number != hit)
    assert not wrong.any(), np.argwhere(wrong)[:5]
    far = m.vis.map.zfar * m.stat.extent
    seen = within & (number >= 0)
    assert (depth[number < 0] >= 0.999 * far).all()
    error = np.where(seen, np.abs(depth - distance) / distance, 0)
    far_off = error > NEAR
    # where a shape hides a part of itself, its own edge may fall on the middle of a pixel
    assert far_off.sum() <= FOLDS, np.argwhere(far_off)[:5]
    assert (between(depth, distance) | ~far_off).all()
    return error[~far_off].max()


@functools.cache
def geom(name):
    """A model of one shape."""
    turn = "" if name.endswith(("plane", "field")) else 'euler="20 30 40"'
    return f"<geom {SHAPES[name]} {turn}/>"


@pytest.mark.parametrize("camera", ["of the model", "free", "orthographic", "free, orthographic"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape(name, camera):
    m = mujoco.MjModel.from_xml_string(text(geom(name), orthographic=camera == "orthographic"))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    seen = 0
    if camera.startswith("free"):
        flat = camera.endswith("orthographic")
        m.vis.global_.fovy, m.vis.global_.orthographic = (3.0, 1) if flat else (45.0, 0)
        seen = free_camera(m, azimuth=70, elevation=-35, distance=3, lookat=[0.1, 0.05, 0])
    compare(m, d, seen)


def test_all_shapes_in_each_others_way():
    rng = np.random.default_rng(0)
    geoms = [
        '<geom {} pos="{} {} {}" euler="{} {} {}"/>'.format(
            SHAPES[name], *rng.uniform(-0.8, 0.8, 3), *rng.uniform(0, 360, 3)
        )
        for name in list(SHAPES)[2:]
        for _ in range(3)
    ]
    m = mujoco.MjModel.from_xml_string(text(*geoms, geom("endless plane")))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    compare(m, d, 0, 0.3, (240, 320))


SUITE = [f"{name}.xml" for name in ("dog", "fish", "humanoid", "manipulator", "quadruped")]
ASSETS = [f"{name}.xml" for name in ("ant", "half_cheetah", "humanoid", "pusher", "walker2d_v5")]
PATHS = [models.folder("dm_control", "suite", name) for name in SUITE] + [
    models.folder("gymnasium", "envs", "mujoco", "assets", name) for name in ASSETS
]


def take_random_state(other, m, d, seed):
    """Positions that are random, of the peer's model."""
    state = peer.MjData(other)
    models.random_state(np.random.default_rng(seed), other, state, True)
    d.qpos[:], d.mocap_pos[:], d.mocap_quat[:] = state.qpos, state.mocap_pos, state.mocap_quat
    mujoco.mj_forward(m, d)


def from_outside(m, d, rng):
    """A free camera that looks at the largest part that moves, in front of all planes: rays do not meet their backs."""
    shape = m.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    largest = np.argmax(m.geom_rbound * (m.geom_bodyid > 0) * shape)
    planes = np.flatnonzero(~shape)
    while True:
        camera = free_camera(
            m,
            lookat=d.geom_xpos[largest],
            distance=7 * m.geom_rbound[largest],
            azimuth=rng.uniform(0, 360),
            elevation=rng.uniform(-60, -5),
        )
        aside = eye(m, d, camera)[0] - d.geom_xpos[planes]
        if ((aside * d.geom_xmat[planes].reshape(-1, 3, 3)[..., 2]).sum(1) > 0).all():
            return camera


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_models_at_random_states(path):
    """By the first camera, and by free ones from all sides."""
    m = mujoco.MjModel.from_xml_path(str(path))
    m.vis.quality.numslices = m.vis.quality.numstacks = SLICES_OF_MODELS
    rng = np.random.default_rng(7)
    d = mujoco.MjData(m)
    other = models.known(path)
    for k in range(5 if LONG else 2):
        take_random_state(other, m, d, k)
        if k == 0 and m.ncam:
            compare(m, d, 0)
            continue
        camera = from_outside(m, d, rng)
        compare(m, d, camera)
