"""A planar arm with tasks by priority, the second of which cannot be met for a while.

python null_space_arm.py [FILE.png]

Three joints in a plane, by their velocities alone. The tip's x shall swing between 0.4 and 1.1 m: the first task. Its y
shall stay at 0.6 m, the second; that is out of reach while x is beyond 1.04 m. The first joint shall be at 0.2 rad, the
third. Where the arm stretches, what the first task leaves of the lower ones' rows shrinks to nothing. Undamped they ask
for ever faster joints: the first task's velocity is still met at each instant, but a step of 1 ms leads far away. Damped
they are late by a second, and the first task does not notice. With a FILE, and matplotlib, draws both runs.
"""

import pathlib
import sys

import numpy as np

import sinew
from sinew import control

MODEL = pathlib.Path(__file__).parent / "models/planar_arm.xml"
STEP, STEPS, GAIN = 1e-3, 8000, 10.0
HEIGHT, REST = 0.6, 0.2


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
    """At each step the time, errors of x and y, by how much qvel misses the first task, and qvel."""
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
        rows.append([time, x - wanted_x(time)[0], y - HEIGHT, missed, *qvel])
        data.qpos[:] = sinew.integratePos(model, data.qpos, qvel, STEP)
    return np.array(rows)


def draw(path, runs):
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib: no plot")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(7, 7))
    for name, run in runs.items():
        axes[0].plot(run[:, 0], 1e3 * run[:, 1], label=name)
        axes[1].plot(run[:, 0], 1e3 * run[:, 2], label=name)
        axes[2].semilogy(run[:, 0], np.abs(run[:, 4:]).max(1), label=name)
    axes[0].set_ylabel("first task: x (mm)")
    axes[1].set_ylabel("second task: y (mm)")
    axes[2].set(xlabel="time (s)", ylabel="fastest joint (rad/s)")
    axes[2].legend()
    figure.savefig(path)


def main():
    model = sinew.Model.from_path(MODEL)
    runs = {f"damping {d:g}": simulate(model, d) for d in (0.0, 0.1)}
    print("              error of x  of x'     of y  fastest joint")
    print("                    (mm)  (m/s)     (mm)        (rad/s)")
    for name, run in runs.items():
        x, y, missed = np.abs(run[:, [1, 2, 3]]).max(0) * [1e3, 1e3, 1]
        fastest = np.abs(run[:, 4:]).max()
        print(f"{name:12s}  {x:10.2f}  {missed:5.0e}  {y:7.1f}  {fastest:13.1f}")
    if len(sys.argv) > 1:
        draw(sys.argv[1], runs)


if __name__ == "__main__":
    main()
