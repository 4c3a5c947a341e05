"""An arm reaches as far as it can, and farther, and comes back: whole-body control at a singularity.

python singular_arm.py [FOLDER]

The wrist moves at the shoulder's height: on a way well inside; out to where the arm is straight; and to 3 cm beyond, where
it cannot be. There the row of the task that points outwards vanishes: what would ask for ever faster joints is left out,
and limits of velocity and acceleration hold what comes near. With a FOLDER draws the ways as control_singular_arm.svg.
"""

import pathlib
import sys

import charts
import numpy as np

import sinew
from sinew import control

MODEL = pathlib.Path(__file__).parent / "models/six_axis_arm.xml"
UPPER, FORE = 0.4, 0.35  # m
REACH = UPPER + FORE
WAY, SECONDS = 0.3, 2.0  # m, s in one direction
WAYS = {"inside": REACH - 0.2, "straight": REACH, "beyond": REACH + 0.03}  # m, the far ends
FASTEST, ACCELERATION = 3.0, 20.0  # rad/s, rad/s^2


def start(model, distance):
    """The wrist so far ahead of the shoulder, the elbow up."""
    cosine = (distance**2 - UPPER**2 - FORE**2) / (2 * UPPER * FORE)
    elbow = np.arccos(cosine)
    lift = -np.arctan2(FORE * np.sin(elbow), UPPER + FORE * cosine)
    data = sinew.Data(model)
    data.qpos[:] = [0, lift, elbow, 0, 0.5, 0]
    sinew.forward(model, data)
    return data


def simulate(model, far):
    """Time, how far the wrist is and should be, its error, the fastest joint, the share of the motors' torque."""
    data = start(model, far - WAY)
    controller = control.Controller(model)
    controller.velocity_max, controller.acceleration_max = np.full(
        (2, model.nv), [[FASTEST], [ACCELERATION]]
    )
    wrist = controller.add_task(control.PositionTask(site="wrist", level=1, kp=400))
    controller.add_task(control.PostureTask(level=2, kp=20)).pos = data.qpos
    site = data.site_xpos[model.site("wrist").id]
    near, rows, failed = site.copy(), [], 0
    ends = [near, near + [WAY, 0, 0], near]
    while data.time < 2.25 * SECONDS:
        half = int(data.time >= SECONDS)
        wrist.pos, wrist.vel, wrist.acc = control.polynomial(
            data.time - half * SECONDS, SECONDS, ends[half], ends[half + 1]
        )
        failed += controller.solve(data) != 0 or controller.infeasible >= 0
        controller.apply(data)
        sinew.step(model, data)
        error = np.linalg.norm(site - wrist.pos)
        fastest, used = np.abs(data.qvel).max(), np.abs(data.ctrl).max()
        rows.append([data.time, site[0], wrist.pos[0], error, fastest, used])
    return np.array(rows), failed


def draw(runs):
    shapes, ends = [], (0, 2.25 * SECONDS)
    colours = dict(zip(runs, (charts.GREEN, charts.BLUE, charts.RED), strict=True))
    titles = (
        "the wrist, m: inside (green), straight (blue), beyond (red); thin: what is asked",
        "fastest joint, rad/s",
        "motor used most, % of its torque",
    )
    limits = ((0.2, 0.8), (0, FASTEST), (0, 100))
    for i, column in enumerate((1, 4, 5)):
        curves = []
        for name, (rows, _) in runs.items():
            shown = rows[::30]
            if i == 0:
                curves.append((shown[:, 0], shown[:, 2], colours[name], "thin"))
            curves.append((shown[:, 0], shown[:, column] * (100 if i == 2 else 1), colours[name]))
        shapes += charts.chart(
            titles[i], (44, 24 + 122 * i), (480, 80), ends, limits[i], curves, "s"
        )
    return charts.picture(shapes, 550, 375)


def main():
    model = sinew.Model.from_path(MODEL)
    runs = {name: simulate(model, far) for name, far in WAYS.items()}
    print("          error  at the end  fastest joint  torque  failed")
    print("           (mm)        (mm)        (rad/s)     (%)        ")
    for name, (rows, failed) in runs.items():
        error, fastest, used = rows[:, 3].max(), rows[:, 4].max(), rows[:, 5].max()
        print(
            f"{name:8s}  {1e3 * error:5.2f}  {1e3 * rows[-1, 3]:10.4f}  {fastest:13.2f}  {100 * used:6.1f}"
            f"  {failed:6d}"
        )
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "control_singular_arm.svg").write_text(draw(runs))


if __name__ == "__main__":
    main()
