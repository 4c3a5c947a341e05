"""Targets out of reach: arms come to rest stretched towards them, say so, and leave again; nothing else notices."""

import pathlib
import sys

import numpy as np
import pytest

import sinew
import walkers
from sinew import control

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

import balance  # noqa: E402

UPPER, FORE = 0.4, 0.35  # m
REACH = UPPER + FORE
PLANAR = """
<mujoco>
  <option timestep="0.001"/>
  <default>
    <joint axis="0 1 0" armature="0.05" damping="0.1"/>
    <geom type="capsule" size="0.03" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body>
      <joint name="shoulder"/>
      <geom fromto="0 0 0 0.4 0 0" mass="2"/>
      <body pos="0.4 0 0">
        <joint name="elbow"/>
        <geom fromto="0 0 0 0.35 0 0" mass="1"/>
        <site name="tip" pos="0.35 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def planar():
    return sinew.Model.from_xml(PLANAR)


def bent(distance):
    """Angles of shoulder and elbow with the tip so far ahead (m)."""
    cosine = (distance**2 - UPPER**2 - FORE**2) / (2 * UPPER * FORE)
    elbow = np.arccos(cosine)
    return -np.arctan2(FORE * np.sin(elbow), UPPER + FORE * cosine), elbow


def at(model, qpos):
    data = sinew.Data(model)
    data.qpos[:] = qpos
    sinew.forward(model, data)
    return data


def cycle(controller, data):
    controller.solve(data)
    controller.apply(data)
    if controller.mode == sinew.ControlMode.VELOCITY:
        step = controller.dt
        data.qpos[:] = sinew.integratePos(controller.model, data.qpos, data.qvel, step)
        data.time += step
    else:
        sinew.step(controller.model, data)


def run(controller, data, seconds):
    """The fastest joint of each cycle."""
    speeds = []
    for _ in range(round(seconds / controller.dt)):
        cycle(controller, data)
        speeds.append(np.abs(data.qvel).max())
    sinew.forward(controller.model, data)
    return np.array(speeds)


MODES = [("velocity", 10, 0.001), ("velocity", 10, 0.01), ("velocity", 100, 0.001)] + [
    ("acceleration", kp, 0.001) for kp in (100, 400)
]


@pytest.mark.parametrize(("mode", "kp", "dt"), MODES)
@pytest.mark.parametrize("beyond", [0.001, 0.03, 0.5])
@pytest.mark.parametrize("posture", [False, True])
def test_an_arm_rests_where_it_is_nearest(planar, mode, kp, dt, beyond, posture):
    """Without limits; straight towards the target, as far as a hair before the singular pose is."""
    data = at(planar, bent(0.6))
    controller = control.Controller(planar, mode, dt=dt)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=kp))
    way = np.array([0.8, 0, 0.6])
    tip.pos = (REACH + beyond) * way
    if posture:
        controller.add_task(control.PostureTask(level=2, kp=kp / 10)).pos = data.qpos
    speeds = run(controller, data, 2)
    assert speeds[round(1 / dt) :].max() < 0.1 and speeds[-1] < 1e-4
    near = 2e-5 + 5e-4 * beyond  # m
    np.testing.assert_allclose(data.site_xpos[0], REACH * way, atol=near)
    assert tip.out_of_reach
    np.testing.assert_allclose(tip.beyond, beyond * way, atol=near)


def six_axes():
    return sinew.Model.from_path(EXAMPLES / "models/six_axis_arm.xml")


def ur5():
    """A URDF of a real arm, without geoms."""
    spec = sinew.Spec.from_urdf(
        walkers.folder("ur_description", "urdf", "ur5_robot.urdf"), keep_fixed=True
    )
    return without_geoms(spec)


def panda():
    return without_geoms(
        sinew.Spec.from_urdf(
            walkers.folder("panda_description", "urdf", "panda.urdf"), keep_fixed=True
        )
    )


def without_geoms(spec):
    for geom in list(spec.geoms):
        geom.remove()
    spec.section("option").timestep = 0.001
    return spec.compile()


@pytest.mark.parametrize(("mode", "kp"), [("velocity", 10), ("acceleration", 400)])
@pytest.mark.parametrize("way", [(1, 0, 0), (0.6, 0.64, 0.48)])
@pytest.mark.parametrize("beyond", [0.03, 0.5])
def test_a_spatial_arm_rests(mode, kp, way, beyond):
    """Six axes, gravity, a posture below that would bend it."""
    model = six_axes()
    data = at(model, [0, *bent(0.6), 0, 0.5, 0])
    controller = control.Controller(model, mode)
    wrist = controller.add_task(control.PositionTask(site="wrist", level=1, kp=kp))
    wrist.pos = [0, 0, 0.5] + (REACH + beyond) * np.array(way)
    controller.add_task(control.PostureTask(level=2, kp=kp / 10)).pos = data.qpos
    speeds = run(controller, data, 3)
    assert speeds[-1] < 1e-3 and controller.infeasible < 0
    near = 2e-5 + 5e-4 * beyond
    np.testing.assert_allclose(data.site_xpos[0], [0, 0, 0.5] + REACH * np.array(way), atol=near)
    assert wrist.out_of_reach and abs(np.linalg.norm(wrist.beyond) - beyond) < near


ROBOTS = [
    (ur5, "wrist_1_link"),
    (ur5, "wrist_3_link"),
    (panda, "panda_link5"),
    (panda, "panda_hand"),
]


@pytest.mark.parametrize(("robot", "body"), ROBOTS)
@pytest.mark.parametrize(("mode", "kp"), [("velocity", 10), ("acceleration", 400)])
def test_real_arms_rest(robot, body, mode, kp):
    """UR5 and Panda follow a target far off, without any limit; without rest these are at hundreds of rad/s."""
    model = robot()
    span = np.clip(model.jnt_range, -2.5, 2.5)
    data = at(model, span[:, 0] + 0.45 * (span[:, 1] - span[:, 0]))
    controller = control.Controller(model, mode, torque_limits=False, position_limits=False)
    task = controller.add_task(control.PositionTask(body=body, level=1, kp=kp))
    controller.add_task(control.PostureTask(level=2, kp=kp / 10)).pos = data.qpos
    start, end, speeds = data.xpos[model.body(body).id].copy(), np.array([1.6, 0.3, 0.5]), []
    for k in range(4000):
        task.pos, task.vel, task.acc = control.polynomial(1e-3 * k, 2.0, start, end)
        cycle(controller, data)
        speeds.append(np.abs(data.qvel).max())
    assert max(speeds[3000:]) < 0.1 and task.out_of_reach
    lengths = np.linalg.norm(task.beyond), np.linalg.norm(task.error)
    assert task.beyond @ task.error > 0.99 * lengths[0] * lengths[1]


@pytest.mark.parametrize(("mode", "kp"), [("velocity", 10), ("acceleration", 100)])
@pytest.mark.parametrize("end", [(1.6, 0.3, 0.5), (-0.5, 0.9, 0.9)])
def test_poses_out_of_reach(mode, kp, end):
    """Six rows of a UR5, whose rows of position depend on each other but for a little rotation: at rest 1 s later."""
    model = ur5()
    span = np.clip(model.jnt_range, -2.5, 2.5)
    data = at(model, span[:, 0] + 0.45 * (span[:, 1] - span[:, 0]))
    controller = control.Controller(model, mode, torque_limits=False, position_limits=False)
    task = controller.add_task(control.PoseTask(body="wrist_3_link", level=1, kp=kp))
    task.hold(data)
    controller.add_task(control.PostureTask(level=2, kp=kp / 10)).pos = data.qpos
    start, speeds = task.pos[:3].copy(), []
    for k in range(3500):
        task.pos[:3], task.vel[:3], task.acc[:3] = control.polynomial(
            1e-3 * k, 2.0, start, np.array(end)
        )
        cycle(controller, data)
        speeds.append(np.abs(data.qvel).max())
    assert max(speeds) < 60 and max(speeds[3000:]) < 1e-2
    assert task.out_of_reach
    np.testing.assert_allclose(task.beyond, task.error, atol=1e-3)


def humanoid(mode):
    """Controller, data and the hand's task: feet and chest stay, the arm alone reaches."""
    model = sinew.Model.from_path(EXAMPLES / "models/humanoid.xml")
    model.opt.timestep = 0.001
    data = balance.start(model)
    controller = control.Controller(model, mode)
    gain = 40 if mode == "acceleration" else 10
    for side in "left", "right":
        if mode == "acceleration":
            controller.add_contact(body=f"foot_{side}", points=balance.SOLE, mu=0.8)
        else:
            controller.add_task(control.ContactTask(body=f"foot_{side}", level=0, kp=10))
    controller.add_task(control.PoseTask(body="chest", level=1, kp=gain)).hold(data)
    hand = controller.add_task(control.PositionTask(site="hand_left", level=2, kp=gain))
    controller.add_task(control.PostureTask(level=3, kp=gain / 2)).pos = data.qpos
    return controller, data, hand


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
@pytest.mark.parametrize("way", [(1, 0.1, 0), (0.8, 0.5, 0.2)])
def test_a_humanoid_waits(mode, way):
    """On its feet, by its own motors, with joint limits 2 degrees beyond the straight elbow."""
    controller, data, hand = humanoid(mode)
    model = controller.model
    shoulder = data.xanchor[model.joint("shoulder_pitch_left").id].copy()
    elbow, tip = (
        data.xanchor[model.joint("elbow_left").id],
        data.site_xpos[model.site("hand_left").id],
    )
    reach = np.linalg.norm(elbow - shoulder) + np.linalg.norm(tip - elbow)
    way = np.array(way) / np.linalg.norm(way)
    hand.pos = shoulder + (reach + 0.1) * way
    speeds = run(controller, data, 4)
    assert speeds[3000:].max() < 0.02 and controller.infeasible < 0
    assert hand.out_of_reach and abs(np.linalg.norm(hand.beyond) - 0.1) < 2e-3
    assert np.abs(controller.tasks[-3].error).max() < 1e-4  # the chest


# ---- leaving, and the edge


@pytest.mark.parametrize(("mode", "kp", "dt"), MODES)
def test_an_arm_leaves_when_the_target_comes_back(planar, mode, kp, dt):
    """After a wait of 6 s as soon as after one of 1.5 s, and within what the target asks at the edge."""
    late = []
    for wait in 1.5, 6.0:
        data = at(planar, bent(0.6))
        controller = control.Controller(planar, mode, dt=dt)
        tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=kp))
        tip.pos = REACH + 0.05, 0, 0
        run(controller, data, wait)
        begin, time = np.array([REACH + 0.05, 0, 0]), 0.0
        rows = []
        while time < 2:
            tip.pos, tip.vel, tip.acc = control.polynomial(time, 1.0, begin, [0.6, 0, 0])
            cycle(controller, data)
            sinew.kinematics(planar, data)
            rows.append([np.abs(data.qvel).max(), np.linalg.norm(data.site_xpos[0] - tip.pos)])
            time += dt
        late.append(np.array(rows))
        assert late[-1][-1, 1] < 1e-3 and not tip.out_of_reach
        assert late[-1][:, 0].max() < 60
    assert np.abs(late[0] - late[1]).max() < 0.05 * np.abs(late[0]).max()


@pytest.mark.parametrize(("mode", "kp", "dt"), MODES)
@pytest.mark.parametrize("way", [(1, 0, 0), (0, 0, 1), (0.6, 0, -0.8)])
def test_a_target_at_the_very_end_of_the_reach(planar, mode, kp, dt, way):
    data = at(planar, bent(0.6))
    controller = control.Controller(planar, mode, dt=dt)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=kp))
    tip.pos = REACH * np.array(way)
    speeds = run(controller, data, 3)
    assert speeds[-1] < 5e-3
    np.testing.assert_allclose(data.site_xpos[0], tip.pos, atol=2e-5)
    assert not tip.out_of_reach


@pytest.mark.parametrize(("mode", "kp", "dt"), MODES)
def test_a_target_in_the_shoulder(planar, mode, kp, dt):
    """Its own kind of end: as near to the shoulder as links of 0.4 and 0.35 m fold, any way round."""
    data = at(planar, bent(0.5))
    controller = control.Controller(planar, mode, dt=dt)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=kp))
    controller.add_task(control.PostureTask(level=2, kp=kp / 10)).pos = data.qpos
    speeds = run_to(controller, data, tip, [0.01, 0, 0.01])
    assert speeds[-200:].max() < 0.05 and tip.out_of_reach
    assert abs(np.linalg.norm(data.site_xpos[0]) - (UPPER - FORE)) < 1e-4


def run_to(controller, data, task, target):
    task.pos = target
    return run(controller, data, 4)


def test_straight_from_the_start(planar):
    """At s = 0 nothing says which way to bend but the posture."""
    data = at(planar, [0, 0])
    controller = control.Controller(planar)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=100))
    controller.add_task(control.PostureTask(level=2, kp=10)).pos = bent(0.5)
    tip.pos = 0.6, 0, 0
    run(controller, data, 3)
    np.testing.assert_allclose(data.site_xpos[0], tip.pos, atol=1e-6)
    assert data.qpos[1] > 0


# ---- levels


def chain(mode, **settings):
    """Three links in a plane whose first task holds the tip's x."""
    model = sinew.Model.from_path(EXAMPLES / "models/planar_arm.xml")
    data = at(model, [-0.5, 1.2, 1.2])
    controller = control.Controller(model, mode, **settings)
    first = controller.add_task(control.PositionTask(site="tip", axes="x", level=1, kp=20))
    first.pos = data.site_xpos[0]
    return controller, data, first


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
@pytest.mark.parametrize("weighted", [False, True])
def test_out_of_reach_because_of_the_task_above(mode, weighted):
    """y of 1.25 m can be reached, but not at that x: the lower task waits and says so; the upper one notices nothing."""
    controller, data, first = chain(mode, weighted=weighted)
    x = first.pos[0]
    second = controller.add_task(control.PositionTask(site="tip", axes="y", level=2, kp=20))
    second.pos = 0, 1.25, 0
    controller.add_task(control.PostureTask(level=3, kp=2)).pos = data.qpos
    speeds, missed = [], []
    for _ in range(4000):
        cycle(controller, data)
        speeds.append(np.abs(data.qvel).max())
        row = np.flatnonzero(controller.row[:, 3] == 1)[0]
        missed.append(abs(controller.slack[row]))
    sinew.forward(controller.model, data)
    assert max(speeds[3000:]) < 1e-2 and second.out_of_reach
    if weighted:  # one level: they share the error
        return
    assert not first.out_of_reach
    assert max(missed) < 1e-12
    assert abs(data.site_xpos[0, 1] - np.sqrt(1.2**2 - x**2)) < 2e-4
    assert abs(second.beyond[1] - (1.25 - np.sqrt(1.2**2 - x**2))) < 2e-4
    np.testing.assert_array_equal(second.beyond[[0, 2]], 0)


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
def test_two_tasks_of_one_level(planar, mode):
    """Elbow and tip want places that only together are out of reach: they share the error, at rest."""
    data = at(planar, bent(0.6))
    controller = control.Controller(planar, mode)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=100))
    other = controller.add_task(control.PositionTask(body=2, level=1, kp=100))
    tip.pos, other.pos = [0.9, 0, 0], [0.3, 0, 0.4]
    speeds = run(controller, data, 3)
    assert speeds[2000:].max() < 1e-3
    assert tip.out_of_reach or other.out_of_reach


def test_a_direction_that_never_moves(planar):
    """Out of the plane nothing moves: the task says so, and the rest of it is done."""
    data = at(planar, bent(0.6))
    controller = control.Controller(planar)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=100))
    tip.pos = 0.5, 0.2, 0.1
    run(controller, data, 2)
    np.testing.assert_allclose(data.site_xpos[0], [0.5, 0, 0.1], atol=1e-6)
    assert tip.out_of_reach
    np.testing.assert_allclose(tip.beyond, [0, 0.2, 0], atol=1e-12)
    assert controller.diagnostics().out_of_reach == [tip]
    assert "out of reach: <sinew.control.Task position" in str(controller.diagnostics())


# ---- regular cycles


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
@pytest.mark.parametrize("weighted", [False, True])
def test_regular_cycles_have_the_same_bits(mode, weighted):
    """With damping and without it, where nothing is near a singular pose."""
    runs = []
    for singular in 0, None:
        model = six_axes()
        data = at(model, [0, *bent(0.45), 0, 0.5, 0])
        controller = control.Controller(model, mode, weighted=weighted, singular=singular)
        wrist = controller.add_task(control.PoseTask(site="wrist", level=1, kp=50))
        wrist.hold(data)
        start = wrist.pos.copy()
        controller.add_task(control.PostureTask(level=2, kp=10)).pos = data.qpos
        rows = []
        for k in range(500):
            wrist.pos = start
            wrist.pos[:3] += 0.08 * np.sin([0.006 * k, 0.004 * k, 0.01 * k])
            cycle(controller, data)
            rows.append([*data.qpos, *controller.x])
        runs.append(np.array(rows))
    np.testing.assert_array_equal(*runs)


def test_switched_off_it_never_rests(planar):
    """What `singular=0` leaves: the arm swings, nothing is said."""
    data = at(planar, bent(0.6))
    controller = control.Controller(planar, "velocity", singular=0)
    tip = controller.add_task(control.PositionTask(site="tip", level=1, kp=10))
    tip.pos = REACH + 0.03, 0, 0
    assert run(controller, data, 2)[1000:].max() > 10 and not tip.out_of_reach


@pytest.mark.parametrize("singular", [-0.1, 1, np.nan])
def test_wrong_thresholds(planar, singular):
    with pytest.raises(ValueError, match="singular is"):
        control.Controller(planar, singular=singular)
