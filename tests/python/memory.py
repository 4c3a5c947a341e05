"""Memory of a process that runs a hundred files of tests."""

import ctypes
import pathlib
import sys

_STATUS = pathlib.Path("/proc/self/statm")
_GROWN = 60_000  # pages, some 250 MB, by which a process has grown before it gives back between tests, too
_pages = 0  # of this process when it last gave back


def pages():
    """Pages of memory that this process has; 0 where that is not told."""
    return int(_STATUS.read_text().split()[1]) if _STATUS.exists() else 0


def give_back_if_grown():
    """As `give_back`, where much has been taken since."""
    if pages() > _pages + _GROWN:
        give_back()


def give_back():
    """Let the system have what is free, where the C library knows how.

    Before it the peer drops what it keeps of files that it has read: meshes and textures, up to 500 MB, and the source of
    the last model.
    """
    global _pages
    peer = sys.modules.get("mujoco")
    if peer:
        peer.mj_clearCache(peer.mj_getCache())
        peer.MjModel.from_xml_string("<mujoco/>")
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform != "win32" else None
    if trim:
        trim(0)
    _pages = pages()
