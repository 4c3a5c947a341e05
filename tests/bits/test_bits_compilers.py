"""The same bits by other compilers, at every kind of processor, and on ARM64 under an emulator."""

import os

import pytest
from fused import PROGRAMS, fused, library
from listings import BATCHES, KINDS, MODELS, NAMES, built, hold, kept
from other_builds import build, other

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for builds by other compilers"
)
COMPILERS = ["clang-14", "clang-19"]
WIDTHS = {"clang-14": ["4d", "8f"], "clang-19": ["4d", "8f"], "arm64": ["2d", "4f"]}
LANES = [(compiler, width) for compiler, widths in WIDTHS.items() for width in widths]
# Debian's qhull for ARM64 has fused products: of the 5,665 polygons of these hulls it makes two more.
OTHER_HULLS = {("arm64", "nut_and_bolt")}
DISASSEMBLERS = {"arm64": ["aarch64-linux-gnu-objdump", "llvm-objdump"]}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_clang(compiler, name, kind):
    linkage = "static" if kind == "v2" else "shared"
    hold(other(compiler, linkage, kind), MODELS / f"{name}.xml", kept(name), built("static", kind))


@pytest.mark.parametrize("linkage", ["static", "shared"])
@pytest.mark.parametrize("name", NAMES)
def test_arm64(name, linkage):
    hold(other("arm64", linkage), MODELS / f"{name}.xml", kept(name), built("static"))


@pytest.mark.parametrize("compiler, width", LANES)
def test_lanes(compiler, width):
    """Of doubles those of one model, of floats those of another."""
    name = next(name for name, widths in BATCHES.items() if width in widths)
    hold(other(compiler, "shared"), MODELS / f"{name}.xml", kept(f"{name}_lanes"), width=width)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("compiler", [*COMPILERS, "arm64"])
def test_compiled_models(compiler, name, compiled, tmp_path):
    """Both write the same bytes, and what one has written makes the same steps of the other."""
    program = other(compiler, "shared")
    for which, by in {"ours": built("static"), "theirs": program}.items():
        by(MODELS / f"{name}.xml", "compile", tmp_path / f"{which}.snb")
    same = (tmp_path / "ours.snb").read_bytes() == (tmp_path / "theirs.snb").read_bytes()
    assert same or (compiler, name) in OTHER_HULLS
    hold(program, compiled / f"{name}.snb", kept(name), built("static"))


@pytest.mark.parametrize("compiler", [*COMPILERS, "arm64"])
def test_nothing_is_fused_by_others(compiler):
    folder = build(compiler).parents[1]
    assert not fused(library(folder), DISASSEMBLERS.get(compiler, PROGRAMS))
