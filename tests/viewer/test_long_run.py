"""A day of simulated time with a page open: neither the program nor the server grows. Short: three minutes."""

import os
import pathlib
import time

import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
HOURS = 24 if LONG else 0.05
STEPS = 4000 if LONG else 400  # between two states that are shown
PENDULUM = """
<mujoco>
  <visual><quality shadowsize="256"/></visual>
  <option timestep="0.005"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .8 0 0"/></body>
    <body pos="1 0 .5"><freejoint/><geom size=".2"/></body>
  </worldbody>
  <actuator><motor joint="swing" ctrlrange="-5 5" ctrllimited="true"/></actuator>
</mujoco>
""".replace('<joint axis="0 1 0"/>', '<joint name="swing" axis="0 1 0"/>')
GROWTH = 8e6  # bytes: what allocators keep moves by some MB


def resident(pid="self"):
    """Bytes of memory of a process."""
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays(view):
    model = sinew.Model.from_xml(PENDULUM)
    viewing = view(model)
    tab = viewing.open()
    page, data, handle = tab.page, viewing.data, viewing.handle
    server = handle._server._process.pid
    before, shown = None, 0
    while data.time < 3600 * HOURS:
        data.ctrl[0] = 5 if int(data.time) % 20 < 10 else -5
        sinew.step(model, data, STEPS)
        handle.sync()
        shown += 1
        if shown % 50 == 0:
            page.mouse.move(*tab.point(0.5, 0.5))
            page.mouse.wheel(0, 30 if shown % 100 else -30)
        page.wait_for_timeout(2)
        time.sleep(0.002)
        if before is None and data.time > 360 * HOURS:  # a tenth: all that is made once is there
            before = resident(), resident(server), tab.frames
    grown = resident() - before[0], resident(server) - before[1]
    assert tab.frames > before[2] + 20 and max(grown) < GROWTH, (grown, tab.frames)
