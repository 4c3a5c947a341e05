"""What vectors save on ARM64: instructions of steps, by files, of a build with NEON and of one without vectors.

QEMU runs both and counts; it emulates, so that nothing is timed. `python tests/bits/instructions.py [STEPS [MODEL...]]` prints
a table of all models of `MODELS`, or of those named or given as files, and what files make of it. ./dev test-long gets what it
wants: Debian's cross compiler and its libraries, and QEMU with plugins.
"""

import collections
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from listings import MODELS as FOLDER
from listings import ROOT
from other_builds import ARM64, build

PLUGIN = ROOT / "build/bits-arm64-counted/count_blocks.so"
APIS = range(1, 7)  # of QEMU's plugins
BUILDS = {"NEON": "arm64-counted", "plain": "arm64-plain"}
# Soft contacts; rigid ones; loops, elliptic cones; meshes in contact; a matrix as deep as it is large.
MODELS = ["humanoid", "brick_stack", "cassie_legs", "nut_and_bolt", "chain"]
OURS = (
    "src/model/stage_hash.c",
    "src/base/hash.h",
)  # what it takes to compare bits is no part of a step
MARK = "// For each target"  # src/target/prelude.h
FILE = re.compile(r"^.*/((?:src|include|tests)/.*?):")


def chain(links=100):
    """A chain of hinges, as text."""
    body = (
        '<body pos="0.1 0 0"><joint axis="{}" damping="0.1"/>'
        '<geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.01" contype="0" conaffinity="0"/>'
    )
    bodies = "".join(body.format("0 1 0" if i % 2 else "0 0 1") for i in range(links))
    return f'<mujoco><option timestep="0.002"/><worldbody>{bodies}{"</body>" * links}</worldbody></mujoco>'


def model_file(name):
    """Of a name of `MODELS`, or of a path."""
    if name == "chain":
        path = ROOT / "build/bits-arm64-counted/chain.xml"
        path.write_text(chain())
        return path
    return pathlib.Path(name) if name.endswith(".xml") else FOLDER / f"{name}.xml"


@functools.cache
def kernels():
    """Files that are compiled for each target, and those of them that use vectors."""

    def includes(path, seen):
        for name in re.findall(r'#include "([^"]+)"', path.read_text()):
            other = ROOT / "src" / name
            if other.exists() and other not in seen:
                seen.add(other)
                includes(other, seen)
        return seen

    simd = ROOT / "src/math/simd.h"
    sources = sorted((ROOT / "src").rglob("*.c"))
    marked = [
        path
        for path in sources
        if any(line.startswith(MARK) for line in path.read_text().splitlines()[:2])
    ]
    vectors = [path for path in marked if simd in includes(path, set())]
    return tuple({str(path.relative_to(ROOT)) for path in paths} for paths in (marked, vectors))


@functools.cache
def counter():
    """The plugin, as this QEMU wants it; what starts QEMU with it."""
    build("arm64-counted", ("static",))
    for api in APIS:
        source = ROOT / "tests/bits/count_blocks.c"
        command = ["cc", "-O2", "-shared", "-fPIC", f"-DAPI={api}", "-o", PLUGIN, source]
        subprocess.run(command, check=True)
        words = ["qemu-aarch64", "-L", ARM64, "-plugin"]
        probe = [*words, f"{PLUGIN},out=/dev/null", *usage()]
        if "version" not in subprocess.run(probe, capture_output=True, text=True).stderr:
            return words
    raise SystemExit(
        "this qemu-aarch64 has another interface for plugins than count_blocks.c knows"
    )


def usage():
    """A command that does nothing but say how it is used."""
    return [ROOT / "build/bits-arm64-counted/tests/bits/hash_steps_static"]


def files_of(program, addresses):
    """For each address the file whose function is there, headers' functions in it included; none for other libraries."""
    command = ["aarch64-linux-gnu-addr2line", "-a", "-i", "-e", program]
    said = subprocess.run(
        command, input="\n".join(addresses), capture_output=True, text=True, check=True
    ).stdout
    files, address = {}, None
    for line in said.splitlines():
        if line.startswith("0x"):
            address = f"{int(line, 16):x}"
        else:  # the last one is what the others are inlined in
            match = FILE.match(line)
            files[address] = match[1] if match else None
    return files


def run(kind, model, steps):
    """Instructions by files, and the listing."""
    program = build(BUILDS[kind], ("static",)) / "hash_steps_static"
    with tempfile.NamedTemporaryFile("r") as out:
        command = [*counter(), f"{PLUGIN},out={out.name}", program, model, str(steps), "some"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        blocks = [line.split() for line in out]
    assert blocks, "QEMU has counted nothing"
    files = files_of(program, {address for address, _, _ in blocks})
    counts = collections.Counter()
    for address, size, times in blocks:
        counts[files[address]] += int(size) * int(times)
    return counts, done.stdout


@dataclass
class Counts:
    """Instructions a step, of the build with NEON and of the plain one, by files."""

    neon: collections.Counter
    plain: collections.Counter
    same: bool  # bits

    def ratio(self, files=None):
        """Of the sums over some files; without: over all of Sinew."""
        neon, plain = (
            sum(n for file, n in counts.items() if (file in files if files else of_step(file)))
            for counts in (self.neon, self.plain)
        )
        return neon, plain, neon / plain


def of_step(file):
    """Whether a file of Sinew is at work in a step."""
    return file is not None and file.startswith("src/") and file not in OURS


def count(name, steps):
    """Of a model: steps alone, without loading."""
    model, found, listings = model_file(name), {}, {}
    for kind in BUILDS:
        counts, listings[kind] = run(kind, model, steps)
        counts.subtract(run(kind, model, 0)[0])
        found[kind] = collections.Counter({file: n / steps for file, n in counts.items()})
    return Counts(found["NEON"], found["plain"], listings["NEON"] == listings["plain"])


def main():
    """A table, then files."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    marked, vectors = kernels()
    kinds = {"kernels with vectors": vectors, "all kernels": marked, "a step": None}
    print("| model |", " | ".join(kinds), "|\n|" + " --- |" * (len(kinds) + 1))
    files = {}
    for name in sys.argv[2:] or MODELS:
        counts = count(name, steps)
        cells = [counts.ratio(some) for some in kinds.values()]
        words = [f"{a / 1e3:.1f} / {b / 1e3:.1f} = {c:.2f}" for a, b, c in cells]
        print(f"| {pathlib.Path(name).stem} |", " | ".join(words), "|", flush=True)
        assert counts.same, f"{name} has other bits without vectors"
        for file in marked:
            a, b = files.get(file, (0, 0))
            files[file] = a + counts.neon[file], b + counts.plain[file]
    print("\n| file | instructions, of all models | plain | ratio |\n| --- | --- | --- | --- |")
    for file, (a, b) in sorted(files.items(), key=lambda item: -item[1][0])[:25]:
        print(f"| {file.removeprefix('src/')} | {a:.0f} | {b:.0f} | {a / max(b, 1):.2f} |")


if __name__ == "__main__":
    main()
