"""Which interfaces to OpenGL this machine has beside EGL. OSMesa is gone from Mesa 25.1 on."""

import ctypes.util

OSMESA = ctypes.util.find_library("OSMesa") is not None
OFF_SCREEN = ("egl", "osmesa") if OSMESA else ("egl",)
