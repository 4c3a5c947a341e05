"""Random numbers of many environments, each from a generator of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Size = int | tuple[int, ...]


class Draws:
    """The random generators of k environments, as one: `uniform(-1, 1, 3)` is an array [k, 3].

    Row i comes from the generator of the i-th environment alone, so that an environment draws the same numbers
    whatever its neighbours do.
    """

    __slots__ = ("generators",)

    def __init__(self, generators: Sequence[np.random.Generator]):
        self.generators = generators

    def __len__(self) -> int:
        return len(self.generators)

    def __getitem__(self, which: ArrayLike) -> Draws:
        """Those of some of the environments: an index array or a mask."""
        index = np.arange(len(self))[which]
        return Draws([self.generators[i] for i in np.atleast_1d(index)])

    def _fill(self, draw: Callable, size: Size) -> NDArray[np.float64]:
        """Numbers between 0 and 1, or normal ones: the quickest way to many small draws."""
        shape = np.broadcast_shapes(size)
        rows = np.empty((len(self), math.prod(shape)))
        for generator, row in zip(self.generators, rows, strict=True):
            draw(generator, out=row)
        return rows.reshape(len(self), *shape)

    def uniform(
        self, low: ArrayLike = 0.0, high: ArrayLike = 1.0, size: Size = ()
    ) -> NDArray[np.float64]:
        """Between low and high, which broadcast to size: [k, *size]."""
        if not np.all(np.less_equal(low, high)):
            raise ValueError("uniform: low and high must be numbers, low not above high")
        return np.add(low, np.subtract(high, low) * self._fill(np.random.Generator.random, size))

    def normal(
        self, mean: ArrayLike = 0.0, deviation: ArrayLike = 1.0, size: Size = ()
    ) -> NDArray[np.float64]:
        """Normal numbers, of a mean and a deviation that broadcast to size: [k, *size]."""
        return np.add(mean, np.multiply(deviation, self.standard_normal(size)))

    def standard_normal(self, size: Size = ()) -> NDArray[np.float64]:
        """Normal numbers of mean 0 and deviation 1: [k, *size]."""
        return self._fill(np.random.Generator.standard_normal, size)

    def integers(self, low: int, high: int, size: Size = ()) -> NDArray[np.int64]:
        """Integers from low to high - 1: [k, *size]."""
        rows = [generator.integers(low, high, size) for generator in self.generators]
        return np.array(rows, np.int64).reshape(len(self), *np.broadcast_shapes(size))
