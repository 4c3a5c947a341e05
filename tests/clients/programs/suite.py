"""dm_control's suite under seeded actions: observations and rewards of some tasks, into a file.

Arguments: the file (.npz), steps, then DOMAIN:TASK ..., or nothing for all tasks.
"""

import sys

import numpy as np
from dm_control import suite
from dm_control.mujoco import engine

# quadruped:escape shows its terrain to a renderer, if it has one; with rendering off the question itself is an error
engine.Physics.contexts = None


def run(domain, task, steps):
    """Observations and the reward (steps + 1, n) of a task."""
    env = suite.load(
        domain, task, task_kwargs={"random": 1}, environment_kwargs={"flat_observation": True}
    )
    # by default MuJoCo's search for contacts of round shapes stops with normals that are off by 1e-5 and more
    env.physics.model.opt.ccd_tolerance = 1e-12
    spec, random = env.action_spec(), np.random.default_rng(2)
    rows = []
    step = env.reset()
    for _ in range(steps + 1):
        rows.append([*np.ravel(list(step.observation.values())[0]), step.reward or 0.0])
        step = env.step(random.uniform(spec.minimum, spec.maximum, spec.shape))
    return np.array(rows)


tasks = [tuple(name.split(":")) for name in sys.argv[3:]] or suite.ALL_TASKS
np.savez(sys.argv[1], **{f"{d}:{t}": run(d, t, int(sys.argv[2])) for d, t in tasks})
