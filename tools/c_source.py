"""What the checks of this folder ask of C sources: files, comments, code without comments, functions."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUBLIC = ROOT / "include"
# A comment, or what may look like one inside: a string, a character.
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
# A function's head at the left margin: all in front of its name, the name, then "{" or ";". A macro that stands for
# a part of the head (SN_API, SN_CLONES) is a word like any other; parentheses in parameters nest once.
FUNCTION = re.compile(
    r"^(?!#|else\b|return\b|typedef\b)((?:__attribute__\(\([^()]*\)\)|\w)(?:[\w\s*]|__attribute__\(\([^()]*\)\))*?)\b(\w+)\s*"
    r"\((?:[^(){};]|\([^(){};]*\))*\)\s*([{;])",
    re.MULTILINE,
)


def files(*folders, suffixes=(".c", ".h")):
    """Files below folders of the repository, in order."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes:
                yield path


def line_of(text, position):
    """Number of the line that a position of a text is in."""
    return text.count("\n", 0, position) + 1


def blank(match):
    """As many lines as the text that matched, without its words."""
    return re.sub(r"[^\n]", " ", match[0])


def code(text):
    """The text with blanks in place of comments and of what strings hold: positions stay."""
    return COMMENT.sub(blank, text)


def comments(text):
    """Comments of a text, as (position, comment)."""
    for match in COMMENT.finditer(text):
        if match[0][0] == "/":
            yield match.start(), match[0]


def report(faults):
    """Prints faults, a line each; the status that a check ends with."""
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def functions(code_text):
    """Functions that a code without comments declares or defines, as matches of FUNCTION."""
    return FUNCTION.finditer(code_text)
