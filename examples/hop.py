"""A leg crouches, hops forward and lands on its foot: iterative LQR through contacts that come and go.

python hop.py [FOLDER]

Prints the cost of each iteration and its time, then what the plan reaches; with a FOLDER draws the heights of trunk and foot
and the force on the foot over time, and poses, as derivative_hop.svg.
"""

import pathlib
import sys
import time

import charts
import draw_mechanisms
import ilqr
import numpy as np

import sinew

SECONDS = 1.0
FAR, HIGH = 0.4, 0.25  # what the hop should be, m
EFFORT = 2e-3  # weight of torques
GRAVITY = 9.81
FLIGHT = 2 * np.sqrt(2 * HIGH / GRAVITY)
LIFT = (SECONDS - FLIGHT) / 2  # when the foot should leave the ground


def wanted(model, times):
    """A state for each time: that of the keyframe, a flight in the middle of the time, the keyframe again."""
    qpos, qvel = np.tile(model.key_qpos[0], (len(times), 1)), np.zeros((len(times), model.nv))
    since = np.clip(times - LIFT, 0, FLIGHT)
    flies = (since > 0) & (since < FLIGHT)
    qpos[:, 0] += FAR * since / FLIGHT
    qpos[:, 1] += GRAVITY / 2 * since * (FLIGHT - since)
    qvel[flies, 0] = FAR / FLIGHT
    qvel[flies, 1] = GRAVITY * (FLIGHT / 2 - since[flies])
    return qpos, qvel


def jump(model, cost):
    """Controls of a jump to begin with: servos bend the leg and stretch it. It goes straight up and topples."""
    data = sinew.Data(model)
    sinew.resetDataKeyframe(model, data, 0)
    hold = sinew.linearize(model, data, hold=True).ctrl0
    low, high = ilqr.limits(model)
    marks = [0, LIFT - 0.2, LIFT - 0.15, LIFT, LIFT + 0.1]
    _, _, _, hip, knee = model.key_qpos[0]

    def servo(t, qpos, qvel):
        bend = np.interp(t * model.opt.timestep, marks, [0, 0.4, 0.4, -0.4, 0])
        target = hip - bend, knee + 2 * bend
        return np.clip(hold + 400 * (target - qpos[3:]) - 10 * qvel[3:], low, high)

    return ilqr.roll_out(model, data, model.key_qpos[0], np.zeros(model.nv), cost, servo).ctrl


def plan(model, most):
    steps = round(SECONDS / model.opt.timestep)
    goal = wanted(model, model.opt.timestep * np.arange(steps + 1))
    weights = np.tile([1000, 1000, 10, 1, 1] + [0.01] * 5, (steps + 1, 1))
    weights[-1] = [500] * 5 + [50] * 5
    cost = ilqr.Cost(*goal, Q=weights, R=np.full((steps, model.nu), EFFORT))
    return ilqr.optimise(
        model, model.key_qpos[0], np.zeros(model.nv), jump(model, cost), cost, most
    )[0]


def measure(model, path):
    """Time, height of the trunk above that of standing, height of the foot's sole, force on it of each step."""
    data, rows = sinew.Data(model), []
    foot, radius = model.geom("foot").id, model.geom_size[model.geom("foot").id, 0]
    for t, ctrl in enumerate(path.ctrl):
        data.qpos[:], data.qvel[:], data.ctrl[:] = path.qpos[t], path.qvel[t], ctrl
        sinew.forward(model, data)
        force = sum(sinew.contactForce(model, data, i)[0] for i in range(data.ncon))
        rise = path.qpos[t, 1] - path.qpos[0, 1]
        rows.append((t * model.opt.timestep, rise, data.geom_xpos[foot, 2] - radius, force))
    return np.array(rows)


def draw(model, path, rows):
    times, trunk, foot, force = rows.T
    ends = 0, SECONDS
    shapes = charts.chart(
        "rise of the trunk (blue), height of the foot (green), m",
        (44, 24),
        (330, 90),
        ends,
        (-0.1, 0.3),
        [(ends, (0, 0), "#888", "thin"), (times, trunk, charts.BLUE), (times, foot, charts.GREEN)],
        "s",
    )
    top = 100 * np.ceil(force.max() / 100)
    curves = [(times, force, charts.RED)]
    shapes += charts.chart(
        "force on the foot, N", (44, 156), (330, 90), ends, (0, top), curves, "s"
    )
    drawing = draw_mechanisms.Drawing(model, draw_mechanisms.FRONT, 190, (330, 0), (460, 245))
    drawing.new_panel()
    drawing.shapes.append('<path d="M392,245 H722" stroke="#888"/>')
    data = sinew.Data(model)
    for part in np.linspace(0, 1, 7):
        data.qpos[:] = path.qpos[round(part * len(path.ctrl))]
        data.qpos[0] += 0.6 * part  # poses side by side
        drawing.pose(data, opacity=round(0.4 + 0.6 * part, 2))
    return charts.picture(shapes + drawing.shapes, 730, 270)


def main(most=150):
    """Trajectory and measurements, after planning with at most so many iterations."""
    model = sinew.Model.from_path(draw_mechanisms.MODELS / "hopper.xml")
    begin = time.perf_counter()
    path = plan(model, most)
    print(f"planned in {time.perf_counter() - begin:.1f} s")
    rows = measure(model, path)
    _, trunk, foot, force = rows.T
    print(
        f"the trunk rises {trunk.max():.2f} m, the foot {foot.max():.2f} m, off the ground for"
        f" {model.opt.timestep * np.sum(force == 0):.2f} s"
    )
    print(
        f"lands {path.qpos[-1, 0]:.2f} m ahead, at most {force.max():.0f} N, leans {path.qpos[-1, 2]:.2f} rad,"
        f" moves at {np.abs(path.qvel[-1, :2]).max():.2f} m/s"
    )
    return model, path, rows


if __name__ == "__main__":
    result = main()
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "derivative_hop.svg").write_text(draw(*result))
