"""Two links and a third beside them, moved by actuators that a test gives, and what they do."""

import numpy as np

import sinew


def text(actuators, more="", options="", floor=False, sensors="", first='name="hip" axis="0 1 0"'):
    return f"""
    <mujoco>
      <custom><text name="sinew_physics" data="4.0"/>{more}</custom>
      <option timestep="0.005" {options}/>
      <worldbody>
        {'<geom type="plane" size="2 2 .1" pos="0 0 -.345"/>' if floor else ""}
        <site name="pin" pos=".4 0 -.3"/>
        <body>
          <joint {first} damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
          <body pos="0 0 -.3">
            <joint name="knee" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
            <site name="tip" pos=".4 0 0"/>
          </body>
        </body>
        <body pos=".7 0 -.45"><joint name="away" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".03"/>
          <site name="top" pos="0 0 .3"/>
        </body>
      </worldbody>
      <equality>{'<connect site1="tip" site2="top"/>' if "loops" in more else ""}</equality>
      <actuator>{actuators}</actuator>
      <sensor>{sensors}</sensor>
    </mujoco>"""


def model(actuators, **given):
    return sinew.Model.from_xml(text(actuators, **given))


def run(m, steps=60):
    d = sinew.Data(m)
    for _ in range(steps):
        d.ctrl[0], d.ctrl[-1] = 0.5 * np.sin(9 * d.time), -0.4
        sinew.step(m, d)
    return d


def check_alike(ours, theirs):
    """That two data have come to the same, by the same forces."""
    for name in ("qpos", "qvel", "actuator_force", "qacc"):
        x, y = getattr(ours, name), getattr(theirs, name)
        assert np.abs(x - y).max() <= 1e-9 * max(1, np.abs(y).max()), name


def alike(first, second, **given):
    """That a model does the same with actuators as with others; its data with the first."""
    ours, theirs = (run(model(actuators, **given)) for actuators in (first, second))
    check_alike(ours, theirs)
    return ours
