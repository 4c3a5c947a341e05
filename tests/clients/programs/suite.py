"""dm_control's suite under seeded actions: observations and rewards of some tasks, into a file.

Arguments: the file (.npz), steps, then DOMAIN:TASK ..., or nothing for all tasks.
"""

import sys

import mujoco
import numpy as np
from dm_control import suite
from dm_control.mujoco import engine
from dm_control.mujoco.wrapper.mjbindings import sizes

# quadruped:escape shows its terrain to a renderer, if it has one; with rendering off the question itself is an error
engine.Physics.contexts = None
# dm_control 1.0.50 asks for all fields of MuJoCo 3.17, of which 4.0.1 has some no more
for struct, fields in sizes.array_sizes.items():
    kind = {"mjmodel": mujoco.MjModel, "mjdata": mujoco.MjData}.get(struct)
    for name in [n for n in fields if kind and not hasattr(kind, n)]:
        del fields[name]


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
