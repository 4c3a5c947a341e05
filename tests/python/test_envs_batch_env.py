"""BatchEnv: an environment of one's own, gymnasium's rules for vector environments, and what is refused."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

import sinew  # noqa: E402
import sinew.envs  # noqa: E402

CART = """<mujoco><option timestep="0.01"/><worldbody>
  <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping="0.1"/><geom size="0.1" mass="1"/>
    <body name="pole" pos="0 0 0.1"><joint name="tilt" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.1"/><site name="tip" pos="0 0 0.6"/>
    </body></body></worldbody>
  <actuator><motor joint="x" ctrlrange="-1 1" gear="10"/><motor joint="tilt"/></actuator></mujoco>"""


class Cart(sinew.envs.BatchEnv):
    """A pole on a cart, which also says which simulations it was asked about."""

    def __init__(self, num_envs=4, noise=0.1, **options):
        self.noise, self.asked = noise, []
        model = sinew.Model.from_xml(CART)
        super().__init__(model, num_envs, frame_skip=2, fields=("site_xpos",), **options)

    def reset_state(self, s, rng):
        return rng.uniform(-self.noise, self.noise, 2), rng.normal(0, self.noise, 2)

    def before(self, s):
        return s.qpos[:, 0].copy()

    def observation(self, s):
        return np.concatenate((s.qpos, s.qvel), axis=1)

    def reward(self, s, action, before):
        self.asked.append(np.arange(self.num_envs)[s.ids])
        height = s.site_xpos[:, 0, 2]
        return height - (action**2).sum(axis=1), {
            "moved": s.qpos[:, 0] - before,
            "tip": s.site_xpos[:, 0],
        }

    def terminated(self, s):
        return np.abs(s.qpos[:, 1]) > 0.3

    def reset_info(self, s):
        return {"tilt": s.qpos[:, 1]}


def actions(envs, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, envs.action_space.shape)


def test_spaces_and_metadata():
    envs = Cart(num_envs=3)
    assert envs.single_observation_space.shape == (4,)
    assert envs.observation_space.shape == (3, 4)
    assert envs.observation_space.dtype == np.float64
    assert envs.single_action_space.low.tolist() == [-1, -np.inf]
    assert envs.action_space.dtype == np.float32
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert envs.metadata["render_fps"] == 50
    assert envs.dt == 0.02


def test_an_environment_alone_does_the_same():
    """Any one of many, seeded as such, gives the same bits alone, over resets on the way."""
    many = Cart(num_envs=5, max_episode_steps=7)
    alone = Cart(num_envs=1, max_episode_steps=7)
    first = many.reset(seed=10)[0]
    np.testing.assert_array_equal(alone.reset(seed=13)[0][0], first[3])
    for k in range(40):
        action = actions(many, k)
        result, single = many.step(action), alone.step(action[3:4])
        for one, other in zip(result[:4], single[:4], strict=True):
            np.testing.assert_array_equal(one[3], other[0])


def test_actions_of_another_form():
    """Three words for two controls: a space of the user's own, whose actions stay integers."""

    class Words(Cart):
        def __init__(self):
            super().__init__()
            self.single_action_space = gymnasium.spaces.Discrete(3)
            self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, 4)

        def control(self, s, action):
            return np.array([[-1, 0], [0, 0], [1, 0]])[action]

        def reward(self, s, action, before):
            return action

    envs = Words()
    envs.reset(seed=0)
    _, reward, *_ = envs.step(np.array([0, 1, 2, 2]))
    assert reward.tolist() == [0, 1, 2, 2]
    assert envs.batch.ctrl[:, 0].tolist() == [-1, 0, 1, 1]


def test_what_is_asked_about():
    """Rewards are asked of those only that step; the others have 0 and no infos."""
    envs = Cart(num_envs=4)
    envs.reset(seed=0)
    envs.batch.qpos[2, 1] = 1
    _, _, terminations, _, _ = envs.step(np.zeros((4, 2)))
    assert terminations.tolist() == [False, False, True, False]
    observation, reward, terminations, _, infos = envs.step(np.zeros((4, 2)))
    assert envs.asked[-1].tolist() == [0, 1, 3]
    assert reward[2] == 0 and not terminations.any()
    assert infos["_moved"].tolist() == [True, True, False, True]
    assert infos["_tilt"].tolist() == [False, False, True, False]
    assert infos["tip"].shape == (4, 3) and not infos["tip"][2].any()
    assert abs(observation[2, 1]) <= 0.1


def test_results_are_the_callers():
    """Arrays of one step are not those of the next."""
    envs = Cart()
    first, infos = envs.reset(seed=1)
    kept, kept_tilt = first.copy(), infos["tilt"].copy()
    one = envs.step(actions(envs))
    ones = [array.copy() for array in one[:4]]
    envs.step(actions(envs, 1))
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(infos["tilt"], kept_tilt)
    for array, copy in zip(one, ones, strict=False):
        np.testing.assert_array_equal(array, copy)


def test_seeds():
    envs = Cart(num_envs=3)
    by_number = envs.reset(seed=7)[0]
    assert envs.np_random_seed == (7, 8, 9)
    by_list = envs.reset(seed=[7, 8, 9])[0]
    np.testing.assert_array_equal(by_number, by_list)
    on, _ = envs.reset()
    assert (on != by_list).any()
    part, _ = envs.reset(
        seed=[None, 8, None], options={"reset_mask": np.array([False, True, False])}
    )
    np.testing.assert_array_equal(part[1], by_list[1])
    np.testing.assert_array_equal(part[[0, 2]], on[[0, 2]])
    with pytest.raises(ValueError, match="2 seeds for 3"):
        envs.reset(seed=[1, 2])
    with pytest.raises(gymnasium.error.Error):
        envs.reset(seed=-1)


def test_options_are_left_as_they_are():
    envs = Cart(num_envs=2)
    envs.reset(seed=0)
    options = {"reset_mask": np.array([True, False])}
    envs.reset(options=options)
    assert list(options) == ["reset_mask"]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_statistics_of_episodes(mode):
    """Returns and lengths are sums over episodes, counted by hand."""
    envs = Cart(num_envs=3, autoreset_mode=mode, episode_statistics=True, max_episode_steps=11)
    envs.reset(seed=0)
    returns, lengths = np.zeros(3), np.zeros(3, int)
    waits = np.zeros(3, bool)
    ends = 0
    for k in range(60):
        _, reward, terminations, truncations, infos = envs.step(actions(envs, k))
        returns += reward
        lengths += ~waits
        done = terminations | truncations
        assert ("episode" in infos) == done.any()
        if done.any():
            ends += done.sum()
            assert infos["_episode"].tolist() == done.tolist()
            np.testing.assert_allclose(
                infos["episode"]["r"], np.where(done, returns, 0), rtol=1e-12
            )
            np.testing.assert_array_equal(infos["episode"]["l"], np.where(done, lengths, 0))
            if mode is AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": done})
        returns[done], lengths[done] = 0, 0
        waits = done & (mode is AutoresetMode.NEXT_STEP)
    assert ends > 10


def test_float32_observations():
    wide, narrow = Cart(), Cart(observation_dtype=np.float32, autoreset_mode="SameStep")
    a, b = wide.reset(seed=0)[0], narrow.reset(seed=0)[0]
    assert b.dtype == np.float32 and narrow.observation_space.contains(b)
    np.testing.assert_array_equal(a.astype(np.float32), b)
    narrow.batch.qpos[0, 1] = 1
    final = narrow.step(actions(narrow))[4]["final_obs"]
    assert final[0].dtype == np.float32 and final[1] is None


def test_step_limits():
    for limit in (None, -1):
        envs = Cart(noise=0, max_episode_steps=limit)
        envs.reset()
        assert not any(envs.step(np.zeros((4, 2)))[3].any() for _ in range(30))
    for limit in (0, -2):
        with pytest.raises(ValueError, match="max_episode_steps"):
            Cart(max_episode_steps=limit)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"num_envs": 0}, "num_envs is 0, must be from 1"),
        ({"num_envs": -2}, "num_envs is -2"),
        ({"num_envs": 2.0}, "num_envs must be an integer, not float"),
        ({"frame_skip": 0}, "frame_skip is 0, must be from 1"),
        ({"frame_skip": 1.5}, "frame_skip must be an integer"),
        ({"max_episode_steps": 2.5}, "max_episode_steps .* must be an integer"),
        ({"max_episode_steps": True}, "max_episode_steps .* must be an integer"),
        ({"render_ids": 0}, "render_ids is 0, must be a sequence"),
        ({"render_ids": [0.0]}, "render_ids must be an integer"),
        ({"render_ids": [7]}, "render_ids is 7, must be from 0 to 1"),
        ({"reset_noise_scale": -1.0}, "low not above high"),
        ({"reset_noise_scale": np.nan}, "low not above high"),
    ],
)
def test_settings_that_cannot_be(settings, words):
    with pytest.raises((TypeError, ValueError), match=words):
        gymnasium.make_vec("sinew/Hopper-v5", **{"num_envs": 2, **settings}).reset()


@pytest.mark.parametrize("seed", [1.5, [1.5, 2.0], [0, "7"], "ab", ["1", None], [0, 1, 2], [-1, 0]])
def test_seeds_that_are_none(seed):
    envs = gymnasium.make_vec("sinew/Hopper-v5", num_envs=2)
    with pytest.raises((TypeError, ValueError, gymnasium.error.Error), match="seed|Seed"):
        envs.reset(seed=seed)
    with pytest.raises(TypeError, match="options is 3, must be a dictionary"):
        envs.reset(options=3)


def test_wrappers_of_gymnasium():
    """Vector wrappers take it for what it is."""
    envs = gymnasium.make_vec("sinew/Hopper-v5", num_envs=3, max_episode_steps=5)
    envs = wrappers.RescaleAction(wrappers.NormalizeObservation(envs), -2.0, 2.0)
    envs = wrappers.DictInfoToList(wrappers.ClipReward(envs, 0.0, 0.5))
    observation, infos = envs.reset(seed=0)
    assert len(infos) == 3 and set(infos[0]) == {"x_position", "z_distance_from_origin"}
    for _ in range(8):
        envs.action_space.seed(0)
        observation, reward, _, _, infos = envs.step(envs.action_space.sample())
        assert observation.shape == (3, 11) and (reward <= 0.5).all() and len(infos) == 3
    envs.close()


@pytest.mark.parametrize("name", ["Hopper", "Humanoid"])
def test_threads_change_no_bits(name):
    """Nor does the number of environments, over ends and resets."""
    runs = []
    for threads, count in ((1, 19), (3, 19), (2, 7)):
        envs = gymnasium.make_vec(
            f"sinew/{name}-v5", num_envs=count, threads=threads, max_episode_steps=13
        )
        rows = [envs.reset(seed=1)[0][:7]]
        for k in range(30):
            action = np.random.default_rng(k).uniform(-0.4, 0.4, (19, *envs.action_space.shape[1:]))
            observation, reward, *_ = envs.step(action[:count])
            rows += [observation[:7], reward[:7, None]]
        runs.append(np.hstack(rows))
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])


def test_options_of_the_batch():
    """They reach it: two lanes do what the scalar engine does."""
    two, scalar = (
        gymnasium.make_vec("sinew/HalfCheetah-v5", num_envs=9, batch_options={"width": width})
        for width in (2, 1)
    )
    assert (two.batch.width, scalar.batch.width) == (2, 1)
    np.testing.assert_array_equal(two.reset(seed=0)[0], scalar.reset(seed=0)[0])
    action = np.random.default_rng(0).uniform(-1, 1, (9, 6))
    np.testing.assert_allclose(two.step(action)[0], scalar.step(action)[0], rtol=1e-9, atol=1e-9)


def test_models_of_ones_own(tmp_path, monkeypatch):
    """`xml_file` by gymnasium's rule."""
    folder = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"
    text = (folder / "hopper.xml").read_text().replace('timestep="0.002"', 'timestep="0.001"')
    (tmp_path / "hop.xml").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("./hop.xml", str(tmp_path / "hop.xml"), "~/hop.xml"):
        assert gymnasium.make_vec("sinew/Hopper-v5", num_envs=1, xml_file=name).dt == 0.004


def test_registry():
    """All eleven by name, with their options, and as gymnasium's specification says it."""
    names = [name for name in gymnasium.registry if name.startswith("sinew/")]
    assert len(names) == 11
    for name in names:
        envs = gymnasium.make_vec(name, num_envs=2, frame_skip=1)
        theirs = gymnasium.spec(name.removeprefix("sinew/"))
        assert envs.spec.id == name and envs.frame_skip == 1
        assert envs.max_episode_steps == theirs.max_episode_steps == type(envs)(1).max_episode_steps
        assert envs.spec.reward_threshold == theirs.reward_threshold
        envs.reset(seed=0)
        envs.action_space.seed(0)
        observation, *_ = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(observation)
        envs.close()
    again = gymnasium.make_vec(envs.spec)
    assert again.num_envs == 2 and again.frame_skip == 1


def test_single_needs_sinew_in_the_place_of_mujoco():
    program = "import gymnasium, sinew.envs; gymnasium.make('sinew/Hopper-v5')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "import sinew.as_mujoco first" in ended.stderr


def test_import_without_gymnasium():
    """sinew alone works, sinew.envs says what it needs."""
    program = "import sys; sys.modules['gymnasium'] = None; import sinew; import sinew.envs"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "sinew.envs needs gymnasium" in ended.stderr


# ---- what is refused


def test_step_before_reset():
    envs = Cart()
    with pytest.raises(gymnasium.error.ResetNeeded, match="0, 1, 2, 3 step before"):
        envs.step(np.zeros((4, 2)))
    envs.reset(options={"reset_mask": np.array([True, False, True, False])})
    with pytest.raises(gymnasium.error.ResetNeeded, match="1, 3 step before"):
        envs.step(np.zeros((4, 2)))


def test_step_after_the_end():
    envs = Cart(autoreset_mode="Disabled", max_episode_steps=1, noise=0)
    envs.reset()
    envs.step(np.zeros((4, 2)))
    with pytest.raises(gymnasium.error.ResetNeeded, match="have ended"):
        envs.step(np.zeros((4, 2)))


def test_closed():
    envs = Cart()
    envs.reset()
    envs.close()
    envs.close()
    for call in (envs.reset, lambda: envs.step(np.zeros((4, 2)))):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()


@pytest.mark.parametrize(
    "bad", [np.zeros((4, 3)), np.zeros(2), np.zeros((3, 2)), 0.0, None, "left"]
)
def test_actions_of_the_wrong_shape(bad):
    envs = Cart()
    envs.reset(seed=0)
    before = envs.batch.qpos.copy()
    with pytest.raises((ValueError, TypeError), match="actions"):
        envs.step(bad)
    np.testing.assert_array_equal(envs.batch.qpos, before)
    envs.step(np.zeros((4, 2), int))


def test_bad_numbers_stay_with_their_environment():
    """NaN actions of one environment leave the bits of the others alone."""
    envs, clean = Cart(), Cart()
    envs.reset(seed=0), clean.reset(seed=0)
    for k in range(20):
        good = actions(envs, k)
        bad = good.copy()
        bad[1] = np.nan
        result, other = envs.step(bad), clean.step(good)
        assert np.isnan(result[1][1]) or result[1][1] == 0  # a step that begins anew pays nothing
        for one, two in zip(result[:4], other[:4], strict=True):
            np.testing.assert_array_equal(np.delete(one, 1, 0), np.delete(two, 1, 0))
    assert np.isfinite(result[0]).all()


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ([True] * 4, TypeError),
        (np.ones(4), TypeError),
        (np.ones(3, bool), ValueError),
        (np.zeros(4, bool), ValueError),
    ],
)
def test_masks(mask, error):
    with pytest.raises(error, match="reset_mask"):
        Cart().reset(options={"reset_mask": mask})


def test_faults_of_a_subclass():
    """Shapes are checked, and a field that is not bound is named."""

    class Tall(Cart):
        def reward(self, s, action, before):
            return np.zeros((len(s), 1))

    class Blind(Cart):
        def observation(self, s):
            return s.xipos

    class Flat(Cart):
        def observation(self, s):
            return s.qpos[:, 0]

    envs = Tall()
    envs.reset()
    with pytest.raises(ValueError, match=r"reward\(\) has the shape \(4, 1\), must be \(4,\)"):
        envs.step(np.zeros((4, 2)))
    with pytest.raises(AttributeError, match="xipos"):
        Blind()
    with pytest.raises(ValueError, match=r"observation\(\) of one simulation"):
        Flat()
    with pytest.raises(NotImplementedError, match="has no observation"):
        sinew.envs.BatchEnv(sinew.Model.from_xml(CART), 2)
    with pytest.raises(ValueError, match="frame_skip"):
        gymnasium.make_vec("sinew/Ant-v5", num_envs=1, frame_skip=0)
    with pytest.raises(ValueError, match="observation_dtype"):
        Cart(observation_dtype=int)
    with pytest.raises(FileNotFoundError, match="none of gymnasium's models"):
        gymnasium.make_vec("sinew/Ant-v5", num_envs=1, xml_file="aunt.xml")


@pytest.mark.parametrize(
    ("method", "answer", "words"),
    [
        ("control", lambda n: np.zeros(n), r"control\(\) has the shape \(2,\), must be \(2, 2\)"),
        ("control", lambda n: np.zeros((n, 1)), r"control\(\) has the shape \(2, 1\)"),
        ("reset_state", lambda n: (np.zeros((n, 1)), np.zeros(2)), r"qpos of reset_state\(\)"),
        ("reset_state", lambda n: (np.zeros(2), np.zeros(3)), r"qvel of reset_state\(\)"),
        ("reset_state", lambda n: np.zeros((n, 2)), "reset_state.. must answer with two"),
        ("reward", lambda n: (np.zeros(n), {"dt": 0.1}), r"the info 'dt' has the shape \(\)"),
        (
            "reward",
            lambda n: (np.zeros(n), {"a": {"b": np.zeros(3)}}),
            "the info 'b' has the shape",
        ),
        ("reward", lambda n: (np.zeros(n), 3), "infos are a int, must be a dictionary"),
        ("reset_info", lambda n: {"x": np.zeros((3, n))}, "the info 'x' has the shape"),
    ],
)
def test_answers_of_the_wrong_shape(method, answer, words):
    """Two simulations of two joints and two motors: what broadcasts may still be wrong."""
    wrong = type("Wrong", (Cart,), {method: lambda self, s, *rest: answer(len(s))})
    envs = wrong(2)
    with pytest.raises((TypeError, ValueError), match=words):
        envs.reset()
        envs.step(np.zeros((2, 2)))


def test_rows_are_to_be_read():
    """Of all simulations they would be the state itself, of some a copy: in neither is it meant."""

    class Careless(Cart):
        def observation(self, s):
            q = s.qpos
            q -= 1
            return q

    with pytest.raises(ValueError, match="read-only"):
        Careless(2)
    envs = Cart(2)
    envs.reset()
    rows = sinew.envs.Rows(envs.batch)
    with pytest.raises(ValueError, match="read-only"):
        rows.qpos[0] = 3
    envs.batch.qpos[rows.ids] = 0.1
    assert (rows.qpos == 0.1).all()


def test_one_start_for_all():
    start = np.array([0.3, -0.1])

    class Same(Cart):
        def reset_state(self, s, rng):
            return start, np.zeros(2)

    envs = Same(3)
    envs.reset()
    assert (envs.batch.qpos == start).all()


def test_draws():
    """Each generator's own numbers, whatever the others draw."""
    generators = [np.random.default_rng(i) for i in range(3)]
    rng = sinew.envs.Draws(generators)
    rows = [
        rng.uniform(-1, 2, 3),
        rng.standard_normal((2, 2)),
        rng[[1]].uniform(),
        rng.integers(0, 9),
    ]
    own = np.random.default_rng(1)
    np.testing.assert_array_equal(rows[0][1], own.uniform(-1, 2, 3))
    np.testing.assert_array_equal(rows[1][1], own.standard_normal((2, 2)))
    assert rows[2][0] == own.uniform() and rows[3][1] == own.integers(0, 9)
    assert len(rng[np.array([True, False, True])]) == 2
    assert rows[3].shape == (3,) and rows[3].dtype == np.int64
