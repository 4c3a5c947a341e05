"""A hopper learns to hop by PPO: on Sinew's vector environment, and on gymnasium's own with MuJoCo beside it.

python ppo_hopper.py [--steps N] [--seconds S] [--seed K] [--environments N] [--peer] [FOLDER]

Prints steps, wall time and the mean return of the last 100 episodes as it goes. --peer then learns the same way in
gymnasium's Hopper-v5, for as many seconds. With a FOLDER the curves are drawn by time and by steps as ppo_hopper.svg. Needs
gymnasium and PyTorch, and MuJoCo for --peer.
"""

import argparse
import pathlib

import charts
import gymnasium
import numpy as np

import sinew.envs  # noqa: F401 (registers sinew/Hopper-v5)

OURS, PEER = "sinew/Hopper-v5", "Hopper-v5"


def ours(count):
    """Many environments, each a row of one batch."""
    return gymnasium.make_vec(OURS, num_envs=count, threads=None, autoreset_mode="SameStep")


def peers(count):
    """gymnasium's environments on MuJoCo, one after another."""
    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    return gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(PEER)] * count, autoreset_mode=mode
    )


def learn(envs, steps, seconds, seed):
    """Rows of steps, seconds and return, printed every eighth."""
    import ppo

    learner = ppo.Learner(envs, seed)
    rows = []
    for row in learner.train(steps, seconds):
        rows.append(row)
        if len(rows) % 8 == 0:
            print(f"{row[0]:9,} steps {row[1]:6.1f} s   return {row[2]:6.0f}", flush=True)
    count, passed, mean = rows[-1]
    print(
        f"{envs.num_envs} environments: {count:,} steps in {passed:.1f} s, {learner.environment_seconds:.1f} s of it in"
        f" the environments; return {mean:.0f}"
    )
    envs.close()
    return np.array(rows)


def picture(curves):
    """Returns by wall time and by steps: Sinew's, then, if it is there, the peer's."""
    colours = charts.BLUE, charts.RED
    both = list(zip(curves, colours, strict=False))
    high = 500 * np.ceil(max(rows[:, 2].max() for rows in curves) / 500)
    shapes = []
    for k, (scale, unit) in enumerate(((1e6, "million steps"), (1, "s"))):
        last = max(rows[-1, k] for rows in curves) / scale
        shapes += charts.chart(
            ("return by steps", "return by seconds of wall time")[k],
            (50, 24 + 172 * k),
            (560, 130),
            (0, float(f"{last:.3g}")),
            (0, high),
            [(rows[:, k] / scale, rows[:, 2], colour) for rows, colour in both],
            unit,
        )
    names = "sinew/Hopper-v5", "gymnasium's Hopper-v5 on MuJoCo"
    for k, (name, (_, colour)) in enumerate(zip(names, both, strict=False)):
        shapes.append(charts.text(56, 40 + 14 * k, name, fill=colour))
    return charts.picture(shapes, 650, 350)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=np.inf)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--environments", type=int, default=256)
    parser.add_argument("--peer", action="store_true")
    options = parser.parse_args()
    curves = [learn(ours(options.environments), options.steps, options.seconds, options.seed)]
    if options.peer:
        seconds = min(options.seconds, curves[0][-1, 1])
        curves.append(learn(peers(16), options.steps, seconds, options.seed))
    if options.folder:
        (options.folder / "ppo_hopper.svg").write_text(picture(curves), encoding="utf-8")
    return curves


if __name__ == "__main__":
    main()
