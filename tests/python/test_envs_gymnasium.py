"""sinew.envs beside gymnasium's own environments on scalar Sinew, from the same state and warm start at each step."""

import functools
import json
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("gymnasium")

PAIR = pathlib.Path(__file__).parent / "gymnasium_pair.py"
NAMES = (
    "Ant",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "HumanoidStandup",
    "InvertedDoublePendulum",
    "InvertedPendulum",
    "Pusher",
    "Reacher",
    "Swimmer",
    "Walker2d",
)
FALLS = {"Ant", "Hopper", "Humanoid", "InvertedDoublePendulum", "InvertedPendulum", "Walker2d"}

# Every option that changes an observation, a reward or an end, at another value than its own.
RUNNER = {
    "forward_reward_weight": 0.7,
    "ctrl_cost_weight": 0.3,
    "reset_noise_scale": 0.02,
    "exclude_current_positions_from_observation": False,
    "frame_skip": 3,
}
FALLER = {"healthy_reward": 2, "terminate_when_unhealthy": False}
OBSERVED = {
    "exclude_current_positions_from_observation": False,
    "include_cinert_in_observation": False,
    "include_qfrc_actuator_in_observation": False,
    "reset_noise_scale": 0.02,
    "frame_skip": 3,
    "ctrl_cost_weight": 0.2,
}
OPTIONS = {
    "Ant": [
        {**RUNNER, **FALLER, "main_body": "torso", "healthy_z_range": [0.6, 0.9]},
        {"contact_cost_weight": 0.01, "contact_force_range": [-0.5, 2], "main_body": 3},
        {"include_cfrc_ext_in_observation": False, "xml_file": "ant.xml"},
    ],
    "HalfCheetah": [RUNNER],
    "Hopper": [
        {**RUNNER, **FALLER},
        {"healthy_state_range": [-3, 3], "healthy_z_range": [0.1, 1.3]},
        {"healthy_angle_range": [-0.01, 0.02]},
    ],
    "Humanoid": [
        {**OBSERVED, **FALLER, "forward_reward_weight": 0.5, "contact_cost_weight": 1e-3},
        {"include_cvel_in_observation": False, "include_cfrc_ext_in_observation": False},
        {"contact_cost_range": [0.1, 0.2], "healthy_z_range": [1.3, 1.5]},
    ],
    "HumanoidStandup": [
        {**OBSERVED, "impact_cost_weight": 1e-3, "impact_cost_range": [0.1, 0.2]},
        {"include_cvel_in_observation": False, "include_cfrc_ext_in_observation": False},
    ],
    "InvertedDoublePendulum": [{"healthy_reward": 3, "reset_noise_scale": 0.3, "frame_skip": 2}],
    "InvertedPendulum": [{"reset_noise_scale": 0.05, "frame_skip": 3}],
    "Pusher": [
        {"reward_near_weight": 1, "reward_dist_weight": 2, "reward_control_weight": 0.2}
        | {"frame_skip": 2}
    ],
    "Reacher": [{"reward_dist_weight": 2, "reward_control_weight": 0.5, "frame_skip": 3}],
    "Swimmer": [RUNNER],
    "Walker2d": [
        {**RUNNER, **FALLER},
        {"healthy_z_range": [1.1, 1.3], "healthy_angle_range": [-0.05, 0.1]},
    ],
}


@functools.cache
def program():
    """The program of pairs, in which gymnasium runs on Sinew; it ends when nobody asks any more."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, str(PAIR)], **pipes)


def pair(what, name, options=None):
    """What the program of pairs says."""
    asked = program()
    print(json.dumps([what, name, options or {}]), file=asked.stdin, flush=True)
    line = asked.stdout.readline()
    assert line, "the program of pairs has ended"
    answer = json.loads(line)
    assert isinstance(answer, dict), answer
    return answer


def assert_equal(result):
    large = {key: value for key, value in result["differences"].items() if not value <= 1e-9}
    assert not large, f"more than 1e-9 off: {large}"


@pytest.mark.parametrize("name", NAMES)
def test_steps(name):
    """200 steps of five environments, with ends and resets on the way."""
    result = pair("steps", name)
    assert_equal(result)
    assert (result["terminations"] > 0) == (name in FALLS)
    assert result["truncations"] > 0 or name in FALLS


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, several in OPTIONS.items() for options in several],
)
def test_options(name, options):
    assert_equal(pair("steps", name, options))


@pytest.mark.parametrize("name", ["InvertedPendulum", "Hopper", "Humanoid"])
@pytest.mark.parametrize("mode", ["next", "same", "disabled"])
def test_autoreset_modes(mode, name):
    """Observations, masks, infos, final_obs and final_info, where few end, some, or all at once."""
    result = pair(mode, name)
    assert_equal(result)
    assert result["truncations"] > 0
    if mode == "same":
        assert "final_obs" in result["differences"]
        assert name == "InvertedPendulum" or "final_info.x_velocity" in result["differences"]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("whose", ["gymnasium's", "our"])
def test_episode_statistics(mode, whose):
    """Those of gymnasium's wrapper around both; and our own beside the wrapper around gymnasium's."""
    result = pair(f"{whose} statistics {mode}", "InvertedPendulum")
    assert_equal(result)
    assert result["differences"].keys() >= {"episode.r", "episode.l"}


@pytest.mark.parametrize("name", ["Ant", "Humanoid", "Reacher"])
def test_actions_that_are_no_numbers(name):
    """Observations stay finite, as controls are then zero; rewards are NaN where gymnasium's are."""
    assert_equal(pair("bad", name))


def test_single_environment_is_gymnasiums_own():
    result = pair("single", "Hopper")
    assert result["class"] == "HopperEnv"
    assert result["engine"].startswith("sinew")
