"""STATIC_ACCELERATION: accelerations of what does not move, against both peers."""

import numpy as np
import pytest

import sinew

TEXT = """<mujoco><worldbody>
  <site name="world" euler="30 0 0"/>
  <body pos="1 0 0"><geom size=".1"/><site name="static" euler="0 20 0"/></body>
  <body mocap="true"><geom size=".1" contype="0" conaffinity="0"/><site name="mocap"/></body>
  <body pos="0 0 1"><freejoint/><geom size=".1"/><site name="free"/></body>
</worldbody><sensor>
  <accelerometer site="world"/><accelerometer site="static"/><accelerometer site="mocap"/><accelerometer site="free"/>
  <framelinacc objtype="site" objname="static"/><frameangacc objtype="site" objname="static"/>
</sensor></mujoco>"""
# measured on 3.3.7 and 4.0.1: gravity in the axes of the site; framelinacc in those of the world
G, COS, SIN = 9.81, np.cos(np.radians([30, 20])), np.sin(np.radians([30, 20]))
NEW = [0, G * SIN[0], G * COS[0], -G * SIN[1], 0, G * COS[1], 0, 0, G, 0, 0, 0, 0, 0, G, 0, 0, 0]


@pytest.mark.parametrize(("physics", "expected"), [("3.3.7", np.zeros(18)), ("4.0", NEW)])
def test_static_acceleration(physics, expected):
    m = sinew.Model.from_xml(TEXT, physics=physics)
    d = sinew.Data(m)
    sinew.forward(m, d)
    np.testing.assert_allclose(d.sensordata, expected, atol=1e-14)
