"""Recordings as pages in one file, and such pages in a browser."""

import numpy as np
from browsing import LIMIT, Tab

import sinew
from sinew import _core

# what depends on the eye, what changes its shape, what comes and goes, a name that is markup
ODD = """
<mujoco model="&lt;/title>&lt;/script>&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(2)>">
  <visual><quality shadowsize="512"/></visual>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="64"/>
    <texture name="squares" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".1 .2 .3" width="64" height="64"/>
    <material name="floor" texture="squares" texrepeat="2 2" reflectance=".2"/>
    <mesh name="tetrahedron" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" mode="track"/>
    <camera name="&lt;b>side" pos="0 -3 1" xyaxes="1 0 0 0 1 3"/>
    <geom type="plane" material="floor" size="0 0 .1"/>
    <geom type="plane" size=".5 .5 .1" pos="-1 0 1" euler="0 90 0" rgba=".5 .2 .2 1" group="5"/>
    <site name="hook" pos="0 0 1.5"/>
    <body name="ball" pos=".1 0 1">
      <freejoint/><geom size=".15" rgba=".2 .8 .3 .6"/><site name="eye" pos="0 0 .15"/>
      <camera name="riding" pos="0 0 1" mode="trackcom"/>
      <geom type="box" size=".1 .1 .1" group="4"/>
    </body>
    <body pos=".8 .3 1"><freejoint/><geom type="mesh" mesh="tetrahedron"/></body>
    <body pos="-.5 .5 .6">
      <joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
    </body>
  </worldbody>
  <tendon>
    <spatial stiffness="20" width=".02" rgba="1 .5 0 1"><site site="hook"/><site site="eye"/></spatial>
  </tendon>
</mujoco>
"""


def recorded(model, rows, skip=1):
    """A recording of some rows, and the data of each."""
    data, datas, states = sinew.Data(model), [], []
    for _ in range(rows):
        states.append((data.time, data.qpos.copy(), data.qvel.copy()))
        sinew.step(model, data, skip)
    for time, qpos, qvel in states:
        one = sinew.Data(model)
        one.time, one.qpos[:], one.qvel[:] = time, qpos, qvel
        sinew.forward(model, one)
        datas.append(one)
    time, qpos, qvel = (np.array(values) for values in zip(*states, strict=True))
    return sinew.Recording(time, {"qpos": qpos, "qvel": qvel}), datas


def rate(recording):
    """Rows a second of a recording."""
    return 1 / (recording.time[1] - recording.time[0])


class Playing:
    """A page that was opened from disk, without a network."""

    def __init__(self, windows, path):
        self._tab = Tab(windows, path.resolve().as_uri(), (760, 400), offline=True)
        self.page = self._tab.page
        self.until("window.sinew && window.sinew.frames > 0")

    def until(self, condition):
        """Wait for a condition, which the policy of the page lets no script of its own ask."""
        for _ in range(int(LIMIT / 0.01)):
            if self.page.evaluate(f"Boolean({condition})"):
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(condition)

    def go(self, row):
        """Show a row."""
        self.page.evaluate(f"window.sinew.clock.row = {row}")
        self.until(f"window.sinew.row === {row}")

    def drawn(self, deed):
        """Do something, and wait until it is drawn."""
        before = self.page.evaluate("window.sinew.frames")
        deed()
        self.until(f"window.sinew.frames > {before}")

    def cam(self):
        """Its camera, as this package has it."""
        words, out = self.page.evaluate("window.sinew.cam"), _core.MjvCamera()
        for name in ("type", "fixedcamid", "trackbodyid", "distance", "azimuth", "elevation"):
            setattr(out, name, words[name])
        out.lookat[:] = words["lookat"]
        return out

    def close(self):
        self._tab.leave()
        assert self._tab.faults == [] and self._tab.asked == [self._tab.address]
