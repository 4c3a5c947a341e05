"""Pictures of environments on a batch: whose they are, gymnasium's view and options, and that nothing else changes."""

import gymnasium
import numpy as np
import pytest

import sinew
import sinew.envs
import sinew.mujoco


def make(name, n=3, **options):
    options = {"render_mode": "rgb_array", "width": 64, "height": 48, **options}
    return gymnasium.make_vec(f"sinew/{name}-v5", num_envs=n, **options)


def drawn(model, data, eye, size=(64, 48)):
    with sinew.Renderer(model, size[1], size[0]) as renderer:
        renderer.update_scene(data, eye)
        return renderer.render()


def eye(model, lookat, distance, azimuth=90.0, elevation=-45.0):
    made = sinew.mujoco.MjvCamera()
    sinew.mujoco.mjv_defaultFreeCamera(model, made)
    made.lookat[:] = lookat
    made.distance, made.azimuth, made.elevation = distance, azimuth, elevation
    return made


def state(envs, i):
    """A data at the state of one environment."""
    batch = envs.unwrapped.batch
    data = sinew.Data(batch.model)
    data.qpos[:], data.qvel[:] = batch.qpos[i], batch.qvel[i]
    sinew.forward(batch.model, data)
    return data


# The views that gymnasium 1.4's own environments have when they draw: distance, where they look, elevation. Without
# a place they look at the median of the geoms.
VIEWS = {
    "Ant": (4.0, None, -45),
    "HalfCheetah": (4.0, None, -45),
    "Hopper": (3.0, (0, 0, 1.15), -20),
    "Humanoid": (4.0, (0, 0, 2), -20),
    "HumanoidStandup": (4.0, (0, 0, 0.8925), -20),
    "InvertedDoublePendulum": (None, None, -45),
    "InvertedPendulum": (2.04, None, -45),
    "Pusher": (4.0, None, -45),
    "Reacher": (None, None, -45),
    "Swimmer": (None, None, -45),
    "Walker2d": (4.0, (0, 0, 1.15), -20),
}


@pytest.mark.parametrize("name", VIEWS)
def test_gymnasiums_view(name):
    """The first environment, from where gymnasium looks; also when it has moved on."""
    distance, lookat, elevation = VIEWS[name]
    envs = make(name)
    envs.reset(seed=0)
    model = envs.unwrapped.model
    first = state(envs, 0)
    lookat = np.median(first.geom_xpos, axis=0) if lookat is None else lookat
    view = eye(model, lookat, distance or model.stat.extent, elevation=elevation)
    for _ in range(3):
        pictures = envs.render()
        assert isinstance(pictures, tuple) and len(pictures) == 1
        assert np.array_equal(pictures[0], drawn(model, state(envs, 0), view))
        envs.step(envs.action_space.sample())
    envs.close()


def test_which_environments():
    envs = make("Hopper", 5, render_ids=[4, 1])
    envs.reset(seed=3)
    for _ in range(4):
        envs.step(envs.action_space.sample())
    view = eye(envs.unwrapped.model, (0, 0, 1.15), 3, elevation=-20)
    for i, picture in zip((4, 1), envs.render(), strict=True):
        assert np.array_equal(picture, drawn(envs.unwrapped.model, state(envs, i), view))
    one, other = envs.render()
    assert (one != other).any()
    envs.close()
    assert make("Hopper", 5, render_ids=()).render() == ()


def test_gymnasiums_options():
    """Camera by name and by number, its configuration, flags."""
    for options in ({"camera_name": "track"}, {"camera_id": 0}):
        envs = make("Ant", 1, **options)
        envs.reset(seed=0)
        expected = drawn(envs.unwrapped.model, state(envs, 0), "track")
        assert np.array_equal(envs.render()[0], expected)
        envs.close()
    envs = make("Ant", 1, default_camera_config={"azimuth": 10.0, "lookat": (0.1, 0, 0.5)})
    envs.reset(seed=0)
    view = eye(envs.unwrapped.model, (0.1, 0, 0.5), 4, azimuth=10.0)
    assert np.array_equal(envs.render()[0], drawn(envs.unwrapped.model, state(envs, 0), view))
    envs.close()
    transparent = sinew.mujoco.mjtVisFlag.mjVIS_TRANSPARENT
    pair = [make("Ant", 1, visual_options=v) for v in (None, {transparent: True})]
    plain, clear = (envs.reset(seed=0) and envs.render()[0] for envs in pair)
    assert (plain != clear).any()
    with pytest.raises(ValueError, match="two cameras"):
        make("Ant", camera_id=0, camera_name="track")
    with pytest.raises(ValueError, match='no camera "trak"'):
        make("Ant", camera_name="trak").render()


def test_the_numbers_are_the_same():
    """Bits of observations and rewards, with pictures between the steps and without."""
    quiet, seen = make("Humanoid", 4, render_mode=None), make("Humanoid", 4, render_ids=[0, 3])
    for envs in (quiet, seen):
        envs.reset(seed=5)
        envs.action_space.seed(7)
    for _ in range(20):
        one, two = (envs.step(envs.action_space.sample()) for envs in (quiet, seen))
        seen.render()
        assert one[0].tobytes() == two[0].tobytes() and one[1].tobytes() == two[1].tobytes()


def test_simulations_with_models_of_their_own():
    """A geom that has grown in one simulation has grown in its picture."""
    envs = make("Ant", 2, render_ids=[0, 1])
    envs.reset(seed=0)
    batch = envs.unwrapped.batch
    batch.qpos[:] = batch.qpos[:1]
    same = envs.render()
    assert np.array_equal(*same)
    batch.parameter("geom_size")[1, 1] *= 2
    grown = envs.render()
    assert np.array_equal(grown[0], same[0]) and (grown[1] != grown[0]).any()


class Cart(sinew.envs.BatchEnv):
    """The least that an environment is."""

    def __init__(self, n=2, **options):
        xml = """<mujoco><worldbody><camera name="side" pos="0 -3 0.5" xyaxes="1 0 0 0 0 1"/><body>
            <joint type="slide"/><geom size="0.3" rgba="1 0 0 1"/></body></worldbody>
            <actuator><motor joint="" /></actuator></mujoco>"""
        xml = xml.replace('<joint type="slide"/>', '<joint name="x" type="slide" axis="1 0 0"/>')
        model = sinew.Model.from_xml(xml.replace('joint=""', 'joint="x"'))
        super().__init__(model, n, **options)

    def observation(self, s):
        return s.qpos


def test_an_environment_of_ones_own():
    envs = Cart(render_mode="rgb_array", width=64, height=48, camera="side")
    envs.reset(seed=0)
    assert envs.metadata["render_modes"] == ["rgb_array"] and envs.render_mode == "rgb_array"
    middle = envs.render()[0]
    assert np.array_equal(middle, drawn(envs.model, state(envs, 0), "side"))
    envs.batch.qpos[0] = 0.8
    aside = envs.render()[0]
    columns = [np.flatnonzero((p[..., 0] > 60).any(axis=0)).mean() for p in (middle, aside)]
    assert columns[1] > columns[0] + 5
    envs.close()
    envs.close()
    with pytest.raises(Exception, match="closed"):
        envs.render()


def test_what_is_refused():
    with pytest.raises(ValueError, match="render_mode='human'|have no window"):
        Cart(render_mode="human")
    with pytest.raises(ValueError, match="must be None or 'rgb_array'"):
        Cart(render_mode="ansi")
    with pytest.raises(ValueError, match="render_ids is 2, must be from 0 to 1"):
        Cart(render_mode="rgb_array", render_ids=[2])
    with pytest.raises(ValueError, match="made with render_mode='rgb_array'"):
        Cart().render()
    with pytest.raises(ValueError, match="no picture of 0 x 480"):
        Cart(render_mode="rgb_array", width=0).render()
