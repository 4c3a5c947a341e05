"""An arm reaches as far as it can, and farther, waits there and comes back: whole-body control at a singularity.

python singular_arm.py [FOLDER]

The wrist moves at the shoulder's height: on a way well inside; out to where the arm is straight; and to 3 cm beyond, where
it cannot be. Targets wait at their far ends for 6 s. Beyond, the row of the task that points outwards vanishes: instead
of asking for ever faster joints it leads to the straight pose, where the arm rests, and says that it is out of reach.
With a FOLDER draws the ways as control_singular_arm.svg, and how the arm waits as control_waiting.svg.
"""

import pathlib
import sys

import charts
import draw_mechanisms
import numpy as np

import sinew
from sinew import control

MODEL = pathlib.Path(__file__).parent / "models/six_axis_arm.xml"
UPPER, FORE = 0.4, 0.35  # m
REACH = UPPER + FORE
WAY, SECONDS, WAIT = 0.3, 2.0, 6.0  # m, s in one direction, s at the far end
END = 2 * SECONDS + WAIT + 0.5
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
    """Time, how far the wrist is and should be, its error, the fastest joint, the share of the motors' torque, whether
    the target is out of reach; qpos.
    """
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
    while data.time < END:
        half = int(data.time >= SECONDS + WAIT)
        wrist.pos, wrist.vel, wrist.acc = control.polynomial(
            data.time - half * (SECONDS + WAIT), SECONDS, ends[half], ends[half + 1]
        )
        failed += controller.solve(data) != 0 or controller.infeasible >= 0
        controller.apply(data)
        sinew.step(model, data)
        error = np.linalg.norm(site - wrist.pos)
        fastest, used = np.abs(data.qvel).max(), np.abs(data.ctrl).max()
        row = [data.time, site[0], wrist.pos[0], error, fastest, used, wrist.out_of_reach]
        rows.append(row + data.qpos.tolist())
    return np.array(rows), failed


def draw(runs):
    shapes, ends = [], (0, END)
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


def draw_waiting(model, rows):
    """The arm on its way out and where it waits, its target, and what it does all the while."""
    shoulder, scale = np.array([0, 0, 0.5]), 330
    drawing = draw_mechanisms.Drawing(model, draw_mechanisms.FRONT, scale, (0, 0), (50, 315))
    drawing.new_panel()
    turn = np.linspace(-0.4, 0.5, 40)
    drawing.trace(
        shoulder + REACH * np.stack([np.cos(turn), 0 * turn, np.sin(turn)], 1), colour="#888"
    )
    data = sinew.Data(model)
    for time in (0, 0.6, 1.1, 1.5, 2 * SECONDS):
        data.qpos[:] = rows[round(time / model.opt.timestep), 7:]
        drawing.pose(data, opacity=0.15 if time < SECONDS else 1.0)
    target = shoulder + [WAYS["beyond"], 0, 0]
    drawing.disc(target, 5.0, "#fff", 1.0, stroke=charts.RED, stroke_width=2.2)
    x, y = drawing.pixel(target)
    shapes = [*drawing.shapes, charts.text(f"{x + 8:.0f}", f"{y - 6:.0f}", "target")]
    x, y = drawing.pixel(shoulder + REACH * np.array([np.cos(0.45), 0, np.sin(0.45)]))
    shapes.append(charts.text(f"{x + 6:.0f}", f"{y:.0f}", "reach", fill="#666"))
    shown, ends = rows[::30], (0, END)
    speed = [(shown[:, 0], shown[:, 4], charts.BLUE)]
    distance = [(shown[:, 0], 1e3 * shown[:, 3], charts.RED)]
    for k, (title, most, curves) in enumerate(
        (("fastest joint, rad/s", FASTEST, speed), ("from the target, mm", 40, distance))
    ):
        shapes += charts.chart(title, (430, 28 + 122 * k), (250, 80), ends, (0, most), curves, "s")
        left = 430 + 250 * SECONDS / END
        shapes.append(
            f'<rect x="{left:.1f}" y="{28 + 122 * k}" width="{250 * WAIT / END:.1f}" height="80" '
            'fill="#000" opacity="0.05"/>'
        )
        shapes.append(charts.text(f"{left + 4:.1f}", 42 + 122 * k, "the target waits", fill="#666"))
    return charts.picture(shapes, 705, 265)


def main():
    model = sinew.Model.from_path(MODEL)
    runs = {name: simulate(model, far) for name, far in WAYS.items()}
    waits = round((SECONDS + 1) / model.opt.timestep), round((SECONDS + WAIT) / model.opt.timestep)
    print("          error  at the end  fastest joint  torque  failed  while waiting  out of reach")
    print("           (mm)        (mm)        (rad/s)     (%)                (rad/s)              ")
    for name, (rows, failed) in runs.items():
        error, fastest, used = rows[:, 3].max(), rows[:, 4].max(), rows[:, 5].max()
        waiting = rows[slice(*waits)]
        print(
            f"{name:8s}  {1e3 * error:5.2f}  {1e3 * rows[-1, 3]:10.4f}  {fastest:13.2f}  {100 * used:6.1f}"
            f"  {failed:6d}  {waiting[:, 4].max():13.1e}  {waiting[:, 6].mean():12.2f}"
        )
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
        (folder / "control_singular_arm.svg").write_text(draw(runs))
        (folder / "control_waiting.svg").write_text(draw_waiting(model, runs["beyond"][0]))


if __name__ == "__main__":
    main()
