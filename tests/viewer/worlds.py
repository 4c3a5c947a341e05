"""Models, and what pages look at, without a process that serves them."""

import os
import pathlib

import sinew
from sinew import _core
from sinew._viewer.world import World
from sinew.viewer import wire
from sinew.viewer.block import Writer

MODELS = pathlib.Path(__file__).parents[2] / "examples" / "models"
ARM = """
<mujoco>
  <worldbody>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
    <geom type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".05"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" ctrlrange="-2 3" ctrllimited="true"/><motor joint="elbow"/></actuator>
  <keyframe><key name="up" qpos="-1.5 0"/></keyframe>
</mujoco>
"""


def arm():
    model = sinew.Model.from_xml(ARM)
    data = sinew.Data(model)
    sinew.forward(model, data)
    return model, data


def world(model, data):
    """What pages look at, of a state, and the writer of further ones."""
    packed = _core.packModel(model)
    once = Writer(len(packed))
    once.write([packed])
    states = Writer(1 << 26)
    made = World(os.dup(once.descriptor), os.dup(states.descriptor))
    once.close()
    show(states, data)
    assert made.look()
    return made, states


def show(states, data):
    """Write a state as a Handle does."""
    import numpy as np

    arrays = {
        "data": np.frombuffer(_core.packData(data), np.uint8),
        "user": np.zeros(0, np.uint8),
        "timer": _core.Data.timer.__get__(data),
    }
    states.write([wire.pack({"run": None}, arrays)])
