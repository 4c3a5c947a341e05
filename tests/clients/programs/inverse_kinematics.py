"""mink's differential inverse kinematics: joint positions on the way of a frame to a goal, into a file.

Arguments: the file (.npz), steps, then "MODEL;FRAME_TYPE;FRAME" ...
"""

import sys

import mink
import mujoco
import numpy as np


def run(path, frame_type, frame, steps):
    """Positions (steps, nq), towards a frame pose 10 cm and 0.3 rad away, within the joint limits."""
    model = mujoco.MjModel.from_xml_path(path)
    configuration = mink.Configuration(model)
    configuration.update(model.qpos0)
    task = mink.FrameTask(
        frame, frame_type, position_cost=1.0, orientation_cost=0.5, lm_damping=1e-3
    )
    posture = mink.PostureTask(model, cost=1e-2)
    posture.set_target(model.qpos0)
    goal = configuration.get_transform_frame_to_world(frame, frame_type)
    turn = mink.SO3.from_rpy_radians(0.3, 0.0, 0.0)
    task.set_target(
        mink.SE3.from_rotation_and_translation(
            goal.rotation() @ turn, goal.translation() + [0.06, -0.05, 0.06]
        )
    )
    rows = []
    for _ in range(steps):
        velocity = mink.solve_ik(
            configuration,
            [task, posture],
            0.02,
            solver="daqp",
            limits=[mink.ConfigurationLimit(model)],
        )
        configuration.integrate_inplace(velocity, 0.02)
        rows.append(configuration.q.copy())
    return np.array(rows)


models = [argument.split(";") for argument in sys.argv[3:]]
np.savez(sys.argv[1], **{f"{p};{f}": run(p, t, f, int(sys.argv[2])) for p, t, f in models})
