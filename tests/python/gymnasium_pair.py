"""Our vector environments beside gymnasium's own, which run on scalar Sinew: a program for the tests.

Each line of its input asks, as a JSON list: what is compared (see `COMPARED`), the name of an environment, and options
of both. It answers with a line, a JSON object: the largest difference of each quantity, and how often things happened;
or the text of an error, where dtypes, keys, masks or shapes differ.

At each step the state and the warm start of ours are written into gymnasium's, so that differences do not grow.
"""

import functools
import json
import sys
import traceback
import types

import sinew.as_mujoco  # noqa: F401

if "imageio" not in sys.modules:
    sys.modules["imageio"] = types.ModuleType("imageio")  # gymnasium asks for it, to write videos

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import sinew.envs  # noqa: F401

N = 5
gymnasium.logger.min_level = 50


class Differences(dict):
    """The largest |difference| / (1 + |value|) of each quantity."""

    def note(self, name, ours, theirs):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.dtype == theirs.dtype, f"{name}: {ours.dtype}, gymnasium has {theirs.dtype}"
        assert ours.shape == theirs.shape, f"{name}: {ours.shape}, gymnasium has {theirs.shape}"
        if ours.dtype == object:
            for i, (one, other) in enumerate(zip(ours.flat, theirs.flat, strict=True)):
                assert (one is None) == (other is None), (
                    f"{name}[{i}]: {one}, gymnasium has {other}"
                )
                if one is not None:
                    self.note(name, one, other)
            return
        if ours.dtype == bool:
            assert (ours == theirs).all(), f"{name}: {ours}, gymnasium has {theirs}"
            return
        assert (np.isnan(ours) == np.isnan(theirs)).all(), f"{name}: NaN in different places"
        error = np.abs(ours.astype(float) - theirs) / (1 + np.abs(theirs))
        self[name] = max(self.get(name, 0.0), float(np.nanmax(error, initial=0)))

    def note_infos(self, ours, theirs, place=""):
        assert set(ours) == set(theirs), (
            f"infos{place}: {sorted(ours)}, gymnasium has {sorted(theirs)}"
        )
        for key, value in theirs.items():
            if key == "t" and "episode" in place:
                continue
            if isinstance(value, dict):
                self.note_infos(ours[key], value, f"{place}.{key}")
            else:
                self.note(f"{place}.{key}".lstrip("."), ours[key], value)


def make(name, options, mode, steps, statistics):
    """Ours, and gymnasium's own as single environments within its SyncVectorEnv."""
    options = {"max_episode_steps": steps, **options}
    more = {"episode_statistics": True} if statistics else {}
    ours = gymnasium.make_vec(f"sinew/{name}-v5", N, autoreset_mode=mode, **options, **more)
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make(f"sinew/{name}-v5", **options)] * N, autoreset_mode=mode
    )
    return ours, theirs


def write_states(ours, theirs):
    """The state of ours into gymnasium's; what was computed from the last one stays."""
    batch = ours.unwrapped.batch
    for i, env in enumerate(theirs.envs):
        data = env.unwrapped.data
        data.time = batch.time[i]
        for field in ("qpos", "qvel", "act", "qacc_warmstart"):
            getattr(data, field)[:] = getattr(batch, field)[i]


def compare_steps(
    name,
    options,
    mode=AutoresetMode.NEXT_STEP,
    steps=40,
    count=200,
    wrap=None,
    spoil=None,
    statistics=False,
):
    """Episodes under random actions, with resets as the mode has them."""
    ours, theirs = make(name, options, mode, steps, statistics)
    for space in "observation_space", "action_space":
        for prefix in "", "single_":
            a, b = (getattr(envs, prefix + space) for envs in (ours, theirs))
            assert a == b, f"{prefix}{space}: {a}, gymnasium has {b}"
    if wrap:
        ours, theirs = ours if statistics else wrap(ours), wrap(theirs)
    differences = Differences()
    seen = {"terminations": 0, "truncations": 0}
    first, their_first = ours.reset(seed=3), theirs.reset(seed=3)
    differences.note("first observation", first[0], their_first[0])
    differences.note_infos(first[1], their_first[1])
    rng = np.random.default_rng(0)
    space = ours.action_space
    for k in range(count):
        action = rng.uniform(space.low, space.high).astype(np.float32)
        if spoil:
            spoil(action, k)
        write_states(ours, theirs.unwrapped)
        result, their_result = ours.step(action), theirs.step(action)
        names = "observation", "reward", "terminations", "truncations"
        for what, one, other in zip(names, result, their_result, strict=False):
            differences.note(what, one, other)
        differences.note_infos(result[4], their_result[4])
        seen["terminations"] += int(result[2].sum())
        seen["truncations"] += int(result[3].sum())
        ended = result[2] | result[3]
        if mode is AutoresetMode.DISABLED and ended.any():
            seeds = [int(s) for s in rng.integers(1000, size=N)]
            first, their_first = (
                envs.reset(seed=seeds, options={"reset_mask": ended.copy()})
                for envs in (ours, theirs)
            )
            differences.note("observation", first[0], their_first[0])
            differences.note_infos(first[1], their_first[1])
    return {"differences": differences, **seen}


def put_bad_numbers(action, k):
    """NaN and infinity in the actions of two of the environments."""
    if k % 7 == 2:
        action[1, 0] = np.nan
        action[3, -1] = np.inf


def check_single(name, options):
    """gymnasium's checker on the single environment, which is gymnasium's own class."""
    env = gymnasium.make(f"sinew/{name}-v5", **options)
    check_env(env.unwrapped, skip_render_check=True)
    engine = type(env.unwrapped.model)
    return {"class": type(env.unwrapped).__qualname__, "engine": f"{engine.__module__}"}


NEXT, SAME, DISABLED = AutoresetMode
COMPARED = {
    "steps": compare_steps,
    "next": functools.partial(compare_steps, mode=NEXT, steps=9, count=60),
    "same": functools.partial(compare_steps, mode=SAME, steps=9, count=60),
    "disabled": functools.partial(compare_steps, mode=DISABLED, steps=9, count=60),
    "bad": functools.partial(compare_steps, count=30, spoil=put_bad_numbers),
    "single": check_single,
} | {
    f"{whose} statistics {mode.value}": functools.partial(
        compare_steps,
        mode=mode,
        steps=9,
        count=60,
        wrap=RecordEpisodeStatistics,
        statistics=whose == "our",
    )
    for whose in ("gymnasium's", "our")
    for mode in (NEXT, SAME)
}


def answer(what, name, options):
    """The answer to one line."""
    try:
        return COMPARED[what](name, options)
    except Exception:
        return traceback.format_exc()


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # what others print is no answer
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), file=answers, flush=True)
