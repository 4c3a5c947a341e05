"""Several robots and objects in one problem: arms that carry a box by their contacts, arms with tasks of their own."""

import numpy as np
import pytest

import sinew
from sinew import control

TIMESTEP = 0.001
MU = 0.8

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <default>
    <geom type="capsule" size=".03" mass="1" contype="0" conaffinity="0"/>
    <joint armature=".05" damping=".1"/>
  </default>
  <worldbody>
    <body name="base">
      <body name="b1" pos="0 0 .3">
        <joint name="j1" axis="0 0 1"/><geom fromto="0 0 -.1 0 0 .05"/>
        <body name="b2"><joint name="j2" axis="0 1 0"/><geom name="upper" fromto="0 0 0 0 0 .35"/>
          <body name="b3" pos="0 0 .35"><joint name="j3" axis="0 1 0"/><geom name="forearm" fromto="0 0 0 .3 0 0"/>
            <body name="b4" pos=".3 0 0"><joint name="j4" axis="0 0 1"/><geom fromto="0 0 0 .04 0 0"/>
              <body name="b5"><joint name="j5" axis="0 1 0"/><geom name="wrist" fromto="0 0 0 .06 0 0"/>
                <body name="hand" pos=".08 0 0"><joint name="j6" axis="1 0 0"/>
                  <geom type="box" size=".02 .05 .05" pos=".02 0 0" mass=".3"/>
                  <geom name="palm" type="box" size=".005 .05 .05" pos=".045 0 0" mass=".1" contype="1" conaffinity="1"
                        friction="1 .02 .001" condim="4" solref=".004 1" solimp=".99 .999 .001"/>
                  <site name="palm" pos=".05 0 0" zaxis="-1 0 0"/>
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="j1" joint="j1"/><motor name="j2" joint="j2"/><motor name="j3" joint="j3"/>
    <motor name="j4" joint="j4"/><motor name="j5" joint="j5"/><motor name="j6" joint="j6"/>
  </actuator>
</mujoco>
"""

# the elbow up, the hand level
POSE = {"j2": 0.2, "j3": 0.3, "j5": -0.5}


def two_arms(box=True):
    """Two arms that face each other, with a box between their palms that is a body of its own."""
    spec = sinew.Spec.from_xml(
        f'<mujoco><option timestep="{TIMESTEP}" integrator="implicitfast" cone="elliptic" impratio="10"/>'
        "<worldbody/></mujoco>"
    )
    reach = 0.35 * np.sin(0.2) + 0.3 * np.cos(0.5) + 0.13
    height = 0.3 + 0.35 * np.cos(0.2) - 0.3 * np.sin(0.5)
    half = 0.1
    for prefix, x, angle in (("left/", -reach - half, 0), ("right/", reach + half, np.pi)):
        frame = spec.world.add(
            "frame", pos=[x, 0, 0], quat=[np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
        )
        frame.attach(sinew.Spec.from_xml(ARM), prefix=prefix)
    if box:
        body = spec.world.add("body", "box", pos=[0, 0, height])
        body.add("freejoint", "box")
        body.add("geom", "box", type="box", size=[half, 0.06, 0.06], mass=1.5)
    model = spec.compile()
    data = sinew.Data(model)
    for prefix in ("left/", "right/"):
        for name, angle in POSE.items():
            data.joint(prefix + name).qpos[0] = angle
    sinew.forward(model, data)
    return model, data


def grasp(controller, half=0.1):
    """The faces of the box press on the palms by four points each."""
    for prefix, sign in (("left/", -1), ("right/", 1)):
        face = [[sign * half, y, z] for y in (-0.045, 0.045) for z in (-0.045, 0.045)]
        controller.add_contact(
            body="box",
            ref_body=prefix + "hand",
            points=face,
            normal=[-sign, 0, 0],
            mu=0.5 * MU,
            force_min=20,
            force_max=200,
            name=prefix + "palm",
        )


def test_two_arms_lift_and_turn_a_box():
    """The task is the box's own, a free body that two palms hold by friction alone."""
    model, data = two_arms()
    controller = control.Controller(model)
    grasp(controller)
    box = controller.add_task(control.PoseTask(body="box", level=1, kp=100, name="box"))
    controller.add_task(control.PostureTask(level=2, kp=10)).pos = data.qpos
    start = data.qpos[model.joint("box").qposadr[0] :][:7].copy()
    angle = 0.4
    goal = start + [0.05, 0.04, 0.12, 0, 0, 0, 0]
    goal[3:] = [np.cos(angle / 2), 0, np.sin(angle / 2), 0]
    worst = 0
    for step in range(1800):
        time = step * TIMESTEP - 0.3
        box.pos, box.vel, box.acc = control.pose_trajectory(time, 1.2, start, goal)
        controller.solve(data)
        assert controller.apply(data) == sinew.ControlOutput.CTRL
        assert controller.infeasible < 0, controller.diagnostics()
        for contact in controller.contacts:
            force = contact.force.reshape(4, 3)
            assert np.all(np.abs(force[:, :2]) <= 0.5 * MU * force[:, 2:] + 1e-6)
            assert force[:, 2].sum() >= 20 - 1e-6
        worst = max(worst, np.linalg.norm(box.error[:3]))
        sinew.step(model, data)
    assert worst < 5e-3
    np.testing.assert_array_equal(data.qfrc_applied, 0)
    assert np.linalg.norm(data.body("box").xpos - goal[:3]) < 2e-3
    # the box is where its task says, and no floor bears it
    assert {tuple(sorted(model.geom(int(g)).name for g in c.geom)) for c in data.contact} == {
        ("box", "left/palm"),
        ("box", "right/palm"),
    }


def test_two_robots_with_tasks_of_their_own():
    """What one arm is asked leaves the other's motion as it is alone."""
    model, data = two_arms(box=False)
    runs = {}
    for busy in (("left/",), ("right/",), ("left/", "right/")):
        copied = sinew.Data(model)
        copied.qpos[:] = data.qpos
        controller = control.Controller(model)
        tasks = {}
        for prefix in busy:
            tasks[prefix] = controller.add_task(
                control.PositionTask(site=prefix + "palm", level=1, kp=100)
            )
        posture = controller.add_task(control.PostureTask(level=2, kp=25))
        posture.pos = data.qpos
        for prefix, task in tasks.items():
            task.pos = data.site(prefix + "palm").xpos + [0, 0.1, 0.1]
        for _ in range(600):
            controller.solve(copied)
            controller.apply(copied)
            sinew.step(model, copied)
        for prefix, task in tasks.items():
            np.testing.assert_allclose(copied.site(prefix + "palm").xpos, task.pos, atol=0.02)
            half = slice(0, 6) if prefix == "left/" else slice(6, 12)
            runs.setdefault(prefix, []).append(copied.qpos[half].copy())
    for alone, both in runs.values():
        np.testing.assert_allclose(both, alone, rtol=0, atol=1e-9)


def test_mistakes_with_objects():
    model, _ = two_arms()
    controller = control.Controller(model)
    with pytest.raises(KeyError, match="left/palmm"):
        controller.add_contact(body="box", ref_geom="left/palmm")
    with pytest.raises(ValueError, match="contact 'grip'.*normal"):
        controller.add_contact(body="box", ref_body="left/hand", normal=[0, 0, 0], name="grip")
    with pytest.raises(ValueError, match="contact"):
        controller.add_contact(body="box", ref_body="box", name="itself")
