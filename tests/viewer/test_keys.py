"""Every key of the table does what the table says."""

import time

import numpy as np
import pytest
from browsing import LIMIT, Tab

import sinew
from sinew import _core
from sinew.viewer.managed import Managed

MODEL = """
<mujoco model="keys">
  <visual><quality shadowsize="256"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
    <geom type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 1"><joint name="swing" axis="0 1 0"/><geom size=".2"/>
      <body name="lower" pos="0 0 -.4"><joint axis="0 1 0"/><geom size=".2"/></body></body>
  </worldbody>
</mujoco>
"""
SWITCHES = _core.tables()["switches"]
LAST = "end the viewer"
KEPT = {"screenshot": "keys.png", "print the model": "MJMODEL.TXT", "print the data": "MJDATA.TXT"}


class Running:
    """A viewer that simulates itself, and a page of it."""

    def __init__(self, windows):
        model = sinew.Model.from_xml(MODEL)
        data = sinew.Data(model)
        sinew.forward(model, data)
        self.handle = Managed(model, data, browser=False)
        self.tab = None
        self.tab = Tab(windows, self.handle.address, (720, 320))
        self.until(lambda: self.options() is not None, "the page draws nothing")

    def options(self):
        return self.tab.page.evaluate("window.sinewOptions ? window.sinewOptions() ?? null : null")

    def turn(self):
        """What `run` does again and again."""
        with self.handle._lock:
            if self.handle.is_running():
                self.handle._turn(time.perf_counter())

    def until(self, condition, fault):
        end = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < end, fault
            self.turn()
            self.tab.page.wait_for_timeout(5)

    def rows(self):
        """The table of keys."""
        members = "{key, label, shift, ctrl, alt}"
        return self.tab.page.evaluate(f"window.sinewKeys().map(({members}) => ({members}))")

    def press(self, row):
        """Press the key of a row of the table."""
        held = [
            name
            for name in ("Control", "Alt", "Shift")
            if row.get({"Control": "ctrl"}.get(name, name.lower()))
        ]
        key = {" ": "Space"}.get(row["key"], row["key"])
        self.tab.page.keyboard.press("+".join([*held, key if len(key) > 1 else key.lower()]))


@pytest.fixture
def running(windows):
    made = Running(windows)
    yield made
    made.tab.leave()
    made.handle.close()
    assert made.tab.faults == []


def test_every_key(running):
    """Flags and groups are switched and switched back, the rest does what can be seen of it; none is a fault."""
    tab, handle = running.tab, running.handle
    running.until(
        lambda: any(row["label"] == "run, pause" for row in running.rows()), "no keys that run"
    )
    rows = running.rows()
    flags = {label: i for i, (label, *_) in enumerate(SWITCHES["snVisFlag"])}
    pressed, switched = set(), set()
    tab.page.locator("#picture").click(position={"x": 5, "y": 5})
    for row in rows:
        label = row["label"]
        if label == LAST:
            continue
        before = running.options()
        if label in KEPT:
            with tab.page.expect_download() as found:
                running.press(row)
                for _ in range(50):
                    running.turn()
                    tab.page.wait_for_timeout(5)
            assert found.value.suggested_filename == KEPT[label]
        else:
            running.press(row)
        pressed.add(label)
        if label == "this list":
            tab.page.locator("#help[open]").wait_for()
            tab.page.keyboard.press("Escape")
        if label in flags and row["key"] == SWITCHES["snVisFlag"][flags[label]][2]:
            index = flags[label]
            changed = lambda index=index, before=before: (  # noqa: E731
                running.options()["flags"][index] != before["flags"][index]
            )
            running.until(changed, f"{label} is not switched")
            switched.add(label)
            running.press(row)
        elif "of group" in label:
            of = label.split("s of group ")[0] + "group"
            running.until(
                lambda of=of, before=before: running.options()[of] != before[of],
                f"{label} is not switched",
            )
            switched.add(label)
            running.press(row)
        elif label in ("next frames", "next labels"):
            of = label.removeprefix("next ").removesuffix("s")
            running.until(
                lambda of=of, before=before: running.options()[of] == before[of] + 1, label
            )
    assert len(switched) == 12 + sum(
        1 for i, (_, _, key) in enumerate(SWITCHES["snVisFlag"]) if key and i not in (26, 27)
    )
    assert {"run, pause", "reset", "faster", "slower", "left panel", "right panel"} <= pressed
    assert handle.is_running()


def one(running, label):
    """Press the key of a row, once the table has it."""
    running.until(lambda: label in {row["label"] for row in running.rows()}, f"no key for {label}")
    running.press(next(row for row in running.rows() if row["label"] == label))


def they_run(running):
    handle = running.handle
    one(running, "run, pause")
    running.until(lambda: not handle._simulation.running, "it does not pause")
    before = handle.d.time
    one(running, "one step, or one state on")
    running.until(lambda: handle.d.time > before, "it does not step")
    assert np.isclose(handle.d.time - before, handle.m.opt.timestep)
    one(running, "slower")
    running.until(lambda: handle._simulation.percent == 79, "it is no slower")
    one(running, "faster")
    running.until(lambda: handle._simulation.percent == 100, "it is no faster")
    one(running, "reset")
    running.until(lambda: handle.d.time == 0, "it is not reset")


def they_hide_panels(running):
    page = running.tab.page
    for side in ("left", "right"):
        panel = page.locator(f"#{side}")
        one(running, f"{side} panel")
        panel.wait_for(state="hidden")
        assert (
            page.get_by_role("button", name=f"{side} panel").get_attribute("aria-pressed")
            == "false"
        )
        one(running, f"{side} panel")
        panel.wait_for(state="visible")


def they_fold_parts(running):
    page = running.tab.page
    part = page.locator("details[data-title=Physics]")
    for open_now in (True, False):
        one(running, "fold Physics")
        running.until(lambda now=open_now: part.evaluate("part => part.open") == now, "no fold")


def they_switch_flags(running):
    """These go to the program's scene and come from it."""
    flags = running.handle.user_scn.flags
    one(running, "Wireframe")
    running.until(lambda: flags[1] == 1, "the program does not know")
    with running.handle.lock():
        flags[1], flags[5] = 0, 1
    shown = "window.sinewFlags ? window.sinewFlags() : null"
    running.until(
        lambda: (running.tab.page.evaluate(shown) or [])[1:6:4] == [0, 1], "the page does not know"
    )


def test_keys_one_by_one(running):
    they_run(running)
    they_hide_panels(running)
    they_fold_parts(running)
    they_switch_flags(running)


def test_the_last_key(running):
    one(running, LAST)
    running.until(lambda: not running.handle.is_running(), "it does not end")
    running.tab.faults.clear()  # the browser tells it that nobody answers any longer
