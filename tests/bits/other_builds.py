"""hash_steps by other compilers, and for ARM64: builds of as little of the library as it needs."""

import functools
import os
import shutil
import subprocess

import pytest
from listings import ROOT, Program

ARM64 = ROOT / "build/arm64"  # libraries of Debian; ./dev test-long gets them
OPTIONS = {
    "clang-14": ["-DCMAKE_C_COMPILER=clang-14", "-DSINEW_LANE_WIDTHS=4d;8f"],
    "clang-19": ["-DCMAKE_C_COMPILER=clang-19", "-DSINEW_LANE_WIDTHS=4d;8f"],
    "arm64": [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/arm64.cmake", "-DSINEW_LANE_WIDTHS=2d;4f"],
}
# Of which instructions are counted: with lines in them, at addresses that stay, without lanes. "plain" has no vectors.
for _name, _flags in {"arm64-counted": "-g1", "arm64-plain": "-g1 -march=armv8-a+nosimd"}.items():
    OPTIONS[_name] = [
        *[OPTIONS["arm64"][0], "-DSINEW_LANE_WIDTHS="],
        *[f"-DCMAKE_C_FLAGS={_flags}", "-DCMAKE_EXE_LINKER_FLAGS_RELEASE=-no-pie"],
    ]
NEEDS = {
    "clang-14": ["clang-14"],
    "clang-19": ["clang-19"],
    "arm64": ["aarch64-linux-gnu-gcc", "qemu-aarch64-static"],
    "arm64-counted": ["aarch64-linux-gnu-gcc", "qemu-aarch64"],
    "arm64-plain": ["aarch64-linux-gnu-gcc", "qemu-aarch64"],
}
EVERY = [
    *["-DCMAKE_BUILD_TYPE=Release", "-DSINEW_WERROR=ON", "-DSINEW_TESTS=OFF", "-DSINEW_CLI=OFF"],
    "-DSINEW_BITS=ON",
]


def run(name, *command):
    """Runs a part of a build; what it says goes into a log."""
    log = ROOT / f"build/log/bits-{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as file:
        code = subprocess.run(command, stdout=file, stderr=file, cwd=ROOT, check=False).returncode
    if code:
        pytest.fail(f"{' '.join(command)}: see {log}", pytrace=False)


@functools.cache
def build(name, linkages=("static", "shared")):
    """Builds; skips the test where a compiler or the libraries are missing."""
    for program in NEEDS[name]:
        if not shutil.which(program):
            pytest.skip(f"no {program} here")
    if name.startswith("arm64") and not (ARM64 / "whole").exists():
        pytest.skip("the libraries of ARM64 are not here; ./dev test-long gets them")
    folder, jobs = f"build/bits-{name}", str(os.cpu_count())
    (ROOT / f"build/log/bits-{name}.log").unlink(missing_ok=True)
    run(name, "cmake", "-S", ".", "-B", folder, "-G", "Ninja", *EVERY, *OPTIONS[name])
    for linkage in linkages:
        run(name, "cmake", "--build", folder, "-j", jobs, "--target", f"hash_steps_{linkage}")
    return ROOT / folder / "tests/bits"


def other(name, linkage, kind=None):
    """The program of one of these builds."""
    path = build(name) / f"hash_steps_{linkage}"
    if name != "arm64":
        return Program(path, kind)
    return Program(path, None, ["qemu-aarch64-static", "-L", str(ARM64)])
