"""A vector environment on a batch of simulations: the base class of all that are here, and of users' own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

import sinew

from .._batch import _integer
from . import _info
from ._draws import Draws
from ._pictures import Pictures

_MODES = ("rgb_array",)
_NO_WINDOW = (
    "environments of a batch have no window: render_mode='rgb_array' gives pictures, which "
    "gymnasium.wrappers.vector.HumanRendering shows"
)


class Rows:
    """Some of the simulations of a batch: `s.qpos` are their rows [k, nq], and so on for each array of the batch.

    They are read-only; `self.batch.qpos[s.ids] = values` writes.

    Attributes
    ----------
    ids : int array or slice
        Which simulations: what indexes an array [n, ...] of all of them.
    """

    __slots__ = ("_batch", "_count", "ids")

    def __init__(self, batch: sinew.Batch, ids: NDArray[np.intp] | None = None):
        self._batch = batch
        self._count = batch.n if ids is None else len(ids)
        self.ids = slice(None) if ids is None else ids

    def __len__(self) -> int:
        return self._count

    def __getattr__(self, name: str) -> NDArray:
        array = getattr(self._batch, name)
        if not isinstance(array, np.ndarray):
            raise AttributeError(f"'{name}' is no array of the batch")
        rows = array[self.ids]
        rows.flags.writeable = False  # of some they are a copy, of all they are the state
        return rows


class BatchEnv(gymnasium.vector.VectorEnv):
    """Environments of one model, stepped together; a subclass says what is seen, rewarded and ended.

    A subclass overrides `observation` and what it needs of `reset_state`, `control`, `before`, `reward`, `terminated`
    and `reset_info`. Each gets the simulations that it is about as `s`, a `Rows`, and answers with arrays of their k
    rows; none is called for simulations that have no part in a step. Attributes that they use must be set before
    `super().__init__`, which asks for an observation to learn its size.

    Parameters
    ----------
    model : Model or path
        The model, or its file.
    num_envs : int
        Environments.
    frame_skip : int
        Steps of the simulation in one of the environment.
    fields : sequence of str
        Computed fields of `Data` that the methods read, as "xpos" or "cfrc_ext".
    max_episode_steps : int, optional
        Steps after which an episode is truncated. None or -1: never.
    autoreset_mode : AutoresetMode or str
        When an environment that has ended begins anew: "NextStep", "SameStep" or "Disabled".
    observation_dtype : dtype
        float64, or float32.
    episode_statistics : bool
        Infos of ended episodes have "episode": their return "r", length "l" and seconds "t".
    render_mode : str, optional
        "rgb_array": `render` draws.
    render_ids : sequence of int
        Which environments `render` draws.
    width, height : int
        Pixels of a picture.
    camera : str, int or MjvCamera
        A camera of the model, -1 for the default view.
    threads : int, optional
        Threads of the batch. None: as many as there are cores.
    batch_options : mapping, optional
        More arguments of `sinew.Batch`, as width.

    Attributes
    ----------
    batch : Batch
        The simulations; `batch.randomize` and the like may be used between steps.
    dt : float
        Seconds of a step of the environment.
    episode_returns, episode_lengths : arrays [num_envs]
        Sum of rewards and number of steps of the episodes that go on.
    """

    def __init__(
        self,
        model: sinew.Model | str | os.PathLike,
        num_envs: int = 1,
        *,
        frame_skip: int = 1,
        fields: Sequence[str] = (),
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_dtype: Any = np.float64,
        episode_statistics: bool = False,
        render_mode: str | None = None,
        render_ids: Sequence[int] = (0,),
        width: int = 480,
        height: int = 480,
        camera: Any = -1,
        threads: int | None = 1,
        batch_options: Mapping[str, Any] | None = None,
    ):
        if render_mode not in (None, *_MODES):
            why = _NO_WINDOW if render_mode == "human" else "must be None or 'rgb_array'"
            raise ValueError(f"render_mode is {render_mode!r}: {why}")
        num_envs = _integer(num_envs, "num_envs", 1)
        if not isinstance(render_ids, Iterable):
            raise TypeError(f"render_ids is {render_ids!r}, must be a sequence, as [0]")
        render_ids = tuple(
            _integer(i, "a number in render_ids", 0, num_envs - 1) for i in render_ids
        )
        frame_skip = _integer(frame_skip, "frame_skip", 1)
        if max_episode_steps is not None and max_episode_steps != -1:
            max_episode_steps = _integer(
                max_episode_steps, "max_episode_steps (None or -1 for no limit)", 1
            )
        self.model = model if isinstance(model, sinew.Model) else sinew.Model.from_path(model)
        self.batch = sinew.Batch(
            self.model, num_envs, threads=threads, fields=tuple(fields), **(batch_options or {})
        )
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.dt = self.model.opt.timestep * frame_skip
        self.max_episode_steps = None if max_episode_steps == -1 else max_episode_steps
        self.episode_statistics = episode_statistics
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": list(_MODES),
            "render_fps": int(np.round(1 / self.dt)),
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode, self.render_ids = render_mode, render_ids
        self._picture = {"width": width, "height": height, "camera": camera}
        self._pictures: Pictures | None = None
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int | None] = [None] * num_envs
        self._started = np.zeros(num_envs, np.bool_)
        self._done = np.zeros(num_envs, np.bool_)
        self._began = np.zeros(num_envs)
        self.episode_returns = np.zeros(num_envs)
        self.episode_lengths = np.zeros(num_envs, np.int64)
        self._make_spaces(np.dtype(observation_dtype))

    def _make_spaces(self, dtype: np.dtype) -> None:
        limited = self.model.actuator_ctrllimited.astype(bool)[:, None]
        bounds = np.where(limited, self.model.actuator_ctrlrange, (-np.inf, np.inf))
        low, high = bounds.astype(np.float32).T
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        if dtype not in (np.float64, np.float32):
            raise ValueError(f"observation_dtype is {dtype}, must be float64 or float32")
        first = np.zeros(1, np.intp)
        self.batch.forward(ids=first)
        size = np.shape(self.observation(Rows(self.batch, first)))
        if len(size) != 2 or size[0] != 1:
            raise ValueError(
                f"observation() of one simulation has the shape {size}, must be (1, numbers of an observation)"
            )
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, size[1:], dtype)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._observations = np.zeros((self.num_envs, *size[1:]), dtype)

    # ---- what a subclass says

    def reset_state(self, s: Rows, rng: Draws) -> tuple[ArrayLike, ArrayLike] | None:
        """Positions [k, nq] and velocities [k, nv] at the start of episodes. None: those of the model.

        rng draws for each from its own generator: `rng.uniform(-0.1, 0.1, nq)` is [k, nq]. What else the state has
        may be written into `self.batch`, as `self.batch.mocap_pos[s.ids] = ...`.
        """
        return None

    def control(self, s: Rows, action: NDArray) -> ArrayLike:
        """Controls [k, nu] from actions [k, ...]: the actions themselves."""
        return action

    def before(self, s: Rows) -> Any:
        """What `reward` wants to know from before the step, as copies. None."""
        return None

    def observation(self, s: Rows) -> ArrayLike:
        """What is seen [k, numbers]."""
        raise NotImplementedError(f"{type(self).__name__} has no observation(s)")

    def reward(
        self, s: Rows, action: NDArray, before: Any
    ) -> ArrayLike | tuple[ArrayLike, Mapping[str, ArrayLike]]:
        """Rewards [k] of a step; or those and infos, a dictionary of arrays [k, ...]. 0."""
        return np.zeros(len(s))

    def terminated(self, s: Rows) -> ArrayLike:
        """Which episodes end here for their state's sake [k]. None."""
        return np.zeros(len(s), np.bool_)

    def reset_info(self, s: Rows) -> Mapping[str, ArrayLike]:
        """Infos of a reset, a dictionary of arrays [k, ...]. None."""
        return {}

    # ---- gymnasium's methods

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray, dict[str, Any]]:
        """Begin episodes: all, or those of the mask `options["reset_mask"]`.

        Parameters
        ----------
        seed : int or sequence of int, optional
            Of each environment's own random numbers; one number gives seed, seed + 1, ...
        options : dict, optional
            "reset_mask": bool [num_envs], which environments are reset.

        Returns
        -------
        observations [num_envs, ...], infos
        """
        self._refuse_closed()
        ids = self._masked(options)
        seeds = self._seeds_of(seed)
        for i in range(self.num_envs) if ids is None else ids:
            if seeds[i] is not None or self._generators[i] is None:
                self._generators[i], self._seeds[i] = seeding.np_random(seeds[i])
        infos: dict[str, Any] = {}
        self._begin(np.arange(self.num_envs) if ids is None else ids, infos)
        return self._observations.copy(), infos

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Step all environments; those that have ended begin anew as the autoreset mode says.

        Parameters
        ----------
        actions : array [num_envs, ...]

        Returns
        -------
        observations [num_envs, ...], rewards, terminations, truncations [num_envs], infos
        """
        self._refuse_closed()
        action = self._checked(actions)
        ended = np.flatnonzero(self._done)
        if ended.size and self.autoreset_mode is AutoresetMode.DISABLED:
            raise gymnasium.error.ResetNeeded(
                f"the episodes of environments {_listed(ended)} have ended: "
                "reset them, by options={'reset_mask': mask}, before the next step"
            )
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros((2, self.num_envs), np.bool_)
        infos: dict[str, Any] = {}
        going = Rows(self.batch, np.flatnonzero(~self._done) if ended.size else None)
        if len(going):
            said = self._advance(going, action[going.ids], rewards, terminations, truncations)
            self._done = terminations | truncations
            self._tell(going, said, infos)
        if ended.size:
            self._done[ended] = False
            self._begin(ended, infos)
        return self._observations.copy(), rewards, terminations, truncations, infos

    def render(self) -> tuple[NDArray[np.uint8], ...]:
        """Draw the environments `render_ids` as they are.

        Returns
        -------
        pictures, each uint8 [height, width, 3]
        """
        self._refuse_closed()
        if self.render_mode is None:
            raise ValueError(
                "render() wants the environments to be made with render_mode='rgb_array'"
            )
        if self._pictures is None:
            self._pictures = self._make_pictures()
        return tuple(self._pictures.of(self.batch.get_data(i)) for i in self.render_ids)

    def _make_pictures(self) -> Pictures:
        """What draws, made when it is first asked to."""
        return Pictures(self.model, **self._picture)

    def close_extras(self, **kwargs: Any) -> None:
        """Free the batch, and what draws it."""
        if self._pictures is not None:
            self._pictures.close()
        self._pictures = None
        self.batch = None

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The random generator of each environment."""
        for i, generator in enumerate(self._generators):
            if generator is None:
                self._generators[i], self._seeds[i] = seeding.np_random()
        return tuple(self._generators)

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seed of each environment's generator."""
        _ = self.np_random
        return tuple(self._seeds)

    # ---- parts of a step

    def _advance(self, s: Rows, action, rewards, terminations, truncations) -> Mapping[str, Any]:
        """Step some simulations and judge them; returns their infos."""
        before = self.before(s)
        self.batch.ctrl[s.ids] = self._sized("control", self.control(s, action), s, self.model.nu)
        self.batch.step(nstep=self.frame_skip, ids=None if isinstance(s.ids, slice) else s.ids)
        self._observations[s.ids] = self._sized(
            "observation", self.observation(s), s, *self._observations.shape[1:]
        )
        reward = self.reward(s, action, before)
        reward, said = reward if isinstance(reward, tuple) else (reward, {})
        rewards[s.ids] = self._sized("reward", reward, s)
        terminations[s.ids] = self._sized("terminated", self.terminated(s), s)
        self.episode_returns[s.ids] += rewards[s.ids]
        self.episode_lengths[s.ids] += 1
        if self.max_episode_steps is not None:
            truncations[s.ids] = self.episode_lengths[s.ids] >= self.max_episode_steps
        return _info.rows(said, len(s))

    def _tell(self, s: Rows, said: Mapping[str, Any], infos: dict[str, Any]) -> None:
        """The infos of simulations that have stepped; those that ended begin anew if that is this step's business."""
        ended = np.flatnonzero(self._done)
        if ended.size and self.episode_statistics:
            self._add_statistics(infos)
        if not ended.size or self.autoreset_mode is not AutoresetMode.SAME_STEP:
            _info.add(infos, said, s.ids, self.num_envs)
            return
        going = np.flatnonzero(~self._done)
        final = np.full(self.num_envs, None, object)
        for i in ended:
            final[i] = self._observations[i].copy()
        last: dict[str, Any] = {}
        _info.add(last, _info.take(said, ended), ended, self.num_envs)
        infos |= {"final_obs": final, "_final_obs": self._done.copy()}
        infos |= {"final_info": last, "_final_info": self._done.copy()}
        if going.size:
            _info.add(infos, _info.take(said, going), going, self.num_envs)
        self._done[:] = False
        self._begin(ended, infos)

    def _begin(self, ids: NDArray[np.intp], infos: dict[str, Any]) -> None:
        """Begin episodes of simulations ids."""
        s = Rows(self.batch, ids)
        self._start(s)
        self._observations[ids] = self._sized(
            "observation", self.observation(s), s, *self._observations.shape[1:]
        )
        self._started[ids] = True
        self._done[ids] = False
        self.episode_returns[ids] = 0
        self.episode_lengths[ids] = 0
        self._began[ids] = time.perf_counter()
        _info.add(infos, _info.rows(self.reset_info(s), len(s)), ids, self.num_envs)

    def _start(self, s: Rows) -> None:
        """The state at the beginning of episodes, and what follows from it."""
        self.batch.reset(ids=s.ids)
        state = self.reset_state(s, Draws([self._generators[i] for i in s.ids]))
        if state is not None:
            self._take_state(s, state)
        self.batch.forward(ids=s.ids)

    def _take_state(self, s: Rows, state: tuple[ArrayLike, ArrayLike]) -> None:
        """Positions and velocities that reset_state answered: rows of each, or one row for all."""
        if not isinstance(state, tuple | list) or len(state) != 2:
            raise TypeError("reset_state() must answer with two, positions and velocities, or None")
        sizes = {"qpos": self.model.nq, "qvel": self.model.nv}
        for (name, numbers), value in zip(sizes.items(), map(np.asarray, state), strict=True):
            if value.shape != (numbers,):
                value = self._sized(f"{name} of reset_state", value, s, numbers)
            getattr(self.batch, name)[s.ids] = value

    def _add_statistics(self, infos: dict[str, Any]) -> None:
        """What gymnasium.wrappers.vector.RecordEpisodeStatistics says of ended episodes."""
        seconds = np.round(time.perf_counter() - self._began, 6)
        values = {"r": self.episode_returns, "l": self.episode_lengths, "t": seconds}
        infos["episode"] = {key: np.where(self._done, value, 0) for key, value in values.items()}
        infos["_episode"] = self._done.copy()

    # ---- checks

    def _sized(self, name: str, value: ArrayLike, s: Rows, *columns: int) -> NDArray:
        value = np.asarray(value)
        want = (len(s), *columns)
        if value.shape != want:
            raise ValueError(f"{name}() has the shape {value.shape}, must be {want}")
        return value

    def _checked(self, actions: ArrayLike) -> NDArray:
        """Actions as an array [num_envs, ...]."""
        if not self._started.all():
            raise gymnasium.error.ResetNeeded(
                f"environments {_listed(np.flatnonzero(~self._started))} step before their first reset: call reset()"
            )
        array = np.asarray(actions)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"actions of dtype {array.dtype}, must be numbers")
        # costs of controls are summed in the precision of the actions, as gymnasium does
        if self.single_action_space.dtype.kind == "f" and array.dtype not in (
            np.float32,
            np.float64,
        ):
            array = array.astype(np.float64)
        if array.shape != self.action_space.shape:
            raise ValueError(
                f"actions have the shape {array.shape}, must be {self.action_space.shape}"
            )
        return np.ascontiguousarray(array)

    def _masked(self, options: dict[str, Any] | None) -> NDArray[np.intp] | None:
        """The environments of options["reset_mask"]; None: all."""
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options is {options!r}, must be a dictionary")
        if not options or "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            kind = mask.dtype if isinstance(mask, np.ndarray) else type(mask).__name__
            raise TypeError(f"options['reset_mask'] is {kind}, must be a NumPy array of bool")
        if mask.shape != (self.num_envs,):
            raise ValueError(
                f"options['reset_mask'] has the shape {mask.shape}, must be ({self.num_envs},)"
            )
        if not mask.any():
            raise ValueError(
                "options['reset_mask'] names no environment: at least one must be True"
            )
        return np.flatnonzero(mask)

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if hasattr(seed, "__index__"):
            return [int(seed) + i for i in range(self.num_envs)]
        given = list(seed) if isinstance(seed, Iterable) else [seed]
        wrong = [one for one in given if one is not None and not hasattr(one, "__index__")]
        if wrong:
            raise TypeError(f"seed {wrong[0]!r} is no integer")
        seeds = [None if one is None else int(one) for one in given]
        if len(seeds) != self.num_envs:
            raise ValueError(
                f"{len(seeds)} seeds for {self.num_envs} environments: must be as many"
            )
        return seeds

    def _refuse_closed(self) -> None:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError(
                "the environments are closed: make new ones"
            )


def _listed(ids: NDArray[np.intp]) -> str:
    """The first few numbers."""
    return ", ".join(map(str, ids[:8])) + (", ..." if len(ids) > 8 else "")
