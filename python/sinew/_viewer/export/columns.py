"""Numbers over time as small bytes: those that change alone, as what they change by, the like beside the like.

A table has a row for each moment and 32 bits in each column: whole numbers, or the bits of a float32. Of the columns that
are somewhere another than at first there is the change against the row before (in the first row against the first of all),
folded so that small ones are small whatever their sign, and of those first all lowest bytes, column by column, and then
the next ones: the high ones are nearly all 0, and deflate makes nothing of them. page/src/player/columns.js reads it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def pack(table: NDArray, first: NDArray) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Return which columns change, and the bytes of their changes.

    Parameters
    ----------
    table : array [rows, n]
        int32 or float32.
    first : array [n]
        Of the same type.

    Returns
    -------
    columns : array [k]
    changes : array [4 k rows]
    """
    bits, start = table.view(np.uint32), first.view(np.uint32)
    columns = np.flatnonzero((bits != start).any(axis=0)).astype(np.uint32)
    change = np.diff(np.concatenate([start[None, columns], bits[:, columns]]), axis=0)
    change = change.view(np.int32)
    folded = (change << 1) ^ (change >> 31)
    planes = np.ascontiguousarray(folded, "<i4").view(np.uint8).reshape(*folded.shape, 4)
    return columns, planes.transpose(2, 1, 0).ravel()
