"""Humanoid, who runs, and HumanoidStandup, who gets up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import sinew

from .batch_env import Rows
from .mujoco_env import MujocoVectorEnv, between, flat, square_sum


class _Humanoid(MujocoVectorEnv):
    """What both observe: the state after the last step, and fields of the last evaluation of forces."""

    def _take_observed(self, exclude: bool, cinert: bool, cvel: bool, actuator: bool, cfrc: bool):
        self._skip = 2 if exclude else 0
        include = {"cinert": cinert, "cvel": cvel, "qfrc_actuator": actuator, "cfrc_ext": cfrc}
        self._observed = tuple(name for name, wanted in include.items() if wanted)
        # the world is left out of what bodies have; and the free joint, of what joints have
        self._first = {"cinert": 1, "cvel": 1, "qfrc_actuator": 6, "cfrc_ext": 1}

    def _all_fields(self, *others: str) -> tuple[str, ...]:
        """Fields to bind: those observed, those of the infos, cfrc_ext of the reward, and others."""
        names = (*self._observed, "cfrc_ext", "ten_length", "ten_velocity", *others)
        return tuple(dict.fromkeys(names))

    def observation(self, s: Rows) -> NDArray:
        fields = (getattr(s, name)[:, self._first[name] :] for name in self._observed)
        return np.concatenate((s.qpos[:, self._skip :], s.qvel, *map(flat, fields)), axis=1)

    def _tendons(self, s: Rows) -> dict[str, NDArray]:
        return {"tendon_length": s.ten_length, "tendon_velocity": s.ten_velocity}


class HumanoidVectorEnv(_Humanoid):
    """gymnasium's Humanoid-v5: a humanoid runs, until it falls.

    Parameters are those of gymnasium's `HumanoidEnv`, then those of `BatchEnv`. Its velocity is that of the centre of
    mass by `xipos`, a field of the last evaluation of forces, before the step and after it; so are `cinert`, `cvel`,
    `qfrc_actuator`, `cfrc_ext` and the tendons' lengths and velocities. Controls are charged as they stand in `ctrl`.
    """

    _default_view = {"distance": 4.0, "lookat": (0.0, 0.0, 2.0), "elevation": -20.0}

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "humanoid.xml",
        frame_skip: int = 5,
        *,
        forward_reward_weight: float = 1.25,
        ctrl_cost_weight: float = 0.1,
        contact_cost_weight: float = 5e-7,
        contact_cost_range: tuple[float, float] = (-np.inf, 10.0),
        healthy_reward: float = 5.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: tuple[float, float] = (1.0, 2.0),
        reset_noise_scale: float = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ):
        self._forward_reward_weight = forward_reward_weight
        self._ctrl_cost_weight = ctrl_cost_weight
        self._contact_cost_weight = contact_cost_weight
        self._contact_cost_range = contact_cost_range
        self._healthy_reward = healthy_reward
        self._terminate_when_unhealthy = terminate_when_unhealthy
        self._healthy_z_range = healthy_z_range
        self._reset_noise_scale = reset_noise_scale
        self._take_observed(
            exclude_current_positions_from_observation,
            include_cinert_in_observation,
            include_cvel_in_observation,
            include_qfrc_actuator_in_observation,
            include_cfrc_ext_in_observation,
        )
        super().__init__(num_envs, xml_file, frame_skip, self._all_fields("xipos"), **options)

    def _learn(self, model: sinew.Model) -> None:
        self._share = model.body_mass / model.body_mass.sum()

    def _centre(self, s: Rows) -> NDArray:
        """x and y of the centre of mass [k, 2]."""
        return np.matmul(self._share, s.xipos[:, :, :2])

    def healthy(self, s: Rows) -> NDArray[np.bool_]:
        """Which stand [k]."""
        low, high = self._healthy_z_range
        return between(low, s.qpos[:, 2], high)

    def terminated(self, s: Rows) -> NDArray[np.bool_]:
        return ~self.healthy(s) if self._terminate_when_unhealthy else super().terminated(s)

    def before(self, s: Rows) -> NDArray:
        return self._centre(s)

    def reward(self, s: Rows, action: NDArray, before: NDArray):
        x, y = ((self._centre(s) - before) / self.dt).T
        forward = self._forward_reward_weight * x
        survive = self.healthy(s) * self._healthy_reward
        control = self._ctrl_cost_weight * square_sum(s.ctrl)
        contact = self._contact_cost_weight * square_sum(s.cfrc_ext)
        contact = np.clip(contact, *self._contact_cost_range)
        return forward + survive - (control + contact), {
            **self.reset_info(s),
            "x_velocity": x,
            "y_velocity": y,
            "reward_survive": survive,
            "reward_forward": forward,
            "reward_ctrl": -control,
            "reward_contact": -contact,
        }

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        x, y = s.qpos[:, 0], s.qpos[:, 1]
        place = {"x_position": x, "y_position": y, "distance_from_origin": np.hypot(x, y)}
        return place | self._tendons(s)


class HumanoidStandupVectorEnv(_Humanoid):
    """gymnasium's HumanoidStandup-v5: a humanoid lies and is paid for its height.

    Parameters are those of gymnasium's `HumanoidStandupEnv`, then those of `BatchEnv`. Its height is that after the
    last step; `cinert`, `cvel`, `qfrc_actuator`, `cfrc_ext` and the tendons' lengths and velocities are fields of the
    last evaluation of forces.
    """

    _default_view = {"distance": 4.0, "lookat": (0.0, 0.0, 0.8925), "elevation": -20.0}

    def __init__(
        self,
        num_envs: int = 1,
        xml_file: str = "humanoidstandup.xml",
        frame_skip: int = 5,
        *,
        uph_cost_weight: float = 1,
        ctrl_cost_weight: float = 0.1,
        impact_cost_weight: float = 0.5e-6,
        impact_cost_range: tuple[float, float] = (-np.inf, 10.0),
        reset_noise_scale: float = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ):
        self._uph_cost_weight = uph_cost_weight  # which gymnasium takes and does not use, either
        self._ctrl_cost_weight = ctrl_cost_weight
        self._impact_cost_weight = impact_cost_weight
        self._impact_cost_range = impact_cost_range
        self._reset_noise_scale = reset_noise_scale
        self._take_observed(
            exclude_current_positions_from_observation,
            include_cinert_in_observation,
            include_cvel_in_observation,
            include_qfrc_actuator_in_observation,
            include_cfrc_ext_in_observation,
        )
        super().__init__(num_envs, xml_file, frame_skip, self._all_fields(), **options)

    def reward(self, s: Rows, action: NDArray, before: None):
        height = s.qpos[:, 2] / self.model.opt.timestep
        control = self._ctrl_cost_weight * square_sum(s.ctrl)
        impact = self._impact_cost_weight * square_sum(s.cfrc_ext)
        impact = np.clip(impact, *self._impact_cost_range)
        return height - control - impact + 1, {
            **self.reset_info(s),
            "reward_linup": height,
            "reward_quadctrl": -control,
            "reward_impact": -impact,
        }

    def reset_info(self, s: Rows) -> dict[str, NDArray]:
        z = s.qpos[:, 2] - self.model.qpos0[2]
        place = {"x_position": s.qpos[:, 0], "y_position": s.qpos[:, 1]}
        return place | {"z_distance_from_origin": z} | self._tendons(s)
