"""The exact derivative of a step where parts of it meet, against sixth-order differences of the step."""

import numpy as np
import pytest

import sinew
from test_derivative_shapes import Differences, agreement, whole

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


# ---- at switches


def at_switch(xml, **state):
    """Model and data in a state that is a switch."""
    m = sinew.Model.from_xml(f"<mujoco>{xml}</mujoco>")
    d = sinew.Data(m)
    for name, value in state.items():
        getattr(d, name)[:] = value
    return m, d


def sides(m, d, h=1e-7):
    """Slopes to both sides of what transitionDerivative gives in columns."""
    follow = Differences(m, d).follow

    def at(k, by):
        q, rest = follow(k, by)
        return np.concatenate([sinew.differentiatePos(m, 1, here, q), rest])

    here = follow(0, 0)[0].copy()
    n = 2 * m.nv + m.na + m.nu
    middle = at(0, 0)
    ahead = [(at(k, h) - middle) / h for k in range(n)]
    behind = [(middle - at(k, -h)) / h for k in range(n)]
    at(0, 0)
    return np.stack(ahead, axis=1), np.stack(behind, axis=1)


BALL = '<body><freejoint/><geom name="ball" size=".1" mass="1"/></body>'
FLOOR = '<geom type="plane" size="1 1 .1"/>'
CONTACT = '<option cone="{}" tolerance="0"/>' + f"<worldbody>{FLOOR}{BALL}</worldbody>"
WEIGHTLESS = '<option gravity="0 0 0" cone="{}"/>' + f"<worldbody>{FLOOR}{BALL}</worldbody>"
HINGE = '<worldbody><body><joint name="j" {}/><geom size=".1" pos=".3 0 0"/></body></worldbody>'
TURNED = (0, 0, 0.1, 1, 0, 0, 0)
WRAPPED = """
<worldbody>
  <geom name="peg" type="{}" size=".1 .1"/><site name="a" pos="-.3 .1 0"/>
  <body><joint name="j" type="slide" axis="0 1 0"/><geom size=".05" pos=".3 .1 0"/><site name="b" pos=".3 .1 0"/></body>
</worldbody>
<tendon><spatial name="t" stiffness="50"><site site="a"/><geom geom="peg"/><site site="b"/></spatial></tendon>
<actuator><motor tendon="t"/></actuator><sensor><tendonpos tendon="t"/><tendonvel tendon="t"/></sensor>
"""
SHORT = """
<worldbody>
  <site name="a"/>
  <body><joint type="ball"/><geom size=".05" pos=".1 0 0"/><site name="b"/><site name="c" pos=".1 0 0"/></body>
</worldbody>
<tendon><spatial name="t" stiffness="50" damping="1" limited="true" range="-1 0" {}>
  <site site="a"/><site site="b"/></spatial></tendon>
<actuator><position tendon="t" kp="10"/></actuator><sensor><tendonpos tendon="t"/></sensor>
"""
TWO = """
<option gravity="0 0 0"/>
<worldbody>
  <geom type="sphere" size=".1"/>
  <body><freejoint/><geom {} mass="1"/></body>
</worldbody>
"""

SWITCHES = {
    "contact that begins at the margin": (CONTACT.format("elliptic"), {"qpos": TURNED}),
    "contact at the margin, pyramids": (CONTACT.format("pyramidal"), {"qpos": TURNED}),
    "no normal force": (WEIGHTLESS.format("elliptic"), {"qpos": (0, 0, 0.1 - 1e-12, 1, 0, 0, 0)}),
    "no normal force, pyramids": (
        WEIGHTLESS.format("pyramidal"),
        {"qpos": (0, 0, 0.1 - 1e-12, 1, 0, 0, 0)},
    ),
    "joint at its upper limit": (HINGE.format('limited="true" range="-20 0"'), {}),
    "joint at both limits": (HINGE.format('limited="true" range="-1e-9 0"'), {}),
    "rest in dry friction": (HINGE.format('frictionloss=".1" axis="1 0 0"'), {}),
    "dry friction without friction": (HINGE.format('frictionloss="1e-12"'), {}),
    "ball at the identity, limited": (
        HINGE.format('type="ball" limited="true" range="0 30"'),
        {},
    ),
    "ball at the identity with a spring": (HINGE.format('type="ball" stiffness="3"'), {}),
    "ball turned by half": (HINGE.format('type="ball" stiffness="3"'), {"qpos": (0, 1, 0, 0)}),
    "ball at its limit": (
        HINGE.format('type="ball" limited="true" range="0 90"'),
        {"qpos": (np.sqrt(0.5), np.sqrt(0.5), 0, 0)},
    ),
    "string that just wraps a cylinder": (WRAPPED.format("cylinder"), {}),
    "string that just wraps a sphere": (WRAPPED.format("sphere"), {}),
    "string of no length": (SHORT.format(""), {}),
    "string of no length that rubs": (SHORT.format('frictionloss=".1"'), {}),
    "string of no length with armature": (SHORT.format('armature=".1"'), {}),
    "sphere in a sphere, centres together": (TWO.format('size=".1"'), {}),
    "capsule in a sphere": (TWO.format('type="capsule" size=".1 .1"'), {}),
    "ellipsoid in a sphere": (TWO.format('type="ellipsoid" size=".1 .2 .1"'), {}),
    "cylinder in a sphere": (TWO.format('type="cylinder" size=".1 .2"'), {}),
    "box in a sphere": (TWO.format('type="box" size=".1 .2 .1"'), {}),
    "fluid at rest": (
        '<option density="1000" viscosity="1"/><worldbody><body><freejoint/>'
        '<geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/></body></worldbody>',
        {},
    ),
    "control at its bound": (
        HINGE.format("") + '<actuator><motor joint="j" ctrlrange="-1 1"/></actuator>',
        {"ctrl": 1},
    ),
    "force at its bound": (
        HINGE.format("") + '<actuator><motor joint="j" forcerange="-1 1"/></actuator>',
        {"ctrl": 1},
    ),
    "activation at its bound": (
        HINGE.format("") + '<actuator><intvelocity joint="j" kp="2" actrange="-1 1"/></actuator>',
        {"act": 1},
    ),
    "muscle without activation": (
        HINGE.format("") + '<actuator><muscle joint="j" lengthrange="-1 1" force="9"/></actuator>',
        {},
    ),
    "slider of a crank under its rod": (
        HINGE.format("")[:-12]
        + '<site name="s"/><body><joint type="slide"/><geom size=".1"/><site name="c" pos=".5 0 0"/></body></worldbody>'
        + '<actuator><motor cranksite="c" slidersite="s" cranklength=".5"/></actuator>',
        {},
    ),
}


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("name", SWITCHES)
def test_at_a_switch(name, integrator):
    """Finite numbers, forwards and back the same, or an error that names the way out."""
    xml, state = SWITCHES[name]
    m, d = at_switch(xml, **state)
    m.opt.integrator = getattr(sinew.Integrator, integrator.upper())
    try:
        exact = whole(m, d)
    except sinew.NotSupportedError as error:
        assert "transitionFD" in str(error)
        return
    assert np.isfinite(exact).all()
    nx = 2 * m.nv + m.na
    back = np.stack([sinew.stepVJP(m, d, y).x for y in np.eye(nx)])
    np.testing.assert_allclose(back, exact[:nx, :nx], atol=1e-9 * max(1, np.abs(back).max()))


ONE_SIDED = [
    "contact that begins at the margin",
    "contact at the margin, pyramids",
    "joint at its upper limit",
    "control at its bound",
    "force at its bound",
    "activation at its bound",
    "string that just wraps a cylinder",
    "string that just wraps a sphere",
]


@pytest.mark.parametrize("name", ONE_SIDED)
def test_which_side(name):
    """Each column is that of one side of the switch, or lies between where both are mixed."""
    xml, state = SWITCHES[name]
    m, d = at_switch(xml, **state)
    m.opt.tolerance = 0
    exact = whole(m, d)
    ahead, behind = sides(m, d)
    for k in range(exact.shape[1]):
        jumps = [s for s in (ahead[:, k], behind[:, k]) if np.abs(s).max() < 1e4]
        assert jumps, "a jump to both sides"
        bound = 1e-4 * max(1, *(np.abs(s).max() for s in jumps))
        assert min(np.abs(s - exact[:, k]).max() for s in jumps) <= bound, (name, k)
