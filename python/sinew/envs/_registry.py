"""The environments in gymnasium's registry, as `sinew/NAME-v5`."""

from __future__ import annotations

import functools
import importlib
import sys

import gymnasium

from .._in_place import SHADOW

# Name, gymnasium's module, steps of an episode, the mean return that counts as solved: as gymnasium registers them.
_TABLE = (
    ("Ant", "ant", 1000, 6000.0),
    ("HalfCheetah", "half_cheetah", 1000, 4800.0),
    ("Hopper", "hopper", 1000, 3800.0),
    ("Humanoid", "humanoid", 1000, None),
    ("HumanoidStandup", "humanoidstandup", 1000, None),
    ("InvertedDoublePendulum", "inverted_double_pendulum", 1000, 9100.0),
    ("InvertedPendulum", "inverted_pendulum", 1000, 950.0),
    ("Pusher", "pusher", 100, 0.0),
    ("Reacher", "reacher", 50, -3.75),
    ("Swimmer", "swimmer", 1000, 360.0),
    ("Walker2d", "walker2d", 1000, None),
)


def _mujoco_is_ours() -> bool:
    """`import mujoco` gives, or would give, sinew.mujoco."""
    loaded = sys.modules.get("mujoco")
    if loaded is not None:
        return loaded is sys.modules.get("sinew.mujoco")
    found = importlib.util.find_spec("mujoco")
    return found is not None and str(found.origin).startswith(SHADOW)


def single(name: str, module: str, **options) -> gymnasium.Env:
    """One environment: gymnasium's own class, with Sinew in the place of MuJoCo."""
    if not _mujoco_is_ours():
        raise gymnasium.error.DependencyNotInstalled(
            f"gymnasium.make('sinew/{name}-v5') runs gymnasium's own environment on Sinew, which has to stand in the "
            "place of MuJoCo: import sinew.as_mujoco first, or run the program by python -m sinew.run; "
            f"gymnasium.make_vec('sinew/{name}-v5', num_envs=1) needs neither"
        )
    place = importlib.import_module(f"gymnasium.envs.mujoco.{module}_v5")
    return getattr(place, f"{name}Env")(**options)


def __getattr__(attribute: str):
    """The entry points, by name: gymnasium loads them when an environment is made."""
    for name, module, *_ in _TABLE:
        if attribute == name:
            return functools.partial(single, name, module)
    raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")


def register() -> None:
    """Tell gymnasium of the environments; those that are there already stay."""
    for name, _, steps, solved in _TABLE:
        if f"sinew/{name}-v5" not in gymnasium.registry:
            gymnasium.register(
                id=f"sinew/{name}-v5",
                entry_point=f"sinew.envs._registry:{name}",
                vector_entry_point=f"sinew.envs:{name}VectorEnv",
                max_episode_steps=steps,
                reward_threshold=solved,
            )
