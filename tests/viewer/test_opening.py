"""Opening models in a page of a browser."""

import zipfile

import pytest
from browsing import Tab
from simulating import Simulating
from test_handle import until
from worlds import ARM, arm

import sinew
from sinew.viewer import Source, watching

BALL = (
    "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
)


@pytest.fixture
def opened(windows, monkeypatch):
    """A viewer that simulates, and a page of it; the page may complain of nothing."""
    monkeypatch.setattr(watching, "INTERVAL", 0.05)
    made = []

    def begin(model, *given, **how):
        simulating = Simulating(model, *given, **how)
        made.append((simulating, Tab(windows, simulating.viewer.address, (480, 240))))
        wait(made[0][1], lambda: made[0][1].frames > 0)
        return made[0]

    yield begin
    for simulating, tab in made:
        tab.leave()
        simulating.close()
        assert tab.faults == []


def wait(tab, condition):
    """Wait until a condition holds, and let the browser work meanwhile."""

    def holds():
        tab.page.wait_for_timeout(10)
        return condition()

    until(holds)


def drag(tab, *paths):
    """Drop files and folders onto the picture, as a desktop does, which waits until the page takes them."""
    box = tab.canvas.bounding_box()
    session = tab.page.context.new_cdp_session(tab.page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}

    def move(kind):
        place = {"x": box["x"] + 50, "y": box["y"] + 50}
        session.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})

    dragged = tab.page.locator("body.dragged")
    move("dragEnter")

    def over():
        move("dragOver")
        return dragged.count()

    def dropped():
        move("dragOver")
        move("drop")
        tab.page.wait_for_timeout(100)
        return not dragged.count()

    wait(tab, over)
    wait(tab, dropped)


def test_what_is_dropped_is_shown(opened, tmp_path):
    """A folder into an empty viewer, a bad file, a zip that asks; the page says how it stands."""
    simulating, tab = opened(sinew.Model.from_xml("<mujoco/>"), empty=True)
    page, empty = tab.page, tab.page.get_by_text("drop a model here")
    empty.wait_for()
    page.keyboard.press("Space")  # what stands is drawn once
    (tmp_path / "robot/parts").mkdir(parents=True)
    (tmp_path / "robot/scene.xml").write_text("<mujoco><include file='parts/arm.xml'/></mujoco>")
    (tmp_path / "robot/parts/arm.xml").write_text(ARM)
    drag(tab, tmp_path / "robot")
    wait(tab, lambda: simulating.viewer.m.nbody == 3)
    empty.wait_for(state="hidden")
    page.get_by_text("actuator 1").wait_for()

    (tmp_path / "bad.xml").write_text("<mujoco>\n<geom sze='1'/></mujoco>")
    drag(tab, tmp_path / "bad.xml")
    page.locator("#warnings").get_by_text("bad.xml is not loaded").wait_for()
    page.locator("#warnings").get_by_text("at bad.xml:2").wait_for()
    assert simulating.viewer.m.nbody == 3

    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a/<b>.xml", ARM)
        archive.writestr("ball.xml", BALL)
    page.locator("input[type=file]").first.set_input_files(tmp_path / "two.zip")
    page.get_by_text("Which one is the model?").wait_for()
    assert page.get_by_role("button", name="a/<b>.xml").is_visible()
    page.get_by_role("button", name="ball.xml").click()
    wait(tab, lambda: simulating.viewer.m.nbody == 2)
    page.get_by_text("Which one is the model?").wait_for(state="hidden")
    wait(tab, lambda: page.locator("#warnings").is_hidden())

    page.locator("input[type=file]").nth(1).set_input_files(tmp_path / "robot")
    wait(tab, lambda: simulating.viewer.m.nbody == 3)


def test_a_model_that_changes(opened, tmp_path):
    """It goes on in the same page; Ctrl+L resets it."""
    (tmp_path / "arm.xml").write_text(ARM)
    path = str(tmp_path / "arm.xml")
    simulating, tab = opened(sinew.Model.from_path(path), Source(path))
    wait(tab, lambda: simulating.loading._files)
    camera = tab.page.locator("#left select:has(option:text-is('side'))")
    camera.select_option("side")
    wait(tab, lambda: simulating.viewer.cam.type == 2)
    time, before = simulating.viewer.d.time, simulating.viewer.m
    (tmp_path / "arm.xml").write_text(ARM.replace('name="lower"', 'name="wrist"'))
    wait(tab, lambda: simulating.viewer.m is not before)
    assert simulating.viewer.d.time >= time > 0
    frames = tab.frames
    wait(tab, lambda: tab.frames > frames + 1)
    assert camera.input_value() == "0"
    wait(tab, lambda: simulating.viewer.d.time > 0.5)
    before = simulating.viewer.m
    tab.page.locator("#picture").focus()
    tab.page.keyboard.press("Control+l")
    wait(tab, lambda: simulating.viewer.m is not before)
    assert simulating.viewer.d.time < 0.5


def test_a_program_keeps_its_model(view, tmp_path):
    viewing = view(arm()[0])
    tab = viewing.open()
    (tmp_path / "ball.xml").write_text(BALL)
    drag(tab, tmp_path / "ball.xml")
    said = tab.page.locator("#warnings").get_by_text("a program steps this model: it stays")
    viewing.until(said.is_visible, "nothing is said")
    assert tab.page.get_by_role("button", name="Open", exact=True).is_hidden()
