"""InvertedPendulum and InvertedDoublePendulum: a cart keeps one or two poles upright."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch_env import Rows
from .mujoco_env import MujocoVectorEnv


class InvertedPendulumVectorEnv(MujocoVectorEnv):
    """gymnasium's InvertedPendulum-v5: 1 for each step in which the pole has not fallen.

    Parameters are those of gymnasium's `InvertedPendulumEnv`, then those of `BatchEnv`. It observes the state after the
    last step.
    """

    _default_view = {"distance": 2.04}

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "inverted_pendulum.xml",
        frame_skip: int = 2,
        *,
        reset_noise_scale: float = 0.01,
        **options: Any,
    ):
        self._reset_noise_scale = reset_noise_scale
        super().__init__(num_envs, xml_file, frame_skip, **options)

    def observation(self, s: Rows) -> NDArray:
        return np.concatenate((s.qpos, s.qvel), axis=1)

    def terminated(self, s: Rows) -> NDArray[np.bool_]:
        state = self.observation(s)
        return ~np.isfinite(state).all(axis=1) | (np.abs(state[:, 1]) > 0.2)

    def reward(self, s: Rows, action: NDArray, before: None):
        reward = (~self.terminated(s)).astype(int)
        return reward, {"reward_survive": reward}


class InvertedDoublePendulumVectorEnv(MujocoVectorEnv):
    """gymnasium's InvertedDoublePendulum-v5: paid while the tip of the second pole is high, little moved and slow.

    Parameters are those of gymnasium's `InvertedDoublePendulumEnv`, then those of `BatchEnv`. The tip's place,
    `site_xpos`, and the force `qfrc_constraint` on the cart are fields of the last evaluation of forces; angles and
    velocities those after the last step.
    """

    _normal_velocities = True

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "inverted_double_pendulum.xml",
        frame_skip: int = 5,
        *,
        healthy_reward: float = 10.0,
        reset_noise_scale: float = 0.1,
        **options: Any,
    ):
        self._healthy_reward = healthy_reward
        self._reset_noise_scale = reset_noise_scale
        super().__init__(
            num_envs, xml_file, frame_skip, ("site_xpos", "qfrc_constraint"), **options
        )

    def observation(self, s: Rows) -> NDArray:
        angles = s.qpos[:, 1:]
        return np.concatenate(
            (
                s.qpos[:, :1],
                np.sin(angles),
                np.cos(angles),
                np.clip(s.qvel, -10, 10),
                np.clip(s.qfrc_constraint[:, :1], -10, 10),
            ),
            axis=1,
        )

    def terminated(self, s: Rows) -> NDArray[np.bool_]:
        return s.site_xpos[:, 0, 2] <= 1

    def reward(self, s: Rows, action: NDArray, before: None):
        x, height = s.site_xpos[:, 0, 0], s.site_xpos[:, 0, 2]
        first, second = s.qvel[:, 1], s.qvel[:, 2]
        distance = 0.01 * x**2 + (height - 2) ** 2
        velocity = 1e-3 * first**2 + 5e-3 * second**2
        survive = self._healthy_reward * ~self.terminated(s)
        return survive - distance - velocity, {
            "reward_survive": survive,
            "distance_penalty": -distance,
            "velocity_penalty": -velocity,
        }
