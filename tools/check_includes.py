"""Checks the direction of includes (docs/architecture.md), between the folders of src/ and between the rooms
inside a folder; that what a room's header declares is defined in that room; that no include goes in a ring.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DECLARATION = re.compile(r"^[a-z][^;{}#]*?\b(sn_\w+)\([^{}]*?;", re.MULTILINE)
DEFINITION = re.compile(r"^[a-z][^;{}#\n]*?\b(sn_\w+)\([^;{}]*?\)\s*\{", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^">]+)[">]', re.MULTILINE)

# Each folder of src/ and the folders whose headers it may include besides its own. A folder that is not here
# must be added with its place in the order.
BELOW = {
    "base": "",
    "math": "base",
    "model": "base math",
    "smooth": "base math model",
    "collision": "base math model",
    "loop": "base math model smooth",
    "constraint": "base math model smooth collision loop",
    "lcp": "base math model smooth collision constraint loop",
    "solver": "base math model smooth collision constraint loop lcp",
    "sensor": "base math model smooth collision constraint loop",
    "format": "base math model",
    "pipeline": "base math model smooth collision constraint loop lcp solver sensor",
    "derivative": "base math model smooth collision constraint loop lcp solver sensor pipeline",
    "scene": "base math model smooth collision loop constraint pipeline",
    "batch": "base math model smooth collision constraint loop lcp solver sensor pipeline",
    "control": "base math model smooth collision loop constraint lcp solver sensor pipeline derivative",
    "compile": "base math model format smooth collision loop constraint lcp solver sensor pipeline",
    "cli": "base math model smooth collision loop constraint lcp solver sensor format compile pipeline derivative control scene batch",
}
BELOW = {folder: {folder, *names.split()} for folder, names in BELOW.items()}

# The rooms of a folder, and the rooms beside each that it may include; "." is the folder's own files. A folder
# that is not here has no rooms.
ROOMS = {
    "model": {".": "", "spec": ".", "check": ".", "binary": ". check"},
    "format": {
        "image": "",
        "mesh": "",
        "urdf": "mesh mjcf/language mjcf/tree",
        "mjcf/language": "",
        "mjcf/tree": "mjcf/language",
        "mjcf/read": "mjcf/language mjcf/tree",
        "mjcf/write": "mesh mjcf/language mjcf/tree mjcf/read",
        "mjcf": "urdf mjcf/language mjcf/tree mjcf/read mjcf/write",
    },
    "smooth": {
        "kinematics": "",
        "inertia": "kinematics",
        "tendon": "kinematics inertia",
        "actuator": "kinematics tendon",
        "passive": "kinematics tendon",
        "dynamics": "kinematics inertia",
        ".": "kinematics inertia tendon actuator passive",
    },
    "collision": {
        "shape": "",
        "broad": "shape",
        "convex": "shape",
        "analytic": "shape",
        ".": "shape broad convex analytic",
        "query": "shape convex analytic",
    },
    "loop": {
        "joint": "",
        "algebra": "",
        ".": "joint algebra",
        "closing": ". joint algebra",
        "articulated": ". joint algebra",
        "sparse": "joint",
    },
    "derivative": {
        ".": "",
        "difference": "",
        "smooth": ".",
        "kinematics": ".",
        "force": ". smooth kinematics contact",
        "contact": ".",
        "constraint": ". smooth kinematics force contact",
        "sensor": ". smooth kinematics force contact constraint",
        "step": ". smooth kinematics force contact constraint sensor",
        "parameter": ". smooth kinematics force contact constraint sensor step",
        "gradient": "step parameter",
    },
    "control": {
        "algebra": "",
        "qp": "algebra",
        "hierarchy": "algebra qp",
        "trajectory": "",
        "task": "",
        "limit": "algebra",
        "actuator": "algebra qp hierarchy",
        ".": "algebra qp hierarchy task limit actuator",
    },
    "scene": {"list": "", "decor": "list", ".": "list decor"},
    "batch": {"lane": ".", ".": ""},
    "lcp": {
        "solve": "",
        "direct": "solve",
        "given": "solve direct",
        "maximal": "solve",
        ".": "solve direct maximal",
    },
    "compile": {
        "build": "",
        "asset": "build",
        "mesh": "build asset",
        "body": "build asset mesh",
        "relation": "build",
        ".": "build asset mesh body relation",
    },
}

# The folder that each public header speaks for.
PUBLIC = {
    "base": "base",
    "batch": "batch",
    "noise": "math",
    "matrix": "math",
    "band": "math",
    "sparse": "math",
    "cholesky": "math",
    "scalar": "math",
    "text": "base",
    "vector": "math",
    "pose": "math",
    "thread_pool": "base",
    "types": "base",
    "option": "model",
    "visual": "model",
    "binary": "model",
    "callback": "model",
    "model": "model",
    "data": "model",
    "dynamics": "smooth",
    "names": "model",
    "state": "model",
    "load": "model",
    "spec": "model",
    "smooth": "smooth",
    "muscle": "smooth",
    "support": "smooth",
    "collision": "collision",
    "ray": "collision",
    "loop": "loop",
    "mechanism": "loop",
    "loop_function": "pipeline",
    "loop_inverse": "loop",
    "loop_sparse": "loop",
    "constraint": "constraint",
    "check_data": "pipeline",
    "check_rows": "constraint",
    "island": "constraint",
    "lcp": "lcp",
    "sensor": "sensor",
    "scene": "scene",
    "kinematics_derivative": "derivative",
    "pseudo_inverse": "control",
    "qp": "control",
    "hqp": "control",
    "trajectory": "control",
    "task": "control",
    "control": "control",
    "pipeline": "pipeline",
    "rollout": "pipeline",
    "print": "pipeline",
    "derivative": "derivative",
    "parameter": "model",
    "difference": "derivative",
    "dynamics_derivative": "derivative",
    "sinew": "cli",
}
FORBIDDEN_NAMES = {"util", "utils", "misc", "common", "helper", "helpers", "aux"}


def floor(path):
    """Folder that a file below src/ or include/sinew/ belongs to; None when it is unknown."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return PUBLIC.get(path.stem)


def room(path):
    """Room of a file below src/ as (folder, room); the room is None in folders without rooms."""
    parts = path.relative_to(ROOT).parts
    if parts[0] != "src" or parts[1] not in ROOMS:
        return floor(path), None
    return parts[1], "/".join(parts[2:-1]) or "."


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


def may_enter(path, target):
    """Whether a file may include one of the same folder, by their rooms."""
    (folder, own), (other_folder, other) = room(path), room(target)
    if folder != other_folder or own is None or other is None:
        return True
    return own == other or other in ROOMS[folder].get(own, "").split()


def check_definitions(files, faults):
    """Adds a fault for each function that a private header declares and another room defines.

    Files for lanes define some functions of other rooms once more, under names of their own.
    """
    declared = {}
    for path in files:
        if path.suffix == ".h" and path.is_relative_to(ROOT / "src"):
            for name in DECLARATION.findall(path.read_text(encoding="utf-8")):
                declared[name] = path
    for path in files:
        if path.suffix != ".c" or path.is_relative_to(ROOT / "src/batch/lane"):
            continue
        text = path.read_text(encoding="utf-8")
        for match in DEFINITION.finditer(text):
            header = declared.get(match[1])
            if header and header.parent != path.parent:
                line = text.count("\n", 0, match.start()) + 1
                faults.append(
                    f"{path.relative_to(ROOT)}:{line}: {match[1]} is declared in "
                    f"{header.relative_to(ROOT)}: declaration and definition belong in one room"
                )


def check(path, faults, graph):
    """Adds the faults of one file to `faults` and its includes to `graph`."""
    where = path.relative_to(ROOT)
    own = floor(path)
    folder, inside = room(path)
    if own not in BELOW or (inside is not None and inside not in ROOMS[folder]):
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
        if other not in BELOW[own] or not may_enter(path, target):
            faults.append(
                f"{where}:{line}: {where.parent} must not include {target.relative_to(ROOT)}"
            )


def main():
    """Checks every C file of the library and the command."""
    faults, graph = [], {}
    files = [p for folder in ("src", "include") for p in sorted((ROOT / folder).rglob("*.[ch]"))]
    for path in files:
        check(path, faults, graph)
    check_definitions(files, faults)
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
