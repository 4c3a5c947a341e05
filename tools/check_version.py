"""Checks that the version of CMakeLists.txt is that of include/sinew/base.h, CITATION.cff and of the first heading of
CHANGELOG.md.

Without arguments it prints each fault as FILE:LINE: text and exits with 1 if there is one. `--write` writes the first two;
what a release changes is for people to write.
"""

import re
import sys

import c_source
from c_source import ROOT

MACRO = re.compile(r"^#define SN_VERSION_(MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)
CITED = re.compile(r"^version: (\S+)$", re.MULTILINE)
HEADING = re.compile(r"^## (\S+?),? ", re.MULTILINE)


def wanted():
    """The version as [major, minor, patch]."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(sinew VERSION (\d+)\.(\d+)\.(\d+) ", text, re.MULTILINE).groups()


def of_header(version):
    """Faults of base.h."""
    path = c_source.PUBLIC / "sinew/base.h"
    text = path.read_text(encoding="utf-8")
    numbers = dict(zip(("MAJOR", "MINOR", "PATCH"), version, strict=True))
    if "--write" in sys.argv[1:]:
        text = MACRO.sub(lambda m: f"#define SN_VERSION_{m[1]} {numbers[m[1]]}", text)
        path.write_text(text, encoding="utf-8")
    for match in MACRO.finditer(text):
        if match[2] != numbers[match[1]]:
            line = c_source.line_of(text, match.start())
            yield f"include/sinew/base.h:{line}: not {numbers[match[1]]}: tools/check_version.py --write"


def of_changes(version):
    """Faults of CHANGELOG.md."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = HEADING.search(text)
    if first[1] != ".".join(version):
        yield f"CHANGELOG.md:{c_source.line_of(text, first.start())}: the first heading is of {first[1]}, not {'.'.join(version)}"


def of_citation(version):
    """Faults of CITATION.cff."""
    path, number = ROOT / "CITATION.cff", ".".join(version)
    text = path.read_text(encoding="utf-8")
    if "--write" in sys.argv[1:]:
        text = CITED.sub(f"version: {number}", text)
        path.write_text(text, encoding="utf-8")
    found = CITED.search(text)
    if found[1] != number:
        line = c_source.line_of(text, found.start())
        yield f"CITATION.cff:{line}: not {number}: tools/check_version.py --write"


def main():
    """Checks all three files."""
    version = wanted()
    faults = [*of_header(version), *of_changes(version), *of_citation(version)]
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
