"""What is set in a page of a viewer that steps: sliders, options, history, noise, keyframes."""

import threading
import time
import xml.etree.ElementTree as ET

import pytest
from browsing import LIMIT, Tab
from test_settings import RICH

import sinew
from sinew.viewer import Source
from sinew.viewer.managed import Managed

REFUSES = (
    "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject()}})"
)


class Setting:
    """A viewer that steps, and its page.

    Parameters
    ----------
    windows : Windows
    path : pathlib.Path
        The model's file.
    """

    def __init__(self, windows, path):
        self.model = sinew.Model.from_path(path)
        self.data = sinew.Data(self.model)
        sinew.forward(self.model, self.data)
        self.viewer = Managed(self.model, self.data, browser=False, source=Source(str(path)))
        self._thread = threading.Thread(target=self.viewer.run)
        self._thread.start()
        self.tab = Tab(windows, self.viewer.address, (800, 600))
        self.page = self.tab.page
        self.until(lambda: self.tab.frames > 0 and self.tab.hook("role") == "controller")

    def until(self, condition):
        """Wait for what happens."""
        end = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            self.page.wait_for_timeout(10)

    def unfold(self, *titles):
        """Unfold parts of panels."""
        for title in titles:
            self.page.locator("summary", has_text=title).first.click()

    def close(self):
        """End all; return what was wrong with the page."""
        self.tab.leave()
        self.viewer.close()
        self._thread.join()
        return self.tab.faults


@pytest.fixture
def setting(windows, tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(RICH)
    made = Setting(windows, path)
    yield made
    assert made.close() == []


def test_everything_that_is_set(setting):
    model, data, page, viewer = setting.model, setting.data, setting.page, setting.viewer
    page.keyboard.press("Space")
    setting.until(lambda: not viewer._simulation.running)

    page.locator("#find").fill("rail")  # its slider is made when it is looked for
    page.locator("#find").press("Enter")
    setting.unfold("Equalities")
    page.locator('[data-object="joint 1"] input').fill("1.5")
    setting.until(lambda: data.qpos[1] == 1.5)
    page.get_by_label("weld 1").click()
    setting.until(lambda: data.eq_active[1] == 1)
    page.get_by_label("slow", exact=True).fill("0.5")
    setting.until(lambda: data.ctrl[1] == 0.5)
    page.get_by_text("(act ").wait_for()
    page.get_by_role("button", name="Zero controls").click()
    setting.until(lambda: data.ctrl[1] == 0)

    setting.unfold("Physics", "disableflags")
    page.get_by_label("solver").select_option("CG")
    setting.until(lambda: model.opt.solver == 1)
    page.get_by_label("gravity 2").fill("-1.62")
    page.get_by_label("gravity 2").press("Enter")
    setting.until(lambda: model.opt.gravity[2] == -1.62)
    page.get_by_label("contact", exact=True).and_(page.locator("[type=checkbox]")).click()
    setting.until(lambda: model.opt.disableflags == 16)
    page.get_by_label("timestep").fill("0")
    page.get_by_label("timestep").press("Enter")
    page.get_by_role("alert").get_by_text("option timestep is 0, must be positive").wait_for()
    setting.until(lambda: page.get_by_label("timestep").input_value() == "0.002")
    assert model.opt.timestep == 0.002
    model.opt.timestep = 0.004  # by the program
    setting.until(lambda: page.get_by_label("timestep").input_value() == "0.004")

    page.locator("body").evaluate("() => document.activeElement.blur()")
    begun = data.time
    for steps in (1, 2):
        page.keyboard.press("ArrowRight")
        setting.until(lambda: data.time > begun + 0.003 * steps)  # noqa: B023
    page.keyboard.press("ArrowLeft")
    setting.until(lambda: data.time < begun + 0.005)
    slider = page.get_by_label("history")
    setting.until(lambda: float(slider.get_attribute("min")) <= -2)
    slider.fill("-2")
    setting.until(lambda: data.time == begun)

    setting.unfold("Control noise")
    page.get_by_label("ctrl_noise_std").fill("0.25")
    page.get_by_label("ctrl_noise_std").press("Enter")
    setting.until(lambda: viewer._simulation.noise.std == 0.25)
    page.get_by_role("button", name="Align").click()


def test_keyframes(setting):
    model, data, page, viewer = setting.model, setting.data, setting.page, setting.viewer
    page.keyboard.press("Space")
    setting.until(lambda: not viewer._simulation.running)
    setting.unfold("Keyframes")
    page.get_by_role("button", name="Load", exact=True).click()
    setting.until(lambda: data.qpos[0] == 1)
    page.locator("label", has_text="Keyframe").locator("select").select_option("key 1")
    page.get_by_role("button", name="Save", exact=True).click()
    setting.until(lambda: model.key_qpos[1, 0] == 1)

    page.evaluate(REFUSES)
    page.get_by_role("button", name="Copy state").click()
    text = page.locator("dialog[open] textarea")
    text.wait_for()
    key = ET.fromstring(text.input_value())
    assert [float(word) for word in key.get("qpos").split()] == data.qpos.tolist()
    page.keyboard.press("Escape")

    name = page.get_by_placeholder("name of a keyframe")
    name.fill("there")
    page.get_by_role("button", name="Download model").click()
    page.get_by_role("alert").get_by_text("has a keyframe there already").wait_for()
    name.fill("<b>now")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download model").click()
    assert download.value.suggested_filename == "robot__b_now.xml"
    again = sinew.Model.from_path(download.value.path())
    assert again.key(2).name == "<b>now" and again.key_qpos[2].tolist() == data.qpos.tolist()
