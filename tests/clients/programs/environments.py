"""gymnasium's and gymnasium-robotics' environments under seeded actions: observations, rewards, ends, into a file.

Arguments: the file (.npz), steps, then names, or nothing for all.
"""

import sys
import warnings

import gymnasium
import gymnasium_robotics
import mujoco
import numpy as np
from gymnasium.utils.env_checker import check_env

gymnasium.register_envs(gymnasium_robotics)
warnings.simplefilter("ignore")
# Pusher-v4 refuses MuJoCo 3 and later by itself
FAMILIES = "gymnasium.envs.mujoco", "gymnasium_robotics"
load = mujoco.MjModel.from_xml_path


def load_exact(*arguments):
    """A model in which contacts of round shapes are exact: by default MuJoCo's search stops before."""
    model = load(*arguments)
    model.opt.ccd_tolerance = 1e-12
    return model


mujoco.MjModel.from_xml_path = load_exact


def all_names():
    """Every environment on MuJoCo, v4 and later, one of each class."""
    found = {}
    for name, spec in gymnasium.registry.items():
        entry = str(spec.entry_point)
        old = "_v2" in entry or "_v3" in entry or "mujocopy" in entry.lower() or name == "Pusher-v4"
        if entry.startswith(FAMILIES) and not old:
            found.setdefault(entry + repr(spec.kwargs.get("reward_type")), name)
    return list(found.values())


def flat(observation):
    """All numbers of an observation."""
    if isinstance(observation, dict):
        return np.concatenate([flat(value) for _, value in sorted(observation.items())])
    return np.ravel(observation)


def run(name, steps):
    """Rows of observation, reward, terminated, truncated."""
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(2)
    rows = [[*flat(observation), 0, 0, 0]]
    for _ in range(steps):
        observation, *rest = env.step(env.action_space.sample())
        rows.append([*flat(observation), *map(float, rest[:3])])
        if any(rest[1:3]):
            break
    env.close()
    return np.array(rows)


def check(name):
    """What gymnasium's checker finds: some environments hand out their own arrays, whatever the engine."""
    try:
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)
    except AssertionError as error:
        return f"{name}: {error}"
    return f"{name}: nothing"


if __name__ == "__main__":
    names = sys.argv[3:] or all_names()
    result = {name: run(name, int(sys.argv[2])) for name in names}
    result["checks"] = np.array([check(name) for name in names])
    vector = gymnasium.make_vec(
        names[0], 2, vectorization_mode="async", vector_kwargs={"context": "spawn"}
    )
    vector.reset(seed=1)
    vector.action_space.seed(2)
    result["async"] = flat(vector.step(vector.action_space.sample())[0])
    vector.close()
    np.savez(sys.argv[1], **result)
