"""Long runs of many models have the same bits on every kind of processor."""

import functools
import os

import pytest
from listings import KINDS, MODELS, built, parted

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for 100 000 steps of each model"
)
# Steps of flexes take a hundred times as long as others.
STEPS = {"cushion": 2000, "flag": 20000, "soft_gripper": 20000}
NAMES = sorted(path.stem for path in MODELS.glob("*.xml"))


@functools.cache
def listing(name, kind):
    """By one kind of processor."""
    return built("static", kind)(MODELS / f"{name}.xml", STEPS.get(name, 100_000))


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("name", NAMES)
def test_a_long_run(name, kind):
    where = parted(listing(name, KINDS[0]), listing(name, kind))
    assert not where, where
