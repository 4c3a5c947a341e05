"""Programs that print the same numbers with either library."""

import re

import pytest

from c_compile import compile_with, run

NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|nan|inf)\b")


class Programs:
    """Programs of a folder, compiled against a library when they are first asked for."""

    def __init__(self, sources, folder):
        self.sources, self.folder, self.made = sources, folder, set()

    def __call__(self, name, library):
        (source,) = (p for p in self.sources.glob(f"{name}.*") if p.suffix in (".c", ".cc"))
        program = self.folder / f"{name}_{library}"
        if program not in self.made:
            compile_with(library, source, program)
            self.made.add(program)
        return program

    def outputs(self, name, arguments, cwd):
        """What both print, each in a folder of its own, without lines of times and what the peer warns of."""
        for library in ("ours", "peer"):
            folder = cwd / library
            folder.mkdir(exist_ok=True)
            lines = run([self(name, library), *arguments], cwd=folder).splitlines()
            yield [line for line in lines if line and not line.startswith(("took", "WARNING"))]


def assert_same_numbers(ours, theirs, rtol, atol):
    """The same words, whole numbers equal, others close."""
    assert len(ours) == len(theirs)
    for line, other in zip(ours, theirs, strict=True):
        if line == other:
            continue
        assert NUMBER.sub("#", line) == NUMBER.sub("#", other)
        for a, b in zip(NUMBER.findall(line), NUMBER.findall(other), strict=True):
            assert a == b or float(a) == pytest.approx(float(b), rel=rtol, abs=atol), (line, other)
