"""Arms of example-robot-data with strong servos and `forcerange`: what steps make of servos that stand at their limits."""

import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest

import bridge
from models import folder

SHARE = folder("cmeel").parent / "cmeel.prefix/share/example-robot-data/robots"
ROBOTS = {
    "ur5": (
        "ur_description/urdf/ur5_robot.urdf",
        {"kp": (2000, 500), "kv": (400, 100), "force": (150, 28)},
    ),
    "kinova": (
        "kinova_description/robots/kinova.urdf",
        {"kp": (2000, 500), "kv": (400, 50), "force": (39, 80, 39, 20, 20, 20)},
    ),
}
SECONDS, SAMPLE = 1.0, 0.02


def arm(name, armature=0.0):
    """Without shapes; the first three joints and the last three have servos of one kind each."""
    path, servo = ROBOTS[name]
    tree = ET.parse(SHARE / path)
    for link in tree.getroot().iter("link"):
        for element in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(element)
    spec = mujoco.MjSpec.from_string(ET.tostring(tree.getroot(), encoding="unicode"))
    for k, joint in enumerate(spec.joints):
        joint.limited, joint.armature = False, armature
        actuator = spec.add_actuator(target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=servo["kp"][k // 3], kv=servo["kv"][k // 3])
        bound = servo["force"][k if len(servo["force"]) > 2 else k // 3]
        actuator.forcelimited, actuator.forcerange = True, [-bound, bound]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    return spec.compile()


def drive(peer, data, step):
    """Angles and the greatest speed of a second in which targets jump five times a second."""
    rng = np.random.default_rng(1)
    data.qpos = rng.uniform(-1, 1, peer.nq).reshape(data.qpos.shape)
    targets = [rng.uniform(-2, 2, peer.nu) for _ in range(50)]
    angles, peak, h = [], 0.0, peer.opt.timestep
    for k in range(round(SECONDS / h)):
        if k % round(0.2 / h) == 0:
            data.ctrl = targets[k // round(0.2 / h)].reshape(data.ctrl.shape)
        step()
        peak = max(peak, np.abs(data.qvel).max())
        if (k + 1) % round(SAMPLE / h) == 0:
            angles.append(np.ravel(data.qpos).copy())
    return np.array(angles), peak


def ours(name, h, armature=0.0, servo=0, integrator=mujoco.mjtIntegrator.mjINT_IMPLICITFAST):
    peer = arm(name, armature)
    peer.opt.timestep, peer.opt.integrator = h, integrator
    model = bridge.copy_model(peer)
    bridge.set_option(model, "servo", servo)
    data = bridge.make_data(model)
    return drive(peer, data, lambda: bridge.call("step", model, data))


class Peer:
    def __init__(self, m):
        self.d = mujoco.MjData(m)

    def __getattr__(self, name):
        return getattr(self.d, name)

    def __setattr__(self, name, value):
        if name == "d":
            self.__dict__[name] = value
        else:
            getattr(self.d, name)[:] = value


def theirs(name, h):
    m = arm(name)
    m.opt.timestep = h
    data = Peer(m)
    return drive(m, data, lambda: mujoco.mj_step(m, data.d))


def error(run, reference):
    return np.sqrt(np.mean((run[0] - reference[0]) ** 2))


@pytest.fixture(scope="module")
def reference():
    """Steps at which both rules agree to a few hundredths of what is looked at."""
    return {name: ours(name, 5e-5) for name in ROBOTS}


def test_derivative_at_limits_is_the_better_rule_of_heavy_links(reference):
    """3.3.7 damps by forces that are not there: the arm lags. Ours follows the small steps."""
    assert error(ours("ur5", 0.002), reference["ur5"]) < 0.01
    assert error(theirs("ur5", 0.002), reference["ur5"]) > 0.1


def test_light_links_chatter_above_a_step_and_below_it_not(reference):
    """What docs/integrators.md says of a wrist with inertia far below h kv, and what mends it."""
    true = reference["kinova"][1]
    assert 25 < true < 29
    assert ours("kinova", 0.002)[1] > 10 * true
    assert theirs("kinova", 0.002)[1] < 0.75 * true  # no chatter, but two thirds of the speed
    assert ours("kinova", 0.0001)[1] == pytest.approx(true, rel=0.02)
    assert error(ours("kinova", 0.0001), reference["kinova"]) < 1e-3
    heavier = ours("kinova", 5e-5, armature=0.01)
    assert error(ours("kinova", 0.002, armature=0.01), heavier) < 0.02
    assert ours("kinova", 0.002, armature=0.1)[1] < 20


@pytest.mark.parametrize("integrator", ["IMPLICITFAST", "IMPLICIT"])
@pytest.mark.parametrize(("name", "bound"), [("ur5", 3), ("kinova", 5)])
def test_forces_within_limits_at_the_end_follow_small_steps(reference, name, bound, integrator):
    """The option servo at end: neither chatter nor lag, an error that falls with the step (rad a s of step)."""
    integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    for h in (0.002, 0.001, 0.0005):
        run = ours(name, h, servo=1, integrator=integrator)
        assert error(run, reference[name]) < bound * h
        assert run[1] == pytest.approx(reference[name][1], rel=0.02)


WHEEL = """
<mujoco>
  <option integrator="implicitfast" timestep="{h!r}" gravity="0 0 0"/>
  <worldbody><body><joint name="w"/><inertial mass="1" pos="0 0 0" diaginertia=".001 .001 .001"/></body></worldbody>
  <actuator><velocity joint="w" kv="2" forcerange="-3 3"/></actuator>
</mujoco>"""


@pytest.mark.parametrize(("h", "chatters"), [(0.0011, True), (0.002, True), (0.0009, False)])
def test_chatter_of_one_joint(h, chatters):
    """Speed h F / 2 I turns round in each step when it is above F / kv, that is for h > 2 I / kv."""
    peer = mujoco.MjModel.from_xml_string(WHEEL.format(h=h))
    model = bridge.copy_model(peer)
    data = bridge.make_data(model)
    start = h * 3 / (2 * 0.001)
    data.qvel = [[start]]
    for _ in range(1000):
        bridge.call("step", model, data)
    speed = abs(np.ravel(data.qvel)[0])
    assert speed == pytest.approx(start, rel=1e-9) if chatters else speed < 1e-12
