"""Text, labels, boxes and rectangles over a picture, beside MuJoCo's."""

import moderngl
import mujoco
import numpy as np
import pytest

from overlay_pair import HEIGHT, WIDTH, Ours, Peer, box, painted, rect
from sinew.draw.overlay import label, overlay, rectangle
from sinew.draw.text import BIG, NORMAL, SHADOW, Text

FULL = rect(0, 0, WIDTH, HEIGHT)
SCALES = (50, 100, 150, 200, 250, 300)
FONTS = (NORMAL, SHADOW, BIG)
RECTS = ((50, 30, 400, 300), (51, 31, 401, 301), (50, 30, 401, 302), (50, 30, 102, 52))


@pytest.fixture(scope="module")
def peer():
    """MuJoCo's pictures."""
    made = Peer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def ours():
    """Pictures of the module under test."""
    made = Ours()
    yield made
    made.close()


def words(ours, string, x=0.5, y=0.5, font=NORMAL, rgb=(1, 1, 1), area=FULL):
    """Our picture of a line of text."""
    return ours.picture(lambda text: text.draw(font, string, area, x, y, rgb))


# ---- sizes


@pytest.mark.parametrize("scale", SCALES)
def test_sizes_are_the_peers(peer, ours, scale):
    """Programs lay out text by widths and heights, so these are equal."""
    peer.font(scale)
    text = Text(ours.gl, scale)
    context = peer.context
    assert text.charWidth.tolist() == context.charWidth.tolist()
    assert text.charWidthBig.tolist() == context.charWidthBig.tolist()
    assert (text.charHeight, text.charHeightBig) == (context.charHeight, context.charHeightBig)
    assert text.fontscale == context.fontScale


def test_nearest_scale_is_the_peers(peer):
    """A context takes any number for the size of its text."""
    peer.gl.make_current()
    for scale in (-5, 0, 50, 100, 124, 125, 150, 174, 175, 180, 275, 300, 1000):
        context = mujoco.MjrContext(peer.model, scale)
        assert Text.nearest(scale) == context.fontScale, scale
        context.free()


@pytest.mark.parametrize("scale", [0, 120, 1000, 400, None, "big", float("nan")])
def test_other_scales_are_errors(ours, scale):
    with pytest.raises(ValueError, match="50, 100, 150"):
        Text(ours.gl, scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("font", FONTS)
def test_text_is_where_the_peers_is(peer, ours, scale, font):
    """Letters of the fonts differ in shape: by 2 pixels where they are small, by 4 in 100 of the height else; | by more."""
    peer.font(scale)
    ours.font(scale)
    for string in ("H", "HHH", "Mix 12", "x_y|"):
        slack = max(2, 0.04 * ours.text.height(font)) + (
            0.1 * ours.text.height(font) if "|" in string else 0
        )
        theirs = peer.picture(
            lambda context, s=string: mujoco.mjr_text(font, s, context, 0.1, 0.4, 1, 1, 0),
            (0, 0, 1),
        )
        own = ours.picture(
            lambda text, s=string: text.draw(font, s, FULL, 0.1, 0.4, (1, 1, 0)), (0, 0, 1)
        )
        for part in (lambda p: p[:, :, 0] > 100, lambda p: p[:, :, 2] < 128):
            away = np.subtract(box(part(own)), box(part(theirs)))
            assert np.abs(away).max() <= slack, (string, away)
            # about as much ink: strokes are smooth, and the smallest letters are thicker
            ratio = part(own).sum() / part(theirs).sum()
            assert 0.6 < ratio < 1.6, (string, ratio)


def test_places_are_whole_pixels(peer, ours):
    """A place k / width starts at pixel k, in both."""
    peer.font(100)
    ours.font(100)
    first = painted(words(ours, "H", 0, 0))
    for k in range(1, 470, 31):
        x, y = k / WIDTH, (k % 350) / HEIGHT
        theirs = painted(
            peer.picture(lambda c, x=x, y=y: mujoco.mjr_text(0, "H", c, x, y, 1, 1, 1))
        )
        own = painted(words(ours, "H", x, y))
        assert own[:2] == (first[0] + k, first[1] + k % 350)
        assert (own[0] - theirs[0], own[1] - theirs[1]) == pytest.approx((0, 0), abs=1)


@pytest.mark.parametrize(
    "x, y", [(-0.001, 0.5), (0.5, -0.001), (1.01, 0.5), (0.5, 1.01), (np.nan, 0.5), (0.5, np.inf)]
)
def test_text_that_starts_outside_is_not_drawn(peer, ours, x, y):
    assert painted(peer.picture(lambda c: mujoco.mjr_text(0, "HHHH", c, x, y, 1, 1, 1))) is None
    assert painted(words(ours, "HHHH", x, y)) is None


def test_text_may_leave_its_rectangle(peer, ours):
    """It is cut off by the picture alone."""
    area = mujoco.MjrRect(100, 100, 200, 200)

    def draw(context):
        mujoco.mjr_rectangle(area, 0, 0, 0, 1)  # what the place is relative to
        mujoco.mjr_text(0, "H" * 12, context, 0.9, 0.5, 1, 1, 1)

    peer.font(100)
    ours.font(100)
    theirs, own = painted(peer.picture(draw)), painted(words(ours, "H" * 12, 0.9, 0.5, area=area))
    assert np.abs(np.subtract(own, theirs)).max() <= 2
    assert own[2] > 310


def test_colours(peer, ours):
    """Colours are cut off at 0 and 1; NaN is 0."""
    for rgb in ((0.5, 0.25, 1), (2, -1, 0.5), (np.nan, 1, 0)):
        theirs = peer.picture(lambda c, v=rgb: mujoco.mjr_text(2, "HH", c, 0.5, 0.5, *v))
        own = words(ours, "HH", font=BIG, rgb=rgb)
        assert np.abs(own.max((0, 1)).astype(int) - theirs.max((0, 1))).max() <= 1


# ---- odd text


@pytest.mark.parametrize("string", ["", "\n", "\t\r\0\x01\x7f", " " * 50, "\u200b\u0301"])
def test_nothing_to_see(ours, string):
    assert painted(words(ours, string)) is None


def test_control_characters_take_no_room(peer, ours):
    ours.font(100)
    peer.font(100)
    plain = words(ours, "HH")
    for string in ("H\nH", "H\tH", "\x01HH\x7f"):
        assert (words(ours, string) == plain).all()
        theirs = peer.picture(lambda c, s=string: mujoco.mjr_text(0, s, c, 0.5, 0.5, 1, 1, 1))
        assert (
            theirs == peer.picture(lambda c: mujoco.mjr_text(0, "HH", c, 0.5, 0.5, 1, 1, 1))
        ).all()


def test_other_letters(ours):
    """Accents are left out, signs that the font has are drawn, others are boxes; so is half of a pair."""
    ours.font(150)
    assert (words(ours, "Käse, 5 µm − ½") == words(ours, "Kase, 5 um - 1")).all()
    degree = words(ours, "°")
    assert painted(degree) is not None and (degree != words(ours, "\u4e2d")).any()
    assert (words(ours, "\u4e2d") == words(ours, "\ud800")).all()
    assert (words(ours, "\u4e2d") == words(ours, "\U0001f600")).all()
    everything = "".join(map(chr, range(0x3000)))
    assert painted(words(ours, everything, 0, 0)) is not None
    assert ours.text.width(NORMAL, everything) > 3000


def test_very_long_text(ours):
    assert painted(words(ours, "H" * 100_000, 0, 0.5))[2] >= WIDTH - 3


@pytest.mark.parametrize("area", [rect(5, 5, 0, 0), rect(5, 5, -3, 10), rect(5, 5, 10, 0)])
def test_empty_rectangles(ours, area):
    def draw(text):
        text.draw(NORMAL, "text", area, 0.5, 0.5, (1, 1, 1))
        label(text, area, NORMAL, "text", (1, 1, 1, 1), (1, 1, 1))
        rectangle(ours.gl, area, (1, 1, 1, 1))

    assert painted(ours.picture(draw)) is None


@pytest.mark.parametrize("font", [-1, 3, 7, None])
def test_fonts_are_three(ours, font):
    with pytest.raises(ValueError, match="NORMAL"):
        words(ours, "x", font=font)
    with pytest.raises(ValueError, match="NORMAL"):
        words(ours, "x", x=-1, font=font)


# ---- labels of points in space


def frustum(camera, aspect):
    """Projection times view of one of MuJoCo's cameras."""
    near, far = camera.frustum_near, camera.frustum_far
    top = camera.frustum_top
    right = top * aspect
    project = np.zeros((4, 4))
    project[0, 0], project[1, 1] = near / right, near / top
    project[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
    project[3, 2] = -1
    forward, up = np.array(camera.forward, float), np.array(camera.up, float)
    view = np.eye(4)
    view[:3, :3] = np.cross(forward, up), up, -forward
    view[:3, 3] = -view[:3, :3] @ np.array(camera.pos, float)
    return project @ view


def test_labels_of_geoms(peer, ours):
    """White text with an edge, over all that is there, at the place of the geom; not where it is out of sight."""
    spots = [(0, 0, 0), (0.4, 2, 0.5), (-1, 3, 1), (50, 0, 0), (0, -9, 0)]
    geoms = "".join(
        f"<geom name='{'H' * (i + 1)}' size='.05' pos='{x} {y} {z}'/>"
        for i, (x, y, z) in enumerate(spots)
    )
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><visual><global offwidth='{WIDTH}' offheight='{HEIGHT}'/><quality shadowsize='1'/></visual>"
        f"<worldbody>{geoms}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera, scene, option = mujoco.MjvCamera(), mujoco.MjvScene(model, 100), mujoco.MjvOption()
    camera.distance, camera.elevation, camera.azimuth = 4, -10, 80
    peer.gl.make_current()
    context = mujoco.MjrContext(model, 150)
    peer.font(150)
    ours.font(150)
    for i in range(len(spots)):
        option.label = mujoco.mjtLabel.mjLABEL_GEOM
        mujoco.mjv_updateScene(model, data, option, None, camera, 7, scene)
        names = [g.label if g.objid == i else "" for g in scene.geoms[: scene.ngeom]]
        points = np.array([g.pos for g in scene.geoms[: scene.ngeom]])
        pictures = []
        for text in (names, [""] * len(names)):
            for g, name in zip(scene.geoms, text, strict=False):
                g.label = name
            pictures.append(
                peer.picture(
                    lambda c: mujoco.mjr_render(mujoco.MjrRect(0, 0, WIDTH, HEIGHT), scene, context)
                )
            )
        theirs = box((pictures[0] != pictures[1]).any(2))
        matrix = frustum(mujoco.mjv_averageCamera(*scene.camera), WIDTH / HEIGHT)
        own = ours.picture(lambda t: t.labels(FULL, matrix, points, names), (1, 0, 0))
        own = painted(own, (255, 0, 0))
        assert (own is None) == (theirs is None) == (i > 2)
        if own:
            assert np.abs(np.subtract(own, theirs)).max() <= 3
    context.free()
    ours.picture(lambda t: t.labels(FULL, np.full((4, 4), np.nan), np.zeros((2, 3)), ["a", "b"]))


# ---- rectangles and labels


@pytest.mark.parametrize(
    "rgba",
    [
        (1, 0, 0, 1),
        (1, 0, 0, 0.5),
        (1, 0.2, 0, 0),
        (2, -1, 0.2, 0.3),
        (np.nan, 1, 1, 1),
        (1, 0, 0, np.nan),
    ],
)
@pytest.mark.parametrize(
    "area", [(50, 30, 100, 51), (-20, -30, 100, 100), (400, 300, 999, 999), (1, 2, 1, 1)]
)
def test_rectangles_are_the_peers(peer, ours, rgba, area):
    """Equal but for one step of rounding."""
    theirs = peer.picture(
        lambda c: mujoco.mjr_rectangle(mujoco.MjrRect(*area), *rgba), (0.2, 0.4, 0.6)
    )
    own = ours.picture(lambda t: rectangle(ours.gl, rect(*area), rgba), (0.2, 0.4, 0.6))
    assert np.abs(own.astype(int) - theirs).max() <= 1


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize(
    "area", [(50, 30, 100, 50), (51, 31, 101, 51), (50, 30, 20, 10), (50, 30, 30, 40)]
)
def test_labels_are_the_peers(peer, ours, font, area):
    peer.font(100)
    ours.font(100)
    for string in ("H", "HHH", "", "H\nH", "H" * 30):
        theirs = peer.picture(
            lambda c, s=string: mujoco.mjr_label(
                mujoco.MjrRect(*area), font, s, 1, 0, 0, 0.5, 0, 1, 0, c
            ),
            (0, 0, 1),
        )
        own = ours.picture(
            lambda t, s=string: label(t, rect(*area), font, s, (1, 0, 0, 0.5), (0, 1, 0)), (0, 0, 1)
        )
        for part in (lambda p: p[:, :, 0] > 100, lambda p: p[:, :, 1] > 100):
            expected, found = box(part(theirs)), box(part(own))
            assert (expected is None) == (found is None)
            if found:
                assert np.abs(np.subtract(found, expected)).max() <= 2


# ---- boxes of text

COLUMNS = [
    ("Alpha", ""),
    ("Alpha\nBeta longer\nG", ""),
    ("one\n", ""),
    ("", ""),
    ("Alpha\nBeta longer\nG", "1.25\nxx\n3"),
    ("", "right"),
    ("left", "one\ntwo\nthree"),
    ("a line that is as wide as half of the picture" * 3, "b"),
]


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("gridpos", range(8))
@pytest.mark.parametrize("left, right", COLUMNS)
def test_boxes_are_the_peers(peer, ours, font, gridpos, left, right):
    """Each at the same pixels; where MuJoCo lets two columns cover each other, see below."""
    if right and gridpos in (4, 5, 6):
        assert_columns_stand_apart(ours, font, gridpos, left, right)
        return
    number = font + 3 * gridpos + len(left)
    scale, area = SCALES[1 + number % 2], RECTS[number % 4]
    peer.font(scale)
    ours.font(scale)
    theirs = peer.picture(
        lambda c: mujoco.mjr_overlay(font, gridpos, mujoco.MjrRect(*area), left, right, c),
        (1, 0, 0),
    )
    own = ours.picture(lambda t: overlay(t, font, gridpos, rect(*area), left, right), (1, 0, 0))
    assert painted(own, (255, 0, 0)) == painted(theirs, (255, 0, 0))
    # text in another font, of a picture that it fills by a third at most
    assert np.abs(own.astype(int) - theirs).mean() < 6


def assert_columns_stand_apart(ours, font, gridpos, left, right):
    """Two columns take as much room in the middle as in a corner; MuJoCo's cover each other there."""
    ours.font(100)
    area = rect(40, 50, 400, 300)
    wide = [
        box(
            ours.picture(lambda t, g=g: overlay(t, font, g, area, left, right), (1, 0, 0))[:, :, 0]
            < 255
        )
        for g in (gridpos, 2)
    ]
    if wide[0][0] > 0 and wide[0][2] < WIDTH - 1:
        assert wide[0][2] - wide[0][0] == wide[1][2] - wide[1][0]
        if gridpos != 6:  # at the sides they are not in the middle
            middle = 0.5 * (wide[0][0] + wide[0][2] + 1)
            assert abs(middle - 240) <= 7  # MuJoCo's boxes are 6.5 to the left of it


def test_columns_in_the_middle_cover_each_other_at_the_peer(peer):
    """What the test above leaves out: two columns are narrower than their sum, and change places at LEFT."""
    peer.font(100)
    area = mujoco.MjrRect(40, 50, 400, 300)

    def wide(gridpos):
        picture = peer.picture(
            lambda c: mujoco.mjr_overlay(0, gridpos, area, "left left", "right", c), (1, 0, 0)
        )
        found = painted(picture, (255, 0, 0))
        dull = box((picture == 178).all(2))
        return found[2] - found[0], dull and dull[0] - found[0]

    assert wide(4)[0] < wide(2)[0] and wide(5)[0] < wide(2)[0]
    assert wide(6)[1] > wide(2)[1] + 20


def test_text_of_boxes(peer, ours):
    """The left column is dull, the right one bright."""
    peer.font(150)
    ours.font(150)
    area = (0, 0, 400, 300)
    theirs = peer.picture(
        lambda c: mujoco.mjr_overlay(2, 0, mujoco.MjrRect(*area), "HHH", "HHH", c), (1, 1, 0)
    )
    own = ours.picture(lambda t: overlay(t, 2, 0, rect(*area), "HHH", "HHH"), (1, 1, 0))
    for level in (178, 255):
        there, here = (
            box((p[:, :, 2] >= level - 1) & (p[:, :, 2] <= level + 1)) for p in (theirs, own)
        )
        assert np.abs(np.subtract(there, here)).max() <= 3
    corner = box((own != (255, 255, 0)).any(2))[:2]
    assert np.abs(own[corner[1], corner[0]].astype(int) - theirs[corner[1], corner[0]]).max() <= 1


@pytest.mark.parametrize("gridpos", [-1, 8, 100, None, 1.5])
def test_places_are_eight(ours, gridpos):
    with pytest.raises(ValueError, match="mjtGridPos"):
        ours.picture(lambda t: overlay(t, NORMAL, gridpos, FULL, "a"))


# ---- what is left behind


def test_state_is_given_back(ours):
    """Whatever switches are on, and whatever is bound, stays."""
    gl = ours.gl
    rng = np.random.default_rng(0)

    def asked(state):
        from sinew.draw import state as names

        values = {name: state._ask(name) for name in names._ASKED}
        values["on"] = [
            bool(state._is_enabled(s)) for s in (0x0BE2, 0x0B71, 0x0B44, 0x0B90, 0x0C11)
        ]
        values["texture"] = state._texture()
        return values

    def draw(text):
        state = text.painter.state
        texture = gl.texture((4, 4), 4)
        for _ in range(20):
            for switch in (0x0BE2, 0x0B71, 0x0B44, 0x0B90, 0x0C11):
                (state.glEnable if rng.random() < 0.5 else state.glDisable)(switch)
            state.glViewport(*rng.integers(0, 500, 4).tolist())
            state.glBlendFuncSeparate(*rng.integers(0x302, 0x306, 4).tolist())
            state.glPolygonMode(0x0408, 0x1B00 + int(rng.integers(3)))
            texture.use(int(rng.integers(2)))
            before = asked(state)
            text.draw(SHADOW, "text", FULL, 0.5, 0.5, (1, 1, 1))
            overlay(text, NORMAL, 0, FULL, "a", "b")
            label(text, FULL, BIG, "c", (1, 1, 1, 1), (0, 0, 0))
            rectangle(gl, FULL, (1, 1, 1, 1))
            assert asked(state) == before
        for switch in (0x0BE2, 0x0B71, 0x0B44, 0x0B90, 0x0C11):
            state.glDisable(switch)
        state.glPolygonMode(0x0408, 0x1B02)
        texture.release()
        assert gl.error == "GL_NO_ERROR"

    ours.picture(draw)


def test_beside_another_drawer(monkeypatch):
    """In MuJoCo's own context and buffer: ours shows, and what MuJoCo draws later is as before."""
    peer = Peer(150)
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><visual><global offwidth='{WIDTH}' offheight='{HEIGHT}'/><quality shadowsize='1'/></visual><worldbody>"
        "<light pos='0 0 4'/><geom size='.3' rgba='1 0 0 1'/></worldbody></mujoco>"
    )
    data, scene, camera = mujoco.MjData(model), mujoco.MjvScene(model, 10), mujoco.MjvCamera()
    mujoco.mj_forward(model, data)
    camera.distance = 3
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    peer.context.free()
    peer.context = mujoco.MjrContext(model, 150)
    peer.font(150)

    def theirs(c):
        mujoco.mjr_render(mujoco.MjrRect(0, 0, WIDTH, HEIGHT), scene, c)
        mujoco.mjr_overlay(0, 0, mujoco.MjrRect(0, 0, WIDTH, HEIGHT), "a", "b", c)

    before = peer.picture(theirs)
    assert before.any()
    monkeypatch.setattr(moderngl._store, "default_context", None)  # others find theirs again
    text = Text(moderngl.create_context(), 150)
    assert (peer.picture(theirs) == before).all()

    def all_of_ours(c):
        theirs(c)
        text.draw(SHADOW, "text", FULL, 0.5, 0.5, (1, 1, 1))
        overlay(text, NORMAL, 3, FULL, "a", "b")

    assert (peer.picture(all_of_ours) != before).any()
    assert (peer.picture(theirs) == before).all()
    peer.close()


def test_depth_and_wireframe_do_not_matter(ours):
    """Text shows over what is nearer, and is filled where lines are drawn of the rest."""
    plain = words(ours, "text")

    def draw(text):
        gl = ours.gl
        gl.enable(gl.DEPTH_TEST)
        gl.depth_func, gl.wireframe = "1", True
        text.draw(NORMAL, "text", FULL, 0.5, 0.5, (1, 1, 1))
        gl.wireframe = False
        gl.disable(gl.DEPTH_TEST)

    assert (ours.picture(draw) == plain).all()


def test_opacity_of_the_picture_stays(ours):
    """What is drawn over an opaque picture leaves it opaque."""

    def draw(text):
        overlay(text, SHADOW, 0, FULL, "text", "more")
        rectangle(ours.gl, rect(300, 300, 50, 50), (1, 1, 1, 0.5))

    ours.picture(draw)
    with ours.gl:
        data = np.frombuffer(ours.read.read(components=4, alignment=1), np.uint8)
    assert data.reshape(-1, 4)[:, 3].min() == 255


def test_one_sample_a_pixel(ours):
    """The same picture without samples: all edges are on pixels."""
    single = Ours(samples=0)

    def draw(text):
        overlay(text, SHADOW, 0, FULL, "text\nmore", "x")
        label(text, rect(300, 300, 90, 50), BIG, "c", (1, 0, 0, 0.5), (0, 1, 0))

    ours.font(100)
    assert (ours.picture(draw) == single.picture(draw)).all()
    with single.gl:
        single.text.release()
    again = single.picture(draw)
    assert (ours.picture(draw) == again).all()
