"""The exact derivative of a step against differences of the step, for every pair of shapes that collide.

Two bodies stand in each other by some millimetres, in random poses and motions, under both cones, every condim and
every integrator. Differences are of sixth order and of sn_step itself, its solver run to the end. A state at which two
step sizes disagree is next to a switch and is only counted.
"""

import itertools
import os

import numpy as np
import pytest

import sinew

SHAPES = {
    "plane": 'type="plane" size="3 3 .1"',
    "hfield": 'type="hfield" hfield="hills"',
    "sphere": 'type="sphere" size=".2"',
    "capsule": 'type="capsule" size=".12 .2"',
    "ellipsoid": 'type="ellipsoid" size=".25 .15 .2"',
    "cylinder": 'type="cylinder" size=".15 .2"',
    "box": 'type="box" size=".2 .15 .1"',
    "mesh": 'type="mesh" mesh="shard"',
}
FIXED = ("plane", "hfield")
STATES = 60 if os.environ.get("SINEW_LONG") else 10
STEP = 4e-6
# Of the largest entry or 1. Differences are good to 2e-9, of smooth ones and larger steps to 1e-11.
TOLERANCE = 1e-6
SMOOTH = 1e-9
NAMES = list(SHAPES)
PAIRS = [(a, b) for i, a in enumerate(NAMES) for b in NAMES[i:] if b not in FIXED]
INTEGRATORS = ("Euler", "Eulerdamp", "RK4", "implicit", "implicitfast")
SETTINGS = list(itertools.product(INTEGRATORS, ("pyramidal", "elliptic"), (1, 3, 4, 6)))
SCENE = """
<mujoco>
  <option timestep="0.002" integrator="{integrator}" cone="{cone}" tolerance="0" iterations="100">
    <flag eulerdamp="{eulerdamp}"/>
  </option>
  <default>
    <geom condim="{condim}" friction="{friction}" density="500"/>
  </default>
  <asset>
    <mesh name="shard" vertex="{vertex}"/>
    <hfield name="hills" nrow="7" ncol="8" size="1.5 1.5 .4 .2" elevation="{elevation}"/>
  </asset>
  <worldbody>
    {base}
    <body name="free">
      <freejoint/>
      <geom name="second" {second}/>
      <site name="site" pos=".1 .05 .02" euler="20 30 40"/>
      <body pos=".1 0 .1">
        <joint name="hinge" axis="1 2 0" damping=".05" stiffness=".5"/>
        <geom type="capsule" size=".03 .1" pos=".05 .1 0" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="hinge" gear=".3"/>
    <general joint="hinge" dyntype="filter" dynprm=".05" gainprm=".4" biastype="affine" biasprm="0 -.1 -.02"/>
  </actuator>
  <sensor>
    <accelerometer site="site"/><framelinvel objtype="site" objname="site"/><force site="site"/><actuatorfrc actuator="motor"/>
  </sensor>
</mujoco>
"""
STANDING = '<geom name="first" {shape} euler="{euler}"/>'
MOVING = """
    <body name="base">
      <joint name="lift" type="slide" axis="1 2 3" damping=".3"/>
      <joint name="turn" type="ball" damping=".1" armature=".01"/>
      <geom name="first" {shape}/>
    </body>"""


def numbers(x):
    return " ".join(f"{v:.5f}" for v in np.ravel(x))


def scene(rng, first, second, integrator, cone, condim):
    if first in FIXED:
        base = STANDING.format(shape=SHAPES[first], euler=numbers(rng.uniform(-20, 20, 3)))
    else:
        base = MOVING.format(shape=SHAPES[first])
    cloud = rng.normal(size=(14, 3))
    text = SCENE.format(
        integrator=integrator.removesuffix("damp"),
        eulerdamp="enable" if integrator == "Eulerdamp" else "disable",
        cone=cone,
        condim=condim,
        friction=numbers(rng.uniform((0.2, 0.005, 0.001), (1, 0.05, 0.01))),
        vertex=numbers(0.22 * cloud / np.linalg.norm(cloud, axis=1)[:, None]),
        elevation=numbers(rng.uniform(0, 1, 56)),
        base=base,
        second=SHAPES[second],
    )
    model = sinew.Model.from_xml(text)
    return model, sinew.Data(model)


def turn(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def reach(m, d, at, along, t):
    d.qpos[m.nq - 8 : m.nq - 5] = at + t * along
    sinew.fwdPosition(m, d)
    return d.ncon > 0


def touch(rng, m, d):
    """A random pose in which the bodies are some millimetres in each other."""
    sinew.resetData(m, d)
    if m.nq > 8:
        d.qpos[0] = rng.normal(0, 0.2)
        d.qpos[1:5] = turn(rng)
    d.qpos[m.nq - 5 : m.nq - 1] = turn(rng)
    d.qpos[-1] = rng.normal(0, 0.5)
    sinew.fwdPosition(m, d)
    at = d.geom_xpos[0].copy() + rng.normal(0, 0.05, 3)
    along = rng.normal(size=3)
    if m.nq == 8:
        at = rng.uniform((-0.5, -0.5, 0), (0.5, 0.5, 0))
        along = np.array((0, 0, 1)) + rng.normal(0, 0.2, 3)
    along /= np.linalg.norm(along)
    near, far = 0.0, 1.5
    if not reach(m, d, at, along, near):
        return False
    for _ in range(30):
        middle = (near + far) / 2
        if reach(m, d, at, along, middle):
            near = middle
        else:
            far = middle
    if not reach(m, d, at, along, near - rng.uniform(2e-4, 8e-3)):
        return False
    d.qvel[:] = rng.normal(0, 0.3, m.nv)
    d.qvel[m.nv - 7 : m.nv - 4] -= along * rng.uniform(-0.1, 0.4)
    d.act[:] = rng.normal(size=m.na)
    d.ctrl[:] = rng.normal(size=m.nu)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6))
    return True


class Differences:
    """Sixth-order differences of sn_step itself."""

    def __init__(self, m, d):
        self.m, self.d = m, d
        self.bits = int(sinew.StateBit.INTEGRATION)
        self.start = sinew.getState(m, d, self.bits)
        self.end = self.follow(0, 0)[0].copy()

    def follow(self, k, by):
        m, d = self.m, self.d
        nv, nx = m.nv, 2 * m.nv + m.na
        sinew.setState(m, d, self.start, self.bits)
        if k < nv:
            tangent = np.zeros(nv)
            tangent[k] = by
            d.qpos[:] = sinew.integratePos(m, d.qpos, tangent, 1)
        elif k < 2 * nv:
            d.qvel[k - nv] += by
        elif k < nx:
            d.act[k - 2 * nv] += by
        else:
            d.ctrl[k - nx] += by
        sinew.step(m, d)
        return d.qpos, np.concatenate([d.qvel, d.act, d.sensordata])

    def column(self, k, h):
        sums = 0
        for e, w in ((1, 45), (2, -9), (3, 1)):
            for sign in (1, -1):
                q, rest = self.follow(k, sign * e * h)
                dq = sinew.differentiatePos(self.m, 1, self.end, q)
                sums = sums + sign * w / (60 * h) * np.concatenate([dq, rest])
        return sums

    def matrix(self, h):
        m = self.m
        n = 2 * m.nv + m.na + m.nu
        out = np.stack([self.column(k, h) for k in range(n)], axis=1)
        sinew.setState(m, self.d, self.start, self.bits)
        return out


def whole(m, d):
    A, B, C, D = sinew.transitionDerivative(m, d)
    return np.block([[A, B], [C, D]])


def excess(a, b, nx):
    """Largest difference in the state's and the sensors' part, of the largest entry of each or 1."""
    worst = 0.0
    for part in (slice(0, nx), slice(nx, None)):
        x, y = a[part], b[part]
        worst = max(worst, np.abs(x - y).max(initial=0) / max(1, np.abs(y).max(initial=0)))
    return worst


def agreement(m, d, step):
    """How far the derivative is from the differences, and how far those are from others of twice the step."""
    exact = whole(m, d)
    differences = Differences(m, d)
    fine, rough = differences.matrix(step), differences.matrix(2 * step)
    nx = 2 * m.nv + m.na
    return excess(exact, fine, nx), excess(rough, fine, nx)


@pytest.mark.parametrize("first,second", PAIRS)
def test_pair(first, second):
    states = refused = unsure = 0
    pair = NAMES.index(first), NAMES.index(second)
    for seed in range(STATES):
        rng = np.random.default_rng((*pair, seed))
        settings = SETTINGS[(7 * seed + 11 * pair[0] + 5 * pair[1]) % len(SETTINGS)]
        m, d = scene(rng, first, second, *settings)
        if not touch(rng, m, d):
            continue
        states += 1
        try:
            off, doubt = agreement(m, d, STEP)
        except sinew.NotSupportedError as error:
            assert "transitionFD" in str(error)
            refused += 1
            continue
        if doubt > TOLERANCE / 3:
            unsure += 1
        else:
            assert off <= TOLERANCE, (settings, seed, d.ncon)
    assert states >= 0.8 * STATES
    assert refused == 0  # in generic poses every pair has a derivative
    assert unsure <= 2 + 0.05 * states


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("first", [name for name in NAMES if name not in FIXED])
def test_apart(first, integrator):
    rng = np.random.default_rng(NAMES.index(first))
    m, d = scene(rng, first, "box", integrator, "elliptic", 3)
    assert touch(rng, m, d)
    d.qpos[m.nq - 8 : m.nq - 5] += 3
    off, doubt = agreement(m, d, 1e-3)
    assert d.ncon == 0
    assert doubt <= SMOOTH / 3
    assert off <= SMOOTH
