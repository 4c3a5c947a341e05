"""A box on the ground that carries an arm: quaternions of a free and of a ball joint, contacts that do not switch."""

import copy

import numpy as np

import sinew

STEPS = 50
ROBOT = """
<mujoco>
  <option timestep=".004" cone="{cone}" integrator="{integrator}" tolerance="0" iterations="200"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" solimp=".9 .95 .02"/>
    <body pos="0 0 .1">
      <freejoint/>
      <geom type="box" size=".2 .15 .1"/>
      <body pos="0 0 .1">
        <joint type="ball" damping=".05" stiffness="2"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .05 0 .2"/>
        <body pos=".05 0 .2">
          <joint name="tip" axis="0 1 0" damping=".02"/>
          <geom name="tip" type="capsule" size=".02" fromto="0 0 0 .1 0 .1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="tip" gear=".3"/>
    <general joint="tip" dyntype="filter" dynprm=".02" gainprm=".3"/>
  </actuator>
  <sensor><jointvel joint="tip"/><framequat objtype="geom" objname="tip"/></sensor>
</mujoco>
"""


def robot(cone="pyramidal", integrator="Euler"):
    """The model, a data that rests, and inputs of a rollout: state, ctrl, qfrc_applied."""
    model = sinew.Model.from_xml(ROBOT.format(cone=cone, integrator=integrator))
    data = sinew.Data(model)
    sinew.step(model, data, 100)
    rng = np.random.default_rng(0)
    state = sinew.getState(model, data, sinew.StateBit.PHYSICS)
    ctrl, force = (rng.normal(size=(STEPS, n)) for n in (model.nu, model.nv))
    return model, data, (state, 0.1 * ctrl, 0.01 * force)


def pieces(model, state, ctrl, force):
    """Which contacts and rows act in each step."""
    data = sinew.Data(model)
    sinew.setState(model, data, state, sinew.StateBit.PHYSICS)
    found = []
    for u, f in zip(ctrl, force, strict=True):
        data.ctrl[:], data.qfrc_applied[:] = u, f
        sinew.step(model, data)
        found.append((data.contact.geom.tolist(), data.efc_state.tolist()))
    return found


def turned(model, state):
    """The same state, with quaternions that are not of length one."""
    other = copy.copy(state)
    other[3:7] *= 1.3
    other[7:11] *= 0.7
    return other
