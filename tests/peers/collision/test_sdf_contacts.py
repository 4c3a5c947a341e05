"""Shapes by formulas against the pinned peer's plugins: what a model of them weighs, and what bears things at rest.

Distances are held against the peer's in tests/unit/sdf; where its contacts lie depends on where its search began, so that
of these only the sum is compared.
"""

import pathlib

import mujoco
import numpy as np
import pytest

import bridge
import images

PLUGINS = pathlib.Path(mujoco.__file__).parent / "plugin"
# Shapes, what rests on them, and where it is let go
RESTS = {
    "gear": ('type="box" size=".15 .15 .1"', (1.06, 0.0, 0.2)),
    "nut": ('size=".33"', (0.0, 0.0, 0.2)),
    "bolt": ('type="cylinder" size=".2 .1"', (0.05, 0.02, 0.1)),
}
STEPS, MEAN = 800, 400


@pytest.fixture(scope="module", autouse=True)
def plugins():
    mujoco.mj_loadPluginLibrary(str(next(PLUGINS.glob("libsdf_plugin.*"))))


def text(shape):
    geom, at = RESTS[shape]
    return f"""<mujoco>
  <extension><plugin plugin="mujoco.sdf.{shape}"><instance name="i"/></plugin></extension>
  <asset><mesh name="m"><plugin instance="i"/></mesh></asset>
  <worldbody>
    <body><geom type="sdf" mesh="m"><plugin instance="i"/></geom></body>
    <body pos="{" ".join(map(str, at))}"><freejoint/><geom {geom} mass="1.5"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module", params=RESTS)
def pair(request):
    theirs = mujoco.MjModel.from_xml_string(text(request.param))
    ours, error = images.load_ours(text(request.param), {})
    assert ours is not None, error.message
    return theirs, ours


def test_masses(pair):
    theirs, ours = pair
    np.testing.assert_allclose(ours.body_mass[:, 0], theirs.body_mass, rtol=0.01)


def test_forces_at_rest(pair):
    """Of the peer, whose contacts are elsewhere in each step, the mean over a while."""
    theirs, ours = pair
    their_data, our_data = mujoco.MjData(theirs), bridge.make_data(ours)
    mujoco.mj_step(theirs, their_data, STEPS)
    for _ in range(STEPS):
        bridge.call("step", ours, our_data)
    forces = []
    for _ in range(MEAN):
        mujoco.mj_step(theirs, their_data)
        forces.append(their_data.qfrc_constraint[2])
    weight = 1.5 * 9.81
    assert abs(our_data.qvel).max() < 1e-3
    assert abs(our_data.qfrc_constraint[2, 0] - weight) < 1e-3 * weight
    assert 1 <= len(our_data.contact) <= 24
    assert abs(np.mean(forces) - our_data.qfrc_constraint[2, 0]) < 0.01 * weight


NUT = """<mujoco>
  <extension>
    <plugin plugin="mujoco.sdf.bolt"><instance name="bolt"><config key="radius" value="0.255"/></instance></plugin>
    <plugin plugin="mujoco.sdf.nut"><instance name="nut"/></plugin>
  </extension>
  <default><geom friction=".03"/></default>
  <asset>
    <mesh name="bolt" inertia="exact"><plugin instance="bolt"/></mesh>
    <mesh name="nut" inertia="exact"><plugin instance="nut"/></mesh>
  </asset>
  <worldbody>
    <geom type="sdf" mesh="bolt" euler="180 0 0"><plugin instance="bolt"/></geom>
    <body pos="0 0 .6666667" euler="180 0 0"><freejoint/><geom type="sdf" mesh="nut"><plugin instance="nut"/></geom></body>
  </worldbody>
</mujoco>"""


def test_a_nut_turns_down_its_bolt():
    """It has play, so that it rocks a little as it turns: no point sinks in by more than half a thousandth of its size."""
    model, error = images.load_ours(NUT, {})
    assert model is not None, error.message
    data = bridge.make_data(model)
    for _ in range(500):
        bridge.call("step", model, data)
    assert data.qvel[5, 0] > 0.08
    assert abs(data.qpos[:2]).max() < 1e-4
    assert abs(data.qvel[3:5]).max() < 1e-2
    depths = [contact["dist"] for contact in data.contact[:, 0]]
    assert len(depths) > 8 and -3e-4 < min(depths) < 0
