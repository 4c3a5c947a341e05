"""Talos under a whole-body controller: stands, takes pushes, squats, reaches; and what happens when it cannot."""

import os

import numpy as np
import pytest

import whole_body
from sinew import QpStatus, control

LONG = bool(os.environ.get("SINEW_LONG"))
SIDES = {"front": (1, 0), "back": (-1, 0), "left": (0, 1), "right": (0, -1)}
TORSO = "torso_2_link"
BENT = {"arm_left_4_joint": -1.5, "arm_right_4_joint": -1.5}


def test_talos_stands():
    robot = whole_body.Talos().go(10 if LONG else 2)
    robot.check()
    drift = np.linalg.norm(robot.column("com") - robot.com0, axis=1)
    assert drift.max() < 1e-3 and drift[-1] < 2e-4
    assert (robot.slip() < 2e-3).all()  # the soles settle into the floor
    assert np.abs(robot.data.qvel).max() < 1e-3
    weight = robot.model.body_mass.sum() * 9.81
    carried = sum(foot.wrench[2] for foot in robot.feet.values())
    assert carried == pytest.approx(weight, abs=1)


@pytest.mark.parametrize("side", SIDES)
def test_a_push_of_100_newtons(side):
    """For 0.1 s at the torso, unknown to the controller: feet stay, the centre of mass is back in 2 s."""
    robot = whole_body.Talos().go(0.2)
    robot.go(0.1, push=(TORSO, [100 * x for x in (*SIDES[side], 0)])).go(2)
    robot.check()
    away = np.linalg.norm(robot.column("com") - robot.com0, axis=1)
    assert away.max() > 5e-3 and away[-1] < 0.01
    assert (robot.slip() < 5e-3).all()


@pytest.mark.parametrize("depth", [0.1, 0.15])
def test_a_squat(depth):
    """Down and up by polynomials of degree 5; the centre of mass follows."""
    robot = whole_body.Talos(kp=100)
    ends = [robot.com0, robot.com0 - [0, 0, depth], robot.com0]
    late = []

    def move(t):
        half = int(t >= 1.2)
        robot.balance.pos, robot.balance.vel, robot.balance.acc = control.polynomial(
            t - 1.2 * half, 1.2, ends[half], ends[half + 1]
        )
        late.append(np.linalg.norm(robot.com() - robot.balance.pos))

    robot.go(2.8, move)
    robot.check()
    assert robot.com0[2] - robot.column("com")[:, 2].min() == pytest.approx(depth, abs=2e-3)
    assert max(late) < 5e-3 and late[-1] < 1e-3
    assert (robot.slip() < 5e-3).all()


def hands(robot, **settings):
    """Both hands as tasks, and where they are."""
    names = ["arm_left_7_link", "arm_right_7_link"]
    tasks = [robot.controller.add_task(control.PositionTask(body=n, **settings)) for n in names]
    return names, tasks, [robot.data.xpos[robot.body(n)].copy() for n in names]


def test_hands_follow_circles():
    """Two hands on circles of 16 cm, 1.5 s each, within 1 cm from the start on."""
    robot = whole_body.Talos(kp=100, pose=BENT)
    names, tasks, start = hands(robot, level=1, kp=400, weight=1)
    errors = []

    def move(t):
        s, sd, sdd = control.polynomial(t % 1.5, 1.5, 0, 2 * np.pi)
        away = 0.08 * np.array([1 - np.cos(s), 0, np.sin(s)])
        turn, back = 0.08 * np.array([[np.sin(s), 0, np.cos(s)], [np.cos(s), 0, -np.sin(s)]])
        for name, task, centre in zip(names, tasks, start, strict=True):
            task.pos, task.vel = centre + away, turn * sd
            task.acc = turn * sdd + back * sd**2
            errors.append(np.linalg.norm(robot.data.xpos[robot.body(name)] - task.pos))

    robot.go(6 if LONG else 3, move)
    robot.check()
    assert max(errors) < 0.01
    assert np.linalg.norm(robot.com() - robot.com0) < 0.01
    assert (robot.slip() < 5e-3).all()


def told(robot):
    """Of each cycle what the balance task misses (m/s^2), and whether limits were met."""
    return robot.column("missed"), robot.column("infeasible") < 0


@pytest.mark.parametrize("force", [400, 3000])
def test_too_strong_a_push(force):
    """Talos falls: all numbers stay finite, torques inside their range, and the violations say that it does."""
    robot = whole_body.Talos().go(0.2)
    robot.go(0.2, push=(TORSO, [force, 0, 0])).go(2)
    assert robot.com()[2] < 0.6 * robot.com0[2]
    assert all(
        row["finite"] and row["status"] in (QpStatus.SOLVED, QpStatus.ITERATIONS)
        for row in robot.log
    )
    assert robot.column("excess").max() < 1e-8
    missed, met = told(robot)
    assert missed[:190].max() < 1e-6 and met[:190].all()
    assert missed[200:].max() > 1 or not met[200:].all()
    assert not any(robot.data.warning["number"])


def test_feet_that_slip():
    """The floor has a twentieth of the friction that the controller counts on: a push moves the feet, and Talos stands on."""
    robot = whole_body.Talos()
    robot.model.geom_friction[:, 0] = 0.03
    robot.go(0.2).go(0.1, push=(TORSO, [100, 0, 0])).go(2)
    assert all(row["finite"] for row in robot.log)
    assert robot.column("excess").max() < 1e-8
    assert not any(robot.data.warning["number"])
    assert robot.slip().max() > 0.05
    assert robot.com()[2] > 0.9 * robot.com0[2]


def test_what_a_run_costs():
    """Most cycles need one pass with the active sets of the cycle before, also under pushes; none many changes."""
    robot, work = whole_body.Talos().go(0.5), []

    def count(_):
        seen = robot.controller.diagnostics()
        work.append((seen.passes, seen.iterations))

    for side in SIDES.values():
        robot.go(0.1, count, push=(TORSO, [60 * x for x in (*side, 0)])).go(0.9, count)
    robot.check()
    passes, iterations = np.array(work).T
    assert (passes == 1).mean() > 0.95
    assert iterations.max() < 300 and iterations.mean() < 2
    energy = robot.column("power").cumsum() * robot.model.opt.timestep
    assert np.isfinite(energy).all() and abs(energy[-1]) < 50  # J
