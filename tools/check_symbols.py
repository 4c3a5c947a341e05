"""Checks cmake/symbols: the names that each library exports, a list a library, are what its public headers declare.

A name that goes or comes is a line of a change there, to be seen before a release; tests/install holds the libraries to the
same lists. Prints each fault as FILE:LINE: text and exits with 1 if there is one. `--write` writes the lists.
"""

import re
import sys

import c_source

FOLDER = c_source.ROOT / "cmake/symbols"
# Marks of what is exported, by library and the folder of its headers.
MARKS = {"sinew": {"SN_API", "SNV_API"}, "mujoco": {"MJAPI"}}
# A variable with such a mark, or a pointer to functions.
VARIABLE = re.compile(
    r"^(?:MJAPI|SNV?_API) extern\b[^;(]*?(?:\(\*\s*(\w+)\)|(\w+)(?:\[[^;]*\])*;)", re.M
)

# What a declaration says of a format behind its parameters.
FORMAT = re.compile(r"\s*\bmjPRINTFLIKE\([^)]*\)")


def declared(folder, marks):
    """Names that the headers of a folder declare as exported."""
    for path in c_source.files(f"include/{folder}", suffixes=(".h",)):
        code = FORMAT.sub("", c_source.code(path.read_text(encoding="utf-8")))
        for match in c_source.functions(code):
            if marks & set(match[1].split()):
                yield match[2]
        for match in VARIABLE.finditer(code):
            yield match[1] or match[2]


def main():
    """Checks or writes the list of each library."""
    faults = []
    for library, marks in MARKS.items():
        names = sorted(set(declared(library, marks)))
        path = FOLDER / f"{library}.txt"
        if "--write" in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        listed = path.read_text(encoding="utf-8").split() if path.exists() else []
        place, mend = path.relative_to(c_source.ROOT), "tools/check_symbols.py --write"
        faults += [f"{place}:1: lacks {name}: {mend}" for name in names if name not in set(listed)]
        faults += [
            f"{place}:{line}: no header declares {name}: {mend}"
            for line, name in enumerate(listed, 1)
            if name not in set(names)
        ]
        if not faults and listed != names:
            faults.append(f"{place}:1: not in order, or a name twice: {mend}")
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
