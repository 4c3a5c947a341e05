"""Checks the direction of includes (docs/architecture.md) and that no include goes round in a ring.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^">]+)[">]', re.MULTILINE)

# Each folder of src/ and the folders whose headers it may include besides its own. A folder that is not here
# must be added with its place in the order.
BELOW = {
    "base": "",
    "math": "base",
    "model": "base math",
    "smooth": "base math model",
    "collision": "base math model",
    "constraint": "base math model smooth collision",
    "solver": "base math model smooth collision constraint",
    "sensor": "base math model smooth collision constraint",
    "format": "base math model",
    "pipeline": "base math model smooth collision constraint solver sensor",
    "compile": "base math model format smooth collision constraint solver sensor pipeline",
    "cli": "base math model smooth collision constraint solver sensor format compile pipeline",
}
BELOW = {folder: {folder, *names.split()} for folder, names in BELOW.items()}

# The folder that each public header speaks for.
PUBLIC = {
    "base": "base",
    "noise": "math",
    "pose": "math",
    "types": "base",
    "option": "model",
    "visual": "model",
    "binary": "model",
    "callback": "model",
    "model": "model",
    "data": "model",
    "names": "model",
    "state": "model",
    "load": "model",
    "spec": "model",
    "smooth": "smooth",
    "muscle": "smooth",
    "support": "smooth",
    "collision": "collision",
    "ray": "collision",
    "constraint": "constraint",
    "sensor": "sensor",
    "pipeline": "pipeline",
    "sinew": "cli",
}
FORBIDDEN_NAMES = {"util", "utils", "misc", "common", "helper", "helpers", "aux"}


def floor(path):
    """Folder that a file below src/ or include/sinew/ belongs to; None when it is unknown."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return PUBLIC.get(path.stem)


def resolve(path, bracket, name):
    """File of this repository that an include names; None for a system header."""
    if name.startswith("sinew/"):
        return ROOT / "include" / name
    if bracket == "<":
        return None
    beside = path.parent / name
    return beside if beside.exists() else ROOT / "src" / name


def read(path):
    """Includes of a file as (line, target)."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        target = resolve(path, match[1], match[2])
        if target is not None:
            yield line, target.resolve()


def rings(graph):
    """Cycles of the include graph, each once, as lists of files."""
    found, done = [], set()

    def visit(node, trail):
        if node in trail:
            found.append([*trail[trail.index(node) :], node])
            return
        if node in done:
            return
        for target in graph.get(node, ()):
            visit(target, [*trail, node])
        done.add(node)

    for node in graph:
        visit(node, [])
    return found


def check(path, faults, graph):
    """Adds the faults of one file to `faults` and its includes to `graph`."""
    where = path.relative_to(ROOT)
    own = floor(path)
    if own not in BELOW:
        faults.append(
            f"{where}:1: no place in the order of folders; give it one in tools/check_includes.py"
        )
        return
    if FORBIDDEN_NAMES & {path.stem, *where.parts}:
        faults.append(f"{where}:1: the name says nothing; name the idea")
    for line, target in read(path):
        if target.name.endswith(".inc") or not target.is_relative_to(ROOT):
            continue
        if not target.exists():  # made while building, below the build folder
            continue
        graph.setdefault(path, []).append(target)
        other = floor(target)
        if other not in BELOW[own]:
            faults.append(
                f"{where}:{line}: {own} must not include {target.relative_to(ROOT)} of {other}"
            )


def main():
    """Checks every C file of the library and the command."""
    faults, graph = [], {}
    files = [p for folder in ("src", "include") for p in sorted((ROOT / folder).rglob("*.[ch]"))]
    for path in files:
        check(path, faults, graph)
    for ring in rings(graph):
        faults.append(
            f"{ring[0].relative_to(ROOT)}:1: includes itself: "
            + " -> ".join(str(p.relative_to(ROOT)) for p in ring)
        )
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
