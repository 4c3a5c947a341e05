"""A window of gymnasium's human mode, on the engine that `mujoco` is; needs a display.

window.py FILE: writes what the window shows below its texts.
"""

import sys

import gymnasium
import mujoco
import numpy as np

env = gymnasium.make("Ant-v5", render_mode="human", width=320, height=240)
env.reset(seed=1)
env.action_space.seed(1)
for _ in range(5):
    env.step(env.action_space.sample())
viewer = env.unwrapped.mujoco_renderer.viewer
window = mujoco.mjtFramebuffer.mjFB_WINDOW
assert viewer.con.currentBuffer == window and viewer.con.windowAvailable
rect = mujoco.MjrRect(0, 0, viewer.viewport.width, viewer.viewport.height)
scene = np.zeros((rect.height, rect.width, 3), np.uint8)
mujoco.mjr_render(rect, viewer.scn, viewer.con)
mujoco.mjr_readPixels(scene, None, rect, viewer.con)
viewer.render()  # as env.render() does: the scene anew, texts over it, and the buffers change places
np.savez(sys.argv[1], scene=scene)
env.close()
