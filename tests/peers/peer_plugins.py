"""The plugins that come with the pinned peer, for tests that import this: they are registered once in a process."""

import pathlib

import mujoco

mujoco.mj_loadAllPluginLibraries(str(pathlib.Path(mujoco.__file__).parent / "plugin"))
