"""Programs that nobody here wrote, unchanged: the examples of the peer's manual that open a viewer beside themselves."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import time

from browsing import LIMIT, Tab

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = next(
    (pathlib.Path(sys.prefix) / "mujoco-newest").glob("mujoco/doc/python.rst"), pathlib.Path()
)
# small, and without shadows: here a processor draws it
MODEL = ROOT / "examples/models/four_bar.xml"
# what its examples leave out: the reader has a model and a callback
BEFORE = f"""
import itertools
import mujoco, mujoco.viewer
import numpy as np
m = mujoco.MjModel.from_xml_path({str(MODEL)!r})
d = mujoco.MjData(m)
def key_callback(keycode):
    print("key", keycode, flush=True)
def example():
"""
PLACE = "/path/to/mjcf.xml"  # where a reader writes the name of a file of his own
SECONDS = 5.0 if os.environ.get("SINEW_LONG") else 1.0


def examples():
    """Code blocks of the manual's Python page that call launch_passive."""
    text = MANUAL.read_text() if MANUAL.is_file() else ""
    blocks = re.findall(r"\.\. code-block:: python\n\n((?:(?: +.*)?\n)+)", text)
    return [textwrap.dedent(block) for block in blocks if "launch_passive(" in block]


def begun(tmp_path, code, name="program"):
    """A process that runs a program on Sinew, and the address that it prints."""
    file = tmp_path / f"{name}.py"
    file.write_text(code)
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    process = subprocess.Popen(
        [sys.executable, "-m", "sinew.run", file],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    words = (word for line in process.stdout for word in line.split())
    return process, next(word for word in words if word.startswith("http://"))


def test_the_manual_has_examples():
    assert len(examples()) == 3


def program(block):
    """A whole program of an example, which leaves out what its reader has."""
    block = block.replace("nonlocal paused", "global paused").replace(PLACE, str(MODEL))
    if "paused = False" in block:  # its callback is one of a module
        block = "global paused\n" + block
    return f"{BEFORE}{textwrap.indent(block, '    ')}\nexample()\nprint('ended', flush=True)\n"


def draw_on(tab, process):
    """Wait until a page has drawn for some time, while a key is pressed again and again."""
    end, begin = time.monotonic() + LIMIT, None
    while begin is None or time.monotonic() < begin + SECONDS or tab.frames < 10:
        assert time.monotonic() < end and process.poll() is None, "it does not draw on"
        begin = begin or (time.monotonic() if tab.frames else None)
        tab.page.keyboard.press("k")
        tab.page.wait_for_timeout(50)
    assert tab.faults == []


def ends_well(process, block):
    """Wait until an example has ended; say whether it was by itself, and has heard keys if it listens."""
    said, _ = process.communicate(timeout=LIMIT)
    listens = "def key_callback" not in block and "key_callback=" in block
    return process.returncode == 0 and said.endswith("ended\n") and ("key 75" in said) == listens


def test_examples_of_the_manual(windows, tmp_path):
    """They draw on, and end at once when their page says so, or some seconds after it is closed: so does the one that waits
    for the clock, as the others would be busy for as long.
    """
    waits, *busy = sorted(examples(), key=lambda block: "time.sleep" not in block)
    first, address = begun(tmp_path, program(waits), "waits")
    with contextlib.ExitStack() as stack:
        stack.callback(first.kill)
        tab = Tab(windows, address)
        draw_on(tab, first)
        tab.leave()
        for block in busy:
            process, address = begun(tmp_path, program(block))
            stack.callback(process.kill)
            tab = Tab(windows, address)
            draw_on(tab, process)
            tab.page.keyboard.press("Control+q")
            assert ends_well(process, block)
            tab.leave()
        assert ends_well(first, waits)


PANELS = f"""
import mujoco, mujoco.viewer
m = mujoco.MjModel.from_xml_path({str(MODEL)!r})
d = mujoco.MjData(m)
with mujoco.viewer.launch_passive(m, d, show_left_ui=False) as viewer:
    while viewer.is_running():
        viewer.sync()
"""


def test_panels_that_a_program_hides(windows, tmp_path):
    process, address = begun(tmp_path, PANELS)
    try:
        tab = Tab(windows, address)
        tab.page.locator("#left").wait_for(state="hidden")
        assert tab.page.locator("#right").is_visible()
        tab.page.locator("#picture").click(position={"x": 5, "y": 5})
        tab.page.keyboard.press("Tab")
        tab.page.locator("#left").wait_for(state="visible")
        tab.leave()
    finally:
        process.kill()
        process.communicate()
    assert tab.faults == []


# an arm that follows a target which mink's own class moves by keys; ends when the target is 4 cm away, or after a while
TELEOPERATION = """
import time
import mink, mujoco, mujoco.viewer
from mink.contrib import TeleopMocap
m = mujoco.MjModel.from_xml_string('''<mujoco><worldbody>
  <body pos="0 0 .5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
    <body pos=".4 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <site name="tip" pos=".4 0 0"/></body></body>
  <body name="target" mocap="true" pos=".6 0 .6"><geom size=".03" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>''')
configuration = mink.Configuration(m)
d = configuration.data
task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.0, lm_damping=1e-3)
keys = TeleopMocap(d)
with mujoco.viewer.launch_passive(m, d, key_callback=keys) as viewer:
    end = time.time() + 100
    while viewer.is_running() and d.mocap_pos[0, 0] < 0.64 and time.time() < end:
        keys.auto_key_move()
        task.set_target(mink.SE3.from_mocap_name(m, d, "target"))
        configuration.integrate_inplace(mink.solve_ik(configuration, [task], 0.01, "daqp", damping=1e-6), 0.01)
        viewer.sync()
        time.sleep(0.01)
    for _ in range(100):
        task.set_target(mink.SE3.from_mocap_name(m, d, "target"))
        configuration.integrate_inplace(mink.solve_ik(configuration, [task], 0.01, "daqp", damping=1e-6), 0.01)
    far = abs(d.site("tip").xpos - d.mocap_pos[0]).max()
    print("target", d.mocap_pos[0, 0], "far", far, flush=True)
"""


def test_keys_of_mink(windows, tmp_path):
    """The keys of a page move what mink's teleoperation moves, and the arm follows."""
    process, address = begun(tmp_path, TELEOPERATION)
    try:
        tab = Tab(windows, address)
        end = time.monotonic() + LIMIT
        while tab.frames == 0:
            assert time.monotonic() < end, "it draws nothing"
            tab.page.wait_for_timeout(20)
        tab.page.locator("#picture").click(position={"x": 5, "y": 5})
        tab.page.keyboard.press("9")
        while process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            tab.page.keyboard.press("ArrowUp")
            tab.page.wait_for_timeout(50)
        said = process.communicate()[0].split()
        target, far = float(said[said.index("target") + 1]), float(said[said.index("far") + 1])
        assert target >= 0.64 and far < 1e-3
        tab.leave()
    finally:
        process.kill()
