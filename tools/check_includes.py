"""Checks the direction of includes (docs/architecture.md), between the folders of src/ and between the rooms
inside a folder, python/core too; that what a room's header declares is defined in that room; that no function of a
room above is called, which public headers declare for all; that no include goes in a ring.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DECLARATION = re.compile(r"^(?!typedef|static)[A-Za-z][^;{}#()=]*?\b(\w+)\([^{}]*?;", re.MULTILINE)
DEFINITION = re.compile(r"^(?!static)[A-Za-z][^;{}#\n()=]*?\b(\w+)\([^;{}]*?\)\s*\{", re.MULTILINE)
INLINE = re.compile(r"^static inline [^;{}#\n()=]*?\b(\w+)\([^;{}]*?\)\s*\{", re.MULTILINE)
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)")
NAMED = re.compile(r"\bsnv?_\w+")
TEXT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
CORE = "python/core"
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
BELOW[CORE] = {CORE, *BELOW}

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
    CORE: {
        "base": "",
        "memory": "base",
        "record": "base memory",
        "model": "base memory record",
        "named": "base memory model",
        "peer": "base memory record model",
        "scene": "base memory record model",
        "spec": "base model",
        "lcp": "base memory",
        "call": "base memory record model peer",
        "control": "base memory record model",
        "batch": "base memory model",
        ".": "base memory record model named peer scene spec lcp call control batch",
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
    """Folder that a file below src/, python/core/ or include/sinew/ belongs to; None when it is unknown."""
    parts = path.relative_to(ROOT).parts
    if path.is_relative_to(ROOT / CORE):
        return CORE
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return PUBLIC.get(path.stem)


def room(path):
    """Room of a file below src/ or python/core/ as (folder, room); the room is None where there are none."""
    parts = path.relative_to(ROOT).parts
    folder = floor(path)
    if parts[0] == "include" or folder not in ROOMS:
        return folder, None
    return folder, "/".join(parts[2:-1]) or "."


def resolve(path, bracket, name):
    """File of this repository that an include names; None for a system header."""
    if name.startswith("sinew/"):
        return ROOT / "include" / name
    if bracket == "<":
        return None
    beside = path.parent / name
    return beside if beside.exists() else ROOT / (CORE if floor(path) == CORE else "src") / name


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


def may_reach(path, target):
    """Whether a file may use what another one has, by their folders and rooms."""
    return floor(target) in BELOW.get(floor(path), ()) and may_enter(path, target)


def blank(match):
    """As many lines as the text that matched, without its words."""
    return re.sub(r"[^\n]", " ", match[0])


def code(path):
    """Text of a file without comments and strings, and in headers without macros, which are code of their user."""
    text = ATTRIBUTE.sub("", TEXT.sub(blank, path.read_text(encoding="utf-8")))
    return MACRO.sub(blank, text) if path.suffix == ".h" else text


def definitions(texts):
    """Files that define each function that others can call: more than one where lanes have a twin.

    Files for lanes define some functions of other rooms once more, under names of their own.
    """
    defined = {}
    for path, text in texts.items():
        if path.is_relative_to(ROOT / "src/batch/lane") or path.is_relative_to(ROOT / "include"):
            continue
        for match in (INLINE if path.suffix == ".h" else DEFINITION).finditer(text):
            defined.setdefault(match[1], set()).add(path)
    return defined


def at(path, text, match):
    """FILE:LINE of what was found in the text of a file."""
    return f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"


def names(paths):
    """Paths below the root as text."""
    return ", ".join(sorted(str(p.relative_to(ROOT)) for p in paths))


def check_definitions(texts, defined, faults):
    """Adds a fault for each function that a private header declares and another room defines."""
    for path, text in texts.items():
        if path.suffix != ".h" or path.is_relative_to(ROOT / "include"):
            continue
        for match in DECLARATION.finditer(text):
            homes = defined.get(match[1], {path})
            if all(home.parent != path.parent for home in homes):
                faults.append(
                    f"{at(path, text, match)}: {match[1]} is defined in {names(homes)}: "
                    "declaration and definition belong in one room"
                )


def check_calls(texts, defined, faults):
    """Adds a fault for each function of a folder or room above that a file names, whoever declares it."""
    for path, text in texts.items():
        if path.is_relative_to(ROOT / "include"):
            continue
        for match in NAMED.finditer(text):
            homes = defined.get(match[0])
            if homes and not any(may_reach(path, home) for home in homes):
                faults.append(
                    f"{at(path, text, match)}: {path.parent.relative_to(ROOT)} must not call {match[0]} of "
                    f"{names(homes)}"
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
        if not may_reach(path, target):
            faults.append(
                f"{where}:{line}: {where.parent} must not include {target.relative_to(ROOT)}"
            )


def main():
    """Checks every C file of the library and the command."""
    faults, graph = [], {}
    files = [
        p for folder in ("src", "include", CORE) for p in sorted((ROOT / folder).rglob("*.[ch]"))
    ]
    for path in files:
        check(path, faults, graph)
    texts = {path: code(path) for path in files}
    defined = definitions(texts)
    check_definitions(texts, defined, faults)
    check_calls(texts, defined, faults)
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
