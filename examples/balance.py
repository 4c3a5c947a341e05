"""A humanoid under whole-body control: it stands, takes pushes from four sides, squats.

python balance.py [FOLDER]

Its motors are limited, its feet touch the floor at four points each. First come dynamics, limits, friction and feet that
stay; then the centre of mass and the chest; last the joints. The pushes, at the chest, are not told to the controller.
With a FOLDER draws the run as control_balance.svg.
"""

import pathlib
import sys

import charts
import numpy as np

import sinew
from sinew import control

MODEL = pathlib.Path(__file__).parent / "models/humanoid.xml"
CROUCH = {"hip_pitch": -0.35, "knee": 0.7, "ankle_pitch": -0.35, "elbow": -0.6}
SOLE = [[x, y, -0.085] for x in (-0.06, 0.13) for y in (-0.03, 0.03)]  # corners, in the foot
PUSHES = {
    1.0: (80, 0),
    3.0: (-80, 0),
    5.0: (0, 80),
    7.0: (0, -80),
}  # s: N, forwards and to the left
PUSH = 0.1  # s
SQUAT, DEPTH, DOWN = 9.0, 0.15, 1.5  # s, m, s
SECONDS = 13.0


def start(model):
    """A slight crouch, the soles on the floor."""
    data = sinew.Data(model)
    for joint, angle in CROUCH.items():
        for side in ("left", "right"):
            data.qpos[model.joint(f"{joint}_{side}").qposadr] = angle
    sinew.forward(model, data)
    data.qpos[2] -= data.xpos[model.body("foot_left").id, 2] + SOLE[0][2]
    sinew.forward(model, data)
    return data


def brain(model, data):
    """The controller, and the task of its centre of mass."""
    controller = control.Controller(model)
    for side in ("left", "right"):
        controller.add_contact(body=f"foot_{side}", points=SOLE, mu=0.8, kd=20, name=side)
    balance = controller.add_task(control.ComTask(level=1, kp=40))
    balance.pos = data.subtree_com[0]
    chest = controller.add_task(control.OrientationTask(body="chest", level=1, kp=40))
    chest.pos = data.xquat[model.body("chest").id]
    posture = controller.add_task(control.PostureTask(level=2, kp=20))
    posture.pos = data.qpos
    return controller, balance


def squat(balance, centre, time):
    """Down and up by polynomials."""
    half = int(time >= SQUAT + DOWN)
    ends = [centre, centre - [0, 0, DEPTH], centre]
    balance.pos, balance.vel, balance.acc = control.polynomial(
        time - SQUAT - half * DOWN, DOWN, ends[half], ends[half + 1]
    )


def force_at(time):
    return next((f for begin, f in PUSHES.items() if begin <= time < begin + PUSH), (0, 0))


def simulate(model):
    """Time, centre of mass from where it began (3), its reference's height, way of the feet, share of the motors' torque."""
    data = start(model)
    controller, balance = brain(model, data)
    centre, chest = data.subtree_com[0].copy(), model.body("chest").id
    feet = [model.body(f"foot_{side}").id for side in ("left", "right")]
    stand, rows, failed = data.xpos[feet].copy(), [], 0
    while data.time < SECONDS:
        squat(balance, centre, data.time)
        status = controller.solve(data)
        failed += status != 0 or controller.infeasible >= 0
        controller.apply(data)
        data.xfrc_applied[chest, :2] = force_at(data.time)
        sinew.step(model, data)
        data.xfrc_applied[:] = 0
        way = np.linalg.norm(data.xpos[feet] - stand, axis=1).max()
        lift = balance.pos[2] - centre[2]
        used = np.abs(data.ctrl).max()
        rows.append([data.time, *(data.subtree_com[0] - centre), lift, way, used])
    return np.array(rows), failed, int(data.warning["number"].sum())


def report(rows, failed, warnings):
    time, com, lift, way, used = rows[:, 0], rows[:, 1:4], rows[:, 4], rows[:, 5], rows[:, 6]
    away = np.linalg.norm(com - np.stack([0 * lift, 0 * lift, lift], 1), axis=1)
    print(f"stands: centre of mass within {1e3 * away[time < 1].max():.1f} mm")
    for begin, force in PUSHES.items():
        after = (time >= begin) & (time < begin + 2)
        print(
            f"pushed by {force[0]:4d} {force[1]:4d} N: away by {1e3 * away[after].max():4.1f} mm,"
            f" after 2 s by {1e3 * away[after][-1]:.1f} mm"
        )
    late = away[time >= SQUAT].max()
    print(f"squats by {-1e3 * com[:, 2].min():.0f} mm, at most {1e3 * late:.1f} mm beside the way")
    print(
        f"feet moved by {1e3 * way.max():.1f} mm, motors at {100 * used.max():.0f} % of their torque"
    )
    print(f"cycles {len(rows)}, failed {failed}, warnings {warnings}")


def draw(rows):
    time, shown = rows[::40, 0], 1e3 * rows[::40]
    ends, share = (0, SECONDS), 100 * rows[::40, 6]
    ahead = [(time, shown[:, 1], charts.BLUE), (time, shown[:, 2], charts.RED)]
    height = [(time, shown[:, 4], "#888", "thin"), (time, shown[:, 3], charts.GREEN)]
    titles = (
        "centre of mass forwards (blue) and to the left (red), mm; pushes at 1, 3, 5 and 7 s",
        "its height (green) and what it should be, mm",
        "motor used most, % of its torque",
    )
    limits = ((-20, 20), (-160, 10), (0, 100))
    shapes = []
    for i, curves in enumerate((ahead, height, [(time, share, charts.BLUE)])):
        shapes += charts.chart(
            titles[i], (44, 24 + 122 * i), (560, 80), ends, limits[i], curves, "s"
        )
    return charts.picture(shapes, 630, 375)


def main():
    model = sinew.Model.from_path(MODEL)
    model.opt.timestep = 0.001
    result = simulate(model)
    report(*result)
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "control_balance.svg").write_text(draw(result[0]))


if __name__ == "__main__":
    main()
