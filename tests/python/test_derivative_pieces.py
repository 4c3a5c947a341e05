"""The exact derivative of a step where parts of it meet, against sixth-order differences of the step."""

import pytest

import sinew
from test_derivative_shapes import agreement

REEL = """
<mujoco>
  <option timestep="0.01" integrator="{integrator}"/>
  <worldbody>
    <site name="post" pos=".3 .2 .6"/>
    <body><joint type="ball" damping=".1"/><geom type="box" size=".1 .2 .05" pos=".1 0 .1"/>
      <site name="eye" pos=".1 .1 .2"/></body>
  </worldbody>
  <tendon><spatial armature=".5"><site site="post"/><site site="eye"/></spatial></tendon>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_armature_of_a_tendon(integrator):
    """It has a bias force, which is no part of the damping of the integrator `implicit`."""
    m = sinew.Model.from_xml(REEL.format(integrator=integrator))
    d = sinew.Data(m)
    d.qpos[:] = 0.8, 0.36, -0.48, 0
    d.qvel[:] = 3, -2, 1
    off, doubt = agreement(m, d, 1e-3)
    assert max(off, doubt) <= 1e-9


RIGID = """
<mujoco>
  <worldbody>
    <body name="a">
      <joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .2 .3"/>
    </body>
  </worldbody>
  <equality><connect body1="a" anchor=".1 .2 0"/></equality>
</mujoco>
"""


def test_constraints_that_leave_no_digits():
    """The body turns about its centre of mass: body_invweight0 is 0, and efc_D 1e15 beside an inertia of 0.1."""
    m = sinew.Model.from_xml(RIGID)
    d = sinew.Data(m)
    d.qpos[:] = 0.1, -0.2, 0.1
    for call in (sinew.transitionDerivative, sinew.stepJVP, sinew.stepVJP):
        with pytest.raises(sinew.NotSupportedError, match="stiff.*transitionFD"):
            call(m, d)
