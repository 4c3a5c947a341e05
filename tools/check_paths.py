"""Checks that files and folders named in the manual and in comments exist.

In README.md, CHANGELOG.md and docs/ that is what stands between backquotes or as a link, outside of code; in C and
Python what stands in comments and docstrings. A path that begins with a folder of the root must be there from the root on; any
other name of a file may be the end of a path (`solve/system.h`). Prints each fault as FILE:LINE: text and exits with
1 if there is one.
"""

import io
import itertools
import os
import re
import sys
import tokenize

import c_source

ROOT = c_source.ROOT
FOLDERS = "bench cmake docs examples include packaging python src tests tools".split()
# Names of files of the reader's own, and what stands for any name.
OWN = {
    "NAME.png": "NAME is any",
    "NAME.py": "NAME is any",
    "fall.c": "README.md saves its program under this name",
    "fuzz_x.c": "x is the format that is added",
    "math.h": "a header of C",
    "program.py": "a program of the reader",
    "train.py": "a program of the reader",
}
# A path: its words, "*" and "{a,b}" included, and the end of a name of ours.
NAME = r"[\w.*-]*(?:\{[\w.,-]+\}[\w.*-]*)?"
PATH = re.compile(rf"(?<![\w./<-])(?:{NAME}/)*{NAME}")
ENDS = re.compile(r"\w[\w*]\.(?:c|h|py|md|in|inc|cmake)$")  # not n.c: a product of vectors
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`|\]\((?!\w+:)([^)#\s]+)[^)]*\)")
INCLUDED = re.compile(r"<(sinew/\w+\.h)>")


def tree():
    """All files and folders of the repository that can be named, as paths from the root on."""
    found = {path.name for path in ROOT.iterdir()}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if "__pycache__" not in path.parts:
                found.add(path.relative_to(ROOT).as_posix())
    return found | set(FOLDERS)


def spread(path):
    """The paths that "{a,b}" stands for."""
    parts = [
        part.strip("{}").split(",") if "{" in part else [part]
        for part in re.split(r"(\{[^}]*\})", path)
    ]
    return ["".join(choice) for choice in itertools.product(*parts)]


class Tree:
    """What exists, and whether a path is one of it."""

    def __init__(self):
        self.paths = tree()
        # every end of every path, at a slash
        self.ends = {
            "/".join(parts[i:])
            for parts in (path.split("/") for path in self.paths)
            for i in range(len(parts))
        }

    def has(self, path):
        """Whether a path that names something of ours exists; True for what names nothing of ours."""
        path = path.rstrip("/.")
        if path.split("/")[-1].split(".")[0].isupper() and path not in self.paths:
            path = re.sub(r"[A-Z]+(\.\w+)$", r"*\1", path)  # TYPE.c: any
        if path.split("/")[0] in FOLDERS and "/" in path:
            known = self.paths
        elif ENDS.search(path) and not path.startswith("*"):
            known = self.ends
        else:
            return True
        if "*" in path:
            pattern = re.compile(re.escape(path).replace(r"\*", "[^/]*"))
            return any(pattern.fullmatch(each) for each in known)
        return path in known or path.split("/")[-1] in OWN


def in_page(path, text):
    """What a page names, as (position, words); links as paths from the root on."""
    prose = FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence[0]), text)
    for match in QUOTED.finditer(prose):
        link = match[2] and os.path.normpath(path.parent.relative_to(ROOT) / match[2])
        yield match.start(), match[1] or link


def in_python(text):
    """Comments and docstrings of Python, as (position, words)."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.type == tokenize.COMMENT
        if comment or (token.type == tokenize.STRING and token.string.startswith('"""')):
            yield starts[token.start[0] - 1], token.string


def named_in(path, text):
    """What a file names, as (position, words)."""
    if path.suffix == ".md":
        return in_page(path, text)
    return in_python(text) if path.suffix == ".py" else c_source.comments(text)


def missing(text, named, known):
    """Paths in the words of a text that do not exist, as (line, path)."""
    for position, words in named:
        for match in PATH.finditer(INCLUDED.sub(r" include/\1 ", words)):
            line = c_source.line_of(text, position)
            yield from ((line, path) for path in spread(match[0]) if not known.has(path))


def main():
    """Checks the manual, and the comments of C and Python."""
    known, faults = Tree(), []
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
    sources = c_source.files("include", "src", "python/core", "tests", "bench", "examples")
    scripts = c_source.files("docs", "python/sinew", "tools", suffixes=(".py",))
    for path in itertools.chain(pages, sources, scripts):
        text = path.read_text(encoding="utf-8")
        for line, name in missing(text, named_in(path, text), known):
            faults.append(f"{path.relative_to(ROOT)}:{line}: there is no {name}")
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
