"""The extension is loaded here first: where it cannot be, the error says what then.

A file that was cut off, by a full disk say, may pass for a library and end the interpreter once its missing pages are
touched: its length is looked at before.
"""

from __future__ import annotations

import os
import pathlib
import struct
import sys

from ._extra import install


def _is_cut_off(path: pathlib.Path) -> bool:
    """Whether a 64-bit ELF file ends before the table of its sections does, which is its last part."""
    with path.open("rb") as file:
        head = file.read(64)
        size = os.fstat(file.fileno()).st_size
    if head[:4] != b"\x7fELF"[: len(head)] or len(head) > 4 and head[4] != 2:
        return False  # of another system
    if len(head) < 64:
        return True
    (start,) = struct.unpack_from("=Q", head, 40)
    each, count = struct.unpack_from("=HH", head, 58)
    return start + each * count > size


def _check() -> None:
    for path in pathlib.Path(__file__).parent.glob("_core*.so"):
        if _is_cut_off(path):
            raise ImportError(
                f"{path} is cut off, {path.stat().st_size} bytes are there", path=str(path)
            )


def load() -> None:
    """Load the extension.

    Raises
    ------
    ImportError
        It is not there, or does not load; the text says why, and how it is mended.
    """
    try:
        _check()
        from . import _core  # noqa: F401
    except (ImportError, OSError) as error:
        what, why = str(error), "the file is damaged, or for another system"
        if "cannot import name" in what:
            what, why = str(pathlib.Path(__file__).parent), "there is no _core in it"
        elif "shared object file" in what or "Library not loaded" in what:
            why = "a library that the package was built with is gone"
        raise ImportError(
            f"{what}: {why}; install the package again ({sys.executable} -m pip install --force-reinstall WHEEL), "
            f"or build it here: {install('view')}",
            name=getattr(error, "name", None),
            path=getattr(error, "path", None),
        ) from error
