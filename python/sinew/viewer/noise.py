"""Noise that is laid on controls while a simulation runs."""

from __future__ import annotations

import math

import numpy as np

from .._types import Data, Model

_SHORTEST = 1e-15  # seconds


class Noise:
    """An Ornstein-Uhlenbeck process of each control, about the middle of its range; MuJoCo's `simulate` has the same.

    Attributes
    ----------
    std : float
        Standard deviation, as a part of half the range of a control (of 1 where it has none); 0: there is no noise.
    rate : float
        Time in which it forgets (s); 0: each step has noise of its own.
    """

    def __init__(self) -> None:
        self.std = self.rate = 0.0
        self._random = np.random.default_rng(0)

    def lay(self, model: Model, data: Data) -> None:
        """Lay the noise of one step on the controls; without noise nothing is drawn and nothing changes."""
        if self.std <= 0 or model.nu == 0:
            return
        low, high = model.actuator_ctrlrange.T
        limited = model.actuator_ctrllimited.astype(bool)
        middle = np.where(limited, (low + high) / 2, 0)
        half = np.where(limited, (high - low) / 2, 1)
        kept = math.exp(-model.opt.timestep / max(self.rate, _SHORTEST))
        drawn = self.std * math.sqrt(1 - kept * kept) * self._random.standard_normal(model.nu)
        ctrl = middle + kept * (data.ctrl - middle) + half * drawn
        data.ctrl[:] = np.where(limited, np.clip(ctrl, low, high), ctrl)
