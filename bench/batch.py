"""Steps of many simulations: sinew.Batch beside the newest MuJoCo's Batch and rollout, in one process.

    batch.py [--quick] [--threads N] [--width W] [--dtype float32] [MODEL...]

1,024 simulations under independent noise controls, settled: the states are what Sinew's batch has after a second
of it. Both then go on from the same states in turns of some steps; a figure is the median of the turns in
microseconds a step and simulation, the ratio that of the pairs. MODEL: gym:humanoid, dm:quadruped or a path.
"""

import argparse
import importlib.util
import pathlib
import statistics
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".venv/mujoco-newest"))
import mujoco  # noqa: E402
import mujoco.batch  # noqa: E402
import mujoco.rollout  # noqa: E402

import sinew  # noqa: E402

MODELS = (
    "gym:humanoid gym:ant gym:half_cheetah gym:hopper dm:humanoid dm:cheetah dm:walker dm:quadruped dm:manipulator "
    "gym:pusher"
).split()
COUNT = 1024


def path_of(name):
    kind, _, rest = name.partition(":")
    folders = {"gym": ("gymnasium", "envs/mujoco/assets"), "dm": ("dm_control", "suite")}
    if kind not in folders:
        return name
    package, folder = folders[kind]
    found = importlib.util.find_spec(package).submodule_search_locations[0]
    return str(pathlib.Path(found) / folder / f"{rest}.xml")


def noise(model, random, shape):
    """Controls over the middle half of their ranges, or around 0."""
    limited = np.asarray(model.actuator_ctrllimited, dtype=bool)
    low, high = np.where(limited[:, None], model.actuator_ctrlrange, [-1, 1]).T
    return (low + high) / 2 + (high - low) / 4 * random.uniform(-1, 1, (*shape, model.nu))


class Ours:
    def __init__(self, path, threads, width, dtype):
        self.model = sinew.Model.from_path(path, physics="4.0")
        self.batch = sinew.Batch(self.model, COUNT, threads=threads, width=width, dtype=dtype)

    def settle(self, random, steps):
        for _ in range(steps // 10):
            self.batch.step(noise(self.model, random, (COUNT,)), nstep=10)

    def states(self):
        b = self.batch
        return np.concatenate(
            [b.time.reshape(COUNT, 1), b.qpos, b.qvel, b.act], axis=1
        ), b.qacc_warmstart.copy()

    def set(self, states, warmstart):
        b, m = self.batch, self.model
        b.time[...] = states[:, 0].reshape(b.time.shape)
        b.qpos[...] = states[:, 1 : 1 + m.nq]
        b.qvel[...] = states[:, 1 + m.nq : 1 + m.nq + m.nv]
        b.act[...] = states[:, 1 + m.nq + m.nv :]
        b.qacc_warmstart[...] = warmstart

    def steps(self, controls):
        for ctrl in controls:
            self.batch.step(ctrl)


class Peer:
    def __init__(self, path, threads):
        self.model = mujoco.MjModel.from_xml_path(path)
        self.batch = mujoco.batch.Batch(self.model, COUNT, threads)

    def set(self, states, warmstart):
        b, m = self.batch, self.model
        b.time = states[:, 0].reshape(b.time.shape)
        b.qpos = states[:, 1 : 1 + m.nq]
        b.qvel = states[:, 1 + m.nq : 1 + m.nq + m.nv]
        if m.na:
            b.act = states[:, 1 + m.nq + m.nv :]
        b.qacc_warmstart = warmstart

    def steps(self, controls):
        for ctrl in controls:
            self.batch.ctrl = ctrl
            self.batch.step()


class PeerRollout:
    def __init__(self, path, threads):
        self.model = mujoco.MjModel.from_xml_path(path)
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        self.rollout = mujoco.rollout.Rollout(nthread=threads if threads > 1 else 0)

    def set(self, states, warmstart):
        self.state, self.warmstart = states.copy(), warmstart.copy()

    def steps(self, controls):
        controls = np.ascontiguousarray(np.swapaxes(controls, 0, 1))
        self.rollout.rollout(
            self.model, self.data, self.state, controls, initial_warmstart=self.warmstart
        )


def seconds(engine, controls):
    start = time.perf_counter()
    engine.steps(controls)
    return time.perf_counter() - start


def measure(name, threads, width, dtype, turns, length):
    path = path_of(name)
    random = np.random.default_rng(1)
    ours = Ours(path, threads, width, dtype)
    engines = [ours, Peer(path, threads), PeerRollout(path, threads)]
    ours.settle(random, int(1 / ours.model.opt.timestep))
    start = ours.states()
    times = []
    for _ in range(turns + 1):
        controls = noise(ours.model, random, (length, COUNT))
        for engine in engines:
            engine.set(*start)
        times.append([seconds(engine, controls) / (COUNT * length) * 1e6 for engine in engines])
    times = times[1:]  # the first warms up
    ours_time, *peers = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = [statistics.median(row[k] / row[0] for row in times) for k in range(1, len(engines))]
    features = ", ".join(ours.batch.scalar_features) or "-"
    print(
        f"| {name} | {ours.model.nv} | {ours.batch.width} | {ours_time:.2f} | {1e3 / ours_time / threads:.0f} | "
        f"{peers[0]:.2f} | {peers[1]:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} | {features} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--width", type=int)
    parser.add_argument("--dtype", default="float64")
    options = parser.parse_args()
    turns, length = (3, 5) if options.quick else (11, 20)
    print(f"mujoco {mujoco.__version__}, {options.threads} threads, {options.dtype}")
    print(
        "| model | nv | lanes | ours us | thousand steps/s/core | Batch us | rollout us | times Batch | "
        "times rollout | scalar because |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in options.models:
        measure(name, options.threads, options.width, options.dtype, turns, length)


if __name__ == "__main__":
    main()
