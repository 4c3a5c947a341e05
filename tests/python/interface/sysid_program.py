"""Identifies mass, damping and gear of a pendulum from its motion by `mujoco.sysid`: JSON of what is found, and the first residual.

sysid_program.py mujoco|scipy
"""

import json
import sys

import mujoco
import numpy as np
from mujoco import rollout, sysid

XML = """
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <body name="rod">
      <joint name="hinge" axis="0 1 0" damping="0.3"/>
      <inertial pos="0 0 -.4" mass="1.4" diaginertia=".05 .05 .001"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" gear="2"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><jointvel name="rate" joint="hinge"/></sensor>
</mujoco>
"""


def measured():
    """The spec, first state, controls and measurements."""
    spec = mujoco.MjSpec.from_string(XML)
    model = spec.compile()
    data = mujoco.MjData(model)
    times = np.arange(300) * model.opt.timestep
    control = (np.sin(9 * times) + 0.5 * np.sin(23 * times))[:, None]
    first = sysid.create_initial_state(model, data.qpos, data.qvel, data.act)
    states, sensors = rollout.rollout(model, data, first, control[:-1])
    found = sysid.TimeSeries.from_names(states[0, :, 0], sensors[0], model)
    return spec, first, sysid.TimeSeries(times, control), found


def put(of, name):
    def modifier(spec, parameter):
        target, value = of(spec), parameter.value[0]
        if name == "mass":
            target.mass = value
        else:  # linear in both releases of such members
            getattr(target, name)[0] = value

    return modifier


def main(optimizer):
    spec, first, control, sensors = measured()
    parameters = sysid.ParameterDict()
    for name, nominal, of in (
        ("mass", 1.0, lambda s: s.body("rod")),
        ("damping", 0.1, lambda s: s.joint("hinge")),
        ("gear", 1.0, lambda s: s.actuator("motor")),
    ):
        parameters.add(
            sysid.Parameter(
                name, nominal=nominal, min_value=0.01, max_value=5.0, modifier=put(of, name)
            )
        )
    sequences = sysid.ModelSequences("pendulum", spec, "driven", first, control, sensors)
    residual = sysid.build_residual_fn(models_sequences=[sequences])
    start = np.concatenate([np.ravel(r) for r in residual(parameters.as_vector(), parameters)[0]])
    found, _ = sysid.optimize(
        initial_params=parameters, residual_fn=residual, optimizer=optimizer, verbose=False
    )
    values = {name: float(found[name].value[0]) for name in ("mass", "damping", "gear")}
    print(json.dumps(values | {"start": start.tolist()}))


main(sys.argv[1])
