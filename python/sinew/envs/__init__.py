"""Environments for learning: many at once, on a `sinew.Batch`.

`BatchEnv` is a `gymnasium.vector.VectorEnv` on which an environment for a model of one's own takes thirty lines.
gymnasium's MuJoCo environments, version 5, are here as classes (`HumanoidVectorEnv`) and, once this package is
imported, under names of gymnasium's registry:

>>> import gymnasium
>>> import sinew.envs
>>> envs = gymnasium.make_vec("sinew/Humanoid-v5", num_envs=64)

`sinew.envs.stable_baselines` has the adapter for Stable-Baselines3. `import sinew` alone needs no gymnasium.
"""

try:
    from gymnasium.vector import AutoresetMode
except ImportError as error:
    raise ImportError(
        "sinew.envs needs gymnasium 1.1 or newer: pip install 'gymnasium>=1.1'", name="gymnasium"
    ) from error

from ._draws import Draws
from ._registry import register
from .batch_env import BatchEnv, Rows
from .humanoid import HumanoidStandupVectorEnv, HumanoidVectorEnv
from .mujoco_env import MujocoVectorEnv
from .pendulum import InvertedDoublePendulumVectorEnv, InvertedPendulumVectorEnv
from .reaching import PusherVectorEnv, ReacherVectorEnv
from .running import (
    AntVectorEnv,
    HalfCheetahVectorEnv,
    HopperVectorEnv,
    SwimmerVectorEnv,
    Walker2dVectorEnv,
)

__all__ = [
    "AntVectorEnv",
    "AutoresetMode",
    "BatchEnv",
    "Draws",
    "HalfCheetahVectorEnv",
    "HopperVectorEnv",
    "HumanoidStandupVectorEnv",
    "HumanoidVectorEnv",
    "InvertedDoublePendulumVectorEnv",
    "InvertedPendulumVectorEnv",
    "MujocoVectorEnv",
    "PusherVectorEnv",
    "ReacherVectorEnv",
    "Rows",
    "SwimmerVectorEnv",
    "Walker2dVectorEnv",
]

register()
