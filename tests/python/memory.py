"""Memory of a process that runs a hundred files of tests."""

import ctypes
import sys


def give_back():
    """Let the system have what is free, where the C library knows how.

    Before it the peer drops what it keeps of files that it has read: meshes and textures, up to 500 MB, and the source of
    the last model.
    """
    peer = sys.modules.get("mujoco")
    if peer:
        peer.mj_clearCache(peer.mj_getCache())
        peer.MjModel.from_xml_string("<mujoco/>")
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform != "win32" else None
    if trim:
        trim(0)
