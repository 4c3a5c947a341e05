"""Kernels of ARM64 have vectors: they run at most 0.72 of the instructions that the same kernels take without."""

import os

import pytest
from instructions import MODELS, count, kernels

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"),
    reason="SINEW_LONG asks for builds for ARM64 whose instructions are counted",
)
# 0.7 where all of a file is for vectors; kinematics.c places fixed frames four at a time, and bodies one by one.
MOST = 0.72


@pytest.mark.parametrize("name", MODELS)
def test_kernels_with_vectors(name):
    counts = count(name, 20 if name == "chain" else 200)
    assert counts.same, "other bits without vectors"
    neon, plain, ratio = counts.ratio(kernels()[1])
    assert ratio <= MOST, f"{neon:.0f} instructions a step, {plain:.0f} without vectors"
