"""What a rollout on an executor costs, beside the model of docs/machines.md.

    machines.py [--dask] [--workers N] [--turns N]

Gymnasium's inverted_pendulum and hopper and dm_control's humanoid_CMU on a process pool or a local Dask cluster of N
processes (2), each worker with one thread; of each a result of every step and of every 100th. The pieces of the model
are measured first: t, the seconds of a step of one simulation in a batch as large as a shard; to make such a batch; a
call that does nothing; the bandwidth of the executor, from calls that return an array; what the caller does alone, to
pack the model and to put results behind each other. Then whole rollouts, the least of some turns (8), and their bytes as
pickle counts them. "first" is the first rollout with a model, which takes it to the workers.
"""

import argparse
import contextlib
import hashlib
import importlib.util
import multiprocessing
import pathlib
import pickle
import time
from concurrent import futures

import numpy as np

import sinew

MODELS = {
    "inverted_pendulum": ("gymnasium", "envs/mujoco/assets/inverted_pendulum.xml", 1024, 500),
    "hopper": ("gymnasium", "envs/mujoco/assets/hopper.xml", 512, 500),
    "humanoid_CMU": ("dm_control", "suite/humanoid_CMU.xml", 64, 100),
}


def model_of(package, path):
    folder = importlib.util.find_spec(package).submodule_search_locations[0]
    return sinew.Model.from_path(pathlib.Path(folder) / path)


def problem(model, n, steps):
    start = np.zeros(sinew.stateSize(model, sinew.StateBit.FULLPHYSICS))
    start[1 : 1 + model.nq] = model.qpos0
    controls = np.random.default_rng(0).uniform(-0.3, 0.3, (n, steps, model.nu))
    return np.tile(start, (n, 1)), controls


def least(function, turns):
    """The least seconds of some calls."""
    taken = []
    for _ in range(turns):
        begin = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def zeros(megabytes):
    """Work of a worker: an array to send."""
    return np.zeros(int(megabytes * 125_000))


def step_seconds(model, states, controls, every):
    """Of one step of one simulation in a batch, and the seconds that a batch takes to be made."""
    batch = sinew.Batch(model, len(states), threads=1)
    steps = least(lambda: batch.rollout(states, controls, every=every), 2)
    return steps / controls[..., 0].size, least(
        lambda: sinew.Batch(model, len(states), threads=1), 3
    )


class Counted(futures.Executor):
    """Another executor, and the bytes of what it is sent and returns."""

    def __init__(self, executor, workers):
        self.executor, self._max_workers = executor, workers
        self.sent = self.back = self.with_model = 0

    def submit(self, fn, /, *args, **kwargs):
        self.sent += len(pickle.dumps(args))
        self.with_model += args[1] is not None
        future = self.executor.submit(fn, *args, **kwargs)
        future.add_done_callback(self._add)
        return future

    def _add(self, future):
        self.back += len(pickle.dumps(future.result()))


@contextlib.contextmanager
def executor_of(dask, workers):
    if not dask:
        context = multiprocessing.get_context("spawn")
        with futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
            yield pool
        return
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor(pure=False)


def measure(executor, name, every, workers, turns, call, bandwidth):
    package, path, n, steps = MODELS[name]
    model = model_of(package, path)
    states, controls = problem(model, n, steps)
    shard = n // (4 * workers)
    t, made = step_seconds(model, states[:shard], controls[:shard], every)
    numbers = (
        states.shape[1] + steps * model.nu,
        (steps // every) * (states.shape[1] + model.nsensordata),
    )
    sent, back = (8 * n * count for count in numbers)
    counted = Counted(executor, workers)
    rollout = lambda pool: sinew.rollout(  # noqa: E731
        model, states, controls, every=every, executor=pool, shard=shard
    )
    first = least(lambda: rollout(executor), 1)
    rollout(counted)
    taken = least(lambda: rollout(executor), turns)
    size = len(sinew._core.packModel(model))
    results = [np.ones((shard, steps // every, states.shape[1])) for _ in range(4 * workers)]
    alone = least(
        lambda: (hashlib.blake2b(sinew._core.packModel(model)), np.concatenate(results)), 3
    )
    work = n * steps * t / workers + 4 * (made + workers * call)
    wire = (sent + back) / bandwidth
    print(
        f"{name:17} {every:5} {n:5} {steps:4} {1e6 * t:6.2f} {1e3 * made:6.2f} {size / 1e6:6.2f} {sent / 1e6:6.2f} "
        f"{(counted.sent - counted.with_model * size) / 1e6:6.2f} {back / 1e6:6.2f} {counted.back / 1e6:6.2f} "
        f"{1e3 * work:6.0f} {1e3 * wire:6.0f} {1e3 * alone:6.0f} {1e3 * first:6.0f} {1e3 * taken:6.0f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--turns", type=int, default=8)
    chosen = parser.parse_args()
    with executor_of(chosen.dask, chosen.workers) as executor:
        ready = [executor.submit(zeros, 0.1) for _ in range(8 * chosen.workers)]
        futures.wait(ready)
        call = least(lambda: executor.submit(zeros, 0).result(), 20)
        bandwidth = 20e6 / (least(lambda: executor.submit(zeros, 20).result(), 5) - call)
        print(
            f"{'Dask' if chosen.dask else 'process pool'}, {chosen.workers} workers: a call takes "
            f"{1e3 * call:.2f} ms, {bandwidth / 1e6:.0f} MB/s"
        )
        print(
            "                                    t   batch         MB to workers     MB back    model, ms             "
            "taken, ms\n"
            "model             every     n steps   us     ms  model  model   here  model   here   work   wire  alone  "
            "first  later"
        )
        for name in MODELS:
            for every in (1, 100):
                measure(executor, name, every, chosen.workers, chosen.turns, call, bandwidth)


if __name__ == "__main__":
    main()
