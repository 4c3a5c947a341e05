"""Checks that every public function of include/sinew/ has a comment of its own: `///`, right above it.

One comment above several functions counts for the first. Prints each fault as FILE:LINE: text and exits with 1 if
there is one.
"""

import sys

import c_source


def bare(path):
    """Public functions of a header that have no comment, as (line, name)."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for match in c_source.functions(c_source.code(text)):
        line = c_source.line_of(text, match.start())
        public = {"SN_API", "SNV_API"} & set(match[1].split())
        if public and not lines[line - 2].startswith("///"):
            yield line, match[2]


def main():
    """Checks every public header."""
    faults = [
        f"{path.relative_to(c_source.ROOT)}:{line}: {name} has no comment of its own: what it does, shapes, units, errors"
        for path in c_source.files("include")
        for line, name in bare(path)
    ]
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
