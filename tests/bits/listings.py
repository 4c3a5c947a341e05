"""Listings of hash_steps: made by a build on a kind of processor, kept in files, held against each other."""

import os
import pathlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = pathlib.Path(__file__).parent / "kept"
MODELS = ROOT / "examples/models"
STEPS = 2000
KINDS = ["v2", "v3", "v4"]
# Soft contacts; rigid ones; loops held exactly, elliptic cones; meshes with distance fields; flexes; tendons, RK4.
NAMES = [
    "humanoid",
    "brick_stack",
    "cassie_legs",
    "nut_and_bolt",
    "soft_gripper",
    "swinging_atwood",
]
BATCHES = {"humanoid": ["2d", "4d", "8d"], "walker": ["4f", "8f", "16f"]}


@dataclass
class Program:
    """A build of hash_steps, and how it is started."""

    path: pathlib.Path
    kind: str | None = None  # of processor, forced
    before: Sequence[str] = ()  # words before it: an emulator
    environment: dict[str, str] = field(default_factory=dict)

    def __str__(self):
        return f"{self.path.relative_to(ROOT)} at {self.kind or 'the best kind'}"

    def __call__(self, model, steps=STEPS, lines="some", width=None):
        """The listing of a model file; skips the test where this machine lacks the kind or the lanes."""
        command = [*self.before, self.path, model, str(steps), lines, *([width] if width else [])]
        environment = (
            os.environ | self.environment | ({"SINEW_CPU": self.kind} if self.kind else {})
        )
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, env=environment, check=False
        )
        if "is no kind of processor that runs here" in done.stderr:
            pytest.skip(f"this processor is no {self.kind}")
        if done.returncode == 3:
            pytest.skip(f"no lanes of width {width} here: {done.stderr.strip()}")
        assert done.returncode == 0, f"{self}: {done.stderr}"
        return done.stdout


def built(linkage, kind=None, build="release"):
    """The program of a build, linked as "static" or "shared"."""
    path = ROOT / "build" / build / "tests/bits" / f"hash_steps_{linkage}"
    if not path.exists():
        pytest.fail(f"{path} is missing; ./dev test builds it")
    return Program(path, kind)


def kept(name):
    """The listing that the repository has."""
    return (KEPT / f"{name}.txt").read_text()


def parted(mine, other):
    """Where two listings part, in words; "" where they do not."""
    if mine == other:
        return ""
    first, second = ([line.split() for line in text.splitlines()] for text in (mine, other))
    names, before = first[0], "the start"
    if names != second[0]:
        return "they have other columns: " + " ".join(sorted(set(names) ^ set(second[0])))
    for a, b in zip(first[1:], second[1:], strict=False):
        different = [name for name, x, y in zip(names, a, b, strict=False) if x != y]
        if a[0] == b[0] == "run":
            return f"they part and meet again after {before}"
        if different:
            stages = ", ".join(name for name in different if name != "all")
            return f"they part after {before}, at step {a[0]} or before; differing there: {stages}"
        before = f"step {a[0]}"
    return "one is shorter"


def hold(program, model, wanted, reference=None, **options):
    """Fails unless the program lists what is wanted; says in which step and stage it leaves a reference, a program that runs
    here and lists it."""
    listing = program(model, **options)
    where = parted(wanted, listing)
    if not where:
        return
    if reference and reference(model, **options) == wanted:
        options["lines"] = "all"
        where = f"from {reference}: " + parted(
            reference(model, **options), program(model, **options)
        )
    pytest.fail(f"{program} has other bits of {pathlib.Path(model).name}: {where}", pytrace=False)
