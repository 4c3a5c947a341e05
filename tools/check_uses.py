"""Checks that every function is called: those of src/ and python/core/ that are neither static nor public by another
file than their own, inline ones of headers by anybody. Static functions in a file of C the compiler looks after.

Prints each fault as FILE:LINE: text and exits with 1 if there is one. Tests are no callers: what only they call from
outside stands in FOR_TESTS, with the reason.
"""

import collections
import dataclasses
import re
import sys

import c_source

FOR_TESTS = {
    "sn_buildDual": "the matrix of the dual is held against a dense one",
    "sn_controlGiven": "its torques are held against those of the pipeline",
    "sn_flexBlocksMul": "blocks of elasticity are held against products without them",
    "sn_minimiseInEllipsoid": "the least point in an ellipsoid has conditions of its own, for matrices that no step has",
    "sn_packSpec": "tests and a fuzzer harm packed bytes in memory",
    "sn_sealBinary": "tests harm a compiled model and seal it again, so that what is behind the seal is read",
    "sn_setAllocHook": "allocations are counted and made to fail",
    "sn_unsignedFields": "each field of the list is made negative",
}
# What the interpreter or the system calls, by its name.
ENTRIES = {"main", "PyInit__core"}
WORD = re.compile(r"\b[A-Za-z_]\w*")
# A name that stands for another form of itself, as names of lanes do: no use.
# The beginning of names that a macro ends: all of them are used where it stands.
PASTED = re.compile(r"\b(snv?_\w+_)##")
RENAMED = re.compile(r"^#define (\w+) .*\b\1\b.*$", re.MULTILINE)


@dataclasses.dataclass
class Function:
    """Where a function is defined (file, line), and whether only a header's readers have it."""

    path: object
    line: int
    inline: bool


def is_static(words):
    """Whether a function's head makes it one of the file that it stands in."""
    return "static" in words or any("INLINE" in word for word in words)


def read(path, uses, public, found):
    """Counts the words of a file but for those that declare or define a function, and takes note of these."""
    code = c_source.code(path.read_text(encoding="utf-8"))
    words = collections.Counter(WORD.findall(RENAMED.sub("", code)))
    header = path.suffix == ".h"
    for match in c_source.functions(code):
        head, name, end = match[1].split(), match[2], match[3]
        words[name] -= 1
        if {"SN_API", "SNV_API", "MJAPI"} & set(head):
            public.add(name)
        if end == "{" and header == is_static(head) and not path.is_relative_to(c_source.PUBLIC):
            line = c_source.line_of(code, match.start(2))
            found[name] = Function(path, line, header)
    for word, count in words.items():
        uses[word][path] += count
    for stem in PASTED.findall(code):
        uses[stem + "##"][path] += 1


def fault_of(name, function, uses):
    """What is wrong with a function; None when it is called as it should be."""
    callers = uses[name] + uses[name[: name.rfind("_") + 1] + "##"]
    own = callers[function.path]
    others = sum(callers.values()) - own
    if others > 0 or (function.inline and own > 0):
        return f"{name} has callers: take it out of FOR_TESTS in tools/check_uses.py" * (
            name in FOR_TESTS
        )
    if name in FOR_TESTS:
        return None
    if own > 0:
        return f"only its own file calls {name}: make it static"
    return f"nothing calls {name}: delete it"


def main():
    """Checks every function of the library, the command and the extension."""
    uses, public, found = collections.defaultdict(collections.Counter), set(), {}
    for path in c_source.files("src", "python/core", "include"):
        if path.name != "kernels.h":  # which has all that is compiled for each target
            read(path, uses, public, found)
    faults = [
        f"tools/check_uses.py:1: there is no {name}" for name in FOR_TESTS if name not in found
    ]
    for name, function in found.items():
        if name not in public and name not in ENTRIES and (fault := fault_of(name, function, uses)):
            faults.append(f"{function.path.relative_to(c_source.ROOT)}:{function.line}: {fault}")
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
