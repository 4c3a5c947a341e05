"""The adapter for Stable-Baselines3, by the real one's class if it is installed, else by a stand-in of its interface."""

import abc
import importlib.util
import sys
import types

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import sinew.envs  # noqa: E402, F401


class VecEnv(abc.ABC):
    """What Stable-Baselines3 documents of its `VecEnv`: what it keeps, and what a subclass has to have."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space = observation_space
        self.action_space = action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        (self.render_mode,) = set(self.get_attr("render_mode"))

    def _reset_seeds(self):
        self._seeds = [None] * self.num_envs

    def _reset_options(self):
        self._options = [{} for _ in range(self.num_envs)]

    def _get_indices(self, indices):
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices

    def seed(self, seed=None):
        self._seeds = [seed + i for i in range(self.num_envs)]
        return self._seeds

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


for name in (
    *("reset", "step_async", "step_wait", "close", "get_attr", "set_attr"),
    *("env_method", "env_is_wrapped"),
):
    setattr(VecEnv, name, abc.abstractmethod(lambda self: None))
VecEnv.__abstractmethods__ = frozenset(
    name for name, member in vars(VecEnv).items() if hasattr(member, "__isabstractmethod__")
)


@pytest.fixture
def adapter(monkeypatch):
    """The class of the adapter."""
    if importlib.util.find_spec("stable_baselines3") is None:
        for name in ("stable_baselines3", "stable_baselines3.common"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        module = types.ModuleType("stable_baselines3.common.vec_env")
        module.VecEnv = VecEnv
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.delitem(sys.modules, "sinew.envs.stable_baselines", raising=False)
    from sinew.envs.stable_baselines import StableBaselinesEnv

    yield StableBaselinesEnv
    sys.modules.pop("sinew.envs.stable_baselines", None)


def make(count=3, name="InvertedPendulum", **options):
    options = {"autoreset_mode": "SameStep", "episode_statistics": True, **options}
    return gymnasium.make_vec(f"sinew/{name}-v5", num_envs=count, **options)


def test_steps(adapter):
    """Beside the vector environment itself: ends, their last observations and infos, and those of the resets."""
    options = {"name": "Hopper", "max_episode_steps": 12}
    envs, plain = adapter(make(**options)), make(**options)
    assert envs.observation_space == plain.single_observation_space
    assert envs.action_space == plain.single_action_space
    assert envs.render_mode is None
    envs.seed(5)
    np.testing.assert_array_equal(envs.reset(), plain.reset(seed=5)[0])
    assert set(envs.reset_infos[0]) == {"x_position", "z_distance_from_origin"}
    rng = np.random.default_rng(0)
    ended = cut = 0
    for _ in range(60):
        actions = rng.uniform(-1, 1, (3, 3)).astype(np.float32)
        observation, reward, done, infos = envs.step(actions)
        theirs = plain.step(actions)
        np.testing.assert_array_equal(observation, theirs[0])
        np.testing.assert_array_equal(reward, theirs[1].astype(np.float32))
        np.testing.assert_array_equal(done, theirs[2] | theirs[3])
        for i, info in enumerate(infos):
            assert info["TimeLimit.truncated"] is bool(theirs[3][i] and not theirs[2][i])
            assert ("terminal_observation" in info) == ("episode" in info) == done[i]
            source = theirs[4]["final_info"] if done[i] else theirs[4]
            assert info["x_velocity"] == source["x_velocity"][i]
            if done[i]:
                ended += 1
                cut += info["TimeLimit.truncated"]
                np.testing.assert_array_equal(
                    info["terminal_observation"], theirs[4]["final_obs"][i]
                )
                assert info["episode"]["r"] == theirs[4]["episode"]["r"][i]
                assert set(envs.reset_infos[i]) == {"x_position", "z_distance_from_origin"}
                assert envs.reset_infos[i]["x_position"] == theirs[4]["x_position"][i]
    assert ended > cut > 0


def test_seeds_are_used_once(adapter):
    envs = adapter(make())
    envs.seed(1)
    first = envs.reset()
    assert (envs.reset() != first).any()


def test_attributes(adapter):
    envs = adapter(make())
    assert envs.get_attr("frame_skip") == [2, 2, 2]
    assert envs.get_attr("frame_skip", 1) == [2]
    envs.set_attr("max_episode_steps", 5)
    assert envs.envs.unwrapped.max_episode_steps == 5
    assert envs.env_method("__str__") == [str(envs.envs)] * 3
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert envs.env_is_wrapped(gymnasium.Wrapper, [0]) == [False]
    for call in (
        lambda: envs.set_attr("max_episode_steps", 5, [0]),
        lambda: envs.env_method("close", indices=0),
    ):
        with pytest.raises(ValueError, match="share attributes"):
            call()
    with pytest.raises(AttributeError):
        envs.get_attr("colour")
    envs.close()
    assert envs.envs.closed


def test_pictures_are_those_of_render_ids(adapter):
    """What Stable-Baselines3's render() and its VecVideoRecorder tile."""
    envs = adapter(make(render_mode="rgb_array", render_ids=[2, 0], width=32, height=24))
    assert envs.render_mode == "rgb_array"
    envs.seed(0)
    envs.reset()
    pictures = envs.get_images()
    assert np.shape(pictures) == (2, 24, 32, 3) and np.any(pictures)
    np.testing.assert_array_equal(pictures, envs.envs.render())


def test_other_modes_are_refused(adapter):
    with pytest.raises(ValueError, match="SameStep"):
        adapter(make(autoreset_mode="NextStep"))


def test_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    monkeypatch.delitem(sys.modules, "sinew.envs.stable_baselines", raising=False)
    with pytest.raises(ImportError, match="needs Stable-Baselines3"):
        import sinew.envs.stable_baselines  # noqa: F401
