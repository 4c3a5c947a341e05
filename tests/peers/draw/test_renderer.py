"""Renderer, MjrContext and the functions around drawing against the peer's: answers, errors, arrays, buffers."""

import functools

import mujoco as peer
import numpy as np
import pytest

import sinew
from both_sides import both
from models import folder, random_state
from sinew import mujoco

MODULE = "drawn_calls"


def assert_equal(ours, theirs, where=""):
    """Equal to the last bit, members of members too."""
    if isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, where
        assert np.array_equal(ours, theirs), where
    elif isinstance(theirs, tuple | list):
        assert len(ours) == len(theirs), where
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            assert_equal(*pair, f"{where}[{k}]")
    else:
        assert type(ours) is type(theirs) and ours == theirs, where


# ---- Renderer


def test_what_a_renderer_says():
    from drawn_calls import TEXTS

    for text, ours, theirs in zip(TEXTS, *both(MODULE, "errors"), strict=True):
        if isinstance(theirs, tuple) and theirs[0] == "TypeError":  # texts of Python's own
            assert ours[0] == theirs[0], text
        else:
            assert ours == theirs, text


GYMNASIUM = folder("gymnasium", "envs", "mujoco", "assets")
SUITE = folder("dm_control", "suite")
MODELS = [
    *(
        GYMNASIUM / f"{name}.xml"
        for name in ("humanoid", "ant", "walker2d_v5", "pusher", "reacher")
    ),
    *(SUITE / f"{name}.xml" for name in ("cheetah", "finger", "fish", "cartpole")),
]


def at_random(path):
    """A model by its camera in a random state: file, camera, positions, size."""
    model = peer.MjModel.from_xml_path(str(path))
    data = peer.MjData(model)
    random_state(np.random.default_rng(3), model, data, contact=True)
    return str(path), 0 if model.ncam else -1, data.qpos.tolist(), (160, 120)


@functools.cache
def drawn():
    """Both pictures of all models, by their paths."""
    pairs = zip(*both(MODULE, "pictures", [at_random(path) for path in MODELS]), strict=True)
    return dict(zip(MODELS, pairs, strict=True))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_depths_and_objects(path):
    ours, theirs = drawn()[path]
    for name in ("colours", "depths", "objects", "again"):
        assert ours[name].dtype == theirs[name].dtype and ours[name].shape == theirs[name].shape
        assert ours[name].flags.writeable and ours[name].flags.c_contiguous
    assert (ours["again"] == ours["colours"]).all() and (ours["flags"] == theirs["flags"]).all()
    other = (ours["objects"] != theirs["objects"]).any(-1)
    # Both draw the same facets; a pixel whose middle lies on an edge may fall to either side.
    assert other.mean() < 0.002
    # The peer's formula loses the last digits far away, as it divides by 1 - depth; ours has them all.
    distance = np.abs(ours["depths"] - theirs["depths"]) / theirs["depths"]
    near = ~other & (theirs["depths"] < 0.99 * theirs["far"])
    assert np.quantile(distance[near], 0.998) < 1e-5 and (distance < 1e-3).mean() > 0.995


def test_depths_are_those_of_rays():
    text = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/><camera pos=".1 -2 1" xyaxes="1 0 0 0 .5 1"/>
      <camera pos="0 -2 1" xyaxes="1 0 0 0 .5 1" orthographic="true" fovy="2"/>
      <geom type="box" size=".1 .2 .3" pos=".1 0 .4" euler="10 20 30"/></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    height, width = 30, 40
    for camera in (0, 1):
        with sinew.Renderer(model, height, width) as renderer:
            renderer.update_scene(data, camera)
            renderer.enable_depth_rendering()
            depths, far = renderer.render(), renderer.scene.camera[0].frustum_far
        place, frame = data.cam_xpos[camera], data.cam_xmat[camera].reshape(3, 3)
        for i in range(height):
            for j in range(width):
                x, y = (2 * j + 1) / width - 1, 1 - (2 * i + 1) / height
                half = 1.0 if camera else np.tan(np.radians(model.cam_fovy[0] / 2))
                across = np.array([x * half * width / height, y * half, 0.0])
                start = place + frame @ across if camera else place
                way = frame @ ([0.0, 0.0, -1.0] if camera else across - [0, 0, 1])
                hit = peer_ray(model, data, start, way)
                if hit > 0:  # floats; a parallel camera's depths are even between near and far
                    assert depths[i, j] == pytest.approx(hit, rel=2e-6, abs=far * 2e-7 * camera)
                else:
                    assert depths[i, j] == far


def peer_ray(model, data, start, way):
    """Distance along a way that is 1 long along the camera's axis."""
    geom = np.zeros(1, np.int32)
    return mujoco.mj_ray(model, data, start, way, None, 1, -1, geom)


# ---- MjrContext

NAMES = ("FBO", "Color", "DepthStencil", "Tex", "VBO")
DISPLAY_LISTS = ("base", "range")  # of old OpenGL; Sinew has none


def comparable(name):
    """Whether a member is no name of OpenGL's, which each gives as it comes."""
    return (
        not name.startswith(DISPLAY_LISTS)
        and not any(word in name for word in NAMES)
        and name != "texture"
    )


def test_members_of_contexts():
    for k, (ours, theirs) in enumerate(zip(*both(MODULE, "contexts"), strict=True)):
        assert ours.keys() == theirs.keys()
        for name, value in theirs.items():
            where = f"{k}: {name}"
            if (k, name) == (9, "glInitialized"):  # freed, and the peer says that it is not
                continue
            if name == "mat_texid":  # the peer keeps its sky behind all materials
                assert_equal(ours[name][:9000], value[:9000], where)
            elif comparable(name):
                assert_equal(ours[name], value, where)
            elif isinstance(value, np.ndarray):
                assert ours[name].dtype == value.dtype and ours[name].shape == value.shape, where
            else:
                assert type(ours[name]) is type(value), where
        if 0 < k < 9:
            made = (
                "offFBO",
                "offFBO_r",
                "offColor",
                "offColor_r",
                "offDepthStencil",
                "offDepthStencil_r",
            )
            assert all(ours[name] > 0 and theirs[name] > 0 for name in made)


# ---- buffers


def assert_pictures(ours, theirs, where, worst=3, mean=0.5):
    """Colours of pictures: those of edges are a mean of samples, whose places rounding moves."""
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, where
    if not ours.size:
        return
    if ours.dtype == np.uint8:
        difference = np.abs(ours.astype(int) - theirs)
        assert difference.mean() < mean and np.quantile(difference, 0.97) <= worst, where
        assert (((ours == 77) == (theirs == 77)).mean()) > 0.98, where  # what is untouched
    else:
        there = ours != 77  # the peer turns what it has not read, too
        difference = np.abs(ours - theirs)[there]
        assert not there.any() or (difference.max() < 1 and np.quantile(difference, 0.97) < 1e-5), (
            where
        )


def compare(ours, theirs, worst=3, mean=0.5):
    """Compare lists of answers: arrays as pictures, all else as it is."""
    assert len(ours) == len(theirs)
    for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        pictures = isinstance(b, np.ndarray) or (
            isinstance(b, tuple) and isinstance(b[0], np.ndarray)
        )
        if pictures and np.ndim(b[0]) > 0:
            for part in zip(a, b, strict=True) if isinstance(b, tuple) else [(a, b)]:
                assert_pictures(*part, k, worst, mean)
        else:
            assert_equal(a, b, str(k))


def test_viewports():
    compare(*both(MODULE, "viewports"))


def test_sizes_off_screen():
    compare(*both(MODULE, "sizes"))


def test_pixels_drawn():
    for a, b in zip(*both(MODULE, "drawn_pixels"), strict=True):
        assert_equal(a, b)


def test_buffers_beside_the_picture():
    for k, (a, b) in enumerate(zip(*both(MODULE, "auxiliaries"), strict=True)):
        assert_equal(a, b, str(k))


@pytest.mark.parametrize("samples", [0, 4])
def test_windows(samples):
    # The peer reads one sample of a window's pixels, ours their mean.
    compare(*both(MODULE, "windows", samples, api="glfw", window=True), mean=1)


# left, bottom, width, height
SAME = [
    ((0, 0, 100, 80), (10, 5, 100, 80)),
    ((30, 20, 60, 50), (120, 60, 60, 50)),
]
SCALED = [((0, 0, 100, 80), (10, 5, 50, 60)), ((20, 10, 40, 40), (0, 0, 160, 90))]


@pytest.mark.parametrize("samples", [0, 4])
def test_blits(samples):
    compare(*both(MODULE, "blits", samples, SAME, api="glfw", window=True), worst=12)


def test_scaled_blits():
    compare(*both(MODULE, "blits", 0, SCALED, api="glfw", window=True), worst=6)


def test_points_in_rectangles():
    assert_equal(*both(MODULE, "rectangles"))


def test_contexts_of_egl():
    assert_equal(*both(MODULE, "gl_contexts"))
