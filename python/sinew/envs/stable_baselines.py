"""Vector environments for Stable-Baselines3, which has an interface of its own (`VecEnv`).

>>> import gymnasium
>>> from sinew.envs.stable_baselines import StableBaselinesEnv
>>> envs = gymnasium.make_vec(
...     "sinew/Hopper-v5", num_envs=16, autoreset_mode="SameStep", episode_statistics=True
... )
>>> model = stable_baselines3.PPO("MlpPolicy", StableBaselinesEnv(envs))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        "sinew.envs.stable_baselines needs Stable-Baselines3: pip install stable-baselines3",
        name="stable_baselines3",
    ) from error

from . import _info


class StableBaselinesEnv(VecEnv):
    """A gymnasium vector environment as a `VecEnv` of Stable-Baselines3.

    Infos are those of each environment, with "TimeLimit.truncated", and where an episode has ended with
    "terminal_observation" and, if the environment keeps statistics, "episode", which Stable-Baselines3 logs.

    Parameters
    ----------
    envs : gymnasium.vector.VectorEnv
        One that begins anew in the step in which an episode ends: `autoreset_mode="SameStep"`.
    """

    def __init__(self, envs: gymnasium.vector.VectorEnv):
        if envs.metadata.get("autoreset_mode") is not AutoresetMode.SAME_STEP:
            raise ValueError(
                "Stable-Baselines3 begins anew in the step in which an episode ends: "
                "make the environments with autoreset_mode='SameStep'"
            )
        self.envs = envs
        self._actions: NDArray | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> NDArray:
        """Begin all episodes, with the seeds of `seed` if it was called: observations [num_envs, ...]."""
        options = next((one for one in self._options if one), None)
        observations, infos = self.envs.reset(seed=list(self._seeds), options=options)
        self.reset_infos = _info.separate(infos, self.num_envs)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray) -> None:
        """Take actions [num_envs, ...] for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step: observations, rewards, dones and a dictionary for each environment."""
        observations, rewards, terminations, truncations, infos = self.envs.step(self._actions)
        dones = terminations | truncations
        final, last = infos.pop("final_obs", None), infos.pop("final_info", {})
        infos.pop("_final_obs", None), infos.pop("_final_info", None)
        episode, ended = infos.pop("episode", None), infos.pop("_episode", None)
        told = _info.separate(infos, self.num_envs)
        ends = _info.separate(last, self.num_envs) if dones.any() else told
        for i in np.flatnonzero(dones):
            self.reset_infos[i] = told[i]
            told[i] = {**ends[i], "terminal_observation": final[i]}
            if episode is not None and ended[i]:
                told[i]["episode"] = {key: value[i] for key, value in episode.items()}
        for one, cut in zip(told, (truncations & ~terminations).tolist(), strict=True):
            one["TimeLimit.truncated"] = cut
        return observations, rewards.astype(np.float32), dones, told

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def get_images(self) -> Sequence[NDArray[np.uint8]]:
        """Pictures of the environments that `render_ids` names, which `render` puts side by side."""
        return list(self.envs.render())

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of the vector environment, once for each index."""
        value = getattr(self.envs.unwrapped, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Set an attribute of the vector environment, which all have in common.

        Raises
        ------
        ValueError
            indices leaves some out.
        """
        self._refuse_some(indices)
        setattr(self.envs.unwrapped, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method of the vector environment once; its result, for each environment.

        Raises
        ------
        ValueError
            indices leaves some out.
        """
        self._refuse_some(indices)
        result = getattr(self.envs.unwrapped, method_name)(*method_args, **method_kwargs)
        return [result for _ in range(self.num_envs)]

    def env_is_wrapped(
        self, wrapper_class: type, indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """Whether a wrapper of single environments is around: never."""
        return [False for _ in self._get_indices(indices)]

    def _refuse_some(self, indices: int | Iterable[int] | None) -> None:
        if set(self._get_indices(indices)) != set(range(self.num_envs)):
            raise ValueError(
                f"indices={indices}: environments of a batch share attributes and methods; leave indices out"
            )
