"""Models, and what pages look at, without a process that serves them."""

import os
import pathlib

import sinew
from sinew import _core
from sinew._viewer.world import World
from sinew.viewer import wire
from sinew.viewer.block import Writer
from sinew.viewer.states import State, room_for

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
    once = Writer.of(_core.packModel(model))
    states = room_for(model, data)
    made = World(os.dup(once.descriptor), os.dup(states.descriptor))
    once.close()
    show(states, data)
    assert made.look()
    return made, states


def show(states, data):
    """Write a state as a Handle does."""
    timer = memoryview(_core.Data.timer.__get__(data))
    states.write(State(wire.text({"run": None}), data, timer))
