"""Checks that what is compiled for lanes (src/batch/lane/prelude.h) says `real` of its numbers and never `double`: the files
whose first line is marked, those of src/batch/lane, and the headers that they include.

Prints each fault as FILE:LINE: text and exits with 1 if there is one.
"""

import re
import sys

import c_source
from c_source import ROOT

LANES = ROOT / "src/batch/lane"
MARK = "// In lanes, too: src/batch/lane/prelude.h."
# What the prelude includes before numbers are lanes, and itself.
BEFORE = {
    "batch/lane/prelude.h",
    "batch/engine.h",
    "math/real.h",
    "math/real_lanes.h",
    "math/sincos.h",
}
INCLUDE = re.compile(r'#\s*include\s+"([^"]+)"')


def lane_lines(text):
    """Lines of a file that the compiler sees in lanes, outside of `#ifndef SN_LANES`, as (number, code, line)."""
    conditions = []
    codes = c_source.code(text).splitlines()
    for number, (code, line) in enumerate(zip(codes, text.splitlines(), strict=True), 1):
        word = code.replace("#", "# ", 1).split()[1:3] if code.lstrip().startswith("#") else []
        if word[:1] in (["if"], ["ifdef"], ["ifndef"]):
            conditions.append(
                {"ifdef": True, "ifndef": False}.get(word[0]) if "SN_LANES" in word else None
            )
        elif word[:1] == ["else"]:
            conditions[-1] = None if conditions[-1] is None else not conditions[-1]
        elif word[:1] == ["endif"]:
            conditions.pop()
        if False not in conditions:
            yield number, code, line


def headers(lines):
    """Headers of ours that these lines include."""
    for _, _, line in lines:
        match = INCLUDE.match(line.lstrip())
        if match and match[1] not in BEFORE and (ROOT / "src" / match[1]).exists():
            yield ROOT / "src" / match[1]


def main():
    """Checks every file that is compiled for lanes."""
    waiting = [
        p
        for p in sorted((ROOT / "src").rglob("*.c"))
        if p.open(encoding="utf-8").readline().strip() == MARK
    ]
    waiting += [p for p in sorted(LANES.glob("*.[ch]")) if p.name != "prelude.h"]
    seen, faults = set(), []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        lines = list(lane_lines(path.read_text(encoding="utf-8")))
        faults += [
            f"{path.relative_to(ROOT)}:{number}: `double` in what is compiled for lanes: `real`, or snDouble where it is"
            " one number for all lanes"
            for number, code, _ in lines
            if re.search(r"\bdouble\b", code)
        ]
        waiting += headers(lines)
    return c_source.report(sorted(faults))


if __name__ == "__main__":
    sys.exit(main())
