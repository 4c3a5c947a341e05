"""Every sensor against the pinned peer, from the peer's accelerations, contacts and rows.

The peer's solution is lent to our data, so that a difference is the sensor's own. 1e-9 of a sensor's scale:
forces of stiff contacts are differences of large numbers.
"""

import mujoco
import numpy as np
import pytest

import bridge
from states import MODELS, Solution, states

# A little of everything that a sensor can be attached to: hinges and a ball with limits, contacts of two
# bodies with a plane and with each other, sites of each shape around and beside the contacts.
FRAMES = ["body", "xbody", "geom", "site", "camera"]
NAMES = {"body": "a", "xbody": "a", "geom": "ga", "site": "sa", "camera": "ca"}
OTHER = {"body": "b", "xbody": "b", "geom": "gb", "site": "sb", "camera": "cb"}


def frame_sensors():
    for kind in ["pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel"]:
        for obj in FRAMES:
            yield f'<frame{kind} objtype="{obj}" objname="{NAMES[obj]}"/>'
            for ref in FRAMES:
                yield (
                    f'<frame{kind} objtype="{obj}" objname="{NAMES[obj]}" reftype="{ref}" '
                    f'refname="{OTHER[ref]}"/>'
                )
    for kind in ["linacc", "angacc"]:
        for obj in FRAMES:
            yield f'<frame{kind} objtype="{obj}" objname="{NAMES[obj]}"/>'


SHAPES = ["sphere", "capsule", "ellipsoid", "cylinder", "box"]


def touch_sites(body):
    """Sites of each shape: around the contacts, above them, below them, far beside them."""
    for k, shape in enumerate(SHAPES):
        for i, place in enumerate(
            ["0 0 0", "0 0 0.5", "0.053 0.004 -0.5", "0.5 0.1 -0.1", "2 0 0"]
        ):
            yield (
                f'<site name="{body}{k}{i}" type="{shape}" size="0.15 0.1 0.12" pos="{place}" '
                f'euler="{20 * i} {10 * k} 0"/>'
            )


def touch_sensors():
    for body in ["t", "u"]:
        for k in range(len(SHAPES)):
            for i in range(5):
                yield f'<touch site="{body}{k}{i}"/>'


SCENE = f"""
<mujoco>
  <option magnetic="0.1 -0.4 0.3"><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <site name="w" pos="1 0 0" euler="10 20 30"/>
    <body name="t" pos="0 0 0.14"><freejoint name="ft"/>
      <geom type="sphere" size="0.15"/>{"".join(touch_sites("t"))}</body>
    <body name="u" pos="0.25 0 0.14"><freejoint name="fu"/>
      <geom type="box" size="0.15 0.15 0.15"/>{"".join(touch_sites("u"))}</body>
    <body name="a" pos="0 0 2" gravcomp="0.3">
      <joint name="h" axis="1 2 0" limited="true" range="-20 20" margin="0.1" pos="0.1 0 0"
             actuatorgravcomp="true"/>
      <geom name="ga" type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="10 20 0"/>
      <geom size="0.1" pos="0 0.3 0.2"/>
      <site name="sa" pos="0 0 0.2" euler="30 0 10"/>
      <camera name="ca" pos="0 0.1 0.1" euler="0 40 10"/>
      <body name="b" pos="0.3 0.2 0.1" euler="10 0 60">
        <joint name="ball" type="ball" limited="true" range="0 40"/>
        <geom name="gb" type="capsule" size="0.05 0.2" pos="0 0 0.2" euler="20 0 0"/>
        <site name="sb" pos="0 0.1 0.2" euler="0 0 10"/>
        <camera name="cb" pos="0 0.1 0.1" euler="30 0 10"/>
        <body pos="0 0 0.4"><joint name="s" type="slide" axis="0 0 1" limited="true" range="-0.1 0.1"/>
          <geom size="0.1"/><site name="sc"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="h" gear="3"/><position name="p" joint="s" kp="10"/></actuator>
  <sensor>
    {"".join(frame_sensors())}
    {"".join(touch_sensors())}
    <accelerometer site="sa"/><velocimeter site="sa"/><gyro site="sb"/><magnetometer site="sb"/>
    <force site="sa"/><torque site="sa"/><force site="sb"/><torque site="sb"/>
    <accelerometer site="w"/><force site="w"/><torque site="w"/><gyro site="w"/>
    <accelerometer site="sb" cutoff="3"/><velocimeter site="sc" cutoff="0.2"/><touch site="t00" cutoff="2"/>
    <force site="t00" cutoff="5"/>
    <jointpos joint="h"/><jointvel joint="h"/><jointpos joint="s" cutoff="0.05"/><jointvel joint="s"/>
    <ballquat joint="ball"/><ballangvel joint="ball"/>
    <jointlimitpos joint="h"/><jointlimitvel joint="h"/><jointlimitfrc joint="h"/>
    <jointlimitpos joint="ball"/><jointlimitvel joint="ball"/><jointlimitfrc joint="ball"/>
    <jointlimitpos joint="s"/><jointlimitvel joint="s"/><jointlimitfrc joint="s"/>
    <actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="m"/>
    <actuatorpos actuator="p"/><actuatorvel actuator="p"/><actuatorfrc actuator="p"/>
    <jointactuatorfrc joint="h"/><jointactuatorfrc joint="s" cutoff="0.1"/>
    <subtreecom body="a"/><subtreelinvel body="a"/><subtreeangmom body="a"/><subtreecom body="world"/>
    <subtreelinvel body="world"/><subtreeangmom body="world"/>
    <clock/><e_potential/><e_kinetic/>
  </sensor>
</mujoco>
"""

S = mujoco.mjtSensor


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The peer writes its warnings to a file in the working directory."""
    monkeypatch.chdir(tmp_path)


def scene():
    return mujoco.MjModel.from_xml_string(SCENE)


def our_sensors(model, ours):
    for stage in [
        "kinematics",
        "comPos",
        "camlight",
        "tendon",
        "makeM",
        "transmission",
        "tendonVelocity",
        "actuatorVelocity",
        "comVel",
        "sensorPos",
        "sensorVel",
        "sensorAcc",
    ]:
        bridge.call(stage, model, ours)


def compare(peer, model, theirs, ours):
    """Runs the peer's whole step and our sensors; checks each output."""
    mujoco.mj_forward(peer, theirs)
    ours.time = theirs.time
    with Solution(ours, theirs):
        ours.actuator_force = theirs.actuator_force
        our_sensors(model, ours)
        if not peer.nsensordata:
            return
        # each sensor within 1e-9 of its largest number, or of 1
        begin = peer.sensor_adr[np.argsort(peer.sensor_adr)]
        error = np.abs(ours.sensordata.ravel() - theirs.sensordata)
        scale = np.maximum(1, np.maximum.reduceat(np.abs(theirs.sensordata), begin))
        good = np.maximum.reduceat(error, begin) <= 1e-9 * scale  # NaN is not
        wrong = [f"{i}: {S(peer.sensor_type[i]).name}" for i in np.flatnonzero(~good)]
        assert not wrong


@pytest.mark.parametrize("make", MODELS)
def test_third_party(make):
    for peer, model, theirs, ours, _ in states(make, seed=21, count=20):
        compare(peer, model, theirs, ours)


@pytest.mark.parametrize("cone", [0, 1])
def test_every_sensor(cone):
    """Mid-air states, and states in which the two free bodies rest and press on each other."""
    touched = np.zeros(scene().nsensor, int)
    for k, (peer, model, theirs, ours, rng) in enumerate(states(scene, seed=22, count=200)):
        peer.opt.cone = cone
        bridge.set_option(model, "cone", cone)
        theirs.time = 0.3 * k
        if k % 2:
            theirs.qpos[:14] = peer.qpos0[:14]
            theirs.qpos[[0, 1, 7, 8]] += rng.normal(scale=0.02, size=4)
            theirs.qvel[:12] *= 0.1
            ours.qpos = theirs.qpos
            ours.qvel = theirs.qvel
        compare(peer, model, theirs, ours)
        touched += theirs.sensordata[peer.sensor_adr] != 0
    touch = peer.sensor_type == S.mjSENS_TOUCH
    assert 10 < np.count_nonzero(touched[touch]) < np.count_nonzero(touch), "some touch, some never"
    limits = np.isin(peer.sensor_type, [S.mjSENS_JOINTLIMITFRC, S.mjSENS_JOINTLIMITPOS])
    assert touched[limits].all(), "every limit was met"


def test_disabled():
    """With sensors off nothing is written."""
    for peer, model, theirs, ours, _ in states(scene, seed=23, count=1):
        bridge.set_option(model, "disableflags", int(mujoco.mjtDisableBit.mjDSBL_SENSOR))
        ours.sensordata[...] = 7
        mujoco.mj_forward(peer, theirs)
        with Solution(ours, theirs):
            our_sensors(model, ours)
        assert np.all(ours.sensordata == 7)
