"""Keeping clear, looking, and balance: distances in both modes, gaze, manipulability, capture point, momentum, frozen dofs."""

import pathlib

import numpy as np
import pytest

import sinew
from sinew import control
from test_control_objects import ARM, POSE, two_arms

TIMESTEP = 0.001
MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples/models"


def arm_with_post():
    """One arm whose way to the side goes through a post."""
    spec = sinew.Spec.from_xml(
        f'<mujoco><option timestep="{TIMESTEP}" integrator="implicitfast"/><worldbody>'
        '<geom name="post" type="capsule" size=".03" fromto=".3 .22 0 .3 .22 .9" contype="0" conaffinity="0"/>'
        "</worldbody></mujoco>"
    )
    spec.attach(sinew.Spec.from_xml(ARM))
    model = spec.compile()
    data = sinew.Data(model)
    for name, angle in POSE.items():
        data.joint(name).qpos[0] = angle
    sinew.forward(model, data)
    return model, data


def advance(model, data, controller):
    """One cycle; in mode velocity the arm is moved by what comes out."""
    controller.solve(data)
    controller.apply(data)
    if controller.mode == sinew.ControlMode.VELOCITY:
        data.qpos[:] = sinew.integratePos(model, data.qpos, controller.qvel, TIMESTEP)
        sinew.kinematics(model, data)
        data.time += TIMESTEP
    else:
        sinew.step(model, data)
        sinew.kinematics(model, data)


PAIRS = ("palm", "forearm", "wrist")


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
def test_arm_goes_round_a_post(mode):
    """A target beyond the post is wanted, distance_min is kept in every step, and touched: without the tasks it is not."""
    least = {}
    for avoid in (False, True):
        model, data = arm_with_post()
        controller = control.Controller(model, mode)
        if avoid:
            for geom in PAIRS:
                controller.add_task(
                    control.DistanceTask(
                        geom=geom, other="post", level=0, distance_min=0.03, kp=20, name=geom
                    )
                )
        hand = controller.add_task(control.PositionTask(site="palm", level=1, kp=25))
        if mode == "velocity":
            hand.kp = 3
        posture = control.PostureTask(level=2, kp=3 if mode == "velocity" else 10)
        controller.add_task(posture).pos = data.qpos
        hand.pos = data.site("palm").xpos + [0.02, 0.28, 0.05]
        least[avoid] = np.inf
        for _ in range(1500):
            advance(model, data, controller)
            d = min(
                sinew.geomDistance(model, data, model.geom(g).id, model.geom("post").id, 1.0)[0]
                for g in PAIRS
            )
            least[avoid] = min(least[avoid], d)
        assert np.linalg.norm(hand.error) < 5e-3  # it comes there, too
    assert least[False] < 0.01
    assert 0.03 - 1e-9 < least[True] < 0.035


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
def test_two_arms_do_not_touch(mode):
    """Both hands are sent through each other: the wrists come to distance_min and stay there."""
    model, data = two_arms(box=False)
    model.geom_contype[:] = 0
    controller = control.Controller(model, mode)
    wrists = [prefix + "wrist" for prefix in ("left/", "right/")]
    apart = control.DistanceTask(
        geom=wrists[0],
        other=wrists[1],
        level=0,
        distance_min=0.05,
        distance_max=0.3,
        kp=20 if mode == "velocity" else 200,
        name="apart",
    )
    controller.add_task(apart)
    for prefix, to in (("left/", 0.03), ("right/", -0.03)):
        hand = controller.add_task(control.PositionTask(site=prefix + "palm", level=1, kp=25))
        hand.pos[:] = data.site(prefix + "palm").xpos
        hand.pos[0] = to
    posture = controller.add_task(control.PostureTask(level=2, kp=1 if mode == "velocity" else 10))
    posture.pos = data.qpos
    least, pair = np.inf, [model.geom(name).id for name in wrists]
    for _ in range(1500):
        advance(model, data, controller)
        least = min(least, sinew.geomDistance(model, data, *pair, 1.0)[0])
    assert 0.05 - 1e-6 < least < 0.052
    assert "task 'apart'" in str(controller.diagnostics())


def test_gaze_finds_a_moving_point():
    """The palm's axis points at a ball that moves, with its velocity and acceleration fed forward."""
    model, data = arm_with_post()
    controller = control.Controller(model)
    gaze = controller.add_task(control.GazeTask(body="hand", axis=[1, 0, 0], level=1, kp=400))
    controller.add_task(control.PostureTask(level=2, kp=10)).pos = data.qpos
    worst = 0
    for step in range(1500):
        t = step * TIMESTEP
        gaze.pos = [2, 0.5 * np.sin(2 * t), 0.5 + 0.4 * np.cos(2 * t)]
        gaze.vel = [0, np.cos(2 * t), -0.8 * np.sin(2 * t)]
        gaze.acc = [0, -2 * np.sin(2 * t), -1.6 * np.cos(2 * t)]
        advance(model, data, controller)
        to = gaze.pos - data.body("hand").xpos
        axis = data.body("hand").xmat.reshape(3, 3)[:, 0]
        angle = np.arccos(min(1, axis @ to / np.linalg.norm(to)))
        if step > 600:
            worst = max(worst, angle)
    assert worst < 2e-3


def test_manipulability_grows_where_asked():
    """In the null space of the palm's position; its rate is the one that is asked for."""
    model, data = arm_with_post()
    controller = control.Controller(model, "velocity")
    hand = controller.add_task(control.PositionTask(site="palm", level=1, kp=5))
    hand.pos[:] = data.site("palm").xpos
    grow = controller.add_task(
        control.ManipulabilityTask(body="hand", axes="x y z rx ry rz", level=2)
    )
    grow.vel = 0.2

    def measure():
        sinew.forward(model, data)
        J = np.concatenate(sinew.jacBody(model, data, model.body("hand").id))
        return 0.5 * np.linalg.slogdet(J @ J.T)[1]

    start, place = measure(), data.site("palm").xpos.copy()
    for _ in range(250):
        advance(model, data, controller)
    assert measure() - start == pytest.approx(0.05, abs=1e-3)
    np.testing.assert_allclose(data.site("palm").xpos, place, atol=1e-4)


def test_relative_pose_of_two_hands():
    """One hand keeps its pose in the other's frame, whatever that does."""
    model, data = two_arms(box=False)
    controller = control.Controller(model)
    follow = controller.add_task(
        control.PoseTask(site="right/palm", ref_site="left/palm", level=0, kp=400)
    )
    lead = controller.add_task(control.PositionTask(site="left/palm", level=1, kp=100))
    controller.add_task(control.PostureTask(level=2, kp=10)).pos = data.qpos

    def relative():
        sinew.forward(model, data)
        left, right = data.site("left/palm"), data.site("right/palm")
        turn = left.xmat.reshape(3, 3)
        return turn.T @ (right.xpos - left.xpos), turn.T @ right.xmat.reshape(3, 3)

    start, turned = relative()
    follow.pos[:3] = start
    sinew.forward(model, data)
    follow.pos[3:] = sinew.mat2Quat(turned.ravel())
    begin = data.site("left/palm").xpos.copy()
    for step in range(1000):
        lead.pos, lead.vel, lead.acc = control.polynomial(
            step * TIMESTEP, 0.8, begin, begin + [0.03, 0.06, 0.08]
        )
        advance(model, data, controller)
    place, turn = relative()
    np.testing.assert_allclose(place, start, atol=2e-4)
    np.testing.assert_allclose(turn, turned, atol=5e-4)
    np.testing.assert_allclose(data.site("left/palm").xpos, lead.pos, atol=2e-3)


@pytest.mark.parametrize("mode", ["velocity", "acceleration"])
def test_frozen_dofs_stand(mode):
    """A joint that is frozen while it moves stops, and the others do the task without it."""
    model, data = arm_with_post()
    controller = control.Controller(model, mode)
    hand = controller.add_task(control.PositionTask(site="palm", level=1, kp=25))
    if mode == "acceleration":
        controller.add_task(control.PostureTask(level=2, kp=10)).pos = data.qpos
    hand.pos[:] = data.site("palm").xpos + [0.0, -0.08, 0.02]
    for _ in range(100):
        advance(model, data, controller)
    (joint,) = control.dofs(model, "j3")
    controller.frozen[joint] = 1
    for _ in range(5):
        advance(model, data, controller)
    stands = data.qpos[joint]
    for _ in range(1500):
        advance(model, data, controller)
    assert data.qpos[joint] == pytest.approx(stands, abs=1e-6)
    assert np.linalg.norm(hand.error) < 1e-3


HUMANOID = MODELS / "humanoid.xml"
SOLE = [[x, y, -0.085] for x in (-0.06, 0.14) for y in (-0.03, 0.03)]


def humanoid(key):
    model = sinew.Model.from_path(HUMANOID)
    model.opt.timestep = TIMESTEP
    data = sinew.Data(model)
    sinew.resetDataKeyframe(model, data, key)
    sinew.forward(model, data)
    return model, data


def test_inverse_kinematics_of_a_humanoid():
    """Feet stay, hands and the centre of mass come to their places inside the limits of the joints; what is above is exact."""
    model, data = humanoid(1)
    controller = control.Controller(model, "velocity", dt=0.01)
    feet = [
        controller.add_task(control.ContactTask(body=f"foot_{side}", level=1, kp=50, name=side))
        for side in ("left", "right")
    ]
    com = controller.add_task(control.ComTask(level=2, kp=10, axes="x y"))
    hands = [
        controller.add_task(control.PositionTask(site=f"hand_{side}", level=3, kp=10))
        for side in ("left", "right")
    ]
    posture = controller.add_task(control.PostureTask(level=4, kp=1))
    posture.pos, com.pos = data.qpos, data.subtree_com[0]
    for hand, y in zip(hands, (0.25, -0.15), strict=True):
        hand.pos[:] = [0.35, y, 0.75]
    places = data.xpos[[model.body(f"foot_{side}").id for side in ("left", "right")]].copy()
    inside = model.jnt_limited.astype(bool)
    for _ in range(600):
        controller.solve(data)
        # levels above are met to rounding in every cycle, whatever those below want
        assert np.all(controller.violation[:3] < 1e-9)
        data.qpos[:] = sinew.integratePos(model, data.qpos, controller.qvel, 0.01)
        angles = data.qpos[model.jnt_qposadr[inside]]
        low, high = model.jnt_range[inside].T
        assert np.all((angles >= low - 1e-9) & (angles <= high + 1e-9))
    sinew.forward(model, data)
    for side, hand in zip(("left", "right"), hands, strict=True):
        np.testing.assert_allclose(data.site(f"hand_{side}").xpos, hand.pos, atol=1e-4)
    now = data.xpos[[model.body(f"foot_{side}").id for side in ("left", "right")]]
    np.testing.assert_allclose(now, places, atol=1e-6)
    np.testing.assert_allclose(data.subtree_com[0][:2], com.pos[:2], atol=1e-4)
    assert all(np.abs(foot.error).max() < 1e-6 for foot in feet)


def test_capture_point_of_a_pushed_humanoid_comes_back():
    """80 N forward for 0.1 s at the chest, knees bent: xi' = kp (xi_ref - xi) afterwards; momentum is damped, too."""
    model, data = humanoid(0)
    for side in ("left", "right"):
        for joint, angle in (("hip_pitch", -0.25), ("knee", 0.5), ("ankle_pitch", -0.25)):
            data.joint(f"{joint}_{side}").qpos[0] = angle
    data.qpos[2] -= (0.42 + 0.405) * (1 - np.cos(0.25))
    sinew.forward(model, data)
    controller = control.Controller(model)
    for foot in "foot_left", "foot_right":
        controller.add_contact(body=foot, points=SOLE, mu=0.7, force_max=1000, kd=20)
    capture = controller.add_task(control.CapturePointTask(level=1, kp=4))
    height = controller.add_task(control.ComTask(level=1, kp=30, axes="z"))
    chest = controller.add_task(control.OrientationTask(body="chest", level=1, kp=60))
    controller.add_task(control.MomentumTask(level=2, kp=5, axes="rx ry rz"))
    posture = controller.add_task(control.PostureTask(level=3, kp=30))
    capture.pos, height.pos = data.subtree_com[0][:2], data.subtree_com[0]
    chest.pos, posture.pos = [1, 0, 0, 0], data.qpos

    def point():
        omega = np.sqrt(9.81 / data.subtree_com[0, 2])
        sinew.subtreeVel(model, data)
        return (data.subtree_com[0] + data.subtree_linvel[0] / omega)[:2]

    push, away = model.body("chest").id, []
    for step in range(2000):
        data.xfrc_applied[:] = 0  # the controller does not know
        controller.solve(data)
        assert controller.infeasible < 0, controller.diagnostics()
        controller.apply(data)
        data.xfrc_applied[push, 0] = 80 if 300 <= step < 400 else 0
        sinew.step(model, data)
        away.append(point()[0] - capture.pos[0])
    assert 0.02 < max(away) < 0.05
    assert away[1400] / away[600] == pytest.approx(np.exp(-4 * 0.8), rel=0.05)
    assert abs(away[-1]) < 1e-3


def test_momentum_at_a_rate():
    """A free-flying humanoid cannot change its momentum; with fixed feet it has the momentum it is asked for."""
    model, data = humanoid(1)
    controller = control.Controller(model)
    for foot in "foot_left", "foot_right":
        controller.add_contact(body=foot, points=SOLE, mu=0.7, force_max=2000, kd=20)
    momentum = controller.add_task(control.MomentumTask(level=1, kp=20))
    posture = controller.add_task(control.PostureTask(level=2, kp=10))
    posture.pos = data.qpos
    mass = model.body_subtreemass[0]
    for step in range(400):
        s, v, a = control.polynomial(step * TIMESTEP, 0.4, [0.0], [0.08])
        momentum.vel[2], momentum.acc[2] = mass * v[0], mass * a[0]
        controller.solve(data)
        controller.apply(data)
        sinew.step(model, data)
        if step == 200:
            sinew.subtreeVel(model, data)
            assert data.subtree_linvel[0, 2] == pytest.approx(v[0], abs=0.01)


def test_strict_levels_and_weights():
    """Two points of one arm that cannot both be reached: strict levels give the first, weights a compromise that tends to it."""
    errors = {}
    for weight in (None, 1.0, 100.0, 1e4):
        model, data = arm_with_post()
        more = {} if weight is None else {"weighted": True, "level_weight": weight}
        controller = control.Controller(model, "velocity", **more)
        first = controller.add_task(control.PositionTask(site="palm", level=1, kp=5))
        second = controller.add_task(control.PositionTask(body="b4", level=2, kp=5))
        first.pos[:] = data.site("palm").xpos + [0.1, 0.1, 0]
        second.pos[:] = data.body("b4").xpos - [0.1, 0.1, 0]
        for _ in range(2000):
            advance(model, data, controller)
        errors[weight] = np.linalg.norm(first.error), np.linalg.norm(second.error)
    assert errors[None][0] < 1e-3
    assert errors[None][1] > 0.05
    assert errors[1.0][0] > errors[100.0][0] > errors[1e4][0]
    assert errors[1.0][1] < errors[100.0][1] < errors[1e4][1] + 1e-3
    assert errors[1e4][0] < 5e-3
