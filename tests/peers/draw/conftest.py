"""Pictures are compared to the last digit, so that ours wear the driver's smaller sizes of textures, as the peer's.

Software rasterisers cut where ours round: up to 3 of 255 (test_smaller_sizes_of_textures, which draws with ours).
"""

import pytest

from sinew.draw.pool import Pool

OWN = Pool._give_smaller


@pytest.fixture(autouse=True)
def smaller_sizes_by_the_driver(monkeypatch):
    """Let the driver make them, for one test."""
    monkeypatch.setattr(Pool, "_give_smaller", lambda self, made, *rest: made.build_mipmaps())


@pytest.fixture
def own_smaller_sizes(monkeypatch, smaller_sizes_by_the_driver):
    """Make them ourselves after all, for one test."""
    monkeypatch.setattr(Pool, "_give_smaller", OWN)
