"""Writes src/target/names.h and src/target/kernels.h: the functions of those files that are compiled once for each target
(src/target/prelude.h), which say so in one of their first two lines.

Without arguments it checks that both are what the marked files ask for; prints each fault and exits with 1 if there is
one. `--write` writes them.
"""

import re
import sys

import c_source
from c_source import ROOT

FOLDER = ROOT / "src/target"
MARK = "// For each target: src/target/prelude.h."
WIDE = "// For each target, x86-64-v4 too: src/target/prelude.h."
HEAD = "// Made by tools/check_kernels.py.\n"


def marked():
    """Files that are compiled for each target, as (path, whether for x86-64-v4, too)."""
    for path in c_source.files("src", suffixes=(".c",)):
        lines = path.read_text(encoding="utf-8").split("\n", 2)[:2]
        if MARK in lines or WIDE in lines:
            yield path, WIDE in lines


def scalar(code):
    """A code without what is compiled in lanes alone."""
    kept, conditions = [], []
    for line in code.splitlines(keepends=True):
        words = line.replace("#", "# ", 1).split()
        if words[:2] in (["#", "if"], ["#", "ifdef"], ["#", "ifndef"]):
            known = "SN_LANES" in words
            conditions.append(None if not known else words[1] == "ifndef")
        elif words[:2] == ["#", "else"] and conditions[-1] is not None:
            conditions[-1] = not conditions[-1]
        elif words[:2] == ["#", "endif"]:
            conditions.pop()
        elif False not in conditions:
            kept.append(line)
    return "".join(kept)


def parameters(match):
    """What stands between the parentheses of a function's head."""
    head = match[0][match.end(2) - match.start() :]
    return " ".join(head[head.index("(") + 1 : head.rindex(")")].split())


def names(text):
    """Names of parameters."""
    if text == "void":
        return []
    return [re.search(r"(\w+)(?:\[\w*\])*$", part.strip())[1] for part in text.split(",")]


def kernels():
    """Functions that marked files define, as (file, for v4 too, what they return, name, parameters)."""
    for path, wide in marked():
        code = scalar(c_source.code(path.read_text(encoding="utf-8")))
        for match in c_source.functions(code):
            returns = " ".join(match[1].replace("__attribute__((flatten))", "").split())
            if match[3] == "{" and "static" not in returns.split() and "SN_INLINE" not in returns:
                yield path, wide, returns.replace(" *", "*"), match[2], parameters(match)


def headers(wanted):
    """The headers that declare functions of these names, in full or as a list after a type of functions."""
    found = {}
    for path in c_source.files("include/sinew", "src", suffixes=(".h",)):
        code = c_source.code(path.read_text(encoding="utf-8"))
        declared = {match[2] for match in c_source.functions(code) if match[3] == ";"}
        for match in re.finditer(r"^sn\w+ (sn_\w+(?:,\s*sn_\w+)*);", code, re.MULTILINE):
            declared.update(re.findall(r"\w+", match[1]))
        for name in declared & wanted:
            found.setdefault(name, path)
    for name in sorted(wanted - found.keys()):
        raise SystemExit(f"tools/check_kernels.py: no header declares {name}")
    return sorted({path.relative_to(ROOT) for path in found.values()})


def include(path):
    """The line that includes a header."""
    top, rest = path.parts[0], "/".join(path.parts[1:])
    return f"#include <{rest}>\n" if top == "include" else f'#include "{rest}"\n'


def names_text(rows):
    """The text of names.h."""
    lines = ["#ifndef SINEW_TARGET_NAMES_H\n#define SINEW_TARGET_NAMES_H\n\n"]
    for _, wide, _, name, _ in rows:
        lines.append(f"#define {name} {'SN_WIDE_TARGET' if wide else 'SN_TARGET'}({name})\n")
    return HEAD + "".join(lines) + "\n#endif\n"


def kernels_text(rows):
    """The text of kernels.h."""
    text = "// clang-format off\n#ifndef SINEW_TARGET_KERNELS_H\n#define SINEW_TARGET_KERNELS_H\n\n"
    text += "".join(include(path) for path in headers({row[3] for row in rows}))
    text += "\n// X(what it returns, name, parameters, their names); V(name, ...) of what returns nothing\n"
    text += "#define SN_KERNELS(X, V)"
    for _, _, returns, name, given in rows:
        first = f"V({name}" if returns == "void" else f"X({returns}, {name}"
        text += f" \\\n    {first}, ({given}), ({', '.join(names(given))}))"
    return HEAD + text + "\n\n#endif\n// clang-format on\n"


def main():
    """Checks or writes both files."""
    rows = list(kernels())
    faults = []
    for name, text in (("names.h", names_text(rows)), ("kernels.h", kernels_text(rows))):
        path = FOLDER / name
        if "--write" in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            faults.append(
                f"{path.relative_to(ROOT)}:1: not what files marked {MARK!r} define: tools/check_kernels.py --write"
            )
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
