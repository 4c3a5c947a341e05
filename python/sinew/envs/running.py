"""Ant, HalfCheetah, Hopper, Swimmer and Walker2d: they are paid for running ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import sinew

from .batch_env import Rows
from .mujoco_env import MujocoVectorEnv, between, flat, square_sum


class _Runner(MujocoVectorEnv):
    """Paid for its speed along x and for its health, and charged for its controls."""

    _planar_position = 1  # coordinates that say where it is
    _healthy_reward: float | None = None  # None: it is always well
    _terminate_when_unhealthy = False

    def _take_weights(self, speed: float, control: float, noise: float, exclude: bool) -> None:
        self._forward_reward_weight = speed
        self._ctrl_cost_weight = control
        self._reset_noise_scale = noise
        self._skip = self._planar_position if exclude else 0

    def healthy(self, s: Rows) -> NDArray[np.bool_]:
        """Which are well [k]."""
        raise NotImplementedError

    def terminated(self, s: Rows) -> NDArray[np.bool_]:
        if not self._terminate_when_unhealthy:
            return np.zeros(len(s), np.bool_)
        return ~self.healthy(s)

    def before(self, s: Rows) -> NDArray:
        return s.qpos[:, : self._planar_position].copy()

    def _pay(
        self, s: Rows, velocity: NDArray, action: NDArray
    ) -> tuple[NDArray, dict[str, NDArray]]:
        """Reward [k] and its terms, from the velocity along x."""
        forward = self._forward_reward_weight * velocity
        control = self._ctrl_cost_weight * square_sum(action)
        if self._healthy_reward is None:
            return forward - control, {"reward_forward": forward, "reward_ctrl": -control}
        survive = self.healthy(s) * self._healthy_reward
        terms = {"reward_forward": forward, "reward_ctrl": -control, "reward_survive": survive}
        return forward + survive - control, terms


class HalfCheetahVectorEnv(_Runner):
    """gymnasium's HalfCheetah-v5: a planar cheetah runs, for as long as the episode lasts.

    Parameters are those of gymnasium's `HalfCheetahEnv`, then those of `BatchEnv`. All that it observes is the state
    after the last step.
    """

    _default_view = {"distance": 4.0}
    _normal_velocities = True

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "half_cheetah.xml",
        frame_skip: int = 5,
        *,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 0.1,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **options: Any,
    ):
        self._take_weights(
            forward_reward_weight,
            ctrl_cost_weight,
            reset_noise_scale,
            exclude_current_positions_from_observation,
        )
        super().__init__(num_envs, xml_file, frame_skip, **options)

    def observation(self, s: Rows) -> NDArray:
        return np.concatenate((s.qpos[:, self._skip :], s.qvel), axis=1)

    def reward(self, s: Rows, action: NDArray, before: NDArray):
        x = s.qpos[:, 0]
        velocity = (x - before[:, 0]) / self.dt
        reward, terms = self._pay(s, velocity, action)
        return reward, {"x_position": x, "x_velocity": velocity, **terms}

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        return {"x_position": s.qpos[:, 0]}


class _UprightRunner(_Runner):
    """Planar walkers that can fall: qpos is x, z, the trunk's angle and joints."""

    def observation(self, s: Rows) -> NDArray:
        return np.concatenate((s.qpos[:, self._skip :], np.clip(s.qvel, -10, 10)), axis=1)

    def reward(self, s: Rows, action: NDArray, before: NDArray):
        velocity = (s.qpos[:, 0] - before[:, 0]) / self.dt
        reward, terms = self._pay(s, velocity, action)
        return reward, {**self.reset_info(s), "x_velocity": velocity, **terms}

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        z = s.qpos[:, 1] - self.model.qpos0[1]
        return {"x_position": s.qpos[:, 0], "z_distance_from_origin": z}


class HopperVectorEnv(_UprightRunner):
    """gymnasium's Hopper-v5: a leg hops, until it falls.

    Parameters are those of gymnasium's `HopperEnv`, then those of `BatchEnv`. All that it observes is the state after
    the last step.
    """

    _default_view = {"distance": 3.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "hopper.xml",
        frame_skip: int = 4,
        *,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-3,
        healthy_reward: float = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_state_range: tuple[float, float] = (-100.0, 100.0),
        healthy_z_range: tuple[float, float] = (0.7, float("inf")),
        healthy_angle_range: tuple[float, float] = (-0.2, 0.2),
        reset_noise_scale: float = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        **options: Any,
    ):
        self._take_weights(
            forward_reward_weight,
            ctrl_cost_weight,
            reset_noise_scale,
            exclude_current_positions_from_observation,
        )
        self._healthy_reward = healthy_reward
        self._terminate_when_unhealthy = terminate_when_unhealthy
        self._healthy_state_range = healthy_state_range
        self._healthy_z_range = healthy_z_range
        self._healthy_angle_range = healthy_angle_range
        super().__init__(num_envs, xml_file, frame_skip, **options)

    def healthy(self, s: Rows) -> NDArray[np.bool_]:
        low, high = self._healthy_state_range
        state = np.concatenate((s.qpos[:, 2:], s.qvel), axis=1)
        return (
            between(low, state, high).all(axis=1)
            & between(self._healthy_z_range[0], s.qpos[:, 1], self._healthy_z_range[1])
            & between(self._healthy_angle_range[0], s.qpos[:, 2], self._healthy_angle_range[1])
        )


class Walker2dVectorEnv(_UprightRunner):
    """gymnasium's Walker2d-v5: two legs walk, until they fall.

    Parameters are those of gymnasium's `Walker2dEnv`, then those of `BatchEnv`. All that it observes is the state after
    the last step.
    """

    _default_view = {"distance": 4.0, "lookat": (0.0, 0.0, 1.15), "elevation": -20.0}

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "walker2d_v5.xml",
        frame_skip: int = 4,
        *,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-3,
        healthy_reward: float = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (0.8, 2.0),
        healthy_angle_range: tuple[float, float] = (-1.0, 1.0),
        reset_noise_scale: float = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        **options: Any,
    ):
        self._take_weights(
            forward_reward_weight,
            ctrl_cost_weight,
            reset_noise_scale,
            exclude_current_positions_from_observation,
        )
        self._healthy_reward = healthy_reward
        self._terminate_when_unhealthy = terminate_when_unhealthy
        self._healthy_z_range = healthy_z_range
        self._healthy_angle_range = healthy_angle_range
        super().__init__(num_envs, xml_file, frame_skip, **options)

    def healthy(self, s: Rows) -> NDArray[np.bool_]:
        return between(self._healthy_z_range[0], s.qpos[:, 1], self._healthy_z_range[1]) & between(
            self._healthy_angle_range[0], s.qpos[:, 2], self._healthy_angle_range[1]
        )


def _place(s: Rows) -> dict[str, NDArray]:
    """Infos of where a robot in space, or a swimmer, is."""
    x, y = s.qpos[:, 0], s.qpos[:, 1]
    return {"x_position": x, "y_position": y, "distance_from_origin": np.hypot(x, y)}


class SwimmerVectorEnv(_Runner):
    """gymnasium's Swimmer-v5: three links swim, for as long as the episode lasts.

    Parameters are those of gymnasium's `SwimmerEnv`, then those of `BatchEnv`. All that it observes is the state after
    the last step.
    """

    _planar_position = 2

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "swimmer.xml",
        frame_skip: int = 4,
        *,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-4,
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        **options: Any,
    ):
        self._take_weights(
            forward_reward_weight,
            ctrl_cost_weight,
            reset_noise_scale,
            exclude_current_positions_from_observation,
        )
        super().__init__(num_envs, xml_file, frame_skip, **options)

    def observation(self, s: Rows) -> NDArray:
        return np.concatenate((s.qpos[:, self._skip :], s.qvel), axis=1)

    def reward(self, s: Rows, action: NDArray, before: NDArray):
        x, y = ((s.qpos[:, :2] - before) / self.dt).T
        reward, terms = self._pay(s, x, action)
        return reward, {**_place(s), "x_velocity": x, "y_velocity": y, **terms}

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        return _place(s)


class AntVectorEnv(_Runner):
    """gymnasium's Ant-v5: four legs run, until the torso is too low or too high.

    Parameters are those of gymnasium's `AntEnv`, then those of `BatchEnv`. Its velocity is that of the main body's
    `xpos`, a field of the last evaluation of forces, before the step and after it; `cfrc_ext` is of that evaluation,
    too.
    """

    _default_view = {"distance": 4.0}
    _planar_position = 2
    _normal_velocities = True

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "ant.xml",
        frame_skip: int = 5,
        *,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 0.5,
        contact_cost_weight: float = 5e-4,
        healthy_reward: float = 1.0,
        main_body: int | str = 1,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (0.2, 1.0),
        contact_force_range: tuple[float, float] = (-1.0, 1.0),
        reset_noise_scale: float = 0.1,
        exclude_current_positions_from_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ):
        self._take_weights(
            forward_reward_weight,
            ctrl_cost_weight,
            reset_noise_scale,
            exclude_current_positions_from_observation,
        )
        self._contact_cost_weight = contact_cost_weight
        self._healthy_reward = healthy_reward
        self._main_body = main_body
        self._terminate_when_unhealthy = terminate_when_unhealthy
        self._healthy_z_range = healthy_z_range
        self._contact_force_range = contact_force_range
        self._include_cfrc_ext = include_cfrc_ext_in_observation
        super().__init__(num_envs, xml_file, frame_skip, ("xpos", "cfrc_ext"), **options)

    def _learn(self, model: sinew.Model) -> None:
        self._body = model.body(self._main_body).id

    def _contact_forces(self, s: Rows) -> NDArray:
        return np.clip(s.cfrc_ext, *self._contact_force_range)

    def healthy(self, s: Rows) -> NDArray[np.bool_]:
        low, high = self._healthy_z_range
        finite = np.isfinite(s.qpos).all(axis=1) & np.isfinite(s.qvel).all(axis=1)
        return finite & (low <= s.qpos[:, 2]) & (s.qpos[:, 2] <= high)

    def before(self, s: Rows) -> NDArray:
        return s.xpos[:, self._body, :2].copy()

    def observation(self, s: Rows) -> NDArray:
        parts = [s.qpos[:, self._skip :], s.qvel]
        if self._include_cfrc_ext:
            parts.append(flat(self._contact_forces(s)[:, 1:]))
        return np.concatenate(parts, axis=1)

    def reward(self, s: Rows, action: NDArray, before: NDArray):
        x, y = ((s.xpos[:, self._body, :2] - before) / self.dt).T
        reward, terms = self._pay(s, x, action)
        contact = self._contact_cost_weight * square_sum(self._contact_forces(s))
        terms["reward_contact"] = -contact
        return reward - contact, {**_place(s), "x_velocity": x, "y_velocity": y, **terms}

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        return _place(s)
