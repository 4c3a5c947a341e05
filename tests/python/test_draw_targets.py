"""Renderer's arrays, and the buffers that are drawn into: what is refused, what is replaced, what stays."""

import contextlib
import threading

import numpy as np
import pytest

import sinew
from contexts_here import OSMESA
from sinew import mujoco
from sinew.draw import bindings
from sinew.draw.libraries import DrawingError
from sinew.mujoco import osmesa

TEXT = """<mujoco><visual><global offwidth="90" offheight="60"/></visual><worldbody><light pos="0 0 3"/>
  <camera name="front" pos="0 -2 1" xyaxes="1 0 0 0 .5 1"/><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .2 .3" rgba="1 .5 0 1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def scene():
    """Model, data, and their scene as the first camera sees it."""
    model = mujoco.MjModel.from_xml_string(TEXT)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene, camera = mujoco.MjvScene(model, 20), mujoco.MjvCamera()
    camera.type, camera.fixedcamid = 2, 0
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    return model, data, scene


@pytest.fixture
def context(scene):
    """A context off screen."""
    made = mujoco.MjrContext(scene[0], 150)
    yield made
    made.free()


@pytest.fixture
def window(scene):
    """A context with a window of 50 x 40, in memory."""
    if not OSMESA:
        pytest.skip("this system's Mesa has no OSMesa")
    gl = osmesa.GLContext(50, 40)
    gl.make_current()
    made = mujoco.MjrContext(scene[0], 150)
    yield made
    made.free()
    gl.free()
    assert bindings.current() is None


def rect(*numbers):
    return mujoco.MjrRect(*numbers)


def read(context, *numbers):
    """Colours and depths of a rectangle, over 7."""
    where = rect(*numbers) if numbers else mujoco.mjr_maxViewport(context)
    rgb = np.full((where.height, where.width, 3), 7, np.uint8)
    depth = np.full((where.height, where.width), 7, np.float32)
    mujoco.mjr_readPixels(rgb, depth, where, context)
    return rgb, depth


# ---- Renderer


@pytest.fixture(scope="module")
def renderer(scene):
    made = sinew.Renderer(scene[0], 40, 50)
    made.update_scene(scene[1], "front")
    yield made
    made.close()


MODES = {
    "colours": (lambda r: r, np.uint8, (40, 50, 3)),
    "depths": (sinew.Renderer.enable_depth_rendering, np.float32, (40, 50)),
    "objects": (sinew.Renderer.enable_segmentation_rendering, np.int32, (40, 50, 2)),
}


@contextlib.contextmanager
def mode(renderer, name):
    MODES[name][0](renderer)
    yield renderer
    renderer.disable_depth_rendering()
    renderer.disable_segmentation_rendering()


@pytest.mark.parametrize("name", MODES)
def test_out_is_written_however_it_lies(renderer, name):
    _, dtype, shape = MODES[name]
    with mode(renderer, name):
        want = renderer.render()
        assert (
            want.dtype == dtype
            and want.shape == shape
            and want.flags.owndata
            and want.min() != want.max()
        )
        wide = np.zeros((40, 100, *shape[2:]), dtype)
        outs = [
            np.zeros(shape, dtype),
            np.zeros(shape, dtype)[::-1],
            np.asfortranarray(np.zeros(shape, dtype)),
            wide[:, ::2],
            np.zeros(shape, np.float64),
        ]
        for out in outs:
            assert renderer.render(out=out) is out and (out == want).all()
        assert not wide[:, 1::2].any()


@pytest.mark.parametrize("name", MODES)
def test_out_is_refused(renderer, name):
    _, dtype, shape = MODES[name]
    with mode(renderer, name):
        with pytest.raises(ValueError, match="out has the shape"):
            renderer.render(out=np.zeros((50, 40, *shape[2:]), dtype))
        with pytest.raises(TypeError, match="out is of int8, which cannot take a picture of"):
            renderer.render(out=np.zeros(shape, np.int8))
        with pytest.raises(TypeError, match="out is an array, not list"):
            renderer.render(out=np.zeros(shape, dtype).tolist())
        fixed = np.zeros(shape, dtype)
        fixed.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            renderer.render(out=fixed)


def test_objects_are_those_of_the_scene(renderer, scene):
    with mode(renderer, "objects"):
        objects = renderer.render()
    found = {tuple(pair) for pair in objects.reshape(-1, 2).tolist()}
    assert found == {(-1, -1), (0, 5), (1, 5)}  # mjOBJ_GEOM
    numbers = np.arange(1 << 16)  # more than a byte holds
    rows = renderer.scene._geom_rows
    before = rows["segid"].copy()
    try:
        rows["segid"][:2] = 70_000, 300
        with mode(renderer, "objects"):
            assert (renderer.render() == objects).all()
    finally:
        rows["segid"] = before
    assert len(numbers)


def test_flags_are_as_they_were(renderer):
    renderer.scene.flags[7] = 0
    before = renderer.scene.flags.copy()
    with mode(renderer, "depths"):
        renderer.render()
        with pytest.raises(ValueError):
            renderer.render(out=np.zeros(3, np.float32))
    renderer.scene.ngeom, count = 0, renderer.scene.ngeom
    with mode(renderer, "objects"):
        assert (renderer.render() == -1).all()
    renderer.scene.ngeom = count
    assert (renderer.scene.flags == before).all()


def test_sizes_of_pictures(scene):
    model, data, _ = scene
    for size in ((1, 1), (61, 91), (7, 300)):  # larger than the model's buffer, too
        with sinew.Renderer(model, *size) as renderer:
            renderer.update_scene(data)
            assert renderer.render().shape == (*size, 3) == (renderer.height, renderer.width, 3)
    for size in ((0, 5), (5, -1)):
        with pytest.raises(ValueError, match="at least one pixel"):
            sinew.Renderer(model, *size)
    with pytest.raises(DrawingError, match="this OpenGL draws 1 x 1 to"):
        sinew.Renderer(model, 1, 10_000_000)
    with pytest.raises(TypeError):
        sinew.Renderer(model, 2.5, 3)
    with pytest.raises(TypeError, match="model is a Model, not NoneType"):
        sinew.Renderer(None)


def test_qualities(scene):
    model, data, _ = scene
    samples = {}
    for quality in (None, "fast", "fine"):
        with sinew.Renderer(model, quality=quality) as renderer:
            renderer.update_scene(data, 0)
            assert renderer.render().any()
            drawing = renderer._drawing
            samples[quality] = (drawing.offscreen.samples, drawing.quality.shadowsize)
    assert samples == {None: (4, 4096), "fast": (0, 1024), "fine": (4, 4096)}
    with pytest.raises(ValueError, match='quality is \'good\': it is None .* "fast" or "fine"'):
        sinew.Renderer(model, quality="good")


def test_models_that_are_not_the_peers(scene):
    model = sinew.Model.from_xml(TEXT)
    data = sinew.Data(model)
    sinew.forward(model, data)
    with sinew.Renderer(model) as ours, mujoco.Renderer(scene[0], 60, 90) as theirs:
        for camera in (-1, 0, "front"):
            ours.update_scene(data, camera)
            assert ours.render().any()
            theirs.update_scene(scene[1], camera)
            assert theirs.render().any()


def test_drawing_changes_no_number_of_a_simulation(scene):
    model = scene[0]
    watched, alone = mujoco.MjData(model), mujoco.MjData(model)
    with sinew.Renderer(model, 20, 20) as renderer:
        for _ in range(20):
            mujoco.mj_step(model, watched)
            renderer.update_scene(watched, 0)
            renderer.render()
            mujoco.mj_step(model, alone)
    for name in ("qpos", "qvel", "qacc", "time", "xpos", "sensordata", "qacc_warmstart", "energy"):
        assert np.array_equal(getattr(watched, name), getattr(alone, name))


def test_a_closed_renderer(scene):
    renderer = sinew.Renderer(scene[0], 20, 20)
    with renderer as entered:
        assert entered is renderer
    renderer.close()
    with pytest.raises(RuntimeError, match="render cannot be called after close"):
        renderer.render()
    renderer.update_scene(scene[1])
    assert renderer.scene.ngeom > 0 and renderer.model is scene[0]


# ---- reading


def test_what_cannot_be_read_into(context):
    whole = rect(0, 0, 9, 5)
    good = np.zeros((5, 9, 3), np.uint8)
    fixed = good.copy()
    fixed.flags.writeable = False
    for kind in (np.int8, np.float32, np.int32):
        with pytest.raises(TypeError, match="rgb is an array of uint8, not one of"):
            mujoco.mjr_readPixels(good.astype(kind), None, whole, context)
    with pytest.raises(TypeError, match="rgb is an array of uint8, not list"):
        mujoco.mjr_readPixels(good.tolist(), None, whole, context)
    with pytest.raises(TypeError, match="depth is an array of float32, not one of float64"):
        mujoco.mjr_readPixels(None, np.zeros((5, 9)), whole, context)
    for array in (
        fixed,
        good[::-1],
        np.asfortranarray(good),
        np.zeros((5, 18, 3), np.uint8)[:, ::2],
    ):
        with pytest.raises(ValueError, match="must be C-contiguous and writeable"):
            mujoco.mjr_readPixels(array, None, whole, context)
    with pytest.raises(
        ValueError, match="rgb buffer is too small: it has 132 elements, the viewport 135"
    ):
        mujoco.mjr_readPixels(good.reshape(-1)[:132], None, whole, context)
    with pytest.raises(
        ValueError, match="depth buffer is too small: it has 44 elements, the viewport 45"
    ):
        mujoco.mjr_readPixels(good, np.zeros(44, np.float32), whole, context)
    with pytest.raises(TypeError, match="viewport is a MjrRect, not tuple"):
        mujoco.mjr_readPixels(good, None, (0, 0, 9, 5), context)
    with pytest.raises(TypeError, match="con is a MjrContext, not NoneType"):
        mujoco.mjr_readPixels(good, None, whole, None)
    assert not good.any()


def test_arrays_of_any_shape_are_read_into(context, scene):
    mujoco.mjr_render(rect(0, 0, 90, 60), scene[2], context)
    want = read(context, 0, 0, 9, 5)
    for shape in ((9, 5, 3), (135,), (135, 1), (1, 135), (200,)):
        rgb = np.full(shape, 7, np.uint8)
        mujoco.mjr_readPixels(rgb, None, rect(0, 0, 9, 5), context)
        assert (rgb.ravel()[:135] == want[0].ravel()).all() and (rgb.ravel()[135:] == 7).all()
    depth = np.full(60, 7, np.float32)
    mujoco.mjr_readPixels(None, depth, rect(0, 0, 9, 5), context)
    assert (depth[:45] == want[1].ravel()).all() and (depth[45:] == 7).all()
    mujoco.mjr_readPixels(None, None, rect(0, 0, 9, 5), context)
    context.readPixelFormat = 0x80E0  # GL_BGR
    assert (read(context, 0, 0, 9, 5)[0] == want[0][..., ::-1]).all()


@pytest.mark.parametrize(
    "place", [(-10, -20), (80, 50), (-10, 50), (100, 0), (0, -70), (-200, -200)]
)
@pytest.mark.parametrize("far_is_zero", [0, 1])
def test_what_is_outside_stays(context, scene, place, far_is_zero):
    mujoco.mjr_render(rect(0, 0, 90, 60), scene[2], context)
    context.readDepthMap = far_is_zero
    whole = read(context)
    part = read(context, *place, 40, 30)
    for have, want in zip(part, whole, strict=True):
        expected = np.full_like(have, 7)
        for i in range(30):
            for j in range(40):
                y, x = i + place[1], j + place[0]
                if 0 <= y < 60 and 0 <= x < 90:
                    expected[i, j] = want[y, x]
        assert (have == expected).all()


def test_depths_both_ways(context, scene):
    mujoco.mjr_render(rect(0, 0, 90, 60), scene[2], context)
    near_is_zero = read(context)[1]
    context.readDepthMap = 1
    far_is_zero = read(context)[1]
    assert (near_is_zero == 1 - far_is_zero).all()
    assert far_is_zero.min() == 0 and 0.001 < far_is_zero.max() < 1


# ---- drawing pixels


def test_pixels_replace_colours_or_depths(context, scene):
    rng = np.random.default_rng(0)
    mujoco.mjr_render(rect(0, 0, 90, 60), scene[2], context)
    for far_is_zero in (0, 1):
        context.readDepthMap = far_is_zero
        rgb, depth = read(context)
        colours = rng.integers(0, 256, (5, 6, 3), np.uint8)
        depths = rng.uniform(0, 1, (5, 6)).astype(np.float32)
        mujoco.mjr_drawPixels(colours.ravel(), None, rect(70, 50, 6, 5), context)
        rgb[50:55, 70:76] = colours
        assert (read(context)[0] == rgb).all() and (read(context)[1] == depth).all()
        mujoco.mjr_drawPixels(None, depths.reshape(-1, 1), rect(3, 4, 6, 5), context)
        depth[4:9, 3:9] = depths
        assert (read(context)[0] == rgb).all()
        assert np.abs(read(context)[1] - depth).max() < 1e-7  # 1 - (1 - depth) of floats
        mujoco.mjr_drawPixels(colours.ravel(), depths.ravel(), rect(-2, -3, 6, 5), context)
        rgb[:2, :4], depth[:2, :4] = colours[3:, 2:], depths[3:, 2:]
        assert (read(context)[0] == rgb).all() and np.abs(read(context)[1] - depth).max() < 1e-7


def test_pixels_that_are_refused(context):
    good = np.zeros(45, np.uint8)
    with pytest.raises(
        ValueError, match="rgb buffer is too small: it has 44 elements, the viewport 45"
    ):
        mujoco.mjr_drawPixels(good[:44], None, rect(0, 0, 5, 3), context)
    with pytest.raises(
        ValueError, match="depth buffer is too small: it has 14 elements, the viewport 15"
    ):
        mujoco.mjr_drawPixels(None, np.zeros(14, np.float32), rect(0, 0, 5, 3), context)
    with pytest.raises(TypeError, match="rgb has the shape .*: it is one column; flatten it"):
        mujoco.mjr_drawPixels(good.reshape(3, 5, 3), None, rect(0, 0, 5, 3), context)
    mujoco.mjr_drawPixels(good[:0], None, rect(0, 0, 0, 3), context)


# ---- buffers


def fill(context, *rgb):
    mujoco.mjr_rectangle(mujoco.mjr_maxViewport(context), *rgb, 1)


def test_contexts_without_a_window(context):
    assert context.windowAvailable == 0 and context.currentBuffer == 1
    mujoco.mjr_setBuffer(0, context)
    assert context.currentBuffer == 1
    with pytest.raises(
        ValueError, match=r"framebuffer is 2: it is mjFB_WINDOW \(0\) or mjFB_OFFSCREEN \(1\)"
    ):
        mujoco.mjr_setBuffer(2, context)
    fill(context, 1, 0, 0)
    mujoco.mjr_blitBuffer(rect(0, 0, 9, 9), rect(20, 20, 9, 9), 1, 1, context)
    context.currentBuffer = 0  # there is none
    assert (read(context)[0] == (255, 0, 0)).all()


def test_windows(window, scene):
    assert window.windowAvailable == 1 and window.currentBuffer == 0
    whole = mujoco.mjr_maxViewport(window)
    assert (whole.left, whole.bottom, whole.width, whole.height) == (0, 0, 50, 40)
    fill(window, 1, 0, 0)
    mujoco.mjr_setBuffer(1, window)
    fill(window, 0, 1, 0)
    assert (read(window)[0] == (0, 255, 0)).all() and read(window)[0].shape == (60, 90, 3)
    window.currentBuffer = 0
    assert (read(window)[0] == (255, 0, 0)).all() and read(window)[0].shape == (40, 50, 3)
    mujoco.mjr_setBuffer(1, window)
    mujoco.mjr_resizeOffscreen(30, 20, window)
    fill(window, 0, 0, 1)
    assert (read(window)[0] == (0, 0, 255)).all() and read(window)[0].shape == (20, 30, 3)
    mujoco.mjr_restoreBuffer(window)


@pytest.mark.parametrize("colour, depth", [(1, 0), (0, 1), (1, 1), (0, 0)])
@pytest.mark.parametrize("source", [0, 1])
def test_blits(window, scene, colour, depth, source):
    mujoco.mjr_setBuffer(1 - source, window)
    mujoco.mjr_render(rect(0, 0, 50, 40), scene[2], window)
    before = read(window)
    mujoco.mjr_setBuffer(source, window)
    mujoco.mjr_render(rect(10, 5, 30, 30), scene[2], window)
    drawn = read(window)
    part, to = (12, 6, 20, 25), (3, 9, 20, 25)
    mujoco.mjr_blitBuffer(rect(*part), rect(*to), colour, depth, window)
    assert window.currentBuffer == source and (read(window)[0] == drawn[0]).all()
    mujoco.mjr_setBuffer(1 - source, window)
    after = read(window)
    for k, copied in enumerate((colour, depth)):
        want = before[k].copy()
        if copied:
            want[9:34, 3:23] = drawn[k][6:31, 12:32]
        # Depths of windows have 24 bits.
        assert np.abs(after[k] - want.astype(float)).max() < (2e-7 if k else 1)


def test_blits_that_scale(window):
    mujoco.mjr_setBuffer(1, window)
    columns = np.repeat(np.arange(0, 250, 50, dtype=np.uint8), 3)
    mujoco.mjr_drawPixels(np.tile(columns, 4), None, rect(0, 0, 5, 4), window)
    mujoco.mjr_drawPixels(None, np.linspace(0, 1, 20, dtype=np.float32), rect(0, 0, 5, 4), window)
    depths = read(window, 0, 0, 5, 4)[1]
    mujoco.mjr_blitBuffer(rect(0, 0, 5, 4), rect(0, 0, 50, 40), 1, 1, window)
    mujoco.mjr_setBuffer(0, window)
    rgb, depth = read(window)
    assert (rgb[..., 0] == np.repeat(np.arange(0, 250, 50), 10)).all()
    assert np.abs(depth - np.repeat(np.repeat(depths, 10, 0), 10, 1)).max() < 2e-7
    mujoco.mjr_setBuffer(1, window)
    mujoco.mjr_blitBuffer(rect(0, 0, 5, 4), rect(0, 0, 50, 40), 1, 0, window)
    mujoco.mjr_setBuffer(0, window)
    smooth = read(window)[0][10:30, 5:45, 0].astype(
        int
    )  # at the sides it is mixed with what is beside
    assert np.abs(np.diff(smooth, axis=1)).max() <= 6 and len(np.unique(smooth)) > 25
    mujoco.mjr_blitBuffer(rect(0, 0, 50, 40), rect(10, 10, 5, 4), 1, 0, window)  # into samples
    mujoco.mjr_setBuffer(1, window)
    assert (np.diff(read(window, 10, 10, 5, 4)[0][0, :, 0].astype(int)) > 30).all()


def test_blits_of_what_is_outside(window):
    for source in (0, 1):
        mujoco.mjr_setBuffer(1 - source, window)
        fill(window, 0, 0, 0)
        mujoco.mjr_setBuffer(source, window)
        fill(window, 1, 1, 1)
        height, width = read(window)[1].shape
        mujoco.mjr_blitBuffer(rect(-10, height - 5, 20, 20), rect(5, 5, 20, 20), 1, 0, window)
        mujoco.mjr_blitBuffer(rect(0, 0, -5, 5), rect(0, 0, 5, 5), 1, 1, window)
        mujoco.mjr_setBuffer(1 - source, window)
        want = np.zeros((*read(window)[1].shape, 3), np.uint8)
        want[5:10, 15:25] = 255
        assert (read(window)[0] == want).all()


def test_buffers_beside_the_picture(context):
    mujoco.mjr_addAux(0, 8, 6, 4, context)
    assert (context.auxWidth[0], context.auxHeight[0], context.auxSamples[0]) == (8, 6, 4)
    assert context.auxFBO[0] > 0 and context.auxFBO_r[0] > 0 and context.auxColor_r[0] > 0
    mujoco.mjr_addAux(0, 5, 4, 0, context)
    assert (context.auxWidth[0], context.auxSamples[0]) == (5, 0) and context.auxFBO_r[
        0
    ] == context.auxFBO[0]
    fill(context, 1, 1, 1)
    mujoco.mjr_blitAux(0, rect(0, 0, 5, 4), 20, 10, context)
    rgb = read(context)[0]
    assert not rgb[10:14, 20:25].any() and (rgb.sum() == 255 * 3 * (60 * 90 - 20))
    mujoco.mjr_addAux(0, 0, 0, 0, context)
    for call in (mujoco.mjr_setAux, lambda k, c: mujoco.mjr_blitAux(k, rect(0, 0, 1, 1), 0, 0, c)):
        with pytest.raises(mujoco.FatalError, match="auxFBO 0 does not exist"):
            call(0, context)
    for index in (-1, 10):
        for call in (mujoco.mjr_setAux, lambda k, c: mujoco.mjr_addAux(k, 1, 1, 0, c)):
            with pytest.raises(mujoco.FatalError, match="Invalid aux buffer index"):
                call(index, context)
    with pytest.raises(
        mujoco.FatalError, match="Auxiliary buffer width exceeds maximum .* 1000000 > "
    ):
        mujoco.mjr_addAux(0, 1_000_000, 1, 0, context)
    with pytest.raises(mujoco.FatalError, match="with -1 samples"):
        mujoco.mjr_addAux(0, 1, 1, -1, context)


def test_sizes_that_are_refused(context):
    for size in ((0, 5), (5, -1), (10_000_000, 5)):
        with pytest.raises(DrawingError, match="this OpenGL draws 1 x 1 to"):
            mujoco.mjr_resizeOffscreen(*size, context)
    assert (context.offWidth, context.offHeight) == (90, 60) and read(context)[0].shape == (
        60,
        90,
        3,
    )


def test_contexts_that_hold_nothing(scene):
    empty, freed = mujoco.MjrContext(), mujoco.MjrContext(scene[0], 150)
    freed.free()
    for context in (empty, freed):
        whole = mujoco.mjr_maxViewport(context)
        assert (whole.width, whole.height, context.offWidth) == (0, 0, 0)
        for call in (
            lambda c: mujoco.mjr_setBuffer(1, c),
            lambda c: mujoco.mjr_render(rect(0, 0, 5, 5), scene[2], c),
            lambda c: mujoco.mjr_text(0, "a", c, 0, 0, 1, 1, 1),
            mujoco.mjr_restoreBuffer,
        ):
            with pytest.raises(mujoco.FatalError, match="No OpenGL framebuffer available"):
                call(context)
        context.free()
    for given in ((scene[0],), (scene[0], None), (None, 150), (scene[1], 150), (scene[0], "a")):
        with pytest.raises(TypeError):
            mujoco.MjrContext(*given)


def test_text_and_figures(context):
    fill(context, 0, 0, 0)
    mujoco.mjr_text(0, "HH", context, 0.5, 0.5, 1, 1, 1)
    places = np.argwhere(read(context)[0].any(-1))
    assert 45 <= places[:, 1].min() <= 48 and 30 <= places[:, 0].min() <= 40
    for draw in (
        lambda: mujoco.mjr_overlay(0, 0, rect(0, 0, 90, 60), "a", "b", context),
        lambda: mujoco.mjr_overlay(0, 0, rect(0, 0, 90, 60), "a", None, context),
        lambda: mujoco.mjr_label(rect(9, 9, 30, 30), 0, "a", 1, 0, 0, 1, 1, 1, 1, context),
        lambda: mujoco.mjr_figure(rect(0, 0, 90, 60), mujoco.MjvFigure(), context),
    ):
        before = read(context)[0]
        draw()
        assert (read(context)[0] != before).any()
    mujoco.mjr_changeFont(100, context)
    assert context.fontScale == 100 and context.charHeight == 18
    with pytest.raises(mujoco.FatalError, match="Invalid fontscale 77: it is one of 50, 100"):
        mujoco.mjr_changeFont(77, context)
    with pytest.raises(TypeError, match="txt is a str, not int"):
        mujoco.mjr_text(0, 5, context, 0, 0, 1, 1, 1)
    with pytest.raises(ValueError, match="gridpos 9"):
        mujoco.mjr_overlay(0, 9, rect(0, 0, 9, 9), "a", "b", context)
    drawn = []
    for font in (0, -1, 3, int(mujoco.mjtFontScale.mjFONTSCALE_150)):  # as gymnasium does
        fill(context, 0, 0, 0)
        mujoco.mjr_text(font, "Hello", context, 0.1, 0.1, 1, 1, 1)
        drawn.append(read(context)[0])
    assert all((picture == drawn[0]).all() for picture in drawn)
    for font, text in ((150, "a"), (0, b"a")):  # gymnasium's font, dm_control's text
        before = read(context)[0]
        mujoco.mjr_text(font, text, context, 0.6, 0.7, 1, 0.5, 1)
        assert (read(context)[0] != before).any()


def test_uploads_that_are_refused(context, scene):
    model = scene[0]
    for call, what in (
        (mujoco.mjr_uploadMesh, "mesh"),
        (mujoco.mjr_uploadTexture, "texture"),
        (mujoco.mjr_uploadHField, "height field"),
    ):
        for index in (-1, 0):
            with pytest.raises(mujoco.FatalError, match=f"Invalid {what} index {index}"):
                call(model, context, index)
        with pytest.raises(TypeError, match="m is a Model, not NoneType"):
            call(None, context, 0)
    other = mujoco.MjModel.from_xml_string(
        TEXT.replace(
            "<worldbody>",
            '<asset><texture name="t" builtin="flat" width="8" height="8" type="2d"/></asset><worldbody>',
        )
    )
    with pytest.raises(ValueError, match="another model than that of this MjrContext"):
        mujoco.mjr_uploadTexture(other, context, 0)


def test_uploads():
    text = TEXT.replace(
        "<worldbody>",
        """<asset><texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="8" height="8"/>
        <material name="m" texture="t"/><hfield name="h" nrow="4" ncol="4" size="1 1 1 .1"/>
        <mesh name="b" vertex="0 0 0 .5 0 0 0 .5 0 0 0 .5"/></asset><worldbody>
        <geom type="hfield" hfield="h" pos="3 3 0"/><geom type="mesh" mesh="b" pos="-.6 0 .3"/>""",
    ).replace('type="plane"', 'type="plane" material="m"')
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, 60, 90) as renderer:

        def picture():
            renderer.update_scene(data, 0)
            return renderer.render().astype(int)

        before = picture()
        model.tex_data[:] = 90
        model.mesh_vert[:] *= 0.5
        assert (picture() == before).all()
        mujoco.mjr_uploadTexture(model, renderer._mjr_context, 0)
        painted = picture()
        red = (before[..., 0] > 30) & (before[..., 1] == 0)
        assert red.sum() > 100 and (np.ptp(painted[red], axis=-1) == 0).all()
        mujoco.mjr_uploadMesh(model, renderer._mjr_context, 0)
        assert (picture() != painted).any()
        mujoco.mjr_uploadHField(model, renderer._mjr_context, 0)


def test_names_of_opengl(context, scene):
    for name in (
        "offFBO",
        "offFBO_r",
        "offColor",
        "offColor_r",
        "offDepthStencil",
        "offDepthStencil_r",
    ):
        assert getattr(context, name) > 0
    assert context.offFBO != context.offFBO_r and context.offSamples == 4
    context.readDepthMap = np.int64(1)
    assert context.readDepthMap == 1 and type(context.readDepthMap) is int
    with pytest.raises(TypeError):
        context.currentBuffer = "window"
    context.auxWidth[:] = 3
    context.auxWidth = np.zeros(10)
    assert not context.auxWidth.any()


def test_without_a_context_nothing_is_finished():
    calls = (
        mujoco.mjr_finish,
        mujoco.mjr_getError,
        lambda: mujoco.mjr_rectangle(rect(0, 0, 1, 1), 1, 1, 1, 1),
    )
    said = []

    def work():
        for call in calls:
            try:
                call()
            except DrawingError as error:
                said.append(str(error))

    thread = threading.Thread(target=work)  # which has drawn nothing
    thread.start()
    thread.join()
    assert len(said) == 3 and all("make a MjrContext first" in text for text in said)


def test_opengl_says_no_error(context, scene):
    mujoco.mjr_render(rect(0, 0, 90, 60), scene[2], context)
    mujoco.mjr_finish()
    assert mujoco.mjr_getError() == 0
