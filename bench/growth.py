"""How forces, contacts and rows of flexes grow with their elements: python bench/growth.py PROGRAM [SIZES]

PROGRAM is bench_growth. valgrind counts the instructions of each stage, for scenes of 1, 4, 16 and 64 times as many elements
(SIZES: how many of these). Prints a table and, from one size to the next and over all, the powers of the elements by which
the counts grow.
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile

from flex_scenes import CLOTH

STAGES = {"forces": "countForces", "contacts": "countContacts", "rows": "countRows"}
OPTION = '<option integrator="discrete"/>'
FLAT = '<flexcomp name="{}" type="grid" dim="2" count="{n} {n} 1" spacing="{a} {a} 1" pos="0 0 {z}" mass="0.3" radius="{r}">'
APART = '<contact selfcollide="none"/>'


def sheet(name: str, n: int, z: float) -> str:
    """One square metre, n x n vertices; z: above 0, in radii."""
    a = 1 / (n - 1)
    return FLAT.format(name, n=n, a=a, r=0.2 * a, z=0.2 * a * z) + APART + CLOTH + "</flexcomp>"


def lying(times: int) -> str:
    """Half of a sheet on a box, a little in it."""
    box = '<geom type="box" size="0.35 0.35 0.2" pos="0 0 -0.2"/>'
    return box + sheet("cloth", 1 + 12 * times, 0.9)


def held(times: int) -> str:
    """A sheet whose edges keep their lengths, and that looks for itself."""
    kept = sheet("cloth", 1 + 12 * times, 1)
    return kept.replace(CLOTH, '<edge equality="true"/>').replace(APART, "<contact/>")


def stacked(times: int) -> str:
    """Two sheets on each other."""
    return sheet("under", 1 + 12 * times, 0) + sheet("over", 1 + 12 * times, 1.9)


def block(times: int) -> str:
    """A solid on a plane, as deep as it was: its sides grow as its elements do."""
    n = 1 + 8 * times
    return (
        f'<geom type="plane" size="5 5 1"/><flexcomp name="block" type="grid" dim="3" count="{n} {n} 4" '
        f'spacing="0.05 0.05 0.05" pos="0 0 0.0765" mass="5" radius="0.002">{APART}'
        '<elasticity young="1e5" poisson="0.3" damping="0.005"/></flexcomp>'
    )


SCENES = {
    "cloth on a box": lying,
    "cloth of held edges": held,
    "cloth on cloth": stacked,
    "solid on a plane": block,
}


def count(program: str, folder: str, world: str) -> tuple[list[int], dict[str, int]]:
    """Return elements, contacts and rows of a scene, and the instructions of each stage."""
    path, out = pathlib.Path(folder, "scene.xml"), pathlib.Path(folder, "counted")
    path.write_text(f"<mujoco>{OPTION}<worldbody>{world}</worldbody></mujoco>")
    toggles = [f"--toggle-collect={name}" for name in STAGES.values()]
    words = ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--callgrind-out-file={out}"]
    run = [*words, *toggles, program, str(path)]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    words = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)]
    table = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found = {}
    for stage, name in STAGES.items():
        line = re.search(rf"^\s*([\d,]+) .*:{name}\b", table, re.MULTILINE)
        found[stage] = int(line[1].replace(",", "")) if line else 0
    return [int(word) for word in done.stdout.split()], found


def main(program: str, sizes: str = "4") -> None:
    """Count all scenes."""
    print(
        "| scene | elements | contacts | rows | " + " | ".join(f"{s}, power" for s in STAGES) + " |"
    )
    print("| --- " * (4 + len(STAGES)) + "|")
    for name, scene in SCENES.items():
        before: tuple[int, dict[str, int]] | None = None
        first: tuple[int, dict[str, int]] | None = None
        for k in range(int(sizes)):
            with tempfile.TemporaryDirectory() as folder:
                (elements, contacts, rows), found = count(program, folder, scene(2**k))
            cells = [f"{found[s]:,}" + power(s, before, (elements, found)) for s in STAGES]
            print(
                f"| {name} | {elements} | {contacts} | {rows} | " + " | ".join(cells) + " |",
                flush=True,
            )
            before = elements, found
            first = first or before
        if first and before and first is not before:
            cells = [power(s, first, before).lstrip(", ") for s in STAGES]
            print(f"| {name}, in all | | | | " + " | ".join(cells) + " |", flush=True)


def power(
    stage: str, before: tuple[int, dict[str, int]] | None, now: tuple[int, dict[str, int]]
) -> str:
    """Return by which power of the elements a count has grown."""
    if not before or not before[1][stage]:
        return ""
    grown = math.log(now[1][stage] / before[1][stage]) / math.log(now[0] / before[0])
    return f", {grown:.2f}"


if __name__ == "__main__":
    main(*sys.argv[1:])
