"""Checks the direction of imports between the modules of the Python package (docs/architecture.md), inside functions,
too: a module may import what stands on the lines above its own.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "python/sinew"
# Modules and packages of sinew, lowest first; "sinew" is what its own __init__ gives. Those of one line do not import
# each other. One that is not here must be added with its place in the order.
ORDER = """
_core
_arrays _enums _extra _fatal _in_place _named _output _packages _warn
_whole
_types
_batch _functions _plugin _spec
_autodiff _machines _recording control derivative draw lcp loops
picture
viewer
_viewer
sinew
_command envs jax torch
doctor plot render view
mujoco
as_mujoco run
as_mujoco4
_shadow
"""
LEVEL = {name: level for level, line in enumerate(ORDER.split("\n")) for name in line.split()}
# What asks for an import against the arrows, inside a function.
ASKED = {
    ("_types", "picture"): "a notebook, for the picture of a Model or a Data",
    (
        "viewer",
        "_viewer",
    ): "a program, for a page in one file, whose frames are those of the process that serves pages",
}
FROM_C = re.compile(r'PyImport_ImportModule\("sinew\.(\w+)')


def group(path):
    """Module or package right below sinew that a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "sinew" if first == "__init__" else first


def part(names):
    """What a dotted name below sinew belongs to; a name that is no module is what sinew's own __init__ gives."""
    return names[0] if names and names[0] in LEVEL else "sinew"


def targets(node, path):
    """What an import statement imports of sinew, as `part`."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first, *rest = alias.name.split(".")
            if first == "sinew":
                yield part(rest)
        return
    names = (node.module or "").split(".") if node.module else []
    if node.level:
        here = ["sinew", *path.relative_to(PACKAGE).parent.parts]
        names = [*here[: len(here) - node.level + 1], *names]
    if not names or names[0] != "sinew":
        return
    for alias in node.names:
        yield part([*names[1:], alias.name])


def check(path, faults):
    """Adds the faults of one module."""
    own, where = group(path), path.relative_to(ROOT)
    if own not in LEVEL:
        faults.append(f"{where}:1: no place in the order; give it one in tools/check_imports.py")
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_top = set(map(id, tree.body))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for target in targets(node, path):
            asked = (own, target) in ASKED and id(node) not in at_top
            if target != own and LEVEL[target] >= LEVEL[own] and not asked:
                faults.append(f"{where}:{node.lineno}: {own} must not import {target}")


def check_extension(path, faults):
    """Adds a fault for each module that the extension imports and that stands on more than the extension."""
    text = path.read_text(encoding="utf-8")
    for match in FROM_C.finditer(text):
        if LEVEL.get(match[1], len(LEVEL)) > LEVEL["_core"] + 1:
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path.relative_to(ROOT)}:{line}: _core must not import {match[1]}")


def main():
    """Checks every module of the package, and what the extension imports."""
    faults = []
    for path in sorted(PACKAGE.rglob("*.py")):
        check(path, faults)
    for path in sorted((ROOT / "python/core").rglob("*.c")):
        check_extension(path, faults)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
