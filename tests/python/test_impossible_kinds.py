"""A program may write any number into the arrays of a model that say of what kind something is: no call crashes."""

import contextlib
import warnings

import numpy as np
import pytest

import sinew

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 .1">
      <freejoint/>
      <geom type="box" size=".1 .1 .1"/>
      <geom type="capsule" pos=".3 0 0" size=".1 .1"/>
      <site name="s" size=".05"/>
    </body>
    <body name="b" pos="0 0 1">
      <joint name="h" axis="0 1 0" range="-1 1" limited="true"/>
      <geom size=".1"/>
      <site name="r" size=".1"/>
      <body pos=".3 0 0">
        <joint name="g" axis="0 1 0"/>
        <geom size=".1" pos=".2 0 0"/>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="r"/></spatial></tendon>
  <equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>
  <actuator>
    <motor joint="h"/><position joint="h"/><muscle joint="g" lengthrange="-1 1"/><motor tendon="t"/>
  </actuator>
  <sensor>
    <touch site="s"/><rangefinder site="s"/><accelerometer site="s"/><jointpos joint="h"/>
    <framepos objtype="site" objname="s"/>
  </sensor>
</mujoco>
"""
DOWN = np.array([0.0, 0.0, 5.0]), np.array([0.0, 0.0, -1.0])
CALLS = {
    "step": lambda m, d: sinew.step(m, d, nstep=3),
    "inverse": sinew.inverse,
    "inverseDynamics": lambda m, d: sinew.inverseDynamics(m, d, d.qpos, d.qvel, d.qacc),
    "transitionFD": sinew.transitionFD,
    "transitionDerivative": sinew.transitionDerivative,
    "ray": lambda m, d: sinew.ray(m, d, *DOWN),
    "batch": lambda m, d: sinew.Batch(m, 8).step(nstep=2),
}


def kinds():
    model = sinew.Model.from_xml(MODEL)
    arrays = ((name, getattr(model, name)) for name in dir(model) if name.endswith("type"))
    return [name for name, array in arrays if isinstance(array, np.ndarray) and array.size]


@pytest.mark.parametrize("value", [-1, 49, 99999999, -99999999])
@pytest.mark.parametrize("call", CALLS)
def test_nothing_crashes(call, value):
    """An error, or numbers that mean nothing."""
    names = kinds()
    assert {"jnt_type", "geom_type", "eq_type", "actuator_gaintype", "sensor_type"} < set(names)
    for name in names:
        model = sinew.Model.from_xml(MODEL)
        data = sinew.Data(model)
        sinew.step(model, data)
        getattr(model, name)[:] = value
        with warnings.catch_warnings(), contextlib.suppress(ValueError, RuntimeError, MemoryError):
            warnings.simplefilter("ignore")
            CALLS[call](model, data)
