"""Our numbers for the peer's, where its enumerations of a release have others than ours."""

from __future__ import annotations

import operator

from .. import _core
from ._enums import ENUMS


def by_name(ours: str, theirs: str, prefix: str) -> dict[int, int]:
    """Return the peer's value of each of ours, by the names of an enumeration's members."""
    names = {name.removeprefix(prefix): int(v) for name, v in ENUMS[theirs].__members__.items()}
    rows = next(rows for name, _, rows in _core.tables()["enums"] if name == ours)
    return {row[1]: names[row[0]] for row in rows if row[0] in names}


def _bits(table: dict[int, int]) -> dict[int, int]:
    """Of a table by our values, those that are one bit, by the peer's, ascending."""
    return {
        theirs: ours
        for ours, theirs in sorted(table.items(), key=lambda row: row[1])
        if not theirs & (theirs - 1)
    }


# Parts of the state by the peer's bits, in its order.
PARTS = _bits(by_name("snStateBit", "mjtState", "mjSTATE_"))
# Our warnings in the peer's order.
WARNINGS = [
    ours
    for ours, _ in sorted(
        by_name("snWarning", "mjtWarning", "mjWARN_").items(), key=lambda row: row[1]
    )
]


def signature(sig: int) -> int:
    """Return our signature of a state for the peer's; bits that it has not stay out."""
    sig = operator.index(sig)
    return sum(bit for theirs, bit in PARTS.items() if sig & theirs)


_HISTORY = int(getattr(ENUMS["mjtState"], "mjSTATE_HISTORY", 0))


def pieces(sig: int) -> tuple[int, ...]:
    """Return our signatures of the pieces of a state that stand in our order, too: up to the history, it, and what follows."""
    if not _HISTORY:
        return (signature(sig),)
    cut = (sig & (_HISTORY - 1), sig & _HISTORY, sig & -2 * _HISTORY)
    return tuple(signature(piece) for piece in cut if piece)
