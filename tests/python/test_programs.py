"""Whole programs: the command and Python give the same bits; gymnasium runs on sinew.mujoco unchanged."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import numpy as np

import sinew

# dm_control is there for its models; importing it would want more packages
SUITE = pathlib.Path(importlib.util.find_spec("dm_control").origin).parent / "suite"

# Prints nothing; saves observations and rewards of some environments under random actions.
GYMNASIUM = """
import sys, types
import numpy as np
if sys.argv[1] == "sinew":
    from sinew import mujoco
    sys.modules["mujoco"] = mujoco
sys.modules["imageio"] = types.ModuleType("imageio")  # gymnasium asks for it, to write videos
import gymnasium
result = {}
for name in ("Hopper-v5", "HalfCheetah-v5", "Ant-v5", "Walker2d-v5", "Pusher-v5", "Swimmer-v5"):
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(2)
    rows = [np.append(observation, 0)]
    for _ in range(14):
        observation, reward, *_ = env.step(env.action_space.sample())
        rows.append(np.append(observation, reward))
    result[name] = np.array(rows)
np.savez(sys.argv[2], **result)
"""


def test_command_and_python_give_the_same_bits(tmp_path):
    """dm_control's humanoid for 10 s under noise, through `sinew simulate` and through Python."""
    path = SUITE / "humanoid.xml"
    model = sinew.Model.from_path(path)
    data = sinew.Data(model)
    steps = round(10 / model.opt.timestep)
    for k in range(steps):
        data.ctrl[:] = 0.3 * sinew.noise(model.nu, 0, k * model.nu)
        sinew.step(model, data)

    command = shutil.which("sinew", path=str(pathlib.Path(sys.executable).parent))
    record = tmp_path / "run.npy"
    arguments = ["simulate", path, "--seconds", "10", "--ctrl", "noise:0.3", "--record", record]
    subprocess.run([command, *map(str, arguments)], check=True, capture_output=True)
    last = np.load(record)[-1]
    assert last["time"] == data.time
    assert last["qpos"].tobytes() == data.qpos.tobytes()
    assert last["qvel"].tobytes() == data.qvel.tobytes()


def test_gymnasium_runs_unchanged(tmp_path):
    result = {}
    for engine in ("sinew", "mujoco"):
        file = tmp_path / f"{engine}.npz"
        subprocess.run(
            [sys.executable, "-c", GYMNASIUM, engine, file], check=True, capture_output=True
        )
        result[engine] = np.load(file)
    for name, theirs in result["mujoco"].items():
        # 14 actions are up to 70 steps; errors of the solver's last digits grow about tenfold in 20
        np.testing.assert_allclose(
            result["sinew"][name], theirs, rtol=1e-7, atol=1e-7, err_msg=name
        )
