#!/usr/bin/env python3
"""Hold the table of docs/interactions.md to the tests that it names and to the words of errors in the code."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/interactions.md"
KINDS = ("works", "scalar engine", "refused", "no bearing")


def known_tests() -> set[str]:
    """Functions of the Python tests, and names of C test programs and their cases."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*"):
        if path.suffix == ".py":
            found |= set(re.findall(r"^def (test_\w+)", path.read_text(), re.M))
        elif path.suffix == ".c":
            found |= {path.stem, *re.findall(r"^static void (\w+)\(", path.read_text(), re.M)}
    return found


def known_words() -> str:
    """All that string literals of the code may say, those that stand beside each other joined."""
    sources = [p for p in (ROOT / "src").rglob("*.c")] + [
        p for p in (ROOT / "python").rglob("*.[cph]*")
    ]
    text = "\n".join(p.read_text() for p in sources if p.suffix in (".c", ".py", ".h"))
    return re.sub(r'"\s*"', "", text)


def mistakes_of_cell(cell: str, tests: set[str], words: str) -> list[str]:
    """What is wrong with one cell."""
    kind = next((k for k in KINDS if cell.startswith(k)), None)
    if kind is None:
        return [f"begins with none of {', '.join(KINDS)}"]
    named = re.findall(r"`(\w+)`", cell)
    if kind == "no bearing":
        return [] if re.match(r"no bearing: \w", cell) else ["gives no reason"]
    found = [] if named else ["names no test"]
    found += [f"there is no test {name}" for name in named if name not in tests]
    if kind == "refused":
        said = re.search(r'"([^"]+)"', cell)
        if not said:
            found.append("quotes no error")
        elif said[1] not in words:
            found.append(f'nothing in the code says "{said[1]}"')
    return found


def main() -> int:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in PAGE.read_text().splitlines()
        if line.startswith("|")
    ]
    head, rows = rows[0], rows[2:]
    tests, words = known_tests(), known_words()
    found = []
    for row in rows:
        if len(row) != len(head):
            found.append(f"{row[0]}: {len(row) - 1} cells instead of {len(head) - 1}")
        for column, cell in zip(head[1:], row[1:], strict=False):
            found += [
                f"{row[0]}, {column}: {mistake}" for mistake in mistakes_of_cell(cell, tests, words)
            ]
    for line in found:
        print(f"{PAGE.name}: {line}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
