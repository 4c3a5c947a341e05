"""What `sinew simulate --record FILE.mcap` runs: rows from its input to an .mcap on its output.

The input has blocks, each after its length in 8 bytes (little-endian): a compiled model; its MJCF or nothing; what stands
in an .npy before the rows; rows, as often as there are some; an empty one when all is there. Where the input ends without
that, the sender has died, and what came is completed.
"""

from __future__ import annotations

import io
import os
import struct
import sys
from typing import IO

import numpy as np

from .. import _core
from .._types import Model
from . import mcap_format, mcap_write, npy
from .layout import element_names


def _block(source: IO[bytes]) -> bytes:
    """The next block; empty at the end."""
    start = source.read(8)
    return source.read(struct.unpack("<Q", start)[0]) if len(start) == 8 else b""


def _record(source: IO[bytes], target: IO[bytes], path: str) -> None:
    model = _core.unpackModel(Model, _block(source))
    text = _block(source).decode(errors="replace")
    _, dtype = npy.read_header(path, io.BytesIO(_block(source)))
    fields = {name: dtype[name].itemsize // 8 for name in dtype.names if name != "time"}
    writer = mcap_write.Writer(target, fields, element_names(model), model, text)
    row = dtype.itemsize
    while block := _block(source):
        whole = len(block) // row * row
        writer.write(np.frombuffer(block[:whole]).reshape(-1, row // 8))
    writer.finish()
    target.flush()


def main(path: str) -> int:
    """Exit code."""
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output is the file: what is printed goes elsewhere
    try:
        mcap_format.library()
        with target:
            _record(sys.stdin.buffer, target, path)
    except OSError as error:
        print(f"sinew: cannot write '{path}': {error.strerror or error}", file=sys.stderr)
        return 1
    except (ValueError, ImportError) as error:
        print(f"sinew: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
