"""The same bits by other compilers, at every kind of processor, and on ARM64 under an emulator."""

import os

import pytest
from listings import KINDS, MODELS, NAMES, built, hold, kept
from other_builds import other

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for builds by other compilers"
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("compiler", ["clang-14", "clang-19"])
def test_clang(compiler, name, kind):
    linkage = "static" if kind == "v2" else "shared"
    hold(other(compiler, linkage, kind), MODELS / f"{name}.xml", kept(name), built("static", kind))


@pytest.mark.parametrize("compiler", ["clang-14", "clang-19"])
def test_lanes_of_clang(compiler):
    hold(other(compiler, "shared"), MODELS / "humanoid.xml", kept("humanoid_lanes"), width="4d")


@pytest.mark.parametrize("linkage", ["static", "shared"])
@pytest.mark.parametrize("name", NAMES)
def test_arm64(name, linkage):
    hold(other("arm64", linkage), MODELS / f"{name}.xml", kept(name), built("static"))


def test_lanes_of_arm64():
    hold(other("arm64", "shared"), MODELS / "humanoid.xml", kept("humanoid_lanes"), width="2d")
