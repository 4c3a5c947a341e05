"""A walker that plans by sampling: several hundred rollouts at each tick, the best of them weighed, a step taken.

python sampling_mpc.py [SECONDS] [FOLDER]

Model-predictive path integral control (Williams, Aldrich, Theodorou 2017): the plan is a row of knots of the controls
over the next 0.6 s, between which they go straight. At each tick of 20 ms noise is added to the knots of each rollout; one
call of sinew.Batch simulates all of them from the state of now; the new plan is their mean, weighed by exp(-cost / T).
The walker shall stand upright and go at 1 m/s. Prints what it did and how long a tick took. With a FOLDER draws speed and
height as sampling_mpc.svg.
"""

import pathlib
import sys
import time

import charts
import numpy as np

import sinew

MODEL = pathlib.Path(__file__).parent / "models/walker.xml"
ROLLOUTS = 256
HORIZON = 120  # steps of a plan
KNOTS = 7  # of a plan
TICK = 4  # steps
NOISE, TEMPERATURE = 0.35, 0.05
SPEED = 1.0
HIP = 1.15  # height where z is 0


def between(knots):
    """Controls [..., HORIZON, nu] of knots [..., KNOTS, nu]."""
    at = np.linspace(0, KNOTS - 1, HORIZON)
    k = np.minimum(at.astype(int), KNOTS - 2)
    part = (at - k)[:, None]
    return (1 - part) * knots[..., k, :] + part * knots[..., k + 1, :]


def costs(model, states, controls):
    """The mean cost of each rollout: states [n, steps, 1 + nq + nv]."""
    qpos, qvel = np.split(states[..., 1:], [model.nq], axis=-1)
    z, pitch = HIP + qpos[..., 1], qpos[..., 2]
    speed = 4 * (1 - np.exp(-0.5 * (qvel[..., 0] - SPEED) ** 2 / 0.4**2))
    height = 300 * np.maximum(HIP - 0.08 - z, 0) ** 2
    upright = 6 * pitch**2
    legs = 0.15 * (qpos[..., 3] + qpos[..., 6]) ** 2
    return (speed + height + upright + legs).mean(axis=1) + 0.05 * (controls**2).mean(axis=(1, 2))


class Planner:
    """Knots of the plan and the batch that tries others."""

    def __init__(self, model, seed=0):
        self.model = model
        self.batch = sinew.Batch(model, ROLLOUTS, threads=None)
        self.random = np.random.default_rng(seed)
        self.knots = np.zeros((KNOTS, model.nu))

    def advance(self, ticks=1):
        """The plan as it is `ticks` later."""
        spacing = (HORIZON - 1) / (KNOTS - 1)
        at = np.minimum(np.arange(KNOTS) + ticks * TICK / spacing, KNOTS - 1)
        k = np.minimum(at.astype(int), KNOTS - 2)
        part = (at - k)[:, None]
        self.knots = (1 - part) * self.knots[k] + part * self.knots[k + 1]

    def improve(self, state):
        """Try noise around the plan from a state [1 + nq + nv], and weigh what comes of it."""
        noise = NOISE * self.random.standard_normal((ROLLOUTS, KNOTS, self.model.nu))
        noise[0] = 0  # the plan itself is one of them
        knots = np.clip(self.knots + noise, -1, 1)
        controls = between(knots)
        states, _ = self.batch.rollout(np.tile(state, (ROLLOUTS, 1)), controls)
        cost = costs(self.model, states, controls)
        weights = np.exp(-(cost - cost.min()) / TEMPERATURE)
        self.knots = np.tensordot(weights / weights.sum(), knots, 1)
        return between(self.knots)[:TICK]


def run(seconds, seed=0):
    """Columns time, x, z, pitch, speed of each tick, and the seconds that each took to plan."""
    model = sinew.Model.from_path(MODEL)
    data = sinew.Data(model)
    planner = Planner(model, seed)
    rows, took = [], []
    for _ in range(round(seconds / (TICK * model.opt.timestep))):
        start = time.perf_counter()
        controls = planner.improve(sinew.getState(model, data, sinew.StateBit.FULLPHYSICS))
        took.append(time.perf_counter() - start)
        for ctrl in controls:
            data.ctrl[:] = ctrl
            sinew.step(model, data)
        planner.advance()
        rows.append([data.time, *data.qpos[:3], data.qvel[0]])
    return np.array(rows), np.array(took)


def picture(rows):
    """Speed and height over time."""
    time = rows[:, 0]
    ends = (0, time[-1])
    wanted = ends, (SPEED, SPEED), "#888", "thin"
    shapes = []
    for top, title, low_high, curves in (
        (24, "speed, m/s", (-0.5, 2), [wanted, (time, rows[:, 4], charts.BLUE)]),
        (156, "height of the hip, m", (0.6, 1.4), [(time, HIP + rows[:, 2], charts.GREEN)]),
    ):
        shapes += charts.chart(title, (50, top), (560, 90), ends, low_high, curves, "s")
    return charts.picture(shapes, 650, 270)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    rows, took = run(seconds)
    half = rows[len(rows) // 2 :]
    print(
        f"{seconds:g} s: {rows[-1, 1]:.2f} m far; in the second half {half[:, 4].mean():.2f} m/s, trunk at "
        f"{HIP + half[:, 2].mean():.2f} m, never below {HIP + half[:, 2].min():.2f}"
    )
    print(
        f"a tick of {ROLLOUTS} rollouts of {HORIZON} steps: {1e3 * np.median(took):.1f} ms, "
        f"{ROLLOUTS * HORIZON / np.median(took) / 1e6:.2f} million steps a second"
    )
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
        (folder / "sampling_mpc.svg").write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
