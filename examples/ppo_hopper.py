"""A hopper learns to hop by PPO: on Sinew's vector environment, and on gymnasium's own with MuJoCo beside it.

python ppo_hopper.py [--steps N] [--seconds S] [--seed K] [--environments N] [--checkpoint FILE] [--film FILE] [--peer] [FOLDER]

Prints steps, wall time and the mean return of the last 100 episodes as it goes. --checkpoint keeps policy, optimiser and
environments in a file every eighth update; where the file is there, training goes on from it, to the bit. --film draws what
was learnt (MP4 or GIF; needs Sinew's extra `view`). --peer then learns the same way in gymnasium's Hopper-v5, for as many
seconds. With a FOLDER the curves are drawn by time and by steps as ppo_hopper.svg. Needs gymnasium and PyTorch, and MuJoCo for
--peer.
"""

import argparse
import pathlib

import charts
import gymnasium
import numpy as np

import sinew
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


def learn(envs, steps, seconds, seed, checkpoint=None):
    """A learner and its rows of steps, seconds and return, printed and kept every eighth."""
    import ppo

    learner = ppo.Learner(envs, seed)
    if checkpoint and checkpoint.exists():
        learner.load(checkpoint)
        print(f"goes on from {checkpoint}, after {len(learner.rows)} updates", flush=True)
    rows = learner.rows
    for row in learner.train(steps, seconds):
        rows.append(row)
        if len(rows) % 8 == 0:
            print(f"{row[0]:9,} steps {row[1]:6.1f} s   return {row[2]:6.0f}", flush=True)
            if checkpoint:
                learner.save(checkpoint)
    if checkpoint:
        learner.save(checkpoint)
    count, passed, mean = rows[-1]
    print(
        f"{envs.num_envs} environments: {count:,} steps in {passed:.1f} s, {learner.environment_seconds:.1f} s of it in"
        f" the environments; return {mean:.0f}"
    )
    return learner


def film(learner, path, seconds=8, every=3):
    """One hopper does what was learnt; every third step is drawn, 42 pictures a second."""
    envs = gymnasium.make_vec(OURS, num_envs=1, autoreset_mode="SameStep", render_mode="rgb_array")
    seen, _ = envs.reset(seed=0)
    with sinew.Film(path, fps=envs.metadata["render_fps"] / every) as out:
        for step in range(round(seconds / envs.unwrapped.dt)):
            if step % every == 0:
                out.add(envs.render()[0])
            seen, *_ = envs.step(np.clip(learner.act(seen), -1, 1))
    envs.close()
    return out.frames


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
    parser.add_argument("--checkpoint", type=pathlib.Path)
    parser.add_argument("--film", type=pathlib.Path)
    parser.add_argument("--peer", action="store_true")
    options = parser.parse_args()
    envs = ours(options.environments)
    learner = learn(envs, options.steps, options.seconds, options.seed, options.checkpoint)
    curves = [np.array(learner.rows)]
    if options.film:
        film(learner, options.film)
    if options.peer:
        seconds = min(options.seconds, curves[0][-1, 1])
        curves.append(np.array(learn(peers(16), options.steps, seconds, options.seed).rows))
    if options.folder:
        (options.folder / "ppo_hopper.svg").write_text(picture(curves), encoding="utf-8")
    return curves


if __name__ == "__main__":
    main()
