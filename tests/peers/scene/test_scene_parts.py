"""What bodies are made of in the list of things to draw: geoms, sites, skins, against the pinned peer."""

import numpy as np
import pytest

from models import everything
from scene_pair import Pair

PARTS = (5, 6, 11)  # geom, site, skin


def parts(rows):
    return np.isin(rows["objtype"], PARTS)


@pytest.mark.parametrize("path", everything(), ids=lambda p: p.stem)
def test_parts(path):
    pair = Pair(path)
    rng = np.random.default_rng(0)
    for _ in range(2):
        pair.randomise(rng)
        assert pair.check(choose=parts) > 0
