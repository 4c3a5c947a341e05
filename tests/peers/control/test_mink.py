"""Differential inverse kinematics of mink 1.1.0: its programs solved by ours, and by our controller from the model."""

import mink
import mujoco
import numpy as np
import pytest

import models
import sinew
from sinew import QpStatus, control

DT = 0.01
SCALAR = (mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE)
# A model, frames that are led and held.
SUITE, ASSETS = (
    models.folder("dm_control", "suite"),
    models.folder("gymnasium", "envs", "mujoco", "assets"),
)
ROBOTS = {
    "humanoid": (SUITE / "humanoid.xml", ("right_hand", "left_hand"), ("right_foot", "left_foot")),
    "humanoid_CMU": (SUITE / "humanoid_CMU.xml", ("rhand", "lhand", "head"), ("rfoot", "lfoot")),
    "quadruped": (
        SUITE / "quadruped.xml",
        ("torso",),
        ("toe_front_left", "toe_front_right", "toe_back_left", "toe_back_right"),
    ),
    "gymnasium": (
        ASSETS / "humanoid.xml",
        ("right_lower_arm", "left_lower_arm"),
        ("right_foot", "left_foot"),
    ),
}


def inside(rng, m):
    """Positions inside of the joints' ranges."""
    q = m.qpos0.copy()
    for j in range(m.njnt):
        if m.jnt_limited[j] and m.jnt_type[j] in SCALAR:
            low, high = m.jnt_range[j]
            q[m.jnt_qposadr[j]] = rng.uniform(low + 0.1 * (high - low), high - 0.1 * (high - low))
    return q


def velocities(m, largest):
    """The same limit for all hinges and slides."""
    names = (m.joint(j).name for j in range(m.njnt) if m.jnt_type[j] in SCALAR)
    return {name: np.array([largest]) for name in names}


def problem(rng, name):
    """Configuration, tasks, limits."""
    path, led, held = ROBOTS[name]
    m = mujoco.MjModel.from_xml_path(str(path))
    configuration = mink.Configuration(m, inside(rng, m))
    tasks = [mink.PostureTask(m, cost=0.1, gain=0.3)]
    tasks[0].set_target(inside(rng, m))
    for frame in led + held:
        task = mink.FrameTask(frame, "body", position_cost=1.0, orientation_cost=0.5, gain=0.5)
        pose = configuration.get_transform_frame_to_world(frame, "body")
        if frame in led:
            twist = np.append(0.2 * rng.standard_normal(3), 0.5 * rng.standard_normal(3))
            pose = pose @ mink.SE3.exp(twist)
        task.set_target(pose)
        tasks.append(task)
    tasks.append(mink.ComTask(cost=1.0, gain=0.5))
    tasks[-1].set_target(configuration.data.subtree_com[1] + 0.1 * rng.standard_normal(3))
    limits = [mink.ConfigurationLimit(m), mink.VelocityLimit(m, velocities(m, 2.0))]
    return configuration, tasks, limits


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("constrained", [False, True])
def test_program(name, constrained):
    """The velocity that mink finds, from its own matrices; feet held by cost or exactly."""
    pressing = 0
    for seed in range(10):
        configuration, tasks, limits = problem(np.random.default_rng(seed), name)
        feet = [t for t in tasks if getattr(t, "frame_name", "") in ROBOTS[name][2]]
        soft = [t for t in tasks if not constrained or t not in feet]
        given = {"limits": limits, "constraints": feet[:1] if constrained else None, "damping": 1e-6}  # fmt: skip
        p = mink.build_ik(configuration, soft, DT, **given)
        rows = [(p.G, np.full(len(p.h), -np.inf), p.h)]
        if p.A is not None:
            rows.append((p.A, p.b, p.b))
        A, lower, upper = (np.concatenate([row[i] for row in rows]) for i in range(3))
        r = control.solve_qp(p.P, p.q, A, lower, upper)
        assert r.status == QpStatus.SOLVED
        v = mink.solve_ik(configuration, soft, DT, "quadprog", **given)
        assert np.abs(r.x / DT - v).max() < 1e-8 * max(1, np.abs(v).max()), seed
        pressing += np.abs(r.y).max() > 1e-6
    assert pressing


@pytest.mark.parametrize("name", ROBOTS)
def test_controller(name):
    """Our controller from the model: the centre of mass is led, feet are held, joints are drawn to a posture inside limits."""
    pressing = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        configuration, (posture, *frames, com), _ = problem(rng, name)
        m, held = configuration.model, ROBOTS[name][2]
        feet = [t for t in frames if t.frame_name in held]
        limits = [
            mink.ConfigurationLimit(m, gain=1.0),
            mink.VelocityLimit(m, velocities(m, 2.0)),
        ]
        v = mink.solve_ik(
            configuration, [posture, *feet, com], DT, "quadprog", damping=1e-3, limits=limits
        )

        model = sinew.Model.from_path(ROBOTS[name][0])
        data = sinew.Data(model)
        data.qpos[:] = configuration.q
        data.eq_active[:] = 0  # couplings of joints, of which mink knows nothing
        c = control.Controller(
            model, "velocity", dt=DT, singular=0
        )  # as mink, which knows no reach
        scalar = np.isin(m.jnt_type[m.dof_jntid], SCALAR)
        c.velocity_max[scalar] = 2.0
        ours = c.add_task(control.PostureTask(kp=posture.gain / DT, weight=0.1**2))
        ours.pos = posture.target_q
        for foot in feet:
            task = c.add_task(control.PoseTask(body=foot.frame_name, kp=foot.gain / DT))
            pose = foot.transform_target_to_world
            task.pos = np.append(pose.translation(), pose.rotation().wxyz)
            task.weight[3:] = 0.5**2
        task = c.add_task(control.ComTask(kp=com.gain / DT, body=1))
        task.pos = com.target_com
        c.add_task(control.LinearTask(A=np.eye(m.nv), lower=0, upper=0, weight=1e-3))  # damping
        c.solve(data)
        assert np.abs(c.qvel - v).max() < 1e-8 * max(1, np.abs(v).max()), seed
        pressing += any(np.abs(np.abs(v[scalar]) - 2.0) < 1e-9)
    assert pressing
