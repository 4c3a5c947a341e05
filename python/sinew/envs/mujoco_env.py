"""What gymnasium's MuJoCo environments of version 5 share, on a batch."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import sinew

from ._draws import Draws
from ._pictures import Pictures, middle_camera
from .batch_env import BatchEnv, Rows


def _model_path(xml_file: str | os.PathLike) -> str:
    """gymnasium's rule: a path that begins with ".", "/" or "~", or one of its own models."""
    name = os.fspath(xml_file)
    if name.startswith("~"):
        return os.path.expanduser(name)
    if name.startswith((".", os.sep)) or os.path.isabs(name):
        return name
    folder = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    if not (folder / name).exists():
        raise FileNotFoundError(
            f"{name} is none of gymnasium's models in {folder}; begin the path of a file of yours with ./, / or ~"
        )
    return str(folder / name)


class MujocoVectorEnv(BatchEnv):
    """A `BatchEnv` that starts and measures as gymnasium's `MujocoEnv`.

    Episodes start at the model's positions and at rest, both with noise. Positions and velocities are those after the
    last step of the simulation; fields that a forward pass computes are those of its last evaluation of forces: one
    step before, or with RK4 the fourth stage of that step. `cfrc_ext` is computed from them after the last step, and
    is 0 after a reset.

    Parameters
    ----------
    num_envs, frame_skip, fields, **options
        As for `BatchEnv`.
    xml_file : str
        The model: one of gymnasium's, or a path that begins with ".", "/" or "~".
    physics : str
        Which MuJoCo's rules the model is compiled and stepped by, "3.3.7" or "4.0" (docs/releases.md). An environment
        of gymnasium's own on `sinew.mujoco`, whose interface is 3.3.7's, means 3.3.7.
    default_camera_config, width, height, camera_id, camera_name, max_geom, visual_options
        What gymnasium's environments take for their pictures, which are of one camera for all environments.
    """

    # the scale of the noise at the start, and how that of the velocities is distributed
    _reset_noise_scale = 0.0
    _normal_velocities = False
    # how gymnasium's camera differs from the one that looks at the middle of the geoms, as far as the model is large
    _default_view: Mapping[str, Any] = {}

    def __init__(
        self,
        num_envs: int,
        xml_file: str | os.PathLike,
        frame_skip: int,
        fields: tuple[str, ...] = (),
        *,
        physics: str = "3.3.7",
        max_episode_steps: int | None = 1000,
        default_camera_config: dict[str, Any] | None = None,
        width: int = 480,
        height: int = 480,
        camera_id: int | None = None,
        camera_name: str | None = None,
        max_geom: int = 1000,
        visual_options: dict[int, bool] | None = None,
        **options: Any,
    ):
        if camera_id is not None and camera_name is not None:
            raise ValueError("camera_id and camera_name are two cameras; give one")
        self._view = {**self._default_view, **(default_camera_config or {})}
        self._visual_options = visual_options
        self._room = max_geom
        self._fields = fields
        model = sinew.Model.from_path(_model_path(xml_file), physics=physics)
        self._learn(model)
        super().__init__(
            model,
            num_envs,
            frame_skip=frame_skip,
            fields=fields,
            max_episode_steps=max_episode_steps,
            width=width,
            height=height,
            camera=camera_name
            if camera_name is not None
            else -1
            if camera_id is None
            else camera_id,
            **options,
        )

    def _make_pictures(self) -> Pictures:
        settings = dict(self._picture)
        if settings["camera"] == -1:
            first = self.batch.get_data(self.render_ids[0]) if self.render_ids else None
            settings["camera"] = middle_camera(self.model, first, self._view)
        return Pictures(self.model, **settings, flags=self._visual_options, room=self._room)

    def _learn(self, model: sinew.Model) -> None:
        """Take what the methods need from the model."""

    def _start(self, s: Rows) -> None:
        super()._start(s)
        if "cfrc_ext" in self._fields:
            self.batch.cfrc_ext[s.ids] = 0

    def reset_state(self, s: Rows, rng: Draws) -> tuple[NDArray, NDArray]:
        scale, model = self._reset_noise_scale, self.model
        qpos = model.qpos0 + rng.uniform(-scale, scale, model.nq)
        if self._normal_velocities:
            return qpos, scale * rng.standard_normal(model.nv)
        return qpos, rng.uniform(-scale, scale, model.nv)


def flat(array: NDArray) -> NDArray:
    """[k, ...] as [k, numbers]."""
    return array.reshape(len(array), -1)


def square_sum(array: NDArray) -> NDArray:
    """The sum of squares of each row [k], in the precision of the array."""
    return np.sum(np.square(flat(array)), axis=1)


def between(low: float, x: NDArray, high: float) -> NDArray[np.bool_]:
    """low < x < high."""
    return (low < x) & (x < high)
