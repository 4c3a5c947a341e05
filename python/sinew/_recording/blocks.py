"""Rows of numbers that come one by one, or some at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

_BLOCK = 4096


class Rows:
    """Rows of numbers, kept in blocks, so that none is copied as they grow."""

    def __init__(self, width: int) -> None:
        self.width, self.count = width, 0
        self._blocks: list[np.ndarray] = []

    def add(self, numbers: Any) -> None:
        """A row."""
        at = self.count % _BLOCK
        if at == 0:
            self._blocks.append(np.empty((_BLOCK, self.width)))
        self._blocks[-1][at] = numbers
        self.count += 1

    def extend(self, rows: np.ndarray) -> None:
        """Some rows, [n, width]."""
        while len(rows):
            at = self.count % _BLOCK
            if at == 0:
                self._blocks.append(np.empty((_BLOCK, self.width)))
            some = min(len(rows), _BLOCK - at)
            self._blocks[-1][at : at + some] = rows[:some]
            self.count += some
            rows = rows[some:]

    def put_last(self, numbers: Any) -> None:
        """Other numbers into the last row."""
        self._blocks[-1][(self.count - 1) % _BLOCK] = numbers

    def copy(self) -> np.ndarray:
        """[count, width]"""
        whole = np.empty((self.count, self.width))
        for k, block in enumerate(self._blocks):
            part = whole[k * _BLOCK : (k + 1) * _BLOCK]
            part[:] = block[: len(part)]
        return whole

    def take(self) -> np.ndarray:
        """As `copy`; the blocks are given up one by one."""
        whole = np.empty((self.count, self.width))
        for first in range(0, self.count, _BLOCK):
            part = whole[first : first + _BLOCK]
            part[:] = self._blocks[first // _BLOCK][: len(part)]
            self._blocks[first // _BLOCK] = np.empty(0)
        return whole
