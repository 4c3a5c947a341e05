"""Reacher and Pusher: an arm brings its tip, or what it pushes, to a goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sinew

from ._draws import Draws
from .batch_env import Rows
from .mujoco_env import MujocoVectorEnv, square_sum


def _drawn_until(
    draw: Callable[[Draws], NDArray], good: Callable[[NDArray], NDArray], rng: Draws
) -> NDArray:
    """A draw of each generator, again where it is not good."""
    rows = draw(rng)
    left = np.flatnonzero(~good(rows))
    while left.size:
        rows[left] = draw(rng[left])
        left = left[~good(rows[left])]
    return rows


class _Arm(MujocoVectorEnv):
    """Measures distances between bodies, whose `xpos` are fields of the last evaluation of forces."""

    _names: tuple[str, ...] = ()

    def _learn(self, model: sinew.Model) -> None:
        self._bodies = {name: model.body(name).id for name in self._names}

    def _at(self, s: Rows, name: str) -> NDArray:
        return s.xpos[:, self._bodies[name]]

    def _far(self, s: Rows, a: str, b: str) -> NDArray:
        return np.linalg.norm(self._at(s, a) - self._at(s, b), axis=1)


class ReacherVectorEnv(_Arm):
    """gymnasium's Reacher-v5: two links bring the fingertip to a target.

    Parameters are those of gymnasium's `ReacherEnv`, then those of `BatchEnv`. Distances to the target are of the last
    evaluation of forces; angles and velocities those after the last step.
    """

    _names = ("fingertip", "target")

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "reacher.xml",
        frame_skip: int = 2,
        *,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 1,
        max_episode_steps: int | None = 50,
        **options: Any,
    ):
        self._reward_dist_weight = reward_dist_weight
        self._reward_control_weight = reward_control_weight
        options["max_episode_steps"] = max_episode_steps
        super().__init__(num_envs, xml_file, frame_skip, ("xpos",), **options)

    def reset_state(self, s: Rows, rng: Draws) -> tuple[NDArray, NDArray]:
        qpos = rng.uniform(-0.1, 0.1, self.model.nq) + self.model.qpos0
        qpos[:, -2:] = _drawn_until(
            lambda some: some.uniform(-0.2, 0.2, 2),
            lambda goals: np.linalg.norm(goals, axis=1) < 0.2,
            rng,
        )
        qvel = rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -2:] = 0
        return qpos, qvel

    def observation(self, s: Rows) -> NDArray:
        angles = s.qpos[:, :2]
        left = self._at(s, "fingertip") - self._at(s, "target")
        parts = np.cos(angles), np.sin(angles), s.qpos[:, 2:], s.qvel[:, :2], left[:, :2]
        return np.concatenate(parts, axis=1)

    def reward(self, s: Rows, action: NDArray, before: None):
        distance = -self._far(s, "fingertip", "target") * self._reward_dist_weight
        control = -square_sum(action) * self._reward_control_weight
        return distance + control, {"reward_dist": distance, "reward_ctrl": control}


class PusherVectorEnv(_Arm):
    """gymnasium's Pusher-v5: an arm of seven joints pushes a cylinder to a goal.

    Parameters are those of gymnasium's `PusherEnv`, then those of `BatchEnv`. Places of bodies are of the last
    evaluation of forces; angles and velocities those after the last step.
    """

    _default_view = {"distance": 4.0}
    _names = ("tips_arm", "object", "goal")

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "pusher_v5.xml",
        frame_skip: int = 5,
        *,
        reward_near_weight: float = 0.5,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 0.1,
        max_episode_steps: int | None = 100,
        **options: Any,
    ):
        self._reward_near_weight = reward_near_weight
        self._reward_dist_weight = reward_dist_weight
        self._reward_control_weight = reward_control_weight
        options["max_episode_steps"] = max_episode_steps
        super().__init__(num_envs, xml_file, frame_skip, ("xpos",), **options)

    def reset_state(self, s: Rows, rng: Draws) -> tuple[NDArray, NDArray]:
        qpos = np.tile(self.model.qpos0, (len(s), 1))
        qpos[:, -4:-2] = _drawn_until(
            lambda some: np.hstack((some.uniform(-0.3, 0, 1), some.uniform(-0.2, 0.2, 1))),
            lambda places: np.linalg.norm(places, axis=1) > 0.17,
            rng,
        )
        qpos[:, -2:] = 0
        qvel = rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[:, -4:] = 0
        return qpos, qvel

    def observation(self, s: Rows) -> NDArray:
        places = (self._at(s, name) for name in self._names)
        return np.concatenate((s.qpos[:, :7], s.qvel[:, :7], *places), axis=1)

    def reward(self, s: Rows, action: NDArray, before: None):
        near = -self._far(s, "object", "tips_arm") * self._reward_near_weight
        distance = -self._far(s, "object", "goal") * self._reward_dist_weight
        control = -square_sum(action) * self._reward_control_weight
        return distance + control + near, {
            "reward_dist": distance,
            "reward_ctrl": control,
            "reward_near": near,
        }
