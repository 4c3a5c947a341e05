"""`sinew.control`: controllers, contacts, limits, what a cycle tells, and what is refused."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import sinew
from sinew import ControlMode, ControlOutput, ControlRowKind, HqpState, QpStatus, control
from walkers import folder

INF = np.inf
ARM = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" range="-120 120" limited="true" actuatorfrcrange="-40 40"/>
      <geom name="upper" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
      <body name="lower" pos=".5 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom name="lower" type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <site name="tip" pos=".4 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="m1" joint="shoulder" gear="2" ctrlrange="-30 30"/>
    <motor name="m2" joint="elbow" gear="-1" ctrlrange="-100 100"/>
  </actuator>
</mujoco>
"""
BOX = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 .1">
      <freejoint name="root"/>
      <geom name="box" type="box" size=".2 .15 .1" mass="10"/>
      <site name="sole" pos="0 0 -.1"/>
      <body name="arm" pos="0 0 .1">
        <joint name="turn" axis="0 1 0"/>
        <geom name="arm" type="capsule" fromto="0 0 0 0 0 .4" size=".03" mass="1"/>
        <site name="tip" pos="0 0 .4"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
CORNERS = [[x, y, 0] for x in (-0.2, 0.2) for y in (-0.15, 0.15)]


@pytest.fixture
def arm():
    """Two links with motors."""
    return sinew.Model.from_xml(ARM)


@pytest.fixture
def box():
    """A box that stands on a floor, with an arm that turns."""
    return sinew.Model.from_xml(BOX)


# ---- the loop


def panda():
    """The arm with its hand, on a table of its own."""
    path = folder("panda_description", "urdf", "panda.urdf")
    spec = sinew.Spec.from_urdf(path, keep_fixed=True)
    for geom in list(spec.geoms):
        geom.remove()
    spec.section("option").timestep = 0.001
    return spec.compile()


def test_a_robot_reaches_a_pose():
    """At 1 kHz, along a trajectory, within its limits."""
    m = panda()
    d = sinew.Data(m)
    controller = control.Controller(m)
    hand = controller.add_task(control.PoseTask(body="panda_hand", kp=200, name="hand"))
    posture = controller.add_task(control.PostureTask(level=2, kp=20))
    d.qpos[:] = posture.pos[:] = [0, -0.5, 0, -2, 0, 1.6, 0.7, 0.02, 0.02]
    controller.velocity_max[:7] = 2
    sinew.forward(m, d)
    start = np.r_[d.body("panda_hand").xpos, d.body("panda_hand").xquat]
    turn = np.array([np.cos(0.3), 0, np.sin(0.3), 0])
    end = np.r_[start[:3] + [0.1, 0.25, -0.2], sinew.mulQuat(start[3:], turn)]
    speed = force = worst = 0
    while d.time < 2:
        hand.pos, hand.vel, hand.acc = control.pose_trajectory(d.time, 1.5, start, end)
        assert controller.solve(d) == QpStatus.SOLVED
        controller.apply(d)
        worst = max(worst, np.abs(hand.error).max())
        sinew.step(m, d)
        speed = max(speed, np.abs(d.qvel[:7]).max())
        force = max(force, np.abs(d.qfrc_applied / controller.torque_upper).max())
    assert d.body("panda_hand").xpos == pytest.approx(end[:3], abs=1e-6)
    assert d.body("panda_hand").xquat == pytest.approx(end[3:], abs=1e-6)
    assert worst < 1e-3 and speed <= 2 + 1e-9 and force <= 1 + 1e-9
    assert ((m.jnt_range[:, 0] <= d.qpos) & (d.qpos <= m.jnt_range[:, 1])).all()


def test_torques_produce_the_accelerations(arm):
    """Forward dynamics of what `apply` has written give the `qacc` of the cycle."""
    d = sinew.Data(arm)
    controller = control.Controller(arm, integrator=False)
    controller.add_task(control.PositionTask(site="tip", axes="x z", kp=10)).pos = 0.6, 0, 0.2
    d.qpos[:], d.qvel[:] = [-0.3, 0.7], [0.4, -0.2]
    assert controller.solve(d) == QpStatus.SOLVED
    assert controller.apply(d) is ControlOutput.CTRL
    sinew.forward(arm, d)
    assert d.qfrc_actuator == pytest.approx(controller.tau, abs=1e-10)
    assert d.qacc == pytest.approx(controller.qacc, abs=1e-9)
    assert d.ctrl == pytest.approx(controller.tau / [2, -1], abs=1e-12)
    assert not d.qfrc_applied.any()


def test_velocities_come_out_of_the_step(arm):
    """With `integrator` the velocity after the step is qvel + dt qacc."""
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    controller.add_task(control.PostureTask(kp=30))
    d.qvel[:] = 1, -2
    for _ in range(5):
        controller.solve(d)
        controller.apply(d)
        want = d.qvel + controller.dt * controller.qacc
        sinew.step(arm, d)
        assert d.qvel == pytest.approx(want, abs=1e-12)


def test_kinematics(arm):
    """Mode velocity: differential inverse kinematics."""
    d = sinew.Data(arm)
    controller = control.Controller(arm, "velocity", dt=0.01)
    assert controller.mode == ControlMode.VELOCITY and controller.dt == 0.01
    tip = controller.add_task(control.PositionTask(site="tip", axes="x z", kp=10))
    d.qpos[:] = -0.3, 0.7
    tip.pos = 0.6, 0, 0.2
    for _ in range(300):
        assert controller.solve(d) == QpStatus.SOLVED
        assert controller.apply(d) is ControlOutput.NONE
        assert np.array_equal(d.qvel, controller.qvel)
        d.qpos[:] = sinew.integratePos(arm, d.qpos, d.qvel, 0.01)
    sinew.kinematics(arm, d)
    assert d.site("tip").xpos == pytest.approx([0.6, 0, 0.2], abs=1e-6)
    assert controller.x == pytest.approx(controller.qvel) and controller.nx == 2


def test_mode_by_member(arm):
    assert control.Controller(arm, ControlMode.VELOCITY).mode == 0
    assert control.Controller(arm, mode="acceleration").mode == 1


# ---- limits


def test_limits_start_from_the_model(arm):
    c = control.Controller(arm)
    assert c.qpos_lower == pytest.approx([-2 * np.pi / 3, -INF])
    assert c.qpos_upper == pytest.approx([2 * np.pi / 3, INF])
    assert c.velocity_max.tolist() == c.acceleration_max.tolist() == [INF, INF]
    assert c.torque_upper.tolist() == [40, 100]  # of 60 by ctrlrange
    assert c.torque_lower.tolist() == [-40, -100]
    assert c.actuated.tolist() == [1, 1] and c.frozen.tolist() == [0, 0]
    assert c.actuated.dtype == np.uint8 and c.dt == 0.001


def test_limits_hold(arm):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    posture = controller.add_task(control.PostureTask(kp=400))
    posture.pos[:] = 2.5, 3  # the first beyond its limit
    controller.velocity_max[:] = 1.5, 2
    controller.acceleration_max[:] = 20, 30
    before = d.qvel.copy()
    for _ in range(3000):
        assert controller.solve(d) == QpStatus.SOLVED
        controller.apply(d)
        sinew.step(arm, d)
        assert (np.abs(d.qvel) <= [1.5 + 1e-9, 2 + 1e-9]).all()
        assert (np.abs(d.qvel - before) <= np.array([20, 30]) * 1e-3 + 1e-9).all()
        assert d.qpos[0] <= 2 * np.pi / 3 + 1e-9
        before = d.qvel.copy()
    assert d.qpos == pytest.approx([2 * np.pi / 3, 3], abs=1e-3)


def test_frozen(arm):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    controller.add_task(control.PostureTask(kp=100)).pos[:] = 0.5, 0.5
    controller.frozen[control.dofs(arm, "elbow")] = 1
    for _ in range(1000):
        controller.solve(d)
        controller.apply(d)
        sinew.step(arm, d)
    assert d.qpos == pytest.approx([0.5, 0], abs=1e-3) and abs(d.qpos[1]) < 1e-9


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("qpos_lower", 3.0, "limits of joint 'shoulder' contradict each other: position"),
        ("qpos_upper", np.nan, "limits of joint 'shoulder' contradict each other: position"),
        ("torque_upper", -41, "limits of joint 'shoulder' contradict each other: torque"),
        ("velocity_max", -1, "limits of joint 'shoulder' contradict each other: velocity"),
        ("acceleration_max", np.nan, "limits of joint 'shoulder' contradict.*: acceleration"),
    ],
)
def test_contradictory_limits(arm, name, value, text):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    controller.add_task(control.PostureTask())
    array = getattr(controller, name)
    kept = array[0]
    array[0] = value
    with pytest.raises(ValueError, match=text):
        controller.solve(d)
    array[0] = kept
    assert controller.solve(d) == QpStatus.SOLVED


# ---- contacts


def standing(box, **settings):
    d = sinew.Data(box)
    controller = control.Controller(box)
    controller.actuated[6] = 1
    settings = {"points": CORNERS, "name": "sole", "level": 1} | settings
    sole = controller.add_contact(site="sole", **settings)
    controller.add_task(control.PostureTask(level=2, kp=100))
    return d, controller, sole


def test_contact_forces_carry_the_box(box):
    d, controller, sole = standing(box, mu=0.5)
    assert sole.active and sole.npoint == 4 and sole.index == 0 and sole.name == "sole"
    assert controller.solve(d) == QpStatus.SOLVED
    assert sole.force.shape == (4, 3)
    weight = 11 * 9.81
    assert sole.force.sum(axis=0) == pytest.approx([0, 0, weight], abs=1e-6)
    assert sole.wrench == pytest.approx([0, 0, weight, 0, 0, 0], abs=1e-6)
    assert sole.cop == pytest.approx([0, 0], abs=1e-8)
    assert np.array_equal(controller.x[7:], sole.force.ravel())
    assert controller.nx == 7 + 12 and controller.qacc == pytest.approx(0, abs=1e-9)
    assert (np.abs(sole.force[:, :2]) <= 0.5 * sole.force[:, 2:] + 1e-9).all()


def test_contacts_are_switched(box):
    d, controller, sole = standing(box)
    controller.solve(d)
    sole.active = False
    assert not sole.active and "off" in repr(sole)
    controller.solve(d)
    assert controller.nx == 7 and (sole.force == 0).all() and np.isnan(sole.cop).all()
    assert controller.qacc[2] == pytest.approx(-9.81)
    sole.active = True
    d.qpos[0] = 0.3  # it is held where it is switched on
    controller.solve(d)
    assert controller.qacc == pytest.approx(0, abs=1e-9)
    assert sole.motion.pos[:3] == pytest.approx([0.3, 0, 0])
    later = controller.add_contact(site="tip", active=False)
    assert not later.active and controller.contacts == [sole, later]
    controller.solve(d)
    assert controller.nx == 19


def test_a_ramp(box):
    d, controller, sole = standing(box, ramp=0.01, force_max=400)
    scales = []
    for _ in range(6):
        controller.solve(d)
        scales.append(sole.scale)
    assert scales == pytest.approx([0.2, 0.4, 0.6, 0.8, 1, 1])
    sole.active = False
    controller.solve(d)
    assert sole.scale == pytest.approx(0.8) and sole.force[:, 2].sum() > 10


def test_numbers_of_a_contact(box):
    d, controller, sole = standing(box, mu=0.5, force_min=1, force_max=500, cop=[-0.1, 0.1] * 2)
    assert (sole.mu, sole.force_min, sole.force_max, sole.weight) == (0.5, 1, 500, 1)
    sole.force_max = 50
    controller.solve(d)
    assert sole.force[:, 2].sum() == pytest.approx(50)
    sole.force_max = INF
    sole.mu = 0
    controller.solve(d)
    assert np.abs(sole.force[:, :2]).max() < 1e-9
    for name in ("mu", "force_min", "force_max", "weight"):
        for wrong in (-1, np.nan):
            with pytest.raises(ValueError, match=f"{name} must be 0 or more"):
                setattr(sole, name, wrong)
        with pytest.raises(TypeError):
            setattr(sole, name, "x")
        with pytest.raises(AttributeError):
            delattr(sole, name)
    with pytest.raises(AttributeError):
        sole.npoint = 3
    with pytest.raises(AttributeError):
        sole.mue = 3
    sole.force_min = 600
    sole.force_max = 500
    with pytest.raises(ValueError, match="contact 'sole': its normal force is to be at least 600"):
        controller.solve(d)


def test_cones(box):
    """facets 0: the cone itself."""
    d, controller, sole = standing(box, mu=0.4, facets=0)
    sole.motion.active = False
    push = controller.add_task(control.ComTask(kp=0, kd=0))
    push.acc[:] = 7, 5, 0
    assert controller.solve(d) == QpStatus.SOLVED
    tangent, normal = np.hypot(sole.force[:, 0], sole.force[:, 1]), sole.force[:, 2]
    assert (tangent <= 0.4 * normal * (1 + 1e-6) + 1e-6).all()
    assert tangent.sum() == pytest.approx(0.4 * normal.sum(), rel=1e-4)  # they slip
    assert controller.cones > 1


def test_a_force_task(box):
    d, controller, sole = standing(box)
    task = controller.add_task(control.ForceTask(contact=sole, level=1))
    assert task.rows == 12 and task.pos.shape == (12,)
    normal = 11 * 9.81 / 2
    task.pos.reshape(4, 3)[[0, 3], 2] = normal
    controller.solve(d)
    assert sole.force[:, 2] == pytest.approx([normal, 0, 0, normal], abs=1e-6)


def test_contact_of_two_bodies(box):
    """The other body bears the opposite force."""
    d = sinew.Data(box)
    controller = control.Controller(box)
    touch = controller.add_contact(site="tip", ref_body="box", kp=10)
    controller.add_task(control.PostureTask(level=2))
    controller.solve(d)
    assert controller.qacc[:6] == pytest.approx([0, 0, -9.81, 0, 0, 0], abs=1e-6)
    assert touch.motion.type == sinew.TaskType.CONTACT


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({}, ValueError, "contact: give site, body or geom"),
        ({"site": "sole", "body": "box"}, ValueError, "site and body are given"),
        ({"site": "sol"}, KeyError, "no site is called 'sol'; did you mean 'sole'"),
        ({"site": 7}, IndexError, "site 7 does not exist"),
        ({"site": "sole", "ref_body": "wall"}, KeyError, "no body is called 'wall'"),
        ({"site": "sole", "points": [[0, 0]]}, ValueError, r"points has shape \(1, 2\), must be"),
        ({"site": "sole", "points": np.zeros((9, 3))}, ValueError, "with 1 to 8 points"),
        ({"site": "sole", "points": np.zeros((0, 3))}, ValueError, "with 1 to 8 points"),
        ({"site": "sole", "points": [["a", 0, 0]]}, ValueError, "points: could not convert"),
        ({"site": "sole", "points": [[np.nan, 0, 0]]}, ValueError, "points and normal must be"),
        (
            {"site": "sole", "normal": [0, 0]},
            ValueError,
            r"normal has shape \(2,\), must be \(3,\)",
        ),
        ({"site": "sole", "normal": [0, 0, 0]}, ValueError, "the normal not 0"),
        ({"site": "sole", "mu": -1}, ValueError, "mu is -1"),
        ({"site": "sole", "mu": "x"}, TypeError, "mu: must be real"),
        ({"site": "sole", "facets": 2}, ValueError, "a pyramid of 2 facets"),
        ({"site": "sole", "facets": 4.5}, TypeError, "facets: "),
        ({"site": "sole", "force_min": 2, "force_max": 1}, ValueError, "at least 2 and at most 1"),
        ({"site": "sole", "cop": [1, 2]}, ValueError, r"cop has shape \(2,\), must be \(4,\)"),
        ({"site": "sole", "cop": [1, -1, 0, 1]}, ValueError, "centre of pressure is empty"),
        ({"site": "sole", "ramp": -1}, ValueError, "its ramp is -1 s: it must be 0"),
        ({"site": "sole", "rows": 4}, ValueError, "holds 4 rows of motion"),
        ({"site": "sole", "level": 40}, ValueError, "level 40"),
        ({"site": "sole", "kd": -1}, ValueError, "kd is -1, must be 0 or more"),
        ({"site": "sole", "kp": -1}, ValueError, "kp is -1"),
        ({"site": "sole", "weight": -1}, ValueError, "weight"),
        ({"site": "sole", "name": b"x"}, TypeError, "bytes"),
        ({"geom": "floor"}, ValueError, "no dof moves"),
    ],
)
def test_contact_errors(box, given, error, text):
    d = sinew.Data(box)
    controller = control.Controller(box)
    with pytest.raises(error, match=text):
        controller.add_contact(**given)
    assert controller.contacts == []
    with pytest.raises(TypeError, match="unexpected keyword"):
        controller.add_contact(sight="sole")
    assert controller.solve(d) == QpStatus.SOLVED


def test_room_for_contacts(box):
    d = sinew.Data(box)
    controller = control.Controller(box, max_contacts=2, max_points=4)
    controller.add_contact(site="sole", points=CORNERS)
    with pytest.raises(
        ValueError, match="'more' would make 5 points at work, of 4: raise max_points"
    ):
        controller.add_contact(site="tip", name="more")
    more = controller.contacts[1]  # it is there, off
    assert more.name == "more" and not more.active
    controller.contacts[0].active = False
    with pytest.raises(ValueError, match="room for 2 contacts: raise max_contacts"):
        controller.add_contact(site="tip")
    controller.solve(d)
    more.active = True
    assert controller.solve(d) == QpStatus.SOLVED and controller.nx == 10


# ---- what a cycle tells


def test_diagnostics(arm):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    tip = controller.add_task(control.PositionTask(site="tip", axes="x z", kp=400, name="hand"))
    tip.pos = 0, 0, 3  # out of reach: torques at their limits
    d.qpos[:] = 0.2, 0.4
    status = controller.solve(d)
    seen = controller.diagnostics()
    assert seen.status is status is QpStatus.SOLVED and seen.level == 2 == controller.nlevel
    assert seen.ranks == controller.rank.tolist() and len(seen.violations) == 2
    assert seen.violations[1] > 1 and seen.infeasible is None
    texts = [row.text for row in seen.active]
    assert any("torque of joint 'shoulder'" in text for text in texts)
    held = seen.active[0]
    assert held.kind is ControlRowKind.TORQUE and held.id == 0 and held.level == 0
    assert held.state in (HqpState.LOWER, HqpState.UPPER) and abs(held.slack) < 1e-9
    assert {row.kind for row in seen.violated} == {ControlRowKind.TASK}
    assert "task 'hand', row 0" in {row.text for row in seen.violated}
    assert seen.time_rows > 0 and seen.time_solve > 0 and seen.cones == 1
    text = str(seen)
    assert "level 0: rank" in text and "torque of joint 'shoulder'" in text and "us" in text
    assert controller.state.dtype == np.int8 and controller.row.shape == (controller.nrow, 4)
    assert controller.slack.shape == controller.state.shape == (controller.nrow,)
    controller.acceleration_max[:] = 0.1  # less than gravity leaves with so little torque
    controller.torque_lower[:], controller.torque_upper[:] = -0.1, 0.1
    controller.solve(d)
    seen = controller.diagnostics()
    assert seen.infeasible.kind in (ControlRowKind.TORQUE, ControlRowKind.JOINT)
    assert "infeasible: " in str(seen) and seen.violated[0] == seen.infeasible
    assert [row.level for row in seen.violated] == sorted(row.level for row in seen.violated)
    assert any("joint 'elbow'" in row.text for row in seen.violated)


def test_before_the_first_cycle(arm):
    controller = control.Controller(arm)
    assert controller.x.shape == (0,) and controller.row.shape == (0, 4)
    assert controller.diagnostics().active == [] and "solved" in str(controller.diagnostics())
    assert (controller.tau == 0).all()
    d = sinew.Data(arm)
    controller.apply(d)
    assert (d.ctrl == 0).all()


def test_results_of_variable_size_are_copies(arm):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    controller.add_task(control.PostureTask()).pos[:] = 1
    controller.solve(d)
    x, kept = controller.x, controller.x.copy()
    for k in range(8):
        controller.add_task(control.LinearTask(A=np.ones((50, 2)), lower=3, upper=3, level=k))
    controller.solve(d)
    assert np.array_equal(x, kept) and not np.array_equal(controller.x, kept)
    x[:] = 5
    assert (controller.x != 5).all()


def test_levels_or_weights(arm):
    d = sinew.Data(arm)
    results = []
    for weighted in (False, True):
        controller = control.Controller(arm, weighted=weighted, level_weight=4.0)
        low = controller.add_task(control.PostureTask(joints="elbow", level=2, kp=0, kd=0))
        high = controller.add_task(control.PostureTask(joints="elbow", level=1, kp=0, kd=0))
        low.acc[1], high.acc[1] = 1, 0
        controller.solve(d)
        results.append(controller.qacc[1])
    assert results == pytest.approx([0, 0.2], abs=1e-8)


# ---- refusals


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"mode": "force"}, ValueError, "mode is 'force', must be one of velocity, acceleration"),
        ({"mode": 7}, ValueError, "there is no mode 7"),
        ({"mode": None}, TypeError, "NoneType"),
        ({"dt": -1}, ValueError, "dt of a controller is -1"),
        ({"dt": np.nan}, ValueError, "dt of a controller is nan"),
        ({"dt": "x"}, TypeError, "dt: must be real"),
        ({"max_tasks": -1}, ValueError, "max_tasks"),
        ({"max_tasks": 1.5}, TypeError, "max_tasks: "),
        ({"max_tasks": 2**31 - 1}, ValueError, "max_tasks, max_contacts, max_points and max_rows"),
        ({"max_contacts": 2**31 - 1}, ValueError, "max_tasks, max_contacts, max_points"),
        ({"max_tasks": 2**40}, OverflowError, "max_tasks: "),
        ({"limit_level": 99}, ValueError, "limit_level is 99"),
        ({"force_norm": 0}, ValueError, "force_norm is 0"),
        ({"friction_velocity": -1}, ValueError, "friction_velocity is -1"),
        ({"tolerance": "x"}, TypeError, "tolerance: must be real"),
        ({"typo": 1}, TypeError, "unexpected keyword"),
    ],
)
def test_settings_are_checked(arm, given, error, text):
    with pytest.raises(error, match=text):
        control.Controller(arm, **given)


def test_settings_of_the_solver_are_checked(arm):
    d = sinew.Data(arm)
    for name, wrong in [("tolerance", np.nan), ("iterations", -3), ("level_weight", 0)]:
        with pytest.raises(ValueError, match=name):
            control.Controller(arm, weighted=True, **{name: wrong}).solve(d)


def test_wrong_objects(arm, box):
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    with pytest.raises(TypeError):
        control.Controller(d)
    with pytest.raises(ValueError, match="a controller needs a model with joints"):
        control.Controller(sinew.Model.from_xml("<mujoco/>"))
    for call in (controller.solve, controller.apply):
        with pytest.raises(TypeError):
            call(arm)
        with pytest.raises(ValueError, match="the data belongs to another model"):
            call(sinew.Data(box))
    d.qpos[0] = np.nan
    with pytest.raises(ValueError, match="qpos or qvel of the data is not finite"):
        controller.solve(d)
    d.qpos[0] = 0
    assert controller.solve(d) == QpStatus.SOLVED
    for make in (control.Task, control.Contact, object.__new__):
        with pytest.raises(TypeError):
            make() if make is not object.__new__ else make(control.Controller)
    core = control._core
    with pytest.raises(TypeError, match="not a Controller"):
        core.solveController(3, arm, d)
    with pytest.raises(TypeError, match="there is no setting 'typo'"):
        core.makeController(control.Controller, arm, {"typo": 1})
    with pytest.raises(TypeError, match="must be a subclass"):
        core.makeController(int, arm, {})
    with pytest.raises(TypeError, match="must be a subclass"):
        core.addTask(controller, int, {}, None, None, 0)
    with pytest.raises(AttributeError):
        controller.typo = 3
    for name in ("nx", "x", "state", "mode", "dt"):
        with pytest.raises(AttributeError):
            setattr(controller, name, 0)


def test_no_copies(arm):
    controller = control.Controller(arm)
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a Controller cannot be copied or pickled"):
            make(controller)
        with pytest.raises(TypeError):
            make(controller.add_task(control.PostureTask()))


def test_a_controller_holds_its_model():
    model = sinew.Model.from_xml(ARM)
    d = sinew.Data(model)
    controller = control.Controller(model)
    task = controller.add_task(control.PostureTask())
    died = weakref.ref(model), weakref.ref(controller)
    assert controller.model is model
    tau = controller.tau
    del model, d
    gc.collect()
    assert died[0]() is not None
    d = sinew.Data(controller.model)
    controller.solve(d)
    kept = tau.copy()
    del controller, d
    gc.collect()
    assert died[0]() is None and died[1]() is None  # no cycle holds them
    junk = [np.full(1000, 7.0) for _ in range(1000)]
    assert np.array_equal(tau, kept) and task.rows == 2 and junk


def test_one_thread_at_a_time():
    model = sinew.Model.from_xml(
        "<mujoco><worldbody>"
        + "".join(
            f'<body pos="{i} 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>'
            for i in range(60)
        )
        + "</worldbody></mujoco>"
    )
    controller = control.Controller(model)
    rng = np.random.default_rng(0)
    for k in range(3):
        A = rng.standard_normal((40, 60))
        controller.add_task(control.LinearTask(A=A, lower=-1, upper=1, level=k))
    seen, texts = [], set()

    def work():
        d = sinew.Data(model)
        for _ in range(30):
            try:
                seen.append(controller.solve(d))
                controller.apply(d)
                _ = controller.x, controller.diagnostics()
            except RuntimeError as error:
                texts.add(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert QpStatus.SOLVED in seen
    assert texts <= {"this Controller is in use by another thread; give each its own"}
    d = sinew.Data(model)
    controller.solve(d)
    first = controller.x
    other = control.Controller(model)  # each its own: the same bits
    for task in controller.tasks:
        other.add_task(
            control.LinearTask(A=task.A, lower=task.lower, upper=task.upper, level=task.level)
        )
    other.solve(sinew.Data(model))
    assert first == pytest.approx(other.x, abs=1e-9)


def test_callbacks(arm):
    """The passive callback takes part in a cycle; a controller cannot solve inside one."""
    d = sinew.Data(arm)
    controller = control.Controller(arm)
    controller.add_task(control.PostureTask(kp=0, kd=0))
    controller.solve(d)
    before = controller.tau.copy()

    def passive(m, d):
        d.qfrc_passive[:] += 1, 2

    d.set_callback("passive", passive)
    controller.solve(d)
    assert controller.tau == pytest.approx(before - [1, 2], abs=1e-12)

    def broken(m, d):
        raise KeyError("mine")

    d.set_callback("passive", broken)
    with pytest.raises(KeyError, match="mine"):
        controller.solve(d)
    d.set_callback("passive", None)
    errors = []
    other = sinew.Data(arm)

    def steer(m, d):
        try:
            controller.solve(d)
        except RuntimeError as error:
            errors.append(str(error))
        other.qpos[:], other.qvel[:] = d.qpos, d.qvel
        controller.solve(other)  # with a data of its own
        controller.apply(d)

    d.set_callback("control", steer)
    sinew.step(arm, d)
    assert errors == ["a controller cannot solve with a data from inside its own callback"]
    assert d.ctrl == pytest.approx(before / [2, -1], abs=1e-9)


def test_subclass(arm):
    class Mine(control.Controller):
        def __init__(self, model, mode="acceleration", **settings):
            self.count = 0

        def solve(self, data):
            self.count += 1
            return super().solve(data)

    mine = Mine(arm, dt=0.002)
    mine.solve(sinew.Data(arm))
    assert mine.count == 1 and mine.dt == 0.002 and "Controller acceleration" in repr(mine)


# ---- trajectories


def test_polynomial():
    t = np.linspace(-0.1, 2.1, 45)
    pos, vel, acc = control.polynomial(t, 2.0, [0, 1], [1, -1], vel0=[0.5, 0], acc1=2)
    assert pos.shape == vel.shape == acc.shape == (45, 2)
    ends = [control.polynomial(s, 2.0, [0, 1], [1, -1], [0.5, 0], acc1=2) for s in (0, 2 - 1e-12)]
    assert ends[0][0] == pytest.approx([0, 1]) and ends[0][1] == pytest.approx([0.5, 0])
    assert ends[1][0] == pytest.approx([1, -1]) and ends[1][1] == pytest.approx(0, abs=1e-9)
    assert ends[1][2] == pytest.approx(2, abs=1e-6)
    inside = (t > 0.05) & (t < 1.95)
    h = 1e-6
    more, less = (
        control.polynomial(t + e, 2.0, [0, 1], [1, -1], [0.5, 0], acc1=2) for e in (h, -h)
    )
    assert (more[0] - less[0])[inside] / (2 * h) == pytest.approx(vel[inside], abs=1e-7)
    assert (more[1] - less[1])[inside] / (2 * h) == pytest.approx(acc[inside], abs=1e-7)
    assert np.array_equal(pos[t < 0], [[0, 1]] * (t < 0).sum()) and (vel[t < 0] == 0).all()
    one = control.polynomial(0.5, 1.0, 0, 1)
    assert [v.shape for v in one] == [(), (), ()] and one[0] == pytest.approx(0.5)
    assert control.polynomial(0.25, 1, 0, 1, degree=1)[0] == pytest.approx(0.25)
    assert control.polynomial(0.5, 1, 0, 1, degree=3)[1] == pytest.approx(1.5)
    assert control.polynomial(np.zeros((2, 3)), 1, [0], [1])[0].shape == (2, 3, 1)


def test_pose_trajectory():
    start, end = [0, 0, 0, 1, 0, 0, 0], [1, 2, 3, 0, 0, 0, 1]
    pose, vel, acc = control.pose_trajectory([0, 0.5, 1, 2], 1.0, start, end)
    assert pose.shape == (4, 7) and vel.shape == acc.shape == (4, 6)
    assert pose[0] == pytest.approx(start) and pose[2] == pytest.approx(end, abs=1e-12)
    assert pose[1, :3] == pytest.approx([0.5, 1, 1.5])
    assert pose[1, 3:] == pytest.approx([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    assert vel[1] == pytest.approx(1.875 * np.array([1, 2, 3, 0, 0, np.pi]))
    assert vel[[0, 2, 3]] == pytest.approx(0, abs=1e-9)
    bent = control.pose_trajectory(0.5, 1.0, start, end, screw=True)[0]
    assert bent.shape == (7,) and abs(bent[:3] - pose[1, :3]).max() > 0.1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: control.polynomial(0, 0, 0, 1), ValueError, "duration"),
        (lambda: control.polynomial(0, 1, 0, 1, degree=2), ValueError, "degree"),
        (lambda: control.polynomial(np.nan, 1, 0, 1), ValueError, "nan|NaN|finite"),
        (lambda: control.polynomial(0, 1, np.nan, 1), ValueError, "nan|NaN|finite"),
        (lambda: control.polynomial("x", 1, 0, 1), ValueError, "t: could not convert"),
        (lambda: control.polynomial(0, 1, [0, 1], [0, 1, 2]), ValueError, "pos1 has shape"),
        (lambda: control.polynomial(0, 1, [[0, 1]], [0, 1]), ValueError, "pos0 has shape"),
        (lambda: control.polynomial(0, 1, [0, 1], 0, vel0=[1]), ValueError, "vel0 has shape"),
        (lambda: control.polynomial(0, "x", 0, 1), TypeError, "real"),
        (lambda: control.pose_trajectory(0, 1, [0] * 6, [0] * 7), ValueError, "pose0 has shape"),
        (lambda: control.pose_trajectory(0, 1, [1] * 7, 1), ValueError, "pose1 has shape"),
        (lambda: control.pose_trajectory(0, 1, [0] * 7, [1] * 7), ValueError, "quaternion|length"),
        (lambda: control.pose_trajectory(0, -1, [1] * 7, [1] * 7), ValueError, "duration"),
    ],
)
def test_trajectory_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# ---- anything in any order


def scribble(rng, array):
    """Writes something into an array."""
    if array is None or not array.size:
        return
    values = [0, 1, -1, np.nan, INF, -INF, 1e300, 1e-300, rng.standard_normal()]
    array[...] = values[rng.integers(len(values))]


@pytest.mark.parametrize("seed", range(12))
def test_anything_in_any_order(box, seed):
    """Adding, switching, writing and solving in random order: results, or errors of Python."""
    rng = np.random.default_rng(seed)
    controller = control.Controller(
        box, ["acceleration", "velocity"][seed % 2], max_tasks=6, max_contacts=3
    )
    specs = [
        control.PoseTask(site="tip", level=int(rng.integers(4))),
        control.ComTask(level=2),
        control.PostureTask(level=3),
        control.GazeTask(site="tip"),
        control.AdmittanceTask(body="arm"),
        control.ManipulabilityTask(site="tip", axes="x y z"),
        control.DistanceTask(geom="arm", other="floor", distance_max=3),
        control.LinearTask(A=rng.standard_normal((5, 7)), upper=1, level=0),
        control.LinearTask(A=rng.standard_normal((2, 31)), lower=-1, level=1),
    ]
    d = sinew.Data(box)
    kept = []  # views, for as long as the controller and beyond

    def add_task():
        controller.add_task(specs[rng.integers(len(specs))])

    def add_contact():
        site = ["sole", "tip"][rng.integers(2)]
        controller.add_contact(
            site=site, points=rng.standard_normal((rng.integers(1, 9), 3)), ramp=0.003
        )

    def force_task():
        controller.add_task(control.ForceTask(contact=controller.contacts[-1]))

    def switch():
        contact = controller.contacts[rng.integers(len(controller.contacts))]
        contact.active = not contact.active

    def write():
        owner = rng.choice([controller, *controller.tasks, *controller.contacts])
        names = [n for n in dir(type(owner)) if not n.startswith("_")]
        value = getattr(owner, names[rng.integers(len(names))])
        kept.append(value)
        if isinstance(value, np.ndarray):
            before = value.copy()
            scribble(rng, value)
            try:
                solve()
            finally:
                value[...] = before

    def solve():
        controller.solve(d)
        assert np.isfinite(controller.x).all()
        controller.apply(d)
        assert str(controller.diagnostics())
        sinew.step(box, d)

    for _ in range(150):
        action = [add_task, add_contact, force_task, switch, write, write, solve, solve]
        try:
            action[rng.integers(len(action))]()
        except (ValueError, IndexError, TypeError, OverflowError):
            pass
        if not np.isfinite(d.qpos).all() or d.time > 1:
            sinew.resetData(box, d)
    sinew.resetData(box, d)
    for contact in controller.contacts:
        contact.active = False
    for task in controller.tasks:
        task.active = False
    assert controller.solve(d) == QpStatus.SOLVED
