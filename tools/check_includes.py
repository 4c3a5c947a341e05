"""Checks the direction of includes (docs/architecture.md), between the folders of src/ and between the rooms
inside a folder, python/core too; that what a room's header declares is defined in that room; that no function of a
room above is called, which public headers declare for all; that no include goes in a ring; and that the lists of folders
and rooms in docs/architecture.md are what the tables here say.

Prints each fault as FILE:LINE: text and exits with 1 if there is one. `--write` writes the lists into the page.
"""

import re
import sys
import textwrap

import c_source
from c_source import ROOT

PAGE = ROOT / "docs/architecture.md"
WIDTH = 120  # of the lists in the page
NAMED = re.compile(r"\bsnv?_\w+")
MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
CORE = "python/core"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^">]+)[">]', re.MULTILINE)

# Each folder of src/ and the folders whose headers it may include besides its own. A folder that is not here
# must be added with its place in the order.
BELOW = {
    "base": "",
    "math": "base",
    "shape": "base math",
    "model": "base math shape",
    "sdf": "base math shape model",
    "smooth": "base math shape model",
    "collision": "base math shape model sdf",
    "loop": "base math shape model smooth",
    "constraint": "base math shape model sdf smooth collision loop",
    "lcp": "base math shape model sdf smooth collision constraint loop",
    "solver": "base math shape model sdf smooth collision constraint loop lcp",
    "sensor": "base math shape model sdf smooth collision constraint loop",
    "format": "base math shape model",
    "pipeline": "base math shape model sdf smooth collision constraint loop lcp solver sensor",
    "derivative": "base math shape model sdf smooth collision constraint loop lcp solver sensor pipeline",
    "scene": "base math shape model sdf smooth collision loop constraint pipeline",
    "batch": "base math shape model sdf smooth collision constraint loop lcp solver sensor pipeline",
    "control": "base math shape model sdf smooth collision loop constraint lcp solver sensor pipeline derivative",
    "compile": "base math shape model sdf format smooth collision loop constraint lcp solver sensor pipeline",
    "target": "base math shape model sdf smooth collision constraint loop lcp solver sensor pipeline derivative control compile",
    "cli": "base math shape model sdf smooth collision loop constraint lcp solver sensor format compile pipeline derivative control scene batch",
    "mujoco": "base math shape model sdf smooth collision constraint solver sensor format compile pipeline derivative scene cli",
}
BELOW = {folder: {folder, *names.split()} for folder, names in BELOW.items()}
BELOW[CORE] = {CORE, *BELOW}

# The rooms of a folder, and the rooms beside each that it may include; "." is the folder's own files. A folder
# that is not here has no rooms.
ROOMS = {
    "base": {"platform": "", ".": "platform"},
    "model": {
        "plugin": "",
        ".": "plugin",
        "spec": ".",
        "check": ". plugin",
        "binary": ". check plugin",
    },
    "format": {
        "archive": "",
        "image": "",
        "mesh": "",
        "mjcf/language": "",
        "mjcf/tree": "mesh mjcf/language",
        "mjcf/read": "mjcf/language mjcf/tree",
        "mjcf/write": "mesh mjcf/language mjcf/tree mjcf/read",
        "urdf": "mesh mjcf/language mjcf/tree",
        "mjcf": "archive urdf mjcf/language mjcf/tree mjcf/read mjcf/write",
    },
    "sdf": {"shape": "", "field": "", "solid": "", ".": "shape field solid"},
    "smooth": {
        "kinematics": "",
        "inertia": "kinematics",
        "tendon": "kinematics inertia",
        "actuator/law": "",
        "actuator": "kinematics tendon actuator/law",
        "flex": "kinematics",
        "passive": "kinematics tendon flex",
        "dynamics": "kinematics inertia",
        ".": "kinematics inertia tendon flex actuator actuator/law passive",
    },
    "collision": {
        "contact": "",
        "broad": "contact",
        "convex": "contact",
        "analytic": "contact",
        "sdf": "contact",
        "flex": "contact broad convex analytic sdf",
        "distance": "contact convex analytic",
        ".": "contact broad convex analytic sdf flex distance",
        "query": "contact convex analytic sdf flex distance",
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
        "contact": ".",
        "force": ". smooth kinematics contact",
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
    "batch": {".": "", "lane": "."},
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
        "sdf": "build",
        "mesh": "build asset sdf",
        "scale": "build",
        "body": "build asset mesh",
        "relation": "build mesh scale",
        "flex": "build asset mesh scale body",
        ".": "build asset sdf mesh scale body relation flex",
    },
    CORE: {
        "base": "",
        "memory": "base",
        "record": "base memory",
        "model": "base memory record",
        "named": "base memory model",
        "peer": "base memory record model",
        "scene": "base memory record model",
        "viewer": "base memory record model",
        "spec": "base model",
        "lcp": "base memory",
        "call": "base memory record model peer",
        "control": "base memory record model",
        "batch": "base memory model call",
        ".": "base memory record model named peer scene viewer spec lcp call control batch",
    },
}

# What stands in each folder and in each room, "." being the folder's own files: lines of docs/architecture.md.
MEANING = {
    "base": "errors, memory, words. Knows no physics",
    "math": "vectors, quaternions, spatial algebra, dense kernels, random numbers: pure functions",
    "shape": "types of geom, two files a type, and hulls: what is known of a shape without a model",
    "model": "snModel and snData from their tables; the description snSpec, source and records; names, state vectors, compiled files",
    "model/.": "arrays, options, names, states",
    "base/platform": "all that asks for the system: files, processes, threads, pages of memory, time",
    "base/.": "what is the same everywhere",
    "model/plugin": "plugins that there are, their libraries, the life of their instances",
    "model/spec": "the description: tree of the source, typed records, the table of MJCF",
    "model/check": "what may stand in a model",
    "model/binary": "compiled models as files",
    "sdf": "signed distances: of shapes with a formula, of sampled fields, and which of them a geom has",
    "sdf/shape": "shapes by formulas, two files each: pure functions of their attributes",
    "sdf/field": "sampled fields of meshes: how they are made and looked up",
    "sdf/solid": "primitives, hulls, height fields, elements of flexes",
    "sdf/.": "whose distances a geom has",
    "smooth": "what depends on q and v alone: kinematics, inertia, bias, passive and actuator forces, energy",
    "smooth/kinematics": "poses, velocities, Jacobians",
    "smooth/inertia": "M and its factors, bias forces",
    "smooth/tendon": "lengths, wrapping, springs",
    "smooth/flex": "vertices, edges and elements of flexes, elasticity",
    "smooth/actuator": "transmissions, activation, forces",
    "smooth/actuator/law": "gains, biases and activations, a file each: values and slopes",
    "smooth/passive": "springs, dampers, fluids",
    "smooth/dynamics": "single results straight from q, v, a: poses, inverse dynamics, M",
    "smooth/.": "what needs them all: constants at qpos0, energy, velocity derivatives",
    "collision": "broad phase, filters, narrow phase, distances, rays",
    "collision/contact": "geoms placed in the world, contact points and their parameters",
    "collision/broad": "which pairs to look at: sweep, filters, order",
    "collision/convex": "GJK, EPA, several points a pair, height fields",
    "collision/analytic": "pairs with a closed form",
    "collision/sdf": "signed distance fields against all shapes: where they touch",
    "collision/flex": "elements of flexes against geoms and each other",
    "collision/distance": "of two shapes, wherever they stand",
    "collision/.": "the stage",
    "collision/query": "rays, distances",
    "loop": "closed loops held exactly: their rows, clusters, accelerations and forces",
    "loop/joint": "what closes a loop: types of loop joints, equalities, their rows and springs",
    "loop/algebra": "dense factors that tell the rank",
    "loop/.": "clusters, G and g, accelerations, forces",
    "loop/closing": "other positions: projection after a step, assembly, properties",
    "loop/articulated": "accelerations alone, by articulated bodies over clusters",
    "loop/sparse": "accelerations in maximal coordinates",
    "constraint": "rows of equalities, dry friction, limits and contacts; impedance and reference; islands",
    "lcp": "rigid contact: rows to impulses by an LCP; LCPs of the user's own",
    "lcp/solve": "sweeps over rows in quads: blocks, cones, acceleration, what answers a failure",
    "lcp/direct": "pivoting and its kin: small problems solved to rounding",
    "lcp/given": "problems of the user's own, checked and converted",
    "lcp/maximal": "every body in coordinates of its own, joints as rows",
    "lcp/.": "the stage: inertia, coordinates, b and bounds of rows, impulses kept",
    "solver": "Newton, conjugate gradients, PGS, noslip, elliptic cones: rows to forces",
    "sensor": "sensors after each stage",
    "format": "MJCF and URDF text to snSpec and back; edits of a spec; mesh files and images to arrays",
    "format/archive": "ZIP archives to files in memory, and back",
    "format/image": "bytes of pictures to arrays",
    "format/mesh": "bytes of meshes and skins to arrays, a reader a format; built-in shapes",
    "format/mjcf/language": "tables of elements, XML, attributes, mistakes: what the language is",
    "format/mjcf/tree": "the source and its edits: include, attach, replicate, composite, flexcomp, default classes",
    "format/mjcf/read": "the tree to records, a file a section",
    "format/mjcf/write": "records to text",
    "format/urdf": "a URDF to a tree",
    "format/mjcf": "whole models: load, expand, attach",
    "pipeline": "forward dynamics, steps, integrators, checks, resets, rollouts, printing: calls the stages in order",
    "derivative": "derivatives of steps, by differences and analytic, through contacts and loops; gradients",
    "derivative/.": "quaternions, and what the rooms hand to each other",
    "derivative/difference": "finite differences of steps and of inverse dynamics",
    "derivative/smooth": "bias and inertia by position and velocity, M^-1, regressors, momentum, energy",
    "derivative/kinematics": "points and frames, first and second derivatives; motion of all bodies along directions",
    "derivative/contact": "how a contact moves with its geoms and their sizes, pair by pair",
    "derivative/force": "springs, dampers, tendons, fluids, arms, actuators, activations, applied forces",
    "derivative/constraint": "rows and cones, the Hessian, polishing; loops held exactly",
    "derivative/sensor": "sensors along directions",
    "derivative/step": "qacc by the implicit function theorem, integrators, projection; forwards and backwards",
    "derivative/parameter": "the adjoint's product with what arrays of the model do",
    "derivative/gradient": "gradients of one step and of many",
    "scene": "what there is to see: cameras, perturbation by the pointer, geoms, lights and cameras of a scene",
    "scene/list": "the list of things to draw while it is made: what is wanted, single geoms",
    "scene/decor": "what is drawn beside geoms, sites and skins, a file a subject",
    "scene/.": "geoms, sites and skins of the list, its order; cameras, lights, the pointer",
    "batch": "many simulations of one model: arrays, groups on threads, parameters, what lanes cannot do; an engine is a table of functions, and the scalar step is the one of width 1",
    "batch/.": "the batch, and its engines",
    "batch/lane": "what is compiled for each width: its step, and the stages that have files of their own for lanes",
    "control": "whole-body control: tasks, priorities, quadratic programs, controllers",
    "control/algebra": "singular values, pseudo-inverses, null spaces, priorities by projection",
    "control/qp": "least distance under inequalities, the dual active set of all programs",
    "control/hierarchy": "levels in bases of null spaces, and near singular poses",
    "control/trajectory": "polynomials, poses",
    "control/task": "a task's rows, a file a type",
    "control/limit": "viable bounds of joints, friction, axes of contacts",
    "control/actuator": "what actuators span; torques to ctrl",
    "control/.": "the controller: rows of a cycle laid out and filled, solved, applied",
    "compile": "snSpec to snModel: ids, frames, inertia, limits, constants at qpos0",
    "compile/build": "what all share: the model being made, errors, references, frames",
    "compile/asset": "textures, materials, height fields, skins",
    "compile/sdf": "distance fields of triangles: inside and outside, samples, sheets, the tree",
    "compile/mesh": "from a source to hull, polygons, mass",
    "compile/scale": "frames that scale what stands in them: elements, what refers to them, keyframes",
    "compile/body": "bodies, joints, geoms, inertia, bounds, sparsity",
    "compile/relation": "what refers to them: contacts, tendons, equalities, actuators, sensors, keyframes",
    "compile/flex": "vertices, edges and elements of flexes, their elasticity",
    "compile/.": "numbering, the whole, loading, saving",
    "target": "what is compiled once for each kind of processor: the table of its functions, made by "
    "tools/check_kernels.py, and calls through it",
    "cli": "the sinew command",
    "mujoco": "MuJoCo's C interface, include/mujoco: a library of its own over public functions, made where it is asked for",
    "python/core": "the C extension of the Python package",
    "python/core/base": "the module's state, types, errors, texts and files from Python",
    "python/core/memory": "who owns models, data, controllers, batches; arrays in their memory and of callers",
    "python/core/record": "types over structs",
    "python/core/model": "models and data, their parts, bytes, callbacks, warnings",
    "python/core/named": "elements by name or id",
    "python/core/peer": "what the peer's model and data have beside ours",
    "python/core/scene": "what a view is made of",
    "python/core/viewer": "states between the processes of a viewer",
    "python/core/spec": "the source of a model",
    "python/core/lcp": "problems of rigid contact",
    "python/core/call": "functions by tables, rollouts",
    "python/core/control": "controllers and programs",
    "python/core/batch": "many simulations",
    "python/core/.": "the module, its tables for the package",
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
    "plugin": "model",
    "visual": "model",
    "binary": "model",
    "callback": "model",
    "model": "model",
    "data": "model",
    "history": "model",
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
    "stage_hash": "model",
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
    return "mujoco" if parts[1] == "mujoco" else PUBLIC.get(path.stem)


def room(path):
    """Room of a file below src/ or python/core/ as (folder, room); the room is None where there are none."""
    parts = path.relative_to(ROOT).parts
    folder = floor(path)
    if parts[0] == "include" or folder not in ROOMS:
        return folder, None
    return folder, "/".join(parts[2:-1]) or "."


def resolve(path, bracket, name):
    """File of this repository that an include names; None for a system header."""
    if name.startswith(("sinew/", "mujoco/")):
        return ROOT / "include" / name
    if bracket == "<":
        return None
    beside = path.parent / name
    return beside if beside.exists() else ROOT / (CORE if floor(path) == CORE else "src") / name


def read(path):
    """Includes of a file as (line, target)."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = c_source.line_of(text, match.start())
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


def code(path):
    """Text of a file without comments and strings, and in headers without macros, which are code of their user."""
    text = c_source.code(path.read_text(encoding="utf-8"))
    return MACRO.sub(c_source.blank, text) if path.suffix == ".h" else text


def shared(path, text, ending):
    """Functions of a file that others can call, as matches: declared (";") or defined ("{")."""
    for match in c_source.functions(text):
        words = match[1].split()
        inline = path.suffix == ".h" and "inline" in words
        if match[3] == ending and ("static" not in words or inline):
            yield match


def definitions(texts):
    """Files that define each function that others can call: more than one where lanes have a twin.

    Files for lanes define some functions of other rooms once more, under names of their own.
    """
    defined = {}
    for path, text in texts.items():
        if path.is_relative_to(ROOT / "src/batch/lane") or path.is_relative_to(ROOT / "include"):
            continue
        for match in shared(path, text, "{"):
            defined.setdefault(match[2], set()).add(path)
    return defined


def at(path, text, match):
    """FILE:LINE of what was found in the text of a file."""
    return f"{path.relative_to(ROOT)}:{c_source.line_of(text, match.start())}"


def names(paths):
    """Paths below the root as text."""
    return ", ".join(sorted(str(p.relative_to(ROOT)) for p in paths))


def check_definitions(texts, defined, faults):
    """Adds a fault for each function that a private header declares and another room defines."""
    for path, text in texts.items():
        if path.suffix != ".h" or path.is_relative_to(ROOT / "include"):
            continue
        for match in shared(path, text, ";"):
            homes = defined.get(match[2], {path})
            if all(home.parent != path.parent for home in homes):
                faults.append(
                    f"{at(path, text, match)}: {match[2]} is defined in {names(homes)}: "
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


# ---- the page


def misplaced(above):
    """Rows of a table that stand below one that may include them, as (row that may, row)."""
    names = list(above)
    for place, row in enumerate(names):
        allowed = above[row].split() if isinstance(above[row], str) else above[row] - {row}
        yield from ((row, each) for each in allowed if each not in names[:place])


def check_tables(faults):
    """Adds a fault for what the tables do not agree in."""
    here = "tools/check_includes.py:1: "
    for table in (BELOW, *ROOMS.values()):
        for row, each in misplaced(table):
            faults.append(f"{here}{each} stands below {row}, which may include it: move it up")
    rows = {*BELOW, *(f"{folder}/{name}" for folder, rooms in ROOMS.items() for name in rooms)}
    faults += [f"{here}MEANING does not say what {row} is" for row in sorted(rows - set(MEANING))]
    faults += [
        f"{here}MEANING has {row}, which is no folder or room"
        for row in sorted(set(MEANING) - rows)
    ]


def entry(head, width, text):
    """Lines of a list: a head, and at its right a text that goes on below."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=head.ljust(width),
        subsequent_indent=" " * width,
        break_on_hyphens=False,
    )


def below_root(folder):
    """Where a folder of the tables stands."""
    return f"{folder}/" if folder == CORE else f"src/{folder}/"


def folder_lines():
    """The list of folders."""
    for folder in BELOW:
        yield from entry(below_root(folder), 17, MEANING.get(folder, ""))


def room_lines():
    """The list of rooms."""
    for folder in (each for each in BELOW if each in ROOMS):
        head = below_root(folder)
        for name in ROOMS[folder]:
            # a room that others stand in has files of its own
            inner = any(other.startswith(f"{name}/") for other in ROOMS[folder])
            title = "(its own files)" if name == "." else f"{name}/" + " (own)" * inner
            yield from entry(head.ljust(17) + title, 35, MEANING.get(f"{folder}/{name}", ""))
            head = ""


def page_of(text):
    """The page with its lists as they should be."""
    for name, lines in {"folders": folder_lines(), "rooms": room_lines()}.items():
        begin, end = f"<!-- {name}: made by tools/check_includes.py --write -->\n", "<!-- end -->"
        before, after = text.split(begin, 1)
        body = "\n".join(lines)
        text = f"{before}{begin}```\n{body}\n```\n{end}{after.split(end, 1)[1]}"
    return text


def check_page(faults):
    """Adds a fault when the page differs from the tables."""
    if page_of(PAGE.read_text(encoding="utf-8")) != PAGE.read_text(encoding="utf-8"):
        faults.append(
            f"{PAGE.relative_to(ROOT)}:1: the lists of folders and rooms are not those of the tables: "
            "run tools/check_includes.py --write"
        )


def main():
    """Checks every C file of the library and the command, and the page; or writes the page."""
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page_of(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    faults, graph = [], {}
    files = list(c_source.files("src", "include", CORE))
    for path in files:
        check(path, faults, graph)
    texts = {path: code(path) for path in files}
    defined = definitions(texts)
    check_definitions(texts, defined, faults)
    check_calls(texts, defined, faults)
    check_tables(faults)
    check_page(faults)
    for ring in rings(graph):
        faults.append(
            f"{ring[0].relative_to(ROOT)}:1: includes itself: "
            + " -> ".join(str(p.relative_to(ROOT)) for p in ring)
        )
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
