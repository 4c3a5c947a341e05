"""Steps of vector environments: sinew.envs beside gymnasium's own AsyncVectorEnv and SyncVectorEnv on the newest MuJoCo.

    environments.py [--quick] [--threads N] [--count N] [NAME...]

Random actions, episodes that end and begin anew as they do. A figure is thousands of steps of one environment a second,
Python and all, the median of some turns; AsyncVectorEnv has a process for each of its 32 environments, on all processors,
SyncVectorEnv one thread. EnvPool stands beside them if it is installed, with 256 environments on as many threads as ours
(its MuJoCo is of another version).
"""

import argparse
import os
import pathlib
import statistics
import sys
import time
import types

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / ".venv/mujoco-newest"))
sys.modules.setdefault("imageio", types.ModuleType("imageio"))  # gymnasium asks for it

import gymnasium  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

import sinew.envs  # noqa: E402, F401

try:
    import envpool
except ImportError:
    envpool = None

mujoco.set_mju_user_warning(lambda text: None)
NAMES = (
    "Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedDoublePendulum InvertedPendulum Pusher Reacher "
    "Swimmer Walker2d"
).split()
PEERS = 32


def rate(envs, seconds, turns):
    """Thousands of steps a second."""
    envs.reset(seed=0)
    envs.action_space.seed(0)
    actions = [envs.action_space.sample() for _ in range(4)]
    rates = []
    for turn in range(turns + 1):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            envs.step(actions[count % len(actions)])
            count += 1
        if turn:  # the first warms up
            rates.append(count * envs.num_envs / (time.perf_counter() - start) / 1e3)
    envs.close()
    return statistics.median(rates)


class Pool:
    """EnvPool's environments, as far as they are timed."""

    num_envs = 256

    def __init__(self, name, threads):
        self.envs = envpool.make(
            f"{name}-v5", env_type="gymnasium", num_envs=self.num_envs, num_threads=threads
        )
        self.action_space = gymnasium.vector.utils.batch_space(
            self.envs.action_space, self.num_envs
        )
        self.step = self.envs.step

    def reset(self, seed):
        self.envs.reset()

    def close(self):
        self.envs.close()


def measure(name, count, threads, seconds, turns):
    ours = gymnasium.make_vec(f"sinew/{name}-v5", num_envs=count, threads=threads)
    features = ", ".join(ours.batch.scalar_features) or "-"
    rates = [rate(ours, seconds, turns)]
    for mode in ("async", "sync"):
        theirs = gymnasium.make_vec(f"{name}-v5", num_envs=PEERS, vectorization_mode=mode)
        rates.append(rate(theirs, seconds, turns))
    rates.append(rate(Pool(name, threads), seconds, turns) if envpool else float("nan"))
    mine, by_processes, alone, pooled = rates
    print(
        f"| {name} | {mine:.0f} | {by_processes:.1f} | {alone:.1f} | {pooled:.1f} | {mine / by_processes:.1f} | "
        f"{mine / alone / threads:.1f} | {mine / pooled:.1f} | {features} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--count", type=int, default=1024)
    options = parser.parse_args()
    seconds, turns = (0.3, 3) if options.quick else (1.0, 7)
    print(f"mujoco {mujoco.__version__}, {options.count} environments, {options.threads} threads")
    print(
        "| environment | ours k/s | AsyncVectorEnv k/s | SyncVectorEnv k/s | EnvPool k/s | times Async | "
        "times Sync a thread | times EnvPool | scalar because |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    np.seterr(all="ignore")
    for name in options.names:
        measure(name, options.count, options.threads, seconds, turns)


if __name__ == "__main__":
    main()
