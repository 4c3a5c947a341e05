"""A recording as a page in one file: it opens from disk, asks nobody for anything, and shows what `sinew render` shows."""

import base64
import html
import importlib.resources
import re
import zlib

import numpy as np
import pytest
from playing import ODD, Playing, rate, recorded
from test_looks import alike, picture
from test_object_ids import SIZE, near_edges, shown
from worlds import MODELS

import flexes
import sinew
import sinew.viewer
from sinew import _core
from sinew._viewer.export import chunks, pages
from sinew.picture.scene import MjvScene
from sinew.viewer import wire

HUMANOID = MODELS / "humanoid.xml"
FLEXVERT, FLEXEDGE, FLEXFACE, FLEXSKIN = range(24, 28)  # mjtVisFlag
JOINT, CONTACTPOINT, CONTACTFORCE, TRANSPARENT, STATIC = 2, 14, 16, 18, 22  # mjtVisFlag
ROTATE_V, ROTATE_H, MOVE_V, MOVE_H, ZOOM = range(1, 6)  # mjtMouse


@pytest.fixture(autouse=True)
def built():
    if not importlib.resources.files("sinew._viewer").joinpath("page", "player.js").is_file():
        pytest.skip("the package was built without the page of the viewer: no node or no network")


def messages(path):
    """Words and arrays of all messages in a page."""
    text = path.read_text()
    found = re.findall(
        r'<script type="application/octet-stream" class="(?:chunk|part)">([^<]*)</', text
    )
    return [wire.unpack(zlib.decompress(base64.b64decode(one))) for one in found]


@pytest.fixture
def play(windows):
    """Opens pages; none may have complained or asked for anything but its file."""
    made = []

    def begin(path):
        made.append(Playing(windows, path))
        return made[-1]

    yield begin
    for playing in made:
        playing.close()


class Expected:
    """What `sinew render` shows, beside what a page does."""

    def __init__(self, model):
        width, height = SIZE
        self._renderer = sinew.Renderer(model, height, width, max_geom=20000)
        self.option = _core.MjvOption()

    def check(self, playing, data, away=0):
        """Compare the numbers of objects; so many pixels away from edges may differ."""
        self._renderer.enable_segmentation_rendering()
        self._renderer.update_scene(data, playing.cam(), self.option)
        expected, found = self._renderer.render(), shown(playing)
        same = (found == expected).all(axis=-1)
        assert len(np.unique(expected.reshape(-1, 2), axis=0)) > 1
        assert same.mean() >= 0.99 and (~near_edges(expected, ~same)).sum() <= away

    def picture(self, playing, data, shape):
        """The picture that it should draw."""
        with sinew.Renderer(data.model, *shape[:2]) as renderer:
            renderer.update_scene(data, playing.cam(), self.option)
            return renderer.render().astype(int)

    def close(self):
        self._renderer.close()


@pytest.fixture
def expected(request):
    made = []

    def begin(model):
        made.append(Expected(model))
        return made[-1]

    yield begin
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A model, the states of a recording, and its page, which has them in three pieces."""
    model = sinew.Model.from_xml(ODD, physics="3.3.7")
    recording, datas = recorded(model, 40, 10)
    path = tmp_path_factory.mktemp("pages") / "odd.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_MOST", 16)
        sinew.viewer.export(path, model, recording, fps=rate(recording))
    return model, datas, path


def test_shows_what_render_shows(play, expected, odd):
    """At two rows, with flags and groups switched, with all kinds of cameras."""
    model, datas, path = odd
    playing, render = play(path), expected(model)
    playing.go(35)
    render.check(playing, datas[35])
    page = playing.page
    for flag in (JOINT, CONTACTFORCE, CONTACTPOINT, STATIC):
        name = _core.tables()["switches"]["snVisFlag"][flag][2]
        playing.drawn(lambda: page.keyboard.press(name))
        render.option.flags[flag] ^= 1
    for group in (4, 5):
        playing.drawn(lambda: page.keyboard.press(str(group)))
        render.option.geomgroup[group] ^= 1
    render.check(playing, datas[35])
    playing.go(3)  # where nothing has touched yet
    render.check(playing, datas[3])
    playing.go(35)
    for _ in range(model.ncam):
        playing.drawn(lambda: page.keyboard.press("]"))
        render.check(playing, datas[35])
    playing.drawn(
        lambda: page.get_by_role("combobox", name="Camera").select_option(label="follows ball")
    )
    render.check(playing, datas[35])


def drag(playing, button, dx, dy, shift=False):
    """Drag the pointer over the picture, in pixels."""
    mouse, keyboard = playing.page.mouse, playing.page.keyboard
    mouse.move(400, 200)
    if shift:
        keyboard.down("Shift")
    mouse.down(button=button)
    playing.drawn(lambda: mouse.move(400 + dx, 200 + dy))
    mouse.up(button=button)
    keyboard.up("Shift")


def test_looks_as_render_does(play, odd):
    model, datas, path = odd
    playing = play(path)
    playing.go(20)
    playing.drawn(lambda: playing.page.keyboard.press("t"))
    drag(playing, "left", -150, 40)  # lights and floor go where the eye goes
    option = _core.MjvOption()
    option.flags[TRANSPARENT] = 1
    found = picture(playing)
    height, width, _ = found.shape
    with sinew.Renderer(model, height, width) as renderer:
        renderer.update_scene(datas[20], playing.cam(), option)
        assert alike(found, renderer.render().astype(int)) > 0.99


def test_the_pointer_moves_the_camera(play, expected, odd):
    """As mjv_moveCamera does; and then all is seen from there."""
    model, datas, path = odd
    playing, render = play(path), expected(model)
    playing.go(35)
    cam, scene = playing.cam(), MjvScene(model, 1)
    height = playing.page.evaluate("document.getElementById('picture').clientHeight")
    for button, shift, action, dx, dy in (
        ("left", False, ROTATE_V, 60, 30),
        ("right", False, MOVE_V, -20, 13),
        ("right", True, MOVE_H, 11, -17),
        ("left", True, ROTATE_H, -50, -5),
        ("middle", False, ZOOM, 5, 20),
    ):
        _core.mjv_updateCamera(model, datas[35], cam, scene)
        _core.mjv_moveCamera(model, action, dx / height, dy / height, scene, cam)
        drag(playing, button, dx, dy, shift)
        now = playing.cam()
        assert np.allclose(now.lookat, cam.lookat, atol=1e-5)
        for name in ("distance", "azimuth", "elevation"):
            assert getattr(now, name) == pytest.approx(getattr(cam, name), abs=1e-5)
    render.check(playing, datas[35])
    drag(playing, "left", 0, -390)  # below the floor
    drag(playing, "left", 0, -390)
    render.check(playing, datas[35])


def test_plays(play, odd):
    """By keys and by the time line; it ends, or begins anew."""
    page = (playing := play(odd[2])).page
    assert page.title().startswith("</title></script>")
    row = "window.sinew.row"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    playing.until(f"{row} === 1")
    page.get_by_label("loop").uncheck()
    page.get_by_label("Speed").select_option("0.5")
    page.locator("canvas").click()
    page.keyboard.press(" ")
    playing.until(f"{row} > 5")
    playing.until(f"{row} === 39 && !window.sinew.clock.running")
    page.get_by_label("loop").check()
    page.get_by_role("button", name="Play").click()
    playing.until(f"{row} < 39 && window.sinew.clock.running")
    page.get_by_label("Time").fill("17")
    playing.until(f"{row} === 17 && !window.sinew.clock.running")
    page.keyboard.press("?")
    assert "play, pause" in page.locator("#help").inner_text()
    assert page.locator("img").count() == 0


COLOURS = """<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
<material name="a" texture="t"/><material name="b" rgba="0 1 0 .5"/></asset>"""


def of_flexes():
    """Sheets and blocks of one material and of two, a string, one that is flat, one of another group."""
    two = " ".join("ab"[i % 3 == 0] for i in range(len(flexes.elements((3, 3, 3)))))
    squares = " ".join(f"{u} {v}" for u in range(3) for v in range(3))
    sheet = flexes.part(
        (5, 4), name="f", pinned=(0, 3), children=flexes.SHEET, attributes='radius=".03"'
    )
    block = flexes.part(
        (3, 3, 3),
        name="b",
        offset=(0.6, 0, 0),
        children=flexes.SOFT,
        attributes=f'material="{two}"',
    )
    cloth = flexes.part(
        (3, 3),
        name="c",
        offset=(0.6, 0.5, 0),
        attributes=f'material="{two[:15]}" radius=".02" texcoord="{squares}"',
        children=flexes.SHEET,
    )
    flat = flexes.part(
        (3, 3),
        name="g",
        offset=(0, 0.5, 0),
        attributes='flatskin="true" radius=".03" group="3"',
        children=flexes.SHEET,
    )
    string = flexes.part((5,), name="s", offset=(0, 0.8, 0), attributes='radius=".02"')
    parts = sheet, block, cloth, flat, string
    text = flexes.model(*parts, option='integrator="discrete"', rest=flexes.held("s") + COLOURS)
    model = sinew.Model.from_xml(text, physics="4.0")
    model.vis.quality.shadowsize = 0
    return model


def test_shows_flexes(play, expected, tmp_path):
    model = of_flexes()
    recording, datas = recorded(model, 20, 10)
    sinew.viewer.export(tmp_path / "flexes.html", model, recording, fps=rate(recording))
    playing, render = play(tmp_path / "flexes.html"), expected(model)
    playing.go(15)
    for flag in (None, FLEXSKIN, FLEXFACE, FLEXEDGE, FLEXVERT):  # one after the other, each stays
        if flag is not None:
            label = _core.tables()["switches"]["snVisFlag"][flag][0]
            box = playing.page.get_by_label(label, exact=True)
            playing.drawn(lambda: box.evaluate("box => box.click()"))
            render.option.flags[flag] ^= 1
        found = picture(playing)
        assert alike(found, render.picture(playing, datas[15], found.shape)) > 0.99
        render.check(playing, datas[15], away=2)  # edges are thin
    playing.go(0)
    render.check(playing, datas[0], away=2)


# ---- without a browser


def positions(path):
    """Positions [rows, n, 3] of bodies as a page says them, and the step of them."""
    found = messages(path)
    words, arrays = next(one for one in found if one[0]["kind"] == "model")
    first, tables = arrays["numbers"].ravel(), []
    for chunk, own in found:
        if chunk["kind"] != "chunk":
            continue
        count, columns = chunk["rows"], own["pose_columns"]
        planes = own["pose_changes"].reshape(4, len(columns), count).astype(np.uint32)
        folded = sum(planes[k] << np.uint32(8 * k) for k in range(4))
        change = (folded >> np.uint32(1)) ^ -(folded & np.uint32(1))
        table = np.tile(first, (count, 1))
        table[:, columns] += np.cumsum(change.astype(np.int32), axis=1).T
        tables.append(table)
    bodies = words["nbody"]
    numbers = np.concatenate(tables).reshape(-1, len(first) // 7, 7)[:, :bodies]
    return numbers[..., :3] * words["step"], words


def test_positions_are_right_to_their_step(tmp_path):
    model = sinew.Model.from_path(HUMANOID)
    recording, datas = recorded(model, 300)
    sinew.viewer.export(tmp_path / "run.html", model, recording, fps=rate(recording))
    found, words = positions(tmp_path / "run.html")
    exact = np.array([data.xpos for data in datas])
    assert found.shape == exact.shape and words["begins"] == [0, 240, 300]
    assert abs(found - exact).max() <= 0.5001 * words["step"]
    assert words["step"] <= 2e-5 * model.stat.extent


def test_size(tmp_path):
    """At most 3 MB for a minute of a humanoid, of which the script is 0.6."""
    model = sinew.Model.from_path(HUMANOID)
    recording, _ = recorded(model, 500)
    path = tmp_path / "run.html"
    sinew.viewer.export(path, model, recording)
    script = len(re.findall(r"<script>(.*)</script>", path.read_text(), re.DOTALL)[0])
    seconds = recording.time[-1]
    assert script < 800_000
    assert path.stat().st_size - script < 300_000 + 2_000_000 * seconds / 60


def test_names_are_no_markup(odd):
    """And no other script than the page's own may run, whatever else is found there."""
    text = odd[2].read_text()
    assert re.search(
        "Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-[^']*';", text
    )
    name = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    assert f"<title>{html.escape(name)}</title>" in text
    assert "<img" not in text.split("</head>")[0] and text.count("<script>") == 1


def test_few_rows(tmp_path):
    model = sinew.Model.from_path(HUMANOID)
    recording, _ = recorded(model, 1)
    sinew.viewer.export(tmp_path / "one.html", model, recording)
    assert len(positions(tmp_path / "one.html")[0]) == 1
    none = sinew.Recording(np.zeros(0), {"qpos": np.zeros((0, model.nq))})
    with pytest.raises(ValueError, match="has no rows"):
        sinew.viewer.export(tmp_path / "none.html", model, none)
    assert not (tmp_path / "none.html").exists()


def test_a_page_ends_before_what_is_no_number(tmp_path):
    model = sinew.Model.from_path(HUMANOID)
    recording, _ = recorded(model, 20)
    recording.fields["qpos"][12, 5] = np.nan
    with pytest.warns(UserWarning, match="row 12 has numbers in qpos"):
        sinew.viewer.export(tmp_path / "run.html", model, recording, fps=rate(recording))
    assert len(positions(tmp_path / "run.html")[0]) == 12


def test_models_without_anything(tmp_path):
    model = sinew.Model.from_xml("<mujoco/>")
    recording = sinew.Recording(np.arange(3) / 60, {})
    sinew.viewer.export(tmp_path / "empty.html", model, recording)
    assert len(positions(tmp_path / "empty.html")[0]) == 3


def test_what_cannot_be_leaves_no_file(tmp_path, monkeypatch):
    model = sinew.Model.from_path(HUMANOID)
    recording, _ = recorded(model, 20)
    path = tmp_path / "run.html"
    path.write_text("before")
    with pytest.raises(ValueError, match="fps is -1"):
        sinew.viewer.export(path, model, recording, fps=-1)
    with pytest.raises(ValueError, match="no time between start and end"):
        sinew.viewer.export(path, model, recording, start=5)
    with pytest.raises(ValueError, match="ends with .html"):
        sinew.viewer.export(tmp_path / "run.npy", model, recording)
    with pytest.raises(OSError, match="No such file"):
        sinew.viewer.export(tmp_path / "nowhere" / "run.html", model, recording)
    monkeypatch.setattr(pages, "MOST_BYTES", 10_000)
    with pytest.raises(ValueError, match="fewer a second"):
        sinew.viewer.export(path, model, recording)
    assert [path.read_text(), list(tmp_path.iterdir())] == ["before", [path]]
