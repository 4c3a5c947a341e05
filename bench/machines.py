"""What a rollout on an executor costs, beside the model of docs/machines.md.

    machines.py [--dask] [--workers N] [--seconds S]

A small model (Gymnasium's hopper) and a large one (dm_control's humanoid_CMU) on a process pool or a local Dask
cluster of N processes, 2 of which are the default, each worker with one thread. For each, a result of every step and of
every 100th. The pieces of the model are measured first: t, the seconds of a step of one simulation in a batch of the
size of a shard; what a shard takes beside its steps; the seconds of a call that does nothing; the bandwidth of the
executor, from a call that returns an array. Then whole rollouts, the least of some turns, bytes as they are pickled.
"""

import argparse
import contextlib
import importlib.util
import multiprocessing
import pathlib
import pickle
import time
from concurrent import futures

import numpy as np

import sinew
from sinew import _machines

MODELS = {
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
        self.sent = self.back = 0

    def submit(self, fn, /, *args, **kwargs):
        self.sent += len(pickle.dumps(args))
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
    rollout(counted)  # every worker has the model from here on
    taken = least(lambda: rollout(executor), turns)
    work = n * steps * t / workers + 4 * (made + call)
    wire = (sent + back) / bandwidth
    limit = "wire" if wire > work else "work"
    print(
        f"{name:13} {every:5} {n:4} {steps:5} {1e6 * t:7.2f} {1e3 * made:6.2f} "
        f"{sent / 1e6:6.1f} {counted.sent / 1e6:6.1f} {back / 1e6:6.1f} {counted.back / 1e6:6.1f} "
        f"{work:7.3f} {wire:7.3f} {limit} {taken:7.3f} {taken / max(work, wire):6.2f} {taken / (work + wire):6.2f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
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
            "model         every    n steps t in us  batch sent MB        back MB          work    wire limit  taken "
            "of max of sum"
        )
        for name in MODELS:
            for every in (1, 100):
                measure(executor, name, every, chosen.workers, chosen.turns, call, bandwidth)
    assert _machines._AT_ONCE >= 4 * chosen.workers


if __name__ == "__main__":
    main()
