"""The live page in Firefox: what else is tried in Chromium is done once here."""

import importlib.resources
import json
import os
import shutil

import pytest
from firefox import Firefox, program
from simulating import Simulating
from test_looks import alike, picture_of
from worlds import MODELS

import sinew
from sinew import _core

CONTROL, ESCAPE, TAB, BACKSPACE, F3 = (
    "\ue009",
    "\ue00c",
    "\ue004",
    "\ue003",
    "\ue033",
)  # of WebDriver
BALL = (
    "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
)
DROP = """(() => {
  const carried = new DataTransfer(), over = document.querySelector("canvas");
  carried.items.add(new File([%s], "two.xml"));
  for (const kind of ["dragenter", "dragover", "drop"])
    over.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
})()"""
TWO = "<mujoco><worldbody><body name='one'/><body name='two'/></worldbody></mujoco>"

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for the page in Firefox"
)


@pytest.fixture
def opened(tmp_path):
    """A viewer that simulates the humanoid, and Firefox with its page."""
    if not importlib.resources.files("sinew._viewer").joinpath("page", "page.js").is_file():
        pytest.skip("the package was built without the page of the viewer: no node or no network")
    if program() is None or shutil.which("Xvfb") is None:
        pytest.skip("no Firefox or no Xvfb here: apt-get install firefox-esr xvfb")
    simulating = Simulating(sinew.Model.from_path(MODELS / "humanoid.xml"))
    firefox = Firefox(tmp_path)
    firefox.open(simulating.viewer.address)
    firefox.until("window.sinew && window.sinew.frames > 10", "it draws nothing")
    yield simulating.viewer, firefox
    firefox.close()
    simulating.close()
    assert firefox.faults == []


def test_the_page(opened):
    viewer, firefox = opened
    assert firefox.evaluate("[sinew.role, location.search]") == ["controller", ""]
    plot(viewer, firefox)
    stop(viewer, firefox)
    look(viewer, firefox)
    drag_a_slider(viewer, firefox)
    pick_and_pull(viewer, firefox)
    press_keys(firefox)
    keep_pictures(firefox)


def plot(viewer, firefox):
    """The profiler, of a simulation that moves."""
    firefox.keys(F3)
    firefox.until("sinew.samples > 20", "nothing is plotted")
    firefox.keys(F3)
    assert viewer.d.time > 0


def stop(viewer, firefox):
    firefox.keys(" ")
    firefox.until(lambda: not viewer._running, "it does not pause")
    firefox.keys(BACKSPACE)
    firefox.until(lambda: viewer.d.time == 0, "it is not reset")
    firefox.until("sinewFrame().time === 0", "that is not shown")


def look(viewer, firefox):
    """As `sinew render` draws it."""
    shown = picture_of(firefox.evaluate("sinewPicture()"))
    height, width, _ = shown.shape
    with sinew.Renderer(viewer.m, height, width) as renderer:
        renderer.update_scene(viewer.d)
        assert alike(shown, renderer.render().astype(int)) > 0.99


def drag_a_slider(viewer, firefox):
    slider = "#right label input[type=range]"
    firefox.mouse(firefox.point(slider, 0.5), 0, firefox.point(slider, 0.8), ~0)
    firefox.until(lambda: 0.3 < viewer.d.ctrl[0] < 1, "the control does not follow")


def press_keys(firefox):
    """Some that browsers have uses of their own for."""
    firefox.keys("w")
    firefox.until("sinewFlags()[1] === 1", "no wires")
    firefox.keys("w")
    firefox.keys("?")
    firefox.until("!!document.querySelector('#help[open]')", "no list of keys")
    firefox.keys(ESCAPE)
    firefox.until("!document.querySelector('#help[open]')", "the list stays")
    left = "getComputedStyle(document.getElementById('left')).display"
    firefox.keys(TAB)
    firefox.until(f"{left} === 'none'", "the panel stays")
    firefox.keys(TAB)
    firefox.until(f"{left} !== 'none'", "the panel does not come back")
    firefox.keys(CONTROL, "f")
    firefox.until("document.activeElement.id === 'find'", "it finds nothing")
    firefox.evaluate("document.activeElement.blur()")


def pick_and_pull(viewer, firefox):
    x, y = middle = firefox.point("canvas")
    firefox.mouse(middle, 0, ~0, 0, ~0)
    firefox.until(lambda: viewer.perturb.select > 0, "nothing is selected")
    name = _core.id2name(viewer.m, int(sinew.ObjType.BODY), viewer.perturb.select)
    selected = "document.querySelector('.node[aria-selected=true]')?.textContent"
    firefox.until(f"({selected} ?? '').includes({json.dumps(name)})", "the tree does not tell")
    firefox.keys(" ")
    firefox.until(lambda: viewer._running, "it does not run on")
    firefox.hold(CONTROL, True)
    firefox.mouse(middle, 2, (x + 30, y - 20))
    firefox.until(lambda: viewer.d.xfrc_applied.any(), "nothing pulls")
    firefox.mouse(~2)
    firefox.hold(CONTROL, False)
    firefox.until(lambda: not viewer.d.xfrc_applied.any(), "it is not let go")


def keep_pictures(firefox):
    firefox.keys(CONTROL, "p")
    kept = firefox.downloads / "sinew_humanoid.png"
    firefox.until(lambda: kept.is_file() and kept.stat().st_size > 1000, "no picture is kept")


def test_models_that_are_given(opened, tmp_path):
    """Chosen, and dropped onto the picture."""
    viewer, firefox = opened
    (tmp_path / "ball.xml").write_text(BALL)
    firefox.give("input[type=file]", tmp_path / "ball.xml")
    firefox.until(lambda: viewer.m.nbody == 2, "it is not opened")
    firefox.evaluate(DROP % json.dumps(TWO))
    firefox.until(lambda: viewer.m.nbody == 3, "what is dropped is not opened")
