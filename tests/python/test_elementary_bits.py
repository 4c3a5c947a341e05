"""The elementary functions have the same bits whatever compiler and processor: a program of theirs alone is compiled and run,
for ARM64 under qemu, and compares its hashes with those that are written down."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests/unit/math/elementary_bits.c"
SOURCES = [*sorted((ROOT / "src/math/elementary").glob("*.c")), ROOT / "src/math/sincos.c"]
FLAGS = "-std=gnu17 -ffp-contract=off -fno-math-errno -fno-trapping-math".split()
# What the levels of x86-64 need (flags of /proc/cpuinfo).
LEVELS = {"x86-64": "sse2", "x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
LONG = bool(os.environ.get("SINEW_LONG"))
CASES = [
    (compiler, level, optimise)
    for compiler in ("gcc", "clang", "clang-14", "clang-19")
    for level in LEVELS
    for optimise in ("-O0", "-O1", "-O2", "-O3")
    if LONG or (level, optimise) in {("x86-64", "-O0"), ("x86-64-v4", "-O3"), ("x86-64-v3", "-O2")}
]


def build(tmp_path, compiler, *flags):
    """The program, compiled."""
    program = tmp_path / "bits"
    sources = [PROGRAM, *SOURCES]
    command = [compiler, *FLAGS, *flags, f"-I{ROOT}/src", f"-I{ROOT}/include", *sources]
    subprocess.run([*command, "-o", program, "-lm"], check=True)
    return program


def hashes(*command):
    """That the program finds no hash that differs."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc/cpuinfo")
@pytest.mark.parametrize(("compiler", "level", "optimise"), CASES)
def test_x86_64(tmp_path, compiler, level, optimise):
    """Every level of x86-64, where the processor has it."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    words = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    if LEVELS[level] not in words:
        pytest.skip(f"this processor has no {LEVELS[level]}")
    hashes(build(tmp_path, compiler, f"-march={level}", optimise))


@pytest.mark.parametrize("optimise", ["-O0", "-O2", "-O3"] if LONG else ["-O2"])
def test_arm64(tmp_path, optimise):
    """ARM64, whose compilers fuse products and sums where they may."""
    for program in ("aarch64-linux-gnu-gcc", "qemu-aarch64-static"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    program = build(tmp_path, "aarch64-linux-gnu-gcc", optimise, "-static")
    hashes("qemu-aarch64-static", program)


def test_coefficients():
    """The header of coefficients is what its program makes."""
    script = ROOT / "tools/elementary_coefficients.py"
    subprocess.run([sys.executable, script, "--check"], check=True)
