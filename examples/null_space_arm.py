"""A planar arm with tasks by priority, the second of which cannot be met for a while.

python null_space_arm.py [FOLDER]

Three joints in a plane, by their velocities alone. The tip's x shall swing between 0.4 and 1.1 m: the first task. Its y
shall stay at 0.6 m, the second; that is out of reach while x is beyond 1.04 m. The first joint shall be at 0.2 rad, the
third. Where the arm stretches, what the first task leaves of the lower ones' rows shrinks to nothing. Undamped they ask
for ever faster joints: the first task's velocity is still met at each instant, but a step of 1 ms leads far away. Damped
they are late by a second, and the first task does not notice. With a FOLDER draws the damped run and the errors of both as
control_null_space.svg.
"""

import pathlib
import sys

import charts
import draw_mechanisms
import numpy as np

import sinew
from sinew import control

MODEL = draw_mechanisms.MODELS / "planar_arm.xml"
STEP, STEPS, GAIN = 1e-3, 8000, 10.0
HEIGHT, REST = 0.6, 0.2
DAMPINGS = 0.0, 0.1
PLANE = np.array([[1, 0, 0], [0, 1, 0]])
SPEEDS, JOINTS = slice(4, 7), slice(7, 10)  # columns of a run


def wanted_x(time):
    """The first task: x and its velocity."""
    turn = 0.5 * np.pi
    return 0.75 - 0.35 * np.cos(turn * time), 0.35 * turn * np.sin(turn * time)


def tasks(model, data, time, damping):
    """J qvel = b of each task, the first with priority."""
    tip = model.site("tip").id
    J, _ = sinew.jacSite(model, data, tip)
    position = data.site_xpos[tip]
    x, velocity = wanted_x(time)
    return [
        (J[:1], velocity + GAIN * (x - position[0])),
        (J[1:2], GAIN * (HEIGHT - position[1]), damping),
        (np.eye(3)[:1], REST - data.qpos[0], damping),
    ]


def start(model, data):
    """The pose at which tip and tasks agree, by Newton's steps of all at once."""
    data.qpos[:] = [-0.5, 1.2, 1.2]
    for _ in range(30):
        sinew.fwdPosition(model, data)
        J, _ = sinew.jacSite(model, data, 0)
        error = [wanted_x(0)[0], HEIGHT] - data.site_xpos[0, :2]
        data.qpos += control.pseudo_inverse(J[:2]) @ error


def simulate(model, damping):
    """At each step the time, errors of x and y, by how much qvel misses the first task, qvel and qpos."""
    data = sinew.Data(model)
    start(model, data)
    rows = []
    for k in range(STEPS):
        time = k * STEP
        sinew.fwdPosition(model, data)
        levels = tasks(model, data, time, damping)
        qvel, _ = control.solve_priorities(levels)
        x, y, _ = data.site_xpos[0]
        missed = abs(levels[0][0] @ qvel - levels[0][1])[0]
        rows.append([time, x - wanted_x(time)[0], y - HEIGHT, missed, *qvel, *data.qpos])
        data.qpos[:] = sinew.integratePos(model, data.qpos, qvel, STEP)
    return np.array(rows)


def draw(model, runs):
    """Poses of the damped run as the arm stretches, and of both runs the second task's error and the fastest joint."""
    data = sinew.Data(model)
    drawing = draw_mechanisms.Drawing(model, PLANE, 150, (0, 0), (40, 210))
    drawing.new_panel()
    damped = runs[DAMPINGS[-1]]
    for t in range(0, STEPS // 4 + 1, STEPS // 40):
        data.qpos[:] = damped[t, JOINTS]
        drawing.pose(data, opacity=round(0.1 + 0.9 * (4 * t / STEPS) ** 2, 2))
    shapes = drawing.shapes
    ends = 0, STEP * STEPS
    for k, (title, most, of) in enumerate(
        (
            (
                "second task: error of y, mm (damped: blue)",
                300,
                lambda run: 1e3 * np.abs(run[:, 2]),
            ),
            ("fastest joint, rad/s", 30, lambda run: np.abs(run[:, SPEEDS]).max(1)),
        )
    ):
        curves = [
            (run[::40, 0], of(run)[::40], colour)
            for run, colour in zip(runs.values(), (charts.RED, charts.BLUE), strict=True)
        ]
        shapes += charts.chart(title, (290, 24 + 132 * k), (330, 90), ends, (0, most), curves, "s")
    return charts.picture(shapes, 650, 270)


def main():
    model = sinew.Model.from_path(MODEL)
    runs = {damping: simulate(model, damping) for damping in DAMPINGS}
    print("              error of x  of x'     of y  fastest joint")
    print("                    (mm)  (m/s)     (mm)        (rad/s)")
    for damping, run in runs.items():
        x, y, missed = np.abs(run[:, [1, 2, 3]]).max(0) * [1e3, 1e3, 1]
        fastest = np.abs(run[:, SPEEDS]).max()
        name = f"damping {damping:g}"
        print(f"{name:12s}  {x:10.2f}  {missed:5.0e}  {y:7.1f}  {fastest:13.1f}")
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "control_null_space.svg").write_text(draw(model, runs))


if __name__ == "__main__":
    main()
