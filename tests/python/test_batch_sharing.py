"""Contacts of the same bodies share places in lanes, both ends of a limit a row: with the bits of those that do not."""

import numpy as np
import pytest

import sinew
from test_batch_bits import bits

LEG = """<body name="thigh{side}" pos="0 {y} -.1">
  <joint name="hip{side}" axis="0 1 0" range="-80 60"/><joint axis="1 0 0" range="-20 20"/>
  <geom type="capsule" size=".05" fromto="0 0 0 0 0 -.3" friction=".9 .01 .002" solref=".01 1.2"/>
  <site name="thigh{side}" type="capsule" size=".06" fromto="0 0 0 0 0 -.3"/>
  <body name="shin{side}" pos="0 0 -.34"><joint name="knee{side}" axis="0 1 0" range="-120 5"/>
    <geom type="capsule" size=".04" fromto="0 0 0 0 0 -.3" solimp=".8 .95 .002"/>
    <site name="shin{side}" size=".2"/>
    <body name="foot{side}" pos="0 0 -.35"><joint name="ankle{side}" axis="0 1 0" range="-40 40"/>
      <geom type="capsule" size=".03" fromto="-.05 -.03 0 .15 -.03 0" friction=".5 .02 .001"/>
      <geom type="capsule" size=".03" fromto="-.05 .03 0 .15 .03 0" margin=".01" gap=".005"/>
      <geom type="box" size=".08 .05 .02" pos=".05 0 .03" surfacevel="0 0 0 .1 0 .2"/>
      <site name="foot{side}" type="box" size=".2 .1 .05"/>
      <body name="toe{side}" pos=".18 0 0"><joint name="toe{side}" axis="0 1 0" range="-30 30"/>
        <geom size=".03" margin=".02"/>
        <body pos=".05 0 0"><joint axis="0 1 0" range="-30 30"/><geom name="tip{side}" size=".025"/></body>
      </body>
    </body>
  </body>
</body>"""

WALKER = """<mujoco><option timestep=".004" {option}/>
<default><geom condim="{condim}"/><joint limited="true" damping=".3" armature=".01"/></default>
<worldbody>
  <geom name="floor" type="plane" size="9 9 1"/>
  <geom type="box" size=".2 .2 .1" pos=".5 0 0" condim="1"/>
  <body name="trunk" pos="0 0 .9"><freejoint/>
    <geom name="trunk" type="capsule" size=".08" fromto="0 -.1 0 0 .1 0"/><geom size=".07" pos="0 0 .2"/>
    <site name="trunk" size=".15"/>
    {left}{right}
  </body>
  <body name="ball" pos=".3 .3 .1"><freejoint/><geom size=".1"/></body>
</worldbody>
<actuator>{motors}</actuator>
<sensor>{touches}{contact}</sensor>
</mujoco>"""

SETTINGS = {
    "Euler": {},
    "RK4": {"option": 'integrator="RK4"'},
    "elliptic": {"option": 'cone="elliptic" impratio="3"', "condim": 4},
    "rolling": {"condim": 6, "option": 'integrator="implicitfast"'},
    "frictionless": {"condim": 1},
    "PGS": {"option": 'solver="PGS" iterations="30"'},
}
BOUND = ("qacc", "qfrc_constraint", "cacc", "cfrc_ext", "cfrc_int")
CONTACT = (
    '<contact geom1="floor" num="1" data="found"/>'  # which tells geoms apart, so that none share
)


def walker(contact="", **settings):
    joints = [f"{joint}{side}" for side in "LR" for joint in ("hip", "knee", "ankle", "toe")]
    sites = [f"{body}{side}" for side in "LR" for body in ("thigh", "shin", "foot")]
    text = WALKER.format(
        **({"option": "", "condim": 3} | settings),
        left=LEG.format(side="L", y=0.1),
        right=LEG.format(side="R", y=-0.1),
        motors="".join(f'<motor joint="{joint}" gear="20"/>' for joint in joints),
        touches="".join(f'<touch site="{site}"/>' for site in (*sites, "trunk"))
        + "".join(f'<jointlimitpos joint="{j}"/><jointlimitfrc joint="{j}"/>' for j in joints),
        contact=contact,
    )
    return sinew.Model.from_xml(text)


def fleet(model, n, width, **settings):
    """Robots in all poses, at rest and thrown about, with parameters of their own."""
    batch = sinew.Batch(model, n, width=width, fields=BOUND, **settings)
    rng = np.random.default_rng(3)
    batch.qpos[:, 2] = rng.uniform(0.15, 0.9, n)
    batch.qpos[:, 3:7] = rng.normal(size=(n, 4))
    batch.qpos[:, 7:] += rng.uniform(-0.5, 0.5, (n, model.nq - 7))
    batch.qvel = rng.normal(size=(n, model.nv))
    batch.randomize("geom_friction", [0.6, 1, 1], [1.4, 1, 1], seed=1)
    return batch


def widths(model, dtype):
    """Those that are built in here and run."""
    found = []
    for width in (16, 8, 4, 2):
        try:
            found.append(sinew.Batch(model, 1, width=width, dtype=dtype).width)
        except ValueError:
            pass
    assert found
    return found


def hold_same(one, other, steps):
    rng = np.random.default_rng(4)
    for _ in range(steps):
        control = rng.uniform(-1, 1, one.ctrl.shape)
        for batch in (one, other):
            batch.step(control, nstep=3)
        for name in ("qpos", "qvel", *BOUND):
            assert (bits(getattr(one, name)) == bits(getattr(other, name))).all(), name
        felt = one.sensordata
        assert (bits(felt) == bits(other.sensordata[:, : felt.shape[1]])).all()
    return felt[:, :7]


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_shared_places_change_no_bit(name, dtype):
    shared, apart = walker(**SETTINGS[name]), walker(contact=CONTACT, **SETTINGS[name])
    for width in widths(shared, dtype):
        batches = [fleet(model, 53, width, dtype=dtype) for model in (shared, apart)]
        assert (hold_same(*batches, 30) > 0).any()


@pytest.mark.parametrize("name", SETTINGS)
def test_shared_places_are_single_steps(name):
    """Against the scalar engine, which knows of no places: a step from each of many states."""
    model = walker(**SETTINGS[name])
    batch, single = fleet(model, 64, 0 or None), fleet(model, 64, 1)
    for _ in range(20):
        for field in ("time", "qpos", "qvel", "qacc_warmstart"):
            getattr(batch, field)[...] = getattr(single, field)
        batch.step()
        single.step()
        scale = 1 + np.abs(single.qvel).max(axis=1, keepdims=True)
        worst = (np.abs(batch.qvel - single.qvel) / scale).max()
        assert worst < 1e-8, worst


@pytest.mark.parametrize("name", SETTINGS)
def test_both_ends_of_a_limit_in_one_row(name):
    """Of simulations some of which are beyond one end and some beyond the other, each is what it is alone."""
    model, n = walker(**SETTINGS[name]), 16
    low, high = model.jnt_range[1:, 0], model.jnt_range[1:, 1]
    for width in widths(model, "float64"):
        batch = fleet(model, n, width)
        joints = batch.qpos[:, 7 : 7 + len(low) - 1]  # the ball comes last
        rng = np.random.default_rng(width)
        ends = np.where(rng.integers(0, 2, joints.shape), high[:-1] + 0.05, low[:-1] - 0.05)
        joints[...] = np.where(rng.uniform(size=joints.shape) < 0.7, ends, joints)
        alone = [sinew.Batch(model, 1, width=width, fields=BOUND) for _ in range(n)]
        for i, one in enumerate(alone):
            for field in ("qpos", "qvel"):
                getattr(one, field)[...] = getattr(batch, field)[i]
            one.parameter("geom_friction")[...] = batch.parameter("geom_friction")[i]
        for _ in range(10):
            batch.step()
            for i, one in enumerate(alone):
                one.step()
                for field in ("qpos", "qvel", "sensordata", *BOUND):
                    assert (bits(getattr(one, field)[0]) == bits(getattr(batch, field)[i])).all(), (
                        field
                    )
