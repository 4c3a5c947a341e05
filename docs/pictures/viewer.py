"""The viewer in a browser: the humanoid of examples/balance.py squats on its contact forces."""

import io
import shutil
import sys
import time

from PIL import Image
from playwright.sync_api import sync_playwright

import sinew
import sinew.viewer
from _studio import DOCS, MODELS, colours, furnish, hide_floors, save

sys.path.insert(0, str(DOCS.parent / "examples"))
import balance  # noqa: E402

SIZE = {"width": 1200, "height": 720}
SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
SECONDS = 10.45  # it squats then

spec = sinew.Spec.from_path(MODELS / "humanoid.xml")
colours(spec)
hide_floors(spec)
spec.section("visual/map").force = 0.02
model = furnish(spec).compile()
data = balance.start(model)
controller, task = balance.brain(model, data)
centre = data.subtree_com[0].copy()


def step() -> None:
    """Let the robot balance for a step."""
    balance.squat(task, centre, data.time)
    controller.solve(data)
    controller.apply(data)
    sinew.step(model, data)


with (
    sinew.viewer.launch_passive(model, data, browser=False) as viewer,
    sync_playwright() as playwright,
):
    viewer.cam.lookat[:], viewer.cam.distance = [0.05, 0, 0.68], 3.0
    viewer.cam.azimuth, viewer.cam.elevation = 130, -10
    viewer.opt.flags[sinew.mujoco.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    chrome = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=list(SOFTWARE), chromium_sandbox=False
    )
    page = chrome.new_page(viewport=SIZE)
    page.goto(viewer.address)
    page.locator(".node", has_text="chest").click()
    end = data.time + SECONDS
    while data.time < end:
        step()
        viewer.sync()
        page.wait_for_timeout(1)
    time.sleep(0.2)
    page.wait_for_timeout(1500)
    shot = Image.open(io.BytesIO(page.screenshot()))
    chrome.close()
save(shot.convert("RGB").resize((900, 540), Image.Resampling.LANCZOS), dots=False)
