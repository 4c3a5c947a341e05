#!/usr/bin/env python3
"""Hold docs/releases.md to the tables of src/model/rules.h; --write makes its tables anew.

Every rule stands there, has a test that names it, and is asked for somewhere in the code if the releases differ in it.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "src/model/rules.h"
PAGE = ROOT / "docs/releases.md"
TITLES = {
    "COMPILE": "Reading and compiling",
    "COLLISION": "Collision",
    "CONSTRAINT": "Constraints and their solver",
    "SMOOTH": "Tendons, actuators, integrators",
    "SENSOR": "Sensors",
    "PICTURE": "Pictures",
}
BEGIN, END = "<!-- rules -->", "<!-- end -->"


def literal(text: str) -> str:
    """What neighbouring C strings say together."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')


def rules() -> dict[str, list[tuple[str, str, str, str, str]]]:
    """Rows (name, physics, since, sense, same) by table."""
    text = RULES.read_text().replace("\\\n", " ")
    tables = {}
    for name, body in re.findall(r"^#define SN_RULES_(\w+)\(X\)(.*)$", text, re.M):
        rows = re.findall(
            r'X\((\w+),\s*(\w+),\s*"([^"]*)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)',
            body,
        )
        tables[name] = [(n, p, s, literal(sense), literal(same)) for n, p, s, sense, same in rows]
        if body.count("X(") != len(rows):
            sys.exit(
                f"{RULES.name}: SN_RULES_{name} has a row that is no X(NAME, physics, since, sense, same)"
            )
    return tables


def page(tables: dict) -> str:
    """The part of the page that is made."""
    lines = []
    for table, rows in tables.items():
        if not rows:
            continue
        lines += [
            f"### {TITLES[table]}",
            "",
            "| rule | since | what holds | the same in both |",
            "| --- | --- | --- | --- |",
        ]
        for name, physics, since, sense, same in rows:
            both = "same in both" if physics == "3_3_7" else same
            lines.append(f"| `{name}` | {since} | {sense} | {both} |")
        lines.append("")
    return "\n".join(lines)


def mistakes(tables: dict) -> list[str]:
    """What is missing of rules, a line each."""
    tests = "".join(p.read_text() for p in (ROOT / "tests").rglob("*") if p.suffix in (".py", ".c"))
    code = "".join(p.read_text() for p in (ROOT / "src").rglob("*.[ch]") if p != RULES)
    found = []
    for rows in tables.values():
        for name, physics, *_ in rows:
            if not re.search(rf"\b{name}\b", tests):
                found.append(f"{RULES.name}: no test names {name}")
            if physics != "3_3_7" and not re.search(rf"\bSN_RULE_{name}\b", code):
                found.append(f"{RULES.name}: nothing asks for SN_RULE_{name}")
    return found


def main() -> int:
    tables = rules()
    head, _, rest = PAGE.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not end:
        sys.exit(f"{PAGE.name}: {BEGIN} and {END} are missing")
    made = f"{head}{BEGIN}\n{page(tables)}{END}{tail}"
    if "--write" in sys.argv:
        PAGE.write_text(made)
    found = mistakes(tables)
    if made != PAGE.read_text():
        found.append(
            f"{PAGE.name} is not what {RULES.name} says: python tools/check_releases.py --write"
        )
    for line in found:
        print(line)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
