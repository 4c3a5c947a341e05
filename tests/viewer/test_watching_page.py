"""What a page shows of a simulation: tree and search, the selected body, plots, the state."""

import csv

import numpy as np
import pytest

import sinew

MODEL = """
<mujoco>
  <statistic center="0 0 0.3" extent="1"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
    <body name="&lt;b onclick=alert(1)&gt;base&lt;/b&gt;" pos="0 0 .3">
      <joint name="lift" type="slide" axis="0 0 1"/><geom name="base" size=".1"/>
      <body name="arm" pos=".2 0 0">
        <joint name="elbow" axis="0 1 0"/><geom name="limb" type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="-.5 0 .1"><freejoint name="free"/><geom size=".1"/><site name="inside"/></body>
  </worldbody>
  <actuator><motor name="drive" joint="elbow" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos name="bend" joint="elbow"/><velocimeter name="speed" site="inside"/></sensor>
</mujoco>
"""
BASE, ARM, BALL = 1, 2, 3


@pytest.fixture
def viewing(view):
    return view(sinew.Model.from_xml(MODEL))


def text(tab, selector):
    return tab.page.locator(selector).inner_text()


def selected(viewing, body):
    viewing.until(lambda: viewing.handle.perturb.select == body, f"body {body} is not selected")


def in_sight(locator):
    """Whether an element of the right panel is there, and where it is seen."""
    return locator.count() and locator.evaluate("""(one) => {
      const panel = document.getElementById("right").getBoundingClientRect(), box = one.getBoundingClientRect();
      return box.height > 0 && box.top >= panel.top - 1 && box.bottom <= panel.bottom + 1;
    }""")


def test_tree_search_and_the_selected_body(viewing):
    tab = viewing.open((1100, 800))
    page, data = tab.page, viewing.data
    names = page.locator(".node > span").all_inner_texts()
    assert names == ["world", "<b onclick=alert(1)>base</b>", "arm", "ball"]
    assert page.locator('.node[aria-selected="true"]').count() == 0
    page.locator(".node", has_text="ball").click()
    selected(viewing, BALL)
    part = page.locator("#right details", has_text="Selected")
    part.get_by_text("free (free)").wait_for()
    assert page.locator('.node[aria-selected="true"]').inner_text().startswith("ball")
    assert "with world, floor" in part.inner_text()
    mass = f"{viewing.model.body_mass[BALL]:.4g} kg"
    assert mass in part.inner_text()
    viewing.until(lambda: f"{data.xpos[BALL, 0]:.4f}" in part.inner_text(), "no position")
    # a name that holds markup is a name
    page.keyboard.press("Control+f")
    page.keyboard.type("B ON")
    assert page.locator(".hits > li").all_inner_texts() == ["<b onclick=alert(1)>base</b>\nbody"]
    page.keyboard.press("Enter")
    selected(viewing, BASE)
    part.get_by_text("lift (slide)").wait_for()
    # what an actuator moves, and its slider
    page.locator("#find").fill("drive")
    page.keyboard.press("Enter")
    selected(viewing, ARM)
    drive = page.locator("label", has_text="drive").locator("input[type=range]")
    viewing.until(lambda: in_sight(drive), "its slider is out of sight")
    page.locator("#find").fill("elbow")
    page.keyboard.press("Enter")
    elbow = page.locator("label", has_text="elbow").locator("input[type=range]")
    viewing.until(lambda: in_sight(elbow), "the joint's slider is out of sight")
    page.locator("#find").fill("eye")
    page.keyboard.press("Enter")
    viewing.until(lambda: viewing.handle.cam.fixedcamid == 0, "it does not look through the camera")
    page.locator("#find").fill("nobody")
    assert "nothing has such a name" in text(tab, ".hits")
    page.keyboard.press("Escape")
    page.locator(".node", has_text="ball").dblclick()
    viewing.until(lambda: viewing.handle.cam.trackbodyid == BALL, "it does not follow")


def values(tab):
    """Names and newest values of what is plotted."""
    return dict(tab.page.evaluate(LEGEND))


LEGEND = """[...document.querySelectorAll(".pane li")].map(
  (row) => [row.querySelector("span").textContent, row.querySelector("output").textContent])"""
INKED = """() => [...document.querySelectorAll(".pane canvas")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(45, 0, canvas.width - 45, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 250) colours.add([data[i], data[i + 1], data[i + 2]].join());
  return colours.size;
})"""


def test_plots_and_state(viewing):
    tab = viewing.open((1100, 800))
    page, data = tab.page, viewing.data
    page.keyboard.press("F4")
    viewing.until(lambda: tab.hook("samples") > 20, "nothing is plotted")
    assert page.locator(".pane > figcaption").all_inner_texts() == ["jointpos", "velocimeter"]
    viewing.until(
        lambda: float(values(tab)["bend"]) == pytest.approx(data.qpos[1], rel=0.2), "another value"
    )
    assert list(values(tab)) == ["bend", "speed x", "speed y", "speed z"]
    viewing.until(lambda: all(n >= 2 for n in page.evaluate(INKED)), "no curve is drawn")
    with page.expect_download() as download:
        page.locator("summary", has_text="Plots").click()
        page.get_by_role("button", name="Save as CSV").click()
    with open(download.value.path(), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time", "jointpos: bend"] + [f"velocimeter: speed {axis}" for axis in "xyz"]
    table = np.array(rows[1:], float)
    assert len(table) > 20 and (np.diff(table[:, 0]) > 0).all() and table[:, 1].any()
    # another signal, found by name
    page.get_by_label("Find a signal").fill("potential")
    page.get_by_label("potential energy").check()
    viewing.until(lambda: "potential energy" in values(tab), "it is not plotted besides")
    viewing.until(lambda: values(tab)["potential energy"] not in ("", "–"), "it has no value")
    # time goes back
    viewing.until(lambda: tab.hook("samples") > 20, "nothing is plotted")
    data.time = 0
    viewing.until(lambda: tab.hook("samples") < 10, "it plots before the reset")
    page.locator("#picture").focus()
    page.keyboard.press("F3")
    viewing.until(lambda: "step" in values(tab), "no profiler")
    clock = page.get_by_text("needs a clock")
    viewing.until(clock.is_visible, "it does not say why there are no times")
    data.qpos[0] = np.nan
    page.keyboard.press("F3")
    page.locator(".plots").wait_for(state="hidden")
    page.keyboard.press("F2")
    viewing.until(lambda: "Real-time factor" in text(tab, ".info"), "no lines over the picture")


def test_10000_bodies(view):
    """The rows that are seen are made, and the last one is found."""
    inner = "".join(f'<body name="link {i}"/>' for i in range(9_990))
    chain = "".join(f'<body name="chain {i}">' for i in range(9)) + "</body>" * 9
    model = sinew.Model.from_xml(
        f'<mujoco><worldbody><geom size=".1"/>{inner}{chain}</worldbody></mujoco>'
    )
    viewing = view(model)
    tab = viewing.open((900, 600))
    page = tab.page
    assert page.locator(".node").count() < 40
    page.keyboard.press("Control+f")
    page.keyboard.type("chain 8")
    page.keyboard.press("Enter")
    selected(viewing, 9_999)
    page.locator('.node[aria-selected="true"]', has_text="chain 8").wait_for()
    assert page.locator(".node").count() < 40
