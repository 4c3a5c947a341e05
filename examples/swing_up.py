"""Swings a pole up on a cart whose motor is too weak to lift it at once: iterative LQR, then LQR to stay up.

python swing_up.py [FOLDER]

Prints the cost of each iteration and its time, then where a run ends that follows the plan and stays up by LQR although it
is pushed; with a FOLDER draws angle and control of that run over time, and poses, as derivative_swing_up.svg.
"""

import pathlib
import sys
import time

import charts
import draw_mechanisms
import ilqr
import numpy as np

import sinew

SECONDS = 3.0  # of the plan
STAY = 2.0  # after it
PUSH = 3.5, 3.6, 5.0  # from, to, s, and the force on the cart, N
UP = np.array([0.0, np.pi])


def plan(model, most):
    """Trajectory, gains: at rest, hanging, to at rest, standing."""
    steps = round(SECONDS / model.opt.timestep)
    weights = np.tile([0.1, 0.1, 0.01, 0.01], (steps + 1, 1))
    weights[3 * steps // 4 :] *= 10  # by then the pole should stand
    weights[-1] = 1000, 5000, 100, 500
    goal = np.tile(UP, (steps + 1, 1)), np.zeros((steps + 1, 2))
    cost = ilqr.Cost(*goal, Q=weights, R=np.full((steps, 1), 0.01))
    return ilqr.optimise(model, np.zeros(2), np.zeros(2), np.zeros((steps, 1)), cost, most)


def stay(model):
    """Gain of the infinite horizon around the upright, by Riccati's equation."""
    data = sinew.Data(model)
    data.qpos[:] = UP
    A, B, *_ = sinew.linearize(model, data)
    Q, R = np.diag([10.0, 10, 1, 1]), np.array([[0.1]])
    V = Q
    for _ in range(2000):
        K = -np.linalg.solve(R + B.T @ V @ B, B.T @ V @ A)
        V = Q + A.T @ V @ (A + B @ K)
    return K


def run(model, path, gains):
    """Time, position of the cart, angle, control of each step (steps, 4): the plan, then the upright, with a push."""
    data, K = sinew.Data(model), stay(model)
    low, high = ilqr.limits(model)
    rows = []
    for t in range(round((SECONDS + STAY) / model.opt.timestep)):
        if t < len(gains):
            goal, ctrl, gain = (path.qpos[t], path.qvel[t]), path.ctrl[t], gains[t]
        else:
            goal, ctrl, gain = (UP, np.zeros(2)), 0.0, K
        off = ilqr.distance(model, *goal, data.qpos, data.qvel)
        data.ctrl[:] = np.clip(ctrl + gain @ off, low, high)
        data.qfrc_applied[0] = PUSH[2] if PUSH[0] <= data.time < PUSH[1] else 0.0
        rows.append((data.time, *data.qpos, data.ctrl[0]))
        sinew.step(model, data)
    return np.array(rows)


def draw(model, rows):
    times, _, angle, control = rows[::2].T
    ends, low_high = (0, SECONDS + STAY), model.actuator_ctrlrange[0]
    shapes = charts.chart(
        "angle of the pole, rad (upright: 3.14)",
        (44, 24),
        (330, 90),
        ends,
        (-2, 4),
        [(ends, (np.pi, np.pi), "#888", "thin"), (times, angle, charts.BLUE)],
        "s",
    )
    shapes += charts.chart(
        "force of the motor, N",
        (44, 156),
        (330, 90),
        ends,
        low_high,
        [(times, control, charts.RED)],
        "s",
    )
    data = sinew.Data(model)
    drawing = draw_mechanisms.Drawing(model, draw_mechanisms.FRONT, 130, (0, 0), (550, 140))
    drawing.new_panel()
    last = round(2.6 / model.opt.timestep)
    for t in range(0, last + 1, 20):
        data.qpos[:] = rows[t, 1:3]
        drawing.pose(data, opacity=round(0.1 + 0.9 * (t / last) ** 2, 2))
    return charts.picture(shapes + drawing.shapes, 730, 270)


def main(most=100):
    """The run, after planning with at most so many iterations."""
    model = sinew.Model.from_path(draw_mechanisms.MODELS / "cart_pole.xml")
    begin = time.perf_counter()
    path, gains = plan(model, most)
    print(f"planned in {time.perf_counter() - begin:.1f} s")
    rows = run(model, path, gains)
    after = rows[rows[:, 0] >= SECONDS]
    print(
        f"at {SECONDS:g} s {abs(after[0, 2] - np.pi):.3f} rad from upright, then at most"
        f" {np.abs(after[:, 2] - np.pi).max():.3f}, at {SECONDS + STAY:g} s {abs(after[-1, 2] - np.pi):.3f}"
    )
    return model, rows


if __name__ == "__main__":
    model, rows = main()
    if len(sys.argv) > 1:
        (pathlib.Path(sys.argv[1]) / "derivative_swing_up.svg").write_text(draw(model, rows))
