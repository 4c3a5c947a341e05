"""Pictures as gymnasium's environments and dm_control give them, drawn by the engine that `mujoco` is.

pictures.py FILE FOLDER: writes arrays to FILE, a film of RecordVideo into FOLDER.
"""

import sys

import gymnasium
import numpy as np
from dm_control import mujoco as dm_mujoco
from dm_control import suite
from dm_control.mujoco.engine import TextOverlay
from dm_control.suite.wrappers import pixels

found = {}


def modes_of_gymnasium():
    for name in ("Humanoid-v5", "HalfCheetah-v5", "Ant-v5", "Reacher-v5", "Pusher-v5"):
        for mode in ("rgb_array", "depth_array", "rgbd_tuple"):
            env = gymnasium.make(name, render_mode=mode, width=160, height=120)
            env.reset(seed=1)
            picture = env.render()
            if mode == "rgbd_tuple":
                found[f"{name} rgbd 0"], found[f"{name} rgbd 1"] = picture
            else:
                found[f"{name} {mode}"] = picture
            env.close()
    env = gymnasium.make(
        "Ant-v5", render_mode="rgb_array", width=200, height=100, camera_name="track"
    )
    env.reset(seed=2)
    found["Ant-v5 track"] = env.render()
    env.close()


def film_of_gymnasium(folder):
    env = gymnasium.make("Hopper-v5", render_mode="rgb_array", width=128, height=96)
    env = gymnasium.wrappers.RecordVideo(env, folder, video_length=12, disable_logger=True)
    env.reset(seed=0)
    env.action_space.seed(0)
    for _ in range(15):
        if any(env.step(env.action_space.sample())[2:4]):
            env.reset()
    env.close()


def pictures_of_dm_control():
    for domain, task in (
        ("humanoid", "stand"),
        ("cheetah", "run"),
        ("quadruped", "walk"),
        ("dog", "stand"),
    ):
        env = suite.load(domain, task, task_kwargs={"random": 3})
        env.reset()
        physics = env.physics
        name = f"dm {domain}"
        found[f"{name} 0"] = physics.render(height=120, width=160, camera_id=0)
        found[f"{name} free"] = physics.render(height=120, width=160)
        found[f"{name} depth"] = physics.render(height=120, width=160, camera_id=0, depth=True)
        found[f"{name} segmentation"] = physics.render(
            height=120, width=160, camera_id=0, segmentation=True
        )
        option = dm_mujoco.wrapper.MjvOption()
        option.flags[dm_mujoco.wrapper.mjbindings.enums.mjtVisFlag.mjVIS_JOINT] = 1
        found[f"{name} joints"] = physics.render(120, 160, camera_id=0, scene_option=option)
        overlay = TextOverlay(title="time", body="1.25", style="big", position="bottom right")
        found[f"{name} text"] = physics.render(120, 160, camera_id=0, overlays=[overlay])
        physics.free()


def picking_of_dm_control():
    env = suite.load("cartpole", "balance", task_kwargs={"random": 3})
    env.reset()
    camera = dm_mujoco.Camera(env.physics, height=120, width=160, camera_id=0)
    camera.render()
    picked = [
        camera.select((x, y))
        for x in np.linspace(0.05, 0.95, 8)
        for y in np.linspace(0.05, 0.95, 8)
    ]
    ids = [[-1 if v is None else v for v in (p.body, p.geom, p.flex, p.skin)] for p in picked]
    found["picked"] = np.array(ids)
    found["picked where"] = np.array(
        [np.full(3, -9.0) if p.world_position is None else p.world_position for p in picked]
    )
    found["matrix"] = camera.matrix
    movable = dm_mujoco.MovableCamera(env.physics, height=120, width=160)
    movable.set_pose([0, 0, 1], 4, 60, -30)
    found["movable"] = movable.render()


def pixels_of_dm_control():
    env = suite.load("cartpole", "swingup", task_kwargs={"random": 3})
    env = pixels.Wrapper(
        env, pixels_only=False, render_kwargs={"height": 64, "width": 64, "camera_id": 0}
    )
    env.reset()
    for _ in range(5):
        step = env.step([0.3])
    found["pixels"] = step.observation["pixels"]


modes_of_gymnasium()
film_of_gymnasium(sys.argv[2])
pictures_of_dm_control()
picking_of_dm_control()
pixels_of_dm_control()
np.savez(sys.argv[1], **found)
