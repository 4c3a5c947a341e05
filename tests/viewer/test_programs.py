"""Programs that nobody here wrote, unchanged: the examples of the peer's manual that open a viewer beside themselves."""

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
HUMANOID = ROOT / "examples/models/humanoid.xml"
# what its examples leave out: the reader has a model and a callback
BEFORE = f"""
import itertools
import mujoco, mujoco.viewer
import numpy as np
m = mujoco.MjModel.from_xml_path({str(HUMANOID)!r})
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
    line = process.stdout.readline()
    return process, next(word for word in line.split() if word.startswith("http://"))


def test_the_manual_has_examples():
    assert len(examples()) == 3


def program(block):
    """A whole program of an example, which leaves out what its reader has."""
    block = block.replace("nonlocal paused", "global paused").replace(PLACE, str(HUMANOID))
    if "paused = False" in block:  # its callback is one of a module
        block = "global paused\n" + block
    return f"{BEFORE}{textwrap.indent(block, '    ')}\nexample()\nprint('ended', flush=True)\n"


def draws_on(tab, process):
    """Wait until a page has drawn for some time, while a key is pressed again and again."""
    end, begin = time.monotonic() + LIMIT, None
    while begin is None or time.monotonic() < begin + SECONDS or tab.frames < 10:
        assert time.monotonic() < end and process.poll() is None, "it does not draw on"
        begin = begin or (time.monotonic() if tab.frames else None)
        tab.page.keyboard.press("k")
        tab.page.wait_for_timeout(50)


def test_examples_of_the_manual(browser, tmp_path):
    """They run as long as a page is open, draw on, and end after it is closed; all at a time, as each waits for a while."""
    blocks = examples()
    running = [begun(tmp_path, program(block), f"example_{i}") for i, block in enumerate(blocks)]
    try:
        for process, address in running:
            tab = Tab(browser, address)
            draws_on(tab, process)
            tab.close()
            assert tab.faults == []
        for (process, _), block in zip(running, blocks, strict=True):
            said, _ = process.communicate(timeout=LIMIT)
            assert process.returncode == 0 and said.endswith("ended\n")
            ours = "def key_callback" not in block and "key_callback=" in block
            assert ("key 75" in said) == ours
    finally:
        for process, _ in running:
            process.kill()


PANELS = f"""
import mujoco, mujoco.viewer
m = mujoco.MjModel.from_xml_path({str(HUMANOID)!r})
d = mujoco.MjData(m)
with mujoco.viewer.launch_passive(m, d, show_left_ui=False) as viewer:
    while viewer.is_running():
        viewer.sync()
"""


def test_panels_that_a_program_hides(browser, tmp_path):
    process, address = begun(tmp_path, PANELS)
    try:
        tab = Tab(browser, address)
        tab.page.locator("#right").wait_for(state="visible")
        assert tab.page.locator("#left").is_hidden()
        tab.page.locator("#picture").click(position={"x": 5, "y": 5})
        tab.page.keyboard.press("Tab")
        tab.page.locator("#left").wait_for(state="visible")
        tab.close()
    finally:
        process.kill()
        process.communicate()
    assert tab.faults == []
