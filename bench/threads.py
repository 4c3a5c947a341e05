"""One scene on several threads: microseconds a step on each number, and how many times as fast as on one.

    threads.py [--quick] [--threads 1,2] [NAME...]

NAME: a scene of bench/scenes.py, with `:lcp`, `:cg`, `:pgs` behind it held or solved so. Each is run until it has settled, as it
says itself; data of all numbers of threads then go on from the same states in turns, a few steps each, and come to the same bits,
which is looked at. A figure is the mean over states of the least time that any turn took. For a machine that does nothing else.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCENES = (
    "pile-spheres-1000 pile-boxes-1000 pile-meshes-1000 towers-1800 humanoids-64 spread-boxes-1000 "
    "towers-1800:lcp humanoids-64:lcp towers-1800:pgs"
).split()
QUICK = "pile-boxes-300 towers-200 humanoids-16 towers-200:lcp".split()
STATES, SPACING, STEPS = 5, 10, 4  # states, steps between them, steps of a turn
WAY = {
    "lcp": lambda option: setattr(option, "contact", sinew.ContactModel.LCP),
    "cg": lambda option: setattr(option, "solver", sinew.Solver.CG),
    "pgs": lambda option: setattr(option, "solver", sinew.Solver.PGS),
}


def load(name: str, folder: pathlib.Path) -> sinew.Model:
    scene, _, way = name.partition(":")
    command = [sys.executable, str(ROOT / "bench/scenes.py"), str(folder), scene]
    model = sinew.Model.from_path(
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    )
    if way:
        WAY[way](model.opt)
    return model


def states(model: sinew.Model, threads: int) -> list[np.ndarray]:
    data = sinew.Data(model)
    data.threads = threads
    found = []
    settle = int(model.numeric("settle").data[0])
    for k in range(STATES):
        for _ in range(SPACING if k else settle):
            sinew.step(model, data)
        found.append(sinew.getState(model, data, sinew.StateBit.INTEGRATION))
    return found


def turn(model: sinew.Model, data: sinew.Data, state: np.ndarray) -> float:
    sinew.setState(model, data, state, sinew.StateBit.INTEGRATION)
    start = time.perf_counter()
    for _ in range(STEPS):
        sinew.step(model, data)
    return 1e6 * (time.perf_counter() - start) / STEPS


def measure(
    model: sinew.Model, counts: list[int], seconds: float
) -> tuple[dict[int, float], sinew.Data]:
    datas = {count: sinew.Data(model) for count in counts}
    for count, data in datas.items():
        data.threads = count
    kept = states(model, max(counts))
    least = {count: np.full(STATES, np.inf) for count in counts}
    start, rounds = time.perf_counter(), 0
    while rounds < 3 or time.perf_counter() - start < seconds:
        rounds += 1
        for k, state in enumerate(kept):
            for count, data in datas.items():
                least[count][k] = min(least[count][k], turn(model, data, state))
            if len({data.qpos.tobytes() for data in datas.values()}) > 1:
                sys.exit("bench: the bits differ by the number of threads")
    return {count: float(times.mean()) for count, times in least.items()}, datas[counts[0]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Times steps of one scene on several threads.")
    parser.add_argument("--quick", action="store_true", help="small scenes, short")
    parser.add_argument(
        "--threads",
        help="numbers of threads, the first one to be compared with (1,2 and all processors)",
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    counts = sorted({1, 2, os.cpu_count() or 1})
    if options.threads:
        counts = [int(word) for word in options.threads.split(",")]
    heads = "".join(f" {count} us |" for count in counts) + "".join(
        f" x{count} |" for count in counts[1:]
    )
    print(
        f"| scene | dofs | contacts | rows |{heads}\n| --- | --- | --- | --- |{' --- |' * (2 * len(counts) - 1)}"
    )
    for name in options.names or (QUICK if options.quick else SCENES):
        model = load(name, ROOT / "build/bench-scenes")
        times, data = measure(model, counts, 1 if options.quick else 8)
        figures = "".join(f" {times[count]:.1f} |" for count in counts)
        figures += "".join(f" {times[counts[0]] / times[count]:.2f} |" for count in counts[1:])
        print(f"| {name} | {model.nv} | {data.ncon} | {data.nefc} |{figures}", flush=True)


if __name__ == "__main__":
    main()
